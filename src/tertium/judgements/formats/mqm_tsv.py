# SPDX-License-Identifier: Apache-2.0
"""Errors in the TSV of Google's MQM evaluations and its viewer.

``system doc doc_id seg_id rater source target category severity [metadata]``, one row
an error; ``<v>`` and ``</v>`` enclose it in source or target. Newer files call two
columns ``docSegId`` and ``globalSegId``; the last column may be a note. A segment
without an error has one row ``No-error``. Rows of severity ``HOTW-test`` tell whether
the rater found an error that was put in to check attention; they are set aside. The
first files quote cells with a quotation mark in them, the others quote nothing.

The clean texts are kept as metadata, so that the table can be written again; so is, by
the first error, a header other than that of newer files.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from tertium.data.formats.comma import cut_row, is_csv, read_table, write_table
from tertium.data.lines import display
from tertium.errors import FormatError, InputError
from tertium.judgements.formats.cells import epoch, from_json, meta_of
from tertium.judgements.formats.format import (
    Format,
    ImportOptions,
    Numbered,
    unnumbered,
)
from tertium.judgements.formats.names import file_langpair
from tertium.judgements.formats.values import NothingRanked, bad
from tertium.judgements.judgement import Bad, Span
from tertium.judgements.tables import Judgements

if TYPE_CHECKING:
    from tertium.data.testset import Testset

__all__ = ["MQM", "write_mqm"]

_NAMES = {
    "system": "system", "doc": "doc", "doc_id": "place", "docsegid": "place",
    "seg_id": "segment", "globalsegid": "segment", "rater": "rater",
    "source": "source", "target": "target", "category": "category",
    "severity": "severity", "metadata": "metadata", "comment": "note", "note": "note",
}  # fmt: skip
_ORDER = [
    "system", "doc", "place", "segment", "rater", "source", "target", "category",
    "severity",
]  # fmt: skip
_HEAD = (
    "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity"
    "\tmetadata"
)
_NO_ERROR = "no-error"
_CHECK = "hotw-test"  # hands on the wheel (marot.js in google-research, 015dbd9)
_OPEN, _CLOSE = "<v>", "</v>"
_TAG = re.compile(r"</?v>")
_PAIR = re.compile(r"_([a-z]{2})([a-z]{2})(?=[._]|$)")
_OWN = ("source", "target", "doc_seg", "more", "columns")


def _unquoted(cell: str) -> str:
    """Return a cell without the quotation marks that CSV puts around it.

    Only cells with such marks in them are quoted, so there are pairs inside.

    Examples
    --------
    >>> _unquoted('"He said ""no""."'), _unquoted('"No."')
    ('He said "no".', '"No."')
    """
    inner = cell[1:-1]
    if len(cell) < 4 or cell[0] != '"' or cell[-1] != '"' or '""' not in inner:
        return cell
    plain = inner.replace('""', "")
    return cell if '"' in plain else inner.replace('""', '"')


def _clean(text: str, side: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a text without tags, and where they were.

    Raises
    ------
    ValueError
        When tags do not match.
    """
    if "<" not in text:
        return text, []
    parts, spans, start, done = [], [], None, 0
    length = 0
    for tag in _TAG.finditer(text):
        part = text[done : tag.start()]
        parts.append(part)
        length += len(part)
        done = tag.end()
        if (tag[0] == _OPEN) == (start is not None):
            message = f"<v> and </v> do not match in the {side}"
            raise ValueError(message)
        if start is None:
            start = length
        else:
            spans.append((start, length))
            start = None
    if start is not None:
        message = f"<v> without </v> in the {side}"
        raise ValueError(message)
    return "".join(parts) + text[done:], spans


def _span(row: Mapping[str, str], options: ImportOptions) -> Span:
    """Return the error of a row, at the first place that it marks.

    A row is one error even where it marks several places: the others are kept as
    metadata, so that nobody counts them.
    """
    system, rater = row["system"], row["rater"]
    category, severity = row["category"], row["severity"]
    if not system:
        message = "no system"
        raise ValueError(message)
    if not rater and not category and not severity:
        message = "no rater: the row only carries metadata"
        raise NothingRanked(message)
    if not severity:
        message = "no severity"
        raise ValueError(message)
    if severity.lower() == _CHECK:
        message = f"an attention check ({category}), not an error"
        raise NothingRanked(message)
    segment = row["segment"]
    if segment in ("", "0"):  # The viewer writes 0 where the number is unknown.
        if not row["doc"] or not row["place"]:
            message = "no segment: neither its number nor document and place are known"
            raise ValueError(message)
        segment = f"{row['doc']}:{row['place']}"
    target, in_target = _clean(row["target"], "target")
    source, in_source = _clean(row["source"], "source")
    note, time = row.get("note", ""), None
    rest: dict[str, object] = {"source": source, "target": target}
    rest["doc_seg"] = row["place"]
    metadata = row.get("metadata", "")
    if metadata.startswith("{"):
        time = _metadata(metadata, rest)
    else:
        note = note or metadata
    if note:
        rest["note"] = note
    if severity.lower() == _NO_ERROR:
        category = severity = _NO_ERROR
    places = [("target", *at) for at in in_target]
    places += [("source", *at) for at in in_source]
    if len(places) > 1:
        rest["more"] = places[1:]
    side, start, end = places[0] if places else ("target", None, None)
    text = None
    if places:
        text = (target if side == "target" else source)[start:end]
    return Span(
        system,
        category,
        severity,
        segment,
        start,
        end,
        side,
        text,
        rater or None,
        row["doc"] or None,
        options.langpair,
        options.campaign,
        time,
        meta=json.dumps(rest, ensure_ascii=False),
    )


