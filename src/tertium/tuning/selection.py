# SPDX-License-Identifier: Apache-2.0
"""One hypothesis per list: selections, their scores, and the search for extreme ones.

Three forms of metrics are told apart by their statistics. A *ratio* of two statistics
(WER, means of segments) is optimised exactly by Dinkelbach's method: the selection that
maximises Σ a - λ Σ b is made list by list, and λ rises to the best ratio (Dinkelbach
1967, On Nonlinear Fractional Programming). An *additive* metric, in which a list adds
the same whatever the others do (an interpolation of means), is optimised list by list.
Any other is climbed from several starts: list by list, the best hypothesis given the
others, until none changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.metrics import Metric

    Rows = NDArray[np.float64]
    Chosen = NDArray[np.intp]

__all__ = ["Pool", "Ratio", "climb", "extreme_ratio", "is_additive", "ratio_of"]

_CHECKS = 64  # random selections on which the form of a metric is checked
_TOLERANCE = 1e-9


class Ratio(NamedTuple):
    """A score that is `scale` times one statistic divided by another."""

    scale: float
    over: int
    under: int

    def scores(self, rows: Rows) -> Rows:
        """Return the scores of rows whose divisor is above 0."""
        return self.scale * rows[:, self.over] / rows[:, self.under]


@dataclass(frozen=True, eq=False)
class Pool:
    """The statistics of all hypotheses of all lists, one after another.

    Parameters
    ----------
    rows : ndarray of shape (hypotheses, width)
    starts : ndarray of shape (lists,)
        The first row of every list.
    """

    rows: Rows
    starts: Chosen

    @classmethod
    def of(cls, tables: Sequence[Rows]) -> Pool:
        """Return the pool of the statistics of every list."""
        sizes = [len(table) for table in tables]
        return cls(np.concatenate(tables), np.cumsum([0, *sizes[:-1]]))

    @property
    def ends(self) -> Chosen:
        """The row after the last one of every list."""
        return np.append(self.starts[1:], len(self.rows))

    @property
    def owners(self) -> Chosen:
        """The list of every row."""
        return np.repeat(np.arange(len(self.starts)), self.ends - self.starts)

    def highest(self, values: Rows) -> Chosen:
        """Return the first row with the highest value in every list."""
        tops = np.maximum.reduceat(values, self.starts)
        hits = np.flatnonzero(values == np.repeat(tops, self.ends - self.starts))
        _, first = np.unique(self.owners[hits], return_index=True)
        return hits[first]

    def positive(self, values: Rows) -> bool:
        """Return whether the sum of values is above 0 for every selection."""
        lowest = np.minimum.reduceat(values, self.starts)
        return bool(lowest.min() >= 0 and lowest.sum() > 0)

    def random(self, generator: np.random.Generator) -> Chosen:
        """Return a random row of every list."""
        sizes = self.ends - self.starts
        return self.starts + (generator.random(len(sizes)) * sizes).astype(np.intp)

    def score(self, metric: Metric, chosen: Chosen) -> float:
        """Return the score of a selection, to the last bit as `metric` has it."""
        from tertium import _core

        sums = _core.Sums(self.rows.shape[1])
        sums.add(np.ascontiguousarray(self.rows[chosen]))
        return float(metric.from_statistics(sums.values()))

    def swapped(self, metric: Metric, chosen: Chosen) -> Rows:
        """Return for every row the score of the selection with that row swapped in."""
        rest = self.rows[chosen].sum(axis=0) - self.rows[chosen]
        whole = np.repeat(rest, self.ends - self.starts, axis=0) + self.rows
        return np.asarray(metric.from_statistics(whole))

    def places(self, chosen: Chosen) -> list[int]:
        """Return the selected hypotheses by their place in their list."""
        return [int(row) for row in chosen - self.starts]


def ratio_of(
    metric: Metric, pool: Pool, generator: np.random.Generator
) -> Ratio | None:
    """Return the ratio of statistics that a metric is, or None.

    The form is taken from numbers: it must hold for every hypothesis and for 64 random
    selections.
    """
    sums = np.stack([pool.rows[pool.random(generator)].sum(0) for _ in range(_CHECKS)])
    scores = np.asarray(metric.from_statistics(sums))
    if not np.isfinite(scores).all():
        return None
    for under, over in permutations(range(sums.shape[1]), 2):
        if not sums[0, over] * scores[0] or (sums[:, under] <= 0).any():
            continue
        scale = float(scores[0] * sums[0, under] / sums[0, over])
        ratio = Ratio(scale, over, under)
        if _same(ratio.scores(sums), scores) and _holds(ratio, metric, pool):
            return ratio
    return None


def _holds(ratio: Ratio, metric: Metric, pool: Pool) -> bool:
    """Return whether a ratio is the score of every hypothesis that has one."""
    divisor = pool.rows[:, ratio.under]
    defined = pool.rows[divisor > 0]
    scores = np.asarray(metric.from_statistics(defined))
    return pool.positive(divisor) and _same(ratio.scores(defined), scores)


def _same(guess: Rows, scores: Rows) -> bool:
    return bool(np.allclose(guess, scores, rtol=_TOLERANCE, atol=_TOLERANCE))


def extreme_ratio(
    pool: Pool,
    over: Rows,
    under: Rows,
    *,
    sign: int = 1,
    added: tuple[float, float] = (0.0, 0.0),
) -> tuple[float, Chosen]:
    """Return the highest ratio of sums over selections, and its selection.

    Parameters
    ----------
    pool : Pool
    over, under : ndarray of shape (hypotheses,)
        The sum of the latter is above 0 for every selection.
    sign : {1, -1}
        -1 for the lowest ratio.
    added : pair of float
        Constants added to both sums.
    """
    chosen = pool.starts
    ratio = (over[chosen].sum() + added[0]) / (under[chosen].sum() + added[1])
    while True:
        better = pool.highest(sign * (over - ratio * under))
        value = (over[better].sum() + added[0]) / (under[better].sum() + added[1])
        # Rises strictly until it is the best; rounding errors must not go on.
        if sign * (value - ratio) <= 1e-15 * abs(ratio):
            return float(ratio), chosen
        ratio, chosen = value, better


def is_additive(
    metric: Metric, pool: Pool, swapped: Rows, generator: np.random.Generator
) -> bool:
    """Return whether every list adds to the score whatever the others do.

    It is checked on random selections, and on random mixtures of these with the best
    and the worst: scores may be 0 almost everywhere, which adds up, except there.

    Parameters
    ----------
    metric : Metric
    pool : Pool
    swapped : ndarray
        The scores with single rows swapped into the selection of the first rows.
    generator : Generator
        For the 64 selections and 128 mixtures.
    """
    base = pool.score(metric, pool.starts)
    picks = [pool.random(generator) for _ in range(3 * _CHECKS)]
    for number, extreme in enumerate((pool.highest(swapped), pool.highest(-swapped))):
        for chosen in picks[number * _CHECKS : (number + 1) * _CHECKS]:
            mixed = generator.random(len(chosen)) < 0.5
            chosen[mixed] = extreme[mixed]
    sums = np.stack([pool.rows[chosen].sum(axis=0) for chosen in picks])
    guess = np.array([base + (swapped[chosen] - base).sum() for chosen in picks])
    return _same(guess, np.asarray(metric.from_statistics(sums)))


def climb(metric: Metric, pool: Pool, start: Chosen, *, sign: int) -> Chosen:
    """Return a selection that no other hypothesis of a single list improves.

    Every round takes time linear in the hypotheses: all lists that can improve the
    score alone change together if that helps, or else one after another.
    """
    chosen: Chosen = start.copy()
    best = sign * pool.score(metric, chosen)
    while True:
        scores = sign * pool.swapped(metric, chosen)
        tops = pool.highest(scores)
        better = np.flatnonzero(scores[tops] > best + _TOLERANCE)
        if not len(better):
            return chosen
        together = chosen.copy()
        together[better] = tops[better]
        score = sign * pool.score(metric, together)
        if score > scores[tops].max():
            chosen, best = together, score
        else:
            chosen, best = _in_turn(metric, pool, chosen, better, sign)


def _in_turn(
    metric: Metric, pool: Pool, start: Chosen, lists: Chosen, sign: int
) -> tuple[Chosen, float]:
    """Return a selection whose lists were improved one after another, and its score."""
    chosen, ends = start.copy(), pool.ends
    total = pool.rows[chosen].sum(axis=0)
    for place in lists.tolist():
        low, high = pool.starts[place], ends[place]
        rest = total - pool.rows[chosen[place]]
        scores = np.asarray(metric.from_statistics(rest + pool.rows[low:high]))
        # The hypothesis at hand is one of them, so the score never gets worse.
        chosen[place] = low + (sign * scores).argmax()
        total = rest + pool.rows[chosen[place]]
    return chosen, sign * pool.score(metric, chosen)
