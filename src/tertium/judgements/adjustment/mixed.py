# SPDX-License-Identifier: Apache-2.0
"""A small mixed model: random intercepts of one or two crossed factors, by REML.

    score = fixed effects + effect of the judge [+ effect of the segment] + rest

Effects are normal with variances of their own. For relative standard deviations θ
(of the effects over that of the rest), everything else has a closed form (Bates et
al. 2015, section 3: penalised least squares, profiled REML criterion; see
:mod:`.penalised`); θ is searched. Resamples are fitted again from where the
search in the whole table ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError, NotDefinedError
from tertium.judgements.adjustment.penalised import Problem
from tertium.judgements.estimates import need_scipy

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium.judgements.estimates import Codes, Floats

__all__ = ["MixedFit", "fit_mixed", "refit", "resampled_ratios", "solved_alike"]

_LARGEST = 1e5  # of θ: more is "the rest is nothing"
_SMALLEST = 0.05  # of θ where a search starts: from zero it would not move
_ALIKE = 48  # levels of the smaller factor; products of more may be done by threads
_NEAR = 1e-3  # change of θ that is nothing to an interval


@dataclass(frozen=True, eq=False)
class MixedFit:
    """What was estimated.

    Parameters
    ----------
    fixed : array
        Coefficients of the intercept and of the further columns.
    variances : tuple of float
        Of the effects, a factor each.
    residual : float
        Variance of the rest.
    effects : tuple of arrays
        Best linear unbiased predictions, one per level, for each factor.
    criterion : float
        -2 log REML likelihood.
    """

    fixed: Floats
    variances: tuple[float, ...]
    residual: float
    effects: tuple[Floats, ...]
    criterion: float


def fit_mixed(
    scores: ArrayLike,
    factors: Sequence[ArrayLike],
    *,
    covariates: ArrayLike | None = None,
) -> MixedFit:
    """Fit the model.

    Parameters
    ----------
    scores : array
    factors : one or two arrays of int
        The level of every score, from 0.
    covariates : array of shape (scores, columns), optional
        Further fixed effects, such as a metric; the intercept is always there.

    Raises
    ------
    NotDefinedError
        When the scores cannot tell the variances apart.

    Notes
    -----
    Counting is linear in the scores. With two factors, an evaluation of θ is cubic
    in the levels of the smaller one.
    """
    need_scipy("a mixed model")
    from scipy.optimize import minimize

    y = np.asarray(scores, np.float64)
    if not 1 <= len(factors) <= 2:
        message = f"one or two factors, not {len(factors)}"
        raise InputError(message)
    levels = [np.asarray(factor, np.int64) for factor in factors]
    columns = np.ones((len(y), 1))
    if covariates is not None:
        extra = np.asarray(covariates, np.float64).reshape(len(y), -1)
        columns = np.concatenate([columns, extra], axis=1)
    if any(level.shape != y.shape for level in levels):
        message = "every score needs a level of every factor"
        raise InputError(message)
    if not (np.isfinite(y).all() and np.isfinite(columns).all()):
        message = "scores and covariates must be finite; leave missing ones out"
        raise InputError(message)
    _check(y, levels, columns)
    order = _by_size(levels)
    # Scores of a common size, for a search that ends alike on all scales.
    unit = float(y.std())
    problem = Problem((y - y.mean()) / unit, [levels[k] for k in order], columns)

    def criterion(theta: Floats) -> float:
        return problem.solve(theta).criterion

    rough = minimize(
        criterion,
        np.ones(len(levels)),
        method="Nelder-Mead",
        options={"xatol": 1e-3, "fatol": 1e-4, "maxiter": 2000, "maxfev": 2000},
    )
    # The criterion is even in θ, so the search may pass zero; zero itself is tried.
    best = _polish(criterion, np.abs(rough.x))
    best = _or_zero(criterion, best)
    if not rough.success or best.max() > _LARGEST:
        message = "the scores leave nothing unexplained, or the search did not end"
        raise NotDefinedError(message)
    return _fitted(problem, best, y, order)


def refit(scores: Floats, factors: Sequence[Codes], start: MixedFit) -> MixedFit:
    """Fit the model to a resample, from where the search in the whole table ended.

    Parameters
    ----------
    scores : array
    factors : one or two arrays of int
        Levels from 0; copies of a level that was sampled twice are levels of their own.
    start : MixedFit
        Of the whole table.

    Raises
    ------
    NotDefinedError
        When the resample cannot tell the variances apart.
    """
    columns = np.ones((len(scores), 1))
    _check(scores, factors, columns)
    order = _by_size(factors)
    unit = float(scores.std())
    problem = Problem(
        (scores - scores.mean()) / unit, [factors[k] for k in order], columns
    )
    theta = _start(start)[order]
    return _fitted(problem, _search(problem, theta), scores, order)


def _by_size(levels: Sequence[Codes]) -> list[int]:
    """Return the factors, that with most levels first."""
    return sorted(range(len(levels)), key=lambda k: -int(levels[k].max()))


def _start(fit: MixedFit) -> Floats:
    theta: Floats = np.sqrt(np.array(fit.variances) / fit.residual)
    return np.maximum(theta, _SMALLEST)


def _fitted(problem: Problem, theta: Floats, y: Floats, order: list[int]) -> MixedFit:
    """Return the fit in the units of the scores, factors in the order given."""
    unit = float(y.std())
    fit = problem.solve(theta)
    effects = problem.effects(theta, fit)
    back = [order.index(k) for k in range(len(order))]
    fixed = fit.fixed * unit
    fixed[0] += y.mean()
    return MixedFit(
        fixed,
        tuple(float(theta[k] ** 2 * fit.residual) * unit**2 for k in back),
        fit.residual * unit**2,
        tuple(effects[k] * unit for k in back),
        fit.criterion + 2 * (len(y) - problem.width) * float(np.log(unit)),
    )


def solved_alike(levels: Sequence[Codes]) -> bool:
    """Return whether the last bits of a model do not depend on threads.

    LAPACK takes threads, and with them another order of sums, for larger systems. They
    are then not solved elsewhere.
    """
    return min(int(level.max(initial=0)) for level in levels) < _ALIKE


def resampled_ratios(
    scores: Floats,
    units: Codes,
    judges: Codes,
    fit: MixedFit,
    samples: Iterable[Floats],
    *,
    method: str = "search",
) -> Floats:
    """Return variances of units and judges over that of the rest, of every resample.

    NaN where a resample cannot tell them apart.

    Parameters
    ----------
    scores, units, judges : array
        What was fitted, units first.
    fit : MixedFit
        Where each search starts.
    samples : iterable of arrays
        How often each unit counts.
    method : {"search", "steps"}
        Search for every resample, or make two steps of Newton with the curvature of
        the whole table (a bootstrap of steps: Davison and Hinkley 1997, section
        2.11), which is as good for many scores and far faster.
    """
    problem = Problem(scores / scores.std(), [units, judges], np.ones((len(units), 1)))
    start = _start(fit)
    curved = None
    if method == "steps":
        curved = _curvature(lambda theta: problem.solve(theta).criterion, start)[2]
        if np.linalg.eigvalsh(curved)[0] <= 0:
            curved = None
    ratios = []
    for weights in samples:
        problem.weigh(weights)
        try:
            if curved is None:
                ratios.append(_search(problem, start) ** 2)
            else:
                ratios.append(_two_steps(problem, start, curved) ** 2)
        except NotDefinedError:
            ratios.append(np.full(2, np.nan))
    return np.array(ratios).reshape(-1, 2)


def _search(problem: Problem, start: Floats) -> Floats:
    """Return the best θ near a start, as exactly as intervals need it."""

    def criterion(theta: Floats) -> float:
        return problem.solve(theta).criterion

    return _or_zero(criterion, _polish(criterion, start, near=_NEAR))


def _two_steps(problem: Problem, theta: Floats, curved: Floats) -> Floats:
    for _ in range(2):
        steps = np.diag(3e-4 * np.maximum(theta, 1e-3))
        slope = np.array(
            [
                problem.solve(theta + step).criterion
                - problem.solve(theta - step).criterion
                for step in steps
            ]
        ) / (2 * np.diag(steps))
        theta = np.abs(theta - np.linalg.solve(curved, slope))
    return theta


def _or_zero(criterion: Callable[[Floats], float], theta: Floats) -> Floats:
    """Return θ, with zeros where the criterion is as good with them."""
    best, here = theta, criterion(theta)
    for k in range(len(theta)):
        none = best.copy()
        none[k] = 0.0
        value = criterion(none)
        if value <= here + 1e-9:
            best, here = none, value
    return best


def _curvature(
    criterion: Callable[[Floats], float], theta: Floats
) -> tuple[float, Floats, Floats]:
    """Return the criterion, its slope and its second derivatives, by differences."""
    steps = np.diag(3e-4 * np.maximum(theta, 1e-3))
    here = criterion(theta)
    up = np.array([criterion(theta + step) for step in steps])
    down = np.array([criterion(theta - step) for step in steps])
    width = np.diag(steps)
    bend = np.diag((up - 2 * here + down) / width**2)
    if len(theta) == 2:
        a, b = steps
        corners = criterion(theta + a + b) + criterion(theta - a - b)
        corners -= criterion(theta + a - b) + criterion(theta - a + b)
        bend[0, 1] = bend[1, 0] = corners / (4 * width[0] * width[1])
    return here, (up - down) / (2 * width), bend


def _polish(
    criterion: Callable[[Floats], float], theta: Floats, *, near: float = 1e-8
) -> Floats:
    """Return θ after some steps of Newton, with differences for derivatives."""
    for _ in range(6):
        here, slope, bend = _curvature(criterion, theta)
        if np.linalg.eigvalsh(bend)[0] <= 0:
            break
        step = np.linalg.solve(bend, slope)
        new = np.abs(theta - np.clip(step, -0.2 * theta, 0.2 * theta))
        if criterion(new) > here + 1e-9 * abs(here):
            break
        theta = new
        if (np.abs(step) <= near * theta).all():
            break
    return theta


def _check(y: Floats, levels: Sequence[Codes], columns: Floats) -> None:
    if len(y) <= columns.shape[1]:
        message = f"too few scores ({len(y)}) for a mixed model"
        raise NotDefinedError(message)
    if np.ptp(y) == 0:
        message = "all scores are the same"
        raise NotDefinedError(message)
    if np.linalg.matrix_rank(columns) < columns.shape[1]:
        message = "covariates depend on each other or do not vary; leave one out"
        raise NotDefinedError(message)
    for level in levels:
        sizes = np.bincount(level)
        if np.count_nonzero(sizes) < 2:
            message = "there is only one judge or segment, so effects have no variance"
            raise NotDefinedError(message)
        if sizes.max() < 2:
            message = "no judge or segment has two scores"
            raise NotDefinedError(message)
        means = np.bincount(level, y) / np.maximum(sizes, 1)
        if np.abs(y - means[level]).max() <= 1e-12 * np.abs(y).max():
            message = "all scores of a judge or segment are the same"
            raise NotDefinedError(message)
