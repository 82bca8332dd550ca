# SPDX-License-Identifier: Apache-2.0
"""Bootstrap over segments, systems or both: intervals and paired tests of metrics.

Deutsch, Dror and Roth (2021) call them BOOT-INPUTS, BOOT-SYSTEMS and BOOT-BOTH.
All metrics see the same draws. The test shifts resampled differences by the
observed one, as for systems: p = share of resamples with |d* - d| >= |d|.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium import _core
from tertium._executor import spans, spread
from tertium._seed import SEED
from tertium.errors import InputError, UnknownNameError
from tertium.meta.agreement.grouped import check_coefficient, group_values
from tertium.meta.matrix import check_scores, usable
from tertium.meta.uncertainty import moments
from tertium.meta.uncertainty.significance import MetricTest, MetricTests
from tertium.stats.paired import p_value
from tertium.stats.resample import check_run, draw_sums, interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.meta.matrix import ScoreMatrix
    from tertium.meta.uncertainty.significance import Array

    Places: TypeAlias = NDArray[np.int64]

__all__ = [
    "OVER",
    "MetricBootstrap",
    "bootstrap_metrics",
    "draw_groups",
    "draw_systems",
    "system_counts",
]

OVER = ("segments", "systems", "both")

# Scores that are resampled in about a second, after which Ctrl-C is heard.
_PART = 30_000_000

# The same where each resample is a call, and scores are sorted anew.
_SYSTEMS_PART = 10_000_000

# Coefficients that count ties of both sides as right.
_SHARES = ("acc23", "kendall_23")


@dataclass(frozen=True)
class MetricBootstrap:
    """Intervals of all metrics and tests of all pairs.

    Attributes
    ----------
    intervals : dict of str to pair of float, or None
        None where the coefficient is defined in no resample.
    tests : MetricTests
    """

    intervals: dict[str, tuple[float, float] | None]
    tests: MetricTests


def bootstrap_metrics(
    human: ScoreMatrix,
    metrics: Mapping[str, ScoreMatrix],
    coefficient: str = "kendall_b",
    *,
    group: str = "item",
    over: str = "segments",
    epsilons: Mapping[str, float] | None = None,
    missing: str = "error",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    threads: int | None = None,
) -> MetricBootstrap:
    """Return bootstrap intervals of metrics, and paired tests between them.

    Parameters
    ----------
    human : ScoreMatrix
    metrics : mapping of str to ScoreMatrix
    coefficient, group, missing
        As in :func:`~tertium.meta.agreement.grouped.segment_coefficient`.
    over : {"segments", "systems", "both"}
        What is sampled with replacement.
    epsilons : mapping of str to float, optional
        Differences up to this are ties, a metric.
    resamples, confidence, seed, threads

    Notes
    -----
    Over segments, coefficients by item are means of what each segment has, and
    Pearson's r comes from sums: both are one product of draws and rows. Other
    coefficients count weighted pairs of scores that are sorted once: O(n log k) a
    resample for n scores, k of them different. Over systems, everything is
    computed anew for every resample. A system that is drawn twice is tied with itself,
    of which shares of right pairs by item (acc23, kendall_23) take no notice.
    """
    check_run(resamples, seed)
    if over not in OVER:
        raise UnknownNameError("resampling", over, OVER)
    if not metrics:
        message = "there is no metric to resample; give at least one"
        raise InputError(message)
    gold, scores = usable(human, metrics, missing=missing)
    check_scores(gold)
    limits = [float((epsilons or {}).get(name, 0.0)) for name in metrics]
    for epsilon in limits:
        check_coefficient(coefficient, group, epsilon)

    def values(h: Array, x: Array, epsilon: float) -> Array:
        return group_values(
            h, x, coefficient, group=group, epsilon=epsilon, threads=threads
        )

    observed = [
        _mean(values(gold, x, epsilon))
        for x, epsilon in zip(scores, limits, strict=True)
    ]
    if over == "segments" and group == "item":
        by_item = np.array(
            [values(gold, x, e) for x, e in zip(scores, limits, strict=True)]
        )
        drawn = _drawn_means(by_item, resamples, seed=seed, threads=threads)
    elif over == "segments" and coefficient == "pearson":
        drawn = _drawn_pearson(
            gold, scores, group, resamples, seed=seed, threads=threads
        )
    elif over == "segments":
        drawn = np.array(
            [
                draw_groups(
                    gold,
                    x,
                    coefficient,
                    group=group,
                    epsilon=epsilon,
                    resamples=resamples,
                    seed=seed,
                    threads=threads,
                )
                for x, epsilon in zip(scores, limits, strict=True)
            ]
        )
    else:
        draw = partial(
            draw_systems, group=group, over=over, resamples=resamples, seed=seed
        )
        drawn = np.array(
            [
                draw(gold, x, coefficient, epsilon=epsilon, threads=threads)
                for x, epsilon in zip(scores, limits, strict=True)
            ]
        )
    return _outcome(list(metrics), observed, drawn, over, confidence, seed)


def draw_groups(
    human: Array,
    metric: Array,
    coefficient: str,
    *,
    group: str,
    epsilon: float = 0.0,
    resamples: int = 1000,
    seed: int = SEED,
    threads: int | None = None,
) -> Array:
    """Return a coefficient of resampled segments, NaN where it is not defined.

    The same segments for every metric, if the seed and their number are the same.

    Parameters
    ----------
    human, metric : ndarray of shape (segments, systems)
        NaN where there is no human score; the metric has one wherever there is.

    Notes
    -----
    O(n log k) a resample, as in :func:`bootstrap_metrics`: 1000 resamples of 13
    systems and 2000 segments take less than a second on two cores.
    """
    kind = check_coefficient(coefficient, group, epsilon)
    part = max(1, _PART // max(1, human.size))
    draw = partial(
        _draw_groups, kind, group, human, metric, epsilon, seed, threads or 0
    )
    return np.concatenate(list(spread(draw, spans(resamples, part))))


def _draw_groups(
    kind: str,
    group: str,
    human: Array,
    metric: Array,
    epsilon: float,
    seed: int,
    threads: int,
    span: tuple[int, int],
) -> Array:
    """Return the coefficient of some resamples: the first one, and how many."""
    first, count = span
    drawn: Array = _core.bootstrap_groups(
        kind, group, human, metric, epsilon, count, seed, threads, first
    )
    return drawn


def draw_systems(
    human: Array,
    metric: Array,
    coefficient: str,
    *,
    group: str,
    over: str = "systems",
    epsilon: float = 0.0,
    resamples: int = 1000,
    seed: int = SEED,
    threads: int | None = None,
) -> Array:
    """Return a coefficient of resampled systems, NaN where it is not defined.

    As :func:`draw_groups`; O(n log k) a resample, and a call each.

    Parameters
    ----------
    over : {"systems", "both"}
        Both draws segments too.
    """
    draws = _draws(human.shape, over, resamples, seed)
    compute = partial(
        _drawn_systems, human, metric, coefficient, group, epsilon, threads
    )
    parts = spans(resamples, max(1, _SYSTEMS_PART // max(1, human.size)))
    chunks = (list(islice(draws, count)) for _, count in parts)
    return np.concatenate([np.empty(0), *spread(compute, chunks)])


def _drawn_systems(
    human: Array,
    metric: Array,
    coefficient: str,
    group: str,
    epsilon: float,
    threads: int | None,
    draws: Sequence[tuple[Places, Places]],
) -> Array:
    """Return the coefficient of the systems and segments that were drawn."""
    out = np.empty(len(draws))
    for t, (rows, columns) in enumerate(draws):
        place = np.ix_(rows, columns)
        values = group_values(
            human[place],
            metric[place],
            coefficient,
            group=group,
            epsilon=epsilon,
            threads=threads,
        )
        if group == "item" and coefficient in _SHARES:
            values = _without_copies(values, human[rows], columns, coefficient)
        out[t] = _mean(values)
    return out


def system_counts(systems: int, resamples: int, seed: int) -> Array:
    """Return how often each system is sampled, one row per resample."""
    drawn = _draws((1, systems), "systems", resamples, seed)
    counts = [np.bincount(columns, minlength=systems) for _, columns in drawn]
    return np.array(counts, dtype=np.float64).reshape(-1, systems)


def _without_copies(
    values: Array, human: Array, columns: Places, coefficient: str
) -> Array:
    """Return shares of right pairs by item, without pairs of copies of a system."""
    counts = np.bincount(columns, minlength=human.shape[1])
    known = ~np.isnan(human)
    drawn = known @ counts
    every = drawn * (drawn - 1) / 2
    copies = known @ (counts * (counts - 1) / 2)
    right = (values + 1) / 2 if coefficient == "kendall_23" else values
    out: Array = np.full(len(values), np.nan)
    np.divide(right * every - copies, every - copies, out=out, where=every > copies)
    return 2 * out - 1 if coefficient == "kendall_23" else out


def _mean(values: Array) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else np.nan


def _drawn_means(
    by_item: Array, resamples: int, *, seed: int, threads: int | None
) -> Array:
    defined = ~np.isnan(by_item)
    rows = np.concatenate([np.where(defined, by_item, 0.0), defined]).T
    sums = draw_sums("bootstrap", rows, resamples, seed=seed, threads=threads).T
    total, count = np.split(sums, 2)
    out: Array = np.full(total.shape, np.nan)
    np.divide(total, count, out=out, where=count > 0)
    return out


def _drawn_pearson(
    gold: Array,
    scores: Array,
    group: str,
    resamples: int,
    *,
    seed: int,
    threads: int | None,
) -> Array:
    h = moments.centred(gold)
    gap = np.isnan(h)
    h = np.where(gap, 0.0, h)
    x = scores - scores.mean(axis=(1, 2), keepdims=True)
    x = np.where(gap, 0.0, x)
    # (segments, systems, columns): n, h, h², then x, x², x h of every metric.
    cells = np.stack(
        [~gap, h, h * h, *(part for one in x for part in (one, one * one, one * h))],
        axis=-1,
    ).astype(np.float64)
    if group == "none":
        cells = cells.sum(axis=1, keepdims=True)
    segments, groups, width = cells.shape
    sums = draw_sums(
        "bootstrap",
        cells.reshape(segments, groups * width),
        resamples,
        seed=seed,
        threads=threads,
    ).reshape(resamples, groups, width)
    out = []
    for m in range(len(scores)):
        metric_sums = sums[..., 3 + 3 * m : 6 + 3 * m]
        r = moments.correlations(metric_sums, sums[..., :3])
        mean = moments.mean_defined(r)
        out.append(np.where(np.isnan(r).all(axis=-1), np.nan, mean))
    return np.array(out)


def _draws(
    shape: tuple[int, int], over: str, resamples: int, seed: int
) -> Iterator[tuple[Places, Places]]:
    # NumPy promises never to change the numbers of this older interface.
    random = np.random.RandomState(np.random.MT19937(np.random.SeedSequence(seed)))
    segments, systems = shape
    for _ in range(resamples):
        rows, columns = np.arange(segments), np.arange(systems)
        if over != "systems":
            rows = random.randint(0, segments, segments, dtype=np.int64)
        if over != "segments":
            columns = random.randint(0, systems, systems, dtype=np.int64)
        yield rows, columns


def _outcome(
    names: list[str],
    observed: list[float],
    drawn: Array,
    over: str,
    confidence: float,
    seed: int,
) -> MetricBootstrap:
    intervals: dict[str, tuple[float, float] | None] = {}
    for name, row in zip(names, drawn, strict=True):
        defined = row[~np.isnan(row)]
        intervals[name] = (
            interval(defined, confidence=confidence) if len(defined) else None
        )
    known = [0.0 if np.isnan(value) else value for value in observed]
    tests = []
    for a, b in combinations(range(len(names)), 2):
        difference = known[a] - known[b]
        # A metric without a value in a resample counts as one without agreement.
        shifted = np.nan_to_num(drawn[a]) - np.nan_to_num(drawn[b]) - difference
        higher = int(np.count_nonzero(shifted >= difference - 1e-9))
        lower = int(np.count_nonzero(shifted <= difference + 1e-9))
        trials = len(shifted)
        tests.append(
            MetricTest(
                names[a],
                names[b],
                difference,
                (higher + 1) / (trials + 1),
                (lower + 1) / (trials + 1),
                p_value(shifted, difference),
                trials,
            )
        )
    coefficients = {
        name: None if np.isnan(value) else value
        for name, value in zip(names, observed, strict=True)
    }
    method = f"paired bootstrap over {over}"
    return MetricBootstrap(intervals, MetricTests(coefficients, tests, method, seed))
