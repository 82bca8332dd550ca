# SPDX-License-Identifier: Apache-2.0
"""The statistics of a chunk, wherever they are computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tertium.data.batch import Batch
from tertium.metrics.limits import SegmentTooLongError

if TYPE_CHECKING:
    from tertium import _core
    from tertium.data.testset import Testset
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
    """

    def __init__(
        self, metrics: Mapping[str, Metric], *, threads: int | None = None
    ) -> None:
        self.metrics = dict(metrics)
        self.threads = threads

    def batch(self, start: int, chunk: Testset) -> Batch:
        """Return the texts as a batch that every metric can score."""
        batch = Batch(chunk.systems.values(), chunk.references)
        try:
            for metric in self.metrics.values():
                metric.check(batch)
        except SegmentTooLongError as error:
            raise error.placed(list(chunk.systems), start) from None
        return batch


class ChunkSums(_ChunkWork):
    """The sum of the rows of every system, by metric."""

    def __call__(self, place: tuple[int, Testset]) -> dict[str, list[_core.Sums]]:
        """Return the sums of a chunk, given with the number of segments before it."""
        batch = self.batch(*place)
        return {
            spec: metric.sums(batch, threads=self.threads)
            for spec, metric in self.metrics.items()
        }


class ChunkRows(_ChunkWork):
    """The rows of every system, by metric."""

    def __call__(self, place: tuple[int, Testset]) -> dict[str, list[Rows]]:
        """Return the rows of a chunk, given with the number of segments before it."""
        batch = self.batch(*place)
        return {
            spec: metric.rows(batch, threads=self.threads)
            for spec, metric in self.metrics.items()
        }
