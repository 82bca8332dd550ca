# SPDX-License-Identifier: Apache-2.0
"""What each coefficient says of a metric, and how sure that is.

Most coefficients are functions of sums over segments or judgements, so resampling is
one draw of sums (see :mod:`tertium.stats.resample`): segment by segment, and the same
segments for every metric, so that differences between metrics can be resampled too.
Rank correlations of all outputs at once, or of those of a system, are not such
functions; they count weighted pairs anew in every resample (see
:func:`tertium.meta.bootstrap.draw_groups`), which takes longer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium import _core
from tertium.meta.bootstrap import draw_groups
from tertium.meta.coefficients import COEFFICIENTS, Coefficient
from tertium.meta.evaluation import Evaluation, Measured
from tertium.meta.grouped import group_values
from tertium.meta.human import Human
from tertium.meta.matrix import ScoreMatrix
from tertium.meta.system_level import soft_pairwise_accuracy
from tertium.meta.ties import (
    cells_from,
    draw_taus,
    signs_from_ratings,
    tau,
    tie_matrix,
)
from tertium.stats.resample import draw_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Figure", "compared", "figure", "possible"]

Array: TypeAlias = "NDArray[np.float64]"
Draw: TypeAlias = "Callable[[int, int], Array]"

_NAMES = {  # of group_values()
    "kendall": "kendall_b",
    "tau-b": "kendall_b",
    "tau-c": "kendall_c",
    "tau-23": "kendall_23",
    "acc-23": "acc23",
    "pearson": "pearson",
    "spearman": "spearman",
}
_FAR = 25.0  # points of direct assessment that make one output surely better
_SCALE = 0.0, 100.0  # of direct assessment, which those points belong to


@dataclass(frozen=True)
class Figure:
    """A coefficient of one metric.

    Parameters
    ----------
    value : float or None
    n : int
        How many comparisons, segments or systems it rests on.
    draw : callable, optional
        ``draw(resamples, seed)``: the values of resampled judgements or segments,
        NaN where one is not defined.
    slow : bool
        Whether drawing takes long, because every resample counts pairs anew.
    """

    value: float | None
    n: int
    draw: Draw | None = None
    slow: bool = False


def figure(
    coefficient: Coefficient,
    both: Evaluation,
    metric: Measured,
    *,
    seed: int = 12345,
    threads: int | None = None,
) -> Figure | None:
    """Return what a coefficient says of a metric; None if it does not apply.

    Parameters
    ----------
    coefficient : Coefficient
    both : Evaluation
    metric : Measured
        One of ``both.metrics``.
    seed : int
        Of figures that rest on p-values themselves.
    threads : int, optional
    """
    human = both.human
    if coefficient.level == "system":
        return _system(coefficient.name, both, metric, seed, threads)
    if metric.segment is None:
        return None
    if coefficient.preset is not None:
        return _compared(coefficient.preset, both, metric.segment)
    if human.ratings is None:
        return None
    name, _, group = coefficient.name.partition(":")
    return _rated(name, group, human.ratings, metric.segment, threads)


def possible(human: Human) -> list[str]:
    """Return the names of the coefficients that the judgements allow.

    Whether a metric has a score for every output, or any at all for segments, is
    another matter.
    """
    have = set()
    if len(human.scores) > 1:
        have.add("scores")
    if human.comparisons is not None and len(human.comparisons):
        have.add("comparisons")
    if human.ratings is not None and not np.isnan(human.ratings).all():
        have.add("ratings")
        if _are_assessments(human.ratings):
            have.add("assessments")
    return [each.name for each in COEFFICIENTS.values() if each.needs in have]


# ------------------------------------------------------------------------- systems


def _system(
    name: str, both: Evaluation, metric: Measured, seed: int, threads: int | None
) -> Figure | None:
    human = both.human_scores
    known = ~np.isnan(human) & ~np.isnan(metric.system)
    n = int(known.sum())
    scores = metric.system[known]
    if name == "soft-accuracy":
        return _soft(both, metric, n, seed, threads)
    value = _known(_agreement(name, human[None, known], scores, threads)[0])
    resampled = both.human.draw
    if resampled is None:
        return Figure(value, n)

    def draw(resamples: int, seed: int) -> Array:
        drawn = resampled(resamples, seed)[:, known]
        # A system that a resample does not have keeps its score.
        drawn = np.where(np.isnan(drawn), human[known], drawn)
        return _agreement(name, drawn, scores, threads)

    return Figure(value, n, draw)


def _soft(
    both: Evaluation, metric: Measured, n: int, seed: int, threads: int | None
) -> Figure | None:
    ratings = both.human.ratings
    if ratings is None or metric.segment is None:
        return None
    names = both.human.systems, both.human.segments
    whole = ~(np.isnan(ratings) | np.isnan(metric.segment)).any(axis=0)
    if not whole.any():
        return Figure(None, n)
    found = soft_pairwise_accuracy(
        ScoreMatrix(*names, ratings),
        {metric.name: ScoreMatrix(*names, metric.segment)},
        missing="drop",
        seed=seed,
        threads=threads,
    )
    return Figure(found[metric.name], n)


def _agreement(name: str, human: Array, metric: Array, threads: int | None) -> Array:
    """Return a coefficient for every row of human scores of systems."""
    if human.shape[1] < 2:
        return np.full(len(human), np.nan)
    if name == "accuracy":
        first, second = np.triu_indices(human.shape[1], 1)
        same = np.sign(human[:, first] - human[:, second]) == np.sign(
            metric[first] - metric[second]
        )
        accuracy: Array = same.mean(axis=1)
        return accuracy
    rows = np.broadcast_to(metric, human.shape)
    return group_values(human, rows, _NAMES[name], group="item", threads=threads)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


# --------------------------------------------------------------- segments, compared


def _compared(preset: str, both: Evaluation, scores: Array) -> Figure | None:
    found = compared(preset, both, scores)
    if found is None:
        return None
    signs, differences = found
    known = ~np.isnan(differences)
    cells = cells_from(signs[known], differences[known])
    matrix = tie_matrix(preset)

    def draw(resamples: int, seed: int) -> Array:
        return draw_taus(cells, matrix, resamples=resamples, seed=seed)

    return Figure(tau(cells, matrix), int(known.sum()), draw)


def compared(
    preset: str, both: Evaluation, scores: Array
) -> tuple[Array, Array] | None:
    """Return what people say of every comparison, and by how much a metric differs.

    Parameters
    ----------
    preset : str
        ``darr`` takes comparisons from ratings on a scale from 0 to 100, others from
        rankings.
    both : Evaluation
    scores : matrix
        Of a metric.
    """
    if preset == "darr":
        ratings = both.human.ratings
        if ratings is None or not _are_assessments(ratings):
            return None
        return _far_apart(ratings, scores)
    found = both.human.comparisons
    if found is None:
        return None
    return found.outcome.astype(np.float64), (
        scores[found.first, found.segment] - scores[found.second, found.segment]
    )


def _are_assessments(ratings: Array) -> bool:
    """Whether ratings look like direct assessments, not like MQM, stars or z-scores."""
    known = ratings[~np.isnan(ratings)]
    low, high = _SCALE
    return bool(len(known) and low <= known.min() and _FAR < known.max() <= high)


def _far_apart(ratings: Array, scores: Array) -> tuple[Array, Array]:
    """Return who is better, and by how much for the metric, of distant pairs."""
    first, second = np.triu_indices(len(ratings), 1)
    signs = signs_from_ratings(ratings[first], ratings[second], threshold=_FAR)
    chosen = signs != 0
    return signs[chosen], (scores[first] - scores[second])[chosen]


# ------------------------------------------------------------------ segments, rated


def _rated(
    name: str, group: str, human: Array, metric: Array, threads: int | None
) -> Figure:
    known = ~np.isnan(human) & ~np.isnan(metric)
    human = np.where(known, human, np.nan)
    metric = np.where(known, metric, np.nan)
    n = int(known.sum())
    if n == 0:
        return Figure(None, 0)
    if name == "acc-eq":
        return _calibrated(human, metric, n, threads)
    values = group_values(human.T, metric.T, _NAMES[name], group=group, threads=threads)
    if group == "item":
        return Figure(_mean(values), n, _mean_draw(values, threads))
    if name == "pearson":
        draw = _pearson_draw(human, metric, group, threads)
        return Figure(_mean(values), n, draw)
    draw = _ranked_draw(human, metric, _NAMES[name], group, threads)
    return Figure(_mean(values), n, draw, slow=True)


def _calibrated(human: Array, metric: Array, n: int, threads: int | None) -> Figure:
    epsilon, _, groups = _core.calibrate_ties(
        np.ascontiguousarray(human.T), np.ascontiguousarray(metric.T)
    )
    if groups == 0:
        return Figure(None, n)
    values = group_values(
        human.T, metric.T, "acc23", group="item", epsilon=epsilon, threads=threads
    )
    # The epsilon of all segments serves the resamples too.
    return Figure(_mean(values), n, _mean_draw(values, threads))


def _mean(values: Array) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _mean_draw(values: Array, threads: int | None) -> Draw:
    known = ~np.isnan(values)
    rows = np.stack([np.where(known, values, 0.0), known], axis=1)

    def draw(resamples: int, seed: int) -> Array:
        sums = draw_sums("bootstrap", rows, resamples, seed=seed, threads=threads)
        return _ratio(sums[:, 0], sums[:, 1])

    return draw


def _pearson_draw(human: Array, metric: Array, group: str, threads: int | None) -> Draw:
    """Pearson's r from six sums, of every segment, or every segment and system."""
    known = ~np.isnan(human)
    # Sums lose digits where the mean is far from zero; r does not mind the shift.
    x = np.where(known, human - np.nanmean(human), 0.0)
    y = np.where(known, metric - np.nanmean(metric), 0.0)
    parts = np.stack([known.astype(float), x, y, x * x, y * y, x * y])
    if group == "none":
        parts = parts.sum(axis=1, keepdims=True)
    groups = parts.shape[1]
    rows = np.ascontiguousarray(parts.reshape(6 * groups, -1).T)

    def draw(resamples: int, seed: int) -> Array:
        sums = draw_sums("bootstrap", rows, resamples, seed=seed, threads=threads)
        count, sx, sy, sxx, syy, sxy = sums.reshape(-1, 6, groups).swapaxes(0, 1)
        with np.errstate(invalid="ignore", divide="ignore"):
            spread = (count * sxx - sx * sx) * (count * syy - sy * sy)
            found = (count * sxy - sx * sy) / np.sqrt(spread)
        found = np.where(spread > 1e-12, found, np.nan)
        defined = ~np.isnan(found)
        return _ratio(np.where(defined, found, 0.0).sum(axis=1), defined.sum(axis=1))

    return draw


def _ranked_draw(
    human: Array, metric: Array, coefficient: str, group: str, threads: int | None
) -> Draw:
    gold = np.ascontiguousarray(human.T)
    # What people have not rated does not count, but must be a number.
    scores = np.where(np.isnan(gold), 0.0, metric.T)

    def draw(resamples: int, seed: int) -> Array:
        return draw_groups(
            gold,
            scores,
            coefficient,
            group=group,
            resamples=resamples,
            seed=seed,
            threads=threads,
        )

    return draw


def _ratio(above: Array, below: NDArray[np.float64] | NDArray[np.int64]) -> Array:
    """Return quotients, NaN where there is nothing to divide by."""
    out = np.full(len(above), np.nan)
    np.divide(above, below, out=out, where=below > 0)
    return out
