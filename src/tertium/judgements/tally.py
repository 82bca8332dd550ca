# SPDX-License-Identifier: Apache-2.0
"""Who said what of two candidates how often, and sums of it over segments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tertium.judgements.estimates import Bootstrap, percentiles, sums_of_resamples
from tertium.judgements.kappa import Kappa, kappa_of, kappas_of
from tertium.judgements.outcomes import Outcomes, every_two

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from tertium.judgements.estimates import Codes, Floats

__all__ = ["ALL", "JUDGES", "POOLED", "TIES", "Ledger", "Tally"]

TIES, ALL, POOLED, JUDGES = 0, 1, 2, 6  # places of statistics


@dataclass(frozen=True, eq=False)
class Tally:
    """How often each judge said what of a pair: a row a pair and judge.

    Two statements agree as often as their counts say: n rankings of which k say
    the same hold k(k-1)/2 agreements. So nothing quadratic in the rankings of a
    segment is ever listed, except for pairs of judges.
    """

    pair: Codes
    judge: Codes
    segment: Codes  # of the row
    said: Floats  # rows x 3: how often worse, tie, better

    @classmethod
    def of(cls, found: Outcomes) -> Tally:
        """Return the tally of what known judges said."""
        known = found.judge >= 0
        pair, judge = found.pair[known], found.judge[known]
        judges = max(1, len(found.judges))
        key, place = np.unique(pair * judges + judge, return_inverse=True)
        cell = place.reshape(-1) * 3 + found.sign[known] + 1
        said = np.bincount(cell, minlength=3 * len(key)).reshape(-1, 3)
        segment_of = np.zeros(found.pairs, np.int64)
        segment_of[pair] = found.segment[known]
        return cls(
            key // judges,
            key % judges,
            segment_of[key // judges],
            said.astype(np.float64),
        )

    def counts(self) -> Floats:
        """Return, a row: agreed and compared, intra; the same, inter.

        Inter comparisons are mine with others': summed over judges, each is
        counted twice.
        """
        others = np.zeros((int(self.pair.max(initial=-1)) + 1, 3))
        for outcome in range(3):
            others[:, outcome] = np.bincount(
                self.pair, self.said[:, outcome], minlength=len(others)
            )
        rest = others[self.pair] - self.said
        mine = self.said.sum(axis=1)
        return np.stack(
            [
                (self.said * (self.said - 1)).sum(axis=1) / 2,
                mine * (mine - 1) / 2,
                (self.said * rest).sum(axis=1),
                mine * rest.sum(axis=1),
            ],
            axis=1,
        )

    def pairs(self) -> tuple[Codes, Codes, Floats, Codes]:
        """Return, for every two rows of a pair: judges, (agreed, compared), segment.

        Time and memory are quadratic in the judges of a pair of candidates.
        """
        left, right = every_two(self.pair)  # rows are sorted by pair, then judge
        agreed = (self.said[left] * self.said[right]).sum(axis=1)
        compared = self.said[left].sum(axis=1) * self.said[right].sum(axis=1)
        counts = np.stack([agreed, compared], axis=1)
        return self.judge[left], self.judge[right], counts, self.segment[left]

    def sums_of_pairs(self) -> tuple[Codes, Codes, Floats, Codes]:
        """Return the same summed over segments, which are all called 0.

        A product of sparse matrices: memory grows with the pairs of judges only.
        """
        from scipy.sparse import csr_matrix

        shape = int(self.judge.max(initial=-1)) + 1, int(self.pair.max(initial=-1)) + 1

        def product(amount: Floats) -> csr_matrix:
            one = csr_matrix((amount, (self.judge, self.pair)), shape=shape)
            one.eliminate_zeros()
            return one @ one.T

        compared = product(self.said.sum(axis=1)).tocoo()
        agreed = sum(product(said) for said in self.said.T)
        upper = compared.row < compared.col
        a, b = compared.row[upper].astype(np.int64), compared.col[upper]
        if not len(a):  # SciPy gives another shape then
            return a, a, np.zeros((0, 2)), a
        same = np.asarray(csr_matrix(agreed)[a, b]).reshape(-1)
        counts = np.stack([same, compared.data[upper]], axis=1)
        return a, b.astype(np.int64), counts, np.zeros(len(a), np.int64)


class Ledger:
    """Statistics that add up over segments: which one, where, how much."""

    def __init__(self) -> None:
        self._entries: list[tuple[Codes, Codes, Floats]] = []

    def add(self, statistic: int | Codes, segment: Codes, amount: Floats) -> None:
        """Add amounts of a statistic, or of one each, in segments."""
        place = np.broadcast_to(np.asarray(statistic, np.int64), segment.shape)
        self._entries.append((place, segment, amount))

    def totals(self, size: int) -> Floats:
        """Return the sums over all segments."""
        found = np.zeros(size)
        for place, _, amount in self._entries:
            found += np.bincount(place, amount, minlength=size)
        return found

    def matrix(self, segments: int, size: int) -> csr_matrix:
        """Return the sums of every segment, a row each."""
        from scipy.sparse import coo_matrix

        place, segment, amount = map(np.concatenate, zip(*self._entries, strict=True))
        return coo_matrix((amount, (segment, place)), shape=(segments, size)).tocsr()

    def kappas(
        self, segments: int, size: int, bootstrap: Bootstrap | None
    ) -> Callable[[int, str], Kappa]:
        """Return what gives the kappa of (agreed, compared) at a place."""
        totals = self.totals(size)
        drawn = None
        if bootstrap is not None and segments > 1 and totals[ALL]:
            drawn = sums_of_resamples(self.matrix(segments, size), bootstrap)

        def kappa(place: int, why: str) -> Kappa:
            one = kappa_of(totals[place : place + 2], totals[:2], why)
            if drawn is None or bootstrap is None or one.value is None:
                return one
            again = kappas_of(drawn[:, place : place + 2], drawn[:, :2])
            return replace(one, interval=percentiles(again, bootstrap))

        return kappa
