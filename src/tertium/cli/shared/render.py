# SPDX-License-Identifier: Apache-2.0
"""Tables for people and for programs: text, Rich, TSV, CSV, Markdown, LaTeX, HTML."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

__all__ = ["Table", "as_text", "emit", "render"]


@dataclass(frozen=True)
class Table:
    """A table with a title, a head and rows, and a `note` below it.

    Columns from `left` on hold numbers and are right-aligned. TSV and CSV have neither
    titles nor notes. A line precedes the rows that `rules` names. In the cells that
    `bold` names, by row and column, LaTeX sets the first word in bold.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""
    note: str = ""
    left: int = 1
    rules: Sequence[int] = ()
    bold: Collection[tuple[int, int]] = ()


def emit(text: str, output: str | None) -> None:
    """Write to stdout, or to a file that appears only when it is complete."""
    if text and not text.endswith("\n"):
        text += "\n"
    if output in (None, "-", "/dev/stdout"):
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    from tertium._files import replace_file

    with replace_file(str(output)) as file:
        file.write(text.encode())


def render(tables: Sequence[Table], format: str, *, output: str | None = None) -> None:
    """Write tables in a format, through Rich if stdout is a terminal."""
    if format == "table" and output is None and sys.stdout.isatty():
        _draw(tables)
        return
    emit(as_text(tables, format), output)


def as_text(tables: Sequence[Table], format: str) -> str:
    """Return tables in a format, for stderr and other places."""
    clean = [_one_line(table) for table in tables]
    if format == "html":
        return _page(clean)
    return "\n".join(map(_WRITERS[format], clean))


def _one_line(table: Table) -> Table:
    """Return the table with line ends and tabs in names made visible."""

    def clean(cell: str) -> str:
        return cell.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")

    rows = [[clean(cell) for cell in row] for row in table.rows]
    return replace(table, rows=rows)


def _draw(tables: Sequence[Table]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console(highlight=False)
    for table in tables:
        if sum(_widths(table)) + 3 * len(table.head) > console.width:
            # Rich would cut cells off; figures must stay whole.
            sys.stdout.write(f"{_text(table)}\n")
            continue
        # Titles and notes hold signatures: soft wraps keep them whole for copying.
        if table.title:
            console.print(Text(table.title, style="bold"), soft_wrap=True)
        rich_table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
        for i, name in enumerate(table.head):
            justify = "left" if i < table.left else "right"
            rich_table.add_column(Text(name), justify=justify, no_wrap=i < table.left)  # type: ignore[arg-type]
        for number, row in enumerate(table.rows, start=1):
            section = number in table.rules
            rich_table.add_row(*(Text(cell) for cell in row), end_section=section)
        console.print(rich_table)
        if table.note:
            console.print(Text(table.note, style="dim"), soft_wrap=True)


def _widths(table: Table) -> list[int]:
    rows = [table.head, *table.rows]
    return [max(_width(row[i]) for row in rows) for i in range(len(table.head))]


def _text(table: Table) -> str:
    rows = [table.head, *table.rows]
    widths = _widths(table)
    lines = [table.title] if table.title else []
    for number, row in enumerate(rows):
        if number - 1 in table.rules:
            lines.append("  ".join("-" * width for width in widths))
        cells = []
        for i, cell in enumerate(row):
            space = " " * (widths[i] - _width(cell))
            cells.append(cell + space if i < table.left else space + cell)
        lines.append("  ".join(cells).rstrip())
        if number == 0:
            lines.append("  ".join("-" * width for width in widths))
    if table.note:
        lines += ["", table.note]
    return "\n".join(lines) + "\n"


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1
        for char in text
    )


def _separated(table: Table, *, separator: str) -> str:
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerows([table.head, *table.rows])
    return out.getvalue()


def _markdown(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    rule = "|" + "|".join(
        "---" if i < table.left else "---:" for i in range(len(table.head))
    )
    parts = [f"**{table.title}**", ""] if table.title else []
    parts += [line(table.head), f"{rule}|", *map(line, table.rows)]
    if table.note:
        parts += ["", table.note]
    return "\n".join(parts) + "\n"


_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "Δ": r"$\Delta$",
    "↓": r"$\downarrow$",
    "↑": r"$\uparrow$",
    "←": r"$\leftarrow$",
    "≀": r"$\wr$",
    "<": "$<$",
    ">": "$>$",
    "∞": r"$\infty$",
    "†": r"$\dagger$",
    "‡": r"$\ddagger$",
}


def _latex(table: Table) -> str:
    def escape(cell: str) -> str:
        return "".join(_LATEX.get(char, char) for char in cell)

    def bold(cell: str) -> str:
        word, space, rest = cell.partition(" ")
        return rf"\textbf{{{escape(word)}}}{space}{escape(rest)}"

    def line(cells: Sequence[str], number: int = -1) -> str:
        escaped = [
            bold(cell) if (number, i) in table.bold else escape(cell)
            for i, cell in enumerate(cells)
        ]
        # Behind \\ a bracket would be read as a length.
        guard = "{}" if escaped[0].startswith("[") else ""
        return guard + " & ".join(escaped) + r" \\"

    columns = "".join("l" if i < table.left else "r" for i in range(len(table.head)))
    parts = [f"% {table.title}"] if table.title else []
    parts += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", line(table.head)]
    parts.append(r"\midrule")
    for number, row in enumerate(table.rows):
        parts += [r"\midrule"] * (number in table.rules) + [line(row, number)]
    parts += [r"\bottomrule", r"\end{tabular}"]
    parts += [f"% {text}" for text in table.note.splitlines()]
    return "\n".join(parts) + "\n"


def _page(tables: Sequence[Table]) -> str:
    from tertium.report.tables_page import PlainTable, tables_page

    titles = [table.title for table in tables if table.title]
    return tables_page(
        [PlainTable(t.title, t.head, t.rows, t.note, t.left) for t in tables],
        heading=titles[0] if len(titles) == 1 else "Tertium",
    )


_WRITERS: dict[str, Callable[[Table], str]] = {
    "table": _text,
    "tsv": lambda table: _separated(table, separator="\t"),
    "csv": lambda table: _separated(table, separator=","),
    "md": _markdown,
    "latex": _latex,
}
