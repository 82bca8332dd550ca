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
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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
    unaligned : tuple of int, optional
        The positions of words without a counterpart in the translation, whether paths
        have them or not; None if they are not known.
    """

    words: tuple[str, ...]
    arcs: tuple[tuple[LatticeArc, ...], ...]
    unaligned: tuple[int, ...] | None = None

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
        order = check_order(order, len(self.words))
        places = {word: t for t, word in enumerate(order)}
        everything = self._written[-1]

        def agreements(state: int, arc: LatticeArc) -> float:
            rest = everything - self._written[state] - {arc.position}
            return sum(places[arc.position] < places[later] for later in rest)

        path, concordant = self._highest(agreements)
        n = len(path)
        return path, concordant / (n * (n - 1) / 2) if n > 1 else 1.0

    def best(self) -> tuple[tuple[int, ...], float]:
        """Return the path with the highest expected tau, and this tau. O(arcs)."""
        path, expected = self._highest(lambda _, arc: arc.weight)
        return path, expected if len(path) > 1 else 1.0

    def path_count(self) -> int:
        """Return the number of paths."""
        counts = [0] * (len(self.arcs) - 1) + [1]
        for state in reversed(range(len(self.arcs) - 1)):
            counts[state] = sum(counts[arc.target] for arc in self.arcs[state])
        return counts[0]

    def _highest(
        self, weight: Callable[[int, LatticeArc], float]
    ) -> tuple[tuple[int, ...], float]:
        """Return the path with the highest sum, the first of equal ones."""
        # The best continuation of every state, from the end.
        sums = [0.0] * len(self.arcs)
        steps: list[LatticeArc | None] = [None] * len(self.arcs)
        for state in reversed(range(len(self.arcs) - 1)):
            ways = [
                (weight(state, arc) + sums[arc.target], arc) for arc in self.arcs[state]
            ]
            sums[state], steps[state] = max(ways, key=lambda way: way[0])
        path = []
        step = steps[0]
        while step is not None:
            path.append(step.position)
            step = steps[step.target]
        return tuple(path), sums[0]

    @cached_property
    def _written(self) -> list[frozenset[int]]:
        """The words that have been written in every state."""
        written: list[frozenset[int]] = [frozenset()] * len(self.arcs)
        for state, arcs in enumerate(self.arcs):
            for arc in arcs:
                written[arc.target] = written[state] | {arc.position}
        return written

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
        n = len(self._written[-1])
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
                    else (n - len(self._written[state]) - 1) * share - arc.weight,
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
            "unaligned": None if self.unaligned is None else list(self.unaligned),
        }

    def to_json(self) -> str:
        """Return :meth:`to_dict` as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    @classmethod
    def from_dict(cls, content: Mapping[str, object]) -> OrderLattice:
        """Return the lattice of what :meth:`to_dict` returned.

        Raises
        ------
        InputError
            If a part is missing, or the arcs are not those of a lattice of orders.
        """
        cure = "give what `tertium preorder lattice -f json` wrote"
        try:
            arcs = tuple(
                tuple(
                    LatticeArc(int(a["position"]), int(a["to"]), float(a["weight"]))
                    for a in outgoing
                )
                for outgoing in content["arcs"]  # type: ignore[attr-defined]
            )
            words = tuple(map(str, content["words"]))  # type: ignore[call-overload]
            positions: tuple[int, ...] | None = None
            if content.get("unaligned") is not None:
                positions = tuple(map(int, content["unaligned"]))  # type: ignore[call-overload]
        except (KeyError, TypeError, ValueError) as error:
            message = f"this is not a lattice ({type(error).__name__}: {error}); {cure}"
            raise InputError(message) from None
        _check_arcs(words, arcs, cure)
        return cls(words, arcs, positions)


def order_lattice(
    words: Sequence[str],
    orders: Sequence[Sequence[int]],
    expectations: NDArray[np.float64],
    *,
    unaligned: Collection[int] | None = None,
) -> OrderLattice:
    """Return the minimal lattice of some orders of a sentence.

    Parameters
    ----------
    words : sequence of str
        The sentence.
    orders : sequence of orders
        At least one; equal ones count once. All have the same words: each word of the
        sentence, or each but unaligned ones that were dropped.
    expectations : ndarray
        P(word i before word j).
    unaligned : collection of int, optional
        The positions of words without a counterpart in the translation.

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
    kept = frozenset(orders[0])
    if not frozenset(range(n)) - kept <= frozenset(unaligned or ()):
        kept = frozenset(range(n))  # only unaligned words may be missing
    # Positions of equal width sort like numbers.
    width = len(str(n))
    automaton = Automaton.from_sentences(
        [f"{word:0{width}}" for word in _checked(order, kept, n)] for order in orders
    )
    positions = [int(symbol) for symbol in automaton.symbols]
    numbers, written = _levels(automaton, positions)
    pairs = len(kept) * (len(kept) - 1) / 2
    share = 1 / pairs if pairs else 0.0
    arcs: list[tuple[LatticeArc, ...]] = [()] * len(automaton)
    for state, outgoing in enumerate(automaton.arcs):
        row = []
        for symbol, to in outgoing:
            word = positions[symbol]
            rest = sorted(kept - written[to])
            weight = float(expectations[word, rest].sum()) * share
            row.append(LatticeArc(word, numbers[to], weight))
        arcs[numbers[state]] = tuple(row)
    known = None if unaligned is None else tuple(sorted(unaligned))
    return OrderLattice(tuple(words), tuple(arcs), known)


def _checked(
    order: Sequence[int], kept: frozenset[int], length: int
) -> tuple[int, ...]:
    """Return an order of the words that are kept."""
    if len(kept) == length:
        return check_order(order, length)
    if sorted(order) != sorted(kept):
        raise InputError(
            f"the order {tuple(order)} does not have each of the words {sorted(kept)} "
            "once; drop the same words from all orders"
        )
    return tuple(order)


def _check_arcs(
    words: Sequence[str], arcs: Sequence[Sequence[LatticeArc]], cure: str
) -> None:
    """Raise an error unless all paths write the same words once."""
    final = len(arcs) - 1
    written: dict[int, frozenset[int]] = {0: frozenset()}
    sound = final >= 0 and not arcs[final]
    for state, outgoing in enumerate(arcs[:-1]):
        sound = sound and bool(outgoing) and state in written
        for position, target, _ in outgoing if sound else ():
            after = written[state] | {position}
            sound = (
                sound
                and 0 <= position < len(words)
                and position not in written[state]
                and state < target <= final
                and written.setdefault(target, after) == after
            )
    if not sound:
        message = "the arcs are not those of a lattice whose paths have the same words"
        raise InputError(f"{message}; {cure}")


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
