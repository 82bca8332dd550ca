# SPDX-License-Identifier: Apache-2.0
"""Scalers fitted to human scores from 0 to 100: SVR, Platt, isotonic.

Both lines have two parameters, so Newton's method solves them exactly (A17; the
released BEER 2.0 stopped early).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.errors import InputError, NotDefinedError, UnknownNameError
from tertium.learn.scalers import SCALERS, Scaler, sigmoid

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Rows: TypeAlias = NDArray[np.float64]
    #: From (slope, intercept) to value, gradient, Hessian.
    Evaluate: TypeAlias = Callable[[Rows], tuple[float, Rows, Rows]]

__all__ = [
    "EXTREMES",
    "certainty",
    "fit_scaler",
    "isotonic",
    "platt_objective",
    "svr_objective",
]

#: How many of the highest and lowest raw numbers Platt takes without human scores.
EXTREMES = 100
_TOLERANCE = 0.1  # of the SVR: errors up to this are none
_STEPS = 200


def fit_scaler(
    kind: str,
    raw: ArrayLike | None = None,
    human: ArrayLike | None = None,
    *,
    anchor: bool = False,
) -> Scaler:
    """Return a scaler.

    Parameters
    ----------
    kind : str
        ``none`` and ``quasi`` need no data; ``relative``, ``linear`` (SVR), ``platt``
        and ``isotonic`` do.
    raw : array, optional
        Raw numbers of texts; of relative what unrelated texts lose against copies.
    human : array, optional
        Human scores of them, from 0 to 100. Platt does without: the 100 highest
        raw numbers, of pooled n-best lists say, count as good and the 100 lowest as
        bad.
    anchor : bool
        See :class:`~tertium.learn.scalers.Scaler`.

    Raises
    ------
    NotDefinedError
        If human scores do not rise with the raw numbers.
    """
    if kind not in SCALERS:
        raise UnknownNameError("scaler", kind, SCALERS)
    if kind in ("none", "quasi"):
        return Scaler(kind, anchor=anchor)
    values = _vector(raw, f"scaler {kind}", "raw numbers")
    if kind == "relative":
        loss = float(values.mean())
        if not loss > 0:
            raise NotDefinedError(
                "unrelated texts score as high as copies of the reference, so there is "
                "no scale; train on more judgements"
            )
        return Scaler(kind, 1.0 / loss, anchor=anchor)
    if human is None:
        if kind != "platt":
            raise InputError(
                f"scaler {kind} needs human scores from 0 to 100; give some, or choose "
                f"none, quasi or platt"
            )
        evaluate = platt_objective(*_extremes(values))
    else:
        ratings = _vector(human, f"scaler {kind}", "human scores")
        if len(ratings) != len(values):
            raise InputError(
                f"{len(values)} raw numbers and {len(ratings)} human scores; give one "
                "each"
            )
        if ratings.min() < 0 or ratings.max() > 100:
            raise InputError(
                f"human scores go from {ratings.min():g} to {ratings.max():g}; rescale "
                f"them to 0 to 100"
            )
        if kind == "isotonic":
            knots, levels = isotonic(values, ratings / 100)
            return Scaler(kind, knots=knots, levels=levels, anchor=anchor)
        evaluate = (
            svr_objective(values, ratings)
            if kind == "linear"
            else platt_objective(values, ratings / 100)
        )
    if values.min() == values.max():
        raise NotDefinedError("all raw numbers are equal; no line goes through them")
    slope, intercept = _newton(evaluate).tolist()
    if slope <= 0:
        raise NotDefinedError(
            f"human scores fall as raw numbers rise (slope {slope:.3g}); check that "
            f"they belong to the same texts, or train the ranker on more pairs"
        )
    return Scaler(kind, slope, intercept, anchor=anchor)


def svr_objective(raw: Rows, human: Rows) -> Evaluate:
    """Return ½(a² + b²) + Σ max(0, |h - (a·raw + b)| - 0.1)², and its derivatives."""

    def evaluate(point: Rows) -> tuple[float, Rows, Rows]:
        errors = human - (point[0] * raw + point[1])
        over = np.maximum(np.abs(errors) - _TOLERANCE, 0.0)
        slopes = -2 * over * np.sign(errors)
        active = 2.0 * (over > 0)
        value = 0.5 * (point * point).sum() + (over * over).sum()
        slope = point + np.array([(slopes * raw).sum(), slopes.sum()])
        return float(value), slope, np.eye(2) + _second(raw, active)

    return evaluate


def platt_objective(raw: Rows, targets: Rows, weights: Rows | float = 1.0) -> Evaluate:
    """Return the cross-entropy of σ(a·raw + b) and targets, and its derivatives."""

    def evaluate(point: Rows) -> tuple[float, Rows, Rows]:
        line = point[0] * raw + point[1]
        shares = sigmoid(line)
        value = (weights * (np.logaddexp(0.0, line) - targets * line)).sum()
        errors = weights * (shares - targets)
        slope = np.array([(errors * raw).sum(), errors.sum()])
        return float(value), slope, _second(raw, weights * shares * (1 - shares))

    return evaluate


def certainty(differences: Rows, weights: Rows) -> float:
    """Return the factor that turns differences into log-odds of human choices.

    Parameters
    ----------
    differences : ndarray
        Raw of the better minus raw of the worse text of every pair.
    weights : ndarray
        One per pair.

    Returns
    -------
    float
        1 for a logistic ranker of the same pairs; 0 or less if judges prefer the
        opposite. Targets lie a little inside 0 and 1, as Platt's, so it is finite.
    """
    size = float(np.abs(differences).mean()) if len(differences) else 0.0
    total = float(weights.sum())
    if not size or not total:
        return 1.0
    aim = (total + 1) / (total + 2)
    raw = np.concatenate([differences, -differences]) / size
    both = np.concatenate([weights, weights])
    targets = np.repeat([aim, 1 - aim], len(differences))
    slope = float(_newton(platt_objective(raw, targets, both))[0])
    return slope / size


def isotonic(raw: Rows, targets: Rows) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return knots and levels of the rising line nearest in squares.

    Pool adjacent violators: means of neighbours are joined as long as they fall. Equal
    raw numbers are joined first. O(n log n) for sorting.
    """
    places, inverse = np.unique(raw, return_inverse=True)
    counts = np.bincount(inverse.ravel()).astype(float)
    sums = np.bincount(inverse.ravel(), weights=targets)
    pools: list[list[float]] = []  # sum, count, first and last place
    for at, (total, count) in enumerate(
        zip(sums.tolist(), counts.tolist(), strict=True)
    ):
        pools.append([total, count, at, at])
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] >= (
            pools[-1][0] / pools[-1][1]
        ):
            total, count, _, last = pools.pop()
            pools[-1][0] += total
            pools[-1][1] += count
            pools[-1][3] = last
    knots: list[float] = []
    levels: list[float] = []
    for total, count, first, last in pools:
        level = min(max(total / count, 0.0), 1.0)
        for at in dict.fromkeys((int(first), int(last))):
            knots.append(float(places[at]))
            levels.append(level)
    return tuple(knots), tuple(levels)


