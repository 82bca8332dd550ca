# SPDX-License-Identifier: Apache-2.0
"""Where results go: stdout, a file, or through Rich to a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from tertium.cli.shared.parsers import note_result
from tertium.cli.shared.values import Output
from tertium.errors import InputError
from tertium.report.tables.table import SEPARATORS, Table, as_lines, as_text, widths

if TYPE_CHECKING:
    from tertium.engine.base import Result

__all__ = [
    "check_excel",
    "check_workbook",
    "emit",
    "emit_json",
    "emit_lines",
    "render",
    "write_excel",
    "write_result",
]


def emit(text: str, output: str | None) -> None:
    """Write to stdout, or to a file that appears only when it is complete."""
    if text and not text.endswith("\n"):
        text += "\n"
    _write([text], output)


def emit_lines(lines: Iterable[str], output: str | None) -> None:
    """Write lines, given without their ends, as `emit` writes a text."""
    _write((f"{line}\n" for line in lines), output)


def _write(parts: Iterable[str], output: str | None) -> None:
    if output in (None, "-", "/dev/stdout"):
        sys.stdout.writelines(parts)
        sys.stdout.flush()
        return
    from tertium._files import replace_file

    with replace_file(str(output)) as file:
        file.writelines(map(str.encode, parts))


def emit_json(content: object, output: str | None) -> None:
    """Write an object as JSON, readable in any language."""
    import json

    emit(json.dumps(content, ensure_ascii=False, indent=2), output)


def write_result(
    options: Output,
    content: Callable[[], object],
    tables: Callable[[], Sequence[Table]],
) -> None:
    """Write a result as JSON or as tables.

    Parameters
    ----------
    options : Output
    content : callable
        Returns what is written as JSON: a text, or an object.
    tables : callable
        Returns the tables.
    """
    note_result(content)
    if options.format != "json":
        render(tables(), options.format, output=options.output)
    elif isinstance(text := content(), str):
        emit(text, options.output)
    else:
        emit_json(text, options.output)


def check_excel(options: Output) -> None:
    """Raise an error if a workbook has nowhere to go, before long work."""
    if options.excel:
        check_workbook(options.output)


def check_workbook(output: str | None) -> None:
    """Raise an error if a workbook would go to a terminal or a pipe."""
    if output in (None, "-", "/dev/stdout"):
        raise InputError("an Excel workbook needs a file; give -o FILE.xlsx")


def write_excel(options: Output, result: Result) -> None:
    """Write a result as an Excel workbook."""
    result.to_excel(str(options.output))


def render(tables: Sequence[Table], format: str, *, output: str | None = None) -> None:
    """Write tables in a format, through Rich if stdout is a terminal."""
    if format == "table" and output is None and sys.stdout.isatty():
        _draw(tables)
        return
    if format in SEPARATORS and len(tables) == 1:
        _write(as_lines(tables[0], format), output)  # row by row: there may be many
        return
    emit(as_text(tables, format), output)


def _draw(tables: Sequence[Table]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console(highlight=False)
    for table in tables:
        if sum(widths(table)) + 3 * len(table.head) > console.width:
            # Rich would cut cells off; figures must stay whole.
            sys.stdout.write(f"{as_text([table])}\n")
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
