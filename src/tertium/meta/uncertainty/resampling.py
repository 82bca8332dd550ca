# SPDX-License-Identifier: Apache-2.0
"""What is resampled for the interval of a figure, and how each kind is drawn.

=========== ==================================================================
judgements  rankings, and the comparisons in them, on the same systems and segments
segments    segments, with all their judgements
systems     systems, with all their outputs (BOOT-SYSTEMS; Deutsch et al. 2021)
=========== ==================================================================

All draws of a seed are the same for every metric, so that differences between metrics
can be resampled too. Most coefficients are functions of sums, so that a resample is one
row of a product.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.errors import UnknownNameError
from tertium.meta.agreement.coefficients import Coefficient
from tertium.meta.human import Human
from tertium.meta.uncertainty.bootstrap import draw_groups, draw_systems, system_counts
from tertium.stats.resample import draw_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "RESAMPLED",
    "Draw",
    "draw_means",
    "draw_pearson",
    "draw_ranked",
    "draw_rows",
    "misfit",
    "usual",
]

Array: TypeAlias = "NDArray[np.float64]"
Draw: TypeAlias = "Callable[[int, int], Array]"

#: What can be resampled.
RESAMPLED = ("judgements", "segments", "systems")

_FEW = 3  # systems; of two, every other resample has one of them only


def usual(coefficient: Coefficient, human: Human) -> str:
    """Return what is resampled for a coefficient unless something else is asked for."""
    if coefficient.preset is not None:
        return "judgements"
    if coefficient.level == "segment":
        return "segments"
    resampled = human.ratings is not None and human.draw_segments is not None
    return "segments" if resampled else "judgements"


def misfit(coefficient: Coefficient, human: Human, over: str) -> str | None:
    """Return why something cannot be resampled, and the cure; None if it can be.

    Parameters
    ----------
    coefficient : Coefficient
    human : Human
    over : str
        One of ``RESAMPLED``.
    """
    if over not in RESAMPLED:
        raise UnknownNameError("resampling", over, RESAMPLED)
    if over == "systems":
        if len(human.systems) >= _FEW:
            return None
        return f"{len(human.systems)} systems are too few to be resampled"
    if coefficient.name == "soft-accuracy":
        return "soft-accuracy rests on tests over all segments; resample systems"
    draw = human.draw_segments if over == "segments" else human.draw
    if coefficient.level == "system" and draw is None:
        return "scores of systems from elsewhere; resample systems"
    if human.clusters is not None and not coefficient.name.startswith("pearson"):
        return "ranks of single judgements are not resampled by segment; use systems"
    if over == "judgements" and usual(coefficient, human) == "segments":
        return "ratings are means over judges; resample segments or systems"
    return None


def draw_rows(rows: Array, over: str, threads: int | None) -> Draw:
    """Return a draw of sums of rows, which are those of segments or of systems."""
    rows = np.ascontiguousarray(rows, dtype=np.float64)

    def draw(resamples: int, seed: int) -> Array:
        if over == "systems":
            sums: Array = system_counts(len(rows), resamples, seed) @ rows
            return sums
        return draw_sums("bootstrap", rows, resamples, seed=seed, threads=threads)

    return draw


def draw_means(values: Array, over: str, threads: int | None) -> Draw:
    """Return a draw of means of the values that are defined, one a resampled unit."""
    known = ~np.isnan(values)
    sums = draw_rows(np.stack([np.where(known, values, 0.0), known], 1), over, threads)

    def draw(resamples: int, seed: int) -> Array:
        drawn = sums(resamples, seed)
        return _ratio(drawn[:, 0], drawn[:, 1])

    return draw


def draw_pearson(
    human: Array,
    metric: Array,
    group: str,
    over: str,
    threads: int | None,
    clusters: NDArray[np.int64] | None = None,
) -> Draw:
    """Return a draw of Pearson's r from six sums, of all outputs or of every system.

    Parameters
    ----------
    human, metric : matrix
        Systems x segments; NaN in both where either has none.
    group : {"none", "sys"}
    over : {"segments", "systems"}
        Systems only of all outputs; r of a system does not change with others.
    threads : int, optional
    clusters : array of int, optional
        The segment of every column, where several are about one: they are resampled
        together.
    """
    known = ~np.isnan(human)
    # Sums lose digits where the mean is far from zero; r does not mind the shift.
    x = np.where(known, human - np.nanmean(human), 0.0)
    y = np.where(known, metric - np.nanmean(metric), 0.0)
    parts = np.stack([known.astype(float), x, y, x * x, y * y, x * y])
    if group == "none":
        parts = parts.sum(axis=2 if over == "systems" else 1)[:, None]
    groups = parts.shape[1]
    rows = parts.reshape(6 * groups, -1).T
    if clusters is not None and over == "segments":
        rows = _summed(rows, clusters)
    sums = draw_rows(rows, over, threads)

    def draw(resamples: int, seed: int) -> Array:
        drawn = sums(resamples, seed).reshape(-1, 6, groups).swapaxes(0, 1)
        count, sx, sy, sxx, syy, sxy = drawn
        with np.errstate(invalid="ignore", divide="ignore"):
            spread = (count * sxx - sx * sx) * (count * syy - sy * sy)
            r = (count * sxy - sx * sy) / np.sqrt(spread)
        r = np.where(spread > 1e-12, r, np.nan)
        defined = ~np.isnan(r)
        return _ratio(np.where(defined, r, 0.0).sum(axis=1), defined.sum(axis=1))

    return draw


def draw_ranked(
    human: Array,
    metric: Array,
    coefficient: str,
    *,
    group: str,
    over: str,
    epsilon: float = 0.0,
    threads: int | None,
) -> Draw:
    """Return a draw that counts the pairs of every resample anew, which takes long."""
    gold = np.ascontiguousarray(human.T)
    # What nobody rated does not count, but must be a number.
    scores = np.where(np.isnan(gold), 0.0, metric.T)
    kernel = draw_systems if over == "systems" else draw_groups

    def draw(resamples: int, seed: int) -> Array:
        return kernel(
            gold,
            scores,
            coefficient,
            group=group,
            epsilon=epsilon,
            resamples=resamples,
            seed=seed,
            threads=threads,
        )

    return draw


def _summed(rows: Array, clusters: NDArray[np.int64]) -> Array:
    """Return the sums of the rows of every cluster."""
    places = np.unique(clusters, return_inverse=True)[1].reshape(-1)
    sums = np.zeros((int(places.max(initial=-1)) + 1, rows.shape[1]))
    np.add.at(sums, places, rows)
    return sums


def _ratio(above: Array, below: NDArray[np.float64] | NDArray[np.int64]) -> Array:
    """Return quotients, NaN where there is nothing to divide by."""
    out = np.full(len(above), np.nan)
    np.divide(above, below, out=out, where=below > 0)
    return out
