# SPDX-License-Identifier: Apache-2.0
"""Where a quotation is in a text.

Models quote with small changes: other quotation marks, other spaces, upper case,
accents composed in another way. If the quotation is not in the text as it is, these are
ignored.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

__all__ = ["locate"]

_SAME = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032`´", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
}


def locate(quotation: str, text: str, occurrence: int = 1) -> tuple[int, int] | None:
    """Return start and end of a quotation in code points, or None.

    Parameters
    ----------
    quotation, text : str
    occurrence : int
        Which one, counted from 1. The last one if there are fewer.

    Examples
    --------
    >>> locate("the", "the cat and the dog", 2)
    (12, 15)
    >>> locate("“The  CAT”", 'look: "the cat"')
    (6, 15)
    >>> locate("mouse", "the cat") is None
    True
    """
    if not quotation.strip():
        return None
    exact = _occurrences(quotation, text)
    if exact:
        start = exact[min(occurrence, len(exact)) - 1]
        return start, start + len(quotation)
    folded, starts = _folded(text)
    wanted = _folded(quotation.strip())[0]
    spans = []
    for at in _occurrences(wanted, folded):
        end = at + len(wanted)
        # Not in the middle of what is one character of the text.
        if starts[at] != _before(starts, at) and starts[end] != starts[end - 1]:
            spans.append((starts[at], starts[end - 1] + 1))
    return spans[min(occurrence, len(spans)) - 1] if spans else None


def _before(starts: tuple[int, ...], at: int) -> int:
    return starts[at - 1] if at else -1


def _occurrences(part: str, text: str) -> list[int]:
    """Return where a text begins in another, overlapping ones too."""
    places = []
    at = text.find(part) if part else -1
    while at >= 0:
        places.append(at)
        at = text.find(part, at + 1)
    return places


@lru_cache(maxsize=64)
def _folded(text: str) -> tuple[str, tuple[int, ...]]:
    """Return a text without small differences, and where each character was.

    The places end with the length of the text. White space is one space.
    """
    out: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        plain = " " if char.isspace() else _SAME.get(char) or _plain(char)
        if plain == " " and out and out[-1] == " ":
            continue
        out += plain
        places += [place] * len(plain)
    return "".join(out), (*places, len(text))


def _plain(char: str) -> str:
    return unicodedata.normalize("NFKD", char).casefold()
