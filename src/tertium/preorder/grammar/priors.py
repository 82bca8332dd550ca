# SPDX-License-Identifier: Apache-2.0
"""Symmetric Dirichlet priors in training (variational Bayes; Johnson 2007).

A rule that was expected n times of N gets exp(digamma(n + alpha)) instead of n. Large
counts lose half an occurrence, small ones nearly everything: with alpha far below 1,
rare rules vanish. Johnson divides by exp(digamma(N + K alpha)) for K rules, so that
probabilities sum to less than 1; we divide by their sum, so that every iteration has a
grammar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["digamma", "variational"]

#: The asymptotic series in 1 / x², exact to 14 digits above _LARGE.
_SERIES = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760)
_LARGE = 8


def digamma(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the derivative of log gamma at positive numbers.

    Examples
    --------
    >>> digamma(np.array([1.0, 0.5])).round(6).tolist()  # minus Euler's constant first
    [-0.577216, -1.96351]
    """
    # digamma(x) = digamma(x + 1) - 1 / x
    below = sum(1 / (x + i) for i in range(_LARGE))
    y = x + _LARGE
    series = np.zeros_like(y)
    for term in reversed(_SERIES):
        series = (series + term) / (y * y)
    return np.asarray(np.log(y) - 0.5 / y - series - below)


def variational(counts: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """Return the weights of rules in the next iteration, from expected counts.

    Examples
    --------
    >>> variational(np.array([0.0, 0.5, 100.0]), 0.1).round(3).tolist()
    [0.0, 0.214, 99.6]
    """
    return np.asarray(np.exp(digamma(counts + alpha)))
