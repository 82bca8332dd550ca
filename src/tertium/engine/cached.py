# SPDX-License-Identifier: Apache-2.0
"""The rows of a chunk, computed only where a cache does not have them.

Each system has its own entries, so a new system leaves those of others as they are.
Results are the same to the last bit with any mix of what is found and what is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from tertium.cache.blocks import BlockRows, blocks
from tertium.cache.keys import NoKeyError, has_layers, segment_digests
from tertium.errors import InputError
from tertium.metrics.resources import metric_key

if TYPE_CHECKING:
    from tertium.cache.store import Cache
    from tertium.data.batch import Batch
    from tertium.metrics import Metric
    from tertium.metrics.base import Rows

__all__ = ["CachedChunk", "MetricKeys"]

_KIND = "rows"

_Digests: TypeAlias = tuple[list[range], list[list[bytes]]]


class MetricKeys:
    """The keys of metrics, made once; those that cannot be cached have none.

    Parameters
    ----------
    metrics : mapping of str to Metric
    """

    def __init__(self, metrics: Mapping[str, Metric]) -> None:
        keys = {spec: metric_key(metric) for spec, metric in metrics.items()}
        self.keys = {spec: key for spec, key in keys.items() if key is not None}


class CachedChunk:
    """A batch, the digests of its segments, and the rows that a cache has.

    Parameters
    ----------
    cache : Cache
    keys : MetricKeys
    batch : Batch
        Every metric has checked it.
    threads : int, optional
    """

    def __init__(
        self, cache: Cache, keys: MetricKeys, batch: Batch, threads: int | None
    ) -> None:
        self._cache, self._keys, self._batch = cache, keys, batch
        self._threads = threads
        self._annotated = has_layers(batch.systems)
        self._parts: dict[tuple[tuple[int, ...], tuple[int, ...]], Batch] = {}
        self._digests: dict[tuple[str, ...], _Digests | None] = {}

    def rows(self, spec: str, metric: Metric) -> list[Rows]:
        """Return the rows of every system, as :meth:`Metric.rows` does."""
        key = self._keys.keys.get(spec)
        known = None if key is None else self._digests_for(metric)
        if key is None or known is None:
            return metric.rows(self._batch, threads=self._threads)
        ranges, digests_by_system = known
        stored = [
            BlockRows(self._cache, _KIND, key, digests, ranges, metric.width)
            for digests in digests_by_system
        ]
        made = self._missing_rows(metric, [one.missing for one in stored])
        return [one.complete(rows) for one, rows in zip(stored, made, strict=True)]

    def _digests_for(self, metric: Metric) -> _Digests | None:
        """Return blocks, and the digests of what rows depend on, by system.

        None if a layer has no key: nothing is kept then.
        """
        read = metric.extra_inputs(self._batch)
        asked = tuple(read)
        if asked not in self._digests:
            batch = self._batch
            segments = list(zip(*read.values(), strict=True)) if read else None
            try:
                shared, digests = segment_digests(
                    batch.systems, batch.nested, context=segments
                )
                # Borders of blocks are those of texts that systems share.
                self._digests[asked] = blocks(shared), digests
            except NoKeyError:
                self._digests[asked] = None
        return self._digests[asked]

    def _missing_rows(
        self, metric: Metric, missing: Sequence[tuple[int, ...]]
    ) -> list[Rows | None]:
        """Return the rows of the segments that each system lacks."""
        everyone = tuple(range(len(missing)))
        groups: dict[tuple[int, ...], list[int]] = {}
        for system, segments in enumerate(missing):
            if segments:
                groups.setdefault(segments, []).append(system)
        if self._annotated and groups:
            # How texts are cut into words may depend on links of other systems.
            union = tuple(sorted(set(chain(*missing))))
            place = {segment: i for i, segment in enumerate(union)}
            rows = self._computed(metric, everyone, union)
            return [
                one[[place[segment] for segment in segments]]
                for one, segments in zip(rows, missing, strict=True)
            ]
        made: list[Rows | None] = [None] * len(missing)
        # Systems that lack the same segments are scored together.
        for segments, systems in groups.items():
            rows = self._computed(metric, tuple(systems), segments)
            for system, one in zip(systems, rows, strict=True):
                made[system] = one
        return made

    def _computed(
        self, metric: Metric, systems: tuple[int, ...], segments: tuple[int, ...]
    ) -> list[Rows]:
        part = self._part(systems, segments)
        try:
            return metric.rows(part, threads=self._threads)
        except InputError:
            if part is not self._batch:
                # Messages count the segments of the whole chunk.
                metric.rows(self._batch, threads=self._threads)
            raise

    def _part(self, systems: tuple[int, ...], segments: tuple[int, ...]) -> Batch:
        """Return a part of the batch; metrics that lack the same share its layers."""
        batch = self._batch
        if len(systems) == len(batch.systems) and len(segments) == len(batch):
            return batch
        if (systems, segments) not in self._parts:
            self._parts[systems, segments] = batch.part(systems, segments)
        return self._parts[systems, segments]
