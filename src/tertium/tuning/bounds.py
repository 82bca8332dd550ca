# SPDX-License-Identifier: Apache-2.0
"""Bounds that no selection of hypotheses can pass, for metrics without an exact search.

- BLEU is a product of precisions and a penalty for short output, and each factor is a
  ratio of sums, whose extreme over all selections is known exactly. The product of the
  extremes bounds the product. A second bound is usually nearer: for total lengths
  between a and b, n-gram totals are at least a minus (n-1) per list, the penalty is at
  most that of b, and log matches are at most their tangent anywhere, because the
  logarithm is concave. What remains is a sum over lists, maximised list by list, with a
  Lagrange multiplier for the length. The highest of the bounds of all length intervals
  is a bound for every selection.
- chrF rises with mean precision and mean recall, each bounded by the mean of its exact
  extremes over the orders.
- An interpolation is bounded by the interpolation of the bounds of its parts.
- Of any other metric, the bound is that of its scale.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tertium.metrics.bleu import Bleu
from tertium.metrics.chrf import Chrf
from tertium.metrics.mean import Mean
from tertium.tuning.selection import Pool, extreme_ratio, ratio_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.metrics import Metric

__all__ = ["score_bound"]

_INTERVALS = 48  # of the total length, for BLEU
_STEPS = 12  # of the search for a multiplier


def score_bound(metric: Metric, pool: Pool, *, sign: int) -> float:
    """Return what the score of no selection exceeds, or with -1 falls below.

    Parameters
    ----------
    metric : Metric
    pool : Pool
        Statistics of this metric.
    sign : {1, -1}
        1 for an upper bound of the score, -1 for a lower bound.

    Returns
    -------
    float
        Infinite where the scale of the metric is.
    """
    limit = metric.bounds[sign > 0]
    bound = _bound(metric, pool, sign)
    if bound is None:
        return limit
    return min(bound, limit) if sign > 0 else max(bound, limit)


def _bound(metric: Metric, pool: Pool, sign: int) -> float | None:
    if isinstance(metric, Mean):
        return _mean_bound(metric, pool, sign)
    if isinstance(metric, Bleu):
        return _bleu_bound(metric, pool, sign)
    if isinstance(metric, Chrf):
        return _chrf_bound(metric, pool, sign)
    ratio = ratio_of(metric, pool, np.random.default_rng(0))
    if ratio is None:
        return None
    side = sign if ratio.scale > 0 else -sign
    columns = pool.rows[:, ratio.over], pool.rows[:, ratio.under]
    return ratio.scale * extreme_ratio(pool, *columns, sign=side)[0]


def _mean_bound(metric: Mean, pool: Pool, sign: int) -> float:
    weights = sum(weight for _, weight in metric.parts)
    total, start = 0.0, 0
    for part, weight in metric.parts:
        rows = np.ascontiguousarray(pool.rows[:, start : start + part.width])
        side = sign if part.higher_is_better else -sign
        percent = score_bound(part, Pool(rows, pool.starts), sign=side)
        percent *= 100.0 / part.unit
        if not part.higher_is_better:
            percent = 100.0 - percent
        total += weight / weights * percent
        start += part.width
    return total


def _chrf_bound(metric: Chrf, pool: Pool, sign: int) -> float | None:
    hyps, refs, matches = (pool.rows[:, place::3] for place in range(3))
    orders = range(hyps.shape[1])
    if not all(pool.positive(each[:, n]) for each in (hyps, refs) for n in orders):
        return None  # The number of orders that count depends on the selection.

    def mean(over: float, below: NDArray[np.float64]) -> float:
        """Return the mean extreme of matches divided by something, times `over`."""
        columns = [(over * matches[:, n], below[:, n]) for n in orders]
        extremes = [extreme_ratio(pool, *each, sign=sign)[0] for each in columns]
        return sum(extremes) / len(extremes)

    factor = metric.beta**2
    if metric.eps_smoothing:  # a mean of F-scores, and not an F-score of means
        return 100 * mean(1 + factor, factor * refs + hyps)
    precision, recall = mean(1, hyps), mean(1, refs)
    below = factor * precision + recall
    return 100 * (1 + factor) * precision * recall / below if below else 0.0


def _bleu_bound(metric: Bleu, pool: Pool, sign: int) -> float | None:
    orders = metric.max_ngram_order
    totals = pool.rows[:, 2 + orders :]
    if metric.smooth_method not in ("exp", "none", "plus-one") or not all(
        pool.positive(totals[:, n]) for n in range(orders)
    ):
        return None
    product = _bleu_product(metric, pool, sign)
    if sign < 0 or metric.smooth_method == "plus-one":
        return product
    return min(product, _bleu_by_length(metric, pool))


def _bleu_product(metric: Bleu, pool: Pool, sign: int) -> float:
    orders = metric.max_ngram_order
    added = float(metric.smooth_method == "plus-one")
    logs = 0.0
    for n in range(orders):
        over, under = pool.rows[:, 2 + n], pool.rows[:, 2 + orders + n]
        precision, _ = extreme_ratio(pool, over, under, sign=sign, added=(added, added))
        if sign > 0 and metric.smooth_method == "exp":
            # Selections without a match count half a match, or less.
            precision = max(precision, 0.5 / _sum_of_lowest(pool, under))
        if precision <= 0:
            return 0.0
        logs += math.log(precision) / orders
    lengths, _ = extreme_ratio(pool, pool.rows[:, 1], pool.rows[:, 0], sign=-sign)
    return 100 * math.exp(min(0.0, 1 - lengths) + logs)


def _bleu_by_length(metric: Bleu, pool: Pool) -> float:
    """Return the upper bound from intervals of the total length."""
    orders = metric.max_ngram_order
    lengths, refs = pool.rows[:, 0], pool.rows[:, 1]
    fewest = [_sum_of_lowest(pool, each) for each in pool.rows[:, 2 + orders :].T]
    shortest, longest = _sum_of_lowest(pool, lengths), -_sum_of_lowest(pool, -lengths)
    relaxed = _Relaxation(pool, pool.rows[:, 2 : 2 + orders], lengths)
    wanted = _sum_of_lowest(pool, refs)
    edges = np.linspace(shortest, longest, _INTERVALS + 1)
    # The best selections have about the length of the references. Beginning there,
    # most other intervals are soon seen to be lower.
    spans = sorted(
        zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True),
        key=lambda span: abs(span[0] - wanted),
    )
    highest = -math.inf
    for low, high in spans:
        totals = np.maximum(low - np.arange(orders) * len(pool.starts), fewest)
        constant = min(0.0, 1 - wanted / high) - float(np.log(totals).mean())
        bound = relaxed.bound(low, high, enough=highest - constant)
        highest = max(highest, constant + bound)
    return 100 * math.exp(highest)


def _sum_of_lowest(pool: Pool, values: NDArray[np.float64]) -> float:
    return float(np.minimum.reduceat(values, pool.starts).sum())


class _Relaxation:
    """Bounds of the mean log matches of selections whose length is in an interval."""

    # Selections without a match of some order count half a match there, or less (exp).
    # The tangent at this point or higher ones is above log 0.5 for no match.
    _LEAST = 1.5

    def __init__(
        self, pool: Pool, matches: NDArray[np.float64], lengths: NDArray[np.float64]
    ) -> None:
        self.pool = pool
        self.matches = matches
        self.lengths = lengths
        self.point = matches[pool.starts].sum(axis=0)
        for _ in range(_STEPS):
            self._value(0.0, 0.0)

    def bound(self, low: float, high: float, *, enough: float) -> float:
        """Return a bound, which need not be tight below `enough`."""
        best, length = self._value(0.0, 0.0)
        # A multiplier moves the length of the selection into the interval.
        reach = 8.0 * float((1 / np.maximum(self.point, self._LEAST)).sum())
        below, above = (0.0, reach) if length < low else (-reach, 0.0)
        for _ in range(_STEPS):
            if best <= enough:
                break
            multiplier = (below + above) / 2
            limit = low if multiplier > 0 else high
            value, length = self._value(multiplier, limit)
            best = min(best, value)
            if length < limit:
                below = multiplier
            else:
                above = multiplier
        return best

    def _value(self, multiplier: float, limit: float) -> tuple[float, float]:
        """Return a bound, and the length of the selection that reaches it."""
        point = np.maximum(self.point, self._LEAST)
        orders = len(point)
        values = self.matches @ (1 / (orders * point)) + multiplier * self.lengths
        chosen = self.pool.highest(values)
        bound = float(values[chosen].sum() - multiplier * limit)
        bound += float(np.log(point).mean()) - 1
        # Every point is valid; near the optimum of the relaxation, bounds are tight.
        self.point = (3 * self.point + self.matches[chosen].sum(axis=0)) / 4
        return bound, float(self.lengths[chosen].sum())
