# SPDX-License-Identifier: Apache-2.0
"""The value of each coefficient for a metric, and how certain it is.

A figure brings the way to resample it (see
:mod:`tertium.meta.uncertainty.resampling`). Rank correlations of all outputs at once,
or of those of a system, are not functions of sums; they count weighted pairs anew in
every resample, which takes longer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium import _core
from tertium._seed import SEED
from tertium.meta.agreement.coefficients import COEFFICIENTS, Coefficient
from tertium.meta.agreement.comparing import Places, are_assessments, compared
from tertium.meta.agreement.grouped import group_values
from tertium.meta.agreement.pairwise_differences import pair_sums, pdp, segment_sums
from tertium.meta.agreement.system_level import pairwise_p_values
from tertium.meta.agreement.ties import (
    cell_numbers,
    cells_from,
    draw_taus,
    tau,
    taus,
    tie_matrix,
)
from tertium.meta.evaluation import Evaluation, Measured
from tertium.meta.human import Human
from tertium.meta.uncertainty.bootstrap import system_counts
from tertium.meta.uncertainty.resampling import (
    Draw,
    draw_means,
    draw_pearson,
    draw_ranked,
    draw_rows,
    misfit,
    usual,
)
from tertium.stats import correlation_p_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Figure", "figure", "possible"]

Array: TypeAlias = "NDArray[np.float64]"

_NAMES = {  # of group_values()
    "kendall": "kendall_b",
    "tau-b": "kendall_b",
    "tau-c": "kendall_c",
    "tau-23": "kendall_23",
    "acc-23": "acc23",
    "acc-eq": "acc23",
    "pearson": "pearson",
    "spearman": "spearman",
}


@dataclass(frozen=True)
class Figure:
    """A coefficient of one metric.

    Parameters
    ----------
    value : float or None
    n, of : int
        How many comparisons, outputs, segments or systems it rests on, and how many
        there would be if the metric had scored everything that was judged.
    draw : callable, optional
        ``draw(resamples, seed)``: the values of resamples, NaN where one is not
        defined.
    slow : bool
        Whether drawing takes long, because every resample counts pairs anew.
    p : float, optional
        Of the value against 0; for correlations of one sample, not for means of
        several or shares.
    """

    value: float | None
    n: int
    of: int
    draw: Draw | None = None
    slow: bool = False
    p: float | None = None


def figure(
    coefficient: Coefficient,
    both: Evaluation,
    metric: Measured,
    *,
    over: str | None = None,
    seed: int = SEED,
    threads: int | None = None,
) -> Figure | None:
    """Return the value of a coefficient for a metric; None if it does not apply.

    Parameters
    ----------
    coefficient : Coefficient
    both : Evaluation
    metric : Measured
        One of ``both.metrics``.
    over : {"judgements", "segments", "systems"}, optional
        What is resampled; the usual by default. A figure that cannot be resampled so
        has no draw.
    seed : int
        Of figures that rest on p-values themselves.
    threads : int, optional
    """
    human = both.human
    over = over or usual(coefficient, human)
    one = _figure(coefficient, both, metric, over, seed, threads)
    if one is None or misfit(coefficient, human, over) is None:
        return one
    return replace(one, draw=None)


def _figure(
    coefficient: Coefficient,
    both: Evaluation,
    metric: Measured,
    over: str,
    seed: int,
    threads: int | None,
) -> Figure | None:
    if both.human.clusters is not None and coefficient.name not in possible(both.human):
        return None
    if coefficient.name == "soft-accuracy":
        return _soft(both, metric, seed, threads)
    if coefficient.level == "system":
        return _system(coefficient.name, both, metric, over, threads)
    if metric.segment is None:
        return None
    if coefficient.preset is not None:
        return _compared(coefficient.preset, both, metric.segment, over, threads)
    ratings = both.human.ratings
    if ratings is None:
        return None
    if coefficient.name == "pdp":
        return _differences(ratings, metric.segment, over, threads)
    name, _, group = coefficient.name.partition(":")
    one = _rated(
        name, group, ratings, metric.segment, over, threads, both.human.clusters
    )
    if group != "none" or both.human.raw is None or not both.human.is_adjusted:
        return one
    # Adjusted ratings vary less than independent ones (McCaffery 2017, section 7.2.2).
    known = ~np.isnan(both.human.raw) & ~np.isnan(metric.segment)
    p = _against_zero(name, both.human.raw[known], metric.segment[known])
    return replace(one, p=p)


def possible(human: Human) -> list[str]:
    """Return the names of the coefficients that the judgements allow.

    Whether a metric has a score for every output, or any at all for segments, is
    another matter. Single judgements allow coefficients of outputs by system, or of
    all outputs at once.
    """
    have = set()
    if len(human.scores) > 1:
        have.add("scores")
    if human.comparisons is not None and len(human.comparisons):
        have.add("comparisons")
    if human.ratings is not None and not np.isnan(human.ratings).all():
        have.add("ratings")
        if human.points is not None and are_assessments(human.points):
            have.add("assessments")
    allowed = [each.name for each in COEFFICIENTS.values() if each.needs in have]
    if human.clusters is None:
        return allowed
    return [name for name in allowed if name.endswith((":none", ":sys"))]


# ------------------------------------------------------------------------- systems


def _system(
    name: str, both: Evaluation, metric: Measured, over: str, threads: int | None
) -> Figure:
    human = both.human_scores
    judged = ~np.isnan(human)
    known = judged & ~np.isnan(metric.system)
    human, scores = human[known], metric.system[known]
    value = _known(_agreement(name, human[None], scores, threads)[0])
    resampled = both.human.draw_segments if over == "segments" else both.human.draw

    def draw(resamples: int, seed: int) -> Array:
        if over == "systems":
            # Of all systems, so that metrics with gaps see the draws of the others.
            counts = system_counts(len(known), resamples, seed)[:, known]
            return _of_copies(name, human, scores, counts, threads)
        if resampled is None:
            return np.full(resamples, np.nan)
        drawn = resampled(resamples, seed)[:, known]
        # A system that a resample does not have keeps its score.
        drawn = np.where(np.isnan(drawn), human, drawn)
        return _agreement(name, drawn, scores, threads)

    p = _against_zero(name, human, scores)
    return Figure(value, int(known.sum()), int(judged.sum()), draw, p=p)


def _agreement(name: str, human: Array, metric: Array, threads: int | None) -> Array:
    """Return a coefficient for every row of human scores of systems."""
    if human.shape[1] < 2:
        return np.full(len(human), np.nan)
    if name == "accuracy":
        accuracy: Array = _same_order(human, metric).mean(axis=1)
        return accuracy
    rows = np.broadcast_to(metric, human.shape)
    return group_values(human, rows, _NAMES[name], group="item", threads=threads)


def _same_order(human: Array, metric: Array) -> NDArray[np.bool_]:
    """Return which pairs of systems human and metric scores order alike."""
    first, second = np.triu_indices(len(metric), 1)
    by_metric = np.sign(metric[first] - metric[second])
    same: NDArray[np.bool_] = (
        np.sign(human[..., first] - human[..., second]) == by_metric
    )
    return same


def _of_copies(
    name: str, human: Array, metric: Array, counts: Array, threads: int | None
) -> Array:
    """Return a coefficient of systems that are there so often, one per row."""
    if name == "accuracy":
        # Copies of a system are in no order: they make no pair.
        return _weighted(_same_order(human, metric).astype(np.float64), counts)
    copies = counts.astype(np.int64)
    width = int(copies.sum(axis=1).max(initial=0))
    if width < 2:
        return np.full(len(counts), np.nan)
    rows = np.full((2, len(counts), width), np.nan)
    for t, count in enumerate(copies):
        places = np.repeat(np.arange(len(human)), count)
        rows[0, t, : len(places)], rows[1, t, : len(places)] = (
            human[places],
            metric[places],
        )
    gold, scores = rows
    return group_values(
        gold, np.nan_to_num(scores), _NAMES[name], group="item", threads=threads
    )


def _weighted(values: Array, counts: Array) -> Array:
    """Return means over pairs of different systems that are there so often."""
    first, second = np.triu_indices(counts.shape[1], 1)
    weights = counts[:, first] * counts[:, second]
    total = weights.sum(axis=1)
    out: Array = np.full(len(counts), np.nan)
    np.divide(weights @ values, total, out=out, where=total > 0)
    return out


def _soft(
    both: Evaluation, metric: Measured, seed: int, threads: int | None
) -> Figure | None:
    """Soft pairwise accuracy, on segments with ratings of every system."""
    ratings = both.human.ratings
    if ratings is None or metric.segment is None:
        return None
    judged = ~np.isnan(ratings).any(axis=0)
    whole = judged & ~np.isnan(metric.segment).any(axis=0)
    n, of = int(whole.sum()), int(judged.sum())
    if not n or len(ratings) < 2:
        return Figure(None, n, of)
    by_human, by_metric = (
        pairwise_p_values(table[:, whole], seed=seed, threads=threads)
        for table in (ratings, metric.segment)
    )
    apart = np.abs(by_human - by_metric)

    def draw(resamples: int, seed: int) -> Array:
        return 1.0 - _weighted(apart, system_counts(len(ratings), resamples, seed))

    return Figure(1.0 - float(apart.mean()), n, of, draw)


def _against_zero(name: str, human: Array, metric: Array) -> float | None:
    kind = {"tau-b": "kendall", "tau-c": "kendall"}.get(name, name)
    if kind not in ("pearson", "spearman", "kendall"):
        return None
    return correlation_p_value(kind, human, metric)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


# --------------------------------------------------------------- segments, compared


def _compared(
    preset: str, both: Evaluation, scores: Array, over: str, threads: int | None
) -> Figure | None:
    comparisons = compared(preset, both, scores)
    if comparisons is None:
        return None
    known = ~np.isnan(comparisons.differences)
    signs, differences = comparisons.signs[known], comparisons.differences[known]
    cells = cells_from(signs, differences)
    matrix = tie_matrix(preset)
    systems, segments = scores.shape

    def draw(resamples: int, seed: int) -> Array:
        if over == "judgements":
            return draw_taus(cells, matrix, resamples=resamples, seed=seed)
        numbers = cell_numbers(signs, differences)
        if over == "segments":
            rows = _counts(comparisons.segment[known], numbers, segments)
            return taus(draw_rows(rows, over, threads)(resamples, seed), matrix)
        pair = (
            comparisons.first[known].astype(np.int64) * systems
            + comparisons.second[known]
        )
        counts = system_counts(systems, resamples, seed)
        weights = (counts[:, :, None] * counts[:, None]).reshape(resamples, -1)
        return taus(weights @ _counts(pair, numbers, systems**2), matrix)

    return Figure(tau(cells, matrix), int(known.sum()), len(known), draw)


def _counts(unit: Places, cell: NDArray[np.int64], units: int) -> Array:
    """Return how many comparisons of every unit are in each of the nine cells."""
    place = unit.astype(np.int64) * 9 + cell
    counts: Array = np.bincount(place, minlength=9 * units).astype(np.float64)
    return counts.reshape(units, 9)


# ------------------------------------------------------------------ segments, rated


def _rated(
    name: str,
    group: str,
    human: Array,
    metric: Array,
    over: str,
    threads: int | None,
    clusters: NDArray[np.int64] | None,
) -> Figure:
    of = int((~np.isnan(human)).sum())
    known = ~np.isnan(human) & ~np.isnan(metric)
    human = np.where(known, human, np.nan)
    metric = np.where(known, metric, np.nan)
    n = int(known.sum())
    if n == 0:
        return Figure(None, 0, of)
    epsilon = 0.0
    if name == "acc-eq":
        # The epsilon of all segments serves the resamples too.
        epsilon, _, groups = _core.calibrate_ties(
            np.ascontiguousarray(human.T), np.ascontiguousarray(metric.T)
        )
        if groups == 0:
            return Figure(None, n, of)
    kind = _NAMES[name]
    values = group_values(
        human.T, metric.T, kind, group=group, epsilon=epsilon, threads=threads
    )
    value = _mean(values)
    # Groups have a coefficient each, and their mean another distribution.
    p = _against_zero(name, human[known], metric[known]) if group == "none" else None
    units = {"item": "segments", "sys": "systems"}
    if units.get(group) == over:
        return Figure(value, n, of, draw_means(values, over, threads))
    if name == "pearson" and group != "item":
        draw = draw_pearson(human, metric, group, over, threads, clusters)
        return Figure(value, n, of, draw, p=p)
    draw = draw_ranked(
        human, metric, kind, group=group, over=over, epsilon=epsilon, threads=threads
    )
    return Figure(value, n, of, draw, slow=group != "item", p=p)


def _differences(human: Array, metric: Array, over: str, threads: int | None) -> Figure:
    known = ~np.isnan(human) & ~np.isnan(metric)
    n, of = int(known.sum()), int((~np.isnan(human)).sum())
    rows = segment_sums(human, metric)

    def draw(resamples: int, seed: int) -> Array:
        if over != "systems":
            return pdp(draw_rows(rows, over, threads)(resamples, seed))
        # Copies of a system do not differ: their pairs add nothing.
        counts = system_counts(len(human), resamples, seed)
        weights = (counts[:, :, None] * counts[:, None]).reshape(resamples, -1)
        return pdp(weights @ pair_sums(human, metric).reshape(-1, 3))

    return Figure(_known(float(pdp(rows.sum(axis=0)))), n, of, draw)


def _mean(values: Array) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None
