# SPDX-License-Identifier: Apache-2.0
"""Exact line search over n-best lists (Och 2003, section 5).

Along ``point + gamma * direction`` every list changes its best hypothesis at finitely
many values of gamma. The core finds them all; the metric scores all intervals between
them in one call. So any metric whose statistics add up can be tuned for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium import _core
from tertium.errors import InputError
from tertium.tuning.pool import Objective, model_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SMOOTHING", "Intervals", "Smoothing", "intervals", "line_search", "sweep"]

#: How the scores of neighbouring intervals count.
SMOOTHING = ("none", "mean", "minimum")

# Scores that differ by less, relative to their size, are equal: sums of fractions are
# rounded on their way along the line.
_EQUAL = 1e-12


@dataclass(frozen=True)
class Smoothing:
    """Let the neighbours of an interval vote (Cer, Jurafsky and Manning 2008, 3.1).

    Parameters
    ----------
    smooth : {"none", "mean", "minimum"}
        An interval scores as it is, or as the mean or the lowest of a window.
    window : int
        How many intervals on each side are in it.
    """

    smooth: str = "none"
    window: int = 1

    def __post_init__(self) -> None:
        if self.smooth not in SMOOTHING:
            message = f"smooth is {self.smooth!r}; choose from {', '.join(SMOOTHING)}"
            raise InputError(message, options=("smooth",))
        if self.window < 1:
            message = f"window is {self.window}; give 1 or more"
            raise InputError(message, options=("window",))

    def applied(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the scores of intervals with their neighbours; O(n * window)."""
        if self.smooth == "none":
            return values
        padded = np.pad(values, self.window, constant_values=np.nan)
        windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * self.window + 1)
        combine = np.nanmean if self.smooth == "mean" else np.nanmin
        smoothed: NDArray[np.float64] = combine(windows, axis=1)
        return smoothed


@dataclass(frozen=True, eq=False)
class Intervals:
    """A line cut where the choice of some list changes.

    Parameters
    ----------
    cuts : ndarray of shape (n,)
        Values of gamma, ascending.
    statistics : ndarray of shape (n + 1, width)
        Sums over the chosen hypotheses between the cuts.
    """

    cuts: NDArray[np.float64]
    statistics: NDArray[np.float64]

    def inside(self, number: int) -> float:
        """Return a gamma inside an interval: its middle, or 1 beyond the last cut."""
        if not len(self.cuts):
            return 0.0
        if number == 0:
            return float(self.cuts[0]) - 1
        if number == len(self.cuts):
            return float(self.cuts[-1]) + 1
        return float(self.cuts[number - 1] + self.cuts[number]) / 2

    def best(self, values: NDArray[np.float64]) -> int:
        """Return the interval with the highest value.

        Of equal ones it is that around 0, which changes nothing; then the widest.
        """
        highest = values.max()
        equal = np.flatnonzero(values >= highest - _EQUAL * max(1.0, abs(highest)))
        here = int(np.searchsorted(self.cuts, 0.0))
        if here in equal:
            return here
        ends = np.concatenate([[-np.inf], self.cuts, [np.inf]])
        return int(equal[np.argmax(ends[equal + 1] - ends[equal])])


def sweep(
    objective: Objective,
    offsets: NDArray[np.float64],
    slopes: NDArray[np.float64],
) -> Intervals:
    """Return the intervals of a line: hypotheses score offset + gamma * slope.

    Parameters
    ----------
    objective : Objective
    offsets, slopes : ndarray of shape (hypotheses,)
    """
    pool = objective.pool
    cuts, rows = _core.sweep_line(
        offsets, slopes, pool.statistics, pool.first, objective.threads or 0
    )
    return Intervals(cuts[0], rows)


def intervals(
    objective: Objective, point: NDArray[np.float64], direction: NDArray[np.float64]
) -> Intervals:
    """Return the intervals of the line ``point + gamma * direction``."""
    features, threads = objective.pool.features, objective.threads
    return sweep(
        objective,
        model_scores(features, point, threads=threads),
        model_scores(features, direction, threads=threads),
    )


def line_search(
    objective: Objective,
    point: NDArray[np.float64],
    direction: NDArray[np.float64],
    *,
    smoothing: Smoothing | None = None,
) -> tuple[float, float]:
    """Return the best gamma on ``point + gamma * direction``, and its score.

    Parameters
    ----------
    objective : Objective
    point, direction : ndarray of shape (features,)
    smoothing : Smoothing, optional

    Returns
    -------
    gamma, score : float
        A point inside the best interval, and the score there as the metric has it.

    Examples
    --------
    >>> import tertium
    >>> from tertium.tuning.lists import NBestList
    >>> from tertium.tuning.pool import pool_of
    >>> features = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> names = ("lm", "tm")
    >>> one = NBestList("0", ["a c", "a b"], names, features, references=("a b",))
    >>> wer = tertium.metric("wer")
    >>> objective = Objective(pool_of([one], wer), wer)
    >>> line_search(objective, np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    (2.0, 0.0)

    References
    ----------
    Och (2003), Minimum Error Rate Training in Statistical Machine Translation.
    """
    line = intervals(objective, point, direction)
    values = objective.values(line.statistics)
    number = line.best((smoothing or Smoothing()).applied(values))
    sign = 1 if objective.metric.higher_is_better else -1
    return line.inside(number), sign * float(values[number])
