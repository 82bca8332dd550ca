# SPDX-License-Identifier: Apache-2.0
"""MERT: minimum error rate training (Och 2003).

From a start, exact line searches along the axes, along random directions and along the
way of the last sweep (Powell 1964) follow each other until a sweep gains next to
nothing. Restarts begin at random points and at points around the best one in turn: a
random walk finds better optima than random points alone (Moore and Quirk 2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.tuning.line_search import Smoothing, sweep
from tertium.tuning.space import Best, Report, Space, unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Mert"]

# A sweep that gains less, as a share of the metric's unit, is the last one.
_TOLERANCE = 1e-5
_SWEEPS = 30
# The length of a random walk from the best point, which has length 1.
_WALK = 0.5


@dataclass(frozen=True)
class Mert:
    """The settings of MERT.

    Parameters
    ----------
    restarts : int
        Searches from other points than the start.
    directions : int
        Random directions per sweep, beside the axes.
    patience : int
        Restarts without a gain after which the search ends.
    smooth : {"none", "mean", "minimum"}
        Score intervals with their neighbours, against sharp peaks that do not
        generalise (Cer, Jurafsky and Manning 2008).
    window : int
        How many neighbours on each side.
    """

    restarts: int = 20
    directions: int = 2
    patience: int = 20
    smooth: str = "none"
    window: int = 1

    def __post_init__(self) -> None:
        for name, least in (("restarts", 0), ("directions", 0), ("patience", 1)):
            if getattr(self, name) < least:
                message = f"{name} is {getattr(self, name)}; give {least} or more"
                raise InputError(message, options=(name,))
        self.smoothing  # noqa: B018  # wrong values are reported before the work

    @property
    def smoothing(self) -> Smoothing:
        """How neighbouring intervals count."""
        return Smoothing(self.smooth, self.window)

    def run(
        self,
        space: Space,
        best: Best,
        generator: np.random.Generator,
        report: Report,
    ) -> None:
        """Search from the point of `best`, and leave the best point there."""
        start, idle = best.point, 0
        for restart in range(self.restarts + 1):
            report("searches from a start", restart, self.restarts + 1)
            point = start
            if restart:
                point = _restart(best.point, generator, walk=restart % 2 == 0)
            gained = self._climb(space, point, best, generator)
            idle = 0 if gained or not restart else idle + 1
            if idle >= self.patience:
                break

    def _climb(
        self,
        space: Space,
        point: NDArray[np.float64],
        best: Best,
        generator: np.random.Generator,
    ) -> bool:
        """Search along directions until a sweep gains next to nothing."""
        enough = _TOLERANCE * _unit_of(space)
        value = space.value(point)
        gained = best.offer(point, value)
        for _ in range(_SWEEPS):
            before, old = value, point
            for direction in self._directions(space, generator):
                point, value = self._step(space, point, value, direction, best)
            if np.any(point != old):
                way = unit(point - old)
                point, value = self._step(space, point, value, way, best)
            gained |= best.offer(point, value)
            if not value > before + enough:
                break
            point = unit(point)
        return gained

    def _directions(
        self, space: Space, generator: np.random.Generator
    ) -> list[int | NDArray[np.float64]]:
        """Return axes, as numbers, in random order, then random directions."""
        axes = [int(axis) for axis in generator.permutation(space.size)]
        extra = generator.normal(size=(self.directions, space.size))
        return [*axes, *map(unit, extra)]

    def _step(
        self,
        space: Space,
        point: NDArray[np.float64],
        value: float,
        direction: int | NDArray[np.float64],
        best: Best,
    ) -> tuple[NDArray[np.float64], float]:
        """Return the best point on a line and its value; the same point if none."""
        best.steps += 1
        offsets = space.features @ point
        if isinstance(direction, int):
            slopes, order = space.columns[direction], space.orders[direction]
            line = sweep(space.objective, offsets, slopes, order)
            direction = np.eye(space.size)[direction]
        else:
            line = sweep(space.objective, offsets, space.features @ direction)
        values = space.objective.values(line.statistics)
        smoothed = self.smoothing.applied(values)
        number = line.best(smoothed)
        here = int(np.searchsorted(line.cuts, 0.0))
        if number == here or not smoothed[number] > smoothed[here]:
            return point, value
        moved = point + line.inside(number) * direction
        reached = space.value(moved)
        # In a very narrow interval rounding may choose other hypotheses.
        if self.smooth == "none" and not reached > value:
            return point, value
        return moved, reached


def _restart(
    best: NDArray[np.float64], generator: np.random.Generator, *, walk: bool
) -> NDArray[np.float64]:
    step = unit(generator.normal(size=best.shape))
    return unit(best + _WALK * step) if walk else step


def _unit_of(space: Space) -> float:
    size = space.objective.metric.unit
    return size if np.isfinite(size) else 1.0
