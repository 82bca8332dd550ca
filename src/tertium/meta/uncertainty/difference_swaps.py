# SPDX-License-Identifier: Apache-2.0
"""PDP of metrics whose scores are swapped, output by output (PERM-BOTH).

Swapping changes a metric's sums of pairs in two ways: sum xy is linear in the coins, as
human scores are centred by segment, and sum yy is linear but for the squared sums of
segments. So trials are matrix products and sums over segments, and nothing is quadratic
in the number of systems.

References
----------
Deutsch, Dror and Roth (2021). A statistical analysis of summarization evaluation
metrics using resampling methods. TACL 9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.meta.agreement.pairwise_differences import pdp, segment_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["pdp_permutation", "swapped_differences"]

Array: TypeAlias = "NDArray[np.float64]"

_CHUNK = 4_000_000  # coins that are held at once
_TOLERANCE = 1e-12


def pdp_permutation(
    human: Array, first: Array, second: Array, *, trials: int, seed: int
) -> tuple[float, float]:
    """Return the difference of two metrics' PDP, and its two-sided p-value.

    Time grows with trials x judged outputs.

    Parameters
    ----------
    human, first, second : matrix
        Systems x segments; NaN where a score is missing. Outputs without all three
        scores count for neither metric.
    trials : int
        The observed outcome counts as one more (Phipson and Smyth 2010).
    seed : int
        Coins depend on it, and on the number of outputs, alone.
    """
    known = ~np.isnan(human) & ~np.isnan(first) & ~np.isnan(second)
    gold, one, two = (
        np.where(known, table, np.nan) for table in (human, first, second)
    )
    one, two = _standard(one), _standard(two)
    observed = float(
        pdp(segment_sums(gold, one).sum(axis=0))
        - pdp(segment_sums(gold, two).sum(axis=0))
    )
    if np.isnan(observed):
        return 0.0, 1.0
    generator = np.random.default_rng(seed)
    size = int(known.sum())
    step = max(1, _CHUNK // size)
    extreme = 0
    for done in range(0, trials, step):
        coins = generator.integers(0, 2, (min(step, trials - done), size), np.int8)
        swapped = np.abs(swapped_differences(gold, one, two, coins))
        extreme += int((np.nan_to_num(swapped) >= abs(observed) - _TOLERANCE).sum())
    return observed, (extreme + 1) / (trials + 1)


def swapped_differences(
    human: Array, first: Array, second: Array, coins: NDArray[np.int8]
) -> Array:
    """Return the difference of PDP in every trial.

    Parameters
    ----------
    human, first, second : matrix
        With scores of the same outputs.
    coins : array of shape (trials, outputs)
        1 swaps the scores of an output; outputs are in the order of segments.
    """
    places = np.argwhere(~np.isnan(human.T))
    segment, system = places.T
    gold, one, two = (table[system, segment] for table in (human, first, second))
    starts = np.flatnonzero(np.append(True, segment[1:] != segment[:-1]))
    sizes = np.diff(np.append(starts, len(segment)))
    n = np.repeat(sizes, sizes).astype(float)
    centred = gold - np.repeat(np.add.reduceat(gold, starts) / sizes, sizes)
    xx = float((n * centred**2).sum())
    flips = coins.astype(float)
    values = []
    for scores, other in ((one, two), (two, one)):
        gap = other - scores
        xy = (n * centred * scores).sum() + flips @ (n * centred * gap)
        squares = (n * scores**2).sum() + flips @ (n * (other**2 - scores**2))
        sums = np.add.reduceat(scores + flips * gap, starts, axis=1)
        yy = squares - (sums**2).sum(axis=1)
        rounding = _TOLERANCE * np.abs(squares)
        yy = np.where(yy > rounding, yy, 0.0)
        values.append(pdp(np.stack([xy, np.full(len(xy), xx), yy], axis=-1)))
    return values[0] - values[1]


def _standard(table: Array) -> Array:
    """Return scores with mean 0 and variance 1, so that swapped ones are alike."""
    spread = float(np.nanstd(table))
    mean = float(np.nanmean(table))
    return (table - mean) / (spread if spread > 0 else 1.0)
