# SPDX-License-Identifier: Apache-2.0
"""Texts in lines and documents, as they come from systems.

Plain text and SGML; and JSON lines with one document each, as WMT25 and WMT26 systems
are published: ``{"doc_id": "...", "hypothesis": "..."}``, with line ends inside texts
(carriage returns and the line ends of Unicode too). The tags ``<p>`` and ``<br>`` end a
line there, and are dropped.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from tertium._messages import quote
from tertium.data.formats import format_of
from tertium.data.lines import StrPath, display, open_lines
from tertium.data.segmentation.units import LINE_ENDS
from tertium.errors import FormatError, InputError

__all__ = ["DocumentLines", "read_documents"]

_IDS = ("doc_id", "document_id", "docid", "doc", "id")
_TEXTS = (
    *("hypothesis", "translation", "output", "reference", "ref", "target"),
    *("tgt_text", "tgt", "text"),
)
_LINE_END = re.compile(rf"[{LINE_ENDS}]|</?p(?:\s[^<>]*)?>|<br\s*/?>", re.IGNORECASE)


@dataclass(frozen=True)
class DocumentLines:
    """The lines of a text.

    Parameters
    ----------
    path : str
    lines : list of str
        Of JSON lines, without blank ones; a document without text has one empty line.
    docs : list of str, optional
        The document of every line, where the file says it.
    """

    path: str
    lines: list[str]
    docs: list[str] | None = None


def read_documents(path: StrPath, *, text_key: str | None = None) -> DocumentLines:
    r"""Return the lines of a file, with their documents where it names them.

    Parameters
    ----------
    path : path
        Plain text, SGML (``.sgm``), or JSON lines with one document each (``.jsonl``);
        may be compressed. ``-`` is standard input, plain text.
    text_key : str, optional
        The key of the text in JSON lines; by default the first of ``hypothesis``,
        ``translation``, ``output``, ``reference``, ``ref``, ``target``, ``tgt_text``,
        ``tgt`` and ``text`` that is there. Ignored for other files.

    Raises
    ------
    FormatError
        If a line has no document id or no text, or an id occurs twice.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "A.jsonl")
    ...     size = file.write_text('{"doc_id": "x", "hypothesis": "One.\\n\\nTwo."}\n')
    ...     text = read_documents(file)
    >>> text.lines, text.docs
    (['One.', 'Two.'], ['x', 'x'])
    """
    name = os.fspath(path)
    kind = format_of(name) or "plain"
    if kind == "jsonl":
        return _read_json(name, text_key)
    if kind == "plain":
        return DocumentLines(name, list(open_lines(name)))
    if kind == "sgml":
        from tertium.data.reading import read

        testset = read(systems={"text": name})
        return DocumentLines(name, testset.systems["text"], testset.docs)
    raise InputError(
        f"{display(name)}: a {kind} file holds a whole test set, not one text; give "
        "plain text, SGML, or JSON lines with one document each"
    )


def _read_json(path: str, text_key: str | None) -> DocumentLines:
    from tertium.data.formats.jsonl import json_object

    lines: list[str] = []
    docs: list[str] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip():
            continue
        row = json_object(line, path=display(path), number=number)
        doc = next((row[key] for key in _IDS if key in row), None)
        if not isinstance(doc, str | int):
            what = "no document id; add doc_id to every line"
            raise FormatError(what, path=display(path), line=number)
        name = str(doc)
        if (first := seen.setdefault(name, number)) != number:
            what = (
                f"document {quote(name)} is on line {first} already; keep one, or join "
                "them"
            )
            raise FormatError(what, path=display(path), line=number)
        keys = _TEXTS if text_key is None else (text_key,)
        key = next((key for key in keys if isinstance(row.get(key), str)), None)
        if key is None:
            others = ", ".join(sorted(set(row) - set(_IDS))) or "no other keys"
            what = (
                f"no text under {' or '.join(keys)} (there are {others}); rename its "
                "key to hypothesis, or name it: `tertium resegment --text-key KEY`, "
                "text_key in Python"
            )
            raise InputError(f"{display(path)}:{number}: {what}")
        text = str(row[key])
        parts = [part for part in _LINE_END.split(text) if part.strip()] or [""]
        lines += parts
        docs += [name] * len(parts)
    return DocumentLines(path, lines, docs)
