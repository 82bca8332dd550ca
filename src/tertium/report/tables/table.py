# SPDX-License-Identifier: Apache-2.0
"""A table of text, and how it looks as text, TSV, CSV, Markdown, LaTeX and HTML."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

__all__ = [
    "SEPARATORS",
    "Table",
    "as_lines",
    "as_text",
    "exact_cells",
    "percent",
    "widths",
]


#: Formats for programs, with what stands between cells.
SEPARATORS = {"tsv": "\t", "csv": ","}


@dataclass(frozen=True, eq=False)  # for a fast start of verbs
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


def exact_cells(*values: str | float | None) -> list[str]:
    """Return cells for programs: all digits, and nothing for unknown values.

    Examples
    --------
    >>> exact_cells("A", 0.1, 3, None)
    ['A', '0.1', '3', '']
    """
    return [
        "" if v is None else repr(v) if isinstance(v, float) else str(v) for v in values
    ]


def percent(part: int, whole: int) -> str:
    """Return a share for people.

    Examples
    --------
    >>> percent(1, 3), percent(0, 0)
    ('33.3 %', 'n/a')
    """
    return f"{100 * part / whole:.1f} %" if whole else "n/a"


def as_text(tables: Sequence[Table], format: str = "table") -> str:
    """Return tables in a format.

    Parameters
    ----------
    tables : sequence of Table
    format : {"table", "tsv", "csv", "md", "latex", "html", "fragment"}
    """
    if format in SEPARATORS:
        return "\n".join("".join(as_lines(table, format)) for table in tables)
    clean = [_one_line(table) for table in tables]
    if format == "html":
        from tertium.report.tables.page import tables_page

        return tables_page(clean)
    if format == "fragment":
        from tertium.report.tables.fragment import tables_fragment

        return tables_fragment(clean)
    return "\n".join(map(_WRITERS[format], clean))


def as_lines(table: Table, format: str) -> Iterator[str]:
    """Yield the lines of a table as TSV or CSV, with their ends, row by row."""
    import csv

    class Line:
        """A file for the writer, which returns what is written."""

        def write(self, text: str) -> str:
            return text

    writer = csv.writer(Line(), delimiter=SEPARATORS[format], lineterminator="\n")
    yield writer.writerow(table.head)
    for row in table.rows:
        yield writer.writerow([_clean(cell) for cell in row])


def _one_line(table: Table) -> Table:
    """Return the table with line ends and tabs in names made visible."""
    rows = [[_clean(cell) for cell in row] for row in table.rows]
    return replace(table, rows=rows)


def _clean(cell: str) -> str:
    return cell.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")


def widths(table: Table) -> list[int]:
    """Return the width of every column, in columns of a terminal."""
    rows = [table.head, *table.rows]
    return [max(_width(row[i]) for row in rows) for i in range(len(table.head))]


def _text(table: Table) -> str:
    rows = [table.head, *table.rows]
    columns = widths(table)
    lines = [table.title] if table.title else []
    for number, row in enumerate(rows):
        if number - 1 in table.rules:
            lines.append("  ".join("-" * width for width in columns))
        cells = []
        for i, cell in enumerate(row):
            space = " " * (columns[i] - _width(cell))
            cells.append(cell + space if i < table.left else space + cell)
        lines.append("  ".join(cells).rstrip())
        if number == 0:
            lines.append("  ".join("-" * width for width in columns))
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


_WRITERS: dict[str, Callable[[Table], str]] = {
    "table": _text,
    "md": _markdown,
    "latex": _latex,
}
