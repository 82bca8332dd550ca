# SPDX-License-Identifier: Apache-2.0
"""Student's t distribution with any degrees of freedom, also fractions.

SciPy is an extra; a verb that needs two figures of one distribution should not need it.
The tail is a regularised incomplete beta function, by its continued fraction.
"""

from __future__ import annotations

import math

from tertium.errors import InputError

__all__ = ["two_sided_p", "two_sided_reach"]

_TINY = 1e-300
_STEPS = 10_000
_PRECISION = 1e-15


def two_sided_p(t: float, degrees: float) -> float:
    """Return the probability of a value at least as far from zero as t.

    Examples
    --------
    >>> round(two_sided_p(2.776, 4), 4), two_sided_p(0.0, 4)
    (0.05, 1.0)
    """
    _check(degrees)
    if math.isinf(t):
        return 0.0
    return _beta(degrees / (degrees + t * t), degrees / 2, 0.5)


def two_sided_reach(confidence: float, degrees: float) -> float:
    """Return the t that a share of all values does not exceed on either side.

    Examples
    --------
    >>> round(two_sided_reach(0.95, 4), 3), round(two_sided_reach(0.95, 1e6), 3)
    (2.776, 1.96)
    """
    _check(degrees)
    if not 0 < confidence < 1:
        message = f"confidence lies between 0 and 1, not {confidence}; 0.95 is usual"
        raise InputError(message)
    low, high = 0.0, 1.0
    while two_sided_p(high, degrees) > 1 - confidence:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if two_sided_p(middle, degrees) > 1 - confidence:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _check(degrees: float) -> None:
    if not degrees > 0:
        message = f"degrees of freedom must be above 0, not {degrees}"
        raise InputError(message)


def _beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = math.exp(
        math.lgamma(a + b)
        - math.lgamma(a)
        - math.lgamma(b)
        + a * math.log(x)
        + b * math.log1p(-x)
    )
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the beta function, by Lentz's method."""
    value, c, d = 1.0, 1.0, 0.0
    for step in range(1, _STEPS):
        m = step // 2
        if step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / ((1 + term * d) or _TINY)
        c = (1 + term / c) or _TINY
        value *= c * d
        if abs(c * d - 1) < _PRECISION:
            break
    return 1 / value
