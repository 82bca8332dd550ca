# SPDX-License-Identifier: Apache-2.0
"""Twins of units, forests and grammars of preordering: by definition, exponential.

Sources: Stanojević 2017, sections 2.2.1, 2.5.3 and 3.3.
"""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import pairwise, product

from oracles.permutations import pattern, trees


def consistent(start, end, links) -> bool:
    """Whether both edges are aligned and nobody outside links into the hull."""
    targets = [t for s, t in links if start <= s < end]
    aligned = {s for s, _ in links}
    if start not in aligned or end - 1 not in aligned:
        return False
    return not any(
        min(targets) <= t <= max(targets) for s, t in links if not start <= s < end
    )


def units(length, links):
    """Return spans and ranks: the longest of the shortest phrases around each word."""
    aligned = sorted({s for s, _ in links})
    best = set()
    for word in aligned:
        spans = [
            (end - start, start, end)
            for start in range(word + 1)
            for end in range(word + 1, length + 1)
            if consistent(start, end, links)
        ]
        best.add(min(spans)[1:])
    longest = [
        (a, b)
        for a, b in best
        if not any((c, d) != (a, b) and c <= a and b <= d for c, d in best)
    ]
    covered = {word for a, b in longest for word in range(a, b)}
    lowest = {(a, b): min(t for s, t in links if a <= s < b) for a, b in longest}
    ranks = dict(
        zip(sorted(lowest, key=lowest.get), range(1, length + 1), strict=False)
    )
    singles = [(word, word + 1) for word in range(length) if word not in covered]
    spans = sorted(longest + singles)
    return spans, [ranks.get(span, 0) for span in spans]


# ------------------------------------------------------------------ trees of units


def unit_trees(ranks, *, attach="right"):
    """Return all trees of (operator name, children) with units as leaves.

    Unaligned units join their neighbouring unit.
    """
    places = [i for i, rank in enumerate(ranks) if rank]
    leaves = dict(enumerate(places))
    for i, place in enumerate(places):
        leaf = place
        last, first = i == len(places) - 1, i == 0
        if attach == "right" or first:
            for unit in range(place - 1, places[i - 1] if i else -1, -1):
                leaf = ("P01", (unit, leaf))
        if attach == "left" or last:
            for unit in range(place + 1, len(ranks) if last else places[i + 1]):
                leaf = ("P10", (leaf, unit))
        leaves[i] = leaf

    def place_leaves(tree, start):
        if tree is None:
            return leaves[start], start + 1
        parts = []
        for child in tree[1]:
            part, start = place_leaves(child, start)
            parts.append(part)
        return (name(tree[0]), tuple(parts)), start

    perm = pattern([ranks[place] for place in places])
    return [place_leaves(tree, 0)[0] for tree in trees(perm)]


def attached_trees(ranks, *, attach="right", height="both"):
    """Return the set of trees in which unaligned units join low, high, or anywhere.

    Low is the unit; high the largest block, among those that all trees have, that
    starts (or ends) there. With both, of a run of unaligned units the nearest few join
    low and the others high.
    """
    places = [i for i, rank in enumerate(ranks) if rank]
    n = len(places)
    before = {0: range(places[0] - 1, -1, -1)}
    behind = {n: range(places[-1] + 1, len(ranks))}
    for i, (left, right) in enumerate(pairwise(places), start=1):
        if attach == "right":
            before[i] = range(right - 1, left, -1)
        else:
            behind[i] = range(left + 1, right)
    all_trees = trees(pattern([ranks[place] for place in places]))
    blocks = set.intersection(*(set(blocks_of(tree, 0)) for tree in all_trees))
    widest = {i: max(b for a, b in blocks if a == i) for i in range(n)}
    longest = {i: min(a for a, b in blocks if b == i) for i in range(1, n + 1)}
    runs = [("before", i, run) for i, run in before.items()]
    runs += [("behind", i, run) for i, run in behind.items()]
    options = {
        "low": lambda run: [len(run)],
        "high": lambda run: [0],
        "both": lambda run: range(len(run) + 1),
    }[height]

    def joined(node, left, right):
        for unit in left:
            node = ("P01", (unit, node))
        for unit in right:
            node = ("P10", (node, unit))
        return node

    def place(tree, start, low):
        """Return the tree with what joins its nodes, and where it ends."""
        parts, end = [], start + 1
        if tree is not None:
            end = start
            for child in tree[1]:
                part, end = place(child, end, low)
                parts.append(part)
        left, right = before.get(start, ()), behind.get(end, ())
        first, last = low.get(("before", start), 0), low.get(("behind", end), 0)
        is_widest, is_longest = widest[start] == end, longest[end] == start
        if tree is None:  # a unit that is the largest block takes all
            left = left if is_widest else left[:first]
            right = right if is_longest else right[:last]
            return joined(places[start], left, right), end
        left = left[first:] if is_widest else ()
        right = right[last:] if is_longest else ()
        return joined((name(tree[0]), tuple(parts)), left, right), end

    return {
        place(tree, 0, {run[:2]: m for run, m in zip(runs, chosen, strict=True)})[0]
        for tree in all_trees
        for chosen in product(*(options(run) for _, _, run in runs))
    }


