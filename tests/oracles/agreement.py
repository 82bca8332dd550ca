# SPDX-License-Identifier: Apache-2.0
"""Agreement by the letter: every two rankings, candidates, values."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np


def sign(a: int, b: int) -> int:
    return (a > b) - (a < b)


def pooled_kappa(annotations):
    """Return P(=), and (agreed, compared) intra, inter, by judge and by two judges.

    `annotations`: (segment, judge, {candidate: rank}).
    """
    ties = total = 0
    for _, _, ranks in annotations:
        for a, b in combinations(sorted(ranks), 2):
            ties += ranks[a] == ranks[b]
            total += 1
    intra, inter = [0, 0], [0, 0]
    of_judge: dict = {}
    of_pair: dict = {}
    for one, two in combinations(annotations, 2):
        if one[0] != two[0] or one[1] is None or two[1] is None:
            continue
        for a, b in combinations(sorted(set(one[2]) & set(two[2])), 2):
            same = sign(one[2][a], one[2][b]) == sign(two[2][a], two[2][b])
            if one[1] == two[1]:
                places = [intra, of_judge.setdefault((one[1], "intra"), [0, 0])]
            else:
                places = [inter]
                places += [
                    of_judge.setdefault((judge, "inter"), [0, 0])
                    for judge in (one[1], two[1])
                ]
                pair = tuple(sorted((one[1], two[1])))
                places.append(of_pair.setdefault(pair, [0, 0]))
            for place in places:
                place[0] += same
                place[1] += 1
    return (ties / total if total else None), intra, inter, of_judge, of_pair


def kappa(counts, ties):
    """Return kappa of (agreed, compared), None if it has no value."""
    if ties is None or not counts[1] or ties == 1:
        return None
    less = more = (1 - ties) / 2
    chance = less**2 + ties**2 + more**2
    return (counts[0] / counts[1] - chance) / (1 - chance)


def alpha(units, values, level, *, mirrored=False):
    """Return alpha from a matrix of coincidences (Krippendorff 2011)."""
    groups: dict = {}
    for unit, value in zip(units, values, strict=True):
        groups.setdefault(unit, []).append(value)
    together: Counter = Counter()
    for group in groups.values():
        if len(group) < 2:
            continue
        for i, one in enumerate(group):
            for j, two in enumerate(group):
                if i != j:
                    together[one, two] += 1 / (len(group) - 1)
    margin: Counter = Counter()
    for (one, _), count in together.items():
        margin[one] += count
    if mirrored:
        margin = Counter(
            {v: (margin[v] + margin[-v]) / 2 for v in {*margin, *(-x for x in margin)}}
        )
    n = sum(margin.values())

    def far(a, b):
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return (a - b) ** 2
        if level == "ratio":
            return ((a - b) / (a + b)) ** 2 if a + b else 0.0
        low, high = min(a, b), max(a, b)
        between = sum(margin[v] for v in margin if low <= v <= high)
        return (between - (margin[a] + margin[b]) / 2) ** 2

    observed = sum(count * far(a, b) for (a, b), count in together.items())
    expected = sum(margin[a] * margin[b] * far(a, b) for a in margin for b in margin)
    if not expected:
        return None
    return 1 - (n - 1) * observed / expected


def fleiss(table):
    """Return Fleiss' kappa of a table: a row a subject, a column a category."""
    table = np.asarray(table, float)
    n = table.sum(axis=1)[0]
    shares = table.sum(axis=0) / table.sum()
    agreed = ((table**2).sum(axis=1) - n) / (n * (n - 1))
    chance = (shares**2).sum()
    return (agreed.mean() - chance) / (1 - chance)


def reml(y, factors, variances, residual, columns):
    """Return the REML criterion and the effects, from the whole covariance matrix."""
    cover = residual * np.eye(len(y))
    designs = []
    for factor, variance in zip(factors, variances, strict=True):
        design = np.eye(max(factor) + 1)[factor]
        designs.append(variance * design.T)
        cover += variance * design @ design.T
    inverse = np.linalg.inv(cover)
    inner = columns.T @ inverse @ columns
    fixed = np.linalg.solve(inner, columns.T @ inverse @ y)
    rest = y - columns @ fixed
    value = (
        np.linalg.slogdet(cover)[1]
        + np.linalg.slogdet(inner)[1]
        + rest @ inverse @ rest
        + (len(y) - columns.shape[1]) * np.log(2 * np.pi)
    )
    return value, fixed, [design @ inverse @ rest for design in designs]
