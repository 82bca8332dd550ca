# SPDX-License-Identifier: Apache-2.0
"""Twin of DERP, from McCaffery 2017, chapter 5: trees have heads and deprels.

Words and links are counted from 0. Costs are pairs (L, L_max).
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import combinations, product

from oracles.edits import levenshtein


def above(tree, word: int) -> list[int]:
    """The word and the words above it, up to a root."""
    path = [word]
    while tree.heads[path[-1]]:
        path.append(tree.heads[path[-1]] - 1)
    return path


def encode(tree, n: int, m: int):
    """(labels climbed, whether n precedes m, labels descended)."""
    up, down = above(tree, n), above(tree, m)
    while up and down and up[-1] == down[-1]:
        up, down = up[:-1], down[:-1]
    climbed = [tree.deprels[i] for i in up]
    return climbed, n < m, [tree.deprels[i] for i in reversed(down)]


def disparity(path, other, lev=levenshtein) -> tuple[int, int]:
    chi, psi, omega = path
    chi2, psi2, omega2 = other
    edits = lev(chi, chi2) + (psi != psi2) + lev(omega, omega2)
    return edits, max(len(chi), len(chi2)) + 1 + max(len(omega), len(omega2))


def flat_disparity(d: int, d2: int) -> tuple[int, int]:
    """The closed form for flattened trees; gaps have signs."""
    if (d > 0) == (d2 > 0):
        return abs(abs(d) - abs(d2)), 1 + max(abs(d), abs(d2))
    return abs(d) + abs(d2) + 1, abs(d) + abs(d2) + 1


class Sets:
    def __init__(self, nodes):
        self.name = {node: node for node in nodes}

    def join(self, a, b) -> bool:
        old, new = self.name[a], self.name[b]
        for node, name in self.name.items():
            if name == old:
                self.name[node] = new
        return old != new


def kruskal(nodes, edges):
    """Edges are (cost, n, m, ...)."""
    sets = Sets(nodes)
    return [edge for edge in sorted(edges) if sets.join(edge[1], edge[2])]


def spanning_tree(hyp, ref, links, lev=levenshtein):
    """The edges ((L, L_max), n, m, n', m'); the reference is the base D."""
    counterparts = {}
    for h, r in sorted(set(links)):
        counterparts.setdefault(r, []).append(h)
    edges = []
    for n, m in combinations(sorted(counterparts), 2):
        shared = set(counterparts[n]) & set(counterparts[m])
        if shared:
            edges.append(((0, 0), n, m, min(shared), min(shared)))
            continue
        path = encode(ref, n, m)
        edges.append(
            min(
                (disparity(path, encode(hyp, a, b), lev), n, m, a, b)
                for a, b in product(counterparts[n], counterparts[m])
            )
        )
    return kruskal(counterparts, edges)


def sums(edges) -> tuple[int, int]:
    return sum(e[0][0] for e in edges), sum(e[0][1] for e in edges)


def score(edges) -> float:
    edits, longest = sums(edges)
    return 1 - edits / longest if longest else 1.0


def components(links) -> list[list[tuple[int, int]]]:
    parts = []
    for link in sorted(set(links)):
        near = [c for c in parts if any(link[0] == h or link[1] == r for h, r in c)]
        parts = [c for c in parts if c not in near]
        parts.append(sorted([link, *(other for c in near for other in c)]))
    return sorted(parts)


def contracted(hyp, ref, links):
    """Every component of the alignment is one vertex."""
    vertices = components(links)
    edges = [
        (
            min(
                disparity(encode(hyp, h, h2), encode(ref, r, r2))
                for (h, r), (h2, r2) in product(vertices[i], vertices[j])
            ),
            i,
            j,
        )
        for i, j in combinations(range(len(vertices)), 2)
    ]
    return kruskal(range(len(vertices)), edges)


def many_to_many(component) -> bool:
    return len({h for h, _ in component}) > 1 and len({r for _, r in component}) > 1


def path_pairs(hyp, ref, links):
    """Pairs of paths by cost, with names of nodes: words that share one counterpart
    are one node, except where there are several on both sides.
    """
    name = {}
    for component in components(links):
        for h, r in component:
            many = many_to_many(component)
            name["hyp", h] = h if many else component[0][0]
            name["ref", r] = r if many else component[0][1]
    pairs = []
    for first, second in combinations(sorted(set(links)), 2):
        (h, r), (h2, r2) = first, second
        if r > r2:
            h, r, h2, r2 = h2, r2, h, r
        nodes = name["hyp", h], name["hyp", h2], name["ref", r], name["ref", r2]
        if nodes[0] != nodes[1] and nodes[2] != nodes[3]:
            cost = disparity(encode(ref, r, r2), encode(hyp, h, h2))
            pairs.append((cost, r, r2, h, h2, nodes))
    return sorted(pairs)


def join_greedily(pairs):
    """Pairs are sorted and end with the nodes they join."""
    hyps = Sets({node for pair in pairs for node in pair[-1][:2]})
    refs = Sets({node for pair in pairs for node in pair[-1][2:]})
    chosen = []
    for pair in pairs:
        a, b, c, d = pair[-1]
        joins = [hyps.join(a, b), refs.join(c, d)]
        if any(joins):
            chosen.append(pair)
    return chosen


def least_cost(pairs) -> tuple[int, int]:
    """Least cost of connecting both sides: shortest path over pairs of partitions."""
    hyps = frozenset(frozenset([n]) for pair in pairs for n in pair[-1][:2])
    refs = frozenset(frozenset([n]) for pair in pairs for n in pair[-1][2:])

    def joined(partition, a, b):
        met = [block for block in partition if a in block or b in block]
        return partition - set(met) | {frozenset().union(*met)}

    queue, ticket, done = [((0, 0), 0, hyps, refs)], 0, set()
    while queue:
        cost, _, hyps, refs = heappop(queue)
        if len(hyps) <= 1 and len(refs) <= 1:
            return cost
        if (hyps, refs) in done:
            continue
        done.add((hyps, refs))
        for pair in pairs:
            a, b, c, d = pair[-1]
            new = joined(hyps, a, b), joined(refs, c, d)
            if new not in done:
                ticket += 1
                total = cost[0] + pair[0][0], cost[1] + pair[0][1]
                heappush(queue, (total, ticket, *new))
    return (0, 0)


def without(tree, dropped):
    """The tree without some words: their dependents are hung higher."""
    kept = [i for i in range(len(tree.heads)) if i not in dropped]
    heads = []
    for word in kept:
        higher = [i for i in above(tree, word)[1:] if i not in dropped]
        heads.append(kept.index(higher[0]) + 1 if higher else 0)
    forms, deprels = (
        [column[i] for i in kept] for column in (tree.forms, tree.deprels)
    )
    return type(tree)(tuple(forms), tuple(heads), tuple(deprels)), kept
