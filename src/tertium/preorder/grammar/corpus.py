# SPDX-License-Identifier: Apache-2.0
"""What a grammar learns from: the forests of a corpus and their terminals.

A sentence is left out if it is too long, if fewer than two of its units are aligned, or
if its order needs an operator with too many children (Stanojević 2017, section 3.4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium import _core
from tertium.preorder.forests import branching_of, max_arity_of
from tertium.preorder.grammar.operators import Operator, operators_of
from tertium.preorder.grammar.terminals import UNKNOWN, Lexicon, suffix_classes
from tertium.preorder.units import check_attachment, corpus_units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.align.links import Link

__all__ = ["ForestCorpus", "Omitted", "UnitCorpus", "learn_terminals"]

_WHOLE = np.uint32


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

    Parameters
    ----------
    first : ndarray
        Sentence i has the units ``first[i]`` to ``first[i + 1]``.
    texts : list of str
        Each unit, with spaces between its words.
    rank : ndarray
        As in :class:`tertium.preorder.units.Units`.
    omitted : Omitted
        Sentences that are too short or too long.
    """

    first: NDArray[np.uint32]
    texts: list[str]
    rank: NDArray[np.uint32]
    omitted: Omitted

    @classmethod
    def of(
        cls,
        sentences: Sequence[Sequence[str]],
        links: Sequence[Iterable[Link | Sequence[float]]],
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
        units = corpus_units(list(map(len, sentences)), links)
        firsts, starts, ends = (
            column.tolist() for column in (units.first, units.start, units.end)
        )
        fits = [2 <= len(words) <= max_words for words in sentences]
        texts: list[str] = []
        counts = []
        kept = np.zeros(len(units.rank), bool)
        for i, words in enumerate(sentences):
            if not fits[i]:
                continue
            a, b = firsts[i], firsts[i + 1]
            kept[a:b] = True
            counts.append(b - a)
            texts.extend(
                words[starts[u]]
                if ends[u] - starts[u] == 1
                else " ".join(words[starts[u] : ends[u]])
                for u in range(a, b)
            )
        first = np.concatenate([[0], np.cumsum(counts)]).astype(_WHOLE)
        omitted = Omitted(length=len(fits) - sum(fits))
        return cls(first, texts, units.rank[kept], omitted)

    def __len__(self) -> int:
        return len(self.first) - 1

    def parts(self, every: int) -> tuple[UnitCorpus, UnitCorpus]:
        """Return the corpus without every n-th sentence, and these sentences."""
        chosen = np.arange(len(self)) % every == every - 1
        return self._where(~chosen), self._where(chosen)

    def _where(self, chosen: NDArray[np.bool_]) -> UnitCorpus:
        sizes = self.first[1:].astype(np.int64) - self.first[:-1]
        units = np.repeat(chosen, sizes)
        first = np.concatenate([[0], np.cumsum(sizes[chosen])]).astype(_WHOLE)
        texts = [self.texts[unit] for unit in np.flatnonzero(units).tolist()]
        return UnitCorpus(first, texts, self.rank[units], self.omitted)


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
    counts = Counter(corpus.texts)
    rare = {
        text: count
        for text, count in counts.items()
        if " " not in text and count <= unknown
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
        As in :meth:`tertium.preorder.units.Units.order`.
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
        check_attachment(attach, height)
        self.operators: tuple[Operator, ...] = operators_of(max_arity_of(variant))
        self.forests = _core.ForestCorpus(
            [operator.ranks for operator in self.operators],
            [operator.emitter for operator in self.operators],
            branching,
            attach,
            height,
        )
        faults = self.forests.add(
            corpus.first, lexicon.numbers(corpus.texts), corpus.rank, threads
        )
        _, units, arity = np.bincount(faults, minlength=3).tolist()
        self.omitted = Omitted(corpus.omitted.length, units, arity)