def _extremes(raw: Rows) -> tuple[Rows, Rows]:
    """Return the highest and lowest raw numbers, and targets a little inside 0 and 1.

    The two sorts never overlap, so plain targets would have no best slope; Platt (1999)
    takes (n + 1) / (n + 2) and 1 / (n + 2).
    """
    count = min(EXTREMES, len(raw) // 2)
    if count < 1:
        raise InputError(
            f"scaler platt without human scores needs two raw numbers or more, not "
            f"{len(raw)}; give the raw numbers of n-best lists"
        )
    ranked = np.sort(raw)
    ends = np.concatenate([ranked[:count], ranked[-count:]])
    low, high = 1 / (count + 2), (count + 1) / (count + 2)
    return ends, np.repeat([low, high], count)


def _second(raw: Rows, weights: Rows) -> Rows:
    cross = (weights * raw).sum()
    return np.array([[(weights * raw * raw).sum(), cross], [cross, weights.sum()]])


def _newton(evaluate: Evaluate) -> Rows:
    """Return the least point of a convex function of two variables.

    Newton's steps, halved until the value falls by a share of what the gradient
    promises; both functions are smooth and convex, so this ends at the optimum.
    """
    point = np.zeros(2)
    value, slope, curve = evaluate(point)
    for _ in range(_STEPS):
        (a, b), (_, d) = curve
        ridge = 1e-12 * (a + d) + 1e-300
        determinant = (a + ridge) * (d + ridge) - b * b
        move = (
            np.array(
                [
                    (d + ridge) * slope[0] - b * slope[1],
                    (a + ridge) * slope[1] - b * slope[0],
                ]
            )
            / determinant
        )
        promise = float((slope * move).sum())
        if not promise > 1e-20 * max(1.0, abs(value)):
            break
        length = 1.0
        while length > 1e-12:
            other = evaluate(point - length * move)
            if other[0] <= value - 1e-4 * length * promise:
                break
            length /= 2
        else:
            break
        point, (value, slope, curve) = point - length * move, other
    return point


def _vector(values: ArrayLike | None, who: str, what: str) -> Rows:
    if values is None:
        raise InputError(f"{who} needs {what}; give them")
    vector = np.asarray(values, dtype=np.float64)
    if vector.ndim != 1 or not len(vector):
        raise InputError(f"{who} needs {what} as a list with at least one element")
    if not np.isfinite(vector).all():
        raise InputError(f"{who}: {what} must be finite; leave out missing ones")
    return vector