def blocks_of(tree, start):
    """Yield the spans of all nodes."""
    end = start + 1
    if tree is not None:
        end = start
        for child in tree[1]:
            spans = list(blocks_of(child, end))
            yield from spans
            end = max(b for _, b in spans)
    yield start, end


def name(operator) -> str:
    return "P" + "".join(map(str, operator))


def order_of(tree, ranks_of):
    """Return the leaves of a tree in their new order."""
    if isinstance(tree, int):
        return [tree]
    operator, children = tree
    parts = [order_of(child, ranks_of) for child in children]
    ranks = ranks_of[operator]
    by_place = sorted(range(len(parts)), key=lambda c: ranks[c])
    return [leaf for c in by_place for leaf in parts[c]]


# ------------------------------------------------------------------- probabilities


class PlainGrammar:
    """Probabilities by name: ("P12", 0) is a state, ("P12", 0, 1) its second slot."""

    def __init__(self, grammar) -> None:
        self.splits = {
            operator.name: count
            for operator, count in zip(grammar.operators, grammar.splits, strict=True)
        }
        states = [
            (operator.name, k)
            for operator, count in zip(grammar.operators, grammar.splits, strict=True)
            for k in range(count)
        ]
        slots = [
            (operator.name, k, child)
            for operator, count in zip(grammar.operators, grammar.splits, strict=True)
            for child in range(operator.arity)
            for k in range(count)
        ]
        self.root = dict(zip(states, grammar.root.tolist(), strict=True))
        self.rules = {}
        for slot, row in zip(slots, grammar.unary.tolist(), strict=True):
            for state, value in zip(states, row, strict=True):
                self.rules[slot, state] = value
        for terminal in grammar.terminals:
            values = grammar.emissions(terminal).tolist()
            for slot, value in zip(slots, values, strict=True):
                self.rules[slot, terminal] = value

    def derivations(self, tree, units):
        """Yield probability and rules for all states of the operators of a tree."""
        inner = list(operators_in(tree))
        ranges = [range(self.splits[operator]) for operator in inner]
        for choice in product(*ranges):
            numbers = iter(choice)
            rules = []
            top = self._walk(tree, units, numbers, rules)
            value = self.root[top]
            for rule in rules:
                value *= self.rules[rule]
            yield value, [("ROOT", top), *rules]

    def _walk(self, tree, units, numbers, rules):
        if isinstance(tree, int):
            return units[tree]
        operator, children = tree
        k = next(numbers)
        for child, part in enumerate(children):
            rules.append(
                ((operator, k, child), self._walk(part, units, numbers, rules))
            )
        return operator, k

    def merge_loss(self, forest, units, operator, pair, shares):
        """Return what merging two states at one span at a time takes off the log.

        `forest` is a :class:`tertium.preorder.forests.Forest`; a state of the pair has
        the probability of both, and the mean of their slots.
        """
        together = math.log(self.probability(forest, units))
        loss = 0.0
        for number, span in enumerate(forest.spans):
            if span.operator is not None and span.operator.name == operator:
                merged = (number, pair, shares)
                loss += together - math.log(self.probability(forest, units, merged))
        return loss

    def probability(self, forest, units, merged=None):
        """Return the sum over all trees, perhaps with two states of a span merged."""
        insides = []

        def slot(part, operator, k, child):
            if forest.spans[part].operator is None:
                terminal = units[forest.spans[part].start]
                return self.rules[(operator, k, child), terminal]
            return sum(
                self.rules[(operator, k, child), state] * value
                for state, value in insides[part].items()
            )

        for number, span in enumerate(forest.spans):
            if span.operator is None:
                insides.append(None)
                continue
            operator = span.operator.name
            values = {}
            for k in range(self.splits[operator]):
                mean = {k: 1.0}
                if merged and number == merged[0] and k in merged[1]:
                    mean = dict(zip(*merged[1:], strict=True))
                values[operator, k] = sum(
                    math.prod(
                        sum(s * slot(part, operator, j, c) for j, s in mean.items())
                        for c, part in enumerate(parts)
                    )
                    for parts in span.inferences
                )
            insides.append(values)
        return sum(
            self.root[state] * value
            for root in forest.roots
            for state, value in insides[root].items()
        )

    def expect(self, forest, units):
        """Return the probability of all trees and the expected counts of rules."""
        total, counts = 0.0, defaultdict(float)
        for tree in forest:
            for value, rules in self.derivations(tree, units):
                total += value
                for rule in rules:
                    counts[rule] += value
        return total, {rule: count / total for rule, count in counts.items() if total}


def operators_in(tree):
    if isinstance(tree, int):
        return
    yield tree[0]
    for child in tree[1]:
        yield from operators_in(child)


def spans_of(tree):
    """Yield start, end and operator of all inner nodes."""
    if isinstance(tree, int):
        return
    leaves = sorted(order_of(tree, defaultdict(lambda: range(9))))
    assert all(b == a + 1 for a, b in pairwise(leaves))
    yield leaves[0], leaves[-1] + 1, tree[0]
    for child in tree[1]:
        yield from spans_of(child)
