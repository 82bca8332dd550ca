# SPDX-License-Identifier: Apache-2.0
"""Twins of the correlation kernels, from the published definitions."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from scipy import stats


def sign(x: float) -> int:
    return (x > 0) - (x < 0)


def pair_counts(human, metric, epsilon=0.0) -> dict[str, int]:
    counts = dict.fromkeys(("con", "dis", "human", "metric", "both"), 0)
    for i, j in combinations(range(len(human)), 2):
        h = sign(human[i] - human[j])
        m = 0 if abs(metric[i] - metric[j]) <= epsilon else sign(metric[i] - metric[j])
        if h == 0 and m == 0:
            counts["both"] += 1
        elif h == 0:
            counts["human"] += 1
        elif m == 0:
            counts["metric"] += 1
        else:
            counts["con" if h == m else "dis"] += 1
    return counts


def coefficient(kind: str, human, metric, epsilon=0.0) -> float | None:
    """Return a coefficient of two vectors without gaps, None if undefined."""
    n = len(human)
    if n < 2:
        return None
    if kind in ("pearson", "spearman"):
        if len(set(human)) == 1 or len(set(metric)) == 1:
            return None
        if kind == "spearman":
            return float(stats.spearmanr(human, metric).statistic)
        return float(np.corrcoef(human, metric)[0, 1])
    c = pair_counts(human, metric, epsilon)
    pairs = math.comb(n, 2)
    agree = c["con"] - c["dis"]
    if kind == "a":
        return agree / pairs
    if kind == "acc23":
        return (c["con"] + c["both"]) / pairs
    if kind == "23":
        return (agree + c["both"] - c["human"] - c["metric"]) / pairs
    untied_human = pairs - c["human"] - c["both"]
    untied_metric = pairs - c["metric"] - c["both"]
    if untied_human == 0 or untied_metric == 0:
        return None
    if kind == "b":
        return agree / math.sqrt(untied_human * untied_metric)
    k = min(len(set(human)), len(set(metric)))
    return 2 * agree / (n**2 * (k - 1) / k)


def groups(matrix: np.ndarray, group: str) -> list[np.ndarray]:
    """Return the vectors of a (segments, systems) matrix."""
    if group == "item":
        return list(matrix)
    return list(matrix.T) if group == "sys" else [matrix.ravel()]


def grouped(kind: str, human, metric, group: str, epsilon=0.0) -> float | None:
    """Return the mean over groups in which the coefficient is defined."""
    values = []
    for h, m in zip(groups(human, group), groups(metric, group), strict=True):
        there = ~np.isnan(h)
        value = coefficient(kind, h[there].tolist(), m[there].tolist(), epsilon)
        if value is not None:
            values.append(value)
    return sum(values) / len(values) if values else None


def calibrate(human, metric, group: str) -> tuple[float, float]:
    """Return epsilon and acc23 by trying every difference."""
    candidates = {0.0}
    for h, m in zip(groups(human, group), groups(metric, group), strict=True):
        there = m[~np.isnan(h)]
        candidates |= {abs(float(a - b)) for a, b in combinations(there, 2)}
    best = (-1.0, 0.0)
    for epsilon in sorted(candidates):
        value = grouped("acc23", human, metric, group, epsilon)
        if value is not None and value > best[0] + 1e-12:
            best = (value, epsilon)
    return best[1], best[0]


def swap_difference(kind, human, first, second, mask, group) -> float:
    """Return the difference of two metrics that exchanged the scores of a mask."""
    one = np.where(mask, second, first)
    two = np.where(mask, first, second)
    a = grouped(kind, human, one, group)
    b = grouped(kind, human, two, group)
    return (a or 0.0) - (b or 0.0)


def standardised(human, metric):
    there = ~np.isnan(human)
    out = np.zeros_like(metric)
    if there.any() and np.ptp(metric[there]) > 0:
        out[there] = stats.zscore(metric[there])
    return out


def soft_pairwise_accuracy(human, metric, signs) -> float:
    """Return it for (systems, segments) and rows of +1 and -1, one a trial."""

    def p_values(scores):
        out = []
        for i, j in combinations(range(len(scores)), 2):
            observed = sum(scores[i]) - sum(scores[j])
            null = [float(row @ scores[i] - row @ scores[j]) for row in signs]
            out.append(sum(d >= observed - 1e-9 for d in null) / len(null))
        return out

    both = zip(p_values(human), p_values(metric), strict=True)
    return 1 - float(np.mean([abs(a - b) for a, b in both]))
