# SPDX-License-Identifier: Apache-2.0
"""Rank ranges, clusters and pairwise tests.

By the *bootstrap*, as WMT does: rank the systems in every resample, cut off the
extreme ranks of each, and let a cluster end where no range reaches over the border.
By *pairwise* tests: a cluster ends where every system above beats every one below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tertium.judgements.methods import TESTS
from tertium.judgements.ranking.ratings import SegmentScores
from tertium.judgements.ranking.results import PairTest, Pairwise
from tertium.judgements.ranking.screens import Screens
from tertium.judgements.ranking.wins import Array
from tertium.stats.clusters import Ranking, rank_clusters
from tertium.stats.correction import adjust
from tertium.stats.resample import interval

if TYPE_CHECKING:
    from tertium.judgements.comparisons import Wins

__all__ = ["bootstrap_ranks", "pairwise_ranks", "rating_tests", "sign_tests"]

_SAME = 1e-12  # relative to a difference


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


def rating_tests(
    scores: SegmentScores,
    order: Sequence[str],
    *,
    test: str = "wilcoxon",
    correction: str = "none",
    pairing: str = "segment",
    screens: Screens | None = None,
) -> Pairwise:
    """Return differences of mean scores and tests of all pairs.

    Paired tests are Wilcoxon's signed-rank test, and the paired t-test, with which
    Pearmut separates systems. Unpaired ones are the rank-sum test, as in direct
    assessment, and Welch's t-test. ``wmt26`` asks whether the system that ranks higher
    is better by a paired or an unpaired t-test, both one-sided. All are made; `test` is
    the one that counts.

    Parameters
    ----------
    scores : SegmentScores
    order : sequence of str
    test : {"wilcoxon", "t", "wmt26"}
    correction : {"none", "holm", "bh"}
    pairing : {"screen", "segment", "none"}
        ``screen`` pairs outputs that a judge saw side by side; two systems that share
        no screen are compared as by ``segment``. This pairs segments if two systems
        share at least half of them.
    screens : Screens, optional
        What judges saw side by side, in the order of `scores`; ``screen`` needs them.
    """
    place = [scores.systems.index(name) for name in order]
    means = scores.means()[place]
    n = len(order)
    tested: list[_Tested] = []
    for i in range(n):
        for j in range(i + 1, n):
            one = _tested(scores.scores, place[i], place[j], pairing, screens)
            if one is not None:
                tested.append(replace(one, i=i, j=j))
    p_values = {
        name: adjust([one.p[name] for one in tested], correction) for name in TESTS
    }
    values: list[list[float | None]] = [[None] * n for _ in range(n)]
    p: list[list[float | None]] = [[None] * n for _ in range(n)]
    tests = []
    for number, one in enumerate(tested):
        i, j = one.i, one.j
        gap = _finite(means[i] - means[j])
        values[i][j] = gap
        values[j][i] = None if gap is None else -gap
        p[i][j] = p[j][i] = p_values[test][number]
        adjusted = {name: p_values[name][number] for name in TESTS}
        tests.append(
            PairTest(order[i], order[j], gap, one.pairing, one.n, one.p, adjusted)
        )
    kinds = {one.names[test] for one in tested}
    units = max((one.n for one in tested if one.pairing != "none"), default=0)
    return Pairwise(
        "difference",
        tuple(order),
        values,
        p,
        " and ".join(sorted(kinds)) or "none",
        units if len(kinds) == 1 and test == "wilcoxon" else 0,
        tuple(tests),
    )


@dataclass(frozen=True)
class _Tested:
    """Two systems as all tests see them."""

    pairing: str
    n: int
    p: dict[str, float]
    names: dict[str, str]
    i: int = 0
    j: int = 0


def _tested(
    table: Array, i: int, j: int, pairing: str, screens: Screens | None
) -> _Tested | None:
    first, second = ~np.isnan(table[i]), ~np.isnan(table[j])
    both = first & second
    fewer = min(int(first.sum()), int(second.sum()))
    if fewer == 0:
        return None
    gaps = np.empty(0)
    if pairing == "screen" and screens is not None:
        gaps, kind = screens.gaps(i, j), "screen"
    if not len(gaps) and pairing != "none" and 2 * both.sum() >= fewer:
        gaps, kind = table[i, both] - table[j, both], "segment"
    p, names = {}, {}
    for test in TESTS:
        if test == "wmt26":
            value = _either_t(table[i], table[j])
            names[test] = "paired or unpaired t-test, one-sided"
        elif len(gaps):
            value, names[test] = _paired(gaps, test)
        else:
            value, names[test] = _unpaired(table[i, first], table[j, second], test)
        p[test] = value if np.isfinite(value) else 1.0
    if len(gaps):
        return _Tested(kind, len(gaps), p, names)
    return _Tested("none", fewer, p, names)


def _paired(gaps: Array, test: str) -> tuple[float, str]:
    """Return the p-value of differences, and what the test is called."""
    from scipy.stats import t, wilcoxon

    if test == "t":
        name, n = "paired t-test", len(gaps)
        if n < 2 or not np.any(gaps):
            return 1.0, name
        error = float(gaps.std(ddof=1)) / np.sqrt(n)
        if error <= _SAME * float(np.abs(gaps).max()):
            return 0.0, name  # one difference, again and again
        return float(2 * t.sf(abs(float(gaps.mean())) / error, n - 1)), name
    name = "Wilcoxon's signed-rank test"
    if not np.any(gaps):
        return 1.0, name
    few = np.count_nonzero(gaps) <= 25
    unique = len(np.unique(np.abs(gaps[gaps != 0])))
    exact = few and unique == np.count_nonzero(gaps)
    method = "exact" if exact else "asymptotic"
    return float(wilcoxon(gaps[gaps != 0], method=method).pvalue), name


def _unpaired(first: Array, second: Array, test: str) -> tuple[float, str]:
    from scipy.stats import mannwhitneyu, ttest_ind

    if test == "wilcoxon":
        return float(mannwhitneyu(first, second).pvalue), "Wilcoxon's rank-sum test"
    varies = np.ptp(first) > 0 or np.ptp(second) > 0
    if min(len(first), len(second)) < 2 or not varies:
        return 1.0, "Welch's t-test"
    return float(ttest_ind(first, second, equal_var=False).pvalue), "Welch's t-test"


def _either_t(first: Array, second: Array) -> float:
    """Return the smaller p-value of two t-tests of `first` being better.

    As WMT 2026 does, the paired one takes all segments that both have, by their means,
    and the unpaired one all segments of either, with one variance (Student's).
    """
    from scipy.stats import ttest_1samp, ttest_ind

    gaps = (first - second)[~np.isnan(first - second)]
    one, two = first[~np.isnan(first)], second[~np.isnan(second)]
    p = 1.0
    if len(gaps) > 1 and gaps.mean() > 0:
        if np.ptp(gaps) <= _SAME * float(gaps.max()):
            return 0.0  # one difference, again and again
        p = float(ttest_1samp(gaps, 0, alternative="greater").pvalue)
    if min(len(one), len(two)) > 1 and one.mean() > two.mean():
        if max(np.ptp(one), np.ptp(two)) == 0:
            return 0.0  # two scores, again and again
        p = min(p, float(ttest_ind(one, two, alternative="greater").pvalue))
    return p


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
