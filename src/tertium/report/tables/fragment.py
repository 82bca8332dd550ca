# SPDX-License-Identifier: Apache-2.0
"""Tables as a fragment of HTML for notebooks and other people's pages.

It has no script and loads nothing, takes its colours from the page around it, so that
it is legible on light and dark ones, and shows the first rows of long tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from tertium.report.tables.table import Table

__all__ = ["block", "record_table", "tables_fragment"]

_MOST_ROWS = 40

# No colour is set but translucent grey. Jupyter aligns all cells to the right, by rules
# of higher rank.
_STYLE = """\
<style>
.tertium-result{font-family:system-ui,sans-serif;font-size:.9em;line-height:1.4}
.tertium-result table{border-collapse:collapse;margin:.4em 0;color:inherit;
font-variant-numeric:tabular-nums;border:0}
.tertium-result caption{caption-side:top;text-align:left;font-weight:600;color:inherit;
padding:.3em 0}
.tertium-result caption span{font-weight:400;font-size:.9em;overflow-wrap:anywhere}
.tertium-result th,.tertium-result td{padding:.2em .7em;text-align:right;color:inherit;
background:none;border:0;border-bottom:1px solid rgba(128,128,128,.3);
vertical-align:top;max-width:40em;white-space:pre-wrap;overflow-wrap:anywhere}
.tertium-result th{font-weight:600;border-bottom:2px solid rgba(128,128,128,.6)}
.tertium-result .text{text-align:left!important}
.tertium-result .note{white-space:pre-wrap;margin:.3em 0 .8em;overflow-wrap:anywhere}
.tertium-result svg{max-width:100%;height:auto;border-radius:.4em}
.tertium-result .scroll{overflow-x:auto}
</style>
"""


def tables_fragment(tables: Iterable[Table], *, footer: str = "") -> str:
    """Return tables, each with its note below it that can be opened."""
    note = f'<p class="note">{escape(footer)}</p>\n' if footer else ""
    return block("".join(map(_table, tables)) + note)


def block(content: str) -> str:
    """Return HTML in the frame that all results share."""
    return f'{_STYLE}<div class="tertium-result">\n{content}</div>\n'


def _table(table: Table) -> str:
    def row(cells: Sequence[str], tag: str) -> str:
        shown = [
            f"<{tag}{_kind(number < table.left)}{scope}>{escape(cell)}</{tag}>"
            for number, cell in enumerate(cells)
            for scope in [' scope="col"' if tag == "th" else ""]
        ]
        return f"<tr>{''.join(shown)}</tr>\n"

    rows = table.rows[:_MOST_ROWS]
    more = len(table.rows) - len(rows)
    title, _, signature = table.title.partition("  ")
    caption = f"<caption>{escape(title)}{_light(signature)}</caption>" if title else ""
    out = (
        f'<div class="scroll"><table>{caption}<thead>{row(table.head, "th")}</thead>'
        f"<tbody>{''.join(row(each, 'td') for each in rows)}</tbody></table></div>\n"
    )
    if more:
        out += f'<p class="note">{more:,} more rows</p>\n'
    if table.note.strip():
        out += (
            "<details><summary>How to read this</summary>"
            f'<p class="note">{escape(table.note.strip())}</p></details>\n'
        )
    return out


def _light(signature: str) -> str:
    return f"<br><span>{escape(signature)}</span>" if signature else ""


def _kind(text: bool) -> str:
    return ' class="text"' if text else ""


def record_table(
    records: Sequence[dict[str, object]], *, title: str = "", note: str = ""
) -> Table:
    """Return records as a table: texts to the left, then figures with four digits.

    Examples
    --------
    >>> record_table([{"score": 0.123456, "system": "A", "low": None}]).rows
    [['A', '0.1235', '']]
    """
    names = list(dict.fromkeys(name for record in records for name in record))
    texts = [
        name
        for name in names
        if any(isinstance(record.get(name), str | list) for record in records)
    ]
    head = [*texts, *(name for name in names if name not in texts)]
    rows = [[_shown(record.get(name)) for name in head] for record in records]
    return Table(head, rows, title=title, note=note, left=len(texts))


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1 else f"{value:.2f}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)
