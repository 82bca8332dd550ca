# SPDX-License-Identifier: Apache-2.0
"""Logistic regression of differences, for PRO."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["fit_differences"]

_STEPS = 50
_TOLERANCE = 1e-10
_HALVINGS = 30


def fit_differences(
    differences: NDArray[np.float64], *, strength: float
) -> NDArray[np.float64]:
    """Return the weights under which better minus worse is positive most plausibly.

    They minimise the sum of ``log(1 + exp(-differences @ weights))`` plus
    ``strength / 2`` times the squared length of the weights. That equals regression
    without an intercept on every difference with the label 1 and its mirror image with
    the label 0 at twice the strength. Newton's method: O(n d^2) per step, few steps.

    Parameters
    ----------
    differences : ndarray of shape (n, d)
    strength : float
        Above 0, so that there is one minimum.
    """
    weights = np.zeros(differences.shape[1])
    loss = _loss(differences @ weights, weights, strength)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(np.clip(differences @ weights, -500, 500)))  # of error
        gradient = strength * weights - differences.T @ chance
        curvature = differences.T @ (differences * (chance * (1 - chance))[:, None])
        curvature[np.diag_indices_from(curvature)] += strength
        step = np.linalg.solve(curvature, gradient)
        for _ in range(_HALVINGS):
            moved = weights - step
            lower = _loss(differences @ moved, moved, strength)
            if lower <= loss:
                break
            step = step / 2
        weights, before, loss = moved, loss, lower
        if before - loss <= _TOLERANCE * max(1.0, loss):
            break
    return weights


def _loss(
    margins: NDArray[np.float64], weights: NDArray[np.float64], strength: float
) -> float:
    return float(np.logaddexp(0, -margins).sum() + strength / 2 * weights @ weights)
