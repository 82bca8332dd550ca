# SPDX-License-Identifier: Apache-2.0
"""Precision and recall of pieces in context, for pairs of texts.

Every text is encoded once and every pair matched once, however often they occur. What
a pair gets does not depend on the others, to the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING, NamedTuple

from tertium.encoders.encoder import Encoded, Encoder, Numbers
from tertium.encoders.matching import best_cosines, cosines
from tertium.encoders.pairs import Pair, Pairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Counts", "Match", "Matcher", "find_matcher"]


class Match(NamedTuple):
    """Precision, recall and F1 of a pair."""

    precision: float
    recall: float
    f1: float


#: Of a text without any piece.
NOTHING = Match(0.0, 0.0, 0.0)


@dataclass
class Counts:
    """In how many references pieces occur.

    Parameters
    ----------
    references : int
    pieces : dict of int to int
    """

    references: int = 0
    pieces: dict[int, int] = field(default_factory=dict)

    def add(self, numbers: Numbers) -> None:
        """Count one more reference."""
        self.references += 1
        for number in set(numbers):
            self.pieces[number] = self.pieces.get(number, 0) + 1

    def weight(self, number: int) -> float:
        """Return the inverse document frequency, with one added to both counts."""
        return log((self.references + 1) / (self.pieces.get(number, 0) + 1))


class Matcher:
    """Matches texts by an encoder, and keeps the vectors of some of them."""

    def __init__(self, encoder: Encoder, longest: int) -> None:
        self.encoder = encoder
        self._longest = longest - 2  # and a piece at both ends
        self._pairs = Pairs(encoder)

    def numbers(self, text: str) -> Numbers:
        """Return the numbers of a text's pieces, as many as the model reads."""
        return self.encoder.numbers(text)[: self._longest]

    def all(
        self,
        pairs: Sequence[Pair],
        counts: Counts | None,
        *,
        threads: int,
    ) -> Mapping[Pair, Match]:
        """Return the match of every pair.

        Parameters
        ----------
        pairs : sequence of (numbers, numbers)
            Pieces of an output and of a reference.
        counts : Counts, optional
            For weights by inverse document frequency.
        threads : int
        """
        weights = _Weights(counts)

        def match(pair: Pair, left: Encoded, right: Encoded) -> Match:
            return _match(left, right, *map(weights.of, pair))

        return self._pairs.compare(pairs, match, _plain, threads=threads)

    def nearest(self, hyp: Numbers, ref: Numbers) -> NDArray[np.float32]:
        """Return the cosine of every two pieces of a pair, those at the ends, too."""
        left, right = self._pairs.encode((hyp, ref))
        return cosines(left.pieces, right.pieces)


def _plain(pair: Pair) -> Match:
    """Return the match of equal texts, or if one is empty."""
    hyp, ref = pair
    return Match(1.0, 1.0, 1.0) if hyp and hyp == ref else NOTHING


def _match(
    hyp: Encoded,
    ref: Encoded,
    hyp_weights: NDArray[np.float64],
    ref_weights: NDArray[np.float64],
) -> Match:
    """Return the match of two texts; the pieces at their ends are only candidates."""
    left, right = best_cosines(hyp.pieces, ref.pieces)
    p = _mean(left[1:-1], hyp_weights)
    r = _mean(right[1:-1], ref_weights)
    return Match(p, r, 2 * p * r / (p + r) if p + r > 0 else 0.0)


def _mean(values: NDArray[np.float32], weights: NDArray[np.float64]) -> float:
    # A quotient may exceed 1 by a rounding error.
    return min(1.0, float((values * weights).sum() / weights.sum()))


class _Weights:
    """Weights of pieces: all 1, or inverse document frequencies."""

    def __init__(self, counts: Counts | None) -> None:
        self._counts = counts
        self._known: dict[int, float] = {}

    def of(self, numbers: Numbers) -> NDArray[np.float64]:
        """Return the weight of every piece."""
        import numpy as np

        if self._counts is None:
            return np.ones(len(numbers))
        for number in numbers:
            if number not in self._known:
                self._known[number] = self._counts.weight(number)
        weights = np.array([self._known[number] for number in numbers], np.float64)
        # All of them are in every reference, say if there is one: bert-score has NaN.
        return weights if weights.any() else np.ones(len(numbers))


@lru_cache(maxsize=2)
def find_matcher(encoder: Encoder, longest: int) -> Matcher:
    """Return the matcher of an encoder, made once."""
    return Matcher(encoder, longest)
