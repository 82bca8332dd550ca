# SPDX-License-Identifier: Apache-2.0
"""All trees of a bracketing transduction grammar, one by one."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import exp, log


def nodes(n):
    """Return all nodes (start, cut, end) in the order of the core."""
    return [
        (left, cut, right)
        for left in range(n)
        for right in range(left + 2, n + 1)
        for cut in range(left + 1, right)
    ]


def trees(n, scores):
    """Return (order, log-linear score) of every tree; a row of scores per node."""
    numbers = {node: number for number, node in enumerate(nodes(n))}

    @cache
    def below(left, right):
        if right - left == 1:
            return [((left,), 0.0)]
        out = []
        for cut in range(left + 1, right):
            straight, inverted = scores[numbers[left, cut, right]]
            for a, x in below(left, cut):
                for b, y in below(cut, right):
                    out += [(a + b, x + y + straight), (b + a, x + y + inverted)]
        return out

    return below(0, n)


def objective(n, scores, ranks, penalty):
    """Return the log-likelihood of gold ranks that have errors."""
    every = trees(n, scores)
    gold = sum(exp(score - penalty * _errors(order, ranks)) for order, score in every)
    return log(gold) - log(sum(exp(score) for _, score in every))


def expectations(n, scores):
    """Return the rows of P(i before j)."""
    every = trees(n, scores)
    total = sum(exp(score) for _, score in every)
    out = [[0.0] * n for _ in range(n)]
    for order, score in every:
        for i, j in combinations(order, 2):
            out[i][j] += exp(score) / total
    return out


def _errors(order, ranks):
    return sum(ranks[i] > ranks[j] for i, j in combinations(order, 2))
