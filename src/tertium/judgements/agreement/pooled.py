# SPDX-License-Identifier: Apache-2.0
"""Agreement on rankings: the pooled pairwise kappa (Macháček 2014, section 2.2.1).

κ = (P(A) - P(E)) / (1 - P(E)). Of each segment, every two rankings are held against
each other: of one judge, *intra*; of two, *inter*. They agree on two candidates if
both say better, both worse, or both a tie; P(A) is the share, pooled over all.
P(E) = P(=)² + 2((1 - P(=))/2)², where P(=) is the share of ties in *all* rankings,
because the order of two candidates is arbitrary. Figures of a judge use the P(E) of
the whole table.

Rankings of unknown judges count for P(E) only. Outputs that are equal are one
candidate; see :mod:`tertium.judgements.agreement.outcomes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.judgements.agreement.kappa import Kappa, band, chance_agreement
from tertium.judgements.agreement.outcomes import (
    Outcomes,
    outcomes,
    table_of,
    time_slices,
)
from tertium.judgements.agreement.tally import ALL, JUDGES, POOLED, TIES, Ledger, Tally
from tertium.judgements.estimates import Estimate, need_scipy
from tertium.stats.resample import Bootstrap

if TYPE_CHECKING:
    import polars as pl

    from tertium.judgements.estimates import Codes
    from tertium.judgements.tables import Judgements

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


@dataclass(frozen=True)
class JudgeAgreement:
    """How far a judge agrees with himself or herself, and with all others.

    ``ties`` is the share of ties among the judge's own comparisons.
    """

    intra: Kappa
    inter: Kappa
    ties: Estimate


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
    ties_interval, expected_interval : tuple of float, optional
        Of P(=) and P(E).
    """

    intra: Kappa
    inter: Kappa
    ties: float | None
    rankings: int
    comparisons: int
    segments: int
    judges: dict[str, JudgeAgreement]
    pairs: dict[tuple[str, str], Kappa]
    ties_interval: tuple[float, float] | None = None
    expected_interval: tuple[float, float] | None = None

    @property
    def expected(self) -> float | None:
        """P(E), as the kappas use it."""
        return self.inter.expected


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
        Ask for intervals. Segments are sampled with replacement, with all their
        rankings: a ranking sampled twice would agree with itself.

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
    >>> found = pooled_agreement(Judgements.from_iterable(two))
    >>> round(found.inter.value, 4), found.inter.band, round(found.expected, 4)
    (0.4667, 'moderate', 0.375)
    """
    compared = _outcomes(judgements)
    tally = Tally.of(compared)
    judges = len(compared.judges)
    ledger = Ledger(compared.segments, keep=bootstrap is not None)
    ledger.add(TIES, compared.segment, (compared.sign == 0).astype(np.float64))
    ledger.add(ALL, compared.segment, np.ones(len(compared)))
    # Inter comparisons of two judges are seen from both sides, and counted once.
    for k, (amount, sides) in enumerate(zip(tally.counts(), (1, 1, 2, 2), strict=True)):
        ledger.add(POOLED + k, tally.segment, amount / sides)
        ledger.add(JUDGES + 4 * tally.judge + k, tally.segment, amount)
    after = JUDGES + 4 * judges
    couples: list[tuple[int, int]] = []
    if pairs:
        listed = tally.sums_of_pairs if bootstrap is None else tally.pairs
        a, b, counts, segment = listed()
        key, number = np.unique(a * judges + b, return_inverse=True)
        couples = [(int(k) // judges, int(k) % judges) for k in key]
        for k in range(2):
            ledger.add(after + 2 * number.reshape(-1) + k, segment, counts[:, k])
    tied = after + 2 * len(couples)
    for k, sums in enumerate((tally.said[:, 1], tally.said.sum(axis=1))):
        place = tied + 2 * tally.judge + k
        ledger.add(place, tally.segment, sums.astype(np.float64))
    figures = ledger.figures(tied + 2 * judges, bootstrap)
    kappa, ties = figures.kappa, figures.share()
    return Agreement(
        kappa(POOLED, _NO_INTRA),
        kappa(POOLED + 2, _NO_INTER),
        ties.value,
        _distinct(compared.ranking),
        len(compared),
        _distinct(compared.segment),
        {
            name: JudgeAgreement(
                kappa(JUDGES + 4 * j, "ranked no two candidates twice"),
                kappa(JUDGES + 4 * j + 2, "nobody else ranked the same candidates"),
                figures.share(tied + 2 * j),
            )
            for j, name in enumerate(compared.judges)
        },
        {
            (compared.judges[one], compared.judges[two]): kappa(
                after + 2 * i, _NO_INTER
            )
            for i, (one, two) in enumerate(couples)
        },
        ties.interval,
        figures.expected(),
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
    compared = _outcomes(judgements)
    timed, number = time_slices(compared, slices)
    count = int(number.max(initial=-1)) + 1
    ledger = Ledger(compared.segments, keep=bootstrap is not None)
    ledger.add(TIES, timed.segment, (timed.sign == 0).astype(np.float64))
    ledger.add(ALL, timed.segment, np.ones(len(timed)))
    for i in range(count):
        # What all rankings up to here agree on, less what those before did.
        tally = Tally.of(timed.select(number <= i))
        for k, (amount, sides) in enumerate(
            zip(tally.counts(), (1, 1, 2, 2), strict=True)
        ):
            ledger.add(POOLED + 4 * i + k, tally.segment, amount / sides)
            if i + 1 < count:
                ledger.add(POOLED + 4 * i + 4 + k, tally.segment, -amount / sides)
    tied = POOLED + 4 * count
    for k, amount in enumerate((timed.sign == 0, np.ones(len(timed), bool))):
        ledger.add(tied + 2 * number + k, timed.segment, amount.astype(np.float64))
    figures = ledger.figures(tied + 2 * count, bootstrap)
    kappa = figures.kappa
    done = []
    for i in range(count):
        part = timed.select(number == i)
        ties = figures.share(tied + 2 * i)
        agreement = Agreement(
            kappa(POOLED + 4 * i, _NO_INTRA),
            kappa(POOLED + 4 * i + 2, _NO_INTER),
            ties.value,
            _distinct(part.ranking),
            len(part),
            _distinct(part.segment),
            {},
            {},
            ties.interval,
            figures.expected(),
        )
        done.append((int(part.time.min()), int(part.time.max()), agreement))
    return done


def _distinct(numbers: Codes) -> int:
    """Return how many different numbers there are; a mask is smaller than a copy."""
    there = np.zeros(int(numbers.max(initial=-1)) + 1, bool)
    there[numbers] = True
    return int(np.count_nonzero(there))


def _outcomes(judgements: Judgements | pl.LazyFrame | Outcomes) -> Outcomes:
    need_scipy("agreement of judges")
    if isinstance(judgements, Outcomes):
        return judgements
    return outcomes(table_of(judgements, "rankings"))
