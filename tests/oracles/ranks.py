# SPDX-License-Identifier: Apache-2.0
"""Twin of the RIBES kernel."""

from __future__ import annotations

import math
from itertools import combinations


def _count(text: list[str], gram: list[str]) -> list[int]:
    n = len(gram)
    return [p for p in range(len(text) - n + 1) if text[p : p + n] == gram]


def order(hyp: list[str], ref: list[str]) -> list[int]:
    ranks = []
    for i, word in enumerate(hyp):
        if word not in ref:
            continue
        if hyp.count(word) == ref.count(word) == 1:
            ranks.append(ref.index(word))
            continue
        for window in range(1, min(max(i, len(hyp) - i + 1), len(ref))):
            contexts = []
            if i + window < len(hyp):
                contexts.append((hyp[i : i + window + 1], 0))
            if window <= i:
                contexts.append((hyp[i - window : i + 1], window))
            places = [
                _count(ref, gram)[0] + offset
                for gram, offset in contexts
                if len(_count(ref, gram)) == len(_count(hyp, gram)) == 1
            ]
            if places:
                ranks.append(places[0])
                break
    return ranks


def ribes(hyp: str, ref: str, alpha: float = 0.25, beta: float = 0.10) -> float:
    words, other = hyp.split(), ref.split()
    if not words:
        return 0.0
    ranks = order(words, other)
    if len(ranks) < 2:
        return 0.0
    ascending = sum(a < b for a, b in combinations(ranks, 2))
    kendall = ascending / math.comb(len(ranks), 2)
    brevity = min(1.0, math.exp(1 - len(other) / len(words)))
    return kendall * (len(ranks) / len(words)) ** alpha * brevity**beta
