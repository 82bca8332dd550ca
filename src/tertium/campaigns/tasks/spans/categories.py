# SPDX-License-Identifier: Apache-2.0
"""Trees of error categories, from TOML.

A table is a category, and what is in it are its parts, with a sentence on each::

    [Accuracy]
    Mistranslation = "The translation says something else than the source."
    Omission = "Something of the source is missing."

An empty table is a category without parts. Names in exports have slashes:
``Accuracy/Omission``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tertium.campaigns.config import read_toml
from tertium.errors import FormatError

__all__ = ["STANDARD", "by_kind", "read_categories"]

#: The tree that comes with Tertium.
STANDARD = Path(__file__).with_name("categories.toml")
_DEEPEST, _LONGEST = 4, 60


def read_categories(path: Path) -> dict[str, str]:
    """Return the categories that can be chosen, with what they mean.

    Raises
    ------
    FormatError
        When there is none, or a name or an explanation is not a text.
    """
    tree = read_toml(path)
    leaves = dict(_leaves(tree, "", path))
    if not leaves:
        what = 'it has no category; add one, such as [Accuracy] and Omission = "…"'
        raise FormatError(what, path=str(path))
    return leaves


def by_kind(tree: Mapping[str, str]) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Return categories under their kind: name in exports, name below it, meaning.

    Examples
    --------
    >>> by_kind({"Style/Awkward": "Nobody writes it.", "Other": ""})[0]
    ('Style', [('Style/Awkward', 'Awkward', 'Nobody writes it.')])
    """
    kinds: dict[str, list[tuple[str, str, str]]] = {}
    for whole, meaning in tree.items():
        kind, _, name = whole.partition("/")
        kinds.setdefault(kind, []).append((whole, name.replace("/", " / "), meaning))
    return list(kinds.items())


def _leaves(
    tree: Mapping[str, object], above: str, path: Path
) -> list[tuple[str, str]]:
    leaves = []
    for name, value in tree.items():
        whole = f"{above}/{name}" if above else name
        if not name.strip() or "/" in name or len(name) > _LONGEST:
            what = f"the category {name!r} has no usable name; give 1 to {_LONGEST}"
            raise FormatError(f"{what} characters without a slash", path=str(path))
        if whole.count("/") >= _DEEPEST:
            what = f"{whole} lies too deep; use {_DEEPEST} levels at most"
            raise FormatError(what, path=str(path))
        if isinstance(value, str):
            leaves.append((whole, value))
        elif isinstance(value, dict):
            leaves += _leaves(value, whole, path) or [(whole, "")]
        else:
            what = f"{whole} = {value!r}; give a sentence in quotes, or a table"
            raise FormatError(what, path=str(path))
    return leaves
