# SPDX-License-Identifier: Apache-2.0
"""What a grammar learns from: the forests of a corpus and their terminals.

A sentence is left out if it is too long, if fewer than two of its units are aligned, or
if its order needs an operator with too many children (Stanojević 2017, section 3.4).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tertium import _core
from tertium.preorder.forests import FOREST_HEIGHTS, branching_of, max_arity_of
from tertium.preorder.grammar.alternatives import Alternatives, unit_alternatives
from tertium.preorder.grammar.operators import Operator, operators_of
from tertium.preorder.grammar.terminals import UNKNOWN, Lexicon, suffix_classes
from tertium.preorder.units import check_attachment

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.align.links import Link

__all__ = ["ForestCorpus", "Omitted", "UnitCorpus", "learn_terminals"]

_WHOLE = np.uint32
#: Sums of weights are not exact.
_TINY = 1e-6


@dataclass(frozen=True)
class Omitted:
    """How many sentences a grammar does not learn from.

    Parameters
    ----------
    length : int
        With fewer than two words, or too many.
    units : int
        With fewer than two aligned units.
    arity : int
        Whose order needs an operator with too many children.
    """

    length: int = 0
    units: int = 0
    arity: int = 0


@dataclass(frozen=True, eq=False)
class UnitCorpus:
    """The units of a corpus, as texts.

    A sentence whose links have alternatives has an entry for each of them.

    Parameters
    ----------
    first : ndarray
        Entry i has the units ``first[i]`` to ``first[i + 1]``.
    texts : list of str
        Each unit, with spaces between its words.
    rank : ndarray
        As in :class:`tertium.preorder.units.Units`.
    sentence : ndarray
        The number of each entry's sentence.
    weight : ndarray
        The probability of each entry; those of a sentence sum to 1.
    omitted : Omitted
        Sentences that are too short or too long.
    """

    first: NDArray[np.uint32]
    texts: list[str]
    rank: NDArray[np.uint32]
    sentence: NDArray[np.uint32]
    weight: NDArray[np.float64]
    omitted: Omitted

    @classmethod
    def of(
        cls,
        sentences: Sequence[Sequence[str]],
        links: Sequence[Iterable[Link | Sequence[float]] | Alternatives],
        *,
        max_words: int,
    ) -> UnitCorpus:
        """Return the units of aligned sentences with 2 to `max_words` words.

        Raises
        ------
        InputError
            If there are not as many alignments as sentences, or a link lies outside
            its sentence.
        """
        units, sentence, weight = unit_alternatives(list(map(len, sentences)), links)
        sizes = np.fromiter(map(len, sentences), np.int64, len(sentences))
        fits = (sizes >= 2) & (sizes <= max_words)
        firsts, starts, ends = (
            column.tolist() for column in (units.first, units.start, units.end)
        )
        texts: list[str] = []
        for entry, number in enumerate(sentence.tolist()):
            if not fits[number]:
                continue
            words = sentences[number]
            texts.extend(
                words[starts[u]]
                if ends[u] - starts[u] == 1
                else " ".join(words[starts[u] : ends[u]])
                for u in range(firsts[entry], firsts[entry + 1])
            )
        kept = fits[sentence]
        counts = units.first[1:].astype(np.int64) - units.first[:-1]
        first = np.concatenate([[0], np.cumsum(counts[kept])]).astype(_WHOLE)
        # Sentences that remain are numbered again.
        numbers = (np.cumsum(fits) - 1)[sentence[kept]].astype(_WHOLE)
        omitted = Omitted(length=int((~fits).sum()))
        rank = units.rank[np.repeat(kept, counts)]
        return cls(first, texts, rank, numbers, weight[kept], omitted)

    def __len__(self) -> int:
        return int(self.sentence[-1]) + 1 if len(self.sentence) else 0

    @cached_property
    def unit_weight(self) -> NDArray[np.float64]:
        """The weight of each unit's entry."""
        return np.repeat(self.weight, self.first[1:].astype(np.int64) - self.first[:-1])

    def parts(self, every: int) -> tuple[UnitCorpus, UnitCorpus]:
        """Return the corpus without every n-th sentence, and these sentences."""
        chosen = self.sentence % every == every - 1
        return self._where(~chosen), self._where(chosen)

    def _where(self, chosen: NDArray[np.bool_]) -> UnitCorpus:
        sizes = self.first[1:].astype(np.int64) - self.first[:-1]
        units = np.repeat(chosen, sizes)
        first = np.concatenate([[0], np.cumsum(sizes[chosen])]).astype(_WHOLE)
        texts = [self.texts[unit] for unit in np.flatnonzero(units).tolist()]
        _, numbers = np.unique(self.sentence[chosen], return_inverse=True)
        return UnitCorpus(
            first,
            texts,
            self.rank[units],
            numbers.astype(_WHOLE),
            self.weight[chosen],
            self.omitted,
        )


def learn_terminals(
    corpus: UnitCorpus, *, unknown: int, suffixes: int
) -> tuple[str, ...]:
    """Return the terminals of a corpus.

    Parameters
    ----------
    corpus : UnitCorpus
    unknown : int
        Words that occur at most so often count as unknown. Multiword units do not.
    suffixes : int
        Unknown words with a suffix that so many of them have are a class by themselves;
        0 for no such classes.
    """
    counts: defaultdict[str, float] = defaultdict(float)
    for text, weight in zip(corpus.texts, corpus.unit_weight.tolist(), strict=True):
        counts[text] += weight
    rare = {
        text: count
        for text, count in counts.items()
        if " " not in text and count <= unknown + _TINY
    }
    classes = suffix_classes(rare, at_least=suffixes) if suffixes else []
    return (UNKNOWN, *classes, *sorted(counts.keys() - rare.keys()))


class ForestCorpus:
    """The forests of a corpus in the core.

    Parameters
    ----------
    corpus : UnitCorpus
    lexicon : Lexicon
        Multiword units that it lacks are unknown words.
    variant : {"pet", "itg", "left", "right"}
    attach, height : str
        As in :meth:`tertium.preorder.forests.Forest.of_units`.
    threads : int

    Attributes
    ----------
    forests : _core.ForestCorpus
    omitted : Omitted
    operators : tuple of Operator
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
    ) -> None:
        branching = branching_of(variant)
        check_attachment(attach, height, heights=FOREST_HEIGHTS)
        self.operators: tuple[Operator, ...] = operators_of(max_arity_of(variant))
        self.forests = _core.ForestCorpus(
            [operator.ranks for operator in self.operators],
            [operator.emitter for operator in self.operators],
            branching,
            attach,
            height,
        )
        faults = self.forests.add(
            corpus.first,
            lexicon.numbers(corpus.texts),
            corpus.rank,
            corpus.sentence,
            corpus.weight,
            threads,
        )
        # A sentence is left out if none of its alternatives has a forest.
        fault = np.full(len(corpus), 3)
        np.minimum.at(fault, corpus.sentence, faults)
        _, units, arity = np.bincount(fault, minlength=3).tolist()
        self.omitted = Omitted(corpus.omitted.length, units, arity)
