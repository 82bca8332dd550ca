# SPDX-License-Identifier: Apache-2.0
"""Rows of Appraise exports: columns by name, and the names that cells hold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from tertium.judgements.formats.cells import cut
from tertium.judgements.formats.names import language, system_name

__all__ = ["TYPES", "Document", "Row", "document", "header_of", "langpair", "row_of"]

_START = ["judge", "system", "item", "type", "source", "target", "score"]
_DOCUMENT = ["document", "whole"]
_TIMES = ["start", "end"]
_BATCH = ["batch", "number"]
_PLACE = ["place"]  # of an output among those side by side
#: By the number of columns, with and without those on the document.
_LAYOUTS = {
    (9, False): _START + _TIMES,
    (11, False): _START + _TIMES + _BATCH,
    (11, True): _START + _DOCUMENT + _TIMES,
    (12, True): [*_START, *_DOCUMENT, "spans", *_TIMES],
    (13, True): _START + _DOCUMENT + _TIMES + _BATCH,
    (14, True): [*_START, *_DOCUMENT, "spans", *_TIMES, *_BATCH],
    (15, True): [*_START, *_DOCUMENT, "spans", *_TIMES, *_BATCH, *_PLACE],
}
#: Pairs of outputs with batches, before their spans were exported.
_PAIRS = _START + _DOCUMENT + _TIMES + _BATCH + _PLACE
_SPANS = ("[", "{", "None")
_NAMES = {
    "username": "judge", "user": "judge", "login": "judge", "annotator": "judge",
    "system": "system", "systemid": "system", "itemid": "item", "segmentid": "item",
    "itemtype": "type", "type": "type", "srclang": "source", "trglang": "target",
    "tgtlang": "target", "score": "score", "docid": "document",
    "documentid": "document", "isdocscore": "whole", "isdoc": "whole",
    "iscompletedocument": "whole", "mqm": "spans", "spans": "spans",
    "errorspans": "spans", "timestart": "start", "starttime": "start",
    "start": "start", "timeend": "end", "endtime": "end", "end": "end",
    "campaignname": "campaign",
}  # fmt: skip
_NEEDED = {"judge", "system", "item", "type", "score"}
TYPES = ("TGT", "BAD", "REF", "CHK")
_FILE = re.compile(
    r"^\w+\d{4}\.[a-z]{2,3}-[a-z]{2,3}\.(?:hyp|ref)\.(.+?)\.[a-z]{2,3}(?:\.txt)?$"
)
_YEAR = re.compile(r"^wmt\d\d\.")
_REPEATED = "dup"
_MARKS = ("bad", _REPEATED, "incomplete")
_CODES = {
    "bul": "bg", "hrv": "hr", "isl": "is", "jpn": "ja", "kaz": "kk", "kor": "ko",
    "lit": "lt", "pol": "pl", "plk": "pl", "ukr": "uk", "heb": "he", "guj": "gu",
    "tam": "ta", "pus": "ps", "iku": "iu", "khm": "km", "ben": "bn", "xho": "xh",
    "zul": "zu", "hau": "ha", "arz": "ar", "ara": "ar", "ita": "it", "por": "pt",
    "nld": "nl", "swe": "sv", "hye": "hy", "bel": "be", "mkd": "mk", "tha": "th",
}  # fmt: skip

Row: TypeAlias = Mapping[str, str]


class Document(NamedTuple):
    """A document as Appraise names it: ``news.12#SYSTEM#bad2#duplicate1``.

    Parameters
    ----------
    name : str
        Without system and marks.
    marks : tuple of str
        What sets it apart from the document itself, such as ``bad2``.
    is_tutorial : bool
    """

    name: str
    marks: tuple[str, ...]
    is_tutorial: bool

    def check(self, kind: str) -> str:
        """Return which check of the judge an item of this document is; empty if none.

        A document that is merely shown again (``#duplicate1``, to fill a batch) holds
        judgements like any other.
        """
        if self.is_tutorial:
            return "tutorial"
        marks = [mark for mark in self.marks if not mark.startswith(_REPEATED)]
        return "#".join(marks) if kind == "TGT" else kind


def system_of(text: str) -> str:
    """Return the name of a system without test set, language pair and file type.

    Examples
    --------
    >>> system_of("generaltest2022.en-liv.hyp.TartuNLP.liv.txt")
    'TartuNLP'
    >>> system_of("wmt23.AIRC")
    'AIRC'
    """
    match = _FILE.match(text)
    return match[1] if match else system_name(_YEAR.sub("", text))


def document(text: str, *systems: str) -> Document:
    """Return what the name of a document says.

    Examples
    --------
    >>> document("news.12#AIRC#bad2", "AIRC")
    Document(name='news.12', marks=('bad2',), is_tutorial=False)
    """
    name, *rest = text.split("#")
    marks = tuple(part for part in rest if part.startswith(_MARKS))
    kept = [part for part in rest if part not in marks and part not in systems]
    return Document("#".join([name, *kept]), marks, "-tutorial" in text)


def langpair(row: Row) -> str | None:
    """Return the language pair of a row, if it names both languages."""
    codes = [row.get("source", ""), row.get("target", "")]
    pair = "-".join(_CODES.get(code.lower(), language(code)) for code in codes)
    return pair if all(codes) else None


def header_of(cells: Sequence[str]) -> list[str] | None:
    """Return the columns that a header names, if it is one."""
    names = [cell.strip().lower().replace("_", "") for cell in cells]
    columns = [_NAMES.get(name, "") for name in names]
    return columns if set(columns) >= _NEEDED else None


def row_of(line: str, header: list[str] | None) -> Row:
    """Return the cells of a row by column.

    Raises
    ------
    ValueError
        When the number of cells is that of no known layout.
    """
    cells = None
    if header and header[-1] == "spans":
        # One of the exports does not quote its JSON, which comes last.
        cells = line.split(",", len(header) - 1)
    if cells is None or not cells[-1].startswith("["):
        cells = cut(line)
    columns = header or _columns(cells)
    if columns is None or len(columns) != len(cells):
        message = f"{len(cells)} fields, which is not a known layout of Appraise"
        raise ValueError(message)
    return dict(zip(columns, cells, strict=True))


def _columns(cells: Sequence[str]) -> list[str] | None:
    """Return the columns of a row without a header, if they are known."""
    has_document = len(cells) > 8 and cells[8] in ("True", "False")
    is_pair = has_document and len(cells) == len(_PAIRS)
    if is_pair and cells[9] and not cells[9].startswith(_SPANS):
        return _PAIRS
    return _LAYOUTS.get((len(cells), has_document))
