# SPDX-License-Identifier: Apache-2.0
"""The work of minimum Bayes risk, list by list, and how it travels.

Lists that were read from plain files are sent as places: files, and where in them the
lists are.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from tertium._executor import elsewhere
from tertium.data.line_places import TextChunk
from tertium.tuning.mbr.results import MbrList, Pick
from tertium.tuning.placed import list_chunk

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.tuning.mbr.utilities import Utility

__all__ = ["Chunk", "SentChunk", "Task", "in_chunks", "received"]

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
        #: The hypotheses as they came, and the references if they are others.
        self.texts = [hyps] if refs is None else [hyps, refs]
        self.distinct = list(dict.fromkeys(self.hyps))
        others = self.distinct if refs is None else set(refs)
        #: The pairs of distinct texts.
        self.pairs = len(self.distinct) * len(others)

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


class Chunk(NamedTuple):
    """Consecutive lists, and how many come before them."""

    first: int
    tasks: Sequence[Task]


#: Of a task, beside its texts: the id, whether its hypotheses are its references, and
#: their weights, of which one is enough if all are equal.
_Head: TypeAlias = "tuple[str, bool, NDArray[np.float64] | float]"

#: A chunk on its way.
SentChunk: TypeAlias = TextChunk[Sequence[str], tuple[int, list[_Head]]]


def _sent(chunk: Chunk) -> SentChunk:
    """Return a chunk as it travels: texts that lie in files as places."""
    texts: list[Sequence[str]] = []
    heads: list[_Head] = []
    for task in chunk.tasks:
        texts += task.texts
        weights = task.weights
        first = float(weights[0])
        equal = bool((weights == first).all())
        heads.append((task.id, len(task.texts) == 1, first if equal else weights))
    return list_chunk(texts, (chunk.first, heads))


def received(sent: SentChunk) -> Chunk:
    """Return the chunk that was sent, with its texts."""
    first, heads = sent.rest
    texts = iter(sent.read())
    tasks = []
    for name, alone, weights in heads:
        hyps = next(texts)
        refs = None if alone else next(texts)
        if isinstance(weights, float):
            weights = np.full(len(hyps if refs is None else refs), weights)
        tasks.append(Task(name, hyps, refs, weights))
    return Chunk(first, tasks)


def in_chunks(tasks: Iterable[Task]) -> Iterator[Chunk | SentChunk]:
    """Yield tasks in parts that grow as long as they take little time.

    The core is called rarely for fast metrics, and slow ones show progress. Elsewhere
    chunks are sent before others are done, so their sizes are fixed.
    """
    pending = iter(tasks)
    start, size = 0, _CHUNK
    fixed = elsewhere()
    while chunk := list(islice(pending, size)):
        began = time.monotonic()
        part = Chunk(start, chunk)
        yield _sent(part) if fixed else part
        start += len(chunk)
        if fixed:
            continue
        size = 2 * size if time.monotonic() - began < _SECONDS else max(1, size // 2)
