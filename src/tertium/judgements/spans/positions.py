# SPDX-License-Identifier: Apache-2.0
"""Positions in a text: code points, UTF-16 units and UTF-8 bytes.

Spans of Tertium count code points. Browsers count UTF-16 units, in which characters
outside the basic plane take two, and some programs count UTF-8 bytes, of which a
character takes one to four. A position is a gap between characters, from 0 to the
length of the text. One inside a character is moved to its beginning if a span starts
there, and to its end if a span ends there, so that no character is cut.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from tertium.errors import InputError, UnknownNameError

__all__ = ["UNITS", "convert_span", "offsets"]

#: What positions can count.
UNITS = ("code-point", "utf-16", "utf-8")


def offsets(text: str, unit: str) -> list[int]:
    """Return where every character begins, then the length, in some unit.

    Raises
    ------
    UnknownNameError

    Examples
    --------
    >>> offsets("a😀é", "utf-16"), offsets("a😀é", "utf-8")
    ([0, 1, 3, 4], [0, 1, 5, 7])
    """
    if unit == "code-point":
        return list(range(len(text) + 1))
    if unit == "utf-16":
        sizes = [2 if ord(char) > 0xFFFF else 1 for char in text]
    elif unit == "utf-8":
        sizes = [_utf8_size(ord(char)) for char in text]
    else:
        raise UnknownNameError("unit of positions", unit, UNITS)
    return list(accumulate(sizes, initial=0))


def convert_span(
    text: str, start: int, end: int, *, source: str, target: str
) -> tuple[int, int]:
    """Return a span of a text, with an exclusive end, counted in another unit.

    Parameters
    ----------
    text : str
    start, end : int
        Positions from 0.
    source, target : {"code-point", "utf-16", "utf-8"}
        What the positions count, and what the result is to count.

    Raises
    ------
    InputError
        When the span is reversed, or lies outside the text.

    Examples
    --------
    >>> convert_span("a😀b", 3, 4, source="utf-16", target="code-point")
    (2, 3)
    """
    known = offsets(text, source)
    wanted = offsets(text, target)
    if start > end:
        message = f"the span from {start} to {end} is reversed; swap its ends"
        raise InputError(message)
    if start < 0 or end > known[-1]:
        message = (
            f"the span from {start} to {end} lies outside the text of {known[-1]} "
            f"({source}); check the text and the unit"
        )
        raise InputError(message)
    return wanted[_before(known, start)], wanted[bisect_left(known, end)]


def _before(known: Sequence[int], position: int) -> int:
    """Return the character that a position is in, or begins."""
    return bisect_right(known, position) - 1


def _utf8_size(code: int) -> int:
    return 1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF)
