# SPDX-License-Identifier: Apache-2.0
"""The documents whose tables and figures are repeated, and what they printed.

Every document is a file ``documents/NAME.toml``: the one place where its figures are
typed, which benchmarks read too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from tertium.errors import UnknownNameError
from tertium.reproductions.exhibit import Exhibit

__all__ = ["Document", "documents", "find_exhibits"]


@dataclass(frozen=True)
class Document:
    """A paper or thesis.

    Parameters
    ----------
    name : str
        Such as ``forests``.
    title, authors : str
    year : int
    venue : str
        Where it appeared.
    conclusion : str
        What a reader should conclude, in a sentence.
    guides : tuple of str
        The guides of this documentation that belong to it.
    exhibits : tuple of Exhibit
        All of its tables and figures, in the order of the document.
    """

    name: str
    title: str
    authors: str
    year: int
    venue: str
    conclusion: str
    guides: tuple[str, ...]
    exhibits: tuple[Exhibit, ...]


@cache
def documents() -> tuple[Document, ...]:
    """Return all documents, by name."""
    folder = files("tertium.reproductions") / "documents"
    return tuple(
        _document(file.name.removesuffix(".toml"), file.read_text(encoding="utf-8"))
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml")
    )


def find_exhibits(names: Iterable[str]) -> list[Exhibit]:
    """Return the exhibits with these names; a document stands for all it has.

    Raises
    ------
    UnknownNameError
        When there is no such document, table or figure.
    """
    known = {document.name: document.exhibits for document in documents()}
    for exhibits in list(known.values()):
        known |= {exhibit.name: (exhibit,) for exhibit in exhibits}
    chosen: dict[str, Exhibit] = {}
    for name in names:
        if name not in known:
            raise UnknownNameError("document, table or figure", name, known)
        chosen |= {exhibit.name: exhibit for exhibit in known[name]}
    return list(chosen.values())


def _document(name: str, text: str) -> Document:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    content = tomllib.loads(text)
    exhibits = content.pop("exhibit")
    guides = tuple(content.pop("guides"))
    made = tuple(_exhibit(name, exhibit) for exhibit in exhibits)
    return Document(name=name, guides=guides, exhibits=made, **content)


def _exhibit(document: str, content: dict[str, Any]) -> Exhibit:
    label = content["label"]
    name = f"{document}/{label.lower().replace(' ', '-')}"
    published = _table(content.pop("published", {}))
    return Exhibit(name=name, published=published, **content)


def _table(content: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Return row to column to value; ``nan`` in the file means not printed."""
    columns = content.get("columns", ())
    table: dict[str, dict[str, float]] = {}
    for row, values in content.get("rows", {}).items():
        pairs = zip(columns, values, strict=True)
        table[row] = {column: float(x) for column, x in pairs if x == x}
    return table
