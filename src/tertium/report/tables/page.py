# SPDX-License-Identifier: Apache-2.0
"""Plain tables as a self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.report import components
from tertium.report.components import Cell, Component, Legend, Page
from tertium.report.rendering import render
from tertium.report.tables.table import Table

__all__ = ["sortable", "table_blocks", "tables_page"]


def tables_page(tables: Sequence[Table]) -> str:
    """Return a page of tables, each with its note."""
    titles = [table.title for table in tables if table.title]
    heading = titles[0] if len(titles) == 1 else "Tertium"
    body = [block for table in tables for block in table_blocks(table)]
    return render(Page(heading, body=body, contents=False))


def sortable(table: Table, caption: str) -> components.Table:
    """Return a table as readers can sort it, under another caption."""
    rows = [
        [
            Cell(text, text) if i < table.left else Cell(text, None, "number")
            for i, text in enumerate(row)
        ]
        for row in table.rows
    ]
    return components.Table(caption, table.head, rows)


def table_blocks(table: Table) -> list[Component]:
    """Return a table and its note for a page."""
    shown: list[Component] = [sortable(table, table.title or "Results")]
    return [*shown, Legend(table.note)] if table.note.strip() else shown
