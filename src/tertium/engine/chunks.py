# SPDX-License-Identifier: Apache-2.0
"""The statistics of a chunk, wherever they are computed.

A chunk is a piece of a test set, or a slice of files that is read where it is scored.
What is to be known of it besides its statistics comes back with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from tertium.data.batch import Batch
from tertium.data.testset import Testset
from tertium.engine.inputs import layer_names
from tertium.errors import InputError
from tertium.metrics.limits import SegmentTooLongError

if TYPE_CHECKING:
    from tertium.cache.store import Cache
    from tertium.data.origins import PlacedSegments
    from tertium.data.partitions import ShardSlice
    from tertium.data.slices import LineSlice
    from tertium.engine.cached import MetricKeys
    from tertium.metrics import Metric
    from tertium.metrics.base import Rows

    Slice: TypeAlias = LineSlice | ShardSlice | PlacedSegments
    Chunk: TypeAlias = Testset | Slice

__all__ = ["ChunkRows", "ChunkSums", "Place", "Scored", "place_of", "texts_of"]


@dataclass(frozen=True, eq=False)
class Place:
    """A chunk, and how many segments come before it."""

    start: int
    chunk: Chunk


class _SlicePlace(Place):
    """A chunk that lies in files; see :class:`tertium._executor.Described`."""

    chunk: Slice

    @property
    def share(self) -> float | None:
        """Which share of all segments ends with the slice, if it is known."""
        return getattr(self.chunk, "share", None)

    @property
    def at_hand(self) -> bool:
        """Whether its texts are in memory."""
        return getattr(self.chunk, "at_hand", False)

    def files(self) -> Sequence[str]:
        """Return the files of the slice."""
        return self.chunk.files()

    def loaded(self) -> Place:
        """Return the chunk with its texts."""
        return Place(self.start, self.chunk.read())


def place_of(chunk: Chunk, start: int) -> Place:
    """Return a chunk with its place among the segments."""
    return (Place if isinstance(chunk, Testset) else _SlicePlace)(start, chunk)


def texts_of(chunk: Chunk) -> Testset:
    """Return the texts of a chunk, which are read if need be."""
    return chunk if isinstance(chunk, Testset) else chunk.read()


@dataclass(frozen=True, eq=False)
class Scored:
    """What is known of a chunk when it was scored.

    Parameters
    ----------
    systems : tuple of str
    segments : int
    references : frozenset of int
        How many references segments have.
    layers : frozenset of str
        With ``langpair:PAIR``; ``langpair:`` if the languages are unknown.
    docs, ids : sequence of str
        Of all segments, if they were asked for.
    lines : bytes
        The references as lines for the hash of the test set, likewise.
    statistics : mapping of str to list
        By metric, those of every system: rows, or sums.
    """

    systems: tuple[str, ...]
    segments: int
    references: frozenset[int]
    layers: frozenset[str]
    docs: Sequence[str]
    ids: Sequence[str]
    statistics: Mapping[str, list[Any]]
    lines: bytes = b""


class _ChunkWork:
    """Something that all metrics do with a chunk; an executor may pickle it.

    Parameters
    ----------
    metrics : mapping of str to Metric
        By the spec that the user wrote; fitted, where they need it.
    threads : int, optional
    docs, ids, lines : bool
        Whether to return those.
    cache : Cache, optional
        Where rows are looked for and kept, also in other processes.
    """

    def __init__(
        self,
        metrics: Mapping[str, Metric],
        *,
        threads: int | None = None,
        docs: bool = False,
        ids: bool = False,
        cache: Cache | None = None,
        lines: bool = False,
    ) -> None:
        self.metrics = dict(metrics)
        self.threads = threads
        self.docs = docs
        self.ids = ids
        self.cache = cache
        self.lines = lines

    def __call__(self, place: Place) -> Scored:
        """Return the statistics of a chunk, and what is to be known of it."""
        testset = texts_of(place.chunk)
        check_chunk(testset, self.metrics.values())
        batch = self.batch(place.start, testset)
        return Scored(
            systems=tuple(testset.systems),
            segments=len(testset),
            references=frozenset(map(len, testset.references)),
            layers=frozenset(
                {*layer_names(testset), f"langpair:{testset.langpair or ''}"}
            ),
            docs=(testset.docs or ()) if self.docs else (),
            ids=(testset.ids or ()) if self.ids else (),
            statistics={
                spec: self.statistics(metric, batch)
                for spec, metric in self.metrics.items()
            }
            if self.cache is None
            else self._cached(batch, self.cache),
            lines=_lines(testset) if self.lines else b"",
        )

    def statistics(self, metric: Metric, batch: Batch) -> list[Any]:
        """Return the statistics of every system under a metric."""
        raise NotImplementedError

    def from_rows(self, rows: Rows) -> Any:
        """Return the same of a system, from its rows in a cache."""
        raise NotImplementedError

    def batch(self, start: int, chunk: Testset) -> Batch:
        """Return the texts as a batch that every metric can score."""
        batch = Batch(
            chunk.systems.values(),
            chunk.references,
            sources=chunk.sources,
            docs=chunk.docs,
            ids=chunk.ids,
            names=list(chunk.systems),
            numbers=range(start, start + len(chunk)),
            langpair=chunk.langpair,
        )
        try:
            for metric in self.metrics.values():
                metric.extra_inputs(batch)
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

    def _cached(self, batch: Batch, cache: Cache) -> dict[str, list[Any]]:
        """Return the statistics by metric, computed where the cache lacks rows."""
        from tertium.engine.cached import CachedChunk

        chunk = CachedChunk(cache, self._keys, batch, self.threads)
        return {
            spec: [self.from_rows(rows) for rows in chunk.rows(spec, metric)]
            for spec, metric in self.metrics.items()
        }


class ChunkSums(_ChunkWork):
    """The sum of the rows of every system, by metric."""

    def statistics(self, metric: Metric, batch: Batch) -> list[Any]:
        """Return the exact sums of every system."""
        return metric.sums(batch, threads=self.threads)

    def from_rows(self, rows: Rows) -> Any:
        """Return the exact sum of rows, which is that of `Metric.sums`."""
        from tertium import _core

        total = _core.Sums(rows.shape[1])
        total.add(rows)
        return total


class ChunkRows(_ChunkWork):
    """The rows of every system, by metric."""

    def statistics(self, metric: Metric, batch: Batch) -> list[Any]:
        """Return the rows of every system."""
        return metric.rows(batch, threads=self.threads)

    def from_rows(self, rows: Rows) -> Any:
        """Return the rows themselves."""
        return rows


def _lines(chunk: Testset) -> bytes:
    from tertium.data.data_hash import reference_lines

    return reference_lines(chunk.references)


def check_chunk(chunk: Testset, metrics: Iterable[Metric]) -> None:
    """Raise an error unless there are systems, and references for metrics."""
    if not chunk.systems:
        others = (
            f"; other columns: {', '.join(chunk.layers)} (name those that are systems "
            "in systems_columns)"
        ) * bool(chunk.layers)
        message = (
            "there is no system to score; give outputs by name, in JSONL and Parquet "
            f'as "tgt": {{"NAME": TEXT}}{others}'
        )
        raise InputError(message)
    if len(chunk) and not any(chunk.references):
        from tertium.metrics.needs import check_references

        check_references(metrics, "score against")
