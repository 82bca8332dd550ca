# SPDX-License-Identifier: Apache-2.0
"""The width of text in diagrams and terminals.

Diagrams are laid out without a browser, so widths are estimated: the advance
widths of Helvetica (Arial and Liberation Sans have the same) for ASCII, that of
the base letter for letters with marks, and averages for other scripts, all a
little too wide rather than too narrow.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

__all__ = ["columns", "minus", "pad", "shorten", "text_width", "wrap"]

# Thousandths of the font size, from the space to the tilde.
_ASCII = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
# First code point of a script and a generous average width; the last that fits.
_SCRIPTS = (
    (0x80, 600),
    (0x370, 640),  # Greek
    (0x400, 680),  # Cyrillic
    (0x530, 660),  # Armenian, Hebrew, Arabic
    (0x900, 720),  # scripts of India and South-East Asia
    (0x1100, 1000),  # Hangul letters
    (0x1200, 800),
    (0x2000, 700),  # signs
    (0x2E80, 1000),  # Chinese, Japanese, Korean
    (0xA4D0, 800),
    (0xAC00, 1000),
    (0xD7B0, 800),
    (0x1F000, 1300),  # pictures
    (0x20000, 1000),
)
_SIGNS = {"⟨": 400, "⟩": 400, "…": 1000, "→": 1000, "↓": 600, "·": 300, "–": 556}
_ELLIPSIS = "…"


def minus(text: str) -> str:
    """Return numbers as text with minus signs instead of hyphens.

    Examples
    --------
    >>> minus("-1.50 to 2.25")
    '\u22121.50 to 2.25'
    """
    return text.replace("-", "\N{MINUS SIGN}")


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a line of text in a font of this size."""
    thousandths = sum(map(_advance, text))
    return thousandths * size / 1000 * (1.09 if bold else 1.03)


@lru_cache(maxsize=4096)
def _advance(char: str) -> int:
    code = ord(char)
    if 32 <= code < 127:
        return _ASCII[code - 32]
    if char in _SIGNS:
        return _SIGNS[char]
    if unicodedata.category(char) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    if unicodedata.east_asian_width(char) in "WF":
        return 1300 if code >= 0x1F000 and code < 0x20000 else 1000
    base = unicodedata.normalize("NFD", char)[0]
    if base != char and ord(base) < 127:
        return _ASCII[ord(base) - 32]
    return [width for first, width in _SCRIPTS if first <= code][-1]


def shorten(text: str, size: float, limit: float) -> str:
    """Return the text, cut with an ellipsis if it is wider than the limit."""
    if text_width(text, size) <= limit:
        return text
    kept = text
    while kept and text_width(kept + _ELLIPSIS, size) > limit:
        kept = kept[:-1]
    # A mark must not be cut from its letter, nor a joiner left alone.
    while kept and unicodedata.category(text[len(kept)]) in ("Mn", "Me", "Cf"):
        kept = kept[:-1]
    return kept + _ELLIPSIS


def columns(text: str) -> int:
    """Return how many columns of a terminal the text fills."""
    if text.isascii():
        return len(text)
    total = 0
    for char in text:
        if unicodedata.category(char) in ("Mn", "Me", "Cf"):
            continue
        total += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return total


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Return the text filled with spaces to a number of columns."""
    space = " " * max(0, width - columns(text))
    return space + text if right else text + space


def wrap(words: list[str], width: int) -> list[list[str]]:
    """Return words in lines of at most `width` columns; a long word stays whole."""
    lines: list[list[str]] = []
    used = 0
    for word in words:
        size = columns(word)
        if lines and used + 1 + size <= width:
            lines[-1].append(word)
            used += 1 + size
        else:
            lines.append([word])
            used = size
    return lines
