# SPDX-License-Identifier: Apache-2.0
"""The work of minimum Bayes risk, list by list, and how it travels.

Chunks of lists that were read from plain files are sent as places: the files, and where
in them the lists are (see :class:`tertium._executor.Described`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium._executor import elsewhere
from tertium.data.line_places import PieceReader
from tertium.tuning.mbr.results import MbrList, Pick
from tertium.tuning.placed import ListPlace, place_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.tuning.mbr.utilities import Utility

__all__ = ["Chunk", "Task", "in_chunks"]

# Lists that go to the core together: at first, and as long as they take no longer.
_CHUNK = 8
_SECONDS = 0.2


class Task:
    """One list with its pseudo-references and their weights.

    Parameters
    ----------
    name : str
        The id of the list.
    hyps : sequence of str
    refs : sequence of str, optional
        By default the hypotheses.
    weights : ndarray
        Of the references.
    """

    def __init__(
        self,
        name: str,
        hyps: Sequence[str],
        refs: Sequence[str] | None,
        weights: NDArray[np.float64],
    ) -> None:
        self.id = name
        self.hyps = list(hyps)
        self.refs = self.hyps if refs is None else list(refs)
        self.weights = weights
        self._places = place_of(hyps), place_of(refs or hyps)
        self.distinct = list(dict.fromkeys(self.hyps))
        others = self.distinct if refs is None else set(refs)
        #: The pairs of distinct texts.
        self.pairs = len(self.distinct) * len(others)

    def __reduce__(self) -> tuple[object, ...]:
        refs = None if self.refs is self.hyps else self.refs
        return Task, (self.id, self.hyps, refs, self.weights)

    def place(self) -> _TaskPlace | None:
        """Return where the texts are, if that is known of all."""
        hyps, refs = self._places
        if hyps is None or refs is None:
            return None
        first = float(self.weights[0])
        weights = first if (self.weights == first).all() else self.weights
        return _TaskPlace(
            self.id, hyps, None if self.refs is self.hyps else refs, weights
        )

    def choose(
        self,
        utility: Utility,
        rows: Sequence[int],
        scores: Sequence[NDArray[np.float64]],
        top: int,
    ) -> MbrList:
        """Return the best of the hypotheses `rows`, whose expected scores are known.

        Of equal utilities the first wins, which is the one the decoder prefers.
        """
        utilities = utility.combine(scores)
        ranked = np.argsort(-utility.sign * utilities, kind="stable")
        specs = [part.spec for part, _ in utility.parts]
        picks: dict[str, Pick] = {}
        for place in ranked:
            text = self.hyps[rows[place]]
            if text not in picks:
                by_spec = dict(
                    zip(specs, (float(s[place]) for s in scores), strict=True)
                )
                value = float(utilities[place])
                picks[text] = Pick(int(rows[place]), text, value, by_spec)
            if len(picks) == top:
                break
        best = tuple(picks.values())
        return MbrList(self.id, len(self.hyps), len(self.refs), best)


class _TaskPlace(NamedTuple):
    """Where the texts of a task are, and what else there is to know."""

    id: str
    hyps: ListPlace
    refs: ListPlace | None
    #: One number if all are equal.
    weights: NDArray[np.float64] | float

    def files(self) -> Iterator[str]:
        """Yield the files, some of them more than once."""
        for place in (self.hyps, self.refs):
            if place is not None:
                yield from (piece.path for piece in place.pieces)

    def read(self, reader: PieceReader) -> Task:
        """Return the task with its texts."""
        hyps = self.hyps.read(reader)
        refs = None if self.refs is None else self.refs.read(reader)
        weights = self.weights
        if isinstance(weights, float):
            weights = np.full(len(hyps if refs is None else refs), weights)
        return Task(self.id, hyps, refs, weights)


class Chunk:
    """Consecutive lists, and how many come before them."""

    def __init__(self, first: int, tasks: Sequence[Task]) -> None:
        self.first, self.tasks = first, tasks

    def read(self) -> Sequence[Task]:
        """Return the lists."""
        return self.tasks


class _PlacedChunk(Chunk):
    """Lists that lie in files, and travel without their texts."""

    def __init__(
        self, first: int, tasks: Sequence[Task], places: Sequence[_TaskPlace]
    ) -> None:
        super().__init__(first, tasks)
        self._places = places

    def __reduce__(self) -> tuple[object, ...]:
        return _ChunkPlace, (self.first, self._places)

    def files(self) -> list[str]:
        """Return the files; see :class:`tertium._executor.Described`."""
        return sorted({path for place in self._places for path in place.files()})

    def loaded(self) -> Chunk:
        """Return the chunk with its texts."""
        return Chunk(self.first, self.tasks)


class _ChunkPlace(NamedTuple):
    """What arrives of such a chunk."""

    first: int
    places: Sequence[_TaskPlace]

    def read(self) -> list[Task]:
        """Return the lists, read from their files."""
        with PieceReader() as reader:
            return [place.read(reader) for place in self.places]


def _chunk(first: int, tasks: Sequence[Task]) -> Chunk:
    """Return a chunk that is to be sent: as places, if these are known."""
    places = [place for task in tasks if (place := task.place())]
    if len(places) < len(tasks):
        return Chunk(first, tasks)
    return _PlacedChunk(first, tasks, places)


def in_chunks(tasks: Iterable[Task]) -> Iterator[Chunk]:
    """Yield tasks in parts that grow as long as they take little time.

    The core is called rarely for fast metrics, and slow ones show progress. Elsewhere
    chunks are sent before others are done, so their sizes are fixed.
    """
    pending = iter(tasks)
    start, size = 0, _CHUNK
    fixed = elsewhere()
    while chunk := list(islice(pending, size)):
        began = time.monotonic()
        yield _chunk(start, chunk) if fixed else Chunk(start, chunk)
        start += len(chunk)
        if fixed:
            continue
        size = 2 * size if time.monotonic() - began < _SECONDS else max(1, size // 2)
