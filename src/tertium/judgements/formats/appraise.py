# SPDX-License-Identifier: Apache-2.0
"""What Appraise exports, with or without error spans.

The CSV of ``ExportSystemScoresToCSV`` has no header. Its columns are user, system,
item, type of item, source language, target language, score, then

- start and end (tasks of single segments);
- document, whether the score is that of the document, start, end (WMT 2020 to 2023);
- document, whether of the document, error spans as JSON, start, end (from 2024);

and perhaps two more, batch and item; where outputs stand side by side, a third has the
place of the output (``get_system_data`` of Appraise, commits 054e27c and 526e8c8).
Columns are found by name where there is a header. WMT 2024 also published its error
span annotations as JSON lines (``line_id``, ``esa_spans``, ``esa_score`` ...). Appraise
itself exports other JSON lines, with texts (see
:mod:`tertium.judgements.formats.appraise_lines`).

Only items of type ``TGT`` are about systems. Those that check the judge (``BAD``,
``REF``, ``CHK``, tutorials, documents that were shown in part) go to a scale of their
own, ``DA-control`` or ``ESA-control``, with their spans in the metadata; scores of
documents go to ``DA-document``, with the document as segment. Campaigns that ask for
MQM export no scores: they give spans, and checks on the scale ``MQM-control`` with the
cost of their errors below zero. Where every row is said to be about a document, and a
document has several, the rows are about segments: pages for ESA ignore the column, and
WMT 2025 set it for all items (``01-prepare_waves.py`` of wmt25-general-mt, 00de451).

Rows are kept as metadata, and written again as they were (see
:mod:`tertium.judgements.formats.appraise_kept`).

Segments are document and position, or, where items are numbered as the test set is,
the item number (see :mod:`tertium.judgements.formats.appraise_items`). WMT 2024 counts
lines from 0. The JSON lines do, too; there one is added.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple, TypeAlias

from tertium.data.lines import open_lines
from tertium.judgements.formats.appraise_batches import Key, Shown, read_batches
from tertium.judgements.formats.appraise_items import Survey, survey
from tertium.judgements.formats.appraise_kept import RawRows, prefilled
from tertium.judgements.formats.appraise_lines import is_export, rows_of_line
from tertium.judgements.formats.appraise_marks import row_marks, shown_marks
from tertium.judgements.formats.appraise_rows import (
    TYPES,
    Document,
    Row,
    document,
    header_of,
    langpair,
    row_of,
    system_of,
)
from tertium.judgements.formats.appraise_writing import write_appraise
from tertium.judgements.formats.cells import (
    cut,
    epoch,
    from_json,
    meta_of,
    score,
    sizes,
    to_meta,
)
from tertium.judgements.formats.format import Format, ImportOptions
from tertium.judgements.formats.marks import Mark, as_json
from tertium.judgements.formats.names import file_langpair
from tertium.judgements.formats.values import NothingRanked, bad
from tertium.judgements.judgement import Bad, Judgement, Rating, Span
from tertium.judgements.scales import CONTROL, DOCUMENT

__all__ = ["APPRAISE", "ESA", "error_spans"]

_ESA = {"esa_score", "esa_spans", "line_id", "system", "tgt"}


@dataclass(frozen=True)
class _Export:
    """An export, as its rows need to know it."""

    options: ImportOptions
    scale: str
    whole: Survey
    spans: bool  # whether an output without errors has a span that says so
    raw: RawRows | None  # unless it may tell who people are
    batches: _Batches | None = None

    @property
    def has_lines(self) -> bool:
        """Whether batches tell the lines of the test set."""
        return self.batches is not None and self.batches.has_lines

    def shown(self, row: Row) -> Shown | None:
        """Return what the judge of a row was shown, if batches tell it."""
        if self.batches is None:
            return None
        item = self.batches.shown.get((row["judge"], _key(row)))
        if item is None:
            where = row.get("document") or "without a name"
            message = f"item {row['item']} of document {where} is not in the batches"
            raise ValueError(message)
        return item


class _Batches(NamedTuple):
    """What judges were shown, by judge and key, and whether lines are known."""

    shown: Mapping[tuple[str, Key], Shown]
    has_lines: bool


def _judgements(line: int, row: Row, export: _Export) -> Iterator[Judgement]:
    """Yield the rating of a row, then its spans; or raise a ValueError."""
    for needed in ("system", "item"):
        if not row[needed]:
            message = f"no {needed}"
            raise ValueError(message)
    value = score(row["score"])
    if value < 0:
        message = f"score {row['score']} says that nobody judged"
        raise NothingRanked(message)
    if row["type"] not in TYPES:
        message = f"type of item {row['type']!r} is none of {', '.join(TYPES)}"
        raise ValueError(message)
    if line in export.whole.replaced:
        message = f"submitted again in line {export.whole.replaced[line]}"
        raise NothingRanked(message)
    rating, errors = _rating(line, row, value, export)
    is_scored = export.whole.is_scored
    item = export.shown(row)
    filled = prefilled(row.get("spans", ""), None if item is None else item.spans)
    first = {
        "prefilled": filled.numbers or None,
        "appraise": export.raw
        and export.raw.kept(line, [mark[:4] for mark in errors], is_scored=is_scored),
    }
    whole = rating._replace(meta=to_meta(meta_of(rating.meta) | first))
    check = rating.scale.endswith(CONTROL)
    if is_scored:
        yield whole
    elif check:
        yield whole._replace(score=0.0 - _cost(errors))
    if check or rating.scale.endswith(DOCUMENT):
        return
    duration = None if is_scored else rating.duration
    known = meta_of(rating.meta)
    size = {key: known.get(key) for key in ("length", "words")}
    rest = {"mark": "#".join(_place(row).marks), **size, "line": line}
    spans = error_spans(rating, errors, none=export.spans or not is_scored)
    for number, span in enumerate(spans):
        meta = rest | {"prefilled": (filled.marks[number:] or [""])[0]}
        if number == 0 and not is_scored:
            meta |= {key: value for key, value in first.items() if value}
        yield span._replace(duration=duration, meta=to_meta(meta))


def _rating(
    line: int, row: Row, value: float, export: _Export
) -> tuple[Rating, list[Mark]]:
    """Return a row as a rating, and the errors that were marked."""
    options = export.options
    place = _place(row)
    check = place.check(row["type"])
    whole = row.get("whole", "") == "True"
    segment = export.whole.segments.get(line, row["item"])
    item = export.shown(row)
    text = None if item is None else item.text
    if item is not None and item.line is not None and export.has_lines:
        segment = str(item.line)
    errors = row_marks(row.get("spans", ""), text)
    start, end = epoch(row.get("start", "")), epoch(row.get("end", ""))
    rest: dict[str, object] = {"item": check, "mark": "#".join(place.marks)}
    if rest["item"] == rest["mark"]:
        del rest["mark"]
    rest |= sizes(text)
    if check and errors:
        rest["spans"] = as_json(errors)
    if export.whole.seconds is not None and start and end and end > start:
        rest["active_seconds"] = round((end - start).total_seconds(), 3)
    ending = CONTROL if check else DOCUMENT if whole else ""
    rating = Rating(
        system_of(row["system"]),
        value,
        f"{export.scale}{ending}",
        place.name if whole and place.name else segment,
        row["judge"] or None,
        place.name or None,
        options.langpair or langpair(row),
        options.campaign or row.get("campaign") or None,
        end or start,
        _duration(line, row, export),
        to_meta(rest),
    )
    return rating, errors


def _place(row: Row) -> Document:
    system = row["system"]
    return document(row.get("document", ""), system_of(system), system)


def _key(row: Row) -> Key:
    return row.get("document", ""), row["item"], row["system"]


def _duration(line: int, row: Row, export: _Export) -> float | None:
    if export.whole.seconds is not None:
        return export.whole.seconds.get(line)
    start, end = epoch(row.get("start", "")), epoch(row.get("end", ""))
    if start is None or end is None:
        return None
    lasted = (end - start).total_seconds()
    return lasted if lasted >= 0 else None  # Somebody's clock may have been set back.


def _cost(errors: Sequence[Mark]) -> float:
    from tertium.judgements.ranking.ratings import MqmWeights

    weights = MqmWeights()
    return sum(weights.cost(mark.category, mark.severity) for mark in errors)


def error_spans(
    rating: Rating, errors: Sequence[Mark], *, none: bool
) -> Iterator[Span]:
    """Yield the errors of a rated output, or, if `none`, that there are none."""
    if not errors and none:
        errors = [Mark("no-error", "no-error", None, None, None)]
    for category, severity, start, end, text in errors:
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


_Read: TypeAlias = "list[tuple[int, str, Row | ValueError]]"


def _rows(lines: Iterable[str]) -> tuple[list[str] | None, str | None, _Read]:
    """Return the columns of the header, its line, and the rows with their lines."""
    header: list[str] | None = None
    head: str | None = None
    read: _Read = []
    first = True
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            if first:
                first = False
                header = header_of(cut(line))
                if header:
                    head = line
                    continue
            read.append((number, line, row_of(line, header)))
        except ValueError as error:
            read.append((number, line, error))
    return header, head, read


def _is_never_whole(rows: Sequence[Row]) -> bool:
    """Return whether rows that are all said to be about documents are not."""
    rows = [row for row in rows if not _place(row).is_tutorial]
    if not all(row.get("whole") == "True" for row in rows):
        return False
    items: dict[tuple[str, ...], set[str]] = {}
    for row in rows:
        key = (row["judge"], row.get("batch", ""), row["document"], row["system"])
        items.setdefault(key, set()).add(row["item"])
    return any(len(several) > 1 for several in items.values())


def _read_csv(
    path: str, lines: Iterable[str], options: ImportOptions, scale: str, *, spans: bool
) -> Iterator[Judgement | Bad]:
    """Yield the judgements of an export; all of it is read first (see `survey`)."""
    header, head, read = _rows(lines)
    raw = {number: line for number, line, _ in read}
    kept = (raw, head) if header is None or all(header) else None
    yield from _read_rows(path, read, options, scale, spans=spans, kept=kept)


def _read_export(
    path: str, lines: Iterable[str], options: ImportOptions
) -> Iterator[Judgement | Bad]:
    """Yield the judgements of an export in JSON lines, with the texts of outputs."""
    read: _Read = []
    places: dict[int, int] = {}  # the line of every row
    texts: dict[tuple[str, Key], Shown] = {}
    for number, line in enumerate(lines, start=1):
        rows: list[tuple[Row, str]] = []
        try:
            rows = rows_of_line(line) if line.strip() else []
        except ValueError as error:
            places[len(places) + 1] = number
            read.append((len(places), line, error))
        for row, text in rows:
            places[len(places) + 1] = number
            read.append((len(places), line, row))
            texts[row["judge"], _key(row)] = Shown(text, None)
    options = options._replace(batches=None)
    scale = options.scale or "ESA"
    for one in _read_rows(path, read, options, scale, spans=True, texts=texts):
        yield one._replace(line=places[one.line]) if isinstance(one, Bad) else one


def _read_rows(
    path: str,
    read: _Read,
    options: ImportOptions,
    scale: str,
    *,
    spans: bool,
    kept: tuple[Mapping[int, str], str | None] | None = None,
    texts: Mapping[tuple[str, Key], Shown] | None = None,
) -> Iterator[Judgement | Bad]:
    """Yield the judgements of rows.

    Parameters
    ----------
    kept : tuple, optional
        The rows as they were, by line, and the header, where they may be kept.
    texts : mapping, optional
        What judges were shown, where the export itself tells it.
    """
    if _is_never_whole([row for *_, row in read if not isinstance(row, ValueError)]):
        read = [
            (n, line, row if isinstance(row, ValueError) else {**row, "whole": "False"})
            for n, line, row in read
        ]
    known = [
        (number, row) for number, _, row in read if not isinstance(row, ValueError)
    ]
    whole = survey(known)
    if not whole.is_scored and options.scale is None:
        scale = "MQM"
    batches = None if texts is None else _Batches(texts, has_lines=False)
    if options.batches is not None:
        every = read_batches(options.batches)
        shown = every.shown([(row["judge"], _key(row)) for _, row in known])
        batches = _Batches(shown, every.has_lines)
    raw = None if kept is None else RawRows(path, *kept, whole.replaced)
    export = _Export(options, scale, whole, spans, raw, batches)
    # Rows without languages have those of the file's name.
    fallback = options._replace(langpair=options.langpair or file_langpair(path))
    for number, line, row in read:
        try:
            if isinstance(row, ValueError):
                raise row
            part = export if row.get("source") else replace(export, options=fallback)
            yield from list(_judgements(number, row, part))
        except ValueError as error:
            yield bad(number, error, line)


def _read_jsonl(
    lines: Iterable[str], options: ImportOptions
) -> Iterator[Judgement | Bad]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield from list(_esa_judgements(from_json(line, "this is"), options))
        except ValueError as error:
            yield bad(number, error, line)


def _esa_judgements(row: object, options: ImportOptions) -> Iterator[Judgement]:
    if not isinstance(row, dict) or not row.keys() >= _ESA:
        message = f"no JSON object with {', '.join(sorted(_ESA))}"
        raise ValueError(message)
    line = row["line_id"]
    if not isinstance(line, int):
        message = f"line_id {line!r} is not a number"
        raise ValueError(message)
    place = document(str(row.get("doc_id") or ""))
    check = place.check("TGT")
    text = str(row["tgt"])
    errors = shown_marks(row["esa_spans"], text)
    rating = Rating(
        str(row["system"]),
        score(str(row["esa_score"])),
        (options.scale or "ESA") + (CONTROL if check else ""),
        str(line + 1),
        str(row["annotator"]) if row.get("annotator") else None,
        place.name or None,
        options.langpair or (str(row["langs"]) if row.get("langs") else None),
        options.campaign,
        meta=to_meta({"item": check, "domain": row.get("domain"), **sizes(text)}),
    )
    yield rating
    if not check:
        size = to_meta(sizes(text))
        for span in error_spans(rating, errors, none=True):
            yield span._replace(meta=size)


def _read_appraise(path: str, options: ImportOptions) -> Iterator[Judgement | Bad]:
    return _read_csv(
        path, open_lines(path), options, options.scale or "DA", spans=False
    )


def _read_esa(path: str, options: ImportOptions) -> Iterator[Judgement | Bad]:
    lines = open_lines(path)
    first = next(lines, "")
    lines = chain([first], lines)
    if is_export(first):
        return _read_export(path, lines, options)
    if first.startswith("{"):
        return _read_jsonl(lines, options)
    return _read_csv(path, lines, options, options.scale or "ESA", spans=True)


def _first(head: Sequence[str]) -> Row | None:
    """Return the first row of data, with nothing in it if there is only a header."""
    try:
        header = header_of(cut(head[0])) if head else None
        if header is None:
            return row_of(head[0], None) if head else None
        return row_of(head[1], header) if len(head) > 1 else dict.fromkeys(header, "")
    except ValueError:
        return None


def _fits_appraise(path: str, head: Sequence[str]) -> bool:  # noqa: ARG001
    row = _first(head)
    return row is not None and (row["type"] in TYPES or not any(row.values()))


def _fits_esa(path: str, head: Sequence[str]) -> bool:
    if head and head[0].startswith("{"):
        return '"esa_spans"' in head[0] or is_export(head[0])
    row = _first(head) if _fits_appraise(path, head) else None
    return row is not None and row.get("spans", "").startswith(("[", "{"))


APPRAISE = Format(
    "appraise",
    _fits_appraise,
    _read_appraise,
    write_appraise,
    kinds=("ratings", "spans"),
)
ESA = Format(
    "esa",
    _fits_esa,
    _read_esa,
    write_appraise,
    kinds=("ratings", "spans"),
)
