# SPDX-License-Identifier: Apache-2.0
"""Gold orders and their measures, one sentence and one pair of words at a time."""

from __future__ import annotations

from itertools import combinations, pairwise


def positions(words, links, reduction="mean"):
    """Return the target position of every word, None without links."""
    out = []
    for word in range(words):
        mine = [(weight, target) for w, target, weight, _ in links if w == word]
        targets = [target for _, target in mine]
        if not mine:
            out.append(None)
        elif reduction == "mean":
            out.append(sum(targets) / len(targets))
        elif reduction == "best":
            best = max(weight for weight, _ in mine)
            out.append(min(target for weight, target in mine if weight == best))
        else:
            out.append(min(targets) if reduction == "leftmost" else max(targets))
    return out


def gold_order(words, links, reduction="mean", attach="right"):
    """Return the order: words without links follow a neighbour."""
    keys = positions(words, links, reduction)
    filled = []
    for word in range(words):
        after = [key for key in keys[word:] if key is not None][:1]
        before = [key for key in keys[: word + 1] if key is not None][-1:]
        near = [*after, *before] if attach == "right" else [*before, *after]
        filled.append(near[0] if near else 0)
    return tuple(sorted(range(words), key=filled.__getitem__))


def measures(order, gold, targets):
    """Return every measure of one order."""
    n = len(order)
    if n < 2:
        return dict.fromkeys(
            [
                "tau",
                "tau-linked",
                "fuzzy",
                "frs",
                "exact",
                "hamming",
                "spearman",
                "ulam",
            ],
            1.0,
        )
    ranks = [gold.index(word) for word in order]
    pairs = list(combinations(range(n), 2))
    linked = [(a, b) for a, b in combinations(order, 2)]
    linked = [
        targets[a] <= targets[b]
        for a, b in linked
        if targets[a] is not None and targets[b] is not None
    ]
    chunks = 1 + sum(b - a != 1 for a, b in pairwise(ranks))
    framed = [-1, *ranks, n]
    breaks = sum(b - a != 1 for a, b in pairwise(framed))
    rises = [1] * n
    for b in range(n):
        for a in range(b):
            if ranks[a] < ranks[b]:
                rises[b] = max(rises[b], rises[a] + 1)
    squares = sum((rank - place) ** 2 for place, rank in enumerate(ranks))
    return {
        "tau": sum(ranks[a] < ranks[b] for a, b in pairs) / len(pairs),
        "tau-linked": sum(linked) / len(linked) if linked else 1.0,
        "fuzzy": 1 - (chunks - 1) / (n - 1),
        "frs": 1 - breaks / (n + 1),
        "exact": float(ranks == list(range(n))),
        "hamming": sum(rank == place for place, rank in enumerate(ranks)) / n,
        "spearman": 1 - 3 * squares / (n * (n * n - 1)),
        "ulam": (max(rises) - 1) / (n - 1),
    }
