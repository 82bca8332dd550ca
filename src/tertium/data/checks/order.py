# SPDX-License-Identifier: Apache-2.0
"""Lines in the wrong place: a text that is shifted against the others.

A segment is compared with what all other texts of the target language have at its
place and up to three places away. The words that count are weighted by rarity, so
the majority decides who is shifted and function words decide nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tertium.data.checks.report import Finding
from tertium.data.checks.view import Column, View

__all__ = ["find_shifted"]

_REACH = 3  # Lines a text may be shifted by.
_RUN = 5  # Segments in a row that must fit better elsewhere.
_PURE = 0.8  # Share of a run that must agree.
_PATIENCE = 3  # Segments in a row that end a run.
_WORDS = 3  # Shorter segments have no vote.

# What a vote takes: at least this share of the words elsewhere, and so much more
# than in place. Aligned text has 0.3 to 0.9 in place and about 0.1 next to it.
_FITS = 0.4
_BETTER = 0.25


class _Run(NamedTuple):
    shift: int
    first: int
    last: int


def find_shifted(view: View) -> Iterator[Finding]:
    """Yield runs of segments that belong some lines earlier or later."""
    texts = _distinct(view.targets)
    pools = _pools(texts, len(view.testset))
    weights = _weights(pools)
    # Two texts that disagree accuse each other; the reference is then believed.
    believed = view.references if len(texts) == 2 else []
    for column in texts:
        if len(texts) < 2 or column in believed[:1]:
            continue
        votes = _votes(column, pools, weights)
        for run in _runs(votes):
            yield _shifted(column, run)


def _distinct(columns: Sequence[Column]) -> list[Column]:
    """Return columns without copies, which would back each other up."""
    first: dict[tuple[str, ...], Column] = {}
    for column in columns:
        first.setdefault(tuple(column.texts), column)
    return list(first.values())


def _pools(columns: Sequence[Column], size: int) -> list[Counter[str]]:
    """Return for every segment how many columns have a word."""
    pools: list[Counter[str]] = [Counter() for _ in range(size)]
    for column in columns:
        for number, words in zip(column.numbers, column.words, strict=True):
            pools[number - 1].update(set(words))
    return pools


def _weights(pools: Sequence[Counter[str]]) -> dict[str, float]:
    """Return how rare every word is."""
    counts = Counter(word for pool in pools for word in pool)
    return {word: math.log(len(pools) / n) for word, n in counts.items()}


def _votes(
    column: Column, pools: Sequence[Counter[str]], weights: dict[str, float]
) -> list[tuple[int, int]]:
    """Return (segment from 1, shift) for every segment that fits somewhere."""
    words_of = dict(zip(column.numbers, map(set, column.words), strict=True))
    votes = []

    def fit(number: int, shift: int) -> float:
        place = number + shift
        if not 1 <= place <= len(pools):
            return 0.0
        pool, mine = pools[place - 1], words_of.get(place, set())
        total = hit = 0.0
        for word in words_of[number]:
            weight = weights[word]
            total += weight
            if pool[word] > (word in mine):
                hit += weight
        return hit / total if total else 0.0

    for number, words in words_of.items():
        if len(words) < _WORDS:
            continue
        here = fit(number, 0)
        # Most segments fit where they are and need no second look.
        if here >= 1 - _BETTER:
            votes.append((number, 0))
            continue
        shifts = [k for k in range(-_REACH, _REACH + 1) if k]
        best, shift = max((fit(number, k), -abs(k), k) for k in shifts)[::2]
        if best >= max(_FITS, here + _BETTER):
            votes.append((number, shift))
        elif here >= best + _BETTER:
            votes.append((number, 0))
    return votes


def _runs(votes: Sequence[tuple[int, int]]) -> Iterator[_Run]:
    """Yield runs of votes for the same shift; a few others may be in between."""
    start = 0
    while start < len(votes):
        shift = votes[start][1]
        hits, last = 1, start
        for i in range(start + 1, len(votes) if shift else 0):
            if votes[i][1] == shift:
                hits, last = hits + 1, i
            elif i - last >= _PATIENCE:
                break
        if hits >= _RUN and hits >= _PURE * (last - start + 1):
            yield _Run(shift, votes[start][0], votes[last][0])
            start = last
        start += 1


def _shifted(column: Column, run: _Run) -> Finding:
    lines = "1 line" if abs(run.shift) == 1 else f"{abs(run.shift)} lines"
    place, here, there = ("later", "missing", "too many")
    if run.shift < 0:
        place, here, there = ("earlier", "too many", "missing")
    return Finding(
        "shifted",
        "error",
        column.where,
        f"segments {run.first} to {run.last} fit {lines} {place} in the other texts; "
        f"look for {lines} {here} before segment {run.first}, or {there} in the others",
        count=run.last - run.first + 1,
        examples=tuple(range(run.first, run.last + 1)[:10]),
    )
