# SPDX-License-Identifier: Apache-2.0
"""A small mixed model: random intercepts of one or two crossed factors, by REML.

    score = fixed effects + effect of the judge [+ effect of the segment] + rest

Effects are normal with variances of their own. For relative standard deviations θ
(of the effects over that of the rest), everything else has a closed form (Bates et
al. 2015, section 3: penalised least squares, profiled REML criterion); θ is searched.
The larger factor is eliminated first, as its block is diagonal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError, NotDefinedError
from tertium.judgements.estimates import need_scipy

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium.judgements.estimates import Codes, Floats

__all__ = ["MixedFit", "fit_mixed", "resampled_ratios"]

_LARGEST = 1e5  # of θ: more is "the rest is nothing"


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
        Best linear unbiased predictions, one a level; a factor each.
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
    One evaluation is linear in the scores (once, to count) and, with two factors,
    cubic in the levels of the smaller one.
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
    order = sorted(range(len(levels)), key=lambda k: -int(levels[k].max()))
    # Scores of a common size, for a search that ends alike on all scales.
    unit = float(y.std())
    problem = _Problem((y - y.mean()) / unit, [levels[k] for k in order], columns)

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
    for k in range(len(levels)):
        none = best.copy()
        none[k] = 0.0
        if criterion(none) <= criterion(best) + 1e-9:
            best = none
    if not rough.success or best.max() > _LARGEST:
        message = "the scores leave nothing unexplained, or the search did not end"
        raise NotDefinedError(message)
    fit = problem.solve(best)
    back = [order.index(k) for k in range(len(levels))]
    fixed = fit.fixed * unit
    fixed[0] += y.mean()
    return MixedFit(
        fixed,
        tuple(float(best[k] ** 2 * fit.residual) * unit**2 for k in back),
        fit.residual * unit**2,
        tuple(fit.effects[k] * unit for k in back),
        fit.criterion + 2 * (len(y) - columns.shape[1]) * float(np.log(unit)),
    )


def resampled_ratios(
    scores: Floats,
    units: Codes,
    judges: Codes,
    fit: MixedFit,
    draws: Iterable[Floats],
) -> Floats:
    """Return variances of units and judges over that of the rest, of every resample.

    Parameters
    ----------
    scores, units, judges : array
        What was fitted, units first.
    fit : MixedFit
        Where each search starts.
    draws : iterable of arrays
        How often each unit counts.
    """
    problem = _Problem(scores / scores.std(), [units, judges], np.ones((len(units), 1)))
    start = np.sqrt(np.array(fit.variances) / fit.residual)
    start = np.maximum(start, 0.05)  # from zero, the search would not move

    def criterion(theta: Floats) -> float:
        return problem.solve(theta).criterion

    found = []
    for weights in draws:
        problem.weigh(weights)
        found.append(_polish(criterion, start, near=1e-3) ** 2)
    return np.array(found).reshape(-1, 2)


def _polish(
    criterion: Callable[[Floats], float], theta: Floats, *, near: float = 1e-8
) -> Floats:
    """Return θ after some steps of Newton, with differences for derivatives."""
    for _ in range(6):
        size = len(theta)
        steps = np.diag(3e-4 * np.maximum(theta, 1e-3))
        here = criterion(theta)
        up = np.array([criterion(theta + step) for step in steps])
        down = np.array([criterion(theta - step) for step in steps])
        width = np.diag(steps)
        slope = (up - down) / (2 * width)
        bend = np.diag((up - 2 * here + down) / width**2)
        if size == 2:
            a, b = steps
            corners = criterion(theta + a + b) + criterion(theta - a - b)
            corners -= criterion(theta + a - b) + criterion(theta - a + b)
            bend[0, 1] = bend[1, 0] = corners / (4 * width[0] * width[1])
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


@dataclass(frozen=True, eq=False)
class _Solution:
    fixed: Floats
    residual: float
    effects: tuple[Floats, ...]
    criterion: float


class _Problem:
    """Counts and sums from which any θ is solved."""

    def __init__(self, y: Floats, levels: list[Codes], columns: Floats) -> None:
        from scipy.sparse import coo_matrix

        self.size, self.width = columns.shape
        sides = np.concatenate([columns, y[:, None]], axis=1)
        self.sides, self.levels = sides, levels
        self.inner = sides.T @ sides
        self.weights = np.ones(int(levels[0].max()) + 1)
        self.counts = [np.bincount(level).astype(np.float64) for level in levels]
        self.sums = [
            np.stack([np.bincount(level, side) for side in sides.T], axis=1)
            for level in levels
        ]
        self.cross = None
        if len(levels) == 2:
            shape = len(self.counts[0]), len(self.counts[1])
            cells = (np.ones(self.size), (levels[0], levels[1]))
            self.cross = coo_matrix(cells, shape=shape).tocsr()
            self.turned = self.cross.T.tocsr()
            self.row = np.repeat(np.arange(shape[0]), np.diff(self.cross.indptr))

    def weigh(self, weights: Floats) -> None:
        """Count every level of the first factor, with its scores, so many times."""
        heavy = weights[self.levels[0]]
        self.weights = weights
        self.size = round(float(heavy.sum()))
        self.inner = (self.sides * heavy[:, None]).T @ self.sides
        if len(self.levels) == 2:
            small = self.levels[1]
            width = len(self.counts[1])
            count = np.bincount(small, heavy, minlength=width)
            self.counts[1] = count.astype(np.float64)
            self.sums[1] = np.stack(
                [np.bincount(small, s * heavy, minlength=width) for s in self.sides.T],
                axis=1,
            )

    def solve(self, theta: Floats) -> _Solution:
        from scipy.linalg import cho_factor, cho_solve

        p = self.width
        weights = self.weights
        right = [t * sums for t, sums in zip(theta, self.sums, strict=True)]
        big = 1 + theta[0] ** 2 * self.counts[0]
        logdet = float(weights @ np.log(big))
        if self.cross is None:
            effects = [right[0] / big[:, None]]
        else:
            both = theta[0] * theta[1]
            scaled = self.cross.copy()
            scaled.data = both * scaled.data / big[self.row]
            small = np.diag(1 + theta[1] ** 2 * self.counts[1])
            heavy = scaled.copy()
            heavy.data = scaled.data * weights[self.row]
            small -= both * (self.turned @ heavy).toarray()
            factor = cho_factor(small, lower=True)
            logdet += 2 * float(np.log(np.diag(factor[0])).sum())
            second = cho_solve(factor, right[1] - heavy.T @ right[0])
            effects = [right[0] / big[:, None] - scaled @ second, second]
        left = self.inner - right[0].T @ (weights[:, None] * effects[0])
        if len(effects) == 2:
            left -= right[1].T @ effects[1]
        design = left[:p, :p]
        fixed = np.linalg.solve(design, left[:p, p])
        rest = max(float(left[p, p] - left[:p, p] @ fixed), 1e-300)
        free = self.size - p
        criterion = (
            logdet
            + float(np.linalg.slogdet(design)[1])
            + free * (1 + float(np.log(2 * np.pi * rest / free)))
        )
        # Effects of the scores, less those of the columns as they were estimated.
        found = tuple(
            t * (e[:, p] - e[:, :p] @ fixed)
            for t, e in zip(theta, effects, strict=True)
        )
        return _Solution(fixed, rest / free, found, criterion)
