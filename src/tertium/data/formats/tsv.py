# SPDX-License-Identifier: Apache-2.0
"""Tab-separated test sets: see :mod:`tertium.data.formats.tables` for the columns.

There is no quoting: a tab or line end cannot be part of a text, and quotation marks
are just text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tertium._messages import quote
from tertium.data.formats.tables import Row, TableFormat
from tertium.data.lines import open_lines, write_lines
from tertium.errors import InputError

__all__ = ["stream", "write", "write_stream"]


def _rows(path: str) -> Iterator[Row]:
    return enumerate((line.split("\t") for line in open_lines(path)), start=1)


def _write_rows(path: str, rows: Iterable[Sequence[str]]) -> None:
    write_lines(path, (_line(row, number, path) for number, row in enumerate(rows)))


def _line(fields: Sequence[str], number: int, path: str) -> str:
    line = "\t".join(fields)
    if line.count("\t") >= len(fields) or "\n" in line or line.endswith("\r"):
        bad = next((f for f in fields if "\t" in f or "\n" in f), fields[-1])
        where = f"segment {number}" if number else "the header"
        raise InputError(
            f"cannot write {path}: {where} has a tab or line end in {quote(bad)}; "
            "write another format such as csv or jsonl"
        )
    return line


_FORMAT = TableFormat(_rows, _write_rows, "put one tab between fields, or use csv")
stream = _FORMAT.stream
write = _FORMAT.write
write_stream = _FORMAT.write_stream
