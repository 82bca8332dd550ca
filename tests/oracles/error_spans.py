# SPDX-License-Identifier: Apache-2.0
"""Error spans character by character, and by trying every matching."""

from __future__ import annotations

from itertools import combinations, permutations

LEVELS = {"neutral": 1, "minor": 2, "major": 3, "critical": 4}


def level(severity):
    return LEVELS.get(severity.lower(), 2)


def level_at(marks, place):
    """Return the worst level at a character, 0 if it is not marked."""
    return max((level(m[2]) for m in marks if m[0] <= place < m[1]), default=0)


def characters(predicted, human, other):
    """Return credit, predicted and human characters.

    `other`: the credit where levels differ.
    """
    credit = a_total = b_total = 0
    for place in range(max([m[1] for m in [*predicted, *human]], default=0)):
        a, b = level_at(predicted, place), level_at(human, place)
        a_total += a > 0
        b_total += b > 0
        if a and b:
            credit += 1 if a == b else other
    return credit, a_total, b_total


def wmt25(predicted, human):
    """Return credit, predicted and human characters, every span by itself.

    Marks of a character are paired one by one: the same severity first, then any.
    """
    kinds = {1: "neutral", 2: "minor", 3: "major", 4: "major"}

    def kinds_at(marks, place):
        here = [m[2].lower() for m in marks if m[0] <= place < m[1]]
        return [kinds[level(one)] for one in here if one != "undecided"]

    credit = a_total = b_total = 0
    for place in range(max([m[1] for m in [*predicted, *human]], default=0)):
        a, b = kinds_at(predicted, place), kinds_at(human, place)
        a_total, b_total = a_total + len(a), b_total + len(b)
        for kind in list(a):
            if kind in b:
                a.remove(kind)
                b.remove(kind)
                credit += 1
        credit += min(len(a), len(b)) / 2
    return credit, a_total, b_total


def overlap(a, b):
    """Return how many characters two marks share."""
    return len(set(range(a[0], a[1])) & set(range(b[0], b[1])))


def matchings(predicted, human):
    """Yield every one-to-one matching of overlapping marks, as lists of indices."""
    n, m = len(predicted), len(human)
    for size in range(min(n, m) + 1):
        for left in combinations(range(n), size):
            for right in permutations(range(m), size):
                pairs = list(zip(left, right, strict=True))
                if all(overlap(predicted[i], human[j]) for i, j in pairs):
                    yield pairs


def most_exact(predicted, human):
    """Return how many marks of equal places can be matched."""
    return max(
        sum(predicted[i][:2] == human[j][:2] for i, j in pairs)
        for pairs in matchings(predicted, human)
    )


def greedy(predicted, human):
    """Return pairs by largest overlap, chosen one after the other."""
    left, right = set(range(len(predicted))), set(range(len(human)))
    pairs = []
    while True:
        best = None
        for i in sorted(left):
            for j in sorted(right):
                a, b = predicted[i], human[j]
                shared = overlap(a, b)
                if not shared:
                    continue
                lengths = abs((a[1] - a[0]) - (b[1] - b[0]))
                key = (-shared, lengths, level(a[2]) != level(b[2]), i, j)
                best = key if best is None else min(best, key)
        if best is None:
            return sorted(pairs)
        pairs.append(best[3:])
        left.discard(best[3])
        right.discard(best[4])


def mpp(predicted, human, weights=None):
    """Return the best (F, P + R, P) of all matchings with partial credit."""

    def weight(mark):
        return 1 if weights is None else weights.get(mark[2].lower(), 1)

    left, right = sum(map(weight, predicted)), sum(map(weight, human))
    best = (-1, 0, 0)
    for pairs in matchings(predicted, human):
        p = r = 0
        for i, j in pairs:
            a, b = predicted[i], human[j]
            credit = overlap(a, b) * min(weight(a), weight(b))
            p += credit / (a[1] - a[0])
            r += credit / (b[1] - b[0])
        p = p / left if left else 1
        r = r / right if right else 1
        f = 2 * p * r / (p + r) if p + r else 0
        best = max(best, (round(f, 9), round(p + r, 9), round(p, 9)))
    return best


def precision_at_recall(scores, truth, recall):
    """Return the best precision of all thresholds with enough recall."""
    precisions = []
    for threshold in set(scores):
        chosen = [t for s, t in zip(scores, truth, strict=True) if s >= threshold]
        if sum(truth) and sum(chosen) >= recall * sum(truth) - 1e-9:
            precisions.append(sum(chosen) / len(chosen))
    return max(precisions, default=None)


def pairwise_difference_pearson(human, metric):
    """Return PDP of matrices (system, segment): every pair of systems, both ways."""
    x, y = [], []
    for segment in range(len(human[0])):
        for a in range(len(human)):
            for b in range(len(human)):
                if a != b:
                    x.append(human[a][segment] - human[b][segment])
                    y.append(metric[a][segment] - metric[b][segment])
    xy = sum(a * b for a, b in zip(x, y, strict=True))
    xx, yy = sum(a * a for a in x), sum(b * b for b in y)
    return xy / (xx * yy) ** 0.5 if xx * yy else None
