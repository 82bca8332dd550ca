# SPDX-License-Identifier: Apache-2.0
"""Ratings in a table with a header, with tabs or commas.

``system`` and ``segment`` must be there; ``judge``, ``document``, ``langpair``,
``campaign``, ``time`` and ``duration`` may be. The number is in ``score``, its scale in
``scale``; or every other column is a scale, as in ``adequacy`` and ``order``, and an
empty cell no rating. Beside ``score``, other columns are kept as metadata.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.data.formats.comma import separator_of
from tertium.data.lines import display, open_lines
from tertium.errors import FormatError, InputError
from tertium.judgements.formats.cells import NO_SCORE, cut, from_json, score, to_meta
from tertium.judgements.formats.exporting import write_rows
from tertium.judgements.formats.format import (
    Format,
    ImportOptions,
    Numbered,
    unnumbered,
)
from tertium.judgements.formats.names import file_langpair
from tertium.judgements.formats.values import NothingRanked, bad, moment, seconds
from tertium.judgements.judgement import Rating
from tertium.judgements.tables import Judgements

__all__ = ["LIKERT"]

_NAMES = {"seg": "segment", "lp": "langpair", "annotator": "judge", "rater": "judge"}
_HEAD = (
    "system", "segment", "judge", "score", "scale", "langpair", "document",
    "campaign", "time", "duration",
)  # fmt: skip
_KNOWN = {*_HEAD, "meta", "comment"}


def _columns(cells: Sequence[str]) -> list[str]:
    columns = []
    for cell in cells:
        name = cell.strip()
        lower = _NAMES.get(name.lower(), name.lower())
        columns.append(lower if lower in _KNOWN else name)
    return columns


def _separator(line: str) -> str:
    return "\t" if "\t" in line else separator_of(line)


def _read(path: str, options: ImportOptions) -> Iterator[Numbered]:
    lines = enumerate(open_lines(path), start=1)
    head = next(lines, (1, ""))[1]
    mark = _separator(head)
    columns = _header(head, mark)
    _check(columns, path)
    scales = [name for name in columns if name not in _KNOWN]
    pair = file_langpair(path)
    for number, line in lines:
        if not line.strip():
            continue
        try:
            cells = cut(line, mark)
            if len(cells) != len(columns):
                message = f"{len(cells)} fields where the header names {len(columns)}"
                raise ValueError(message)
            row = dict(zip(columns, cells, strict=True))
            for rating in _ratings(row, scales, options, pair):
                yield number, rating
        except ValueError as error:
            yield number, bad(number, error, line)


def _header(line: str, separator: str) -> list[str]:
    try:
        return _columns(cut(line, separator))
    except ValueError:
        return []


def _check(columns: Sequence[str], path: str) -> None:
    what = None
    if len(set(columns)) != len(columns):
        what = "two columns have the same name; rename one"
    elif not {"system", "segment"} <= set(columns):
        what = "no header with the columns system and segment; check the format"
    elif not set(columns) - _KNOWN and "score" not in columns:
        what = "no column of scores; call one score"
    if what:
        raise FormatError(what, path=display(path), line=1)


def _ratings(
    row: dict[str, str], scales: Sequence[str], options: ImportOptions, pair: str | None
) -> list[Rating]:
    if not row["system"] or not row["segment"]:
        message = "no system" if not row["system"] else "no segment"
        raise ValueError(message)
    rest: dict[str, object] = {"comment": row.get("comment", "")}
    if "score" in row:
        scale = row.get("scale") or options.scale or "score"
        values = {scale: row["score"]}
        rest |= {name: row[name] for name in scales}
    else:
        values = {name: row[name] for name in scales}
    scores = {
        name: score(text) for name, text in values.items() if text not in NO_SCORE
    }
    if not scores:
        message = "no score"
        raise NothingRanked(message)
    meta = row.get("meta", "")
    if meta:
        rest = _with(rest, meta)
    first = Rating(
        row["system"],
        0.0,
        "",
        row["segment"],
        row.get("judge") or None,
        row.get("document") or None,
        options.langpair or row.get("langpair") or pair,
        options.campaign or row.get("campaign") or None,
        moment(row.get("time", "")),
        seconds(row.get("duration", "")),
        to_meta(rest),
    )
    return [first._replace(score=value, scale=scale) for scale, value in scores.items()]


def _with(rest: dict[str, object], meta: str) -> dict[str, object]:
    content = from_json(meta, "meta is")
    if not isinstance(content, dict):
        message = "meta is not a JSON object"
        raise ValueError(message)
    return rest | content


def _fits(path: str, head: Sequence[str]) -> bool:  # noqa: ARG001
    if not head:
        return False
    mark = _separator(head[0])
    columns = set(_header(head[0], mark))
    if not {"system", "segment"} <= columns or "metric" in columns:
        return False
    return "score" in columns or ("judge" in columns and bool(columns - _KNOWN))


def _write(judgements: Judgements, path: str) -> None:
    separator = "," if path.split(".gz")[0].endswith(".csv") else "\t"

    def rows() -> Iterator[list[str]]:
        for rating in judgements.iterate("ratings"):
            if not isinstance(rating, Rating):
                continue
            cells = [
                rating.system,
                rating.segment,
                rating.judge or "",
                repr(rating.score),
                rating.scale,
                rating.langpair or "",
                rating.document or "",
                rating.campaign or "",
                rating.time.isoformat() if rating.time else "",
                "" if rating.duration is None else repr(rating.duration),
                rating.meta or "",
            ]
            if any("\n" in cell or "\r" in cell for cell in cells):
                message = (
                    f"cannot write {path}: a name in segment {rating.segment!r} has a "
                    "line end in it; write tertium-jsonl"
                )
                raise InputError(message)
            yield cells

    write_rows(path, [*_HEAD, "meta"], rows(), separator=separator)


LIKERT = Format(
    "likert-tsv",
    _fits,
    unnumbered(_read),
    _write,
    kinds=("ratings",),
    numbered=_read,
)
