# SPDX-License-Identifier: Apache-2.0
"""Token Levenshtein by its recurrence, and selection by its definition."""

from __future__ import annotations

import random


def levenshtein(one, other):
    """Fill the whole table."""
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one) + 1):
        for j in range(len(other) + 1):
            if not i or not j:
                table[i][j] = i + j
                continue
            table[i][j] = min(
                table[i - 1][j] + 1,
                table[i][j - 1] + 1,
                table[i - 1][j - 1] + (one[i - 1] != other[j - 1]),
            )
    return table[-1][-1]


def normalised(one, other):
    """Divide by the longer sentence."""
    longer = max(len(one), len(other))
    return levenshtein(one, other) / longer if longer else 0.0


def select(sentences, threshold, seed):
    """Sort, shuffle, keep what is far from everything kept."""
    ready = sorted(sentences)
    random.Random(seed).shuffle(ready)
    kept = []
    for tokens in ready:
        if all(normalised(tokens, other) >= threshold for other in kept):
            kept.append(tokens)
    return kept


def near(sentences, most):
    """Compare all with all."""
    return [
        (i, j, levenshtein(sentences[i], sentences[j]))
        for i in range(len(sentences))
        for j in range(i + 1, len(sentences))
        if 0 < levenshtein(sentences[i], sentences[j]) <= most
    ]
