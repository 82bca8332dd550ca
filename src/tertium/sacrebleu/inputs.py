# SPDX-License-Identifier: Apache-2.0
"""References and systems, read as sacreBLEU reads them.

White space at the end of a line goes; only LF ends a line of a file, while on
standard input CR does too; a byte order mark is text. The data room has better
rules, but with them the numbers would differ.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tertium._messages import mismatch
from tertium.data.lines import display, open_bytes
from tertium.errors import FormatError, InputError

if TYPE_CHECKING:
    from tertium.sacrebleu.scores import Segments

__all__ = [
    "Column",
    "Remark",
    "check_lengths",
    "read_references",
    "read_systems",
    "segments",
]

#: Says something to the user.
Remark: TypeAlias = Callable[[str], None]

_BOM = "\ufeff"


@dataclass(frozen=True)
class Column:
    """The lines of a reference or of a system, with its name."""

    name: str
    lines: list[str]


def read_references(
    paths: Sequence[str], *, columns: int, encoding: str, remark: Remark
) -> list[Column]:
    """Return the references: one a file, or several from the columns of one.

    Parameters
    ----------
    paths : sequence of str
    columns : int
        How many references stand in a line, separated by tabs.
    encoding : str
    remark : callable

    Raises
    ------
    InputError
        If there is no file, or several with several columns.
    FormatError
        If a line has too few columns, or a file cannot be read.
    """
    if not paths:
        message = (
            "no reference given; name the reference files first: "
            "tertium sacrebleu ref.txt -i out.txt"
        )
        raise InputError(message)
    if columns == 1:
        return [Column(path, _stripped(path, encoding, remark)) for path in paths]
    if columns < 1 or len(paths) > 1:
        message = (
            f"-nr {columns} with {len(paths)} reference files; give one file with that "
            "many columns, or several files without -nr"
        )
        raise InputError(message)
    return _split_references(paths[0], columns, _stripped(paths[0], encoding, remark))


def read_systems(
    paths: Sequence[str] | None, *, paired: bool, encoding: str, remark: Remark
) -> list[Column]:
    """Return the systems, from files or from the columns of standard input.

    Parameters
    ----------
    paths : sequence of str or None
        None for standard input.
    paired : bool
        Whether the first one is a baseline, which gets that name.
    encoding : str
    remark : callable

    Raises
    ------
    InputError
        If there is no system, or one twice.
    FormatError
        If the number of columns changes, or a file cannot be read.
    """
    if paths is None:
        systems = _read_stdin(encoding, remark)
    else:
        paths = _checked(paths, paired, remark)
        systems = [Column(path, _stripped(path, encoding, remark)) for path in paths]
    if not paired:
        return systems
    first, *others = systems
    if paths is not None:
        return [Column(f"Baseline: {first.name}", first.lines), *others]
    others = [Column(f"System {i}", one.lines) for i, one in enumerate(others, start=1)]
    return [Column("Baseline", first.lines), *others]


def segments(references: Sequence[Column]) -> Segments:
    """Return the reference of every segment, or its references if there are more."""
    lines = [reference.lines for reference in references]
    return lines[0] if len(lines) == 1 else list(zip(*lines, strict=True))


def check_lengths(systems: Sequence[Column], references: Sequence[Column]) -> None:
    """Raise an error unless all have equally many lines, and at least one."""
    for system in systems:
        if not system.lines:
            message = f"{system.name} is empty; give one line per segment"
            raise InputError(message)
        for reference in references:
            pair = (reference, system)
            short, long = sorted(pair, key=lambda one: len(one.lines))
            if len(short.lines) == len(long.lines):
                continue
            first, second = ((one.name, len(one.lines)) for one in pair)
            extra = long.lines[len(short.lines)]
            raise InputError(mismatch(first, second, extra=extra, unit="line"))


def _split_references(path: str, columns: int, lines: list[str]) -> list[Column]:
    found: list[list[str]] = [[] for _ in range(columns)]
    for number, line in enumerate(lines, start=1):
        # More tabs than asked for belong to the last reference.
        fields = line.split("\t", columns - 1)
        if len(fields) != columns:
            what = f"{len(fields)} columns, not {columns}; separate them with tabs"
            raise FormatError(what, path=display(path), line=number)
        for field, column in zip(fields, found, strict=True):
            column.append(field)
    return [Column(f"{path}, column {i + 1}", one) for i, one in enumerate(found)]


def _checked(paths: Sequence[str], paired: bool, remark: Remark) -> list[str]:
    kept: list[str] = []
    for path in paths:
        if path not in kept:
            kept.append(path)
        elif paired and path == paths[0]:
            remark(f"{path} is the baseline; its second mention does not count")
        else:
            message = f"system {path} is given twice with -i; give every file once"
            raise InputError(message)
    if not kept:
        message = "-i names no file; name the systems, or leave -i out to read stdin"
        raise InputError(message)
    return kept


def _read_stdin(encoding: str, remark: Remark) -> list[Column]:
    if sys.stdin is not None and sys.stdin.isatty():
        remark("reading the system from standard input; -i reads files")
    text = _read("-", encoding, remark)
    if not text:
        what = "no input; pipe a system in, or name files with -i"
        raise FormatError(what, path=display("-"))
    first, *lines = _lines(text.replace("\r\n", "\n").replace("\r", "\n"))
    columns = [[field] for field in first.rstrip().split("\t")]
    for number, line in enumerate(lines, start=2):
        fields = line.rstrip().split("\t")
        if len(fields) != len(columns):
            what = (
                f"{len(fields)} columns, but {len(columns)} in line 1; "
                "give every system a column, separated by tabs"
            )
            raise FormatError(what, path=display("-"), line=number)
        for field, column in zip(fields, columns, strict=True):
            column.append(field.rstrip())
    return [Column(f"System {i + 1}", one) for i, one in enumerate(columns)]


def _stripped(path: str, encoding: str, remark: Remark) -> list[str]:
    return [line.rstrip() for line in _lines(_read(path, encoding, remark))]


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _read(path: str, encoding: str, remark: Remark) -> str:
    with open_bytes(path) as stream:
        data = stream.read()
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = (
            f"byte 0x{data[error.start]:02x} is not {encoding}; "
            "save the file as UTF-8, or name its encoding with -e"
        )
        raise FormatError(what, path=display(path), line=line) from None
    except LookupError:
        message = f"unknown encoding {encoding!r} after -e; write utf-8, latin-1 or so"
        raise InputError(message) from None
    if text.startswith(_BOM):
        remark(
            f"{display(path)} starts with a byte order mark, which sacreBLEU scores as "
            "text; `tertium score` leaves it out"
        )
    return text
