# SPDX-License-Identifier: Apache-2.0
"""The SVM over an explicit polynomial map, with a grid of C and γ."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from tertium._executor import spread
from tertium.errors import InputError
from tertium.learn.objectives.forms import PolynomialForm
from tertium.learn.objectives.linear import Fit, objective
from tertium.learn.objectives.losses import accuracy, tau
from tertium.learn.objectives.minimum import minimise
from tertium.learn.rankers import DEGREES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.learn.examples import Examples
    from tertium.stats.resample import Report

    Rows: TypeAlias = NDArray[np.float64]

__all__ = ["GAMMA_GRID", "POLYNOMIAL_GRID", "fit_polynomial"]

#: C = 2^-10, 2^-8 ... 2^10.
POLYNOMIAL_GRID = tuple(2.0**k for k in range(-10, 11, 2))
#: γ = 2^-7 ... 2^15.
GAMMA_GRID = tuple(2.0**g for g in range(-7, 16))


def fit_polynomial(
    train: Examples,
    valid: Examples,
    *,
    degree: int = 2,
    grid: Sequence[float] = POLYNOMIAL_GRID,
    gammas: Sequence[float] = GAMMA_GRID,
    threads: int | None = None,
    progress: Report | None = None,
) -> Fit:
    """Return the polynomial SVM of highest accuracy on held-out pairs.

    The difference of a pair is taken after the map. A tie is wrong; among equal
    accuracies the smallest γ and then the smallest C win. Time grows with candidates ×
    terms × values of either grid: for 57 features there are 1,711 terms of degree 2 and
    34,220 of degree 3, so give short grids or few pairs.

    Parameters
    ----------
    train, valid : Examples
        Features in ranges about 0 to 1.
    degree : int
        2 or 3.
    grid, gammas : sequence of float
        What to try for C and γ.
    threads : int, optional
    progress : callable, optional
        Called with "values of C and gamma", how many are done, and of how many.
    """
    if degree not in DEGREES:
        raise InputError(f"degree is {degree}; it must be 2 or 3")
    if not grid or not gammas or min(*grid, *gammas) <= 0:
        raise InputError("grids of C and gamma need values above 0")
    if not len(train) or not train.weights.sum() > 0:
        raise InputError("no pair to learn from; give pairs with a human preference")
    best: _Searched | None = None
    table: list[list[float]] = []
    search = partial(_search, train, valid, degree, tuple(sorted(grid)), threads)
    for tried, searched in spread(search, sorted(gammas)):
        table += tried
        if progress:
            progress("values of C and gamma", len(table), len(grid) * len(gammas))
        if best is None or searched.right > best.right:
            best = searched
    if best is None:
        raise InputError("grids of C and gamma need values above 0")
    right, gamma, strength, point = best
    form = PolynomialForm(train.features.shape[1], degree, gamma, threads=threads)
    # The term 1 is the bias: differences never see it, and it centres values.
    values, _ = form.forward(point, train.features)
    point = point.copy()
    point[0] -= values.mean()
    differences = valid.differences(form.forward(point, valid.features)[0])
    record: dict[str, object] = {
        "learner": "polynomial",
        "degree": degree,
        "gamma": gamma,
        "regularisation": strength,
        "pairs": len(train),
        "held_out_pairs": len(valid),
        "held_out_accuracy": right,
        "held_out_tau": tau(differences, valid.weights),
        "grid": table,
    }
    return Fit(form.ranker(point + 0.0), record)


class _Searched(NamedTuple):
    """The best of some settings: its accuracy on held-out pairs, and what it is."""

    right: float
    gamma: float
    strength: float
    point: Rows


def _search(
    train: Examples,
    valid: Examples,
    degree: int,
    grid: Sequence[float],
    threads: int | None,
    gamma: float,
) -> tuple[list[list[float]], _Searched]:
    """Return what all C, in rising order, achieve with one γ, and the best of them.

    Each search starts from the last one's solution.
    """
    form = PolynomialForm(train.features.shape[1], degree, gamma, threads=threads)
    point = np.zeros(form.size)
    best = _Searched(-1.0, gamma, 0.0, point)
    table: list[list[float]] = []
    for strength in grid:
        evaluate = objective(form, train, "svm", strength)
        size = 2 * strength * float(train.weights.sum())
        point, _ = minimise(evaluate, point, size=size)
        values, _ = form.forward(point, valid.features)
        right = accuracy(valid.differences(values), valid.weights)
        table.append([gamma, strength, right])
        if right > best.right:
            best = _Searched(right, gamma, strength, point)
    return table, best
