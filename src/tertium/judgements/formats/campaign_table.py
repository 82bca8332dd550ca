# SPDX-License-Identifier: Apache-2.0
"""The table that ``tertium campaign export`` writes: CSV, TSV or an Excel workbook.

One row per candidate of a ranking, per rating and per error span. The columns in
`COMMON` are always there, then those in `COLUMNS` of the kinds that the table holds;
with several kinds, ``kind`` names that of each row. The candidates of a ranking are
counted from 1 in consecutive rows, and systems with equal output share a cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from tertium.data.formats import extension_of
from tertium.data.formats.comma import csv_rows, separator_of
from tertium.data.formats.xlsx import read_xlsx
from tertium.data.lines import display, open_lines
from tertium.errors import FormatError
from tertium.judgements.formats.cells import cut
from tertium.judgements.formats.format import (
    Format,
    ImportOptions,
    Numbered,
    unnumbered,
)
from tertium.judgements.formats.jsonl import to_judgement
from tertium.judgements.formats.names import file_langpair
from tertium.judgements.formats.values import bad

__all__ = ["CAMPAIGN_TABLE", "COLUMNS", "COMMON", "SYSTEMS", "is_workbook"]

COMMON = ("judge", "segment", "document", "langpair", "campaign", "time", "seconds")
COLUMNS = {
    "ranking": ("part", "system", "candidate", "rank", "garbage", "text"),
    "rating": ("system", "scale", "score"),
    "mark": ("system", "category", "severity", "start", "end", "side", "text"),
}
#: What separates systems that share a candidate.
SYSTEMS = ", "

_NAMES = {"seconds": "duration"}
_NUMBERS: dict[str, Callable[[str], int | float]] = {
    "rank": int,
    "start": int,
    "end": int,
    "score": float,
    "duration": float,
}
_EXTRA = ""  # the name of cells beyond the last column
_GARBAGE = {"yes": True, "no": False}

Row = tuple[int, Mapping[str, str]]


def is_workbook(path: str) -> bool:
    """Return whether the name of a file says that it is an Excel workbook."""
    return extension_of(path) == ".xlsx"


def _kinds(columns: Sequence[str]) -> list[str] | None:
    """Return the kinds of rows that a table with these columns has.

    None if it is not such a table; no kind if nothing has been judged yet.
    """
    names = set(columns)
    kinds = [kind for kind, required in COLUMNS.items() if names.issuperset(required)]
    expected = {*COMMON, *(name for kind in kinds for name in COLUMNS[kind])}
    if len(names) != len(columns) or names - {"kind"} != expected:
        return None
    return kinds if "kind" in names or len(kinds) < 2 else None


def _rows(path: str) -> Iterator[tuple[int, list[str]]]:
    if is_workbook(path):
        yield from read_xlsx(path)
        return
    lines = open_lines(path)
    head = next(lines, None)
    if head is not None:
        yield from csv_rows(chain([head], lines), _separator(head), path)


def _separator(head: str) -> str:
    return "\t" if "\t" in head else separator_of(head)


def _read(path: str, options: ImportOptions) -> Iterator[Numbered]:
    rows = _rows(path)
    columns = next(rows, (1, []))[1]
    kinds = _kinds(columns)
    if kinds is None:
        what = "not a table that `tertium campaign export` wrote; check the header"
        raise FormatError(what, path=display(path), line=1)
    langpair = file_langpair(path)
    for group in _groups(_named(rows, columns, kinds)):
        number, first = group[0]
        try:
            yield number, to_judgement(_object(group), options, langpair)
        except ValueError as error:
            yield number, bad(number, error, "\t".join(first.values()))


def _named(
    rows: Iterable[tuple[int, list[str]]], columns: Sequence[str], kinds: Sequence[str]
) -> Iterator[Row]:
    """Yield the rows that are not empty, with their cells by column."""
    for number, cells in rows:
        if not any(cells):
            continue
        # Rows of a workbook end with their last value.
        padded = [*cells, *[""] * (len(columns) - len(cells))]
        row = dict(zip(columns, padded, strict=False))
        if "kind" not in row and kinds:
            row["kind"] = kinds[0]
        if len(padded) > len(columns):
            row[_EXTRA] = "\t".join(padded[len(columns) :])
        yield number, row


def _groups(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield the rows of every judgement: several for a ranking, one for the others."""
    group: list[Row] = []
    for number, row in rows:
        if group and not _continues(group[-1][1], row):
            yield group
            group = []
        group.append((number, row))
    if group:
        yield group


def _continues(before: Mapping[str, str], row: Mapping[str, str]) -> bool:
    same = ("kind", *COMMON, "part")
    return (
        row.get("kind") == "ranking"
        and row["candidate"] != "1"
        and all(before.get(name) == row.get(name) for name in same)
    )


def _object(rows: Sequence[Row]) -> dict[str, object]:
    """Return a judgement as :mod:`tertium.judgements.formats.jsonl` spells it."""
    first = rows[0][1]
    kind = first.get("kind", "")
    columns = COLUMNS.get(kind)
    if columns is None:
        message = f"the kind is {kind!r}, not {', '.join(COLUMNS)}"
        raise ValueError(message)
    if any(_EXTRA in row for _, row in rows):
        message = "more cells than the header has columns"
        raise ValueError(message)
    values = {
        _NAMES.get(name, name): _value(_NAMES.get(name, name), first[name])
        for name in (*COMMON, *(("part",) if kind == "ranking" else columns))
        if first[name]
    }
    if kind == "mark":
        return {"category": "", **values, "kind": "span"}
    if kind == "rating":
        return {**values, "kind": kind}
    places = [_place(row, number) for number, (_, row) in enumerate(rows, start=1)]
    return {**values, "kind": kind, "places": places}


def _place(row: Mapping[str, str], number: int) -> dict[str, object]:
    if row["candidate"] != str(number):
        message = (
            f"candidate {row['candidate']!r} where candidate {number} of a ranking "
            "should be; keep the order of the rows"
        )
        raise ValueError(message)
    if row["garbage"] not in _GARBAGE:
        message = f"garbage is {row['garbage']!r}, not yes or no"
        raise ValueError(message)
    return {
        "systems": row["system"].split(SYSTEMS) if row["system"] else [],
        "rank": _value("rank", row["rank"]),
        "garbage": _GARBAGE[row["garbage"]],
        "text": row["text"] or None,
    }


def _value(name: str, text: str) -> object:
    """Return the number in a cell, or its text, which later checks reject."""
    try:
        return _NUMBERS[name](text) if name in _NUMBERS else text
    except ValueError:
        return text


def _fits(path: str, head: Sequence[str]) -> bool:
    if is_workbook(path):
        return _kinds(next(read_xlsx(path), (1, []))[1]) is not None
    try:
        columns = cut(head[0], _separator(head[0])) if head else []
    except ValueError:  # quotation marks do not match
        return False
    return _kinds(columns) is not None


CAMPAIGN_TABLE = Format(
    "campaign-table",
    _fits,
    unnumbered(_read),
    numbered=_read,
)
