# SPDX-License-Identifier: Apache-2.0
"""Cells that a spreadsheet would run.

A program that opens CSV takes a cell which starts with ``=``, ``+``, ``-`` or ``@``
for a formula, and a formula can send data away. Names of systems, segments and
documents come from files of others. So a download of CSV or TSV with such a cell is
rejected, or, on request, gets an apostrophe before the cell. Numbers
are left alone: ``-1`` stands for nothing in WMT's tables.

Files on the command line stay as they are: what Tertium writes it reads again, and
a name with an apostrophe before it would be another name.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from tertium._files import replace_file
from tertium.errors import InputError
from tertium.notes import Note

__all__ = ["check_cells", "dangerous", "defuse_cells"]

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
# The wide twins too: some programs take them for the narrow ones.
_START = re.compile(r"[\t\r\n ]*[=+\-@＝＋－＠].|[\t\r\n]", re.DOTALL)
# Where a semicolon parts cells (Czech, Finnish, German settings) one starts behind it.
_BEHIND = re.compile(r";[\s\"]*[=+\-@＝＋－＠].", re.DOTALL)


def dangerous(cell: str, *, separator: str = ",") -> bool:
    """Return whether a spreadsheet could take a cell for a formula.

    Examples
    --------
    >>> dangerous("=1+1"), dangerous("-1"), dangerous("-1+1"), dangerous("a=1")
    (True, False, True, False)
    """
    if _NUMBER.fullmatch(cell):
        return False
    return bool(
        _START.match(cell) or (separator == "," and _BEHIND.search(cell) is not None)
    )


def _rows(path: Path, separator: str, *, quoted: bool) -> Iterator[list[str]]:
    with path.open(encoding="utf-8", newline="" if quoted else "\n") as file:
        if not quoted:
            for line in file:
                yield line.rstrip("\n").split(separator)
            return
        yield from csv.reader(file, delimiter=separator)


def check_cells(path: Path, separator: str, *, quoted: bool) -> None:
    """Reject a file with a cell that a spreadsheet would run.

    Parameters
    ----------
    quoted : bool
        Whether cells may stand in quotation marks.

    Raises
    ------
    InputError
        With the row, the start of the cell and what to do.
    """
    for number, row in enumerate(_rows(path, separator, quoted=quoted), start=1):
        for cell in row:
            if dangerous(cell, separator=separator):
                raise InputError(
                    Note("formula-cell", {"row": number, "cell": cell[:30]})
                )


def defuse_cells(path: Path, separator: str, *, quoted: bool) -> int:
    """Put an apostrophe before cells that a spreadsheet would run; return how many."""
    rows = list(_rows(path, separator, quoted=quoted))
    changed = 0
    for row in rows:
        for place, cell in enumerate(row):
            if dangerous(cell, separator=separator):
                # A semicolon would part the cell: the second part needs another cure.
                row[place] = "'" + _BEHIND.sub(_apart, cell)
                changed += 1
    with replace_file(path) as file:

        class Lines:
            def write(self, text: str) -> None:
                file.write(text.encode())

        if quoted:
            csv.writer(Lines(), delimiter=separator, lineterminator="\n").writerows(
                rows
            )
        else:
            file.write("".join(separator.join(row) + "\n" for row in rows).encode())
    return changed


def _apart(match: re.Match[str]) -> str:
    return f";'{match[0][1:]}"
