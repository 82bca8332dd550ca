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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Numbers", "Vocabulary", "WordColumn", "is_name", "is_number", "pattern", "shared",
    "spans", "split",
]  # fmt: skip

Numbers = NDArray[np.int64]

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


def is_number(word: str) -> bool:
    """Return whether a word is written in digits."""
    return word[0].isdecimal()


def is_name(word: str, seen: Vocabulary, known: Vocabulary) -> bool:
    """Return whether a word is capitalised within sentences, never in lower case.

    This finds names in languages that capitalise names only; in German it finds nouns.

    Parameters
    ----------
    word : str
    seen : Vocabulary
        Of texts that show where it occurs; a word that only begins sentences is not
        known to be a name.
    known : Vocabulary
        Of the references, which have no word like it in lower case.
    """
    return (
        len(word) > 1
        and word[0].isupper()
        and not word.isupper()
        and word in seen.inner
        and word.lower() not in known.numbers
    )


class Vocabulary:
    """Words and their numbers.

    Attributes
    ----------
    numbers : dict of str to int
    inner : set of str
        Words that occur after another word or a comma, so that a capital letter is
        their own.
    """

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.inner: set[str] = set()

    @property
    def words(self) -> list[str]:
        """The words in the order of their numbers."""
        return list(self.numbers)

    def column(self, texts: Sequence[str]) -> WordColumn:
        """Return texts as numbers; new words are added."""
        return self.tokens(split(text) for text in texts)

    def tokens(self, texts: Iterable[Sequence[str]]) -> WordColumn:
        """Return texts that are split already as numbers."""
        numbers, inner, ends, flat = self.numbers, self.inner, [0], []
        for words in texts:
            before = "."
            for word in words:
                flat.append(numbers.setdefault(word, len(numbers)))
                if before == "," or before[-1].isalnum():
                    inner.add(word)
                before = word
            ends.append(len(flat))
        return WordColumn(np.array(flat, np.int64), np.array(ends, np.int64))

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True)
class WordColumn:
    """The words of a column of texts.

    Parameters
    ----------
    ids : array of int
        The numbers of all words.
    ends : array of int
        Words of text i are ``ids[ends[i] : ends[i + 1]]``.
    """

    ids: Numbers
    ends: Numbers

    @property
    def lengths(self) -> Numbers:
        """The number of words of every text."""
        return np.diff(self.ends)

    @property
    def segments(self) -> Numbers:
        """The text of every word."""
        return np.repeat(np.arange(len(self.ends) - 1), self.lengths)

    def of(self, segment: int) -> Numbers:
        """Return the words of one text."""
        return self.ids[self.ends[segment] : self.ends[segment + 1]]

    def counts(self, size: int) -> tuple[Numbers, Numbers]:
        """Return (text, word) as one number each, sorted, and how often it occurs.

        The number of text i and word w is ``i * size + w``.
        """
        keys, counts = np.unique(self.segments * size + self.ids, return_counts=True)
        return keys, counts


def shared(
    one: tuple[Numbers, Numbers], other: tuple[Numbers, Numbers]
) -> tuple[Numbers, Numbers]:
    """Return what two counts have in common: keys, and the smaller count of each."""
    keys, mine, theirs = np.intersect1d(
        one[0], other[0], assume_unique=True, return_indices=True
    )
    return keys, np.minimum(one[1][mine], other[1][theirs])
