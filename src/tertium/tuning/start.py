# SPDX-License-Identifier: Apache-2.0
"""Where tuning starts: given weights, or those that made the lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.notes import Note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.tuning.pool import Pool

__all__ = ["start_weights"]

# Of the variance of scores that features explain, where weights are taken from them.
# Scores in files are rounded to a few digits.
_EXPLAINED = 0.999


def start_weights(
    pool: Pool, start: Mapping[str, float] | None
) -> tuple[NDArray[np.float64], tuple[Note, ...]]:
    """Return weights, their absolute values summing to 1, and notes on their origin."""
    if start is not None:
        return _sum_one(_named(pool.names, start)), ()
    fitted = _from_scores(pool)
    if fitted is not None:
        return _sum_one(fitted), (Note("start-from-scores"),)
    return _sum_one(np.ones(len(pool.names))), (Note("start-equal"),)


def _named(names: tuple[str, ...], start: Mapping[str, float]) -> NDArray[np.float64]:
    for name, weight in start.items():
        if name not in names:
            raise UnknownNameError("feature", name, names)
        if not np.isfinite(weight):
            raise InputError(f"the weight of {name} is {weight}; give a finite number")
    missing = [name for name in names if name not in start]
    if missing:
        message = f"there is no weight for {', '.join(missing)}; give one per feature"
        raise InputError(message, options=("start",))
    return np.array([start[name] for name in names], dtype=np.float64)


def _from_scores(pool: Pool) -> NDArray[np.float64] | None:
    """Return weights that reproduce the scores of the lists by least squares.

    Only differences within lists count, so terms that are equal for all hypotheses of a
    list, and features that are, do not matter.
    """
    if pool.scores is None or not np.all(np.isfinite(pool.scores)):
        return None
    scores = pool.minus_means(pool.scores)
    total = float(np.sum(scores**2))
    if not total > 0:
        return None
    scale = np.where(pool.spread > 0, pool.spread, 1.0)
    solution = np.linalg.lstsq(pool.centred / scale, scores, rcond=None)[0]
    residual = float(np.sum((scores - pool.centred / scale @ solution) ** 2))
    if residual > (1 - _EXPLAINED) * total:
        return None
    weights: NDArray[np.float64] = np.where(pool.used, solution / scale, 0.0)
    return weights


def _sum_one(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    total = float(np.abs(weights).sum())
    return weights / total if total > 0 else weights
