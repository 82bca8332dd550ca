# SPDX-License-Identifier: Apache-2.0
"""Appraise exports written again from judgements that were read from them.

Rows are as they were, byte for byte, in the order of their lines, earlier submissions
included. A judge, a system or a score that is another now is written; everything else
of a row stays. Error spans must be those that were read: what Appraise numbers are the
characters of a text that judgements do not have.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tertium.data.lines import write_lines
from tertium.errors import InputError
from tertium.judgements.formats.appraise_kept import checksum
from tertium.judgements.formats.appraise_rows import header_of, row_of, system_of
from tertium.judgements.formats.cells import cut, meta_of
from tertium.judgements.judgement import NO_ERROR, Rating, Span
from tertium.judgements.scales import CONTROL, DOCUMENT
from tertium.judgements.tables import Judgements

__all__ = ["write_appraise"]


class _Line(NamedTuple):
    """A row of an export, and the judgement that has it."""

    file: str
    number: int
    header: str | None
    text: str


#: Judge, system, segment and line.
_Key = tuple[object, ...]


def write_appraise(judgements: Judgements, path: str) -> None:
    """Write judgements as the exports that they were read from.

    Raises
    ------
    InputError
        When a judgement is not of such an export, or its spans were changed.
    """
    lines = sorted(_lines(judgements, path), key=lambda line: line[:2])
    headers = {line.header for line in lines}
    if len(headers) > 1:
        message = (
            f"cannot write {path}: these judgements are of exports with different "
            "columns; choose one campaign"
        )
        raise InputError(message, options=("only",))
    header = [each for each in headers if each is not None]
    write_lines(path, [*header, *(line.text for line in lines)])


def _lines(judgements: Judgements, path: str) -> Iterator[_Line]:
    files: dict[str, str] = {}
    marked = _marked(judgements)
    used: set[_Key] = set()
    for judgement in judgements.iterate():
        if not isinstance(judgement, (Rating, Span)):
            continue
        kept = meta_of(judgement.meta).get("appraise")
        if not isinstance(kept, dict):
            if isinstance(judgement, Span) and _key(judgement)[-1] is not None:
                continue  # It belongs to a row that another judgement has.
            message = (
                f"cannot write {path}: segment {judgement.segment!r} of "
                f"{judgement.system!r} was not read from an Appraise export, or from "
                "one with other columns such as e-mail; write tertium-jsonl"
            )
            raise InputError(message)
        key = _key(judgement, kept)
        used.add(key)
        name = str(kept["file"])
        # Files stay in the order in which they were read.
        file = files.setdefault(name, f"{len(files):09}")
        header = kept.get("header")
        row = str(kept["row"])
        _check_spans(judgement, kept, marked.get(key, []), path)
        for number, earlier in kept.get("before", []):
            yield _Line(file, number, header, _written(earlier, judgement, kept, None))
        score = judgement.score if isinstance(judgement, Rating) else None
        score = None if kept.get("unscored") else score
        yield _Line(file, kept["line"], header, _written(row, judgement, kept, score))
    for key in marked:
        if key not in used:
            message = (
                f"cannot write {path}: error spans of segment {key[2]!r} have no row "
                "without their rating; write both, or tertium-jsonl"
            )
            raise InputError(message)


def _marked(judgements: Judgements) -> dict[_Key, list[Span]]:
    """Return the spans of every row, in their order."""
    marked: dict[_Key, list[Span]] = {}
    for span in judgements.iterate("spans"):
        if isinstance(span, Span) and _key(span)[-1] is not None:
            marked.setdefault(_key(span), []).append(span)
    return marked


def _key(judgement: Rating | Span, kept: Mapping[str, object] | None = None) -> _Key:
    line = kept["line"] if kept else meta_of(judgement.meta).get("line")
    # Two rounds of a campaign may have equal lines; the spans of a row share its time.
    who = judgement.judge, judgement.system, judgement.segment
    return *who, judgement.time, line


def _check_spans(
    judgement: Rating | Span, kept: Mapping[str, object], spans: list[Span], path: str
) -> None:
    scale = judgement.scale if isinstance(judgement, Rating) else ""
    if scale.endswith((CONTROL, DOCUMENT)):
        return  # The spans of checks are metadata.
    errors = [
        (span.category, span.severity, span.start, span.end)
        for span in spans
        if span.severity.lower() not in NO_ERROR
    ]
    if checksum(errors) != kept.get("spans"):
        message = (
            f"cannot write {path}: the error spans of {judgement.system!r} on segment "
            f"{judgement.segment!r} are not those of {kept['file']}:{kept['line']}; "
            "write tertium-jsonl, or select judgements with all of their spans"
        )
        raise InputError(message)


def _written(
    row: str,
    judgement: Rating | Span,
    kept: Mapping[str, object],
    score: float | None,
) -> str:
    """Return a row with the judge, the system and the score that it has now."""
    text = kept.get("header")
    header = header_of(cut(str(text))) if text is not None else None
    cells = row_of(row, header)
    new = dict(cells)
    new["judge"] = judgement.judge or ""
    if system_of(cells["system"]) != judgement.system:
        new["system"] = judgement.system
    if score is not None and float(cells["score"]) != score:
        new["score"] = f"{score:.15g}"
    if new == cells:
        return row
    stream = io.StringIO()
    names = header or list(new)
    values = [
        new[name] if name else cell for name, cell in zip(names, cut(row), strict=True)
    ]
    csv.writer(stream, lineterminator="").writerow(values)
    return stream.getvalue()
