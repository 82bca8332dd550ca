# SPDX-License-Identifier: Apache-2.0
"""Tables of a page, which its readers may sort."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

__all__ = ["Cell", "html_table", "mark", "number_cell", "p_text", "plain"]


class Cell(NamedTuple):
    """What a cell shows (HTML), by what it is sorted, and its classes."""

    html: str
    key: float | str | None = None
    classes: str = ""


def plain(text: str) -> str:
    """Return a text for a page; what has no place in one becomes U+FFFD."""
    shown = "".join(
        "\ufffd" if char < " " or "\ud800" <= char <= "\udfff" else char
        for char in text
    )
    return escape(shown)


def number_cell(value: float | None, digits: int) -> Cell:
    """Return a number, n/a where there is none."""
    if value is None:
        return Cell("n/a", None, "number none")
    return Cell(f"{value:.{digits}f}", value, "number")


def p_text(value: float) -> str:
    """Return a p-value for a page; none is shown as 0.

    Examples
    --------
    >>> p_text(0.00001), p_text(0.0123)
    ('&lt;.001', '0.012')
    """
    return "&lt;.001" if value < 0.0005 else f"{value:.3f}"


def mark(sign: str, words: str) -> str:
    """Return a sign that says what it means."""
    return f'<abbr title="{words}">{sign}</abbr>'


def html_table(
    caption: str,
    head: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    *,
    probes: Iterable[int] = (),
    kind: str = "",
) -> str:
    """Return a table; the script of the page lets readers sort it.

    It sorts by the key of a cell, or else by the number in it.
    """
    rows = list(rows)
    right = [all("number" in row[i].classes for row in rows) for i in range(len(head))]
    cells = "".join(
        f'<th scope="col"{" class=number" if right[i] and rows else ""}>'
        f"{plain(name)}</th>"
        for i, name in enumerate(head)
    )
    marked = set(probes)
    body = "\n".join(
        f"<tr{' class=probe' if number in marked else ''}>"
        + "".join(_cell(cell) for cell in row)
        + "</tr>"
        for number, row in enumerate(rows)
    )
    return (
        f'<div class="table"><h3>{plain(caption)}</h3>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{plain(caption)}">'
        f'<table class="sortable{kind}" aria-label="{plain(caption)}">'
        f"<thead><tr>{cells}</tr></thead>\n<tbody>{body}</tbody></table></div></div>"
    )


def _cell(cell: Cell) -> str:
    name = f' class="{cell.classes}"' if cell.classes else ""
    key = "" if cell.key is None else f' data-key="{plain(str(cell.key))}"'
    return f"<td{name}{key}>{cell.html}</td>"
