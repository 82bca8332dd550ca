# SPDX-License-Identifier: Apache-2.0
"""How many items and judges a study of correlations with metrics needs.

Two aims: an interval of a correlation that is not too wide, or a good chance to show
that one metric correlates better than another on the same items. Judges add noise, so
the correlation that a study observes is lower than the one with perfect human scores:
in a normal model, Pearson's r times the square root of the reliability of item means
(Spearman 1904).

Intervals are normal on the scale of artanh, with a variance of 1 / (n - 3) for Pearson
(Fisher 1921) and (1 + rho² / 2) / (n - 3) for Spearman (Bonett and Wright 2000).
Differences are tested with Williams' t (Steiger 1980, equation 7). Spearman's rho and
Pearson's r of normal variables are converted by rho = 6 / pi asin(r / 2).

:mod:`tertium.judgements.planning.correlation_simulation` does the same by simulation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist

from tertium.errors import InputError, UnknownNameError
from tertium.judgements.estimates import need_scipy
from tertium.judgements.planning.judge_noise import (
    JudgeNoise,
    observed,
    reliability,
)
from tertium.stats.correlation import williams

__all__ = [
    "COEFFICIENTS",
    "MOST_ITEMS",
    "CorrelationAim",
    "CorrelationPlan",
    "difference_power",
    "interval_width",
    "plan_correlation",
]

COEFFICIENTS = ("spearman", "pearson")
#: Larger studies are not planned.
MOST_ITEMS = 1_000_000
_LEAST = 5


@dataclass(frozen=True)
class CorrelationAim:
    """What a study should achieve.

    Parameters
    ----------
    rho : float
        Expected correlation of a metric with perfect human scores.
    width : float, optional
        The interval should not be wider.
    other : float, optional
        Expected correlation of another metric; the aim is to show a difference.
    between : float
        Correlation of the two metrics with each other.
    power, alpha : float
        Chance to show the difference, and threshold of the two-sided test.
    confidence : float
        Of the interval.
    coefficient : {"spearman", "pearson"}
    corrected : bool
        Whether the width is that of the interval divided by the square root of the
        reliability, that is, corrected for the noise of judges.

    Raises
    ------
    InputError
        When values are impossible, or both aims or none are given.
    """

    rho: float
    width: float | None = None
    other: float | None = None
    between: float = 0.5
    power: float = 0.8
    alpha: float = 0.05
    confidence: float = 0.95
    coefficient: str = "spearman"
    corrected: bool = False

    def __post_init__(self) -> None:
        """Reject impossible aims."""
        if self.coefficient not in COEFFICIENTS:
            raise UnknownNameError("coefficient", self.coefficient, COEFFICIENTS)
        if (self.width is None) == (self.other is None):
            message = "give either a width or another correlation to tell apart"
            raise InputError(message, options=("width", "other"))
        for name in ("rho", "other", "between"):
            value = getattr(self, name)
            if value is not None and not -1 < value < 1:
                message = f"{name} is {value:g}; a correlation is between -1 and 1"
                raise InputError(message, options=(name,))
        for name in ("power", "alpha", "confidence"):
            value = getattr(self, name)
            if not 0 < value < 1:
                message = f"{name} is {value:g}; choose a number between 0 and 1"
                raise InputError(message, options=(name,))
        if self.width is not None and not 0 < self.width < 2:
            message = f"width is {self.width:g}; choose a number between 0 and 2"
            raise InputError(message, options=("width",))
        if self.other is not None:
            self._check_difference()

    def _check_difference(self) -> None:
        if self.other == self.rho:
            message = f"other is {self.rho:g}, as rho is; no study tells them apart"
            raise InputError(message, options=("other",))
        r, s, t = self.pearsons()
        if 1 - r * r - s * s - t * t + 2 * r * s * t <= 0:
            message = (
                f"no three variables correlate by {self.rho:g}, {self.other:g} and "
                f"{self.between:g}; correct between"
            )
            raise InputError(message, options=("between",))

    def pearsons(self) -> tuple[float, float, float]:
        """Return Pearson's r of normal variables: rho, other (or rho), between."""
        other = self.rho if self.other is None else self.other
        values = (self.rho, other, self.between)
        if self.coefficient == "pearson":
            return values
        r, s, t = (2 * math.sin(math.pi * value / 6) for value in values)
        return r, s, t


@dataclass(frozen=True)
class CorrelationPlan:
    """A study that achieves the aim.

    Parameters
    ----------
    per_item, repeats : int
        Judges of an item, and how often each judges it.
    items : int, optional
        Items needed; None if they are more than 1,000,000.
    judges, judgements : int, optional
        People needed, and judgements in all.
    reliability : float
        Of item means: the squared correlation with the true scores.
    rho, other : float, optional
        The correlations that such a study observes on average.
    width, power : float, optional
        Of the interval, or of the test, by formula.
    simulated : float, optional
        The same by simulation.
    """

    per_item: int
    repeats: int
    items: int | None
    judges: int | None
    judgements: int | None
    reliability: float
    rho: float
    other: float | None = None
    width: float | None = None
    power: float | None = None
    simulated: float | None = None

    def to_dict(self) -> dict[str, object]:
        """Return the plan for JSON."""
        return asdict(self)


