# SPDX-License-Identifier: Apache-2.0
"""The statistics of a chunk, wherever they are computed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from tertium.data.batch import Batch
from tertium.metrics.limits import SegmentTooLongError

if TYPE_CHECKING:
    from tertium import _core
    from tertium.cache.store import Cache
    from tertium.data.testset import Testset
    from tertium.engine.cached import MetricKeys
    from tertium.metrics import Metric
    from tertium.metrics.base import Rows

__all__ = ["ChunkRows", "ChunkSums"]


class _ChunkWork:
    """Something that all metrics do with a chunk; an executor may pickle it.

    Parameters
    ----------
    metrics : mapping of str to Metric
        By the spec that the user wrote; fitted, where they need it.
    threads : int, optional
    cache : Cache, optional
        Where rows are looked for and kept, also in other processes.
    """

    def __init__(
        self,
        metrics: Mapping[str, Metric],
        *,
        threads: int | None = None,
        cache: Cache | None = None,
    ) -> None:
        self.metrics = dict(metrics)
        self.threads = threads
        self.cache = cache

    def batch(self, start: int, chunk: Testset) -> Batch:
        """Return the texts as a batch that every metric can score."""
        batch = Batch(chunk.systems.values(), chunk.references)
        try:
            for metric in self.metrics.values():
                metric.check(batch)
        except SegmentTooLongError as error:
            raise error.placed(list(chunk.systems), start) from None
        return batch

    @cached_property
    def _keys(self) -> MetricKeys:
        from tertium.engine.cached import MetricKeys

        return MetricKeys(self.metrics)

    def __getstate__(self) -> dict[str, object]:
        # Each machine has its own code and resources, and so its own keys.
        return {name: x for name, x in vars(self).items() if name != "_keys"}

    def cached_rows(self, batch: Batch, cache: Cache) -> dict[str, list[Rows]]:
        """Return the rows of a batch, computed where the cache lacks them."""
        from tertium.engine.cached import CachedChunk

        chunk = CachedChunk(cache, self._keys, batch, self.threads)
        return {spec: chunk.rows(spec, metric) for spec, metric in self.metrics.items()}


class ChunkSums(_ChunkWork):
    """The sum of the rows of every system, by metric."""

    def __call__(self, place: tuple[int, Testset]) -> dict[str, list[_core.Sums]]:
        """Return the sums of a chunk, given with the number of segments before it."""
        batch = self.batch(*place)
        if self.cache is not None:
            return {
                spec: [_sum(rows) for rows in by_system]
                for spec, by_system in self.cached_rows(batch, self.cache).items()
            }
        return {
            spec: metric.sums(batch, threads=self.threads)
            for spec, metric in self.metrics.items()
        }


class ChunkRows(_ChunkWork):
    """The rows of every system, by metric."""

    def __call__(self, place: tuple[int, Testset]) -> dict[str, list[Rows]]:
        """Return the rows of a chunk, given with the number of segments before it."""
        batch = self.batch(*place)
        if self.cache is not None:
            return self.cached_rows(batch, self.cache)
        return {
            spec: metric.rows(batch, threads=self.threads)
            for spec, metric in self.metrics.items()
        }


def _sum(rows: Rows) -> _core.Sums:
    """Return the exact sum of rows, which is that of `Metric.sums`."""
    from tertium import _core

    total = _core.Sums(rows.shape[1])
    total.add(rows)
    return total
