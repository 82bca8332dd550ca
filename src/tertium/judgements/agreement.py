# SPDX-License-Identifier: Apache-2.0
"""Agreement on rankings: the pooled pairwise kappa (Macháček 2014, section 2.2.1).

κ = (P(A) - P(E)) / (1 - P(E)). Of each segment, every two rankings are held against
each other: of one judge, *intra*; of two, *inter*. They agree on two candidates if
both say better, both worse, or both a tie; P(A) is the share, pooled over all.
P(E) = P(=)² + 2((1 - P(=))/2)², where P(=) is the share of ties in *all* rankings,
because the order of two candidates is arbitrary. Figures of a judge use the P(E) of
the whole table.

Rankings of unknown judges count for P(E) only. Outputs that are equal are one
candidate; see :mod:`tertium.judgements.outcomes`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from tertium.errors import InputError
from tertium.judgements.estimates import (
    Bootstrap,
    Estimate,
    need_scipy,
    percentiles,
    sums_of_resamples,
)
from tertium.judgements.outcomes import NEVER, Outcomes, every_two, outcomes, table_of

if TYPE_CHECKING:
    import polars as pl
    from scipy.sparse import csr_matrix

    from tertium.judgements.estimates import Codes, Floats
    from tertium.judgements.tables import Judgements

_Number = TypeVar("_Number", "float", "Floats")

__all__ = [
    "Agreement",
    "JudgeAgreement",
    "Kappa",
    "agreement_over_time",
    "band",
    "chance_agreement",
    "pooled_agreement",
]

_NO_INTRA = "no judge ranked two candidates of a segment twice"
_NO_INTER = "no two judges ranked the same two candidates of a segment"
_ALL_TIES = "every comparison is a tie, so agreement by chance is certain"


def band(kappa: float) -> str:
    """Return what Landis and Koch (1977) call a kappa.

    Negative values are *slight* too, as in the thesis; Landis and Koch say poor.

    Examples
    --------
    >>> band(0.4), band(0.41), band(0.81)
    ('fair', 'moderate', 'almost perfect')
    """
    for limit, name in (
        (0.2, "slight"),
        (0.4, "fair"),
        (0.6, "moderate"),
        (0.8, "substantial"),
    ):
        if kappa <= limit:
            return name
    return "almost perfect"


def chance_agreement(ties: _Number) -> _Number:
    """Return P(E) of a share of ties.

    Examples
    --------
    >>> round(chance_agreement(2 / 12), 4)
    0.375
    """
    return ties**2 + 2 * ((1 - ties) / 2) ** 2


@dataclass(frozen=True)
class Kappa(Estimate):
    """A kappa with what it was made of.

    Parameters
    ----------
    agreed, compared : int
        Of how many comparisons, made twice, the outcome was the same.
    expected : float, optional
        P(E).
    """

    agreed: int = 0
    compared: int = 0
    expected: float | None = None

    @property
    def observed(self) -> float | None:
        """P(A)."""
        return self.agreed / self.compared if self.compared else None

    @property
    def band(self) -> str | None:
        """What Landis and Koch call it."""
        return None if self.value is None else band(self.value)

    def to_dict(self) -> dict[str, object]:
        """Return what JSON shows."""
        return super().to_dict() | {
            "agreed": self.agreed,
            "compared": self.compared,
            "observed": self.observed,
            "expected": self.expected,
            "band": self.band,
        }


@dataclass(frozen=True)
class JudgeAgreement:
    """How far a judge agrees with himself or herself, and with all others."""

    intra: Kappa
    inter: Kappa


@dataclass(frozen=True)
class Agreement:
    """Agreement on rankings.

    Parameters
    ----------
    intra, inter : Kappa
        Pooled over all judges.
    ties : float, optional
        P(=), the share of ties among all comparisons.
    rankings, comparisons, segments : int
    judges : dict of str to JudgeAgreement
    pairs : dict of (str, str) to Kappa
        Of every two judges with something in common, if asked for.
    """

    intra: Kappa
    inter: Kappa
    ties: float | None
    rankings: int
    comparisons: int
    segments: int
    judges: dict[str, JudgeAgreement]
    pairs: dict[tuple[str, str], Kappa]

    @property
    def expected(self) -> float | None:
        """P(E), as the kappas use it."""
        return self.inter.expected


@dataclass(frozen=True, eq=False)
class _Tally:
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
    def of(cls, found: Outcomes) -> _Tally:
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


def pooled_agreement(
    judgements: Judgements | pl.LazyFrame | Outcomes,
    *,
    pairs: bool = False,
    bootstrap: Bootstrap | None = None,
) -> Agreement:
    """Return how far judges agree on their rankings.

    Parameters
    ----------
    judgements : Judgements, table of rankings, or Outcomes
    pairs : bool
        Whether to hold every two judges against each other.
    bootstrap : Bootstrap, optional
        Ask for intervals. Segments are drawn with replacement, with all their
        rankings: a ranking drawn twice would agree with itself.

    Notes
    -----
    Time grows with the comparisons (and their sorting), not with the pairs of
    rankings of a segment, although these are quadratic; with `pairs`, with the
    squared number of judges of a pair of candidates. Memory does so too only for
    intervals of pairs.

    Examples
    --------
    >>> from tertium.judgements import Judgements, Place, Ranking
    >>> def ranking(judge, ranks):
    ...     places = (Place((s,), r) for s, r in zip("ABCD", ranks, strict=True))
    ...     return Ranking(tuple(places), segment="1", judge=judge)
    >>> two = [ranking("ann", (1, 2, 2, 4)), ranking("bob", (1, 1, 2, 3))]
    >>> found = pooled_agreement(Judgements.from_records(two))
    >>> round(found.inter.value, 4), found.inter.band, round(found.expected, 4)
    (0.4667, 'moderate', 0.375)
    """
    found = _outcomes(judgements)
    tally = _Tally.of(found)
    judges = len(found.judges)
    ledger = _Ledger()
    ledger.add(_TIES, found.segment, (found.sign == 0).astype(np.float64))
    ledger.add(_ALL, found.segment, np.ones(len(found)))
    # Inter comparisons of two judges are seen from both sides, and counted once.
    for k, (amount, sides) in enumerate(
        zip(tally.counts().T, (1, 1, 2, 2), strict=True)
    ):
        ledger.add(_POOLED + k, tally.segment, amount / sides)
        ledger.add(_JUDGES + 4 * tally.judge + k, tally.segment, amount)
    after = _JUDGES + 4 * judges
    couples: list[tuple[int, int]] = []
    if pairs:
        listed = tally.sums_of_pairs if bootstrap is None else tally.pairs
        a, b, counts, segment = listed()
        key, number = np.unique(a * judges + b, return_inverse=True)
        couples = [(int(k) // judges, int(k) % judges) for k in key]
        for k in range(2):
            ledger.add(after + 2 * number.reshape(-1) + k, segment, counts[:, k])
    size = after + 2 * len(couples)
    kappa = ledger.kappas(found.segments, size, bootstrap)
    ties = np.count_nonzero(found.sign == 0)
    return Agreement(
        kappa(_POOLED, _NO_INTRA),
        kappa(_POOLED + 2, _NO_INTER),
        float(ties / len(found)) if len(found) else None,
        len(np.unique(found.ranking)),
        len(found),
        len(np.unique(found.segment)),
        {
            name: JudgeAgreement(
                kappa(_JUDGES + 4 * j, "ranked no two candidates twice"),
                kappa(_JUDGES + 4 * j + 2, "nobody else ranked the same candidates"),
            )
            for j, name in enumerate(found.judges)
        },
        {
            (found.judges[one], found.judges[two]): kappa(after + 2 * i, _NO_INTER)
            for i, (one, two) in enumerate(couples)
        },
    )


def agreement_over_time(
    judgements: Judgements | pl.LazyFrame | Outcomes,
    *,
    slices: int = 4,
    bootstrap: Bootstrap | None = None,
) -> list[tuple[int, int, Agreement]]:
    """Return agreement in slices of time, as (first, last) millisecond and figures.

    Every slice holds about as many comparisons. Two rankings count where the later
    one was made, so no comparison is lost or counted twice; P(E) is that of all
    slices. Rankings without a time are left out.

    Parameters
    ----------
    judgements : Judgements, table of rankings, or Outcomes
    slices : int
        At most; fewer where times are few.
    bootstrap : Bootstrap, optional
        Ask for intervals.
    """
    if slices < 1:
        message = f"slices must be at least 1, not {slices}"
        raise InputError(message)
    found = _outcomes(judgements)
    timed = found.select(found.time != NEVER)
    if not len(timed):
        return []
    cuts = np.unique(
        np.quantile(timed.time, np.arange(1, slices + 1) / slices, method="higher")
    )
    number = np.searchsorted(cuts, timed.time)  # of the slice
    ledger = _Ledger()
    ledger.add(_TIES, timed.segment, (timed.sign == 0).astype(np.float64))
    ledger.add(_ALL, timed.segment, np.ones(len(timed)))
    for i in range(len(cuts)):
        # What all rankings up to here agree on, less what those before did.
        tally = _Tally.of(timed.select(number <= i))
        for k, (amount, sides) in enumerate(
            zip(tally.counts().T, (1, 1, 2, 2), strict=True)
        ):
            ledger.add(_POOLED + 4 * i + k, tally.segment, amount / sides)
            if i + 1 < len(cuts):
                ledger.add(_POOLED + 4 * i + 4 + k, tally.segment, -amount / sides)
    kappa = ledger.kappas(found.segments, _POOLED + 4 * len(cuts), bootstrap)
    done = []
    for i in range(len(cuts)):
        own = timed.select(number == i)
        agreement = Agreement(
            kappa(_POOLED + 4 * i, _NO_INTRA),
            kappa(_POOLED + 4 * i + 2, _NO_INTER),
            float(np.mean(own.sign == 0)),
            len(np.unique(own.ranking)),
            len(own),
            len(np.unique(own.segment)),
            {},
            {},
        )
        done.append((int(own.time.min()), int(own.time.max()), agreement))
    return done


_TIES, _ALL, _POOLED, _JUDGES = 0, 1, 2, 6  # places of statistics


class _Ledger:
    """Statistics that add up over segments: which one, where, how much."""

    def __init__(self) -> None:
        self._entries: list[tuple[Codes, Codes, Floats]] = []

    def add(self, statistic: int | Codes, segment: Codes, amount: Floats) -> None:
        place = np.broadcast_to(np.asarray(statistic, np.int64), segment.shape)
        self._entries.append((place, segment, amount))

    def totals(self, size: int) -> Floats:
        found = np.zeros(size)
        for place, _, amount in self._entries:
            found += np.bincount(place, amount, minlength=size)
        return found

    def matrix(self, segments: int, size: int) -> csr_matrix:
        from scipy.sparse import coo_matrix

        place, segment, amount = map(np.concatenate, zip(*self._entries, strict=True))
        return coo_matrix((amount, (segment, place)), shape=(segments, size)).tocsr()

    def kappas(
        self, segments: int, size: int, bootstrap: Bootstrap | None
    ) -> Callable[[int, str], Kappa]:
        """Return what gives the kappa of (agreed, compared) at a place."""
        totals = self.totals(size)
        drawn = None
        if bootstrap is not None and segments > 1 and totals[_ALL]:
            drawn = sums_of_resamples(self.matrix(segments, size), bootstrap)

        def kappa(place: int, why: str) -> Kappa:
            one = _kappa(totals[place : place + 2], totals[:2], why)
            if drawn is None or bootstrap is None or one.value is None:
                return one
            again = _kappas(drawn[:, place : place + 2], drawn[:, :2])
            return replace(one, interval=percentiles(again, bootstrap))

        return kappa


def _kappa(counts: Floats, ties: Floats, why: str) -> Kappa:
    """Return kappa of (agreed, compared) and (ties, comparisons)."""
    agreed, compared = (round(float(count)) for count in counts)
    if not ties[1]:
        return Kappa(None, reason="there are no rankings")
    expected = chance_agreement(float(ties[0] / ties[1]))
    if not compared:
        return Kappa(None, reason=why, expected=expected)
    if ties[0] == ties[1]:
        reason = _ALL_TIES
        return Kappa(
            None, reason=reason, agreed=agreed, compared=compared, expected=1.0
        )
    value = (agreed / compared - expected) / (1 - expected)
    return Kappa(value, agreed=agreed, compared=compared, expected=expected)


def _kappas(counts: Floats, ties: Floats) -> Floats:
    """Return kappa of every resample; NaN where it has no value."""
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = chance_agreement(ties[:, 0] / ties[:, 1])
        observed = counts[:, 0] / counts[:, 1]
        values: Floats = (observed - expected) / (1 - expected)
    return values


def _outcomes(judgements: Judgements | pl.LazyFrame | Outcomes) -> Outcomes:
    need_scipy("agreement of judges")
    if isinstance(judgements, Outcomes):
        return judgements
    return outcomes(table_of(judgements, "rankings"))
