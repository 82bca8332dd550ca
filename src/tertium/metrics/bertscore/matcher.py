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

from tertium.encoders.encoder import Encoded, Encoder, Kept, Numbers, in_threads
from tertium.encoders.matching import best_cosines, cosines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Counts", "Match", "Matcher", "find_matcher"]

_REFS = 256 << 20  # bytes of vectors that are kept: references come again,
_HYPS = 64 << 20  # hypotheses with other references of the same call
_PAIRS = 1024  # pairs whose texts are encoded together


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
        self._refs = Kept(encoder, _REFS)
        self._hyps = Kept(encoder, _HYPS)

    def numbers(self, text: str) -> Numbers:
        """Return the numbers of a text's pieces, as many as the model reads."""
        return self.encoder.numbers(text)[: self._longest]

    def all(
        self,
        pairs: Sequence[tuple[Numbers, Numbers]],
        counts: Counts | None,
        *,
        threads: int,
    ) -> Mapping[tuple[Numbers, Numbers], Match]:
        """Return the match of every pair.

        Parameters
        ----------
        pairs : sequence of (numbers, numbers)
            Pieces of an output and of a reference.
        counts : Counts, optional
            For weights by inverse document frequency.
        threads : int
        """
        # Pairs of one reference are neighbours, so that it is encoded once.
        places: dict[Numbers, int] = {}
        for _, ref in pairs:
            places.setdefault(ref, len(places))
        once = sorted(dict.fromkeys(pairs), key=lambda pair: places[pair[1]])
        weights = _Weights(counts)
        matches: dict[tuple[Numbers, Numbers], Match] = {}
        for start in range(0, len(once), _PAIRS):
            part = once[start : start + _PAIRS]
            found = self._part(part, weights, threads)
            matches.update(zip(part, found, strict=True))
        return matches

    def nearest(self, hyp: Numbers, ref: Numbers) -> NDArray[np.float32]:
        """Return the cosine of every two pieces of a pair, those at the ends, too."""
        (left,), (right,) = (self._hyps.encode([hyp]), self._refs.encode([ref]))
        return cosines(left.pieces, right.pieces)

    def _part(
        self,
        pairs: Sequence[tuple[Numbers, Numbers]],
        weights: _Weights,
        threads: int,
    ) -> list[Match]:
        """Return the matches of some pairs, whose texts are encoded together."""
        coded = [(hyp, ref) for hyp, ref in pairs if hyp and ref and hyp != ref]
        hyps, refs = ([pair[side] for pair in coded] for side in (0, 1))
        right = dict(zip(refs, self._refs.encode(refs, threads=threads), strict=True))
        left = dict(zip(hyps, self._hyps.encode(hyps, threads=threads), strict=True))

        def match(pair: tuple[Numbers, Numbers]) -> Match:
            hyp, ref = pair
            if not hyp or not ref:
                return NOTHING
            if hyp == ref:
                return Match(1.0, 1.0, 1.0)
            return _match(left[hyp], right[ref], weights.of(hyp), weights.of(ref))

        return in_threads(match, pairs, threads)


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
