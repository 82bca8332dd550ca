# SPDX-License-Identifier: Apache-2.0
"""Effects on ratings with intervals: covariates, judges, items and their spread.

The model is that of :mod:`tertium.judgements.adjustment.mixed` with two crossed
factors: score = covariates + judge + item + rest. Intervals follow from Henderson's
mixed-model equations at the estimated variances: those of covariates use Student's t
with as many degrees of freedom as there are items more than columns, because a
covariate is a property of items; those of judges are prediction intervals. Standard
deviations have Wald intervals on the logarithmic scale, from the curvature of the
REML criterion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError, NotDefinedError
from tertium.judgements.adjustment.mixed import MixedFit, fit_mixed
from tertium.judgements.adjustment.penalised import Problem
from tertium.judgements.estimates import need_scipy

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium.judgements.estimates import Codes, Floats

__all__ = ["Effect", "Effects", "estimate_effects"]

_STEP = 0.02  # of a logarithm, for the curvature
_TINY = 1e-6  # variance, compared with the rest, that counts as none


@dataclass(frozen=True)
class Effect:
    """An estimate with its interval; the interval is None where it is not defined."""

    value: float
    low: float | None
    high: float | None

    def covers(self, known: float) -> bool:
        """Return whether the interval is defined and contains a value."""
        return (
            self.low is not None
            and self.high is not None
            and self.low <= known <= self.high
        )


@dataclass(frozen=True)
class Effects:
    """Estimated effects.

    Parameters
    ----------
    intercept : Effect
    covariates : tuple of Effect
        One per column.
    judges, items : tuple of Effect
        Predicted deviations, one per level.
    judge_sd, item_sd, residual_sd : Effect
        Standard deviations of judges, of items and of the rest.
    confidence : float
    """

    intercept: Effect
    covariates: tuple[Effect, ...]
    judges: tuple[Effect, ...]
    items: tuple[Effect, ...]
    judge_sd: Effect
    item_sd: Effect
    residual_sd: Effect
    confidence: float


def estimate_effects(
    scores: ArrayLike,
    judge: ArrayLike,
    item: ArrayLike,
    *,
    covariates: ArrayLike | None = None,
    confidence: float = 0.95,
) -> Effects:
    """Return the effects on scores, with intervals.

    Parameters
    ----------
    scores : array
    judge, item : array of int
        The level of every score, from 0.
    covariates : array of shape (scores, columns), optional
        Properties of the items, such as the number of damaged words.
    confidence : float

    Raises
    ------
    NotDefinedError
        When the scores cannot tell the variances apart.

    Notes
    -----
    Cubic in the number of judges and items.
    """
    need_scipy("intervals of effects")
    from scipy.stats import norm, t

    if not 0 < confidence < 1:
        message = f"confidence is {confidence:g}; choose a number between 0 and 1"
        raise InputError(message)
    y = np.asarray(scores, np.float64)
    levels = [np.asarray(judge, np.int64), np.asarray(item, np.int64)]
    columns = np.ones((len(y), 1))
    if covariates is not None:
        extra = np.asarray(covariates, np.float64).reshape(len(y), -1)
        columns = np.concatenate([columns, extra], axis=1)
    width = columns.shape[1]
    sizes = [int(level.max()) + 1 for level in levels]
    if sizes[1] <= width:
        message = (
            f"{sizes[1]} items cannot tell {width} coefficients apart; give more items "
            "or fewer covariates"
        )
        raise NotDefinedError(message)
    fit = fit_mixed(y, levels, covariates=columns[:, 1:] if width > 1 else None)
    errors = _standard_errors(fit, levels, columns, sizes)
    tail = 1 - (1 - confidence) / 2
    wide = float(t.ppf(tail, sizes[1] - width))
    normal = float(norm.ppf(tail))
    fixed = [
        _around(value, wide * error)
        for value, error in zip(fit.fixed, errors[:width], strict=True)
    ]
    first = width + sizes[0]
    predicted = [
        tuple(
            _around(value, normal * error)
            for value, error in zip(effects, part, strict=True)
        )
        for effects, part in zip(
            fit.effects, (errors[width:first], errors[first:]), strict=True
        )
    ]
    judge_sd, item_sd, residual_sd = _spreads(fit, y, levels, columns, normal)
    return Effects(
        intercept=fixed[0],
        covariates=tuple(fixed[1:]),
        judges=predicted[0],
        items=predicted[1],
        judge_sd=judge_sd,
        item_sd=item_sd,
        residual_sd=residual_sd,
        confidence=confidence,
    )


def _around(value: float, half: float) -> Effect:
    return Effect(float(value), float(value - half), float(value + half))


def _standard_errors(
    fit: MixedFit, levels: Sequence[Codes], columns: Floats, sizes: Sequence[int]
) -> Floats:
    """Return those of coefficients, judges and items (Henderson 1975)."""
    count, width = columns.shape
    design = np.zeros((count, width + sum(sizes)))
    design[:, :width] = columns
    rows = np.arange(count)
    design[rows, width + levels[0]] = 1
    design[rows, width + sizes[0] + levels[1]] = 1
    left = design.T @ design
    variances = np.repeat(np.maximum(fit.variances, _TINY * fit.residual), sizes)
    diagonal = np.arange(width, len(left))
    left[diagonal, diagonal] += fit.residual / variances
    inverse = np.linalg.inv(left)
    errors: Floats = np.sqrt(fit.residual * inverse.diagonal())
    return errors


def _spreads(
    fit: MixedFit, y: Floats, levels: Sequence[Codes], columns: Floats, normal: float
) -> list[Effect]:
    """Return standard deviations of judges, items and the rest."""
    known = np.array([*fit.variances, fit.residual])
    free = known > _TINY * fit.residual
    logs = np.log(np.sqrt(known[free]))
    order = sorted(range(2), key=lambda k: -int(levels[k].max()))
    problem = Problem(y - y.mean(), [levels[k] for k in order], columns)

    def criterion(point: Floats) -> float:
        sds = np.zeros(3)
        sds[free] = np.exp(point)
        solution = problem.solve((sds[:2] / sds[2])[order])
        degrees = len(y) - problem.width
        # The criterion at the best residual variance, moved to another one.
        moved = np.log(sds[2] ** 2 / solution.residual) + (
            solution.residual / sds[2] ** 2 - 1
        )
        return float(solution.criterion + degrees * moved)

    curvature = _curvature(criterion, logs)
    half = np.full(len(logs), np.nan)
    if np.linalg.eigvalsh(curvature).min() > 0:
        # The criterion is -2 log likelihood.
        half = normal * np.sqrt(2 * np.linalg.inv(curvature).diagonal())
    spreads = [Effect(float(np.sqrt(value)), None, None) for value in known]
    for place, log, width in zip(np.flatnonzero(free), logs, half, strict=True):
        if np.isfinite(width):
            low, high = np.exp(log - width), np.exp(log + width)
            spreads[place] = Effect(float(np.exp(log)), float(low), float(high))
    return spreads


def _curvature(function: Callable[[Floats], float], point: Floats) -> Floats:
    """Return the second derivatives by central differences."""
    size = len(point)
    steps = np.eye(size) * _STEP
    curvature = np.zeros((size, size))
    for i in range(size):
        for j in range(i, size):
            a, b = steps[i], steps[j]
            value = (
                function(point + a + b)
                - function(point + a - b)
                - function(point - a + b)
                + function(point - a - b)
            ) / (4 * _STEP**2)
            curvature[i, j] = curvature[j, i] = value
    return curvature
