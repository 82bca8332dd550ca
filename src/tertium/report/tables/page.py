# SPDX-License-Identifier: Apache-2.0
"""Plain tables as a self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.report import components
from tertium.report.components import Cell, Component, Legend, Page
from tertium.report.rendering import render
from tertium.report.tables.table import Table

__all__ = ["table_blocks", "tables_page"]


def tables_page(tables: Sequence[Table]) -> str:
    """Return a page of tables, each with its note."""
    titles = [table.title for table in tables if table.title]
    heading = titles[0] if len(titles) == 1 else "Tertium"
    body = [block for table in tables for block in table_blocks(table)]
    return render(Page(heading, body=body, contents=False))


def table_blocks(table: Table) -> list[Component]:
    """Return a table and its note for a page."""
    rows = [
        [
            Cell(text, text) if i < table.left else Cell(text, None, "number")
            for i, text in enumerate(row)
        ]
        for row in table.rows
    ]
    shown: list[Component] = [
        components.Table(table.title or "Results", table.head, rows)
    ]
    return [*shown, Legend(table.note)] if table.note.strip() else shown
