# SPDX-License-Identifier: Apache-2.0
"""Whether a corpus has the pairs of words that a grammar makes.

What an author thinks can be said should be looked up where people said it. Every pair
of neighbours in the sentences of a construction is counted in a text; pairs that
nobody wrote are where to look first. No sentence is listed for this: the pairs are
those of arcs that follow each other.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tertium.automata.automaton import Automaton
from tertium.grammars.tokens import bare_references, bare_tokens
from tertium.grammars.words import fold

__all__ = ["Attested", "Pair", "attest", "count_pairs", "word_pairs"]


@dataclass(frozen=True)
class Pair:
    """Two neighbours, and a sentence that has them.

    Parameters
    ----------
    words : tuple of two str
        In the grammar's case.
    count : int
        How often the corpus has them.
    example : tuple of str
        A sentence of the grammar.
    """

    words: tuple[str, str]
    count: int
    example: tuple[str, ...]


@dataclass(frozen=True)
class Attested:
    """The pairs of a construction, those that the corpus has least first."""

    construction: str
    pairs: tuple[Pair, ...]

    @property
    def found(self) -> int:
        """How many pairs the corpus has."""
        return sum(pair.count > 0 for pair in self.pairs)


def word_pairs(sentences: Automaton) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the pairs of neighbours in a set, each with a sentence. Linear in pairs.

    Examples
    --------
    >>> pairs = word_pairs(Automaton.from_sentences(["a red ball", "a ball"]))
    >>> sorted(pairs)
    [('a', 'ball'), ('a', 'red'), ('red', 'ball')]
    >>> pairs["a", "red"]
    ('a', 'red', 'ball')
    """
    own = bare_references(sentences)
    begins: dict[int, tuple[str, ...]] = {0: ()}
    for state, arcs in enumerate(own.arcs):
        for symbol, to in arcs:
            begins.setdefault(to, (*begins[state], own.symbols[symbol]))
    ends: dict[int, tuple[str, ...]] = {}
    for state in reversed(range(len(own))):
        if own.finals[state]:
            ends[state] = ()
        else:
            symbol, to = own.arcs[state][0]
            ends[state] = (own.symbols[symbol], *ends[to])
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for state, arcs in enumerate(own.arcs):
        for first, between in arcs:
            for second, after in own.arcs[between]:
                pair = own.symbols[first], own.symbols[second]
                found.setdefault(pair, (*begins[state], *pair, *ends[after]))
    return found


def count_pairs(lines: Iterable[str]) -> Counter[tuple[str, str]]:
    """Return how often words follow each other in a text, whatever their case."""
    counts: Counter[tuple[str, str]] = Counter()
    for line in lines:
        words = [fold(word) for word in bare_tokens(line)]
        counts.update(itertools.pairwise(words))
    return counts


def attest(
    constructions: Iterable[tuple[str, Automaton]],
    counts: Counter[tuple[str, str]],
) -> list[Attested]:
    """Return how much of every construction a corpus has, the least first.

    Parameters
    ----------
    constructions : iterable of (str, Automaton)
        Names and sentences; those of one name count together.
    counts : Counter
        Of :func:`count_pairs`.
    """
    pairs: dict[str, dict[tuple[str, str], tuple[str, ...]]] = {}
    for name, sentences in constructions:
        own = pairs.setdefault(name, {})
        for pair, example in word_pairs(sentences).items() if sentences else ():
            own.setdefault(pair, example)
    found = [
        Attested(
            name,
            tuple(
                sorted(
                    (
                        Pair(words, counts[fold(words[0]), fold(words[1])], example)
                        for words, example in own.items()
                    ),
                    key=lambda pair: (pair.count, pair.words),
                )
            ),
        )
        for name, own in pairs.items()
    ]
    return sorted(
        found, key=lambda one: one.found / len(one.pairs) if one.pairs else 1.0
    )
