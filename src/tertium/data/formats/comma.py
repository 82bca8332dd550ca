# SPDX-License-Identifier: Apache-2.0
"""Comma-separated files (CSV, RFC 4180), and test sets in them.

A cell with commas, quotation marks or line ends is put in quotation marks, and marks
inside it are doubled. A line end inside a cell is read as LF. Where the header has no
comma outside of quotation marks, a semicolon (as in German or French settings of
Excel) or a tab separates cells. For the columns of test sets, see
:mod:`tertium.data.formats.tables`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from tertium._messages import quote
from tertium.data.formats import extension_of
from tertium.data.formats.tables import Row, TableFormat
from tertium.data.lines import StrPath, display, open_lines, write_lines
from tertium.errors import FormatError, InputError

__all__ = [
    "csv_rows",
    "cut_row",
    "is_csv",
    "read_csv",
    "read_table",
    "separator_of",
    "stream",
    "write",
    "write_csv",
    "write_stream",
    "write_table",
]

_SEPARATORS = ",;\t"
_PLAIN_NAME = re.compile(r"[\w .:+/#-]+")
_QUOTED = re.compile('"(?:[^"]|"")*"')
_NEEDS_QUOTES = re.compile('[",\r\n]')


def read_csv(path: StrPath) -> Iterator[Row]:
    """Yield the line where every row of a CSV file starts, and its cells.

    Blank lines are skipped, unless there is one column only.

    Raises
    ------
    FormatError
        When quotation marks do not match, with the line.
    """
    lines = open_lines(path)
    head = next(lines, None)
    if head is not None:
        yield from csv_rows(chain([head], lines), separator_of(head), path)


def csv_rows(lines: Iterable[str], separator: str, path: StrPath) -> Iterator[Row]:
    """Yield the rows of lines that were read from a file; see `read_csv`."""
    ended = (f"{line}\n" for line in lines)
    rows = csv.reader(ended, delimiter=separator, strict=True)
    width = 0
    while True:
        start = rows.line_num + 1
        try:
            row = next(rows, None)
        except csv.Error as error:
            what = (
                f"not CSV ({error}); put cells with separators, quotation marks or "
                "line ends in quotation marks, and double those inside"
            )
            raise FormatError(what, path=display(path), line=start) from None
        if row is None:
            return
        width = width or len(row)
        if row or width == 1:
            yield start, row or [""]


def is_csv(path: StrPath) -> bool:
    """Return whether a file is CSV, by its name."""
    return extension_of(path) == ".csv"


def read_table(path: StrPath) -> Iterator[Row]:
    """Yield the rows of a file: CSV by its name, else TSV without quoting."""
    if is_csv(path):
        return read_csv(path)
    return enumerate((line.split("\t") for line in open_lines(path)), start=1)


def cut_row(line: str, path: StrPath) -> list[str]:
    """Return the cells of the first line of a file that `read_table` reads."""
    if is_csv(path):
        return next(csv.reader([line], delimiter=separator_of(line)), [])
    return line.split("\t")


def write_table(path: StrPath, rows: Iterable[Sequence[str]]) -> None:
    """Write rows as `read_table` reads them; in TSV, cells have no tabs."""
    if is_csv(path):
        write_csv(path, rows)
    else:
        write_lines(path, ("\t".join(row) for row in rows))


def write_csv(path: StrPath, rows: Iterable[Sequence[str]]) -> None:
    """Write a CSV file: UTF-8, commas, lines ended by LF.

    Raises
    ------
    InputError
        When a cell would not read back the same.
    """
    from tertium._files import replace_file

    with replace_file(path) as file:
        for number, row in enumerate(rows):
            cells = [_cell(cell, number, path) for cell in row]
            # A lone empty cell must not look like a blank line.
            line = ",".join(cells) or '""'
            file.write(f"{line}\n".encode())


def separator_of(head: str) -> str:
    """Return what separates cells: a comma, unless only something else can.

    Examples
    --------
    >>> separator_of("id,ref;A"), separator_of('"id;ref"'), separator_of('id;"A,B"')
    (',', ',', ';')
    """
    bare = _QUOTED.sub("", head)
    return next((char for char in _SEPARATORS if char in bare), ",")


def _cell(cell: str, number: int, path: StrPath) -> str:
    where = f"segment {number}" if number else "the header"
    if "\r\n" in cell or len(cell) > csv.field_size_limit():
        fault = "CRLF" if "\r\n" in cell else "too many characters"
        raise InputError(
            f"cannot write {display(path)}: {where} has {fault} in {quote(cell)}; "
            "write another format such as jsonl"
        )
    try:
        cell.encode()
    except UnicodeEncodeError:
        raise InputError(
            f"cannot write {display(path)}: {where} has half a surrogate pair in "
            f"{quote(cell)}; remove it"
        ) from None
    # A bare header must not look like one with other separators, or compressed.
    if _NEEDS_QUOTES.search(cell) or (not number and not _PLAIN_NAME.fullmatch(cell)):
        doubled = cell.replace('"', '""')
        return f'"{doubled}"'
    return cell


_FORMAT = TableFormat(
    read_csv, write_csv, "put cells with separators in quotation marks"
)
stream = _FORMAT.stream
write = _FORMAT.write
write_stream = _FORMAT.write_stream
