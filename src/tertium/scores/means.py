# SPDX-License-Identifier: Apache-2.0
"""Metrics that are plain means of segment scores: the row is (score, weight)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, overload

from tertium.metrics.base import Metric

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium.metrics.base import Rows

__all__ = ["ByMetric", "MeanScore"]

_Fact = TypeVar("_Fact")


class ByMetric(Generic[_Fact]):
    """A fact that each metric of a class decides, with a value for the class itself.

    Parameters
    ----------
    default : object
    read : callable
        Returns the fact of a metric.
    """

    def __init__(self, default: _Fact, read: Callable[[Any], _Fact]) -> None:
        self._default, self._read = default, read

    def __get__(self, instance: Metric | None, owner: type[Metric]) -> _Fact:
        """Return what the metric says, or the value for the class."""
        return self._default if instance is None else self._read(instance)


class MeanScore(Metric):
    """A score per segment from elsewhere; a system has the mean of its segments."""

    bounds = (-math.inf, math.inf)
    unit = math.nan
    weight_column: ClassVar[int | None] = 1
    weights_count_segments = True

    @property
    def width(self) -> int:
        """Two: the score, and a weight of 1, or of 0 where there is no score."""
        return 2

    @overload
    def from_statistics(self, rows: list[float]) -> float: ...
    @overload
    def from_statistics(self, rows: ArrayLike) -> float | Rows: ...
    def from_statistics(self, rows: ArrayLike) -> float | Rows:
        """Return the mean score; 0 where there is none."""
        if isinstance(rows, list) and len(rows) == 2 and isinstance(rows[0], float):
            return rows[0] / rows[1] if rows[1] else 0.0
        import numpy as np

        table = np.asarray(rows, dtype=np.float64)
        weights = table[..., 1]
        scores = np.divide(
            table[..., 0], weights, out=np.zeros_like(weights), where=weights != 0
        )
        return float(scores) if scores.ndim == 0 else scores

    def resources(self) -> None:
        """Return None: rows are never cached as those of other metrics are."""
        return