def _metadata(text: str, rest: dict[str, object]) -> datetime | None:
    """Add what metadata say to what is kept, and return their time."""
    content = from_json(text, "the metadata are")
    if not isinstance(content, dict):
        message = "the metadata are not a JSON object"
        raise ValueError(message)
    stamp = content.pop("timestamp", None)
    # Tokens and spans of tokens repeat the text; metric scores are not judgements.
    for name in ("segment", "source_spans", "target_spans", "marked_text"):
        content.pop(name, None)
    rest.update({name: value for name, value in content.items() if name not in rest})
    try:
        return epoch(repr(stamp / 1000)) if isinstance(stamp, (int, float)) else None
    except OverflowError:
        message = f"timestamp {stamp} is not a time"
        raise ValueError(message) from None


def _read(path: str, options: ImportOptions) -> Iterator[Numbered]:
    langpair = options.langpair or file_langpair(path)
    if langpair is None and (pair := _PAIR.search(os.path.basename(path))):
        langpair = f"{pair[1]}-{pair[2]}"
    options = options._replace(langpair=langpair)
    columns: list[str] | None = None
    head: list[str] | None = None
    for number, cells in read_table(path):
        line = "\t".join(cells)
        if columns is None:
            columns = _header(cells)
            if columns is not None:
                is_known = set(columns) <= set(_NAMES.values())
                head = cells if is_known and cells != _HEAD.split("\t") else None
                continue
            columns = [*_ORDER, "metadata"][: max(len(cells), len(_ORDER))]
        if not line.strip():
            continue
        if len(cells) == len(columns) - 1 and columns[-1] in ("metadata", "note"):
            cells = [*cells, ""]  # Some editors drop tabs at the end.
        if len(cells) != len(columns):
            reason = f"{len(cells)} fields where {len(columns)} are due"
            yield number, Bad(number, reason, line)
            continue
        row = dict(zip(columns, map(_unquoted, cells), strict=True))
        try:
            span = _span(row, options)
        except ValueError as error:
            yield number, bad(number, error, line)
            continue
        if head is not None:
            span = span._replace(
                meta=json.dumps(
                    {**meta_of(span.meta), "columns": head}, ensure_ascii=False
                )
            )
            head = None  # The first error keeps it.
        yield number, span
    if columns is None:
        raise FormatError("the file is empty; leave it out", path=display(path))


def _header(cells: Sequence[str]) -> list[str] | None:
    names = [_NAMES.get(cell.strip().lower(), cell) for cell in cells]
    return names if set(names) >= set(_ORDER) else None


def _fits(path: str, head: Sequence[str]) -> bool:
    if not head:
        return False
    cells = cut_row(head[0], path)
    if _header(cells):
        return True
    # Without a header: the numbers stand where they should, and a severity.
    return (
        len(cells) in (9, 10)
        and cells[2].isdecimal()
        and cells[3].isdecimal()
        and cells[8].lower() in (_NO_ERROR, "major", "minor", "neutral", "critical")
    )


def write_mqm(
    judgements: Judgements,
    path: str | os.PathLike[str],
    *,
    testset: Testset | None = None,
) -> None:
    """Write error spans as the TSV that MQM tools read.

    Parameters
    ----------
    judgements : Judgements
    path : path
    testset : Testset, optional
        The texts, where the judgements do not have them: those that were read from
        such a file do.

    Raises
    ------
    InputError
        When a text is not known, does not fit, or has a tab in it.
    """
    write_table(path, _rows(judgements, os.fspath(path), testset))


