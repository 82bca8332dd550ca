# SPDX-License-Identifier: Apache-2.0
"""Figures with their intervals, and how both are computed.

A figure without a value is None and says why. Intervals are percentiles of a
bootstrap over *clusters*, which are segments by default:
judgements of one segment are not independent, so they are sampled together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import MethodType
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._executor import elsewhere, spread
from tertium.errors import InputError, MissingExtraError
from tertium.stats.resample import Bootstrap, interval

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    Floats: TypeAlias = NDArray[np.float64]
    Codes: TypeAlias = NDArray[np.int64]

__all__ = [
    "Estimate",
    "as_weights",
    "codes",
    "dot",
    "need_scipy",
    "percentiles",
    "ratios",
    "sample_weights",
    "sampled_parts",
    "sums_of_resamples",
]

_PART = 20_000_000  # weights that are in memory at once
_SENT = 50  # resamples that go elsewhere together
_MOST_UNDEFINED = 0.5  # of the resamples; more, and an interval would mislead


@dataclass(frozen=True)
class Estimate:
    """A figure, or the reason why there is none.

    Parameters
    ----------
    value : float, optional
    interval : tuple of float, optional
        Percentile interval of a bootstrap, where one was asked for.
    reason : str, optional
        Why there is no value, or no interval although one was asked for.
    """

    value: float | None
    interval: tuple[float, float] | None = None
    reason: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Return what JSON shows."""
        return {
            "value": self.value,
            "interval": None if self.interval is None else list(self.interval),
            "reason": self.reason,
        }


def need_scipy(what: str) -> None:
    """Raise an error that names the extra if SciPy is missing."""
    try:
        import scipy  # noqa: F401
    except ImportError:
        raise MissingExtraError(what, extra="meta") from None


def codes(*columns: NDArray[np.generic]) -> Codes:
    """Return one number for every different row of some columns, from 0."""
    numbers: Codes | None = None
    for column in columns:
        places = _renumber(column)
        several = int(places.max(initial=0)) + 1
        if numbers is not None and several == 1:
            continue  # a constant column adds nothing
        if numbers is not None and numbers.any():
            places = _renumber(numbers * several + places)
        numbers = places
    if numbers is None:
        message = "there are no columns to number; give at least one"
        raise InputError(message)
    return numbers


def _renumber(column: NDArray[np.generic]) -> Codes:
    """Return the place of each value among all different ones, sorted."""
    if column.dtype.kind == "i" and len(column):
        low = int(column.min())
        span = int(column.max()) - low + 1
        if span <= 4 * len(column):  # counting is faster than sorting
            there = np.bincount(column - low, minlength=span) > 0
            place: Codes = (np.cumsum(there) - 1)[column - low]
            return place
    places: Codes = np.unique(column, return_inverse=True)[1].reshape(-1)
    return places.astype(np.int64)


def sample_weights(clusters: int, bootstrap: Bootstrap) -> Iterator[Floats]:
    """Yield how often each cluster is sampled, a block of resamples at a time."""
    rng = np.random.default_rng(bootstrap.seed)
    part = max(1, _PART // max(1, clusters))
    for first in range(0, bootstrap.resamples, part):
        rows = min(part, bootstrap.resamples - first)
        sampled = rng.integers(0, clusters, size=(rows, clusters))
        sampled += np.arange(rows)[:, None] * clusters
        counts = np.bincount(sampled.ravel(), minlength=rows * clusters)
        yield counts.reshape(rows, clusters).astype(np.float64)


def sampled_parts(
    clusters: int, bootstrap: Bootstrap, size: int
) -> Iterator[NDArray[np.generic]]:
    """Yield the same in parts of so many resamples where parts are done elsewhere.

    Numbers are then as short as they can be; :func:`as_weights` undoes that.
    """
    for block in sample_weights(clusters, bootstrap):
        if not elsewhere():
            yield block
            continue
        short = block.astype(np.min_scalar_type(int(block.max())))
        for first in range(0, len(short), size):
            yield short[first : first + size]


def as_weights(part: NDArray[np.generic]) -> Floats:
    """Return a part of :func:`sampled_parts` as weights."""
    return part.astype(np.float64, copy=False)


def dot(first: Floats, second: Floats) -> float:
    """Return the sum of products; that of NumPy depends on its threads."""
    return float((first * second).sum())


def sums_of_resamples(rows: csr_matrix, bootstrap: Bootstrap) -> Floats:
    """Return the summed rows of every resample of the clusters.

    Parameters
    ----------
    rows : sparse matrix of shape (clusters, statistics)
    """
    turned = rows.T.tocsr()
    parts = [(turned @ w.T).T for w in sample_weights(rows.shape[0], bootstrap)]
    return np.concatenate([np.empty((0, rows.shape[1])), *parts])


def ratios(part: Floats, whole: Floats) -> Floats:
    """Return the ratio of sums in every resample; NaN where there is none."""
    values = np.full(len(part), np.nan)
    np.divide(part, whole, out=values, where=whole > 0)
    return values


def percentiles(values: Floats, bootstrap: Bootstrap) -> tuple[float, float] | None:
    """Return the interval of resampled values; those without a value are left out.

    None where most resamples have no value.
    """
    defined = values[np.isfinite(values)]
    if len(defined) <= _MOST_UNDEFINED * len(values):
        return None
    return interval(defined, confidence=bootstrap.confidence)


def resampled(
    statistic: Callable[[Floats], float | None], clusters: int, bootstrap: Bootstrap
) -> tuple[float, float] | None:
    """Return the interval of a statistic of weights, one call per resample.

    A statistic that is a method is computed wherever chunks are done; its last bits
    must then not depend on threads.
    """
    if clusters < 2:
        return None
    work = partial(_statistics, statistic)
    parts = sampled_parts(clusters, bootstrap, _SENT)
    results = (spread if isinstance(statistic, MethodType) else map)(work, parts)
    return percentiles(np.concatenate(list(results)), bootstrap)


def _statistics(
    statistic: Callable[[Floats], float | None], part: NDArray[np.generic]
) -> Floats:
    values = map(statistic, as_weights(part))
    return np.array([np.nan if value is None else value for value in values])
