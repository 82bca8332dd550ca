# SPDX-License-Identifier: Apache-2.0
"""The terminals of a grammar: words, multiword units, and classes of unknown words.

No word starts with a space, so the terminals of unknown words do: `UNKNOWN` stands for
any word, and the class of a suffix (``" -ing"``) or of a digit (``" 0"``) for unknown
words that look like it. A multiword unit has spaces between its words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["UNKNOWN", "Lexicon", "suffix_classes"]

#: The terminal of an unknown word without a class.
UNKNOWN = " unknown"

_DIGIT = " 0"
_SUFFIX = " -"
#: Suffixes of a class have at most so many letters.
_LONGEST = 3


class Lexicon:
    """The numbers of terminals.

    Parameters
    ----------
    terminals : sequence of str
        Each once.

    Examples
    --------
    >>> lexicon = Lexicon([UNKNOWN, " -ing", "a", "of course"])
    >>> lexicon.word("a"), lexicon.word("xing"), lexicon.word("b")
    (2, 1, 0)
    >>> lexicon.encode("of course a".split())
    [(0, 1, 0), (1, 2, 0), (2, 3, 2), (0, 2, 3)]
    """

    def __init__(self, terminals: Sequence[str]) -> None:
        self._numbers = {terminal: i for i, terminal in enumerate(terminals)}
        if len(self._numbers) != len(terminals):
            twice = Counter(terminals).most_common(1)[0][0]
            raise InputError(f"the grammar has the terminal {twice!r} twice")
        lengths = {
            terminal.count(" ") + 1
            for terminal in terminals
            if not terminal.startswith(" ")
        }
        self._lengths = sorted(lengths - {1})

    def word(self, word: str) -> int | None:
        """Return the number of a word, of its class, or of the unknown word."""
        for terminal in (word, *classes_of(word), UNKNOWN):
            number = self._numbers.get(terminal)
            if number is not None:
                return number
        return None

    def unit(self, words: Sequence[str]) -> int | None:
        """Return the number of a unit; None for a multiword unit that is unknown."""
        if len(words) == 1:
            return self.word(words[0])
        return self._numbers.get(" ".join(words))

    def numbers(self, units: Sequence[str]) -> NDArray[np.uint32]:
        """Return the numbers of many units, whose words have spaces between them.

        A multiword unit that is not a terminal counts as an unknown word.
        """
        known: dict[str, int] = {}
        for text in set(units):
            number = self.unit(text.split(" "))
            known[text] = self._numbers[UNKNOWN] if number is None else number
        return np.fromiter((known[text] for text in units), np.uint32, len(units))

    def encode(self, words: Sequence[str]) -> list[tuple[int, int, int]]:
        """Return the terminals of a sentence: start, end, number.

        Those of single words come first, then known multiword units by length. A word
        is missing if the grammar has no unknown word.
        """
        out = []
        for i, word in enumerate(words):
            number = self.word(word)
            if number is not None:
                out.append((i, i + 1, number))
        for length in self._lengths:
            for start in range(len(words) - length + 1):
                unit = " ".join(words[start : start + length])
                number = self._numbers.get(unit)
                if number is not None:
                    out.append((start, start + length, number))
        return out


def classes_of(word: str) -> list[str]:
    """Return the classes a word may belong to, the most special first.

    Examples
    --------
    >>> classes_of("walking"), classes_of("1980s"), classes_of("x")
    ([' -ing', ' -ng', ' -g'], [' 0'], [])
    """
    if any(map(str.isdigit, word)):
        return [_DIGIT]
    longest = min(_LONGEST, len(word) - 1)
    return [_SUFFIX + word[-length:] for length in range(longest, 0, -1)]


def suffix_classes(rare: Mapping[str, float], *, at_least: int) -> list[str]:
    """Return the classes of rare words that occur often enough.

    Parameters
    ----------
    rare : mapping of str to float
        Rare words with their counts.
    at_least : int
        The number of tokens that a class must have, those of longer suffixes
        not counted.

    Examples
    --------
    >>> suffix_classes({"walking": 2, "singing": 1, "1980": 1}, at_least=2)
    [' -ing']
    """
    left = dict(rare)
    chosen: list[str] = []
    for depth in range(_LONGEST):
        counts: defaultdict[str, float] = defaultdict(float)
        members: dict[str, list[str]] = {}
        for word, count in left.items():
            name = _at_depth(classes_of(word), depth)
            if name is not None:
                counts[name] += count
                members.setdefault(name, []).append(word)
        for name in sorted(name for name in counts if counts[name] >= at_least):
            chosen.append(name)
            for word in members[name]:
                del left[word]
    return chosen


def _at_depth(names: Sequence[str], depth: int) -> str | None:
    """Return the class whose suffix is `depth` letters shorter than the longest."""
    if names and names[0] == _DIGIT:
        return _DIGIT
    letters = _LONGEST - depth
    return next((name for name in names if len(name) == letters + len(_SUFFIX)), None)
