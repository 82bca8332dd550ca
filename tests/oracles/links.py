# SPDX-License-Identifier: Apache-2.0
"""Slow and obvious: links to permutations, and two directions to one."""

from __future__ import annotations

Pair = tuple[int, int]


def reduce(
    links: list[tuple[int, int, float]], n: int, keep: str, unaligned: str
) -> tuple[int, ...]:
    """Stanojevic 2017, 2.5.2, step by step."""
    words = []
    for word in range(n):
        targets = sorted((ref, weight) for hyp, ref, weight in links if hyp == word)
        if not targets:
            words.append(None)
        elif keep == "leftmost":
            words.append(targets[0][0])
        elif keep == "rightmost":
            words.append(targets[-1][0])
        else:
            best = max(weight for _, weight in targets)
            words.append(next(ref for ref, weight in targets if weight == best))
    if unaligned == "drop":
        keys = [key for key in words if key is not None]
    elif all(key is None for key in words):
        keys = [0] * n
    else:
        keys = [_nearest(words, at, unaligned) for at in range(n)]
    # The rank of a word: how many come before it, those with the same key by place.
    return tuple(
        1
        + sum(
            other < key or (other == key and j < i)
            for j, other in enumerate(keys)
            if j != i
        )
        for i, key in enumerate(keys)
    )


def _nearest(words: list[int | None], at: int, side: str) -> int:
    if words[at] is not None:
        return words[at]
    left = [key for key in words[:at] if key is not None]
    right = [key for key in words[at + 1 :] if key is not None]
    if side == "left":
        return left[-1] if left else right[0]
    return right[0] if right else left[-1]


def symmetrise(
    forward: set[Pair], backward: set[Pair], size: Pair, method: str
) -> set[Pair]:
    """Koehn's pseudo-code over a matrix; pairs are (foreign, English)."""
    foreign, english = size
    union = forward | backward
    alignment = forward & backward
    if method == "union":
        return union
    if method == "intersection":
        return alignment

    def e_aligned(e):
        return any(b == e for _, b in alignment)

    def f_aligned(f):
        return any(a == f for a, _ in alignment)

    steps = [(-1, 0), (0, -1), (1, 0), (0, 1)]
    if method != "grow":
        steps += [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    size_before = -1
    while len(alignment) != size_before:
        size_before = len(alignment)
        for e in range(english):
            for f in range(foreign):
                if (f, e) not in alignment:
                    continue
                for de, df in steps:
                    near_e, near_f = e + de, f + df
                    free = not e_aligned(near_e) or not f_aligned(near_f)
                    if free and (near_f, near_e) in union:
                        alignment.add((near_f, near_e))
    if "final" in method:
        for direction in (forward, backward):
            for e in range(english):
                for f in range(foreign):
                    free = not e_aligned(e), not f_aligned(f)
                    fits = all(free) if method.endswith("and") else any(free)
                    if fits and (f, e) in direction:
                        alignment.add((f, e))
    return alignment
