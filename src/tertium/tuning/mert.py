# SPDX-License-Identifier: Apache-2.0
"""MERT: minimum error rate training (Och 2003).

From a start, exact line searches along the axes, along random directions and along the
way of the last sweep (Powell 1964) follow each other until a sweep gains next to
nothing. Restarts begin near the best point so far: a random walk finds better optima
than random points alone (Moore and Quirk 2008). When it no longer does, every other one
begins anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.tuning.line_search import Smoothing, sweep
from tertium.tuning.space import Best, Report, Space, unit

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

__all__ = ["Mert"]

# A sweep that gains less, as a share of the metric's unit, is the last one.
_TOLERANCE = 1e-4
_SWEEPS = 30
# The length of a random walk from the best point, which has length 1.
_WALK = 0.2
# After so many restarts without a gain, every other one begins anywhere.
_ANYWHERE = 3
_RESTARTS = 100
# Hypotheses times line searches after which no restart begins by default: about two
# seconds of two cores. Not a time, so that results are the same on every machine.
_WORK = 1.2e8


@dataclass(frozen=True)
class Mert:
    """The settings of MERT.

    Parameters
    ----------
    restarts : int, optional
        Searches from other points than the start, at most. By default 100, but none
        begins once line searches have together seen 120,000,000 hypotheses.
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

    restarts: int | None = None
    directions: int = 14
    patience: int = 60
    smooth: str = "none"
    window: int = 1

    def __post_init__(self) -> None:
        for name, least in (("restarts", 0), ("directions", 0), ("patience", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                message = f"{name} is {value}; give {least} or more"
                raise InputError(message, options=(name,))
        self.smoothing  # noqa: B018  # wrong values are reported before the work

    @property
    def smoothing(self) -> Smoothing:
        """How neighbouring intervals count."""
        return Smoothing(self.smooth, self.window)

    def run(self, space: Space, best: Best, random: Generator, report: Report) -> None:
        """Search from the point of `best`, and leave the best point there."""
        start, idle = best.point, 0
        searches = 1 + (_RESTARTS if self.restarts is None else self.restarts)
        for restart in range(searches):
            report("searches from a start", restart, searches)
            point = start
            if restart:
                walk = idle < _ANYWHERE or idle % 2 == 0
                point = _restart(best.point, random, walk=walk)
            gained = self._climb(space, point, best, random)
            idle = 0 if gained or not restart else idle + 1
            enough = self.restarts is None and best.steps * len(space.features) > _WORK
            if enough or idle >= self.patience:
                break

    def _climb(
        self, space: Space, point: NDArray[np.float64], best: Best, random: Generator
    ) -> bool:
        """Search along directions until a sweep gains next to nothing."""
        enough = _TOLERANCE * space.objective.unit
        place = self._place(space, point)
        gained = best.offer(place.point, place.value)
        for _ in range(_SWEEPS):
            before = place
            for direction in self._directions(space, random):
                place = self._step(space, place, direction, best)
            if place is not before:
                way = unit(place.point - before.point)
                place = self._step(space, place, way, best)
            gained |= best.offer(place.point, place.value)
            if not place.value > before.value + enough:
                break
            # Anew, since sums of steps collect rounding errors.
            place = self._place(space, unit(place.point), place.value)
        return gained

    def _place(
        self, space: Space, point: NDArray[np.float64], smoothed: float = -np.inf
    ) -> _Place:
        """Return a place; without its neighbours, a point has no smoothed value."""
        scores = space.model(point)
        plain = self.smooth == "none"
        return _Place(point, scores, space.value(scores) if plain else smoothed)

    def _directions(
        self, space: Space, random: Generator
    ) -> list[int | NDArray[np.float64]]:
        """Return axes, as numbers, in random order, then random directions."""
        axes = [int(axis) for axis in random.permutation(space.size)]
        extra = random.normal(size=(self.directions, space.size))
        return [*axes, *map(unit, extra)]

    def _step(
        self,
        space: Space,
        place: _Place,
        direction: int | NDArray[np.float64],
        best: Best,
    ) -> _Place:
        """Return the best place on a line; the same one if none is better."""
        best.steps += 1
        if isinstance(direction, int):
            slopes = space.columns[direction]
            direction = np.eye(space.size)[direction]
        else:
            slopes = space.model(direction)
        line = sweep(space.objective, place.scores, slopes)
        values = self.smoothing.applied(space.objective.values(line.statistics))
        number = line.best(values)
        # Where hypotheses are equal here, the interval around 0 may be better than 0.
        here = place.value
        if self.smooth != "none":
            here = values[np.searchsorted(line.cuts, 0.0)]
        if not values[number] > here:
            return place
        gamma = line.inside(number)
        point, scores = place.point + gamma * direction, place.scores + gamma * slopes
        if self.smooth != "none":
            return _Place(point, scores, float(values[number]))
        # In a very narrow interval rounding may choose other hypotheses.
        moved = _Place(point, scores, space.value(scores))
        return moved if moved.value > place.value else place


@dataclass(frozen=True, eq=False)
class _Place:
    """A point, the model scores there, and its value, smoothed or not."""

    point: NDArray[np.float64]
    scores: NDArray[np.float64]
    value: float


def _restart(
    best: NDArray[np.float64], random: Generator, *, walk: bool
) -> NDArray[np.float64]:
    step = unit(random.normal(size=best.shape))
    return unit(best + _WALK * step) if walk else step
