# SPDX-License-Identifier: Apache-2.0
"""Twin of tree projection: places by search, heads by ancestry. Words count from 0."""

from __future__ import annotations

from itertools import combinations


def ancestors(heads, word: int) -> list[int]:
    """The words above a word, the nearest first; heads count from 1, 0 for none."""
    above = []
    while heads[word]:
        word = heads[word] - 1
        above.append(word)
    return above


def places(heads, size: int, links) -> dict[int, int]:
    """The word of the reference whose place a word takes."""
    out = {}
    for word in range(size):
        mine = [r for h, r in links if h == word]
        if mine:
            out[word] = min(mine, key=lambda r: (len(ancestors(heads, r)), r))
    used = {r for _, r in links}
    linked = dict(out)
    for word in range(size):
        if word in linked:
            continue
        left = max((h for h in linked if h < word), default=None)
        right = min((h for h in linked if h > word), default=None)
        start = -1 if left is None else linked[left]
        end = len(heads) if right is None else linked[right]
        # The run of unlinked words takes free words one by one.
        position = word - (0 if left is None else left + 1)
        wanted = start + 1 + position
        inside = set(range(start + 1, end))
        if inside & {r for _, r in links} or wanted not in inside or wanted in used:
            continue
        gap_was_taken = any(
            out.get(h) in inside
            for h in range(left + 1 if left is not None else 0)
            if h not in linked
        )
        if not gap_was_taken:
            out[word] = wanted
            used.add(wanted)
    return out


def project(heads, deprels, size: int, links) -> list[tuple[int, str]]:
    """The head, counted from 1, and the relation of every word of the output."""
    taken = places(heads, size, links)
    if not heads:
        return [(word, "dep") for word in range(size)]
    stands = {r: min(h for h in taken if taken[h] == r) for r in set(taken.values())}
    out = []
    for word in range(size):
        if word not in taken:
            left = [h for h in taken if h < word]
            out.append(((max(left) if left else min(taken)) + 1, "dep"))
        elif stands[taken[word]] != word:
            out.append((stands[taken[word]] + 1, "dep"))
        else:
            above = [r for r in ancestors(heads, taken[word]) if r in stands]
            head = stands[above[0]] + 1 if above else 0
            out.append((head, deprels[taken[word]]))
    return out


def crossing_arcs(heads) -> list[tuple[int, int]]:
    """Arcs, as (length, dependent), that cross another or pass over a root."""
    arcs = [(h - 1, d) for d, h in enumerate(heads) if h]
    roots = [d for d, h in enumerate(heads) if not h]
    out = set()
    for one, other in combinations(arcs, 2):
        (a, b), (c, d) = sorted(one), sorted(other)
        if a < c < b < d or c < a < d < b:
            out |= {one, other}
    for head, word in arcs:
        low, high = sorted((head, word))
        if any(low < root < high for root in roots):
            out.add((head, word))
    return sorted((abs(h - d), d) for h, d in out)
