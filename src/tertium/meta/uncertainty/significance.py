# SPDX-License-Identifier: Apache-2.0
"""Permutation tests: does one metric agree with human scores better than another.

Deutsch, Dror and Roth (2021): both metrics are standardised, and scores change
sides between them by the toss of a coin; under the null hypothesis that changes
nothing. What one coin moves:

* ``both`` (PERM-BOTH): the score of one system on one segment;
* ``inputs``: all scores of a segment. By item nothing is mixed within a group, so
  that each metric may keep an epsilon of its own for pairwise accuracy (see
  :mod:`tertium.meta.agreement.calibration`);
* ``systems``: all scores of a system;
* ``pairs``: for pairwise accuracy only, whether a pair of systems on a segment was
  ordered as judges order it, each metric with an epsilon of its own; the choice of
  mt-metrics-eval. **It finds far too many differences**: the n (n - 1) / 2 pairs of a
  segment rest on n scores and are far from independent, yet each has a coin. With 12
  systems and metrics that are equally good, about a fifth of p-values are below
  0.05. Only for comparison with published figures; take ``inputs`` otherwise.

One set of coins serves all pairs of metrics, and depends on the seed alone, not on
the number of threads or of metrics.

p-values count the observed outcome as one of the trials, (c + 1) / (B + 1), and so
are never 0 (Phipson and Smyth 2010); mt-metrics-eval has c / B.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium import _core
from tertium._executor import spans, spread
from tertium._seed import SEED
from tertium.errors import InputError, UnknownNameError
from tertium.meta.agreement.grouped import arrange, check_coefficient, group_values
from tertium.meta.matrix import check_scores, usable
from tertium.meta.uncertainty import moments
from tertium.stats.correction import adjust
from tertium.stats.resample import check_run

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.meta.matrix import ScoreMatrix

    Array: TypeAlias = NDArray[np.float64]
    Pairs: TypeAlias = list[tuple[int, int]]
    # Differences of (pairs, trials) for some pairs and the trials [first, + count).
    Differences: TypeAlias = Callable[[Pairs, int, int], Array]

__all__ = ["SWAPS", "MetricTest", "MetricTests", "permutation_test"]

SWAPS = ("both", "inputs", "systems", "pairs")

_TOLERANCE = 1e-9

# Scores that are correlated anew in a few seconds.
_SLOW_PART = 30_000_000

# Trials whose differences are held at once.
_MAX_TRIALS = 10_000

# Numbers of weights or outcomes that are held at once: 256 MB.
_MAX_NUMBERS = 32_000_000


@dataclass(frozen=True)
class MetricTest:
    """The test of two metrics.

    Attributes
    ----------
    first, second : str
    difference : float
        Coefficient of the first minus that of the second.
    p_better : float
        One-sided: of a difference this high or higher if both were alike.
    p_worse : float
        One-sided: of a difference this low or lower.
    p : float
        Two-sided.
    resamples : int
        Trials that were made; fewer than asked for after early stopping.
    """

    first: str
    second: str
    difference: float
    p_better: float
    p_worse: float
    p: float
    resamples: int


@dataclass(frozen=True)
class MetricTests:
    """Tests of all pairs of metrics.

    Attributes
    ----------
    coefficients : dict of str to float or None
        Of every metric.
    tests : list of MetricTest
        In the order of :func:`itertools.combinations`.
    method : str
    seed : int
    """

    coefficients: dict[str, float | None]
    tests: list[MetricTest]
    method: str
    seed: int

    def p_better(self, first: str, second: str) -> float:
        """Return the one-sided p-value that the first metric is the better one."""
        for test in self.tests:
            if (test.first, test.second) == (first, second):
                return test.p_better
            if (test.second, test.first) == (first, second):
                return test.p_worse
        message = f"{first!r} and {second!r} were not tested against each other"
        raise InputError(message)

    def adjusted(self, correction: str = "holm") -> dict[tuple[str, str], float]:
        """Return p-values adjusted for the number of pairs, keyed (better, worse).

        One-sided in the direction that was found, one per pair, as in the WMT tasks.
        """
        keys, values = [], []
        for test in self.tests:
            better = test.difference >= 0
            pair = (test.first, test.second)
            keys.append(pair if better else pair[::-1])
            values.append(test.p_better if better else test.p_worse)
        return dict(zip(keys, adjust(values, correction), strict=True))

    def matrix(self, correction: str = "none") -> dict[str, dict[str, float | None]]:
        """Return adjusted p-values by better and worse metric, None elsewhere."""
        p_values = self.adjusted(correction)
        names = list(self.coefficients)
        return {a: {b: p_values.get((a, b)) for b in names} for a in names}


def permutation_test(
    human: ScoreMatrix,
    metrics: Mapping[str, ScoreMatrix],
    coefficient: str = "kendall_b",
    *,
    group: str = "item",
    swap: str = "both",
    epsilons: Mapping[str, float] | None = None,
    missing: str = "error",
    resamples: int = 1000,
    block: int = 1000,
    early: tuple[float, float] | None = (0.02, 0.5),
    seed: int = SEED,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> MetricTests:
    """Test all pairs of metrics.

    Parameters
    ----------
    human : ScoreMatrix
    metrics : mapping of str to ScoreMatrix
    coefficient : str
        As in :func:`~tertium.meta.agreement.grouped.segment_coefficient`.
    group : {"item", "sys", "none"}
    swap : {"both", "inputs", "systems", "pairs"}
        What one coin moves (see :mod:`tertium.meta.uncertainty.significance`);
        p-values of ``pairs`` are too small.
    epsilons : mapping of str to float, optional
        Differences up to this are ties, a metric; for ``acc23`` and ``kendall_23``
        with swaps of inputs by item, or of pairs.
    missing : {"error", "drop"}
        With ``drop``, entries that some metric lacks count for none.
    resamples : int
    block : int
        After every so many trials, pairs that are clear stop.
    early : pair of float, optional
        Clear is a one-sided p-value, in the direction found, below the first or
        above the second. None: all trials for all pairs. Stopped p-values are a
        little less precise; whether they are below 0.05 is hardly in doubt.
    seed : int
    threads : int, optional
    progress : callable, optional
        Called with the number of trials so far, and of all.

    Notes
    -----
    For M metrics, B trials, S segments of n systems: tau-b by item takes
    O(M² B S) steps of n² / 128 words (and n M² B S / 8 additions where no scores of
    an item are tied); Pearson's r O(M S n B + M² S B); accuracies O(M² S n²) once
    and O(M² S n B / 8) additions, O(M S B / 8) with epsilons and swaps of inputs.
    Any other coefficient is computed anew in every trial.
    """
    check_run(resamples, seed)
    kind = check_coefficient(coefficient, group)
    _check(metrics, coefficient, group, swap, epsilons, block, early)
    gold, scores = usable(human, metrics, missing=missing)
    check_scores(gold)
    tolerances = [float((epsilons or {}).get(name, 0.0)) for name in metrics]
    values = [
        group_values(
            gold, one, coefficient, group=group, epsilon=epsilon, threads=threads
        )
        for one, epsilon in zip(scores, tolerances, strict=True)
    ]
    if swap == "pairs":
        differences = _pair_swaps(
            gold, scores, kind, group, tolerances, seed=seed, threads=threads
        )
    elif epsilons is not None:
        differences = _item_swaps(np.array(values), seed=seed, threads=threads)
    else:
        differences = _score_swaps(
            gold,
            standardise(gold, scores),
            kind,
            group,
            swap,
            seed=seed,
            threads=threads,
        )
    means = [_mean(one) for one in values]
    pairs = list(combinations(range(len(scores)), 2))
    observed = [(means[a] or 0.0) - (means[b] or 0.0) for a, b in pairs]
    outcome = _run(pairs, observed, differences, resamples, block, early, progress)
    names = list(metrics)
    tests = [
        MetricTest(names[a], names[b], difference, *p_values)
        for (a, b), difference, p_values in zip(pairs, observed, outcome, strict=True)
    ]
    return MetricTests(
        dict(zip(names, means, strict=True)), tests, f"permutation of {swap}", seed
    )


def standardise(human: Array, metrics: Array) -> Array:
    """Return metrics with mean 0 and variance 1 where there are human scores.

    A constant metric becomes 0.
    """
    present = ~np.isnan(human)
    out = np.zeros_like(metrics)
    if not present.any():
        return out
    for scores, standard in zip(metrics, out, strict=True):
        kept = scores[present]
        if kept.min() < kept.max():
            standard[present] = (kept - kept.mean()) / kept.std()
    return out


def _mean(values: Array) -> float | None:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else None


def _check(
    metrics: Mapping[str, ScoreMatrix],
    coefficient: str,
    group: str,
    swap: str,
    epsilons: Mapping[str, float] | None,
    block: int,
    early: tuple[float, float] | None,
) -> None:
    if len(metrics) < 2:
        message = f"{len(metrics)} metric cannot be compared; give at least two"
        raise InputError(message)
    if swap not in SWAPS:
        raise UnknownNameError("swap", swap, SWAPS)
    accuracy = coefficient in ("acc23", "kendall_23")
    if swap == "pairs" and not accuracy:
        message = (
            f"{coefficient} is not a mean over pairs; swap both, inputs or systems"
        )
        raise InputError(message)
    whole = swap == "inputs" and group == "item" and accuracy
    if epsilons is not None and not whole and swap != "pairs":
        message = (
            "scores that change sides have no epsilon of their own; swap inputs of "
            "acc23 or kendall_23 by item, or leave epsilons out"
        )
        raise InputError(message)
    for name, epsilon in (epsilons or {}).items():
        if name not in metrics:
            raise UnknownNameError("metric", name, metrics)
        if not 0 <= epsilon < np.inf:
            message = f"epsilon of {name!r} must be 0 or more, not {epsilon}"
            raise InputError(message)
    if block < 1:
        message = f"a block has at least one trial, not {block}"
        raise InputError(message)
    if early is not None and not 0 <= early[0] <= early[1] <= 1:
        message = f"limits of early stopping must be 0 <= low <= high <= 1, not {early}"
        raise InputError(message)


def _run(
    pairs: Pairs,
    observed_differences: Sequence[float],
    differences: Differences,
    resamples: int,
    block: int,
    early: tuple[float, float] | None,
    progress: Callable[[int, int], None] | None = None,
) -> list[tuple[float, float, float, int]]:
    """Return p_better, p_worse, p and the number of trials of every pair."""
    counts = np.zeros((len(pairs), 3), dtype=np.int64)
    made = np.zeros(len(pairs), dtype=np.int64)
    differs = np.asarray(observed_differences, dtype=np.float64)
    active = np.arange(len(pairs))
    first = 0
    while first < resamples:
        # Up to the end of the block, after which clear pairs stop.
        wave = resamples - first if early is None else min(block, resamples - first)
        tally = partial(
            _tally, differences, [pairs[p] for p in active], differs[active]
        )
        places = [
            (first + skip, count)
            for skip, count in spans(wave, min(_MAX_TRIALS, block))
        ]
        for (_, count), counted in zip(places, spread(tally, places), strict=True):
            counts[active] += counted
            made[active] += count
            first += count
            if progress:
                progress(first, resamples)
        if early is not None and first % block == 0:
            rises = differs[active] >= 0
            side = np.where(rises, counts[active, 0], counts[active, 1])
            p = side / made[active]
            active = active[(p >= early[0]) & (p <= early[1])]
            if not len(active):
                break
    p_values = (counts + 1) / (made[:, None] + 1)
    return [
        (float(row[0]), float(row[1]), float(row[2]), int(trials))
        for row, trials in zip(p_values, made, strict=True)
    ]


def _tally(
    differences: Differences,
    pairs: Pairs,
    observed_differences: Array,
    span: tuple[int, int],
) -> NDArray[np.int64]:
    """Return how many trials are higher, lower and farther, a row per pair."""
    drawn = differences(pairs, *span)
    observed = observed_differences[:, None]
    slack = _TOLERANCE * np.maximum(1.0, np.abs(observed))
    higher = drawn >= observed - slack
    lower = drawn <= observed + slack
    farther = np.abs(drawn) >= np.abs(observed) - slack
    return np.stack([test.sum(axis=1) for test in (higher, lower, farther)], axis=1)


def _score_swaps(
    gold: Array,
    scores: Array,
    kind: str,
    group: str,
    swap: str,
    *,
    seed: int,
    threads: int | None,
) -> Differences:
    if kind == "pearson" and group != "item":
        return moments.differences(gold, scores, group, swap, seed, threads)

    return partial(_swap_scores, gold, scores, kind, group, swap, seed, threads or 0)


def _swap_scores(
    gold: Array,
    scores: Array,
    kind: str,
    group: str,
    swap: str,
    seed: int,
    threads: int,
    pairs: Pairs,
    first: int,
    count: int,
) -> Array:
    # Coins depend on the trial alone, so pairs and trials may come in parts: for
    # memory, and so that Ctrl-C is heard where every trial takes long.
    part = max(1, _MAX_NUMBERS // max(gold.size, count))
    fast = kind in ("23", "acc23") or (group == "item" and kind in ("b", "pearson"))
    step = count if fast else max(1, _SLOW_PART // (len(pairs) * gold.size))
    return np.block(
        [
            [
                _core.permute_metrics(
                    kind,
                    group,
                    gold,
                    scores,
                    pairs[start : start + part],
                    swap,
                    min(step, count - skip),
                    seed,
                    threads,
                    first + skip,
                )
                for skip in range(0, count, step)
            ]
            for start in range(0, len(pairs), part)
        ]
    )


def _item_swaps(values: Array, *, seed: int, threads: int | None) -> Differences:
    """Swap what whole segments have: paired randomisation of (metrics, items)."""
    # Accuracy is defined where two systems have human scores, for all metrics alike.
    defined = values[:, ~np.isnan(values).any(axis=0)]
    rows = np.ascontiguousarray(defined.T / max(1, defined.shape[1]))
    return _coin_swaps(rows, seed=seed, threads=threads)


def _coin_swaps(rows: Array, *, seed: int, threads: int | None) -> Differences:
    """Swap rows that sum to coefficients, one column per metric, one coin per row."""
    return partial(_swap_rows, rows, rows.sum(axis=0), seed, threads or 0)


def _swap_rows(
    rows: Array,
    totals: Array,
    seed: int,
    threads: int,
    pairs: Pairs,
    first: int,
    count: int,
) -> Array:
    swapped = _core.coin_sums(rows, count, seed, threads, first)
    signed = totals - 2 * swapped
    return np.array([signed[:, a] - signed[:, b] for a, b in pairs])


def _pair_swaps(
    gold: Array,
    scores: Array,
    kind: str,
    group: str,
    epsilons: Sequence[float],
    *,
    seed: int,
    threads: int | None,
) -> Differences:
    """Swap whether pairs were right: a sum of weighted coins."""
    rows = arrange(gold, group)
    present = np.count_nonzero(~np.isnan(rows), axis=1).astype(np.int64)
    total = int((present * (present - 1) // 2).sum())
    if total * len(scores) > _MAX_NUMBERS:
        message = (
            f"{total:,} pairs of scores under {len(scores)} metrics are too many to "
            f"swap (at most {_MAX_NUMBERS:,} together); group by item"
        )
        raise InputError(message)
    right = pair_outcomes(
        rows, np.array([arrange(one, group) for one in scores]), epsilons
    )
    if kind == "23":  # 2 acc - 1
        right = 2 * right
    return _coin_swaps(right, seed=seed, threads=threads)


def pair_outcomes(human: Array, metrics: Array, epsilons: Sequence[float]) -> Array:
    """Return what every pair adds to the accuracy of every metric.

    Parameters
    ----------
    human : ndarray of shape (groups, members)
    metrics : ndarray of shape (metrics, groups, members)
    epsilons : sequence of float

    Returns
    -------
    ndarray of shape (pairs, metrics)
        Pairs group by group; columns sum to acc23.
    """
    limits = np.asarray(epsilons, dtype=np.float64)[:, None]
    parts = []
    for g, row in enumerate(human):
        kept = np.flatnonzero(~np.isnan(row))
        if len(kept) < 2:
            continue
        i, j = (kept[side] for side in np.triu_indices(len(kept), 1))
        difference = metrics[:, g, i] - metrics[:, g, j]
        sign = np.where(np.abs(difference) <= limits, 0.0, np.sign(difference))
        parts.append((sign == np.sign(row[i] - row[j])).T / len(i))
    if not parts:
        return np.zeros((0, len(metrics)))
    return np.ascontiguousarray(np.concatenate(parts) / len(parts))
