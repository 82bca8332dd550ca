# SPDX-License-Identifier: Apache-2.0
"""What each coefficient says of a metric, and how sure that is.

Most coefficients are functions of sums over segments or judgements, so resampling is
one draw of sums (see :mod:`tertium.stats.resample`): segment by segment, and the same
segments for every metric, so that differences between metrics can be resampled too.
Rank correlations of all outputs at once are not such functions; they have no interval.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium import _core
from tertium.meta.coefficients import Coefficient
from tertium.meta.evaluation import Evaluation, Measured
from tertium.stats.resample import draw_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Figure", "figure"]

Array: TypeAlias = "NDArray[np.float64]"
Draw: TypeAlias = "Callable[[int, int], Array]"

_KINDS = {
    "kendall": "b",
    "tau-b": "b",
    "tau-c": "c",
    "tau-23": "23",
    "acc-23": "acc23",
    "pearson": "pearson",
    "spearman": "spearman",
}
_FAR = 25.0  # points of direct assessment that make one output surely better


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
    """

    value: float | None
    n: int
    draw: Draw | None = None


def figure(
    coefficient: Coefficient,
    both: Evaluation,
    metric: Measured,
    *,
    threads: int | None = None,
) -> Figure | None:
    """Return what a coefficient says of a metric; None if it does not apply.

    Parameters
    ----------
    coefficient : Coefficient
    both : Evaluation
    metric : Measured
        One of ``both.metrics``.
    threads : int, optional
    """
    human = both.human
    if coefficient.level == "system":
        return _system(coefficient.name, both, metric, threads)
    if metric.segment is None:
        return None
    if coefficient.needs == "ratings":
        if human.ratings is None:
            return None
        name, _, group = coefficient.name.partition(":")
        return _rated(name, group, human.ratings, metric.segment, threads)
    return _compared(coefficient.name.removeprefix("tau-"), both, metric.segment)


# ------------------------------------------------------------------------- systems


def _system(
    name: str, both: Evaluation, metric: Measured, threads: int | None
) -> Figure | None:
    human = both.human_scores
    known = ~np.isnan(human) & ~np.isnan(metric.system)
    n = int(known.sum())
    scores = metric.system[known]
    if name == "soft-accuracy":
        if both.human.ratings is None or metric.segment is None:
            return None
        from tertium.meta.system_level import soft_pairwise_accuracy

        return Figure(
            soft_pairwise_accuracy(both.human.ratings[known], metric.segment[known]), n
        )
    values = _agreement(name, human[None, known], scores, threads)

    def draw(resamples: int, seed: int) -> Array:
        assert both.human.draw is not None  # noqa: S101
        drawn = both.human.draw(resamples, seed)[:, known]
        # A system that a resample does not have keeps its score.
        drawn = np.where(np.isnan(drawn), human[known], drawn)
        return _agreement(name, drawn, scores, threads)

    return Figure(_known(values[0]), n, draw if both.human.draw else None)


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
    rows = np.ascontiguousarray(np.broadcast_to(metric, human.shape))
    human = np.ascontiguousarray(human)
    return _core.correlate_rows(_KINDS[name], human, rows, 0.0, threads or 0)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


# --------------------------------------------------------------- segments, compared


def _compared(preset: str, both: Evaluation, scores: Array) -> Figure | None:
    from tertium.meta.ties import cells_from, draw_taus, tau, tie_matrix

    if preset == "darr":
        if both.human.ratings is None:
            return None
        signs, differences = _far_apart(both.human.ratings, scores)
    else:
        comparisons = both.human.comparisons
        if comparisons is None:
            return None
        signs = comparisons.outcome
        differences = (
            scores[comparisons.first, comparisons.segment]
            - scores[comparisons.second, comparisons.segment]
        )
    known = ~np.isnan(differences)
    cells = cells_from(signs[known], differences[known])
    matrix = tie_matrix(preset)

    def draw(resamples: int, seed: int) -> Array:
        return draw_taus(cells, matrix, resamples=resamples, seed=seed)

    return Figure(tau(cells, matrix), int(known.sum()), draw)


def _far_apart(ratings: Array, scores: Array) -> tuple[NDArray[np.int8], Array]:
    """Return who is better, and by how much for the metric, of distant pairs."""
    first, second = np.triu_indices(len(ratings), 1)
    apart = ratings[first] - ratings[second]
    chosen = np.abs(np.nan_to_num(apart)) >= _FAR
    by_metric = scores[first] - scores[second]
    return np.sign(apart[chosen]).astype(np.int8), by_metric[chosen]


# ------------------------------------------------------------------ segments, rated


def _rated(
    name: str, group: str, human: Array, metric: Array, threads: int | None
) -> Figure:
    known = ~np.isnan(human) & ~np.isnan(metric)
    human = np.where(known, human, np.nan)
    metric = np.where(known, metric, np.nan)
    n = int(known.sum())
    if name == "acc-eq":
        return _calibrated(human, metric, n, threads)
    kind = _KINDS[name]
    if group == "none":
        value = _known(_core.correlation(kind, human[known], metric[known], 0.0))
        return Figure(value, n, _pearson_draw(human, metric, "none", kind, threads))
    rows = (human.T, metric.T) if group == "item" else (human, metric)
    values = _core.correlate_rows(
        kind, *(np.ascontiguousarray(each) for each in rows), 0.0, threads or 0
    )
    if group == "item":
        return Figure(_mean(values), n, _mean_draw(values, threads))
    return Figure(_mean(values), n, _pearson_draw(human, metric, "sys", kind, threads))


def _calibrated(human: Array, metric: Array, n: int, threads: int | None) -> Figure:
    by_item = np.ascontiguousarray(human.T), np.ascontiguousarray(metric.T)
    epsilon, _, groups = _core.calibrate_ties(*by_item)
    if groups == 0:
        return Figure(None, n)
    values = _core.correlate_rows("acc23", *by_item, epsilon, threads or 0)
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
        return np.divide(
            sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0
        )

    return draw


def _pearson_draw(
    human: Array, metric: Array, group: str, kind: str, threads: int | None
) -> Draw | None:
    """Pearson's r from six sums, of every segment, or every segment and system."""
    if kind != "pearson":
        return None
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
        return np.divide(
            np.where(defined, found, 0.0).sum(axis=1),
            defined.sum(axis=1),
            out=np.full(len(found), np.nan),
            where=defined.any(axis=1),
        )

    return draw
