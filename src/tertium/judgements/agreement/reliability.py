# SPDX-License-Identifier: Apache-2.0
"""Coefficients of reliability: Krippendorff's alpha, kappas of Fleiss and Cohen.

All take judgements in long form, one element of the arrays each, so that missing
judgements are simply not there. A *unit* is what was judged: one output of one system.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.judgements.estimates import Estimate, codes, dot, resampled
from tertium.stats.resample import Bootstrap

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from tertium.judgements.estimates import Codes, Floats

__all__ = ["LEVELS", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "long_form"]

LEVELS = ("nominal", "ordinal", "interval", "ratio")

_FEW = "no unit was judged twice"
_SAME = "all judgements are the same, so disagreement by chance is impossible"
_BLOCK = 2000  # distinct values that are held against all others at once


def long_form(
    table: Sequence[Sequence[float | None]] | Floats,
) -> tuple[Codes, Codes, Floats]:
    """Return units, judges and values of a table.

    It has one row per unit and one column per judge. None and NaN are judgements that
    were not made.

    Examples
    --------
    >>> units, judges, values = long_form([[1, 2], [3, None]])
    >>> units.tolist(), judges.tolist(), values.tolist()
    ([0, 0, 1], [0, 1, 0], [1.0, 2.0, 3.0])
    """
    grid = np.array(table, dtype=np.float64)
    if grid.ndim != 2:
        message = "a table has rows (units) and columns (judges)"
        raise InputError(message)
    units, judges = np.nonzero(~np.isnan(grid))
    return units, judges, grid[units, judges]


def krippendorff_alpha(
    units: ArrayLike,
    values: ArrayLike,
    *,
    level: str = "interval",
    mirrored: bool = False,
    clusters: ArrayLike | None = None,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """Return Krippendorff's alpha, 1 - D(observed) / D(expected).

    Parameters
    ----------
    units : array
        What each value is about, one value per judge.
    values : array
        Numbers; for the nominal level anything that can be sorted.
    level : {"nominal", "ordinal", "interval", "ratio"}
    mirrored : bool
        Whether v and -v are the same statement seen from two sides, such as
        "A is better than B". The values expected by chance are then symmetric.
    clusters : array, optional
        What is sampled together for the interval, such as segments; one per value, the
        same for all values of a unit. Units by default.
    bootstrap : Bootstrap, optional
        Ask for an interval.

    Notes
    -----
    Linear in the values except for the ratio level, where it is also quadratic in
    the distinct values and in the values of a unit. The ordinal distance of two
    values is the squared difference of their mid-ranks, so ordinal is interval on
    mid-ranks.

    References
    ----------
    Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability.
    Hayes, A. and Krippendorff, K. (2007). Answering the call for a standard
    reliability measure for coding data.

    Examples
    --------
    >>> krippendorff_alpha([1, 1, 2, 2, 3, 3], [1, 1, 2, 2, 3, 3]).value
    1.0
    """
    if level not in LEVELS:
        raise UnknownNameError("level of measurement", level, LEVELS)
    known = np.asarray(values)
    if level != "nominal" or mirrored:
        known = _finite(known)
    unit = _checked(units, len(known))
    cluster = unit if clusters is None else _checked(clusters, len(known))
    pairable = np.bincount(unit, minlength=1)[unit] > 1 if len(unit) else unit > 0
    unit, known, cluster = (
        codes(unit[pairable]),
        known[pairable],
        codes(cluster[pairable]),
    )
    if not len(known):
        return Estimate(None, reason=_FEW)
    if level == "ratio" and np.asarray(known).min() < 0:
        message = "the ratio level needs values of zero or more; use interval"
        raise InputError(message)
    order = np.argsort(unit, kind="stable")
    data = _Coincidences(unit[order], known[order], cluster[order], level, mirrored)
    value = data.alpha(np.ones(data.clusters))
    if value is None:
        return Estimate(None, reason=_SAME)
    interval = None
    if bootstrap is not None:
        interval = resampled(data.alpha, data.clusters, bootstrap)
    return Estimate(value, interval)


class _Coincidences:
    """Pairable values, sorted by unit; alpha of any weights of the clusters."""

    def __init__(
        self,
        unit: Codes,
        values: NDArray[np.generic],
        cluster: Codes,
        level: str,
        mirrored: bool,
    ) -> None:
        known, self.code = _numbered(values, mirrored=mirrored)
        # Names have no size: of those, only the number counts.
        self.known: Floats = (
            np.zeros(len(known)) if level == "nominal" else known.astype(np.float64)
        )
        self.level, self.mirrored = level, mirrored
        self.starts = np.flatnonzero(np.r_[True, unit[1:] != unit[:-1]])
        self.sizes = np.diff(np.r_[self.starts, len(unit)]).astype(np.float64)
        self.own, self.of_unit = cluster, cluster[self.starts]
        self.clusters = int(cluster.max()) + 1
        self.fixed: Floats | None = None
        if level == "nominal":
            self.fixed = self._nominal(unit)
        elif level == "interval":
            # Alpha knows neither origin nor unit of the scale; squares of large
            # values would eat up the digits.
            self.known = (self.known - self.known[0]) / max(
                float(self.known[-1] - self.known[0]), np.finfo(np.float64).tiny
            )
            self.known = self.known - self.known.mean()
            self.fixed = self._squares(self.known[self.code])
        elif level == "ratio":
            self.fixed = self._ratios(unit)

    def alpha(self, weights: Floats) -> float | None:
        size = len(self.known)
        counts: Floats = np.bincount(
            self.code, weights[self.own], minlength=size
        ).astype(np.float64)
        if self.mirrored:
            counts = (counts + counts[::-1]) / 2
        total = float(counts.sum())
        if np.count_nonzero(counts) < 2:
            return None
        by_chance, inside = self._expected(counts, total)
        observed = dot(inside, weights[self.of_unit])
        return 1.0 - (total - 1) * observed / by_chance

    def _expected(self, counts: Floats, total: float) -> tuple[float, Floats]:
        """Return disagreement among all values, and inside each unit.

        Both summed over ordered pairs; inside, divided by the other values there.
        """
        if self.fixed is None:  # ordinal
            ranks = np.cumsum(counts) - counts / 2
            ranks -= total / 2
            # In units of the total, for numbers of a common size.
            ranks /= max(total, 1.0)
            # Mid-ranks have mean zero now.
            by_chance = 2 * total * dot(counts, ranks**2)
            return by_chance, self._squares(ranks[self.code])
        if self.level == "nominal":
            return total**2 - dot(counts, counts), self.fixed
        if self.level == "interval":
            known = self.known - dot(counts, self.known) / total
            return 2 * total * dot(counts, known**2), self.fixed
        spread = 0.0
        for first in range(0, len(self.known), _BLOCK):
            block = slice(first, first + _BLOCK)
            far = _ratio(self.known[block, None], self.known[None, :])
            spread += dot(counts[block], (far * counts).sum(axis=1))
        return spread, self.fixed

    def _squares(self, x: Floats) -> Floats:
        """Return, a unit, the squared differences of its ordered pairs over n - 1."""
        total = np.add.reduceat(x, self.starts)
        squares = np.add.reduceat(x**2, self.starts)
        inside = 2 * (self.sizes * squares - total**2) / (self.sizes - 1)
        sums: Floats = np.maximum(inside, 0.0)
        return sums

    def _nominal(self, unit: Codes) -> Floats:
        cell, count = np.unique(unit * len(self.known) + self.code, return_counts=True)
        same = np.bincount(cell // len(self.known), count.astype(np.float64) ** 2)
        disagreement: Floats = (self.sizes**2 - same) / (self.sizes - 1)
        return disagreement

    def _ratios(self, unit: Codes) -> Floats:
        from tertium.judgements.agreement.outcomes import every_two

        left, right = every_two(unit)
        x = self.known[self.code].astype(np.float64)
        far = 2 * _ratio(x[left], x[right])
        inside = np.bincount(unit[left], far, minlength=len(self.sizes))
        disagreement: Floats = inside / (self.sizes - 1)
        return disagreement


def _numbered(
    values: NDArray[np.generic], *, mirrored: bool
) -> tuple[NDArray[np.generic], Codes]:
    """Return the values there are, sorted, and the place of each among them."""
    known = np.unique(values)
    if mirrored:
        numbers = np.asarray(known, np.float64)
        known = np.unique(np.concatenate([numbers, -numbers]))
    # For few values, searching takes far less memory than the inverse of a sort.
    return known, np.searchsorted(known, values).astype(np.int64, copy=False)


def _ratio(a: Floats, b: Floats) -> Floats:
    total = a + b
    distance: Floats = ((a - b) / np.where(total == 0, 1.0, total)) ** 2
    return distance


def fleiss_kappa(
    units: ArrayLike,
    values: ArrayLike,
    *,
    mirrored: bool = False,
    clusters: ArrayLike | None = None,
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """Return Fleiss' kappa of categories.

    Fleiss (1971) has the same number of judgements for every unit. Where numbers
    differ, units judged twice at least count alike for the agreement, and every
    judgement of them counts alike for the shares of the categories.

    Parameters
    ----------
    units, values, mirrored, clusters, bootstrap
        As for :func:`krippendorff_alpha`.

    Examples
    --------
    >>> fleiss_kappa([1, 1, 2, 2], ["yes", "yes", "no", "no"]).value
    1.0
    """
    categories = np.asarray(values)
    unit = _checked(units, len(categories))
    cluster = unit if clusters is None else _checked(clusters, len(categories))
    pairable = np.bincount(unit, minlength=1)[unit] > 1 if len(unit) else unit > 0
    unit, categories, cluster = (
        codes(unit[pairable]),
        categories[pairable],
        codes(cluster[pairable]),
    )
    if not len(categories):
        return Estimate(None, reason=_FEW)
    known, code = _numbered(categories, mirrored=mirrored)
    sizes = np.bincount(unit).astype(np.float64)
    cell, count = np.unique(unit * len(known) + code, return_counts=True)
    same = np.bincount(cell // len(known), count.astype(np.float64) ** 2)
    agreed = (same - sizes) / (sizes * (sizes - 1))
    of_unit = np.zeros(len(sizes), np.int64)
    of_unit[unit] = cluster
    groups = int(cluster.max()) + 1
    kappa = _Fleiss(code, cluster, len(known), mirrored, agreed, of_unit).kappa
    value = kappa(np.ones(groups))
    if value is None:
        return Estimate(None, reason=_SAME)
    interval = None if bootstrap is None else resampled(kappa, groups, bootstrap)
    return Estimate(value, interval)


@dataclass(frozen=True, eq=False)
class _Fleiss:
    """Categories, sorted by unit; kappa of any weights of the clusters."""

    code: Codes
    cluster: Codes
    categories: int
    mirrored: bool
    agreed: Floats
    of_unit: Codes

    def kappa(self, weights: Floats) -> float | None:
        shares: Floats = np.bincount(
            self.code, weights[self.cluster], minlength=self.categories
        ).astype(np.float64)
        if self.mirrored:
            shares = (shares + shares[::-1]) / 2
        shares = shares / shares.sum()
        expected = dot(shares, shares)
        if expected > 1 - 1e-12:
            return None
        each = weights[self.of_unit]
        observed = dot(each, self.agreed) / float(each.sum())
        return (observed - expected) / (1 - expected)


def cohen_kappa(
    first: ArrayLike,
    second: ArrayLike,
    *,
    weights: str = "none",
    bootstrap: Bootstrap | None = None,
) -> Estimate:
    """Return Cohen's kappa of two judges on the same units.

    Parameters
    ----------
    first, second : array
        One value per unit each.
    weights : {"none", "linear", "quadratic"}
        What a disagreement costs: the same always, or by the distance of values
        in the order of all values that occur (Cohen 1968).
    bootstrap : Bootstrap, optional
        Ask for an interval; units are sampled.

    Examples
    --------
    >>> round(cohen_kappa([1, 1, 2, 2], [1, 1, 2, 1]).value, 4)
    0.5
    """
    if weights not in ("none", "linear", "quadratic"):
        raise UnknownNameError("weights", weights, ("none", "linear", "quadratic"))
    one, two = np.asarray(first), np.asarray(second)
    if one.shape != two.shape or one.ndim != 1:
        message = (
            f"two judges need one value per unit each, not shapes {one.shape} and "
            f"{two.shape}"
        )
        raise InputError(message)
    if not len(one):
        return Estimate(None, reason="the two judges have no unit in common")
    known, code = np.unique(np.concatenate([one, two]), return_inverse=True)
    code = code.reshape(-1)
    a, b, size = code[: len(one)], code[len(one) :], len(known)
    far = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(np.float64)
    cost = {"none": (far > 0).astype(np.float64), "linear": far, "quadratic": far**2}
    table = cost[weights]

    def kappa(times: Floats) -> float | None:
        left = np.bincount(a, times, minlength=size)
        right = np.bincount(b, times, minlength=size)
        expected = float(left @ table @ right) / float(times.sum())
        if expected <= 0:
            return None
        return 1.0 - float(table[a, b] @ times) / expected

    value = kappa(np.ones(len(one)))
    if value is None:
        return Estimate(None, reason=_SAME)
    interval = None if bootstrap is None else resampled(kappa, len(one), bootstrap)
    return Estimate(value, interval)


def _finite(values: NDArray[np.generic]) -> Floats:
    try:
        numbers = values.astype(np.float64)
    except (TypeError, ValueError):
        message = "values that are not numbers have the nominal level only"
        raise InputError(message) from None
    if not np.isfinite(numbers).all():
        message = "values must be finite; leave missing judgements out"
        raise InputError(message)
    return numbers


def _checked(column: ArrayLike, size: int) -> Codes:
    array = np.asarray(column)
    if array.shape != (size,):
        message = f"{size} values need as many units, not shape {array.shape}"
        raise InputError(message)
    return codes(array)
