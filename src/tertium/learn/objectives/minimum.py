# SPDX-License-Identifier: Apache-2.0
"""The least point of a smooth convex function, by L-BFGS.

SciPy searches, as long as its vectors are so short that BLAS uses one thread for them.
Beyond, sums would depend on the number of threads, and a plain L-BFGS of our own takes
over (Nocedal and Wright, Numerical Optimization, algorithm 7.4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.errors import MissingExtraError
from tertium.learn.objectives.products import inverse_cholesky

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows: TypeAlias = NDArray[np.float64]

__all__ = ["minimise"]

_ITERATIONS = 3000
_MEMORY = 20  # pairs of steps and changes of the gradient
_FLAT, _LEVEL = 1e-15, 1e-8  # relative fall of the value, and largest slope, at the end
_LARGE = 4000  # numbers of a vector; OpenBLAS takes a second thread from 8,000 or so on


def minimise(
    evaluate: Callable[[Rows], tuple[float, Rows]],
    start: Rows,
    *,
    bounds: Sequence[tuple[float | None, float | None]] | None = None,
    size: float = 1.0,
    metric: Rows | None = None,
) -> tuple[Rows, dict[str, object]]:
    """Return the point of least value by L-BFGS, and how the search went.

    Parameters
    ----------
    evaluate : callable
    start : ndarray
    bounds : sequence of pairs, optional
    size : float
        Values are divided by it, so that the same tolerance means the same for ten
        pairs and a million.
    metric : ndarray, optional
        About the second derivatives, without bounds only. Features of a text are so
        alike that the plain search takes thousands of steps; in coordinates where
        these are 1 it takes tens.
    """
    if len(start) > _LARGE and bounds is None:
        return _without_blas(evaluate, start, size)
    try:
        from scipy.optimize import minimize
    except ImportError:
        raise MissingExtraError("training a metric", extra="learn") from None

    turn = None if metric is None else inverse_cholesky(metric / size)

    # New coordinates are counted from the start, as turning it would need L itself.
    first = start if turn is None else np.zeros_like(start)
    offset = np.zeros_like(start) if turn is None else start

    def at(point: Rows) -> Rows:
        return point if turn is None else np.einsum("ji,j->i", turn, point)

    def scaled(point: Rows) -> tuple[float, Rows]:
        value, slope = evaluate(at(point) + offset)
        turned = slope if turn is None else np.einsum("ij,j->i", turn, slope)
        return value / size, turned / size

    options = {
        "maxiter": _ITERATIONS,
        "maxfun": 2 * _ITERATIONS,
        "ftol": _FLAT,
        "gtol": _LEVEL,
        "maxcor": _MEMORY,
    }
    outcome = minimize(
        scaled, first, jac=True, method="L-BFGS-B", bounds=bounds, options=options
    )
    return np.asarray(at(outcome.x), dtype=np.float64) + offset, {
        "iterations": int(outcome.nit),
        "converged": bool(outcome.success),
        "objective": float(outcome.fun) * size,
    }


def _without_blas(
    evaluate: Callable[[Rows], tuple[float, Rows]], start: Rows, size: float
) -> tuple[Rows, dict[str, object]]:
    """Return the least point, with sums that no library splits among threads."""
    point = start
    value, slope = _divided(evaluate(point), size)
    past: list[tuple[Rows, Rows, float]] = []  # step, change of slope, 1 / product
    converged = False
    iterations = 0
    while iterations < _ITERATIONS and not converged:
        way = -_bent(slope, past)
        promise = _dot(slope, way)
        length = 1.0 if past else 1.0 / max(1.0, float(np.abs(slope).sum()))
        while length > 1e-15:
            other = point + length * way
            reached, new = _divided(evaluate(other), size)
            if reached <= value + 1e-4 * length * promise:
                break
            length /= 2
        else:
            break  # as low as rounding lets us come
        iterations += 1
        fall = value - reached
        step, change = other - point, new - slope
        if (product := _dot(step, change)) > 1e-300:
            past = [*past[1 - _MEMORY :], (step, change, 1 / product)]
        point, value, slope = other, reached, new
        level = float(np.abs(slope).max()) <= _LEVEL
        converged = level or fall <= _FLAT * max(abs(value), 1.0)
    return point, {
        "iterations": iterations,
        "converged": converged,
        "objective": value * size,
    }


def _bent(slope: Rows, past: list[tuple[Rows, Rows, float]]) -> Rows:
    """Return the slope times the inverse of the second derivatives, as far as known."""
    bent = slope
    shares = []
    for step, change, inverse in reversed(past):
        share = inverse * _dot(step, bent)
        shares.append(share)
        bent = bent - share * change
    if past:
        _, change, inverse = past[-1]
        bent = bent / (inverse * _dot(change, change))
    for (step, change, inverse), share in zip(past, reversed(shares), strict=True):
        bent = bent + (share - inverse * _dot(change, bent)) * step
    return bent


def _divided(point: tuple[float, Rows], size: float) -> tuple[float, Rows]:
    return point[0] / size, point[1] / size


def _dot(first: Rows, second: Rows) -> float:
    return float((first * second).sum())
