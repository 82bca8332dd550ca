# SPDX-License-Identifier: Apache-2.0
"""Positions of marks: code points of an output, never within a character.

What a reader sees as one character may be several code points: a letter with combining
marks, an emoji with a skin tone, a family joined by zero-width joiners, a flag. A mark
that begins or ends within one is widened. This follows the rules of Unicode (UAX 29)
that matter for marks; Hangul written as single jamo is left as it is.
"""

from __future__ import annotations

import unicodedata

__all__ = ["joins", "widened"]

_JOINER = "\u200d"


def _extends(char: str) -> bool:
    """Return whether a code point belongs to the one before it."""
    return (
        unicodedata.category(char) in ("Mn", "Mc", "Me")
        or char == _JOINER
        or "\U0001f3fb" <= char <= "\U0001f3ff"  # skin tones
        or "\U000e0020" <= char <= "\U000e007f"  # tags, as in the flag of Wales
    )


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def joins(text: str, place: int) -> bool:
    r"""Return whether a place lies within a character.

    Examples
    --------
    >>> [joins("e\u0301a", place) for place in range(4)]
    [False, True, False, False]
    """
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if (before, after) == ("\r", "\n"):
        return True
    if before.isspace() or after.isspace():
        return False
    if _extends(after) or before == _JOINER:
        return True
    if _is_flag(before) and _is_flag(after):
        first = place - 1
        while first > 0 and _is_flag(text[first - 1]):
            first -= 1
        return (place - first) % 2 == 1  # flags are pairs of letters
    return False


def widened(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return a stretch of whole characters without white space around it.

    Parameters
    ----------
    start, end : int
        Code points of the text; the end is exclusive.

    Returns
    -------
    tuple of int or None
        None where there is only white space.

    Examples
    --------
    >>> widened("one two three", 3, 8)
    (4, 7)
    """
    while joins(text, start):
        start -= 1
    while joins(text, end):
        end += 1
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
