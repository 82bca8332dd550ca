# SPDX-License-Identifier: Apache-2.0
"""References and systems, read as sacreBLEU reads them.

Trailing white space is removed; only LF ends a line of a file, while on standard
input CR does too; a byte order mark is text. The rules of `tertium.data` are better,
but would change the numbers.
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

#: Takes a remark for the user.
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
    """Return the references: one per file, or several from the columns of one file.

    Parameters
    ----------
    paths : sequence of str
    columns : int
        The number of references per line, separated by tabs.
    encoding : str
    remark : callable

    Raises
    ------
    InputError
        If there is no file, or there are several files with several columns.
    FormatError
        If a line has too few columns, or a file cannot be read.
    """
    if not paths:
        message = (
            "there is no reference; name the reference files first: "
            "tertium sacrebleu ref.txt -i out.txt"
        )
        raise InputError(message)
    if columns == 1:
        return [Column(path, _stripped(path, encoding, remark)) for path in paths]
    if columns < 1 or len(paths) > 1:
        message = (
            f"num_refs={columns} with {len(paths)} reference files; give one file with "
            "that many columns, or several files with one each"
        )
        raise InputError(message, options=("num_refs",))
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
        Whether the first system is the baseline; it is then named so.
    encoding : str
    remark : callable

    Raises
    ------
    InputError
        If there is no system, or the same one twice.
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
    """Return the reference of each segment, or a tuple of several references."""
    lines = [reference.lines for reference in references]
    return lines[0] if len(lines) == 1 else list(zip(*lines, strict=True))


def check_lengths(systems: Sequence[Column], references: Sequence[Column]) -> None:
    """Raise an error unless all have the same number of lines, and at least one."""
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
    references: list[list[str]] = [[] for _ in range(columns)]
    for number, line in enumerate(lines, start=1):
        # Further tabs belong to the last reference.
        fields = line.split("\t", columns - 1)
        if len(fields) != columns:
            what = f"{len(fields)} columns, not {columns}; separate them with tabs"
            raise FormatError(what, path=display(path), line=number)
        for field, column in zip(fields, references, strict=True):
            column.append(field)
    return [
        Column(f"{path}, column {i + 1}", lines) for i, lines in enumerate(references)
    ]


def _checked(paths: Sequence[str], paired: bool, remark: Remark) -> list[str]:
    kept: list[str] = []
    for path in paths:
        if path not in kept:
            kept.append(path)
        elif paired and path == paths[0]:
            remark(f"{path} is the baseline; its second mention is ignored")
        else:
            message = f"system {path} is given twice; give each file once"
            raise InputError(message, options=("input",))
    if not kept:
        message = "input names no file; name the systems, or omit it to read stdin"
        raise InputError(message, options=("input",))
    return kept


def _read_stdin(encoding: str, remark: Remark) -> list[Column]:
    if sys.stdin is not None and sys.stdin.isatty():
        remark("reading the system from standard input (-i reads files)")
    text = _read("-", encoding, remark)
    if not text:
        what = "there is no input; pipe a system in, or name files"
        raise FormatError(what, path=display("-"), options=("input",))
    first, *lines = _lines(text.replace("\r\n", "\n").replace("\r", "\n"))
    columns = [[field] for field in first.rstrip().split("\t")]
    for number, line in enumerate(lines, start=2):
        fields = line.rstrip().split("\t")
        if len(fields) != len(columns):
            what = (
                f"{len(fields)} columns, but {len(columns)} in line 1; "
                "give one column per system, separated by tabs"
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
            "save the file as UTF-8, or name its encoding"
        )
        raise FormatError(
            what, path=display(path), line=line, options=("encoding",)
        ) from None
    except LookupError:
        message = f"unknown encoding {encoding!r}; give utf-8 or latin-1, for example"
        raise InputError(message, options=("encoding",)) from None
    if text.startswith(_BOM):
        remark(
            f"{display(path)} starts with a byte order mark, which sacreBLEU scores as "
            "text; `tertium score` leaves it out"
        )
    return text
