# SPDX-License-Identifier: Apache-2.0
"""Logistic regression: fitting by Newton's method, and probabilities.

Features are standardised; a NaN becomes the mean in training. Fitting adds half the
squared weights times `regularisation` to the loss, apart from the intercept, starts at
zero and takes full steps, halved while the loss does not fall. It is deterministic.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tertium.learn.spans.words import Array, Flags

__all__ = ["Logistic", "fit_logistic"]

_STEPS = 50
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Logistic:
    """A trained classifier.

    Parameters
    ----------
    intercept : float
    weights, means, scales : tuple of float
        One per feature: the weight of (value - mean) / scale.
    """

    intercept: float
    weights: tuple[float, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]

    def probabilities(self, features: Array) -> Array:
        """Return the probability of every row."""
        means = np.array(self.means)
        scaled = (features - means) / np.array(self.scales)
        np.nan_to_num(scaled, copy=False, nan=0.0)
        return _sigmoid(scaled @ np.array(self.weights) + self.intercept)


def fit_logistic(
    features: Array,
    labels: Flags,
    *,
    weights: Array | None = None,
    regularisation: float = 1.0,
) -> Logistic:
    """Return the classifier that fits labelled rows best.

    Parameters
    ----------
    features : array, rows x features
    labels : array of bool
    weights : array, optional
        What rows count; 1 by default.
    regularisation : float
        Above 0, so that there is always a best one.
    """
    truth = np.asarray(labels, float)
    counts = np.ones(len(truth)) if weights is None else weights
    means, scales = _moments(features)
    scaled = np.nan_to_num((features - means) / scales, nan=0.0)
    table = np.column_stack([np.ones(len(scaled)), scaled])
    penalty = np.full(table.shape[1], regularisation)
    # Without a little of it, labels that are all equal have no best intercept.
    penalty[0] = 1e-6 * regularisation
    theta = np.zeros(table.shape[1])
    loss = _loss(table, truth, counts, theta, penalty)
    for _ in range(_STEPS):
        guess = _sigmoid(table @ theta)
        slope = table.T @ (counts * (guess - truth)) + penalty * theta
        curve = (table * (counts * guess * (1 - guess))[:, None]).T @ table
        step = np.linalg.solve(curve + np.diag(penalty), slope)
        size, before = 1.0, loss
        while size > 1e-4:
            loss = _loss(table, truth, counts, theta - size * step, penalty)
            if loss <= before:
                break
            size /= 2
        theta = theta - size * step
        if before - loss <= _TOLERANCE * abs(before):
            break
    return Logistic(
        float(theta[0]),
        tuple(theta[1:].tolist()),
        tuple(means.tolist()),
        tuple(scales.tolist()),
    )


def _moments(features: Array) -> tuple[Array, Array]:
    """Return mean and deviation of every feature, 0 and 1 where there is none."""
    known = ~np.isnan(features)
    number = np.maximum(known.sum(axis=0), 1)
    means = np.where(known, features, 0.0).sum(axis=0) / number
    squares = np.where(known, (features - means) ** 2, 0.0).sum(axis=0) / number
    return means, np.where(squares > 1e-12, np.sqrt(squares), 1.0)


def _loss(
    table: Array, truth: Array, counts: Array, theta: Array, penalty: Array
) -> float:
    values = table @ theta
    losses = np.logaddexp(0.0, values) - truth * values
    return float(counts @ losses + 0.5 * (penalty * theta) @ theta)


def _sigmoid(values: Array) -> Array:
    out: Array = 0.5 * (1.0 + np.tanh(0.5 * values))
    return out
