# SPDX-License-Identifier: Apache-2.0
"""Ranks, times and durations, as files of judgements spell them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timezone

from tertium.judgements.judgement import Bad, Place

__all__ = [
    "NothingRanked",
    "bad",
    "check_places",
    "moment",
    "rank",
    "seconds",
    "without_breaks",
]

_MOST = 30_000  # A rank takes 16 bits.


def rank(text: str) -> int | None:
    """Return a rank from 1, or None where the text is not such a number."""
    if text.isascii() and text.isdigit() and 1 <= int(text) <= _MOST:
        return int(text)
    return None


def seconds(text: str) -> float | None:
    """Return a duration such as ``00:01:02.5`` or ``62.5`` in seconds.

    Raises
    ------
    ValueError
        When it is not a duration. Empty text and ``None`` are an unknown one.

    Examples
    --------
    >>> seconds("00:01:02.5"), seconds("62.5"), seconds("")
    (62.5, 62.5, None)
    """
    if text in ("", "None"):
        return None
    parts = text.split(":")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = [math.nan]
    if len(parts) > 3 or not all(n >= 0 and math.isfinite(n) for n in numbers):
        message = f"duration {text!r} is neither seconds nor hours:minutes:seconds"
        raise ValueError(message)
    total = 0.0
    for number in numbers:
        total = 60 * total + number
    return total


def moment(text: str) -> datetime | None:
    """Return a time in ISO form; one with an offset becomes UTC without it.

    Raises
    ------
    ValueError
        When it is not a time. Empty text is an unknown one.

    Examples
    --------
    >>> moment("2024-03-04T09:00:00+01:00")
    datetime.datetime(2024, 3, 4, 8, 0)
    """
    if not text:
        return None
    try:
        # Python 3.10 does not know Z.
        time = datetime.fromisoformat(text.replace("Z", "+00:00"))
        return (
            time.astimezone(timezone.utc).replace(tzinfo=None) if time.tzinfo else time
        )
    except (ValueError, OverflowError):
        message = f"time {text!r} is not ISO 8601, such as 2024-03-04T09:00:00"
        raise ValueError(message) from None


class NothingRanked(ValueError):  # noqa: N818, a row may be fine without ranks
    """A judge ranked fewer than two systems."""


def check_places(places: Sequence[Place]) -> None:
    """Raise an error if the places of a ranking are wrong, or too few.

    Raises
    ------
    ValueError
        When a system is there twice.
    NothingRanked
        When there is nothing to compare.
    """
    names = [system for place in places for system in place.systems]
    if len(names) != len(set(names)):
        message = f"a system is named twice: {', '.join(names)}"
        raise ValueError(message)
    if len(places) < 2 and len(names) < 2:
        count = "one system is" if places else "no system is"
        message = f"{count} ranked; a ranking has two at least"
        raise NothingRanked(message)


def bad(line: int, error: ValueError, text: str) -> Bad:
    """Return the row that an error is about."""
    return Bad(line, str(error), text, skipped=isinstance(error, NothingRanked))


def without_breaks(text: str) -> str:
    r"""Return text in one cell of a table: tab, line ends and \ are escaped."""
    for char, escape in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(char, escape)
    return text
