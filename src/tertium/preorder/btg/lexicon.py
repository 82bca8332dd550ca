# SPDX-License-Identifier: Apache-2.0
"""What the BTG knows of a word: the word itself and its classes, as numbers."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import TYPE_CHECKING

import numpy as np

from tertium.preorder.classes import word_classes

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SUFFIX", "Lexicon", "learn_lexicon"]

#: The last letters that stand for a rare word.
SUFFIX = 3

#: A rarer word is known by its suffix instead of its classes.
_WITH_CLASS = 2

_DIGITS = str.maketrans("123456789", "0" * 9)


@dataclass(frozen=True)
class Lexicon:
    """Words of a training text.

    Parameters
    ----------
    counts : mapping of str to int
        How often words occur, frequent words first. Words that occur once may be
        missing.
    classes : ndarray of shape (words, 3)
        Their classes, from coarse to fine.
    rare : int
        Words that occur less often than this are known by suffix and classes alone.
    """

    counts: Mapping[str, int]
    classes: NDArray[np.uint32]
    rare: int

    def attributes(
        self, sentences: Sequence[Sequence[str]]
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Return the attributes of all words, and where each sentence starts."""
        sizes = accumulate(map(len, sentences), initial=0)
        starts = np.fromiter(sizes, np.uint64, len(sentences) + 1)
        places: dict[str, int] = {}
        flat = chain.from_iterable(sentences)
        words = np.fromiter(
            (places.setdefault(word, len(places)) for word in flat), np.int64
        )
        table = np.array(list(self._rows(places)), np.uint64)
        return table.reshape(-1, self.classes.shape[1] + 1)[words], starts

    def _rows(self, words: Iterable[str]) -> Iterable[tuple[int, ...]]:
        numbers = {word: number for number, word in enumerate(self.counts)}
        for word in words:
            count = self.counts.get(word, 0)
            suffix = _hash("suffix", word.translate(_DIGITS)[-SUFFIX:])
            first = _hash("word", word) if count >= self.rare else suffix
            if count < _WITH_CLASS:
                yield (first, *[suffix] * self.classes.shape[1])
                continue
            classes = enumerate(self.classes[numbers[word]].tolist())
            yield (first, *(_hash(f"class {k}", str(c)) for k, c in classes))


def learn_lexicon(
    sentences: Sequence[Sequence[str]],
    *,
    classes: Sequence[int],
    rare: int,
    seed: int,
) -> Lexicon:
    """Return the words of a text that occur twice or more, with their classes.

    Parameters
    ----------
    sentences : sequence of sequences of str
    classes : sequence of int
        Numbers of classes, from coarse to fine.
    rare : int
        As in :class:`Lexicon`.
    seed : int
        Of the classes.
    """
    tables = [
        word_classes(sentences, classes=number, seed=seed).classes for number in classes
    ]
    counts = Counter(chain.from_iterable(sentences))
    kept = {word: counts[word] for word in tables[0] if counts[word] >= _WITH_CLASS}
    rows = [[table[word] for table in tables] for word in kept]
    shape = (len(kept), len(tables))
    return Lexicon(kept, np.array(rows, np.uint32).reshape(shape), rare)


def _hash(kind: str, text: str) -> int:
    """Return a number of 64 bits that is the same on every machine."""
    data = f"{kind} {text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")
