# SPDX-License-Identifier: Apache-2.0
"""Kinds of errors on a page: their colours, short names and plain words.

Colour never speaks alone: every mark has a short name beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tertium.grammars.edits import TAXONOMY, Kind, category_of

__all__ = ["CATEGORIES", "Category", "category_style", "of_kind"]


class Category(NamedTuple):
    """A kind of error.

    `key` names style classes, `short` marks words, `about` says what it is; `light`
    and `dark` are ink, soft paper and strong colour.
    """

    key: str
    name: str
    short: str
    about: str
    light: tuple[str, str, str]
    dark: tuple[str, str, str]


_ROWS = (
    (
        *("order", "word order", "moved", "a word stands in the wrong place"),
        ("#004b76", "#e0eff8", "#0072B2"),
        ("#a9dafa", "#12344a", "#58b4ec"),
    ),
    (
        *("case", "incorrect noun case", "case", "the right word in a wrong case"),
        ("#754600", "#fdebc8", "#e09a1a"),
        ("#fbd796", "#4a3208", "#f0a83a"),
    ),
    (
        *("form", "other incorrect form", "form", "the right word in a wrong form"),
        ("#4c5200", "#f0f3c4", "#a3ad1f"),
        ("#e3ea8f", "#3a3f0b", "#bcc63f"),
    ),
    (
        *("unknown", "unknown words", "unknown", "no word of the language"),
        ("#3f4751", "#e6e9ed", "#717b87"),
        ("#cfd6dd", "#333a42", "#929ca8"),
    ),
    (
        *("lexical", "wrong lexical choice", "word", "another word, in the right form"),
        ("#6c2a57", "#f7e1f0", "#b9629c"),
        ("#f3c4e3", "#4a2240", "#df8fc4"),
    ),
    (
        *("compound", "compound spelling", "compound"),
        "a compound written apart, together or with a hyphen where it should not be",
        ("#00533e", "#d8f1e8", "#009e73"),
        ("#9aebd0", "#0d4435", "#3fd0a3"),
    ),
    (
        *("missing", "missing words", "missing", "a word is not there"),
        ("#3b3a8c", "#e6e6fb", "#6a69cf"),
        ("#c9c8ff", "#2c2b5e", "#9796f0"),
    ),
    (
        *("extra", "extra words", "extra", "a word too many"),
        ("#8a1f13", "#fbe1dc", "#d1523f"),
        ("#f9b9ae", "#4b1b14", "#f0806f"),
    ),
    (
        *("other", "other mistranslation", "wrong", "fits nothing else"),
        ("#583922", "#efe3d8", "#96704f"),
        ("#e6c9af", "#42301f", "#c09771"),
    ),
    (
        *("outside", "not in the lexicon", "not listed"),
        "a word of which the lexicon knows nothing",
        ("#2f4f4f", "#e0ecec", "#5f8a8b"),
        ("#b9dada", "#20393a", "#7fb0b1"),
    ),
)

#: In the order of reliability.
CATEGORIES = tuple(Category(*row) for row in _ROWS)

_BY_NAME = {own.name: own for own in CATEGORIES}
_BY_KIND = {kind: _BY_NAME[name] for name, kinds in TAXONOMY.items() for kind in kinds}


def of_kind(kind: Kind) -> Category:
    """Return the category of an edit."""
    return _BY_KIND.get(kind) or _BY_NAME[category_of(kind)]


def category_style() -> str:
    """Return the rules that colour the categories, light and dark."""

    def variables(colours: Iterable[tuple[str, str, str]]) -> str:
        return " ".join(
            f"--{own.key}: {ink}; --{own.key}-soft: {soft}; "
            f"--{own.key}-strong: {strong};"
            for own, (ink, soft, strong) in zip(CATEGORIES, colours, strict=True)
        )

    light = variables(own.light for own in CATEGORIES)
    dark = variables(own.dark for own in CATEGORIES)

    classes = "\n".join(
        f".c-{own.key} {{ --own: var(--{own.key}); --own-soft: var(--{own.key}-soft); "
        f"--own-strong: var(--{own.key}-strong); }}"
        for own in CATEGORIES
    )
    return (
        f":root {{ {light} }}\n"
        "@media screen and (prefers-color-scheme: dark) { "
        f":root {{ {dark} }} }}\n{classes}"
    )
