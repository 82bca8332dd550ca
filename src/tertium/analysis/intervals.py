# SPDX-License-Identifier: Apache-2.0
"""Figures with intervals, and tested differences between two systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.stats.correction import adjust
from tertium.stats.limits import enough_resamples
from tertium.stats.paired import Resampling
from tertium.stats.resample import interval

if TYPE_CHECKING:
    from tertium.stats.resample import Rows

__all__ = ["Difference", "Figure", "Resampler", "corrected", "ratio"]

_INTERVALS = 1000  # resamples that are enough for an interval
_MOST = 20_000  # resamples for many tests, enough for 200 of them at 0.05


@dataclass(frozen=True)
class Figure:
    """A figure and its bootstrap interval, if it has one."""

    value: float
    interval: tuple[float, float] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures."""
        low_high = None if self.interval is None else list(self.interval)
        return {"value": self.value, "interval": low_high}


@dataclass(frozen=True)
class Difference:
    """The first system's figure minus the second's, tested by a paired bootstrap.

    Attributes
    ----------
    delta : float
    interval : tuple of float
    p, p_adjusted : float
        Before and after the correction for all tests of its table.
    """

    delta: float
    interval: tuple[float, float]
    p: float
    p_adjusted: float

    def to_dict(self) -> dict[str, Any]:
        """Return the figures."""
        return {
            "delta": self.delta,
            "interval": list(self.interval),
            "p": self.p,
            "p_adjusted": self.p_adjusted,
        }


@dataclass(frozen=True)
class Resampler:
    """How figures are resampled.

    Parameters
    ----------
    pair : tuple of int
        The two systems whose difference is tested.
    resamples, seed : int
    alpha : float
        1 - alpha is the confidence of intervals.
    threads : int, optional
    grow : bool
        Whether tables of many tests have more resamples, as many as a corrected
        p-value needs to be significant; see :meth:`for_tests`.
    """

    pair: tuple[int, int]
    resamples: int
    seed: int
    alpha: float
    threads: int | None = None
    grow: bool = False

    def for_tests(self, tests: int) -> Resampler:
        """Return how figures are resampled where this many tests are corrected."""
        if not self.grow or tests == 0:
            return self
        needed = enough_resamples(tests, self.alpha, correction="holm", least=1)
        return replace(self, resamples=max(self.resamples, min(needed, _MOST)))

    def run(
        self, rows: Sequence[Rows], figure: Callable[[Rows], Any]
    ) -> tuple[list[Figure], Difference]:
        """Return the figure of every system, and the difference of the pair.

        Parameters
        ----------
        rows : sequence of ndarray, each of shape (segments, statistics)
            One per system.
        figure : callable
            From sums of rows, along the last axis.
        """
        confidence = 1 - self.alpha
        a, b = self.pair
        # Corrected tests need more resamples than intervals, which all systems have.
        few = min(self.resamples, _INTERVALS)
        others = [i for i in range(len(rows)) if i not in self.pair]
        tested = self._drawn([rows[a], rows[b]], figure, self.resamples)
        figures: dict[int, Figure] = {}
        drawn = [(tested, [a, b])]
        if others:
            drawn.append((self._drawn([rows[i] for i in others], figure, few), others))
        for resampling, numbers in drawn:
            for place, number in enumerate(numbers):
                ends = interval(resampling.scores(place), confidence=confidence)
                figures[number] = Figure(resampling.observed[place], ends)
        (p,) = tested.p_values([(0, 1)])
        difference = Difference(
            delta=tested.observed[0] - tested.observed[1],
            interval=interval(tested.differences(0, 1), confidence=confidence),
            p=p,
            p_adjusted=p,
        )
        return [figures[number] for number in range(len(rows))], difference

    def _drawn(
        self, rows: Sequence[Rows], figure: Callable[[Rows], Any], resamples: int
    ) -> Resampling:
        return Resampling.run(
            rows, figure, resamples=resamples, seed=self.seed, threads=self.threads
        )


def corrected(differences: Sequence[Difference | None]) -> list[Difference | None]:
    """Return differences with p-values corrected by Holm's method for all of them."""
    tested = [each for each in differences if each is not None]
    adjusted = iter(adjust([each.p for each in tested]))
    return [
        None if each is None else replace(each, p_adjusted=next(adjusted))
        for each in differences
    ]


def ratio(sums: Rows) -> Any:
    """Return the first statistic over the second; 0 where there is nothing to count."""
    above, below = np.asarray(sums)[..., 0], np.asarray(sums)[..., 1]
    return np.divide(above, below, out=np.zeros_like(above), where=below != 0)
