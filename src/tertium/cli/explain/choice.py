# SPDX-License-Identifier: Apache-2.0
"""Which segments to explain: numbers, or a list of ``tertium score --worst``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium._messages import count, quote
from tertium.errors import FormatError, InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.data.testset import Testset

__all__ = ["Place", "choose", "read_list"]

_MOST = 50


@dataclass(frozen=True)
class Place:
    """A segment to explain, and the line that named it."""

    system: str
    segment: int
    metric: str = ""
    line: int = 0


def choose(
    args: argparse.Namespace, testset: Testset, places: Sequence[Place] | None
) -> list[tuple[int, str]]:
    """Return segments and systems in the order in which to explain them."""
    for name in args.system or ():
        if name not in testset.systems:
            raise UnknownNameError("system", name, testset.systems)
    systems = list(args.system or testset.systems)
    if places is not None:
        found = []
        for place in places:
            if place.system not in testset.systems:
                raise UnknownNameError("system", place.system, testset.systems)
            _check_number(place.segment, len(testset), f"{args.list}:{place.line}")
            if place.system in systems:
                found.append((place.segment, place.system))
        return list(dict.fromkeys(found))
    if args.segments is None:
        if len(testset) * len(systems) > _MOST:
            message = (
                f"{count(len(testset), 'segment')} of "
                f"{count(len(systems), 'system')} are many to explain; choose "
                "with --segments 3,7,10-12 and --system, or take the list that "
                "`tertium score --worst 20 -f tsv` makes with --list"
            )
            raise InputError(message)
        numbers = list(range(1, len(testset) + 1))
    else:
        numbers = _numbers(args.segments, len(testset))
    return [(number, system) for number in numbers for system in systems]


def _numbers(text: str, size: int) -> list[int]:
    """Return the numbers of a list such as 3,7,10-12."""
    found: list[int] = []
    for part in text.replace(",", " ").split():
        match = re.fullmatch(r"([0-9]{1,18})(?:-([0-9]{1,18}))?", part)
        if match is None:
            message = (
                f"{quote(part)} is not a segment number; write a list such as 3,7,10-12"
            )
            raise InputError(message)
        first = int(match[1])
        last = int(match[2]) if match[2] else first
        if last < first:
            message = f"{part} runs backwards; write {last}-{first}"
            raise InputError(message)
        _check_number(first, size, "--segments")
        _check_number(last, size, "--segments")
        found += range(first, last + 1)
    if not found:
        message = "--segments names none; write a list such as 3,7,10-12"
        raise InputError(message)
    return list(dict.fromkeys(found))


def _check_number(number: int, size: int, where: str) -> None:
    if not 1 <= number <= size:
        message = (
            f"{where}: there is no segment {number}; the test set has "
            f"{count(size, 'segment')}, counted from 1"
        )
        raise InputError(message)


def read_list(path: str) -> list[Place]:
    """Return the segments that a list of ``score --worst`` names.

    It is the TSV, CSV or JSON of that command, or any table with the columns
    ``system`` and ``segment``.

    Raises
    ------
    FormatError
        If it is neither.
    """
    from tertium.data.lines import display, open_lines

    name = display(path)
    text = "\n".join(open_lines(path))
    if text.lstrip().startswith("{"):
        return _from_json(text, name)
    import csv
    import io

    from tertium.data.formats.comma import separator_of

    head_line = text.partition("\n")[0]
    separator = "\t" if "\t" in head_line else separator_of(head_line)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=separator))
    except csv.Error:  # a lone carriage return, say
        rows = []
    if not rows or not {"system", "segment"} <= set(rows[0]):
        message = (
            "this is no list of segments; make one with `tertium score --worst 20 -f "
            "tsv`, or write a TSV or CSV with the columns system and segment"
        )
        raise FormatError(message, path=name, line=1)
    head = rows[0]
    found = []
    for line, row in enumerate(rows[1:], start=2):
        if not row:
            continue
        if len(row) != len(head):
            message = f"{len(row)} columns, but the head has {len(head)}; give as many"
            raise FormatError(message, path=name, line=line)
        own = dict(zip(head, row, strict=True))
        found.append(
            Place(
                own["system"],
                _number(own["segment"], name, line),
                own.get("metric", ""),
                line,
            )
        )
    return found


def _from_json(text: str, name: str) -> list[Place]:
    import json

    try:
        items = json.loads(text)["worst"]
        return [
            Place(
                str(item["system"]), int(item["segment"]), str(item.get("metric", ""))
            )
            for item in items
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        message = (
            "this JSON lists no segments; make it with `tertium score --worst 20 "
            "-f json`"
        )
        raise FormatError(message, path=name) from None


def _number(text: str, name: str, line: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        message = f"{quote(text)} is not a segment number; count segments from 1"
        raise FormatError(message, path=name, line=line)
    return int(text)
