# SPDX-License-Identifier: Apache-2.0
"""Abilities from outcomes of pairs, by Fisher scoring, for many tables at once.

A model says how likely a win, a loss and a tie are, given the difference of two
abilities and one number for ties that all pairs share. Both models here have a
concave log-likelihood, so there is one maximum, and halved steps always reach it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.errors import NotDefinedError

__all__ = ["Fit", "Outcomes", "fit_abilities", "has_cycle", "is_connected"]

Array: TypeAlias = "NDArray[np.float64]"

_STEPS = 200
_HALVINGS = 40
_TINY = 1e-200


class Outcomes(NamedTuple):
    """Chances of win, loss and tie, with their derivatives.

    Each is a triple of arrays: the chances, then the derivatives by the difference
    of abilities, then those by the number for ties.
    """

    chance: tuple[Array, Array, Array]
    by_difference: tuple[Array, Array, Array]
    by_tie: tuple[Array, Array, Array]


#: Outcomes from differences of abilities and the number for ties.
Model: TypeAlias = "Callable[[Array, Array], Outcomes]"


class Fit(NamedTuple):
    """Abilities (tables, systems), tie numbers (tables,), information, steps."""

    abilities: Array
    tie: Array
    information: Array
    steps: int


def fit_abilities(
    wins: Array, ties: Array, model: Model, *, prior: Array, tie: Array, fixed: Array
) -> Fit:
    """Return the abilities that make the tables most likely.

    Parameters
    ----------
    wins, ties : array of shape (tables, systems, systems)
    model : callable
    prior : array of shape (tables,)
        One over the variance of a normal prior with mean 0; 0 for none, and then
        the mean ability is 0.
    tie : array of shape (tables,)
        Where the number for ties starts.
    fixed : array of bool of shape (tables,)
        Whether it stays there.

    Notes
    -----
    A step takes O(tables * systems^3).
    """
    counts = (wins, wins.swapaxes(-1, -2), ties)
    tables, systems = wins.shape[0], wins.shape[-1]
    total = np.maximum(1.0, counts[0].sum((-1, -2)) + ties.sum((-1, -2)) / 2)
    abilities = np.zeros((tables, systems))
    tie = tie.copy()

    def likelihood(at: Array, radius: Array) -> Array:
        chance = model(_differences(at), radius[:, None, None]).chance
        logs = sum(
            n * np.log(np.maximum(p, _TINY))
            for n, p in zip(counts, chance, strict=True)
        )
        value: Array = np.sum(logs, axis=(-1, -2)) / 2
        return np.asarray(value - prior / 2 * np.sum(at**2, axis=-1))

    best = likelihood(abilities, tie)
    information = np.zeros((tables, systems + 1, systems + 1))
    met = (counts[0] + counts[1] + ties).sum(-1) > 0
    # Nothing but differences shows, so without a prior the mean is kept at 0.
    gauge = (met[:, :, None] & met[:, None, :]) * (
        np.where(prior > 0, 0.0, total / systems)[:, None, None]
    )
    for step in range(_STEPS):
        gradient, information = _slope(
            counts, model(_differences(abilities), tie[:, None, None])
        )
        gradient[:, :-1] -= prior[:, None] * abilities
        every = np.arange(systems)
        information[:, every, every] += prior[:, None] + ~met
        gradient[:, -1] = np.where(fixed, 0.0, gradient[:, -1])
        information[fixed, -1, :] = 0.0
        information[fixed, :, -1] = 0.0
        information[fixed, -1, -1] = 1.0
        if np.all(np.abs(gradient).max(-1) <= 1e-10 * total):
            return Fit(abilities, tie, information, step)
        solvable = information.copy()
        solvable[:, :-1, :-1] += gauge
        move = np.linalg.solve(solvable, gradient[..., None])[..., 0]
        size = np.ones(tables)
        for _ in range(_HALVINGS):
            at = abilities + size[:, None] * move[:, :-1]
            radius = tie + size * move[:, -1]
            value = likelihood(at, radius)
            worse = ~(value >= best - 1e-12 * np.abs(best))
            if not worse.any():
                break
            size[worse] /= 2
        # Steps that never helped are not made.
        size[worse] = 0.0
        at = abilities + size[:, None] * move[:, :-1]
        radius = tie + size * move[:, -1]
        gained = likelihood(at, radius) - best
        abilities, tie, best = at, radius, best + gained
        # At the limit of the numbers no step gains anything.
        still = np.abs(size[:, None] * move).max(-1) < 1e-12
        if np.all(still) and np.all(np.abs(gradient).max(-1) <= 1e-6 * total):
            return Fit(abilities, tie, information, step + 1)
    message = (
        f"abilities did not settle in {_STEPS} steps; give a prior, or leave out "
        "systems with very few comparisons"
    )
    raise NotDefinedError(message)


def _differences(abilities: Array) -> Array:
    return abilities[:, :, None] - abilities[:, None, :]


def _slope(counts: tuple[Array, Array, Array], now: Outcomes) -> tuple[Array, Array]:
    """Return gradient and expected information; every pair stands there twice."""
    number = counts[0] + counts[1] + counts[2]
    by_difference, by_tie, both, of_difference, of_tie = np.zeros((5, *number.shape))
    for n, chance, d, t in zip(counts, *now, strict=True):
        p = np.maximum(chance, _TINY)
        by_difference = by_difference + n * d / p
        by_tie = by_tie + n * t / p
        of_difference = of_difference + number * d * d / p
        of_tie = of_tie + number * t * t / p
        both = both + number * d * t / p
    tables, systems = number.shape[0], number.shape[-1]
    gradient = np.empty((tables, systems + 1))
    gradient[:, :-1] = np.sum(by_difference, axis=-1)
    gradient[:, -1] = np.sum(by_tie, axis=(-1, -2)) / 2
    information = np.zeros((tables, systems + 1, systems + 1))
    every = np.arange(systems)
    information[:, :-1, :-1] = -of_difference
    information[:, every, every] += np.sum(of_difference, axis=-1)
    cross = np.sum(both, axis=-1)
    information[:, :-1, -1] = information[:, -1, :-1] = cross
    information[:, -1, -1] = np.sum(of_tie, axis=(-1, -2)) / 2
    return gradient, information


def is_connected(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return for each graph whether every system reaches every other."""
    reached: NDArray[np.bool_] = _closure(edges | np.eye(edges.shape[-1], dtype=bool))
    return np.asarray(reached.all(axis=(-1, -2)))


def has_cycle(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return for each graph whether some system reaches itself."""
    reached = _closure(edges)
    return np.asarray(np.diagonal(reached, axis1=-2, axis2=-1).any(-1))


def _closure(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return who reaches whom in one step or more, by squaring."""
    reached = edges
    for _ in range(max(1, int(edges.shape[-1]).bit_length())):
        steps = reached.astype(np.float32)
        reached = reached | (steps @ steps > 0)
    return reached
