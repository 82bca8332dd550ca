# SPDX-License-Identifier: Apache-2.0
"""Pairs of texts, each encoded and compared once, however often it occurs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from tertium.encoders.encoder import Encoded, Encoder, Kept, Numbers, in_threads

__all__ = ["Pair", "Pairs"]

_REFS = 256 << 20  # bytes of vectors that are kept: references come again,
_HYPS = 64 << 20  # hypotheses in other pairs of the same call
_PAIRS = 1024  # pairs whose texts are encoded together

#: The pieces of an output and of a reference.
Pair: TypeAlias = "tuple[Numbers, Numbers]"

_Result = TypeVar("_Result")


class Pairs:
    """Compares pairs by the vectors of an encoder, and keeps some of these."""

    def __init__(self, encoder: Encoder) -> None:
        self._refs = Kept(encoder, _REFS)
        self._hyps = Kept(encoder, _HYPS)

    def encode(self, pair: Pair) -> tuple[Encoded, Encoded]:
        """Return the vectors of both texts."""
        return self._hyps.encode(pair[:1])[0], self._refs.encode(pair[1:])[0]

    def compare(
        self,
        pairs: Sequence[Pair],
        compare: Callable[[Pair, Encoded, Encoded], _Result],
        plain: Callable[[Pair], _Result],
        *,
        threads: int,
    ) -> dict[Pair, _Result]:
        """Return the result of every pair.

        Parameters
        ----------
        pairs : sequence of (numbers, numbers)
        compare : callable
            Compares two texts by their vectors.
        plain : callable
            Compares equal texts, or if one is empty: these are not encoded.
        threads : int
        """
        # Pairs of one reference are neighbours, so that it is encoded once.
        places: dict[Numbers, int] = {}
        for _, ref in pairs:
            places.setdefault(ref, len(places))
        once = sorted(dict.fromkeys(pairs), key=lambda pair: places[pair[1]])
        results: dict[Pair, _Result] = {}
        for start in range(0, len(once), _PAIRS):
            part = once[start : start + _PAIRS]
            coded = [(hyp, ref) for hyp, ref in part if hyp and ref and hyp != ref]
            hyps, refs = ([pair[side] for pair in coded] for side in (0, 1))
            right = self._refs.encode(refs, threads=threads)
            left = self._hyps.encode(hyps, threads=threads)
            vectors = dict(zip(coded, zip(left, right, strict=True), strict=True))

            def result(
                pair: Pair, vectors: dict[Pair, tuple[Encoded, Encoded]] = vectors
            ) -> _Result:
                if pair not in vectors:
                    return plain(pair)
                return compare(pair, *vectors[pair])

            results.update(zip(part, in_threads(result, part, threads), strict=True))
        return results
