# SPDX-License-Identifier: Apache-2.0
"""Pruning: hypotheses that will not win are dropped before all pairs are scored.

References are sampled without replacement in a random order, first 16 of them, then
twice as many each time. After each round a paired t-test compares every hypothesis with
the one that is now in the last place to be kept, and drops those that are significantly
worse. (Cheng and Vlachos 2023 do so by the bootstrap.)

The stated error is the chance that the winner of a list is dropped. It is divided by
the rounds and by the hypotheses, any of which may be the one compared with, so it is an
upper bound as far as the t distribution fits the differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Survivors", "prune_hypotheses", "student_quantile"]

_FIRST = 16  # references in the first round: fewer say little about the variance


@dataclass(frozen=True, eq=False)
class Survivors:
    """The hypotheses that were not dropped, their expected utilities, pairs scored."""

    rows: NDArray[np.intp]
    utilities: NDArray[np.float64]
    pairs: int


def prune_hypotheses(
    utilities: Callable[[NDArray[np.intp], NDArray[np.intp]], NDArray[np.float64]],
    hypotheses: int,
    weights: NDArray[np.float64],
    *,
    error: float,
    top: int = 1,
    rng: np.random.Generator,
) -> Survivors:
    """Return the hypotheses that may be among the best, with expected utilities.

    Parameters
    ----------
    utilities : callable
        Returns the utilities of hypotheses against references, both by number.
    hypotheses : int
    weights : ndarray
        Of the references; they add up to 1.
    error : float
        The accepted chance that one of the best is dropped, for each of them.
    top : int
        How many best ones are wanted.
    rng : numpy.random.Generator
    """
    size = len(weights)
    order = rng.permutation(size)
    ends = _rounds(size)
    level = error / (max(1, len(ends) - 1) * max(1, hypotheses - 1))
    alive = np.arange(hypotheses)
    # A reference counts by its weight: the plain mean of this table is the utility.
    table = np.empty((hypotheses, 0))
    pairs = 0
    for start, end in zip([0, *ends], ends, strict=False):
        columns = order[start:end]
        pairs += len(alive) * len(columns)
        more = utilities(alive, columns) * (size * weights[columns])
        table = np.concatenate([table, more], axis=1)
        if end < size and len(alive) > top:
            kept = _not_worse(table, size, top, student_quantile(level, end - 1))
            alive, table = alive[kept], table[kept]
    return Survivors(alive, table.mean(axis=1), pairs)


def _rounds(size: int) -> list[int]:
    """Return the number of references after each round.

    Examples
    --------
    >>> _rounds(100), _rounds(10)
    ([16, 32, 64, 100], [10])
    """
    ends = []
    end = _FIRST
    while end < size:
        ends.append(end)
        end *= 2
    return [*ends, size]


def _not_worse(
    table: NDArray[np.float64], size: int, top: int, quantile: float
) -> NDArray[np.bool_]:
    """Return which rows are not significantly worse than the last one to be kept."""
    count = table.shape[1]
    ranked = np.argsort(-table.mean(axis=1), kind="stable")
    gaps = table[ranked[top - 1]] - table
    means = gaps.mean(axis=1)
    # Samples without replacement vary less: the finite population correction.
    errors = gaps.std(axis=1, ddof=1) * math.sqrt((1 - count / size) / count)
    kept = means <= quantile * errors
    kept[ranked[:top]] = True
    return np.asarray(kept, dtype=np.bool_)


def student_quantile(upper: float, degrees: int) -> float:
    """Return the value that Student's t exceeds with a probability.

    By the expansion around the normal quantile (Abramowitz and Stegun 26.7.5), which
    needs no SciPy; from 15 degrees on it is correct to 2 %.

    Examples
    --------
    >>> round(student_quantile(0.025, 15), 3)
    2.131
    """
    z = -NormalDist().inv_cdf(upper)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return math.fsum(term / degrees**power for power, term in enumerate(terms))
