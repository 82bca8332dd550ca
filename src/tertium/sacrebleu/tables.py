# SPDX-License-Identifier: Apache-2.0
"""Two table layouts, as the package tabulate prints them for sacreBLEU.

The first column is right-aligned, the others are centred; a column is two characters
wider than its head. Cells may have several lines and colours. (tabulate also treats
system names as numbers if all of them look like numbers; names stay names here.)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["booktabs", "grid"]

_COLOUR = re.compile("\x1b\\[[0-9]*m")
_LATEX = {
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "^": r"\^{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "\\": r"\textbackslash{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
}


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    r"""Return a table with single and double rules.

    Examples
    --------
    >>> print(grid(["System", "BLEU"], [["a", "1.0\n(p)"], ["b", "2.0"]]))
    ╒══════════╤════════╕
    │   System │  BLEU  │
    ╞══════════╪════════╡
    │        a │  1.0   │
    │          │  (p)   │
    ├──────────┼────────┤
    │        b │  2.0   │
    ╘══════════╧════════╛
    """
    rows = _stripped(rows)
    widths = _widths(head, rows)

    def rule(left: str, fill: str, cross: str, right: str) -> str:
        return left + cross.join(fill * (width + 2) for width in widths) + right

    body = f"\n{rule('├', '─', '┼', '┤')}\n".join(
        _grid_row(row, widths) for row in rows
    )
    return "\n".join(
        [
            rule("╒", "═", "╤", "╕"),
            _grid_row(head, widths),
            rule("╞", "═", "╪", "╡"),
            body,
            rule("╘", "═", "╧", "╛"),
        ]
    )


def booktabs(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    r"""Return a table for LaTeX with the package booktabs.

    Examples
    --------
    >>> print(booktabs(["System", "BLEU"], [["a_1", "1.0"]]))
    \begin{tabular}{rc}
    \toprule
       System &  BLEU  \\
    \midrule
          a\_1 &  1.0   \\
    \bottomrule
    \end{tabular}
    """
    rows = _stripped(rows)
    widths = _widths(head, rows)

    def line(cells: Sequence[str]) -> str:
        padded = [f" {cell} " for cell in _padded(cells, widths)]
        # After padding, as in tabulate: escapes widen the columns.
        escaped = ["".join(_LATEX.get(char, char) for char in cell) for cell in padded]
        return "&".join(escaped) + r"\\"

    columns = "r" + "c" * (len(head) - 1)
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            line(head),
            r"\midrule",
            *map(line, rows),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _stripped(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the cells without surrounding white space, which heads keep."""
    return [[cell.strip() for cell in row] for row in rows]


def _grid_row(cells: Sequence[str], widths: Sequence[int]) -> str:
    columns = [cell.split("\n") for cell in cells]
    height = max(map(len, columns))
    lines = []
    for i in range(height):
        at = [column[i] if i < len(column) else "" for column in columns]
        lines.append("│" + "│".join(f" {cell} " for cell in _padded(at, widths)) + "│")
    return "\n".join(lines)


def _padded(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    padded = []
    for i, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        space = width - _width(cell)
        before = space if i == 0 else space // 2
        padded.append(" " * before + cell + " " * (space - before))
    return padded


def _widths(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    widths = [_width(name) + 2 for name in head]
    for row in rows:
        cells = [max(map(_width, cell.split("\n"))) for cell in row]
        widths = list(map(max, widths, cells))
    return widths


def _width(text: str) -> int:
    return len(_COLOUR.sub("", text))
