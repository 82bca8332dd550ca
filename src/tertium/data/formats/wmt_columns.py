# SPDX-License-Identifier: Apache-2.0
"""Documents of WMT 2025 and 2026 as columns: references and outputs in files each.

Documents are matched by their ids (see :mod:`tertium.data.formats.wmtjson`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tertium._messages import count
from tertium.data.formats.columns import Column
from tertium.data.formats.wmtjson import (
    CURE,
    Document,
    chosen,
    paragraphs,
    references_of,
    segment_ids,
    without_reference,
)
from tertium.data.lines import display, open_lines
from tertium.errors import FormatError, InputError
from tertium.notes import Note

__all__ = ["ReferenceParagraphs", "expand", "read_references"]

_KEYS = {
    "system": ("hypothesis", "translation", "output", "target", "tgt_text", "text"),
    "reference": ("reference", "ref", "hypothesis", "target", "tgt_text", "text"),
    "source": ("src_text", "source", "src", "text"),
}


class _Text(NamedTuple):
    """What a file gives a column: paragraphs by document.

    Documents of a test set without a reference are in `lacking`.
    """

    column: Column
    documents: dict[str, list[str]]
    lacking: frozenset[str] = frozenset()


def expand(
    columns: Sequence[tuple[Column, str]], langpair: str | None
) -> tuple[list[tuple[Column, Iterator[str]]], str | None, tuple[Note, ...]]:
    """Return columns with an iterator over each, the language pair, and notes.

    Documents are matched by their ids: those of the file with document ids, if there
    is one, else those of the first file with documents (references come first).

    Parameters
    ----------
    columns : sequence of pairs
        Columns with their format, ``plain`` or ``documents``.
    langpair : str, optional
        The language pair to read of test sets.

    Raises
    ------
    InputError
        When a file lacks a document, or has it in another number of paragraphs.
    """
    texts: list[_Text | Column] = []
    for column, kind in columns:
        if kind == "documents":
            columns_of_file, pair = _texts(column, langpair)
            langpair = langpair or pair
            texts += columns_of_file
        else:
            texts.append(column)
    parsed = [text for text in texts if isinstance(text, _Text)]
    base = parsed[0]
    names, where = _names(texts, base)
    lacking = {name for text in parsed for name in text.lacking}
    notes: dict[str, Note] = {}
    streams: list[tuple[Column, Iterator[str]]] = []
    for text in texts:
        if isinstance(text, Column):
            items = iter(names) if text.role == "doc" else open_lines(text.path)
            streams.append((text, items))
            continue
        streams.append((text.column, _in_order(text, names, where)))
        path = text.column.path
        if text.lacking:
            notes.setdefault(path, without_reference(path, len(text.lacking)))
        if extra := len(text.documents.keys() - set(names) - lacking):
            values = {"path": display(path), "count": extra, "where": where}
            notes.setdefault(path, Note("documents-left-out", values))
    if not any(column.role == "doc" for column, _ in streams):
        streams.append((Column("doc", base.column.path), iter(names)))
    ids = segment_ids(names)
    streams.append((Column("id", base.column.path), iter(ids)))
    return streams, langpair, tuple(notes.values())


def _names(texts: Sequence[_Text | Column], base: _Text) -> tuple[list[str], str]:
    """Return the document of every segment, and the file that says it."""
    for text in texts:
        if isinstance(text, Column) and text.role == "doc":
            return list(open_lines(text.path)), display(text.path)
    names = [name for name, parts in base.documents.items() for _ in parts]
    return names, display(base.column.path)


def _in_order(text: _Text, names: Sequence[str], where: str) -> Iterator[str]:
    """Return the paragraphs of a file in the order of segments."""
    sizes: dict[str, int] = {}
    for name in names:
        sizes[name] = sizes.get(name, 0) + 1
    path = display(text.column.path)
    for name, size in sizes.items():
        parts = text.documents.get(name)
        if parts is None:
            message = (
                f"{path} lacks document {name!r}, which {where} has; give every "
                "document"
            )
            raise InputError(message)
        if len(parts) != size:
            message = (
                f"document {name!r} has {count(size, 'paragraph')} in {where} and "
                f"{len(parts)} in {path}; {CURE}"
            )
            raise InputError(message)
    left = {name: iter(text.documents[name]) for name in sizes}
    return iter([next(left[name]) for name in names])


def _texts(column: Column, langpair: str | None) -> tuple[list[_Text], str | None]:
    """Return what a file gives; references of a test set are a column each."""
    documents, pair = chosen(column.path, langpair, only=column.role != "system")
    keys = _KEYS.get(column.role)
    if keys is None:
        message = (
            f"{display(column.path)} holds documents, not one {column.role} per line; "
            "give plain text"
        )
        raise InputError(message)
    by_reference: list[dict[str, list[str]]] = []
    lacking: set[str] = set()
    for document in documents:
        if column.role == "reference" and "refs" in document.row:
            texts = list(references_of(column.path, document).values())
        else:
            texts = [_text(column.path, document, keys)]
        if not texts:
            lacking.add(document.name)
        for k, text in enumerate(texts):
            if k == len(by_reference):
                by_reference.append({})
            by_reference[k][document.name] = paragraphs(text)
    # Documents without any reference are not scored; a second one must be complete.
    every = by_reference[:1] + [
        other for other in by_reference[1:] if len(other) == len(by_reference[0])
    ]
    if not every and documents:
        message = f"no document of {display(column.path)} has a reference; give another"
        raise InputError(message)
    kept = [_Text(column, texts, frozenset(lacking)) for texts in every or [{}]]
    return kept, pair


def _text(path: str, document: Document, keys: Sequence[str]) -> str:
    """Return the text of a document under the first of these keys that has one."""
    for key in keys:
        if isinstance(text := document.row.get(key), str):
            return text
    what = (
        f"document {document.name!r} has no text under {' or '.join(keys)}; rename "
        f"its key to {keys[0]}"
    )
    raise FormatError(what, path=display(path), line=document.line)


class ReferenceParagraphs(NamedTuple):
    """References of documents, in paragraphs.

    Parameters
    ----------
    texts : list of list of str
        The paragraphs of every reference.
    docs : list of str
        The document of every paragraph.
    lacking : frozenset of str
        Documents without a reference, which are left out.
    """

    texts: list[list[str]]
    docs: list[str]
    lacking: frozenset[str]


def read_references(path: str, langpair: str | None = None) -> ReferenceParagraphs:
    """Return the references of a test set, or the texts of any other documents.

    Raises
    ------
    FormatError, InputError
        As for :func:`expand`; also when references differ in their paragraphs.
    """
    every, _ = _texts(Column("reference", path), langpair)
    docs, where = _names([], every[0])
    texts = [list(_in_order(text, docs, where)) for text in every]
    return ReferenceParagraphs(texts, docs, every[0].lacking)
