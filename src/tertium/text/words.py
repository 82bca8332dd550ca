# SPDX-License-Identifier: Apache-2.0
"""The words of texts, as an analysis counts them.

Numbers keep their separators, letters make words (with digits after them, as in A380),
every other sign stands alone; so does every letter of a script that is written without
spaces. Unlike the tokenisers of metrics this one changes nothing, so that a word has a
place in its text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

__all__ = ["pattern", "spans", "split"]

# Han, kana, Thai, Lao, Burmese, Khmer: letters that are counted as words.
_ALONE = (
    (0xE01, 0xE30), (0xE32, 0xE33), (0xE40, 0xE46), (0xE81, 0xEB0), (0xEBD, 0xEC6),
    (0x1000, 0x102A), (0x1780, 0x17B3), (0x3005, 0x3007), (0x3040, 0x3096),
    (0x309D, 0x30FA), (0x30FD, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF), (0x20000, 0x3134F),
)  # fmt: skip
_LAST = 0x1FFFF  # Other letters, digits and marks have smaller numbers.


@cache
def pattern(*, script: bool = False) -> str:
    """Return a regular expression for words, without classes that engines disagree on.

    Parameters
    ----------
    script : bool
        Whether it is for JavaScript (with its flag ``u``).
    """
    alone = {number for low, high in _ALONE for number in range(low, high + 1)}
    kinds: dict[str, list[int]] = {"letter": [], "digit": [], "mark": [], "space": []}
    for number in range(_LAST + 1):
        if number in alone:
            continue
        char = chr(number)
        category = unicodedata.category(char)
        if category == "Nd":
            kinds["digit"].append(number)
        elif category[0] == "L" or category in ("Nl", "No"):
            kinds["letter"].append(number)
        elif category in ("Mn", "Mc"):
            kinds["mark"].append(number)
        elif char.isspace():
            kinds["space"].append(number)
    written = {
        kind: _written(_ranges(numbers), script=script)
        for kind, numbers in (*kinds.items(), ("alone", sorted(alone)))
    }
    joiners = _written([(0x200C, 0x200D)], script=script)
    emoji = _written([(0x200D, 0x200D), (0xFE0F, 0xFE0F)], script=script)
    marks = f"[{written['mark']}{joiners}]*"
    digits = f"[{written['digit']}]+"
    more = "".join(written[kind] for kind in ("letter", "digit", "mark"))
    letters = f"[{written['letter']}][{more}{joiners}]*"
    return (
        f"{digits}(?:[.,:/]{digits})*|{letters}(?:['\u2019]{letters})*"
        f"|[{written['alone']}]{marks}"
        f"|[^{written['space']}][{written['mark']}{emoji}]*"
    )


def _ranges(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return sorted numbers as ranges."""
    out: list[tuple[int, int]] = []
    for number in numbers:
        if out and out[-1][1] == number - 1:
            out[-1] = (out[-1][0], number)
        else:
            out.append((number, number))
    return out


def _written(ranges: Sequence[tuple[int, int]], *, script: bool) -> str:
    """Return ranges of characters as a part of a class."""
    form = "\\u{{{:x}}}" if script else "\\U{:08x}"
    return "".join(
        form.format(low) + (f"-{form.format(high)}" if high > low else "")
        for low, high in ranges
    )


@cache
def _compiled() -> re.Pattern[str]:
    return re.compile(pattern())


def split(text: str) -> list[str]:
    """Return the words of a text.

    Examples
    --------
    >>> split("It's 1,000.50 (again)!")
    ["It's", '1,000.50', '(', 'again', ')', '!']
    >>> split("東京は3月")
    ['東', '京', 'は', '3', '月']
    """
    return _compiled().findall(text)


def spans(text: str) -> list[tuple[int, int]]:
    """Return where the words of a text begin and end.

    Examples
    --------
    >>> spans("It's 10!")
    [(0, 4), (5, 7), (7, 8)]
    """
    return [match.span() for match in _compiled().finditer(text)]
