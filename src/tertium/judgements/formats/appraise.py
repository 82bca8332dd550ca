# SPDX-License-Identifier: Apache-2.0
"""What Appraise exports, with or without error spans.

The CSV of ``ExportSystemScoresToCSV`` has no header. Its columns are user, system,
item, type of item, source language, target language, score, then

- start and end (tasks of single segments);
- document, whether the score is that of the document, start, end (WMT 2020 to 2023);
- document, whether of the document, error spans as JSON, start, end (from 2024);

and perhaps two more, batch and item. Columns are found by name where there is a
header. WMT 2024 also published its error span annotations as JSON lines
(``line_id``, ``esa_spans``, ``esa_score`` ...).

Only items of type ``TGT`` are about systems. Those that check the judge (``BAD``,
``REF``, ``CHK``, tutorials, documents that were shown twice or in part) go to a
scale of their own, ``DA-control`` or ``ESA-control``, with their spans in the
metadata; scores of documents go to ``DA-document``, with the document as segment.

Segments keep the number of the item. What it counts depends on the campaign: WMT 2024
counts lines from 0. The JSON lines do, too; there one is added.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from tertium.data.lines import open_lines
from tertium.judgements.formats.cells import cut, epoch, from_json, score, to_meta
from tertium.judgements.formats.format import Format, Given
from tertium.judgements.formats.marks import Mark, marks, shown
from tertium.judgements.formats.names import file_langpair, language, system_name
from tertium.judgements.formats.values import NothingRanked, bad
from tertium.judgements.records import Bad, Rating, Record, Span
from tertium.judgements.scales import CONTROL, DOCUMENT

__all__ = ["APPRAISE", "ESA"]

_START = ["judge", "system", "item", "type", "source", "target", "score"]
_DOCUMENT = ["document", "whole"]
_TIMES = ["start", "end"]
_BATCH = ["batch", "number"]
#: By the number of columns; with and without what is said of the document.
_LAYOUTS = {
    (9, False): _START + _TIMES,
    (11, False): _START + _TIMES + _BATCH,
    (11, True): _START + _DOCUMENT + _TIMES,
    (12, True): [*_START, *_DOCUMENT, "spans", *_TIMES],
    (13, True): _START + _DOCUMENT + _TIMES + _BATCH,
    (14, True): [*_START, *_DOCUMENT, "spans", *_TIMES, *_BATCH],
}
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
_ESA = {"esa_score", "esa_spans", "line_id", "system", "tgt"}
_NEEDED = {"judge", "system", "item", "type", "score"}
_TYPES = {"TGT", "BAD", "REF", "CHK"}
_FILE = re.compile(
    r"^\w+\d{4}\.[a-z]{2,3}-[a-z]{2,3}\.(?:hyp|ref)\.(.+?)\.[a-z]{2,3}(?:\.txt)?$"
)
_YEAR = re.compile(r"^wmt\d\d\.")
_MARKS = ("bad", "dup", "incomplete")
_CODES = {
    "bul": "bg", "hrv": "hr", "isl": "is", "jpn": "ja", "kaz": "kk", "kor": "ko",
    "lit": "lt", "pol": "pl", "plk": "pl", "ukr": "uk", "heb": "he", "guj": "gu",
    "tam": "ta", "pus": "ps", "iku": "iu", "khm": "km", "ben": "bn", "xho": "xh",
    "zul": "zu", "hau": "ha", "arz": "ar", "ara": "ar", "ita": "it", "por": "pt",
    "nld": "nl", "swe": "sv", "hye": "hy", "bel": "be", "mkd": "mk", "tha": "th",
}  # fmt: skip

Row = Mapping[str, str]


def _system(text: str) -> str:
    """Return the name of a system without test set, language pair and file type.

    Examples
    --------
    >>> _system("generaltest2022.en-liv.hyp.TartuNLP.liv.txt"), _system("wmt23.AIRC")
    ('TartuNLP', 'AIRC')
    """
    found = _FILE.match(text)
    return found[1] if found else system_name(_YEAR.sub("", text))


def _document(text: str, *systems: str) -> tuple[str, str]:
    """Return the name of a document, and what sets it apart from true ones.

    Examples
    --------
    >>> _document("news.12#AIRC#bad2", "AIRC"), _document("news.12")
    (('news.12', 'bad2'), ('news.12', ''))
    """
    name, *rest = text.split("#")
    special = [part for part in rest if part.startswith(_MARKS)]
    kept = [part for part in rest if part not in special and part not in systems]
    if "-tutorial" in text:
        special.append("tutorial")
    return "#".join([name, *kept]), "#".join(special)


def _records(row: Row, given: Given, scale: str, *, spans: bool) -> Iterator[Record]:
    """Yield the rating of a row, then its spans; or raise a ValueError."""
    for needed in ("system", "item"):
        if not row[needed]:
            message = f"no {needed}"
            raise ValueError(message)
    value = score(row["score"])
    if value < 0:
        message = f"score {row['score']} says that nobody judged"
        raise NothingRanked(message)
    kind = row["type"]
    if kind not in _TYPES:
        message = f"type of item {kind!r} is none of TGT, BAD, REF and CHK"
        raise ValueError(message)
    system = _system(row["system"])
    document, special = _document(row.get("document", ""), system, row["system"])
    control = special if kind == "TGT" else kind
    whole = row.get("whole", "") == "True"
    found = _marks(row.get("spans", ""))
    start, end = epoch(row.get("start", "")), epoch(row.get("end", ""))
    lasted = (end - start).total_seconds() if start and end else None
    codes = [row.get("source", ""), row.get("target", "")]
    pair = "-".join(_CODES.get(code.lower(), language(code)) for code in codes)
    rest = {"item": control, "mark": special if kind != "TGT" else ""}
    if control and found:
        rest["spans"] = shown(found)  # type: ignore[assignment]
    rating = Rating(
        system,
        value,
        scale + (CONTROL if control else DOCUMENT if whole else ""),
        document if whole and document else row["item"],
        row["judge"] or None,
        document or None,
        given.langpair or (pair if all(codes) else None),
        given.campaign or row.get("campaign") or None,
        end or start,
        # Somebody's clock may have been set back.
        lasted if lasted is not None and lasted >= 0 else None,
        to_meta(rest),
    )
    yield rating
    if not control and not whole:
        yield from span_records(rating, found, none=spans)


def span_records(
    rating: Rating, found: Sequence[Mark], *, none: bool
) -> Iterator[Span]:
    """Yield the errors of a rated output, or, if `none`, that there are none."""
    if not found and none:
        found = [Mark("no-error", "no-error", None, None, None)]
    for category, severity, start, end, text in found:
        yield Span(
            rating.system,
            category,
            severity,
            rating.segment,
            start,
            end,
            "target",
            text,
            rating.judge,
            rating.document,
            rating.langpair,
            rating.campaign,
            rating.time,
        )


def _marks(text: str) -> list[Mark]:
    if text in ("", "None", "[]"):
        return []
    spans = from_json(text, "the error spans are")
    if isinstance(spans, dict) and "payload" in spans:
        spans = spans["payload"]  # Tutorials say what is expected, too.
    return marks(spans)


def _columns(cells: Sequence[str]) -> list[str] | None:
    """Return the columns of a row without a header, if they are known."""
    said = len(cells) > 8 and cells[8] in ("True", "False")
    return _LAYOUTS.get((len(cells), said))


def _header(cells: Sequence[str]) -> list[str] | None:
    """Return the columns that a header names, if it is one."""
    names = [cell.strip().lower().replace("_", "") for cell in cells]
    found = [_NAMES.get(name, "") for name in names]
    return found if set(found) >= _NEEDED else None


def _read_csv(
    path: str, lines: Iterable[str], given: Given, scale: str, *, spans: bool
) -> Iterator[Record | Bad]:
    header: list[str] | None = None
    first = True
    fallback = file_langpair(path)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            if first:
                first = False
                header = _header(cut(line))
                if header:
                    continue
            row = _row(line, header)
            own = given
            if given.langpair is None and not row.get("source"):
                own = given._replace(langpair=fallback)
            yield from list(_records(row, own, scale, spans=spans))
        except ValueError as error:
            yield bad(number, error, line)


def _row(line: str, header: list[str] | None) -> Row:
    """Return the cells of a row by what they hold."""
    cells = None
    if header and header[-1] == "spans":
        # One of the exports does not quote its JSON, which comes last.
        cells = line.split(",", len(header) - 1)
    if cells is None or not cells[-1].startswith("["):
        cells = cut(line)
    columns = header or _columns(cells)
    if columns is None or len(columns) != len(cells):
        message = f"{len(cells)} fields, which is no known layout of Appraise"
        raise ValueError(message)
    return dict(zip(columns, cells, strict=True))


def _read_jsonl(lines: Iterable[str], given: Given) -> Iterator[Record | Bad]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield from list(_esa_records(from_json(line, "this is"), given))
        except ValueError as error:
            yield bad(number, error, line)


def _esa_records(row: object, given: Given) -> Iterator[Record]:
    if not isinstance(row, dict) or not row.keys() >= _ESA:
        message = f"no JSON object with {', '.join(sorted(_ESA))}"
        raise ValueError(message)
    line = row["line_id"]
    if not isinstance(line, int):
        message = f"line_id {line!r} is no number"
        raise ValueError(message)
    text = str(row["tgt"])
    document, special = _document(str(row.get("doc_id") or ""))
    found = marks(row["esa_spans"], text=text)
    rating = Rating(
        str(row["system"]),
        score(str(row["esa_score"])),
        (given.scale or "ESA") + (CONTROL if special else ""),
        str(line + 1),
        str(row["annotator"]) if row.get("annotator") else None,
        document or None,
        given.langpair or (str(row["langs"]) if row.get("langs") else None),
        given.campaign,
        meta=to_meta({"item": special, "domain": row.get("domain")}),
    )
    yield rating
    if not special:
        yield from span_records(rating, found, none=True)


def _read_appraise(path: str, given: Given) -> Iterator[Record | Bad]:
    return _read_csv(path, open_lines(path), given, given.scale or "DA", spans=False)


def _read_esa(path: str, given: Given) -> Iterator[Record | Bad]:
    lines = open_lines(path)
    first = next(lines, "")
    lines = chain([first], lines)
    if first.startswith("{"):
        return _read_jsonl(lines, given)
    return _read_csv(path, lines, given, given.scale or "ESA", spans=True)


def _first(head: Sequence[str]) -> Row | None:
    """Return the first row of data, with nothing in it if there is only a header."""
    try:
        header = _header(cut(head[0])) if head else None
        if header is None:
            return _row(head[0], None) if head else None
        return _row(head[1], header) if len(head) > 1 else dict.fromkeys(header, "")
    except ValueError:
        return None


def _fits_appraise(path: str, head: Sequence[str]) -> bool:  # noqa: ARG001
    row = _first(head)
    return row is not None and (row["type"] in _TYPES or not any(row.values()))


def _fits_esa(path: str, head: Sequence[str]) -> bool:
    if head and head[0].startswith("{"):
        return '"esa_spans"' in head[0]
    row = _first(head) if _fits_appraise(path, head) else None
    return row is not None and row.get("spans", "").startswith(("[", "{"))


APPRAISE = Format(
    "appraise",
    "CSV of Appraise: direct assessment, segments and documents (WMT 2020 to 2023)",
    _fits_appraise,
    _read_appraise,
    kinds=("ratings", "spans"),
)
ESA = Format(
    "esa",
    "error span annotations: CSV of Appraise, JSON lines of WMT 2024",
    _fits_esa,
    _read_esa,
    kinds=("ratings", "spans"),
)
