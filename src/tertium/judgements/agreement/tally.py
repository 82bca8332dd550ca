# SPDX-License-Identifier: Apache-2.0
"""Who said what of two candidates how often, and sums of it over segments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tertium.judgements.agreement.kappa import (
    Kappa,
    chance_agreement,
    kappa_of,
    kappas_of,
)
from tertium.judgements.agreement.outcomes import Outcomes, every_two
from tertium.judgements.estimates import (
    Estimate,
    percentiles,
    ratios,
    sums_of_resamples,
)
from tertium.stats.resample import Bootstrap

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from tertium.judgements.estimates import Codes, Floats

__all__ = ["ALL", "JUDGES", "POOLED", "TIES", "Figures", "Ledger", "Tally"]

TIES, ALL, POOLED, JUDGES = 0, 1, 2, 6  # places of statistics
_BLOCK = 1_000_000  # rows that are held against each other at once


@dataclass(frozen=True, eq=False)
class Tally:
    """How often each judge preferred which of a pair: one row per pair and judge.

    Two statements agree as often as their counts say: n rankings of which k say
    the same hold k(k-1)/2 agreements. So nothing quadratic in the rankings of a
    segment is ever listed, except for pairs of judges.
    """

    pair: Codes
    judge: Codes
    segment: Codes  # of the row
    said: NDArray[np.int32]  # rows x 3: how often worse, tie, better

    @classmethod
    def of(cls, outcomes: Outcomes) -> Tally:
        """Return the tally of what known judges said."""
        known = slice(None) if (outcomes.judge >= 0).all() else outcomes.judge >= 0
        pair, judge = outcomes.pair[known], outcomes.judge[known]
        judges = max(1, len(outcomes.judges))
        # Sorted in place, a number holds pair, judge and outcome: ten million are
        # counted in the memory of one more column.
        cell = pair * (3 * judges)
        cell += 3 * judge
        cell += outcomes.sign[known]
        cell += 1
        cell.sort()
        starts = np.flatnonzero(np.r_[True, np.diff(cell) != 0][: len(cell)])
        times = np.diff(np.r_[starts, len(cell)])
        cell = cell[starts]
        key = cell // 3
        new = np.r_[True, np.diff(key) != 0][: len(key)]
        counts = np.zeros((int(np.count_nonzero(new)), 3), np.int32)
        counts[np.cumsum(new) - 1, cell % 3] = times
        key = key[new]
        segment_of = np.zeros(outcomes.pairs, np.int64)
        segment_of[pair] = outcomes.segment[known]
        pair, judge = np.divmod(key, judges)
        return cls(pair, judge, segment_of[pair], counts)

    def counts(self) -> Iterator[Floats]:
        """Yield, for every row: agreed and compared, intra; the same, inter.

        Inter comparisons are mine with others': summed over judges, each is
        counted twice.
        """
        mine = self.said.sum(axis=1, dtype=np.float64)
        agreed = np.zeros(len(mine))
        for outcome in self.said.T:
            agreed += outcome * (outcome - 1.0)
        yield agreed / 2
        yield mine * (mine - 1) / 2
        agreed[:] = 0
        compared = np.zeros(len(mine))
        for outcome in self.said.T:
            others = np.bincount(self.pair, outcome)[self.pair] - outcome
            agreed += outcome * others
            compared += others
        yield agreed
        yield mine * compared

    def pairs(self) -> tuple[Codes, Codes, Floats, Codes]:
        """Return, for every two rows of a pair: judges, (agreed, compared), segment.

        Time and memory are quadratic in the judges of a pair of candidates.
        """
        left, right = every_two(self.pair)  # rows are sorted by pair, then judge
        outcomes = self.said.astype(np.float64)
        agreed = (outcomes[left] * outcomes[right]).sum(axis=1)
        compared = outcomes[left].sum(axis=1) * outcomes[right].sum(axis=1)
        counts = np.stack([agreed, compared], axis=1)
        return self.judge[left], self.judge[right], counts, self.segment[left]

    def sums_of_pairs(self) -> tuple[Codes, Codes, Floats, Codes]:
        """Return the same summed over segments, which are all called 0.

        A product of sparse matrices: memory grows with the pairs of judges only.
        """
        from scipy.sparse import csr_matrix

        judges = int(self.judge.max(initial=-1)) + 1
        agreed = compared = csr_matrix((judges, judges))
        # Rows are sorted by pair; a block ends where a pair does.
        ends = np.searchsorted(self.pair, self.pair[_BLOCK::_BLOCK])
        for start, end in pairwise([0, *ends.tolist(), len(self.pair)]):
            if start == end:
                continue
            judge, pair = self.judge[start:end], self.pair[start:end]
            outcomes = self.said[start:end].astype(np.float64)
            pair = pair - pair[0]
            shape = judges, int(pair[-1]) + 1

            def product(
                amount: Floats,
                where: tuple[Codes, Codes] = (judge, pair),
                shape: tuple[int, int] = shape,
            ) -> csr_matrix:
                one = csr_matrix((amount, where), shape=shape)
                one.eliminate_zeros()
                return one @ one.T

            compared = compared + product(outcomes.sum(axis=1))
            for outcome in outcomes.T:
                agreed = agreed + product(outcome)
        compared = compared.tocoo()
        upper = compared.row < compared.col
        a = compared.row[upper].astype(np.int64)
        b = compared.col[upper].astype(np.int64)
        if not len(a):  # SciPy gives another shape then
            return a, a, np.zeros((0, 2)), a
        same = np.asarray(agreed[a, b]).reshape(-1)
        counts = np.stack([same, compared.data[upper]], axis=1)
        return a, b, counts, np.zeros(len(a), np.int64)


class Ledger:
    """Statistics that add up over segments: which one, where, how much.

    Parameters
    ----------
    segments : int
        Every number of a segment is below.
    keep : bool
        Whether segments are told apart, as resamples of them need it; sums are
        enough otherwise.
    """

    def __init__(self, segments: int, *, keep: bool) -> None:
        self.segments = segments if keep else 1
        self._entries: list[tuple[Codes, Codes, Floats]] = []

    def add(self, statistic: int | Codes, segment: Codes, amount: Floats) -> None:
        """Add amounts of a statistic, or of one each, in segments."""
        place = np.asarray(statistic, np.int64)
        if self.segments == 1:
            segment = np.zeros(1, np.int64) if place.ndim == 0 else place * 0
            if place.ndim == 0:
                amount = np.array([amount.sum()])
        if place.ndim == 0:
            total = np.bincount(segment, amount).astype(np.float64)
            columns = np.arange(len(total), dtype=np.int64)
            self._entries.append(
                (np.full(len(columns), place, np.int64), columns, total)
            )
            return
        width = int(place.max(initial=-1)) + 1
        if width * self.segments <= 4 * len(place) + 1024:  # as a dense table
            total = np.bincount(segment * width + place, amount).astype(np.float64)
            columns = np.flatnonzero(total).astype(np.int64)
            self._entries.append((columns % width, columns // width, total[columns]))
        else:
            self._entries.append((place, segment, amount))

    def totals(self, size: int) -> Floats:
        """Return the sums over all segments."""
        totals = np.zeros(size)
        for place, _, amount in self._entries:
            totals += np.bincount(place, amount, minlength=size)
        return totals

    def matrix(self, size: int) -> csr_matrix:
        """Return the sums of every segment, a row each."""
        from scipy.sparse import coo_matrix

        place, segment, amount = map(np.concatenate, zip(*self._entries, strict=True))
        shape = (self.segments, size)
        return coo_matrix((amount, (segment, place)), shape=shape).tocsr()

    def figures(self, size: int, bootstrap: Bootstrap | None) -> Figures:
        """Return what gives the figures, all on the same resamples."""
        totals = self.totals(size)
        sampled = None
        if bootstrap is not None and self.segments > 1 and totals[ALL]:
            sampled = sums_of_resamples(self.matrix(size), bootstrap)
        return Figures(totals, sampled, bootstrap)


@dataclass(frozen=True, eq=False)
class Figures:
    """Figures of sums over segments, with intervals where there are resamples."""

    totals: Floats
    sampled: Floats | None
    bootstrap: Bootstrap | None

    def kappa(self, place: int, why: str) -> Kappa:
        """Return the kappa of (agreed, compared) at a place."""
        one = kappa_of(self.totals[place : place + 2], self.totals[:2], why)
        if self.sampled is None or one.value is None:
            return one
        again = kappas_of(self.sampled[:, place : place + 2], self.sampled[:, :2])
        return replace(one, interval=self._interval(again))

    def share(self, place: int = TIES) -> Estimate:
        """Return the ratio of the two sums at a place; of all ties by default."""
        part, whole = self.totals[place : place + 2]
        if not whole:
            return Estimate(None, reason="nothing was compared")
        interval = None
        if self.sampled is not None:
            interval = self._interval(ratios(*self.sampled[:, place : place + 2].T))
        return Estimate(float(part / whole), interval)

    def expected(self) -> tuple[float, float] | None:
        """Return the interval of P(E)."""
        if self.sampled is None:
            return None
        ties = ratios(self.sampled[:, TIES], self.sampled[:, ALL])
        return self._interval(chance_agreement(ties))

    def _interval(self, values: Floats) -> tuple[float, float] | None:
        return None if self.bootstrap is None else percentiles(values, self.bootstrap)
