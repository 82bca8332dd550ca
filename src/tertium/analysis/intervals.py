# SPDX-License-Identifier: Apache-2.0
"""Figures with intervals, and tested differences between two systems."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.stats.correction import adjust
from tertium.stats.limits import enough_resamples
from tertium.stats.paired import Resampling
from tertium.stats.resample import block_sums, exact_sum, interval

if TYPE_CHECKING:
    from tertium.stats.resample import Rows

__all__ = ["LEAST", "Difference", "Figure", "Resampler", "corrected", "ratio"]

#: Segments, or documents, without which a difference is not tested: with fewer,
#: p-values of the bootstrap are too small.
LEAST = 20

_INTERVALS = 1000  # resamples that are enough for an interval
_MOST = 20_000  # resamples for many tests, enough for 200 of them at 0.05


@dataclass(frozen=True)
class Figure:
    """A figure, NaN if it is undefined, and its bootstrap interval, if it has one."""

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
    documents : array of int, optional
        The document of every segment, from 0; then whole documents are resampled.
    """

    pair: tuple[int, int]
    resamples: int
    seed: int
    alpha: float
    threads: int | None = None
    grow: bool = False
    documents: np.ndarray | None = None

    def for_tests(self, tests: int) -> Resampler:
        """Return how figures are resampled where this many tests are corrected."""
        if not self.grow or tests == 0:
            return self
        needed = enough_resamples(tests, self.alpha, correction="holm", least=1)
        return replace(self, resamples=max(self.resamples, min(needed, _MOST)))

    def units(
        self, rows: Sequence[Rows], members: np.ndarray | None = None
    ) -> list[Rows]:
        """Return the rows that are resampled: of segments, or summed by document.

        Parameters
        ----------
        rows : sequence of ndarray, each of shape (segments, statistics)
        members : array of int, optional
            The segments that the rows are of; by default all.
        """
        if self.documents is None:
            return list(rows)
        numbers = self.documents if members is None else self.documents[members]
        order = np.argsort(numbers, kind="stable")
        blocks = np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1)
        lists = [block.tolist() for block in blocks]
        return [block_sums(one, lists) for one in rows]

    def count(self, members: np.ndarray) -> int:
        """Return how many units these segments are."""
        if self.documents is None:
            return len(members)
        return len(np.unique(self.documents[members]))

    def tested(
        self,
        rows: Sequence[Rows],
        figure: Callable[[Rows], Any],
        *,
        members: np.ndarray | None = None,
        occupied: bool = False,
        weight: int | None = None,
    ) -> tuple[list[Figure], Difference | None]:
        """Return what :meth:`run` does; with too few units, figures alone.

        A system outside the pair with too few units has a figure without an interval.

        Parameters
        ----------
        rows, figure
            As of :meth:`run`.
        members : array of int, optional
            The segments that the rows are of; by default all.
        occupied : bool
            Whether only units count in which there is something to count.
        weight : int, optional
            The statistic that is 0 where there is no figure: only units count that
            have one; for the pair, those that have one in both systems.
        """
        units = self.units(rows, members)
        number = len(units[0])
        if occupied:
            number = int(np.any([one.any(axis=1) for one in units], axis=0).sum())
        if weight is not None:
            number = int(np.all([units[i][:, weight] for i in self.pair], axis=0).sum())
        sizes = [
            len(one) if weight is None else np.count_nonzero(one[:, weight])
            for one in units
        ]
        figures = [
            Figure(
                float(figure(exact_sum(one))) if size or weight is None else math.nan
            )
            for one, size in zip(units, sizes, strict=True)
        ]
        if number < LEAST:
            return figures, None
        enough = [i for i, size in enumerate(sizes) if size >= LEAST]
        a, b = map(enough.index, self.pair)
        some, test = replace(self, pair=(a, b)).run([units[i] for i in enough], figure)
        for i, one in zip(enough, some, strict=True):
            figures[i] = one
        return figures, test

    def run(
        self, rows: Sequence[Rows], figure: Callable[[Rows], Any]
    ) -> tuple[list[Figure], Difference]:
        """Return the figure of every system, and the difference of the pair.

        Parameters
        ----------
        rows : sequence of ndarray, each of shape (units, statistics)
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
