# SPDX-License-Identifier: Apache-2.0
"""The hypotheses of all lists as arrays, and what weights choose among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tertium import _core
from tertium.errors import InputError
from tertium.tuning.lists import NBestList, feature_names, references_of, statistics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.metrics import Metric

__all__ = ["Objective", "Pool", "model_scores", "pool_of"]

# Model scores that differ by less, as a share of the largest, are equal.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Pool:
    """Features and statistics of all hypotheses, list after list.

    Parameters
    ----------
    names : tuple of str
        Names of the features.
    first : ndarray of int64, shape (lists + 1,)
        List ``i`` has the rows from ``first[i]`` to ``first[i + 1]``.
    features : ndarray of shape (hypotheses, len(names))
    statistics : ndarray of shape (hypotheses, metric.width)
    scores : ndarray of shape (hypotheses,), optional
        Total scores of the model that made the lists.
    lengths : ndarray of shape (hypotheses,), optional
        In words.
    reference_length : float, optional
        Words of all references, the mean of those of a segment.
    """

    names: tuple[str, ...]
    first: NDArray[np.int64]
    features: NDArray[np.float64]
    statistics: NDArray[np.float64]
    scores: NDArray[np.float64] | None = None
    lengths: NDArray[np.float64] | None = None
    reference_length: float | None = None

    @property
    def lists(self) -> int:
        """The number of lists."""
        return len(self.first) - 1

    @cached_property
    def list_numbers(self) -> NDArray[np.int64]:
        """The number of the list of every hypothesis."""
        return np.repeat(np.arange(self.lists), np.diff(self.first))

    @cached_property
    def centred(self) -> NDArray[np.float64]:
        """Features minus their mean in the list: all that choices depend on."""
        return self.minus_means(self.features)

    @cached_property
    def spread(self) -> NDArray[np.float64]:
        """The standard deviation of every feature within lists."""
        spread: NDArray[np.float64] = np.sqrt(np.mean(self.centred**2, axis=0))
        return spread

    @cached_property
    def used(self) -> NDArray[np.bool_]:
        """Which features differ within some list."""
        low = np.minimum.reduceat(self.features, self.first[:-1], axis=0)
        high = np.maximum.reduceat(self.features, self.first[:-1], axis=0)
        used: NDArray[np.bool_] = np.any(low != high, axis=0)
        return used

    def minus_means(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values of hypotheses minus the mean of their list."""
        sizes = np.diff(self.first).astype(np.float64)
        sums = np.add.reduceat(values, self.first[:-1], axis=0)
        means = sums / sizes.reshape(-1, *[1] * (values.ndim - 1))
        centred: NDArray[np.float64] = values - means[self.list_numbers]
        return centred

    def winners(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the row of the highest value per list.

        Of values that are equal up to rounding the first wins, so that choices do not
        depend on how the sums were made.
        """
        highest = np.maximum.reduceat(values, self.first[:-1])
        equal = highest - _ROUNDING * float(np.abs(highest).max())
        rows = np.flatnonzero(values >= equal[self.list_numbers])
        _, where = np.unique(self.list_numbers[rows], return_index=True)
        return rows[where]

    def choose(self, weights: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the row that weights choose in every list."""
        return self.winners(model_scores(self.features, weights))

    def length_ratio(self, rows: NDArray[np.int64]) -> float | None:
        """Return words of chosen rows per word of the references, if both are known."""
        if self.lengths is None or not self.reference_length:
            return None
        return float(self.lengths[rows].sum() / self.reference_length)


def model_scores(
    features: NDArray[np.float64],
    weights: NDArray[np.float64],
    *,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Return features times weights, equal on every machine; BLAS is not."""
    scores: NDArray[np.float64] = _core.model_scores(features, weights, threads or 0)[0]
    return scores


def pool_of(
    lists: Sequence[NBestList], metric: Metric, *, threads: int | None = None
) -> Pool:
    """Return n-best lists as arrays.

    Parameters
    ----------
    lists : sequence of NBestList
        With references and the same features, all of them finite numbers.
    metric : Metric
        Fitted to the references, if it needs that.
    threads : int, optional

    Raises
    ------
    InputError
        When lists have different features, no features, no references, or NaN.
    """
    names = feature_names(lists)
    if not names:
        raise InputError("the lists have no features, so nothing can be tuned")
    for each in lists:
        bad = np.argwhere(~np.isfinite(each.features))
        if len(bad):
            row, column = map(int, bad[0])
            message = (
                f"the list {each.id} has no finite number as the feature "
                f"{names[column]} of hypothesis {row + 1}; correct or remove it"
            )
            raise InputError(message)
    references = references_of(lists)
    scored = [each.scores for each in lists if each.scores is not None]
    lengths = [len(text.split()) for each in lists for text in each.texts]
    return Pool(
        names=names,
        first=np.cumsum([0, *map(len, lists)], dtype=np.int64),
        features=np.concatenate([each.features for each in lists]).astype(np.float64),
        statistics=np.concatenate(statistics(lists, metric, threads=threads)),
        scores=np.concatenate(scored) if len(scored) == len(lists) else None,
        lengths=np.array(lengths, dtype=np.float64),
        reference_length=sum(
            sum(len(text.split()) for text in refs) / len(refs) for refs in references
        ),
    )


@dataclass(frozen=True, eq=False)
class Objective:
    """What is to be raised: the score of the hypotheses that weights choose.

    Parameters
    ----------
    pool : Pool
    metric : Metric
        Whose statistics the pool has. Errors are negated.
    threads : int, optional
    """

    pool: Pool
    metric: Metric
    threads: int | None = None

    @property
    def unit(self) -> float:
        """The score that stands for 100 %, or 1 where there is none."""
        size = self.metric.unit
        return size if np.isfinite(size) else 1.0

    def values(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return scores of rows of statistics, higher ones better."""
        scores = np.asarray(self.metric.from_statistics(rows), dtype=np.float64)
        signed = scores if self.metric.higher_is_better else -scores
        return np.where(np.isnan(signed), -np.inf, signed)

    def total(self, chosen: NDArray[np.int64]) -> list[float]:
        """Return the exact sum of the statistics of chosen rows."""
        sums = _core.Sums(self.pool.statistics.shape[1])
        sums.add(np.ascontiguousarray(self.pool.statistics[chosen]))
        return sums.values()

    def score(self, weights: NDArray[np.float64]) -> float:
        """Return the metric's score of the hypotheses that weights choose."""
        return float(self.metric.from_statistics(self.total(self.pool.choose(weights))))
