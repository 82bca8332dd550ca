# SPDX-License-Identifier: Apache-2.0
"""Documents as WMT 2025 and 2026 publish them: JSON lines with one document each.

Outputs of a system are ``{"doc_id": "...", "hypothesis": "..."}``. A test set has
``doc_id``, ``domain``, ``src_lang``, ``tgt_lang``, ``src_text`` and ``refs``:
``{"refA": {"ref": "..."}}``, an object of texts, or a list; empty where a document has
no reference. Other keys (``video``, ``metadata``, instructions) are ignored.

A segment is a paragraph: what is between ``<p>`` and ``</p>``, be it empty, and
elsewhere what is between blank lines. ``<br>`` and line ends in a paragraph become
spaces, and tags of paragraphs are dropped. Its id is the document and the position in
it, ``DOCUMENT:1``.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tertium._messages import count, quote
from tertium.data.formats.columns import system_name
from tertium.data.formats.jsonl import json_object
from tertium.data.lines import display, open_lines
from tertium.data.testset import Testset
from tertium.errors import FormatError, InputError
from tertium.notes import Note

__all__ = [
    "CURE",
    "Document",
    "chosen",
    "is_documents",
    "paragraphs",
    "references_of",
    "segment_ids",
    "stream",
    "without_reference",
]

_TAG = re.compile(r"(</?p(?:\s[^<>]*)?>)", re.IGNORECASE)
_BLANK_LINE = re.compile(r"(?:\r\n?|\n)[^\S\r\n]*(?:\r\n?|\n)\s*")
_LINE_END = re.compile(
    r"\s*(?:<br\s*/?>|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])\s*", re.IGNORECASE
)
CURE = (
    "paragraphs are segments: `tertium resegment`, or `tertium score --resegment`, "
    "cuts an output into those of the reference"
)


class Document(NamedTuple):
    """A line of a file."""

    name: str
    line: int
    row: dict[str, object]

    def pair(self) -> str | None:
        """Return the languages as the line spells them, such as eng_Latn-isl_Latn."""
        codes = [self.row.get("src_lang"), self.row.get("tgt_lang")]
        return "-".join(map(str, codes)) if all(codes) else None


def paragraphs(text: str) -> list[str]:
    r"""Return the paragraphs of a document, each in one line.

    Examples
    --------
    >>> paragraphs("One\nline.\n\nTwo.")
    ['One line.', 'Two.']
    >>> paragraphs("<p>One<br>line.</p>\n<p></p>\n<p>Three.</p>")
    ['One line.', '', 'Three.']
    >>> paragraphs(" ")
    ['']
    """
    pieces = _TAG.split(text)
    result = []
    for k in range(0, len(pieces), 2):
        opens = k > 0 and not pieces[k - 1].startswith("</")
        closes = k + 1 < len(pieces) and pieces[k + 1].startswith("</")
        if opens and closes:
            result.append(pieces[k])
        else:
            result += [part for part in _BLANK_LINE.split(pieces[k]) if part.strip()]
    return [_LINE_END.sub(" ", part).strip() for part in result] or [""]


def is_documents(path: str) -> bool:
    """Return whether the first line of a file is a document of WMT.

    Standard input and pipes, which can be read once, are not looked at.
    """
    if not os.path.isfile(path):
        return False
    first = next((line for line in open_lines(path) if line.strip()), "")
    try:
        row = json.loads(first)
    except (ValueError, RecursionError):
        return False
    texts = ("hypothesis", "src_text", "refs", "translation", "reference", "text")
    return isinstance(row, dict) and "doc_id" in row and any(k in row for k in texts)


def stream(path: str, *, size: int, langpair: str | None = None) -> Iterator[Testset]:
    """Yield a test set of documents in chunks; all of it is read first.

    Parameters
    ----------
    path : str
        A test set, or the outputs of a system, which is named after the file.
    size : int
    langpair : str, optional
        The language pair to read, where there are several.

    Raises
    ------
    FormatError
        When a line is not a document.
    InputError
        When there are several language pairs, or texts of a document differ in their
        number of paragraphs.
    """
    documents, pair = chosen(path, langpair)
    rows = [_segments(path, document) for document in documents]
    documents, rows, notes = _referenced(path, documents, rows)
    whole = Testset(
        [refs for row in rows for refs in row.references],
        {
            name: [text for row in rows for text in row.systems[name]]
            for name in _system_names(path, documents, rows)
        },
        sources=_joined([row.sources for row in rows]),
        docs=(docs := [name for row in rows for name in row.docs or ()]),
        ids=segment_ids(docs),
        langpair=pair,
        layers=_domains(documents, rows),
        notes=notes,
    )
    yield from whole.chunks(size)


def _referenced(
    path: str, documents: Sequence[Document], rows: Sequence[Testset]
) -> tuple[list[Document], list[Testset], tuple[Note, ...]]:
    """Return documents with a reference, or all of them if none has one."""
    kept = [k for k, row in enumerate(rows) if all(row.references)]
    left = len(rows) - len(kept)
    if not kept or not left:
        return list(documents), list(rows), ()
    note = without_reference(path, left)
    return [documents[k] for k in kept], [rows[k] for k in kept], (note,)


def without_reference(path: str, number: int) -> Note:
    """Return the note that documents without a reference are left out."""
    return Note("no-reference", {"path": display(path), "count": number})


def segment_ids(docs: Sequence[str]) -> list[str]:
    """Return the names of paragraphs, as those of WMT's human judgements.

    Examples
    --------
    >>> segment_ids(["a", "a", "b"])
    ['a:1', 'a:2', 'b:1']
    """
    counts: dict[str, int] = {}
    ids = []
    for doc in docs:
        counts[doc] = counts.get(doc, 0) + 1
        ids.append(f"{doc}:{counts[doc]}")
    return ids


def _joined(columns: Sequence[list[str] | None]) -> list[str] | None:
    """Return the texts of all documents, or None where one has none."""
    known = [column for column in columns if column is not None]
    if not known or len(known) < len(columns):
        return None
    return [text for column in known for text in column]


def _domains(
    documents: Sequence[Document], rows: Sequence[Testset]
) -> dict[str, list[str]]:
    if not any(document.row.get("domain") for document in documents):
        return {}
    domains = [str(document.row.get("domain") or "") for document in documents]
    pairs = zip(domains, rows, strict=True)
    return {"domain": [domain for domain, row in pairs for _ in row.references]}


def _system_names(
    path: str, documents: Sequence[Document], rows: Sequence[Testset]
) -> list[str]:
    names = list(dict.fromkeys(name for row in rows for name in row.systems))
    for document, row in zip(documents, rows, strict=True):
        for name in names:
            if name not in row.systems:
                what = (
                    f"document {document.name!r} has no output of {name!r}, "
                    "others have one; give it for every document or none"
                )
                raise FormatError(what, path=display(path), line=document.line)
    return names


def _segments(path: str, document: Document) -> Testset:
    """Return the paragraphs of one document of a test set."""
    texts: dict[tuple[str, str], list[str]] = {}
    if isinstance(source := document.row.get("src_text"), str):
        texts["source", "src_text"] = paragraphs(source)
    for name, ref in references_of(path, document).items():
        texts["reference", name] = paragraphs(ref)
    outputs = document.row.get("tgt_text")
    if isinstance(outputs, dict):
        for name, text in outputs.items():
            if isinstance(text, str):
                texts["system", name] = paragraphs(text)
    if isinstance(text := document.row.get("hypothesis"), str):
        texts["system", system_name(path)] = paragraphs(text)
    if not texts:
        what = f"document {document.name!r} has no text; give src_text"
        raise FormatError(what, path=display(path), line=document.line)
    (_, first), size = next((key, len(value)) for key, value in texts.items())
    for (_, name), parts in texts.items():
        if len(parts) != size:
            what = (
                f"document {document.name!r} has {count(size, 'paragraph')} in "
                f"{first} and {len(parts)} in {name}; {CURE}"
            )
            raise FormatError(what, path=display(path), line=document.line)
    refs = [value for (role, _), value in texts.items() if role == "reference"]
    return Testset(
        list(zip(*refs, strict=True)) if refs else [()] * size,
        {name: v for (role, name), v in texts.items() if role == "system"},
        sources=texts.get(("source", "src_text")),
        docs=[document.name] * size,
    )


def references_of(path: str, document: Document) -> dict[str, str]:
    """Return the references of a document by name; a list is numbered."""
    refs = document.row.get("refs") or {}
    if isinstance(refs, str):
        refs = [refs]
    if isinstance(refs, list):
        refs = {f"reference {k}": ref for k, ref in enumerate(refs, start=1)}
    result = {}
    for name, ref in refs.items() if isinstance(refs, dict) else [("refs", None)]:
        text = ref.get("ref") if isinstance(ref, dict) else ref
        if not isinstance(text, str):
            what = (
                f"{name!r} of document {document.name!r} is not a text; give "
                'refs as {"refA": {"ref": TEXT}}, {"refA": TEXT} or [TEXT]'
            )
            raise FormatError(what, path=display(path), line=document.line)
        result[name] = text
    return result


def _documents(path: str) -> list[Document]:
    result: list[Document] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip():
            continue
        row = json_object(line, path=path, number=number)
        name = row.get("doc_id")
        if not isinstance(name, str | int) or name == "":
            what = "no document id; add doc_id to every line"
            raise FormatError(what, path=display(path), line=number)
        if (first := seen.setdefault(str(name), number)) != number:
            what = (
                f"document {str(name)!r} is on line {first} already; keep one, or "
                "join them"
            )
            raise FormatError(what, path=display(path), line=number)
        result.append(Document(str(name), number, row))
    return result


def _short(pair: str) -> str:
    """Return a language pair without scripts and regions: eng-isl."""
    return "-".join(code.partition("_")[0] for code in pair.split("-"))


def chosen(
    path: str, langpair: str | None, *, only: bool = True
) -> tuple[list[Document], str | None]:
    """Return the documents of one language pair, and that pair.

    With `only`, there must be one pair in the end.
    """
    documents = _documents(path)
    if langpair is not None and any(document.pair() for document in documents):
        known = {pair for document in documents if (pair := document.pair())}
        wanted = {pair for pair in known if langpair in (pair, _short(pair))}
        if not wanted:
            raise _pairs(path, known, f"and none is {quote(langpair)}")
        documents = [document for document in documents if document.pair() in wanted]
    pairs = {pair for document in documents if (pair := document.pair())}
    if only and len(pairs) > 1:
        raise _pairs(path, pairs, "and a test set has one")
    return documents, _short(pairs.pop()) if len(pairs) == 1 else langpair


def _pairs(path: str, pairs: set[str], what: str) -> InputError:
    listed = ", ".join(sorted(pairs)[:8]) + (", ..." if len(pairs) > 8 else "")
    message = f"{display(path)} has the language pairs {listed}, {what}; choose one"
    return InputError(message, options=("langpair",))