def interval_width(
    rho: float, items: int, aim: CorrelationAim, share: float = 1.0
) -> float:
    """Return the width of the interval of an observed correlation.

    If the aim is a corrected one, `share` is the reliability to correct for.
    """
    variance = 1 + rho**2 / 2 if aim.coefficient == "spearman" else 1.0
    normal = NormalDist().inv_cdf((1 + aim.confidence) / 2)
    reach = normal * math.sqrt(variance / (items - 3))
    centre = math.atanh(rho)
    width = math.tanh(centre + reach) - math.tanh(centre - reach)
    return width / math.sqrt(share) if aim.corrected else width


def difference_power(
    rho: float, other: float, items: int, aim: CorrelationAim
) -> float:
    """Return the power to find that two observed correlations differ.

    Williams' t at the expected correlations is taken for the noncentrality of a t
    distribution.
    """
    from scipy.stats import nct, t

    expected = williams(rho, other, aim.between, items)
    if expected is None:
        return 0.0
    limit = float(t.isf(aim.alpha / 2, items - 3))
    return float(nct.sf(limit, items - 3, abs(expected.t)))


def plan_correlation(
    aim: CorrelationAim,
    *,
    noise: JudgeNoise | None = None,
    per_item: Sequence[int] = (1, 2, 3, 5, 10),
    repeats: int = 1,
    per_judge: int = 50,
    adjusted: bool = False,
) -> list[CorrelationPlan]:
    """Return how large a study must be, for each number of judges per item.

    Parameters
    ----------
    aim : CorrelationAim
    noise : JudgeNoise, optional
        By default judges agree perfectly.
    per_item : sequence of int
        Judges of an item.
    repeats : int
        How often a judge judges the same item.
    per_judge : int
        Judgements that one judge can make.
    adjusted : bool
        Whether scores will be adjusted for judges.

    Returns
    -------
    list of CorrelationPlan
        The one with the fewest judgements first.

    Examples
    --------
    >>> aim = CorrelationAim(rho=0.5, width=0.2, coefficient="pearson")
    >>> plan_correlation(aim, per_item=[1])[0].items
    219
    """
    need_scipy("a plan")
    if repeats < 1 or per_judge < 1 or not per_item or min(per_item) < 1:
        message = "per_item, repeats and per_judge must be 1 or more"
        raise InputError(message, options=("per_item", "repeats", "per_judge"))
    noise = noise or JudgeNoise()
    plans = [
        _plan(aim, noise, number, repeats, per_judge, adjusted)
        for number in dict.fromkeys(per_item)
    ]
    return sorted(plans, key=lambda p: (p.judgements is None, p.judgements or 0))


def _plan(
    aim: CorrelationAim,
    noise: JudgeNoise,
    per_item: int,
    repeats: int,
    per_judge: int,
    adjusted: bool,
) -> CorrelationPlan:
    def people(items: int) -> int:
        return max(per_item, math.ceil(items * per_item * repeats / per_judge))

    def share(items: int) -> float:
        return reliability(
            noise,
            per_item=per_item,
            repeats=repeats,
            judges=people(items),
            adjusted=adjusted,
        )

    def figures(items: int) -> tuple[float, float | None, float]:
        """Return both correlations, and the width or the power."""
        rho = observed(aim.rho, share(items), aim.coefficient)
        if aim.other is None:
            return rho, None, interval_width(rho, items, aim, share(items))
        other = observed(aim.other, share(items), aim.coefficient)
        return rho, other, difference_power(rho, other, items, aim)

    def reached(items: int) -> bool:
        value = figures(items)[2]
        return value <= aim.width if aim.width is not None else value >= aim.power

    items = _smallest(reached)
    rho, other, value = figures(items or MOST_ITEMS)
    return CorrelationPlan(
        per_item,
        repeats,
        items,
        people(items) if items else None,
        items * per_item * repeats if items else None,
        share(items or MOST_ITEMS),
        rho,
        other,
        width=value if aim.other is None and items else None,
        power=value if aim.other is not None and items else None,
    )


def _smallest(reached: Callable[[int], bool]) -> int | None:
    """Return the smallest number of items that is enough, if it is not too large."""
    low, high = _LEAST - 1, _LEAST
    while not reached(high):
        if high == MOST_ITEMS:
            return None
        low, high = high, min(2 * high, MOST_ITEMS)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high
