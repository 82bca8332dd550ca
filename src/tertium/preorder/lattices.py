# SPDX-License-Identifier: Apache-2.0
"""Lattices of orders: many orders of one sentence, for a decoder to choose from.

The minimal acyclic acceptor of the orders, with source positions as labels, so that
repeated words stay distinct. Each state then fixes which words have been written, and
the arc that writes x next can carry its share of the expected tau: the probabilities
that x precedes the words that follow (Stanojević 2017, section 3.6). The weights of a
path sum to the expected tau of its order.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from tertium.automata.automaton import Automaton
from tertium.automata.lattices import plf_line
from tertium.automata.openfst import symbol_table, weighted_lines
from tertium.errors import InputError, UnknownNameError
from tertium.preorder.model import check_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LatticeArc", "OrderLattice", "order_lattice"]


class LatticeArc(NamedTuple):
    """The word that an arc writes, its target state, and its weight."""

    position: int
    target: int
    weight: float


@dataclass(frozen=True)
class OrderLattice:
    """Orders of a sentence as a weighted lattice; see :func:`order_lattice`.

    States are numbered from the start, 0, by the number of words written; the last one
    is final.

    Attributes
    ----------
    words : tuple of str
        The source sentence.
    arcs : tuple of tuples of LatticeArc
        The arcs of each state.
    """

    words: tuple[str, ...]
    arcs: tuple[tuple[LatticeArc, ...], ...]

    @property
    def arc_count(self) -> int:
        """The number of arcs."""
        return sum(map(len, self.arcs))

    def paths(self) -> Iterator[tuple[tuple[int, ...], float]]:
        """Yield all orders, sorted, with the sums of their weights."""
        final = len(self.arcs) - 1
        waiting: list[tuple[int, tuple[int, ...], float]] = [(0, (), 0.0)]
        while waiting:
            state, order, total = waiting.pop()
            if state == final:
                yield order, total if len(order) > 1 else 1.0
            for position, target, weight in reversed(self.arcs[state]):
                waiting.append((target, (*order, position), total + weight))

    def closest(self, order: Sequence[int]) -> tuple[tuple[int, ...], float]:
        """Return the path with the highest Kendall tau to an order, and this tau.

        It is the oracle of the lattice. O(arcs · words).

        Examples
        --------
        >>> import numpy as np
        >>> e = np.array([[0, 0.8, 0.6], [0.2, 0, 0.4], [0.4, 0.6, 0]])
        >>> lattice = order_lattice("a b c".split(), [(0, 1, 2), (1, 0, 2)], e)
        >>> lattice.closest((1, 2, 0))
        ((1, 0, 2), 0.6666666666666666)
        """
        n = len(self.words)
        places = {word: t for t, word in enumerate(check_order(order, n))}
        written: list[frozenset[int]] = [frozenset()] * len(self.arcs)
        for state, arcs in enumerate(self.arcs):
            for arc in arcs:
                written[arc.target] = written[state] | {arc.position}
        # The best continuation of every state, from the end.
        best: list[tuple[int, tuple[int, ...]]] = [(0, ())] * len(self.arcs)
        everything = frozenset(range(n))
        for state in reversed(range(len(self.arcs) - 1)):
            ways = []
            for position, target, _ in self.arcs[state]:
                rest = everything - written[target]
                agree = sum(places[position] < places[later] for later in rest)
                gain, tail = best[target]
                ways.append((gain + agree, (position, *tail)))
            best[state] = max(ways, key=lambda way: way[0])
        concordant, path = best[0]
        return path, concordant / (n * (n - 1) / 2) if n > 1 else 1.0

    # ------------------------------------------------------------------ formats

    def to_plf(self) -> str:
        """Return the lattice as a line of Moses's PLF, with words as labels."""
        return plf_line(
            [
                [(self.words[a.position], a.weight, a.target - state) for a in arcs]
                for state, arcs in enumerate(self.arcs[:-1])
            ]
        )

    def to_openfst(self, *, weights: Literal["tau", "risk"] = "tau") -> list[str]:
        """Return the lattice as lines of OpenFst text, from positions to words.

        Parameters
        ----------
        weights : {"tau", "risk"}
            Weights that sum to the expected tau of a path, or to its risk, 1 - tau:
            OpenFst's shortest path is then that of least risk.
        """
        if weights not in ("tau", "risk"):
            raise UnknownNameError("weights", weights, ["tau", "risk"])
        n = len(self.words)
        left = self._words_left()
        share = 1 / (n * (n - 1) / 2) if n > 1 else 0.0
        return weighted_lines(
            (
                (
                    state,
                    arc.target,
                    str(arc.position),
                    self.words[arc.position],
                    arc.weight
                    if weights == "tau"
                    else (left[state] - 1) * share - arc.weight,
                )
                for state, arcs in enumerate(self.arcs)
                for arc in arcs
            ),
            [len(self.arcs) - 1],
        )

    def symbols(self) -> tuple[list[str], list[str]]:
        """Return the symbol tables of :meth:`to_openfst`: positions and words."""
        positions = [str(position) for position in range(len(self.words))]
        return symbol_table(positions), symbol_table(self.words)

    def to_dict(self) -> dict[str, object]:
        """Return plain values: words, the final state, and arcs by state."""
        return {
            "words": list(self.words),
            "final": len(self.arcs) - 1,
            "arcs": [
                [{"position": p, "to": to, "weight": w} for p, to, w in arcs]
                for arcs in self.arcs
            ],
        }

    def to_json(self) -> str:
        """Return :meth:`to_dict` as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def _words_left(self) -> list[int]:
        left = [len(self.words)] * len(self.arcs)
        for state, arcs in enumerate(self.arcs):
            for arc in arcs:
                left[arc.target] = left[state] - 1
        return left


def order_lattice(
    words: Sequence[str],
    orders: Sequence[Sequence[int]],
    expectations: NDArray[np.float64],
) -> OrderLattice:
    """Return the minimal lattice of some orders of a sentence.

    Parameters
    ----------
    words : sequence of str
        The sentence.
    orders : sequence of orders
        At least one; equal ones count once.
    expectations : ndarray
        P(word i before word j).

    Raises
    ------
    InputError
        If there is no order, or one does not fit the sentence.

    Examples
    --------
    >>> import numpy as np
    >>> e = np.array([[0, 0.8, 0.6], [0.2, 0, 0.4], [0.4, 0.6, 0]])
    >>> lattice = order_lattice("a b c".split(), [(0, 1, 2), (0, 2, 1)], e)
    >>> len(lattice.arcs), lattice.arc_count
    (5, 5)
    >>> [(order, round(tau, 4)) for order, tau in lattice.paths()]
    [((0, 1, 2), 0.6), ((0, 2, 1), 0.6667)]
    """
    n = len(words)
    if not orders:
        raise InputError("a lattice needs at least one order; give some")
    if expectations.shape != (n, n):
        raise InputError(
            f"the expectations have the shape {expectations.shape}, the sentence "
            f"{n} words; give one row and one column per word"
        )
    # Positions of equal width sort like numbers.
    width = len(str(n))
    automaton = Automaton.from_sentences(
        [f"{word:0{width}}" for word in check_order(order, n)] for order in orders
    )
    positions = [int(symbol) for symbol in automaton.symbols]
    numbers, written = _levels(automaton, positions)
    everything = frozenset(range(n))
    share = 1 / (n * (n - 1) / 2) if n > 1 else 0.0
    arcs: list[tuple[LatticeArc, ...]] = [()] * len(automaton)
    for state, outgoing in enumerate(automaton.arcs):
        row = []
        for symbol, to in outgoing:
            word = positions[symbol]
            rest = sorted(everything - written[to])
            weight = float(expectations[word, rest].sum()) * share
            row.append(LatticeArc(word, numbers[to], weight))
        arcs[numbers[state]] = tuple(row)
    return OrderLattice(tuple(words), tuple(arcs))


def _levels(
    automaton: Automaton, positions: Sequence[int]
) -> tuple[dict[int, int], dict[int, frozenset[int]]]:
    """Return new numbers of states, level by level, and the words written before."""
    numbers = {0: 0}
    written = {0: frozenset[int]()}
    level = [0]
    while level:
        following: dict[int, None] = {}
        for state in level:
            for symbol, to in automaton.arcs[state]:
                written[to] = written[state] | {positions[symbol]}
                following[to] = None
        level = list(following)
        for state in level:
            numbers[state] = len(numbers)
    return numbers, written
