# SPDX-License-Identifier: Apache-2.0
"""Small reordering grammars: one to compute by hand, and random ones."""

from __future__ import annotations

import numpy as np

from tertium.preorder.grammar import OPERATORS, UNKNOWN, Grammar


def make_grammar(operators, splits, terminals, root, unary, emissions):
    """Return a grammar from dense arrays: slots by states, slots by terminals."""
    emissions = np.asarray(emissions, dtype=float)
    counts = [np.flatnonzero(column) for column in emissions.T]
    slots = len(emissions)
    return Grammar(
        operators=tuple(operators),
        splits=tuple(splits),
        terminals=tuple(terminals),
        root=np.asarray(root, dtype=float),
        unary=np.asarray(unary, dtype=float),
        first=np.cumsum([0, *map(len, counts)]).astype(np.uint32),
        slot=np.concatenate(counts).astype(np.uint32),
        value=np.concatenate([emissions[s, t] for t, s in enumerate(counts)]),
        slot_backoff=np.zeros(slots),
        terminal_backoff=np.zeros(len(terminals)),
    )


def tiny_grammar():
    """Return a grammar of two operators, without splits, over the words a, b, c."""
    # Slots: both children of the operator that keeps, then of that which swaps.
    unary = [[0.2, 0.1], [0.1, 0.2], [0.2, 0.1], [0.2, 0.1]]
    emissions = [[0.5, 0.2, 0], [0, 0.3, 0.4], [0.4, 0.3, 0], [0, 0.1, 0.6]]
    return make_grammar(
        OPERATORS[:2], (1, 1), ("a", "b", "c"), [0.6, 0.4], unary, emissions
    )


def random_grammar(seed, *, max_arity=5, splits=(2, 2), unaligned=True):
    """Return a grammar with random probabilities, and a unit of two words, "a b"."""
    rng = np.random.default_rng(seed)
    operators = [
        operator
        for operator in OPERATORS
        if operator.arity <= max_arity and (unaligned or operator.emitter < 0)
    ]
    sizes = [splits[operator.arity > 2] for operator in operators]
    terminals = (UNKNOWN, "a", "b", "c", "a b")
    states = sum(sizes)
    unary, emissions = [], []
    for operator, size in zip(operators, sizes, strict=True):
        for child in range(operator.arity):
            for _ in range(size):
                row = rng.dirichlet(np.ones(states + len(terminals)))
                if child == operator.emitter:
                    row[:states] = 0
                    row /= row.sum()
                unary.append(row[:states])
                emissions.append(row[states:])
    root = rng.dirichlet(np.ones(states))
    return make_grammar(operators, sizes, terminals, root, unary, emissions)
