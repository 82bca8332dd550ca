# SPDX-License-Identifier: Apache-2.0
"""Plain tables as an HTML page that needs nothing but itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tertium.report.html_tables import Cell, html_table, plain
from tertium.report.meta.style import SCRIPT
from tertium.report.shell import page_shell
from tertium.report.systems.board_style import board_style

__all__ = ["PlainTable", "tables_page"]


class PlainTable(NamedTuple):
    """A table of text; columns from `left` on are numbers."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str
    left: int


def tables_page(tables: Sequence[PlainTable], *, heading: str) -> str:
    """Return a page of tables, each with its note.

    Parameters
    ----------
    tables : sequence of PlainTable
    heading : str
        What the page is about.
    """
    return page_shell(
        heading,
        style=board_style(),
        header=[f"<h1>{plain(heading)}</h1>"],
        sections=(),
        before=[_table(table) for table in tables],
        scripts=[f"<script>{SCRIPT}</script>"],
    )


def _table(table: PlainTable) -> str:
    rows = [
        [
            Cell(plain(text), text)
            if i < table.left
            else Cell(plain(text), None, "number")
            for i, text in enumerate(row)
        ]
        for row in table.rows
    ]
    lines = "<br>\n".join(plain(line) for line in table.note.splitlines())
    note = f'<p class="legend">{lines}</p>' if lines else ""
    return html_table(table.title or "Results", table.head, rows) + note
