# SPDX-License-Identifier: Apache-2.0
"""The forests of a corpus in shards, each of which may be worked on elsewhere.

A shard has a fixed number of sentences, and sums of shards are added in their order, so
that a grammar does not depend on where it was trained. In this process a shard keeps
its forests. Elsewhere they are built from its units, and the last few are kept for the
next iteration.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from tertium import _core
from tertium._executor import spread
from tertium.preorder.forests import FOREST_HEIGHTS, branching_of, max_arity_of
from tertium.preorder.grammar.corpus import Omitted, UnitCorpus
from tertium.preorder.grammar.estimates import Estimate
from tertium.preorder.grammar.operators import Operator, operators_of
from tertium.preorder.units import check_attachment

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.preorder.grammar.model import Grammar
    from tertium.preorder.grammar.terminals import Lexicon

    Vector: TypeAlias = NDArray[np.float64]
    Wholes: TypeAlias = NDArray[np.uint32]
    Counts: TypeAlias = tuple[Vector, Vector, Vector, Vector]
    ChartCounts: TypeAlias = tuple[Vector, Vector, Wholes, Wholes, Vector]

__all__ = ["ForestShards"]

#: Sentences of a shard. Another number changes the last bits of large grammars.
SENTENCES = 16_384

_KEPT = 16  # shards whose forests a worker keeps
_kept: OrderedDict[str, _core.ForestCorpus] = OrderedDict()
_lock = Lock()


class Shard:
    """Some sentences of a corpus, from which their forests can be built anywhere.

    Parameters
    ----------
    arrays : tuple of ndarray
        First units, terminals, ranks, sentences and weights, as
        :meth:`_core.ForestCorpus.add` takes them.
    variant, attach, height : str
        As in :class:`tertium.preorder.grammar.corpus.ForestCorpus`.
    threads : int
    """

    def __init__(
        self,
        arrays: tuple[Wholes, Wholes, Wholes, Wholes, Vector],
        variant: str,
        attach: str,
        height: str,
        threads: int,
    ) -> None:
        self._arrays = arrays
        self._shape = variant, attach, height
        self._threads = threads

    def __getstate__(self) -> tuple[object, ...]:
        return self._arrays, self._shape, self._threads, self.key

    def __setstate__(self, state: tuple[object, ...]) -> None:
        names = ("_arrays", "_shape", "_threads", "sent")
        self.__dict__.update(zip(names, state, strict=True))

    @cached_property
    def key(self) -> str:
        """A hash of all that the forests depend on."""
        digest = hashlib.sha256(repr(self._shape).encode())
        for array in self._arrays:
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    @cached_property
    def built(self) -> tuple[_core.ForestCorpus, NDArray[np.uint8]]:
        """The forests, and the fault of every alternative."""
        variant, attach, height = self._shape
        operators = operators_of(max_arity_of(variant))
        forests = _core.ForestCorpus(
            [operator.ranks for operator in operators],
            [operator.emitter for operator in operators],
            branching_of(variant),
            attach,
            height,
        )
        return forests, forests.add(*self._arrays, self._threads)

    @property
    def forests(self) -> _core.ForestCorpus:
        """The forests in the core."""
        sent: str | None = self.__dict__.get("sent")
        if sent is None:
            return self.built[0]
        with _lock:
            if sent in _kept:
                _kept.move_to_end(sent)
                return _kept[sent]
        forests = self.built[0]
        with _lock:
            _kept[sent] = forests
            while len(_kept) > _KEPT:
                _kept.popitem(last=False)
        return forests


class Size(NamedTuple):
    """How large the forests of a shard are, and the fault of every alternative."""

    sentences: int
    units: int
    faults: NDArray[np.uint8]


@dataclass
class _Sweep:
    """A pass over shards with one grammar, which is built once in every process."""

    model: Estimate | Grammar
    threads: int

    @cached_property
    def kernel(self) -> _core.ReorderingGrammar:
        model = self.model
        return model.kernel() if isinstance(model, Estimate) else model.kernel

    def __getstate__(self) -> dict[str, object]:
        state = dict(self.__dict__)
        state.pop("kernel", None)
        return state


class _Expect(_Sweep):
    def __call__(self, shard: Shard) -> Counts:
        return shard.forests.expect(self.kernel, self.threads)


class _Logs(_Sweep):
    def __call__(self, shard: Shard) -> Vector:
        return shard.forests.log_probabilities(self.kernel, self.threads)


@dataclass
class _Losses(_Sweep):
    states: Wholes
    shares: Vector

    def __call__(self, shard: Shard) -> Vector:
        return shard.forests.merge_losses(
            self.kernel, self.states, self.shares, self.threads
        )


class ForestShards:
    """The forests of a corpus, in shards.

    Parameters
    ----------
    corpus : UnitCorpus
    lexicon : Lexicon
    variant, attach, height : str
        As in :class:`tertium.preorder.grammar.corpus.ForestCorpus`.
    threads : int
        Per shard.
    sentences : int, optional
        Of a shard.

    Attributes
    ----------
    operators : tuple of Operator
    omitted : Omitted
    units : int
        Of all forests.
    """

    def __init__(
        self,
        corpus: UnitCorpus,
        lexicon: Lexicon,
        *,
        variant: str,
        attach: str,
        height: str,
        threads: int,
        sentences: int | None = None,
    ) -> None:
        check_attachment(attach, height, heights=FOREST_HEIGHTS)
        self.operators: tuple[Operator, ...] = operators_of(max_arity_of(variant))
        self._threads = threads
        terminals = lexicon.numbers(corpus.texts)
        self._shards = [
            Shard(arrays, variant, attach, height, threads)
            for arrays in _cut(corpus, terminals, sentences or SENTENCES)
        ]
        sizes = list(spread(_size, self._shards))
        self._length = sum(size.sentences for size in sizes)
        self.units = sum(size.units for size in sizes)
        # A sentence is left out if none of its alternatives has a forest.
        fault = np.full(len(corpus), 3)
        np.minimum.at(
            fault, corpus.sentence, np.concatenate([size.faults for size in sizes])
        )
        _, units, arity = np.bincount(fault, minlength=3).tolist()
        self.omitted = Omitted(corpus.omitted.length, units, arity)

    def __len__(self) -> int:
        """Return the number of sentences that have forests."""
        return self._length

    def chart_counts(self) -> ChartCounts:
        """Return how many charts have each rule: roots, children, emissions."""
        parts = list(spread(_chart_counts, self._shards))
        if len(parts) == 1:
            return parts[0]
        roots, unaries, terminals, children, counts = zip(*parts, strict=True)
        terminal, child = np.concatenate(terminals), np.concatenate(children)
        wide = int(child.max(initial=0)) + 1
        keys, place = np.unique(
            terminal.astype(np.int64) * wide + child, return_inverse=True
        )
        # Counts are added in the order of the shards.
        sums = np.bincount(place.reshape(-1), np.concatenate(counts), len(keys))
        return (
            _added(roots),
            _added(unaries),
            (keys // wide).astype(np.uint32),
            (keys % wide).astype(np.uint32),
            np.asarray(sums, np.float64),
        )

    def expect(self, estimate: Estimate | Grammar) -> Counts:
        """Return log-probabilities, and counts of roots, children and emissions."""
        logs, *counts = zip(
            *spread(_Expect(estimate, self._threads), self._shards), strict=True
        )
        root, unary, value = map(_added, counts)
        return np.concatenate(logs), root, unary, value

    def log_probabilities(self, grammar: Estimate | Grammar) -> Vector:
        """Return the log-probability of every sentence with its order."""
        work = _Logs(grammar, self._threads)
        return np.concatenate(list(spread(work, self._shards)))

    def merge_losses(
        self, estimate: Estimate | Grammar, states: Wholes, shares: Vector
    ) -> Vector:
        """Return what the log-likelihood loses when each pair of states is merged."""
        work = _Losses(estimate, self._threads, states, shares)
        return _added(tuple(spread(work, self._shards)))


def _cut(
    corpus: UnitCorpus, terminals: Wholes, size: int
) -> Iterator[tuple[Wholes, Wholes, Wholes, Wholes, Vector]]:
    """Yield the arrays of every shard; a corpus without sentences has one."""
    for start in range(0, max(1, len(corpus)), size):
        begin, end = np.searchsorted(corpus.sentence, [start, start + size])
        first = corpus.first[begin : end + 1]
        units = slice(int(first[0]), int(first[-1]))
        yield (
            first - first[0],
            terminals[units],
            corpus.rank[units],
            corpus.sentence[begin:end] - np.uint32(start),
            corpus.weight[begin:end],
        )


def _size(shard: Shard) -> Size:
    forests, faults = shard.built
    return Size(len(forests), forests.units, faults)


def _chart_counts(shard: Shard) -> ChartCounts:
    return shard.forests.chart_counts()


def _added(parts: tuple[Vector, ...]) -> Vector:
    """Return the sum of arrays, added in their order."""
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total
