# SPDX-License-Identifier: Apache-2.0
"""Operators of orders: how many sentences binary trees cover, and how many others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tertium.order import Permutation

__all__ = ["OperatorCounts", "count_operators"]


@dataclass(frozen=True)
class OperatorCounts:
    """The operators of flat permutation trees.

    Parameters
    ----------
    arities : mapping of int to int
        How many sentences have an operator with so many children at most; 2 for binary
        operators. Sentences of fewer than two words have none and count as 2.
    operators : mapping of str to int
        How often operators occur, such as ``21`` and ``2413``, frequent ones first.
    """

    arities: Mapping[int, int]
    operators: Mapping[str, int]

    def covered(self, arity: int) -> float:
        """Return the share of sentences whose operators have no more children."""
        most = sum(n for width, n in self.arities.items() if width <= arity)
        return most / max(1, sum(self.arities.values()))

    def to_dict(self) -> dict[str, object]:
        """Return plain values."""
        return {
            "covered": {"2": self.covered(2), "5": self.covered(5)},
            "arities": {str(arity): n for arity, n in sorted(self.arities.items())},
            "operators": dict(self.operators),
        }


def count_operators(orders: Iterable[Sequence[int]]) -> OperatorCounts:
    """Return the operators of orders, and how many children they have.

    Parameters
    ----------
    orders : iterable of sequences of int
        Source positions, counted from 0, in their new order.

    Examples
    --------
    >>> counts = count_operators([(1, 0, 2), (2, 0, 3, 1)])
    >>> counts.operators, counts.covered(2)
    ({'12': 1, '21': 1, '2413': 1}, 0.5)
    """
    operators: Counter[str] = Counter()
    arities: Counter[int] = Counter()
    # Many sentences share their order.
    for order, times in Counter(map(tuple, orders)).items():
        if len(order) < 2:
            arities[2] += times
            continue
        tree = Permutation.zero_based(order).inverse().tree
        nodes = [node for node in tree.nodes() if not node.is_leaf]
        for node in nodes:
            operators[node.name] += times
        arities[max(len(node.op) for node in nodes)] += times
    names = sorted(operators, key=lambda name: (-operators[name], name))
    return OperatorCounts(dict(arities), {name: operators[name] for name in names})
