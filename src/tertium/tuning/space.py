# SPDX-License-Identifier: Apache-2.0
"""The space in which weights are searched: features on one scale."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.tuning.pool import Objective, model_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Best", "Report", "Space"]

#: What is told about progress: what is counted, how many are done, of how many.
Report: TypeAlias = Callable[[str, int, "int | None"], None]


@dataclass(frozen=True, eq=False)
class Space:
    """The features that differ within lists, divided by their standard deviation there.

    Seeds and step sizes so mean the same for log-probabilities and for word counts.

    Parameters
    ----------
    objective : Objective
    start : ndarray of shape (features,)
        Weights; features that differ nowhere keep theirs.
    """

    objective: Objective
    start: NDArray[np.float64]

    @cached_property
    def features(self) -> NDArray[np.float64]:
        """Scaled features, one column per feature in use."""
        pool = self.objective.pool
        scaled = pool.centred[:, pool.used] / pool.spread[pool.used]
        return np.ascontiguousarray(scaled)

    @property
    def size(self) -> int:
        """The number of features in use."""
        return int(self.objective.pool.used.sum())

    @cached_property
    def columns(self) -> list[NDArray[np.float64]]:
        """The columns of the scaled features, each in one piece."""
        return [np.ascontiguousarray(column) for column in self.features.T]

    def scaled(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return weights as a point of this space, of length 1."""
        pool = self.objective.pool
        return unit(weights[pool.used] * pool.spread[pool.used])

    def weights(self, point: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return a point as weights whose absolute values sum to 1."""
        pool = self.objective.pool
        weights = self.start.copy()
        if np.any(point):
            weights[pool.used] = _sum_one(point / pool.spread[pool.used])
        return _sum_one(weights)

    def model(self, point: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the model scores of all hypotheses at a point."""
        return model_scores(self.features, point, threads=self.objective.threads)

    def value(self, scores: NDArray[np.float64]) -> float:
        """Return the value of the best hypotheses by model scores; higher is better."""
        objective = self.objective
        total = objective.total(objective.pool.winners(scores))
        return float(objective.values(np.asarray(total)))


@dataclass(eq=False)
class Best:
    """The best point so far, which survives Ctrl-C."""

    point: NDArray[np.float64]
    value: float = -np.inf
    steps: int = field(default=0)

    def offer(self, point: NDArray[np.float64], value: float) -> bool:
        """Keep a point if it is better, and return whether it is."""
        if value <= self.value:
            return False
        self.point, self.value = point.copy(), value
        return True


def unit(point: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a point at length 1, which chooses the same hypotheses."""
    length = float(np.sqrt(np.sum(point**2)))
    return point / length if length > 0 else point


def _sum_one(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    total = float(np.abs(weights).sum())
    return weights / total if total > 0 else weights
