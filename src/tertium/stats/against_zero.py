# SPDX-License-Identifier: Apache-2.0
"""Whether a coefficient of correlation differs from 0.

Pearson's r and Spearman's rho: Student's t with n - 2 degrees of freedom. Kendall's
tau: up to 33 values without ties, the exact distribution of the number of discordant
pairs; else the normal one with the variance under ties. All are two-sided, and hold for
values that are drawn independently.

References
----------
Kendall (1970), Rank correlation methods, sections 4 and 5. Mahonian numbers: OEIS
A008302.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import UnknownNameError
from tertium.stats.correlation import (
    Vector,
    kendall,
    pearson,
    spearman,
    student_upper,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["correlation_p_value"]

_EXACT = 33  # values; beyond them the normal distribution is close


def correlation_p_value(kind: str, x: Vector, y: Vector) -> float | None:
    """Return the two-sided p-value of a correlation against 0.

    Parameters
    ----------
    kind : {"pearson", "spearman", "kendall"}
        All variants of Kendall's tau test the same number of pairs.
    x, y : sequence of float

    Returns
    -------
    float or None
        None where the coefficient is not defined, and for fewer than three values.

    Examples
    --------
    >>> round(correlation_p_value("pearson", [1, 2, 3, 4], [1, 3, 2, 4]), 3)
    0.2
    >>> round(correlation_p_value("kendall", [1, 2, 3, 4], [1, 3, 2, 4]), 3)
    0.333
    """
    if kind == "kendall":
        return _kendall(np.asarray(x, np.float64), np.asarray(y, np.float64))
    if kind not in ("pearson", "spearman"):
        known = ("pearson", "spearman", "kendall")
        raise UnknownNameError("kind of correlation", kind, known)
    value = (pearson if kind == "pearson" else spearman)(x, y)
    free = len(x) - 2
    if value is None or free < 1:
        return None
    rest = (1 - value) * (1 + value)
    if rest <= 0:
        return 0.0
    tail = student_upper(abs(value) * math.sqrt(free / rest), free, "p-values")
    return min(1.0, 2 * tail)


def _kendall(x: NDArray[np.float64], y: NDArray[np.float64]) -> float | None:
    n = len(x)
    if kendall(x, y) is None or n < 3:
        return None
    pairs = n * (n - 1) // 2
    # Tau-a is the difference of concordant and discordant pairs over all pairs.
    surplus = round((kendall(x, y, "a") or 0.0) * pairs)
    ties = [np.unique(values, return_counts=True)[1].tolist() for values in (x, y)]
    if n <= _EXACT and all(max(sizes) == 1 for sizes in ties):
        return _exact(n, (pairs - abs(surplus)) // 2)
    tied, thrice, spread = (
        [sum(map(count, sizes)) for sizes in ties] for count in (_two, _three, _spread)
    )
    variance = (_spread(n) - sum(spread)) / 18
    variance += tied[0] * tied[1] / (2 * n * (n - 1))
    variance += thrice[0] * thrice[1] / (9 * _three(n))
    return math.erfc(abs(surplus) / math.sqrt(2 * variance))


def _two(count: int) -> int:
    return count * (count - 1)


def _three(count: int) -> int:
    return count * (count - 1) * (count - 2)


def _spread(count: int) -> int:
    return count * (count - 1) * (2 * count + 5)


def _exact(n: int, fewest: int) -> float:
    """Return twice the share of orders of n with so few discordant pairs. O(n²k)."""
    orders = [1] + [0] * fewest  # by their discordant pairs, of one value
    for size in range(2, n + 1):
        orders = [sum(orders[max(0, k - size + 1) : k + 1]) for k in range(fewest + 1)]
    return min(1.0, 2 * sum(orders) / math.factorial(n))
