# SPDX-License-Identifier: Apache-2.0
"""Texts as word numbers, and words with their stems, for the aligner that learns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium._messages import mismatch
from tertium.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    #: The words of all sentences, and where each sentence starts.
    Sentences = tuple[NDArray[np.int32], NDArray[np.int64]]

__all__ = ["Vocabulary", "check_sizes", "number_words"]


def check_sizes(sources: Sequence[str], targets: Sequence[str]) -> None:
    """Reject texts of different lengths.

    Raises
    ------
    InputError
        With the first segment that only one side has.
    """
    if len(sources) != len(targets):
        longer, at = max(sources, targets, key=len), min(len(sources), len(targets))
        sizes = ("the source", len(sources)), ("the target", len(targets))
        raise InputError(mismatch(*sizes, extra=longer[at], unit="segment"))


def number_words(
    texts: Iterable[str], numbers: dict[str, int] | None = None
) -> tuple[Sentences, dict[str, int]]:
    """Return texts as numbers of words, and the numbers; new words are added.

    Texts are split at white space.
    """
    import numpy as np

    numbers = {} if numbers is None else numbers
    words: list[int] = []
    starts = [0]
    for text in texts:
        words += [numbers.setdefault(word, len(numbers)) for word in text.split()]
        starts.append(len(words))
    return (np.array(words, np.int32), np.array(starts, np.int64)), numbers


@dataclass(frozen=True)
class Vocabulary:
    """The words of one language, with their counts and their stems.

    Parameters
    ----------
    words : sequence of str
    counts : ndarray of int
    stem_length : int
        The number of characters of a stem: the beginning of the lower-cased word.
    """

    words: Sequence[str]
    counts: NDArray[np.int64]
    stem_length: int

    @classmethod
    def of(
        cls, numbers: dict[str, int], sentences: Sentences, stem_length: int
    ) -> Vocabulary:
        """Return the vocabulary of numbered sentences."""
        import numpy as np

        counts = np.bincount(sentences[0], minlength=len(numbers)).astype(np.int64)
        return cls(list(numbers), counts, stem_length)

    def stem(self, word: str) -> str:
        """Return the stem of a word of this language."""
        return word.lower()[: self.stem_length].encode("utf-8", "replace").decode()

    def stems(self) -> tuple[NDArray[np.int32], NDArray[np.float64], list[str]]:
        """Return stems and shares by word, and the stems, as the core reads them."""
        import numpy as np

        numbers: dict[str, int] = {}
        of = [numbers.setdefault(self.stem(w), len(numbers)) for w in self.words]
        stem_of = np.array(of, np.int32)
        totals = np.bincount(stem_of, weights=self.counts, minlength=len(numbers))
        shares = self.counts / np.maximum(totals[stem_of], 1)
        return stem_of, shares, list(numbers)

    def look_up(
        self, words: Iterable[str]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], list[str]]:
        """Return number, stem, share and text of the stem, with -1 for the unknown.

        An unknown word counts as one more occurrence of its stem.
        """
        import numpy as np

        stem_of, shares, stems = self.stems()
        numbers = {word: number for number, word in enumerate(self.words)}
        stem_numbers = {stem: number for number, stem in enumerate(stems)}
        totals = np.bincount(stem_of, weights=self.counts, minlength=len(stems))
        rows: list[tuple[int, int, float]] = []
        texts = []
        for word in words:
            texts.append(self.stem(word))
            number, stem = numbers.get(word, -1), stem_numbers.get(texts[-1], -1)
            if number >= 0:
                rows.append((number, stem, shares[number]))
            else:
                rows.append((-1, stem, 1 / (1 + totals[stem]) if stem >= 0 else 1.0))
        known, stem_row, share = zip(*rows, strict=True) if rows else ((), (), ())
        return (
            np.array(known, np.int32),
            np.array(stem_row, np.int32),
            np.array(share, np.float64),
            texts,
        )
