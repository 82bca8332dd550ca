# SPDX-License-Identifier: Apache-2.0
"""Twins of the kernels of word order: brute force over spans, splits and trees.

Everything is exact (fractions) and by definition: Stanojević and Sima'an 2014,
figures 5 and 6. Results are kept by pattern, so all of S_7 takes seconds.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise


def pattern(values) -> tuple[int, ...]:
    """Return ranks from 1, the same for all blocks of the same shape."""
    order = sorted(values)
    return tuple(order.index(value) + 1 for value in values)


def is_block(values) -> bool:
    return max(values) - min(values) == len(values) - 1


# ------------------------------------------------------------------ trees, top down


@cache
def splits(perm: tuple[int, ...]):
    """Return the operator and all ways to split into the fewest blocks (figure 5)."""
    n = len(perm)
    for arity in range(2, n + 1):
        divisions = []
        for inner in combinations(range(1, n), arity - 1):
            cuts = (0, *inner, n)
            parts = [perm[a:b] for a, b in pairwise(cuts)]
            if all(map(is_block, parts)):
                divisions.append((inner, [pattern(part) for part in parts]))
                operator = pattern([part[0] for part in parts])
        if divisions:
            return operator, divisions
    raise AssertionError(perm)


@cache
def chart(perm: tuple[int, ...]) -> dict[tuple[int, int], tuple]:
    """Return operator and inner split points of every span that a tree may have."""
    if len(perm) == 1:
        return {}
    operator, divisions = splits(perm)
    out = {(0, len(perm)): (operator, [inner for inner, _ in divisions])}
    for inner, parts in divisions:
        for start, part in zip((0, *inner), parts, strict=True):
            for (a, b), (op, ways) in chart(part).items():
                moved = [tuple(cut + start for cut in way) for way in ways]
                out[a + start, b + start] = (op, moved)
    return out


@cache
def trees(perm: tuple[int, ...]) -> list:
    """Return all trees as (operator, children); a word is None."""
    if len(perm) == 1:
        return [None]
    operator, divisions = splits(perm)
    out = []
    for _, parts in divisions:
        rows = [[]]
        for part in parts:
            rows = [[*row, tree] for row in rows for tree in trees(part)]
        out += [(operator, tuple(row)) for row in rows]
    return out


def operators(tree) -> list[tuple[int, ...]]:
    if tree is None:
        return []
    return [tree[0], *(op for child in tree[1] for op in operators(child))]


def size(tree) -> int:
    return 1 if tree is None else sum(map(size, tree[1]))


# ----------------------------------------------------------------- recursive scores


def op_score(op, gamma, grade=None):
    if op == (1, 2):
        return Fraction(1)
    if op == (2, 1):
        return gamma
    return Fraction(0) if grade is None else grade(op)


@cache
def recpef(perm, beta, gamma, grade=None) -> Fraction:
    """Return the chart recursion of figure 6."""
    if len(perm) == 1:
        return Fraction(1)
    operator, divisions = splits(perm)
    node_score = op_score(operator, gamma, grade)
    if len(operator) == len(perm):
        return node_score
    means = []
    for _, parts in divisions:
        long = [recpef(part, beta, gamma, grade) for part in parts if len(part) > 1]
        means.append(sum(long) / len(long))
    return beta * node_score + (1 - beta) * sum(means) / len(means)


def tree_score(tree, beta, gamma, *, by_span=False) -> Fraction:
    """Return the score of one tree; `by_span` as BEER 1.0 has it."""
    if tree is None:
        return Fraction(1)
    node_score, children = op_score(tree[0], gamma), tree[1]
    scores = [tree_score(child, beta, gamma, by_span=by_span) for child in children]
    if by_span:
        weights = [size(child) for child in children]
    else:
        weights = [int(child is not None) for child in children]
    if not any(weights):
        return node_score
    below = sum(w * s for w, s in zip(weights, scores, strict=True)) / sum(weights)
    return beta * node_score + (1 - beta) * below


@cache
def tree_values(perm, beta, gamma) -> list[tuple[Fraction, Fraction]]:
    """Return score and weight under RECPEF of every single tree."""
    if len(perm) == 1:
        return [(Fraction(1), Fraction(1))]
    operator, divisions = splits(perm)
    node_score = op_score(operator, gamma)
    out = []
    for _, parts in divisions:
        rows = [(Fraction(0), Fraction(1, len(divisions)))]
        for part in parts:
            rows = [
                (total + (score if len(part) > 1 else 0), weight * share)
                for total, weight in rows
                for score, share in tree_values(part, beta, gamma)
            ]
        long = sum(len(part) > 1 for part in parts)
        out += [
            (
                beta * node_score + (1 - beta) * total / long if long else node_score,
                weight,
            )
            for total, weight in rows
        ]
    return out


def canonical(perm, branching="left"):
    """Return the tree of shift-reduce parsing, right-branching by mirroring."""
    if branching == "right":
        return _mirror(shift_reduce(perm[::-1]))
    return shift_reduce(perm)


def shift_reduce(perm):
    """Return the left-branching tree (thesis 2.5.3)."""
    stack = []
    for value in perm:
        stack.append((value, value, 1, None))
        again = True
        while again:
            again = False
            lo, hi, words = value, value, 0
            for depth in range(1, len(stack) + 1):
                low, high, count, _ = stack[-depth]
                lo, hi, words = min(lo, low), max(hi, high), words + count
                if depth > 1 and hi - lo + 1 == words:
                    window = stack[-depth:]
                    op = pattern([w[0] for w in window])
                    node = (op, tuple(w[3] for w in window))
                    stack[-depth:] = [(lo, hi, words, node)]
                    again = True
                    break
    ((_, _, _, tree),) = stack
    return tree


def _mirror(tree):
    if tree is None:
        return None
    return tree[0][::-1], tuple(_mirror(child) for child in reversed(tree[1]))


def flatten(tree):
    """Return the flat tree: chains of equal binary operators merged."""
    if tree is None:
        return None
    children = []
    for child in map(flatten, tree[1]):
        if child is not None and len(tree[0]) == 2 and child[0] == tree[0]:
            children += child[1]
        else:
            children.append(child)
    return tree[0], tuple(children)


def forest_table(perm, beta, gamma, mode="split"):
    """Return RECPEF of longer permutations: flat tree, then a table over ranges."""
    return _table(flatten(shift_reduce(perm)), beta, gamma, mode)


def _table(node, beta, gamma, mode):
    if node is None:
        return 1
    op, children = node
    node_score = op_score(op, gamma)
    values = [_table(child, beta, gamma, mode) for child in children]
    if len(op) > 2:
        long = [v for v, c in zip(values, children, strict=True) if c is not None]
        return (
            beta * node_score + (1 - beta) * sum(long) / len(long)
            if long
            else node_score
        )
    k = len(children)
    score = {(i, i + 1): values[i] for i in range(k)}
    word = {(i, i + 1) for i in range(k) if children[i] is None}
    for length in range(2, k + 1):
        for a in range(k - length + 1):
            b = a + length
            scores, shares = [], []
            for s in range(a + 1, b):
                long = [score[part] for part in ((a, s), (s, b)) if part not in word]
                scores.append(sum(long) / len(long) if long else node_score)
                shares.append(catalan(s - a - 1) * catalan(b - s - 1))
            if mode == "split":
                below = sum(scores) / len(scores)
            elif mode == "tree":
                both = zip(scores, shares, strict=True)
                below = sum(f * w for f, w in both) / sum(shares)
            else:
                below = max(scores) if mode == "max" else min(scores)
            score[a, b] = beta * node_score + (1 - beta) * below
    return score[0, k]


# ------------------------------------------------------------ flat and simple scores


def kendall(perm):
    pairs = [a < b for a, b in combinations(perm, 2)]
    return Fraction(sum(pairs), len(pairs))


def spearman(perm):
    n = len(perm)
    squares = sum((value - i) ** 2 for i, value in enumerate(perm, start=1))
    return 1 - Fraction(3 * squares, n * (n * n - 1))


def hamming(perm):
    return Fraction(sum(v == i for i, v in enumerate(perm, start=1)), len(perm))


def ulam(perm):
    """Longest common subsequence with the identity, by the textbook table."""
    best = []
    for i, value in enumerate(perm):
        before = [best[j] for j in range(i) if perm[j] < value]
        best.append(1 + max(before, default=0))
    return Fraction(max(best) - 1, len(perm) - 1)


def fuzzy(perm):
    chunks = 1 + sum(b != a + 1 for a, b in pairwise(perm))
    return 1 - Fraction(chunks - 1, len(perm) - 1)


def catalan(m: int) -> int:
    return math.comb(2 * m, m) // (m + 1)


def pet_size(perm):
    if len(perm) == 2:
        return Fraction(1)
    return Fraction(len(operators(trees(perm)[0])) - 1, len(perm) - 2)


def max_op(perm):
    if len(perm) == 2:
        return Fraction(1)
    longest = max(map(len, operators(trees(perm)[0])))
    return 1 - Fraction(longest - 2, len(perm) - 2)


def n_pets(perm):
    if len(perm) == 2:
        return Fraction(1)
    return Fraction(len(trees(perm)) - 1, catalan(len(perm) - 1) - 1)


FLAT = {
    "kendall": kendall,
    "spearman": spearman,
    "hamming": hamming,
    "ulam": ulam,
    "fuzzy": fuzzy,
}
COUNTS = {"pet-size": pet_size, "max-op": max_op, "n-pets": n_pets}


# -------------------------------------------------------------------- full scores


def brevity(candidate: int, reference: int) -> float:
    if candidate == 0:
        return 0.0
    return 1.0 if candidate > reference else math.exp(1 - reference / candidate)


def bleu1(hyp: list[str], ref: list[str]) -> float:
    if not hyp:
        return 0.0
    common = (Counter(hyp) & Counter(ref)).total()
    return common / len(hyp) * brevity(len(hyp), len(ref))


def f1(hyp: list[str], ref: list[str]) -> float:
    both = len(hyp) + len(ref)
    return 2 * (Counter(hyp) & Counter(ref)).total() / both if both else 0.0


def reduce_links(words: int, links, keep: str, unaligned: str) -> list[int]:
    """Return the permutation of (word, target, weight) links."""
    keys: list = []
    for word in range(words):
        word_links = [link for link in links if link[0] == word]
        if not word_links:
            keys.append(None)
        elif keep == "leftmost":
            keys.append(min(target for _, target, _ in word_links))
        elif keep == "rightmost":
            keys.append(max(target for _, target, _ in word_links))
        else:
            keys.append(min(word_links, key=lambda link: (-link[2], link[1]))[1])
    if unaligned == "drop":
        keys = [key for key in keys if key is not None]
    elif any(key is not None for key in keys):
        filled = []
        for i, key in enumerate(keys):
            left = [k for k in keys[:i] if k is not None][-1:]
            right = [k for k in keys[i + 1 :] if k is not None][:1]
            near = left + right if unaligned == "left" else right + left
            filled.append(near[0] if key is None else key)
        keys = filled
    else:
        keys = [0] * words
    order = sorted(range(len(keys)), key=lambda i: keys[i])
    return [order.index(i) + 1 for i in range(len(keys))]
