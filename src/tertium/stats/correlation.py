# SPDX-License-Identifier: Apache-2.0
"""Coefficients of correlation of two vectors, and tests between two of them.

All return plain numbers, or None where the coefficient is not defined: fewer than
two values, or a vector without any differences.

Kendall's coefficients count pairs: concordant C, discordant D, tied only in the
first vector X, only in the second Y, in both T; P is their sum.

* a: (C - D) / P
* b: (C - D) / sqrt((P - X - T) (P - Y - T)), Kendall (1945)
* c: 2 (C - D) / (n² (k - 1) / k), Stuart (1953), k the smaller number of
  different values
* 23: (C + T - D - X - Y) / P, Deutsch, Foster and Freitag (2023)
* acc23: (C + T) / P, the same authors' pairwise accuracy with ties

References
----------
Knight (1966), A computer method for calculating Kendall's tau. Williams (1959),
The comparison of regression variables. Steiger (1980), Tests for comparing
elements of a correlation matrix. Graham and Baldwin (2014), Testing for
significance of increased correlation with human judgment.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium import _core
from tertium.errors import InputError, MissingExtraError, UnknownNameError

if TYPE_CHECKING:
    from numpy.typing import NDArray

Vector: TypeAlias = "Sequence[float] | NDArray[np.float64]"

__all__ = [
    "KENDALL_VARIANTS",
    "Vector",
    "Williams",
    "fisher_interval",
    "kendall",
    "pearson",
    "spearman",
    "student_upper",
    "williams",
]

KENDALL_VARIANTS = ("a", "b", "c", "23", "acc23")


def pearson(x: Vector, y: Vector) -> float | None:
    """Return Pearson's r.

    Examples
    --------
    >>> pearson([1, 2, 3], [1, 2, 4])  # doctest: +ELLIPSIS
    0.98198...
    >>> pearson([1, 1, 1], [1, 2, 4]) is None
    True
    """
    return _correlation("pearson", x, y)


def spearman(x: Vector, y: Vector) -> float | None:
    """Return Spearman's rho: Pearson's r of average ranks. O(n log n).

    Examples
    --------
    >>> spearman([1, 2, 3], [1, 2, 40])
    1.0
    """
    return _correlation("spearman", x, y)


def kendall(
    x: Vector, y: Vector, variant: str = "b", *, epsilon: float = 0.0
) -> float | None:
    """Return one of Kendall's coefficients. O(n log n).

    Parameters
    ----------
    x : sequence of float
        Human scores, where the two sides matter.
    y : sequence of float
        The metric's.
    variant : {"a", "b", "c", "23", "acc23"}
    epsilon : float
        Values of `y` that differ by no more than this are tied. Not for variant c,
        which needs to know how many different values there are.

    Examples
    --------
    >>> kendall([1, 2, 3, 3], [1, 3, 2, 2], "acc23")
    0.6666666666666666
    """
    if variant not in KENDALL_VARIANTS:
        raise UnknownNameError("variant of Kendall's tau", variant, KENDALL_VARIANTS)
    if variant == "c" and epsilon > 0:
        message = "tau-c with an epsilon is not defined; use b, 23 or acc23"
        raise InputError(message)
    return _correlation(variant, x, y, epsilon)


@dataclass(frozen=True)
class Williams:
    """The outcome of Williams' test.

    Attributes
    ----------
    t : float
        Positive if the first correlation is the higher one.
    p : float
        One-sided: of a t at least as far on the side where it is. So a pair has
        the same p both ways, at most a half.
    """

    t: float
    p: float


def williams(r12: float, r13: float, r23: float, n: int) -> Williams | None:
    """Return the test that r12 and r13, which share variable 1, differ.

    Williams' (1959) t with n - 3 degrees of freedom, in the form of Steiger
    (1980, equation 7): for metrics, variable 1 is the human scores, 2 and 3 two
    metrics.

    Parameters
    ----------
    r12, r13 : float
        Correlations of two metrics with human scores.
    r23 : float
        Correlation of the metrics with each other.
    n : int
        How many values each vector had.

    Returns
    -------
    Williams or None
        None for fewer than four values, or metrics that are copies of each other.

    Examples
    --------
    >>> williams(0.9, 0.8, 0.8, 20)  # doctest: +ELLIPSIS
    Williams(t=1.53..., p=0.07...)
    """
    if not all(-1 - 1e-9 <= r <= 1 + 1e-9 for r in (r12, r13, r23)):
        message = f"correlations are between -1 and 1, not {r12}, {r13}, {r23}"
        raise InputError(message)
    if n < 4:
        return None
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    # Rounding may push a determinant of 0 below it.
    below = 2 * max(0.0, determinant) * (n - 1) / (n - 3)
    below += mean**2 * (1 - r23) ** 3
    above = (r12 - r13) * math.sqrt((n - 1) * max(0.0, 1 + r23))
    if below <= 0:
        return None
    t = above / math.sqrt(below)
    return Williams(t, student_upper(abs(t), n - 3, "Williams' test"))


def fisher_interval(
    r: float, n: int, *, confidence: float = 0.95
) -> tuple[float, float] | None:
    """Return Fisher's (1921) interval of Pearson's r: normal on the scale of artanh.

    Examples
    --------
    >>> low, high = fisher_interval(0.5, 28)
    >>> round(low, 4), round(high, 4)
    (0.156, 0.7358)
    """
    if not 0 < confidence < 1:
        message = f"confidence must be between 0 and 1, not {confidence}"
        raise InputError(message)
    if n < 4 or not -1 < r < 1:
        return None
    reach = NormalDist().inv_cdf((1 + confidence) / 2) / math.sqrt(n - 3)
    centre = math.atanh(r)
    return math.tanh(centre - reach), math.tanh(centre + reach)


def _correlation(kind: str, x: Vector, y: Vector, epsilon: float = 0.0) -> float | None:
    first, second = _vector(x, "first"), _vector(y, "second")
    if len(first) != len(second):
        message = (
            f"the first vector has {len(first)} values, the second {len(second)}; "
            "give one of each for everything that was scored"
        )
        raise InputError(message)
    if not epsilon >= 0:
        message = f"epsilon must be 0 or more, not {epsilon}"
        raise InputError(message)
    value = _core.correlation(kind, first, second, epsilon)
    return None if math.isnan(value) else value


def _vector(values: Vector, name: str) -> NDArray[np.float64]:
    vector = np.ascontiguousarray(values, dtype=np.float64)
    if vector.ndim != 1:
        message = f"the {name} vector has {vector.ndim} dimensions; give one"
        raise InputError(message)
    wrong = np.flatnonzero(~np.isfinite(vector))
    if wrong.size:
        place = int(wrong[0])
        message = (
            f"value {place} of the {name} vector is {vector[place]}; leave out what "
            "has no score"
        )
        raise InputError(message)
    return vector


def student_upper(t: float, degrees: int, what: str) -> float:
    """Return P(T >= t) of Student's distribution, which `what` needs."""
    try:
        from scipy.special import stdtr  # SciPy's statistics take a second to import
    except ImportError:
        raise MissingExtraError(what, extra="meta") from None
    return float(stdtr(degrees, -t))
