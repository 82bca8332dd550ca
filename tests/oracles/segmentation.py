# SPDX-License-Identifier: Apache-2.0
"""Outputs cut as references are: every cut is tried, every link of lines.

Slow and obvious versions of ``core/align/segmentation.cpp`` (all ways to cut a text)
and ``core/align/line_links.cpp`` (a table without a window).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

from tests.oracles.edits import levenshtein

__all__ = ["all_cuts", "best_cut", "dice", "line_links", "most_matches"]

Words = Sequence[int]
SHAPES = [
    (1, 1),
    (1, 2),
    (2, 1),
    (1, 3),
    (3, 1),
    (1, 4),
    (4, 1),
    (2, 2),
    (1, 0),
    (0, 1),
]


def all_cuts(
    hyp: Words, segments: Sequence[Sequence[Words]]
) -> list[tuple[tuple[int, ...], int]]:
    """Return all ways to cut a text, as the ends of segments, with their edits."""
    inner = combinations_with_replacement(range(len(hyp) + 1), len(segments) - 1)
    cuts = []
    for places in inner:
        ends = (*places, len(hyp))
        starts = (0, *places)
        edits = sum(
            min(levenshtein(hyp[start:end], ref) for ref in refs)
            for start, end, refs in zip(starts, ends, segments, strict=True)
        )
        cuts.append((ends, edits))
    return cuts


def best_cut(
    hyp: Words, penalties: Sequence[int], segments: Sequence[Sequence[Words]]
) -> list[tuple[int, int, int, int, int, int]]:
    """Return end, edits, matches, reference, number of equal ends and margin."""
    cuts = all_cuts(hyp, segments)
    fewest = min(edits for _, edits in cuts)
    ends, _ = min(
        cuts,
        key=lambda cut: (
            cut[1],
            sum(penalties[end] for end in cut[0][:-1]),
            cut[0][::-1],
        ),
    )
    result = []
    for k, (end, refs) in enumerate(zip(ends, segments, strict=True)):
        part = hyp[ends[k - 1] if k else 0 : end]
        distances = [levenshtein(part, ref) for ref in refs]
        chosen = distances.index(min(distances))
        equal = {cut[k] for cut, edits in cuts if edits == fewest}
        others = [edits for cut, edits in cuts if cut[k] != end]
        margin = min([2, *(edits - fewest for edits in others)])
        matched = most_matches(part, refs[chosen])
        result.append((end, min(distances), matched, chosen, len(equal), margin))
    return result


def most_matches(first: Words, second: Words) -> int:
    """Return how many words are equal in the best of the shortest edit scripts."""
    table = {(0, 0): (0, 0)}
    for i in range(len(first) + 1):
        for j in range(len(second) + 1):
            ways = []
            if i:
                edits, matches = table[i - 1, j]
                ways.append((edits + 1, matches))
            if j:
                edits, matches = table[i, j - 1]
                ways.append((edits + 1, matches))
            if i and j:
                edits, matches = table[i - 1, j - 1]
                equal = first[i - 1] == second[j - 1]
                ways.append((edits + (not equal), matches - equal))
            if ways:
                table[i, j] = min(ways)
    return -table[len(first), len(second)][1]


def dice(refs: Sequence[str], hyps: Sequence[str]) -> Fraction:
    """Return Dice's coefficient of the character trigrams of two groups of lines."""
    first, second = sum(map(_trigrams, refs), Counter()), Counter()
    for line in hyps:
        second += _trigrams(line)
    size = first.total() + second.total()
    return Fraction(2 * (first & second).total(), size) if size else Fraction(0)


def line_links(
    refs: Sequence[str], hyps: Sequence[str]
) -> list[tuple[int, int, int, int, float]]:
    """Return the links with the greatest worth."""
    table: dict[tuple[int, int], tuple[float, float, tuple[int, int]]] = {}
    table[0, 0] = (0.0, 0.0, (0, 0))
    for i in range(len(refs) + 1):
        for j in range(len(hyps) + 1):
            for a, b in SHAPES:
                if a > i or b > j:
                    continue
                gain = similarity = 0.0
                if a and b:
                    group = [*refs[i - a : i], *hyps[j - b : j]]
                    if not all(line.split() for line in group):
                        continue
                    similarity = float(dice(refs[i - a : i], hyps[j - b : j]))
                    gain = (a + b) * (similarity - 0.1) - (a + b - 2) * 0.1
                worth = table[i - a, j - b][0] + gain
                if (i, j) not in table or worth > table[i, j][0]:
                    table[i, j] = (worth, similarity, (a, b))
    links = []
    i, j = len(refs), len(hyps)
    while i or j:
        _, similarity, (a, b) = table[i, j]
        i, j = i - a, j - b
        links.append((i, a, j, b, similarity))
    return links[::-1]


def _trigrams(line: str) -> Counter[str]:
    text = "".join(line.split())
    if 0 < len(text) < 3:
        return Counter([text])
    return Counter(text[k : k + 3] for k in range(len(text) - 2))
