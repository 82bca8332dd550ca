# SPDX-License-Identifier: Apache-2.0
"""Tables of mistakes in a test set, as wide as a terminal."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.data.checks import Report

__all__ = ["check_table", "check_text"]

_HEAD = ("kind", "severity", "where", "count", "message")
_NARROW = 40


def check_table(
    report: Report, style: Style, *, note: str = "", width: int | None = None
) -> Table:
    """Return one row per finding.

    Parameters
    ----------
    report : Report
    style : Style
    note : str
        Written below the table.
    width : int, optional
        Of the terminal: longer messages are broken into several rows.
    """
    rows = _rows(report)
    if style.format == "table":
        rows = _shortened(rows)
    if width is not None:
        rows = _wrapped(rows, _room(rows, width))
    return Table(_HEAD, rows, note=note, left=len(_HEAD))


def check_text(report: Report, note: str, width: int) -> str:
    """Return findings as paragraphs if a terminal is too narrow for a table, or ""."""
    if _room(_shortened(_rows(report)), width) >= _NARROW:
        return ""
    paragraphs = [
        textwrap.fill(str(finding), width, subsequent_indent="  ")
        for finding in report.findings
    ]
    return "\n".join([*paragraphs, *([note] if note else [])])


def _rows(report: Report) -> list[list[str]]:
    return [
        [each.kind, each.severity, each.where, f"{each.count:,}", each.message]
        for each in report.findings
    ]


def _shortened(rows: list[list[str]]) -> list[list[str]]:
    """Cut long places off."""

    def cut(where: str) -> str:
        return where if len(where) <= _NARROW else f"{where[: _NARROW - 3]}..."

    return [[*row[:2], cut(row[2]), *row[3:]] for row in rows]


def _room(rows: list[list[str]], width: int) -> int:
    """Return how many characters of a message fit on a line of the terminal."""
    columns = list(zip(_HEAD, *rows, strict=True))[:-1]
    used = sum(max(map(len, column)) + 3 for column in columns)
    return width - used - 2


def _wrapped(rows: list[list[str]], width: int) -> list[list[str]]:
    """Break messages into several rows, which Rich would cut off."""
    wrapped = []
    for *cells, message in rows:
        first, *rest = textwrap.wrap(message, width)
        wrapped.append([*cells, first])
        wrapped += [[*[""] * len(cells), line] for line in rest]
    return wrapped
