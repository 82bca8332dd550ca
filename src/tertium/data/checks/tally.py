# SPDX-License-Identifier: Apache-2.0
"""Counts that do not grow with the test set: segments, words, frequent texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import nlargest

__all__ = ["FREQUENT", "BoundedCounter", "FrequentTexts", "Tally"]

_KEPT = 10
_TYPES = 300_000
#: A text that makes up more than one in so many is among the frequent ones.
FREQUENT = 200


class Tally:
    """How many segments, and which ones are the first ten.

    Examples
    --------
    >>> tally = Tally(range(3, 20))
    >>> len(tally), tally.first
    (17, [3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    """

    __slots__ = ("count", "first")

    def __init__(self, numbers: Iterable[int] = ()) -> None:
        self.count = 0
        self.first: list[int] = []
        self.extend(numbers)

    def __len__(self) -> int:
        return self.count

    def add(self, number: int) -> None:
        """Take a segment that comes after all others."""
        self.count += 1
        if self.count <= _KEPT:
            self.first.append(number)

    def extend(self, numbers: Iterable[int]) -> None:
        """Take segments that come after all others, in their order."""
        for number in numbers:
            self.add(number)


class BoundedCounter(Counter[str]):
    """How often words occur; beyond 300,000 different ones the rarest are forgotten.

    Languages are compared by their frequent words, for which that makes no difference.
    """

    def count(self, words: Iterable[str], limit: int = _TYPES) -> None:
        """Take the words of a chunk."""
        self.update(words)
        if len(self) <= limit:
            return
        least = 0
        while len(self) > limit // 2:
            least += 1
            kept = {word: n for word, n in self.items() if n > least}
            self.clear()
            self.update(kept)


class FrequentTexts:
    """The texts that make up more than one in 200 (Misra and Gries 1982).

    Others may be among them too: they are candidates, to be counted a second time.
    Chunks are counted exactly and merged (Agarwal and others 2012).

    Examples
    --------
    >>> texts = FrequentTexts()
    >>> texts.count(["yes"] * 6 + list(map(str, range(900))))
    >>> "yes" in texts.candidates(6), len(texts.candidates(6))
    (True, 1)
    """

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lost = 0  # what the count of any text may be too low by

    def count(self, texts: Iterable[str]) -> None:
        """Take the texts of a chunk."""
        counts = self._counts
        counts.update(texts)
        if len(counts) > FREQUENT:
            cut = nlargest(FREQUENT + 1, counts.values())[-1]
            kept = {text: n - cut for text, n in counts.items() if n > cut}
            self._counts = Counter(kept)
            self._lost += cut

    def candidates(self, least: int) -> set[str]:
        """Return all texts that occur so often, and perhaps some that do not."""
        counts = self._counts.items()
        return {text for text, n in counts if n + self._lost >= least}
