# SPDX-License-Identifier: Apache-2.0
"""Rank ranges, clusters and pairwise tests.

By the *bootstrap*, as WMT does: rank the systems in every resample, cut off the
extreme ranks of each, and let a cluster end where no range reaches over the border.
By *pairwise* tests: a cluster ends where every system above beats every one below.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tertium.judgements.ranking.ratings import SegmentScores
from tertium.judgements.ranking.results import Pairwise
from tertium.judgements.ranking.wins import Array
from tertium.stats.clusters import Ranking, rank_clusters
from tertium.stats.correction import adjust
from tertium.stats.resample import interval

if TYPE_CHECKING:
    from tertium.judgements.comparisons import Wins

__all__ = ["bootstrap_ranks", "pairwise_ranks", "sign_tests", "wilcoxon_tests"]


def bootstrap_ranks(
    systems: Sequence[str], sampled: Array, *, confidence: float = 0.95
) -> list[Ranking]:
    """Return rank ranges and clusters from resampled scores.

    Parameters
    ----------
    systems : sequence of str
        Best first.
    sampled : array of shape (resamples, systems)
    confidence : float

    Notes
    -----
    Systems with equal scores in a resample share all places they take.
    """
    # Scores that are equal in exact arithmetic may differ in the last bits.
    noise = 1e-9 * max(1.0, float(np.abs(sampled).max(initial=0.0)))
    above = np.zeros(sampled.shape)
    at_least = np.zeros(sampled.shape)
    for other in sampled.T:
        above += other[:, None] > sampled + noise
        at_least += other[:, None] >= sampled - noise
    ranges = {}
    for i, system in enumerate(systems):
        best, _ = interval(above[:, i] + 1, confidence=confidence)
        _, worst = interval(at_least[:, i], confidence=confidence)
        ranges[system] = (int(best), int(worst))
    clusters = rank_clusters(systems, lambda a, b: ranges[a][1] < ranges[b][0])
    return [Ranking(c.system, c.cluster, ranges[c.system]) for c in clusters]


def pairwise_ranks(pairs: Pairwise, *, alpha: float = 0.05) -> list[Ranking]:
    """Return rank ranges and clusters from pairwise tests."""
    return rank_clusters(pairs.systems, lambda a, b: pairs.better(a, b, alpha=alpha))


def sign_test(wins: Array, losses: Array) -> Array:
    """Return two-sided p-values of the exact sign test; 1 without comparisons.

    Examples
    --------
    >>> float(sign_test(np.array([5.0]), np.array([0.0]))[0])  # 2 / 2^5
    0.0625
    """
    from scipy.special import bdtrc

    number = np.asarray(wins + losses).astype(np.int64)
    more = np.maximum(wins, losses)
    # bdtrc(k, n, p) is the chance of more than k; it is not defined for k < 0.
    tail = np.where(more > 0, bdtrc(np.maximum(more - 1, 0), number, 0.5), 1.0)
    return np.asarray(np.minimum(1.0, 2 * tail))


def sign_tests(
    wins: Wins, order: Sequence[str], *, correction: str = "none"
) -> Pairwise:
    """Return shares of wins and sign tests of all pairs."""
    place = [wins.systems.index(name) for name in order]
    won = wins.wins[np.ix_(place, place)]
    lost = won.T
    with np.errstate(invalid="ignore"):
        share = won / (won + lost)
    raw = sign_test(won, lost)
    values = [[_finite(x) for x in row] for row in share]
    tested = won + lost > 0
    return Pairwise(
        "share of wins",
        tuple(order),
        values,
        _adjusted(raw, tested, correction),
        "sign test",
        int((won + lost).max(initial=0)),
    )


def wilcoxon_tests(
    scores: SegmentScores, order: Sequence[str], *, correction: str = "none"
) -> Pairwise:
    """Return differences of mean scores and Wilcoxon's tests of all pairs.

    Where two systems were judged on the same segments (half of them at least) it is
    the signed-rank test, otherwise, as in direct assessment, the rank-sum test.
    """
    from scipy.stats import mannwhitneyu, wilcoxon

    place = [scores.systems.index(name) for name in order]
    table, means = scores.scores[place], scores.means()[place]
    n = len(order)
    raw, tested = np.ones((n, n)), np.zeros((n, n), bool)
    kinds = set()
    units = 0
    for i in range(n):
        for j in range(i + 1, n):
            first, second = ~np.isnan(table[i]), ~np.isnan(table[j])
            both = first & second
            fewer = min(int(first.sum()), int(second.sum()))
            if fewer == 0:
                continue
            tested[i, j] = tested[j, i] = True
            if 2 * both.sum() >= fewer:
                kinds.add("Wilcoxon's signed-rank test")
                units = max(units, int(both.sum()))
                gaps = table[i, both] - table[j, both]
                p = 1.0
                if np.any(gaps):
                    few = np.count_nonzero(gaps) <= 25
                    unique = len(np.unique(np.abs(gaps[gaps != 0])))
                    exact = few and unique == np.count_nonzero(gaps)
                    p = wilcoxon(
                        gaps[gaps != 0], method="exact" if exact else "asymptotic"
                    ).pvalue
            else:
                kinds.add("Wilcoxon's rank-sum test")
                p = mannwhitneyu(table[i, first], table[j, second]).pvalue
            raw[i, j] = raw[j, i] = float(p) if np.isfinite(p) else 1.0
    values = [
        [_finite(means[i] - means[j]) if tested[i, j] else None for j in range(n)]
        for i in range(n)
    ]
    return Pairwise(
        "difference",
        tuple(order),
        values,
        _adjusted(raw, tested, correction),
        " and ".join(sorted(kinds)) or "none",
        units if len(kinds) == 1 else 0,
    )


def _adjusted(
    raw: Array,
    tested: NDArray[np.bool_],
    correction: str,
) -> list[list[float | None]]:
    n = len(raw)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if tested[i, j]]
    table: list[list[float | None]] = [[None] * n for _ in range(n)]
    adjusted = adjust([float(raw[pair]) for pair in pairs], correction)
    for (i, j), p in zip(pairs, adjusted, strict=True):
        table[i][j] = table[j][i] = p
    return table


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
