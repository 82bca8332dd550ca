# SPDX-License-Identifier: Apache-2.0
"""The words of texts as numbers, and kinds of words.

How texts are split is described in :mod:`tertium.text.words`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tertium.text.words import pattern, spans, split

__all__ = [
    "Numbers", "Vocabulary", "WordColumn", "is_name", "is_number", "pattern", "shared",
    "spans", "split",
]  # fmt: skip

Numbers = NDArray[np.int64]


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
