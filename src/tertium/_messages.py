# SPDX-License-Identifier: Apache-2.0
"""Wording that several error messages share.

Lines and segments are counted from 1 in every message.
"""

from __future__ import annotations

__all__ = ["count", "mismatch", "quote"]

_LIMIT = 40


def quote(text: str) -> str:
    """Return ``text`` quoted for a message, shortened when it is long.

    Examples
    --------
    >>> quote("a short line")
    "'a short line'"
    >>> quote("x" * 50)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'"
    """
    return repr(text if len(text) <= _LIMIT else text[:_LIMIT] + "...")


def count(number: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> count(1, "segment"), count(2000, "segment")
    ('1 segment', '2,000 segments')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def mismatch(
    first: tuple[str, int], second: tuple[str, int], *, extra: str, unit: str
) -> str:
    """Return the message for two columns of different length.

    Parameters
    ----------
    first, second : tuple of str and int
        What the column is, and how many segments it has.
    extra : str
        The first item that only the longer column has.
    unit : str
        What one item is: ``line`` for files, ``segment`` in memory.

    Examples
    --------
    >>> mismatch(("ref.txt", 1), ("A.txt", 2), extra="more", unit="line")
    "ref.txt has 1 segment, A.txt has 2 (first extra line 2: 'more'); \
give one line per segment"
    """
    number = min(first[1], second[1]) + 1
    cure = "give one line per segment" if unit == "line" else "give one per segment"
    return (
        f"{first[0]} has {count(first[1], 'segment')}, {second[0]} has {second[1]} "
        f"(first extra {unit} {number}: {quote(extra)}); {cure}"
    )
