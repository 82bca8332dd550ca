# SPDX-License-Identifier: Apache-2.0
"""Errors of words in one pair of texts, from matches, by the definitions.

Quadratic: the longest rising sequence is found by looking at all earlier matches.
"""

from __future__ import annotations

from itertools import pairwise

FORM, ORDER, CHOICE, ALONE = 1, 2, 4, 8


def rising(places: list[int]) -> set[int]:
    """Return which of distinct numbers form a longest rising sequence.

    Of several it is the one with the smallest last number, then the smallest one
    before it, and so on.
    """
    lengths: list[int] = []
    for i, place in enumerate(places):
        before = [lengths[j] for j in range(i) if places[j] < place]
        lengths.append(1 + max(before, default=0))
    chosen: set[int] = set()
    wanted, limit, end = max(lengths, default=0), float("inf"), len(places)
    while wanted:
        ends = [
            (places[i], i)
            for i in range(end)
            if lengths[i] == wanted and places[i] < limit
        ]
        limit, end = min(ends)
        chosen.add(end)
        wanted -= 1
    return chosen


def label(
    hyp: list[bool], ref: list[bool], matches: list[tuple[int, int, bool]]
) -> tuple[list[int], list[int]]:
    """Return the flags of all words.

    Parameters
    ----------
    hyp, ref : list of bool
        Of every word, whether it is punctuation.
    matches : list of (word, word of the reference, whether they are equal)
        In the order of the output.
    """
    out, want = [ALONE] * len(hyp), [ALONE] * len(ref)
    for h, r, equal in matches:
        out[h] = want[r] = 0 if equal else FORM
    kept = rising([r for _, r, _ in matches])
    edges = [(-1, -1)]
    for number, (h, r, _) in enumerate(matches):
        if number in kept:
            edges.append((h, r))
        else:
            out[h] |= ORDER
            want[r] |= ORDER
    edges.append((len(hyp), len(ref)))
    for (h, r), (h_end, r_end) in pairwise(edges):
        for mark in (False, True):
            mine = [
                i for i in range(h + 1, h_end) if out[i] == ALONE and hyp[i] == mark
            ]
            theirs = [
                i for i in range(r + 1, r_end) if want[i] == ALONE and ref[i] == mark
            ]
            for a, b in zip(mine, theirs, strict=False):
                out[a] = want[b] = CHOICE
    return out, want
