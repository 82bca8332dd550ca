# SPDX-License-Identifier: Apache-2.0
"""Twin of the parser: the probability of every order, derivation by derivation."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product


class Enumeration:
    """All derivations of a sentence by a grammar; feasible for five words."""

    def __init__(self, grammar, words):
        self.grammar = grammar
        self.words = words
        self.spans = {(i, j): t for i, j, t in grammar.lexicon.encode(words)}
        self.states = [
            (op, k)
            for op, count in enumerate(grammar.splits)
            for k in range(count)
        ]  # fmt: skip
        self.known = {}

    def orders(self):
        """Return the joint probability of the sentence and each of its orders."""
        total = Counter()
        for state, p in enumerate(self.grammar.root):
            for order, q in self.of_state(0, len(self.words), state).items():
                total[order] += float(p) * q
        return {order: p for order, p in total.items() if p > 0}

    def of_state(self, i, j, state):
        """Return the inside probability of a state over a span, by order."""
        if (i, j, state) in self.known:
            return self.known[i, j, state]
        op, k = self.states[state]
        operator = self.grammar.operators[op]
        out = Counter()
        for cuts in combinations(range(i + 1, j), operator.arity - 1):
            bounds = (i, *cuts, j)
            parts = [
                self.of_slot(bounds[c], bounds[c + 1], self.slot(op, c, k)).items()
                for c in range(operator.arity)
            ]
            for children in product(*parts):
                p = 1.0
                for _, q in children:
                    p *= q
                order = sum((children[c][0] for c in operator.order), ())
                out[order] += p
        self.known[i, j, state] = out
        return out

    def slot(self, op, child, k):
        sizes = [
            operator.arity * count
            for operator, count in zip(
                self.grammar.operators, self.grammar.splits, strict=True
            )
        ]
        return sum(sizes[:op]) + child * self.grammar.splits[op] + k

    def of_slot(self, i, j, slot):
        out = Counter()
        for state, p in enumerate(self.grammar.unary[slot]):
            if p > 0:
                for order, q in self.of_state(i, j, state).items():
                    out[order] += float(p) * q
        if (i, j) in self.spans:
            out[tuple(range(i, j))] += float(
                self.grammar.kernel.emissions(self.spans[i, j])[slot]
            )
        return out


def expectations(orders):
    """Return P(i before j) under joint probabilities of orders, as rows."""
    n = len(next(iter(orders)))
    total = sum(orders.values())
    rows = [[0.0] * n for _ in range(n)]
    for order, p in orders.items():
        for s, i in enumerate(order):
            for j in order[s + 1 :]:
                rows[i][j] += p / total
    return rows
