# SPDX-License-Identifier: Apache-2.0
"""Twins of the tree kernels: tree edit distance and DTED.

A tree is a list of parents, -1 for a root; children are ordered by number.
Costs are numbers, or tuples that are compared from the left.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations


def children_of(parents):
    children = {node: [] for node in range(-1, len(parents))}
    for node, parent in enumerate(parents):
        children[parent].append(node)
    return children


def ancestors(parents, node):
    while parents[node] >= 0:
        node = parents[node]
        yield node


def postorder(parents):
    children = children_of(parents)

    def walk(node):
        for child in children[node]:
            yield from walk(child)
        if node >= 0:
            yield node

    return list(walk(-1))


def forest_distance(a, b, rename, delete, insert, zero=0, add=lambda x, y: x + y):
    """Delete or insert the last root, or pair both; nothing else can happen to it."""
    below_a, below_b = children_of(a), children_of(b)

    @cache
    def distance(first, second):
        if not first and not second:
            return zero
        choices = []
        if first:
            root = first[-1]
            rest = first[:-1] + tuple(below_a[root])
            choices.append(add(distance(rest, second), delete(root)))
        if second:
            root = second[-1]
            rest = second[:-1] + tuple(below_b[root])
            choices.append(add(distance(first, rest), insert(root)))
        if first and second and rename(first[-1], second[-1]) is not None:
            inner = distance(tuple(below_a[first[-1]]), tuple(below_b[second[-1]]))
            outer = distance(first[:-1], second[:-1])
            pair = rename(first[-1], second[-1])
            choices.append(add(add(inner, outer), pair))
        return min(choices)

    return distance(tuple(below_a[-1]), tuple(below_b[-1]))


def is_mapping(a, b, pairs):
    """Tai's conditions: one to one, ancestors and order from left to right kept."""
    place_a = {node: i for i, node in enumerate(postorder(a))}
    place_b = {node: i for i, node in enumerate(postorder(b))}
    for x, y in pairs:
        for u, v in pairs:
            if (x == u) != (y == v):
                return False
            if (x in ancestors(a, u)) != (y in ancestors(b, v)):
                return False
            if (place_a[x] < place_a[u]) != (place_b[y] < place_b[v]):
                return False
    return True


def mapping_cost(a, b, pairs, rename, delete, insert):
    left, right = {x for x, _ in pairs}, {y for _, y in pairs}
    return (
        sum(rename(x, y) for x, y in pairs)
        + sum(delete(x) for x in range(len(a)) if x not in left)
        + sum(insert(y) for y in range(len(b)) if y not in right)
    )


def searched_distance(a, b, rename, delete, insert):
    """Try every mapping there is."""
    best = None
    for size in range(min(len(a), len(b)) + 1):
        for left in combinations(range(len(a)), size):
            for right in permutations(range(len(b)), size):
                pairs = list(zip(left, right, strict=True))
                if not is_mapping(a, b, pairs):
                    continue
                cost = mapping_cost(a, b, pairs, rename, delete, insert)
                best = cost if best is None else min(best, cost)
    return best


def dted_distance(hyp, ref, links, variant, mismatch=1):
    """Return (aligned, unaligned) operations for co and cl, or (0, operations).

    Trees are lists of heads, counted from 1; links are pairs counted from 0.
    """
    left, right = {h for h, _ in links}, {r for _, r in links}
    split = variant in ("co", "cl")

    def count(aligned, number=1):
        return (number, 0) if aligned and split else (0, number)

    def rename(h, r):
        if variant == "b":
            return (0, 1)
        if (h, r) in links:
            return (0, 0)
        both = h in left and r in right
        return count(h in left or r in right, mismatch if both else 1)

    return forest_distance(
        [head - 1 for head in hyp],
        [head - 1 for head in ref],
        rename,
        lambda h: count(h in left),
        lambda r: count(r in right),
        zero=(0, 0),
        add=lambda x, y: (x[0] + y[0], x[1] + y[1]),
    )


def share(part, whole):
    return part / whole if whole else 0


def dted_score(dist, hyp, ref, links, variant, *, weight="log", base=0.1, cap=0.9):
    """Equations 4.1 to 4.5."""
    words = len(hyp) + len(ref)
    aligned = len({h for h, _ in links}) + len({r for _, r in links})
    if variant in ("b", "c"):
        return 1 - share(dist[1], words)
    if variant == "co":
        return 1 - share(dist[0], aligned)
    prop = share(aligned, words)
    w = {
        "log": 1 if prop == 0 else min(cap, base**prop),
        "proportional": prop,
        "inverse": 1 - prop,
    }[weight]
    return 1 - ((1 - w) * share(dist[0], aligned) + w * share(dist[1], words - aligned))
