# SPDX-License-Identifier: Apache-2.0
"""Pearson's r from sums, for all pairs of metrics and all trials at once.

Sums of x, x² and x h are linear in the coins: with the sums over swapped entries of
every metric, those of two metrics that exchanged them follow by addition.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from tertium import _core
from tertium.meta.agreement.grouped import arrange

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.meta.uncertainty.significance import Array, Differences, Pairs

__all__ = ["correlations", "differences", "moments"]

# Sums of squares below this share of the raw ones are rounding: a constant.
_CONSTANT = 1e-13


def centred(human: Array) -> Array:
    """Return scores with mean 0: differences of large sums lose fewer digits."""
    out: Array = human - np.nanmean(human)
    return out


def moments(human: Array, metrics: Array, group: str) -> Array:
    """Return sums of x, x² and x h, of shape (groups, 3 * metrics)."""
    gold = arrange(human, group)
    gap = np.isnan(gold)
    h = np.where(gap, 0.0, gold)
    columns = []
    for one in metrics:
        x = np.where(gap, 0.0, arrange(one, group))
        columns += [x.sum(axis=1), (x * x).sum(axis=1), (x * h).sum(axis=1)]
    return np.ascontiguousarray(np.array(columns).T, dtype=np.float64)


def correlations(sums: Array, gold: Array) -> Array:
    """Return r of sums (..., groups, 3) and human ones (..., groups, 3): n, h, h².

    NaN where one side is constant.
    """
    n, h, hh = gold[..., 0], gold[..., 1], gold[..., 2]
    x, xx, xh = sums[..., 0], sums[..., 1], sums[..., 2]
    below_x = n * xx - x * x
    below_h = n * hh - h * h
    good = (below_x > _CONSTANT * n * xx) & (below_h > _CONSTANT * n * hh)
    r: Array = np.full(good.shape, np.nan)
    scale = np.sqrt(np.where(good, below_x * below_h, 1.0))
    np.divide(n * xh - x * h, scale, out=r, where=good)
    return np.clip(r, -1.0, 1.0)


def mean_defined(values: Array) -> Array:
    """Return means over the last axis without NaN, 0 where there is nothing."""
    good = ~np.isnan(values)
    counts = good.sum(axis=-1)
    total = np.where(good, values, 0.0).sum(axis=-1)
    mean: NDArray[np.float64] = total / np.maximum(counts, 1)
    return mean


def gold_moments(human: Array, group: str) -> Array:
    """Return n, sum of h, sum of h² of every group."""
    gold = arrange(human, group)
    gap = np.isnan(gold)
    h = np.where(gap, 0.0, gold)
    return np.stack(
        [(~gap).sum(axis=1), h.sum(axis=1), (h * h).sum(axis=1)], axis=-1
    ).astype(np.float64)


def differences(
    human: Array,
    metrics: Array,
    group: str,
    swap: str,
    seed: int,
    threads: int | None,
) -> Differences:
    """Return the function that draws differences of r after swaps."""
    human = centred(human)
    totals = moments(human, metrics, group)
    gold = gold_moments(human, group)

    return partial(
        _drawn, human, metrics, totals, gold, group, swap, seed, threads or 0
    )


def _drawn(
    human: Array,
    metrics: Array,
    totals: Array,
    gold: Array,
    group: str,
    swap: str,
    seed: int,
    threads: int,
    pairs: Pairs,
    first: int,
    count: int,
) -> Array:
    """Return the differences of some trials: the first one, and how many."""
    swapped = _core.swapped_moments(
        group, human, metrics, swap, count, seed, threads, first
    )
    kept = totals - swapped
    out = np.empty((len(pairs), count))
    for row, (a, b) in zip(out, pairs, strict=True):
        of_a, of_b = slice(3 * a, 3 * a + 3), slice(3 * b, 3 * b + 3)
        one = correlations(kept[..., of_a] + swapped[..., of_b], gold)
        two = correlations(kept[..., of_b] + swapped[..., of_a], gold)
        row[:] = mean_defined(one) - mean_defined(two)
    return out