def _rows(
    judgements: Judgements, path: str, testset: Testset | None
) -> Iterator[list[str]]:
    names = testset.ids if testset is not None else None
    if testset is not None and names is None:
        names = [str(i) for i in range(1, len(testset) + 1)]
    places = {name: i for i, name in enumerate(names or ())}
    head = _kept_header(judgements)
    columns = _header(head) or []
    yield head
    for span in judgements.iterate("spans"):
        if not isinstance(span, Span):
            continue
        meta = meta_of(span.meta)
        texts = {side: meta.get(side) for side in ("source", "target")}
        at = places.get(span.segment)
        if testset is not None and at is not None:
            if span.system in testset.systems:
                texts["target"] = testset.systems[span.system][at]
            if testset.sources is not None:
                texts["source"] = testset.sources[at]
        target = texts["target"]
        if not isinstance(target, str):
            message = (
                f"cannot write {path}: the output of {span.system} for segment "
                f"{span.segment} is not known; give the test set, or write "
                "tertium-jsonl"
            )
            raise InputError(message)
        source = texts["source"]
        cells = _cells(span, meta, source if isinstance(source, str) else "", target)
        for cell in cells.values():
            if "\t" in cell and not is_csv(path):
                message = (
                    f"cannot write {path}: segment {span.segment} of {span.system} "
                    "has a tab in it; remove it, or write tertium-jsonl"
                )
                raise InputError(message)
        yield [cells[name] for name in columns]


def _kept_header(judgements: Judgements) -> list[str]:
    """Return the header as it was read, if it is one and has a place for everything."""
    heads: set[tuple[str, ...]] = set()
    more: set[str] = set()
    for span in judgements.iterate("spans"):
        if isinstance(span, Span):
            meta = meta_of(span.meta)
            if isinstance(kept := meta.get("columns"), list):
                heads.add(tuple(map(str, kept)))
            more |= _rest(span, meta).keys()
    usual = _HEAD.split("\t")
    if len(heads) != 1:
        return usual
    (head,) = heads
    columns = _header(head)
    if columns is None or ("metadata" not in columns and more - set(columns)):
        return usual
    return list(head)


def _rest(span: Span, meta: Mapping[str, object]) -> dict[str, object]:
    """Return what goes into the last column."""
    rest = {name: value for name, value in meta.items() if name not in _OWN}
    if span.time is not None:
        moment = span.time.replace(tzinfo=timezone.utc)
        rest["timestamp"] = round(moment.timestamp() * 1000)
    return rest


def _cells(
    span: Span, meta: Mapping[str, object], source: str, target: str
) -> dict[str, str]:
    places: dict[str, list[tuple[int, int]]] = {"source": [], "target": []}
    if span.start is not None and span.end is not None:
        places[span.side].append((span.start, span.end))
    more = meta.get("more")
    for side, start, end in more if isinstance(more, list) else ():
        places[side].append((start, end))
    try:
        source = _marked(source, places["source"])
        target = _marked(target, places["target"])
    except ValueError as error:
        message = f"segment {span.segment} of {span.system}: {error}"
        raise InputError(message) from None
    is_error = span.severity.lower() != _NO_ERROR
    document, place = span.document or "", str(meta.get("doc_seg", ""))
    is_numbered = span.segment != f"{document}:{place}"
    return {
        "system": span.system,
        "doc": document,
        "place": place,
        "segment": span.segment if is_numbered else "0",
        "rater": span.judge or "",
        "source": _quoted(source),
        "target": _quoted(target),
        "category": span.category if is_error else "No-error",
        "severity": span.severity if is_error else "No-error",
        "metadata": json.dumps(_rest(span, meta), ensure_ascii=False),
        "note": str(meta.get("note", "")),
    }


def _marked(text: str, places: list[tuple[int, int]]) -> str:
    """Return a text with tags around places that do not overlap.

    Raises
    ------
    ValueError
        When there are no such places.
    """
    if _TAG.search(text):
        message = "the text itself has <v> in it; write tertium-jsonl"
        raise ValueError(message)
    parts, done = [], 0
    for start, end in sorted(places):
        if not done <= start <= end <= len(text):
            message = (
                f"an error at {start} to {end} lies outside the text of {len(text)}, "
                "or in another error; check the test set"
            )
            raise ValueError(message)
        parts += [text[done:start], _OPEN, text[start:end], _CLOSE]
        done = end
    return "".join(parts) + text[done:]


def _quoted(text: str) -> str:
    """Quote a text that would be taken for a quoted one."""
    return text if _unquoted(text) == text else '"' + text.replace('"', '""') + '"'


def _write(judgements: Judgements, path: str) -> None:
    write_mqm(judgements, path)


MQM = Format(
    "mqm-tsv",
    _fits,
    unnumbered(_read),
    _write,
    numbered=_read,
    kinds=("spans",),
    loses=("langpair", "campaign", "duration", "loose text", "loose meta"),
)
