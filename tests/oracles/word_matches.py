# SPDX-License-Identifier: Apache-2.0
"""What systems get right, counted with dictionaries: words of a class, n-grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence


def word_counts(
    refs: Iterable[Sequence[str]],
    hyps: Iterable[Sequence[str]],
    chosen: Callable[[str], bool],
) -> tuple[int, int, int]:
    """Return how many words of a class are right, in references, and in outputs."""
    right = wanted = made = 0
    for ref, hyp in zip(refs, hyps, strict=True):
        want = Counter(word for word in ref if chosen(word))
        have = Counter(word for word in hyp if chosen(word))
        right += (want & have).total()
        wanted += want.total()
        made += have.total()
    return right, wanted, made


def ngram_matches(
    refs: Iterable[Sequence[str]], hyps: Iterable[Sequence[str]], n: int
) -> Counter[tuple[str, ...]]:
    """Return how often each n-gram is in a text and its reference."""
    total: Counter[tuple[str, ...]] = Counter()
    for ref, hyp in zip(refs, hyps, strict=True):
        total += Counter(_grams(ref, n)) & Counter(_grams(hyp, n))
    return total


def _grams(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]
