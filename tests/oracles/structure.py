# SPDX-License-Identifier: Apache-2.0
"""Twins of the structural features of trained metrics, by definition.

Stanojević 2017, chapter 5; Macháček 2014, 4.2.2; exact fractions wherever possible.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise

from oracles import permutations as perms

# ------------------------------------------------------------------- means and words


def value(name: str, p: Fraction, r: Fraction) -> float:
    """Return p, r, min, max, an F or a G of precision and recall."""
    if name in ("p", "r"):
        return float({"p": p, "r": r}[name])
    if name in ("min", "max"):
        return float({"min": min, "max": max}[name](p, r))
    beta = Fraction(name[1:])
    if name[0] == "g":
        return float(p * r**beta) ** float(1 / (1 + beta))
    below = beta**2 * p + r
    return float((1 + beta**2) * p * r / below) if below else 0.0


def symmetric_value(name: str, p: Fraction, r: Fraction) -> float:
    return value({"min": "p", "max": "r"}.get(name, name), min(p, r), max(p, r))


def shares(common, units) -> tuple[Fraction, Fraction] | None:
    """Return precision and recall, or None where neither side has a unit."""
    if not any(units):
        return None
    both = zip(common, units, strict=True)
    p, r = (Fraction(c, u) if u else Fraction(0) for c, u in both)
    return p, r


def matched(alignment, matchers, known=None) -> tuple[int, int]:
    """Return the words of both sides that some matchers cover."""
    hyps, refs = set(), set()
    for match in alignment:
        if match.matcher in matchers:
            hyps |= set(range(match.hyp, match.hyp + match.hyp_length))
            refs |= set(range(match.ref, match.ref + match.ref_length))
    return (
        sum(known is None or alignment.hyp[i] in known for i in hyps),
        sum(known is None or alignment.ref[i] in known for i in refs),
    )


# -------------------------------------------------------------------------- order


def order(perm) -> tuple[Fraction, ...]:
    """Return Kendall, #PETs, straight, inverted, four, more."""
    n = len(perm)
    if n < 2:
        return (Fraction(0), Fraction(n), *[Fraction(0)] * 4)
    if n == 2:
        count = Fraction(int(perm[0] < perm[1]))
    else:
        count = Fraction(trees(perm) - 1, perms.catalan(n - 1) - 1)
    nodes = perms.operators(perms.canonical(perm))
    kinds = [
        nodes.count((1, 2)),
        nodes.count((2, 1)),
        sum(len(op) == 4 for op in nodes),
        sum(len(op) > 4 for op in nodes),
    ]
    return perms.kendall(perm), count, *[Fraction(k, len(nodes)) for k in kinds]


def trees(perm) -> int:
    """Return how many permutation trees there are, for short ones by listing them."""
    if len(perm) < 7:
        return len(perms.trees(tuple(perm)))
    return _trees(perms.flatten(perms.shift_reduce(perm)))


def _trees(node) -> int:
    if node is None:
        return 1
    ways = perms.catalan(len(node[1]) - 1) if len(node[0]) == 2 else 1
    return ways * math.prod(map(_trees, node[1]))


# -------------------------------------------------------------------------- trees


def arcs(tree) -> list[tuple[str, str | None, str]]:
    """Return relation, head word (None for a root) and word of every word."""
    return [
        (relation, tree.forms[head - 1] if head else None, form)
        for relation, head, form in zip(
            tree.deprels, tree.heads, tree.forms, strict=True
        )
    ]


def treepel(hyp, ref) -> dict[str, Fraction]:
    """Return the features that are not 0."""
    hyp_arcs, ref_arcs = arcs(hyp), arcs(ref)
    features: Counter = Counter()
    for arc in set(hyp_arcs) | set(ref_arcs):
        if arc in hyp_arcs and arc in ref_arcs:
            features[f"arc.matched:{arc[0]}"] += Fraction(
                2, len(hyp_arcs) + len(ref_arcs)
            )
        elif arc in hyp_arcs:
            features[f"arc.sys-wrong:{arc[0]}"] += Fraction(1, len(hyp_arcs))
        else:
            features[f"arc.ref-wrong:{arc[0]}"] += Fraction(1, len(ref_arcs))
    return dict(features)


def heads(tree) -> Counter:
    return Counter(arc[1:] for arc in arcs(tree))


def tags(tree) -> Counter:
    row = ["START", *(tree.upos or ["_"] * len(tree.forms))]
    return Counter(pairwise(row))


def valencies(tree) -> Counter:
    counts = Counter(head for head in tree.heads if head)
    return Counter((tree.forms[head - 1], count) for head, count in counts.items())


def overlap(hyp: Counter, ref: Counter) -> tuple[Fraction, Fraction] | None:
    common = (hyp & ref).total()
    return shares((common, common), (hyp.total(), ref.total()))


# ----------------------------------------------------------------------- vectors


def cosine(a, b) -> float:
    lengths = math.hypot(*a) * math.hypot(*b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / lengths if lengths else 0.0


def soft(hyp, ref, vectors, weights=None) -> tuple[float, float]:
    """Return soft precision and recall of words with vectors, and weights, by word."""

    def mean(words, others):
        if not words:
            return 0.0 if others else 1.0
        best = [
            max(
                [
                    0.0,
                    *(
                        1.0 if word == other else cosine(vectors[word], vectors[other])
                        for other in others
                        if word == other or {word, other} <= set(vectors)
                    ),
                ]
            )
            for word in words
        ]
        shares = [1.0 if weights is None else weights[word] for word in words]
        total = sum(share * value for share, value in zip(shares, best, strict=True))
        return total / sum(shares)

    return mean(hyp, ref), mean(ref, hyp)


def role_overlap(hyp, ref) -> tuple[float, float]:
    """Return precision and recall of lists of (predicate, role, filler)."""
    if not hyp and not ref:
        return 1.0, 1.0
    left, common = list(ref), 0
    for triple in hyp:
        if triple in left:
            left.remove(triple)
            common += 1
    return (
        common / len(hyp) if hyp else 0.0,
        common / len(ref) if ref else 0.0,
    )
