# SPDX-License-Identifier: Apache-2.0
"""Aligned pairs of texts with several pairs of trees each.

Texts are aligned once. Then every round gives each text one of its trees, and kernels
score all pairs: parse i of the output with parse j of the reference, or the trees
projected from parse j of reference r.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from tertium import _core
from tertium.align.links import from_matches
from tertium.data.batch import Batch
from tertium.trees.parses import Parse, Parses
from tertium.trees.projection import make_projective, project
from tertium.trees.tree import DependencyTree

if TYPE_CHECKING:
    import numpy as np

    from tertium.align.aligner import Aligner
    from tertium.metrics.base import Rows

__all__ = ["STRUCTURES", "ParseBatch", "parsed_batch", "projected_batch"]

#: Where trees of outputs come from: the text itself; the tree of the reference; the
#: same without crossing arcs, on both sides.
STRUCTURES = ("parsed", "projected", "projective")

_Trees: TypeAlias = "list[DependencyTree]"
_Weigh: TypeAlias = "Callable[[int, int, int], float]"
_Words: TypeAlias = "Sequence[Sequence[str]]"


@dataclass(frozen=True)
class _Round:
    """Trees of all texts, and the weight of each pair: 0 where it does not count."""

    trees: _Trees
    weights: list[list[float]]  # systems x references of all segments


class ParseBatch:
    """Pairs with the rounds of their trees.

    Parameters
    ----------
    pairs : Pairs
        The aligned texts.
    rounds : list
        At least one.
    """

    def __init__(self, pairs: _core.Pairs, rounds: list[_Round]) -> None:
        self.pairs = pairs
        self._rounds = rounds
        self._labels: dict[str, int] = {}
        # Metrics of one run share the batch, and trees of a round are set for one.
        self._lock = Lock()
        self.set_trees(0)

    def __len__(self) -> int:
        """Return the number of rounds."""
        return len(self._rounds)

    def set_trees(self, number: int) -> _core.Pairs:
        """Return the pairs with the trees of a round."""
        numbers = self._labels
        trees = [
            (
                list(tree.heads),
                [numbers.setdefault(name, len(numbers)) for name in tree.deprels],
            )
            for tree in self._rounds[number].trees
        ]
        self.pairs.set_trees(trees, list(numbers))
        return self.pairs

    def trees(self, number: int) -> _Trees:
        """Return the trees of a round: of all references, then of all outputs."""
        return self._rounds[number].trees

    def rows(
        self, kernel: _core.PairKernel, *, threads: int | None
    ) -> list[tuple[Rows, np.ndarray]]:
        """Return rows and weights of every system.

        Returns
        -------
        list of (array, array)
            Rows by round, reference and column, and weights by round and reference.
        """
        import numpy as np

        rows: list[list[Rows]] = []
        with self._lock:
            for number in range(len(self._rounds)):
                self.set_trees(number)
                rows.append(kernel.reference_rows(self.pairs, threads or 0))
        weights = np.array([one.weights for one in self._rounds], dtype=float)
        return [
            (np.stack([systems[s] for systems in rows]), weights[:, s])
            for s in range(self.pairs.systems)
        ]


def parsed_batch(
    batch: Batch, parses: Sequence[Parses], aligner: Aligner, *, threads: int | None
) -> ParseBatch:
    """Return texts with all pairs of their parses.

    Parameters
    ----------
    batch : Batch
    parses : sequence of Parses
        Of all references, then of all outputs.
    aligner : Aligner
    threads : int or None
    """
    words = [trees[0].tree.forms for trees in parses]
    pairs = _aligned(batch, words, aligner, threads)
    refs = sum(map(len, batch.nested))
    most = max(map(len, parses[refs:]), default=1)
    ref_most = max(map(len, parses[:refs]), default=1)
    rounds = []
    for i, j in product(range(most), range(ref_most)):

        def weigh(s: int, segment: int, ref: int, i: int = i, j: int = j) -> float:
            hyp = parses[refs + s * len(batch) + segment]
            return _probability(hyp, i) * _probability(parses[ref], j)

        trees = [_parse(one, j).tree for one in parses[:refs]]
        trees += [_parse(one, i).tree for one in parses[refs:]]
        rounds.append(_Round(trees, _weights(batch, weigh)))
    return ParseBatch(pairs, rounds)


def projected_batch(
    batch: Batch,
    parses: Sequence[Parses],
    words: _Words,
    aligner: Aligner,
    *,
    projective: bool,
    threads: int | None,
) -> ParseBatch:
    """Return texts whose outputs have trees projected from each reference.

    Parameters
    ----------
    batch : Batch
    parses : sequence of Parses
        Of all references.
    words : sequence of sequences of str
        Of all outputs.
    aligner : Aligner
    projective : bool
        Whether to remove crossing arcs, on both sides.
    threads : int or None
    """
    ref_words = [one[0].tree.forms for one in parses]
    pairs = _aligned(batch, [*ref_words, *words], aligner, threads)
    most = max(map(len, batch.nested), default=1)
    ref_most = max(map(len, parses), default=1)
    shape = make_projective if projective else _same
    firsts = list(_firsts(batch))
    rounds = []
    for slot, j in product(range(most), range(ref_most)):

        def weigh(
            _: int, segment: int, ref: int, slot: int = slot, j: int = j
        ) -> float:
            is_slot = ref == firsts[segment] + slot
            return _probability(parses[ref], j) if is_slot else 0.0

        outputs = []
        for s, hyps in enumerate(batch.systems):
            for segment, refs in enumerate(batch.nested):
                ref = min(slot, len(refs) - 1)
                links = from_matches(pairs.matches(s, segment, ref))
                tree = _parse(parses[firsts[segment] + ref], j).tree
                text = words[s * len(hyps) + segment]
                outputs.append(shape(project(tree, text, links)))
        trees = [shape(_parse(one, j).tree) for one in parses]
        rounds.append(_Round(trees + outputs, _weights(batch, weigh)))
    return ParseBatch(pairs, rounds)


def _aligned(
    batch: Batch, words: _Words, aligner: Aligner, threads: int | None
) -> _core.Pairs:
    texts = iter(words)
    ref_words = [[next(texts) for _ in refs] for refs in batch.nested]
    hyp_words = [[next(texts) for _ in hyps] for hyps in batch.systems]
    return aligner.token_pairs(
        hyp_words, ref_words, systems=batch.systems, threads=threads
    )


def _weights(batch: Batch, weigh: _Weigh) -> list[list[float]]:
    """Return the weights of all pairs, by system and reference."""
    return [
        [
            weigh(s, segment, first + ref)
            for segment, first in enumerate(_firsts(batch))
            for ref in range(len(batch.nested[segment]))
        ]
        for s in range(len(batch.systems))
    ]


def _firsts(batch: Batch) -> Iterator[int]:
    """Yield the number of each segment's first reference, among all references."""
    first = 0
    for refs in batch.nested:
        yield first
        first += len(refs)


def _parse(parses: Parses, number: int) -> Parse:
    return parses[min(number, len(parses) - 1)]


def _probability(parses: Parses, number: int) -> float:
    return parses[number].probability if number < len(parses) else 0.0


def _same(tree: DependencyTree) -> DependencyTree:
    return tree
