# SPDX-License-Identifier: Apache-2.0
"""Plain tables as a self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tertium.report.components import Cell, Component, Legend, Page, Table
from tertium.report.rendering import render

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
    body = [block for table in tables for block in _blocks(table)]
    return render(Page(heading, body=body, contents=False))


def _blocks(table: PlainTable) -> list[Component]:
    rows = [
        [
            Cell(text, text) if i < table.left else Cell(text, None, "number")
            for i, text in enumerate(row)
        ]
        for row in table.rows
    ]
    shown: list[Component] = [Table(table.title or "Results", table.head, rows)]
    return [*shown, Legend(table.note)] if table.note.strip() else shown
