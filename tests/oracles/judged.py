# SPDX-License-Identifier: Apache-2.0
"""Twins of the metrics over stored rankings (Macháček 2014, sections 3.2.3, 3.3.2).

A ranking is a list of (words of a candidate, rank, number of systems).
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

Ranked = list[tuple[tuple[str, ...], int, int]]


def occurs(words: tuple[str, ...], output: list[str], gaps: int) -> bool:
    """Whether some places of the output, in order and close enough, are the words."""
    return any(
        tuple(output[place] for place in places) == words
        and places[-1] - places[0] + 1 <= len(words) + gaps
        for places in combinations(range(len(output)), len(words))
    )


def exact_match(
    parts: list[list[Ranked]], output: list[str], *, gaps: int = 0, penalty: bool
) -> tuple[int, int, int, int]:
    """Return wins, decided comparisons, hits and parts."""
    wins = decided = hits = 0
    for rankings in parts:
        candidates = {words for ranked in rankings for words, _, _ in ranked}
        matches = [words for words in candidates if occurs(words, output, gaps)]
        if not matches:
            most = max(sum(n for *_, n in ranked) for ranked in rankings)
            decided += most if penalty else 0
            continue
        hits += 1

        def compared(words: tuple[str, ...], rankings=rankings) -> tuple[int, int]:
            won = lost = 0
            for ranked in rankings:
                for rank in [rank for other, rank, _ in ranked if other == words]:
                    won += sum(n for _, other, n in ranked if other > rank)
                    lost += sum(n for _, other, n in ranked if other < rank)
            return won, won + lost

        def order(words: tuple[str, ...]) -> tuple[int, int, float, str]:
            won, all_of_them = compared(words)
            share = won / all_of_them if all_of_them else 0
            text = " ".join(words)
            return -len(words), -len(text), -share, text

        won, all_of_them = compared(min(matches, key=order))
        wins += won
        decided += all_of_them
    return wins, decided, hits, len(parts)


def matches(
    output: list[str], references: list[list[str]], good: list[list[str]], order: int
) -> int:
    """Return the clipped n-gram matches in references and good candidates."""

    def ngrams(words: list[str]) -> Counter:
        return Counter(zip(*(words[i:] for i in range(order)), strict=False))

    most: Counter = Counter()
    for words in [*references, *good]:
        most |= ngrams(words)
    return (ngrams(output) & most).total()
