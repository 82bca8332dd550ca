# SPDX-License-Identifier: Apache-2.0
"""What needs no alignment: n-gram hits and the word-level edit script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tertium.report.views import NgramHits, WordEdit

__all__ = ["ngram_hits", "word_edits"]


def ngram_hits(
    hyp: Sequence[str], ref: Sequence[str], *, orders: int = 4
) -> tuple[NgramHits, ...]:
    """Return which n-grams of the output the reference has.

    Counts are clipped as in BLEU: of an n-gram that the output has more often than
    the reference, the first ones are hits.

    Examples
    --------
    >>> [hits.found for hits in ngram_hits("a b a".split(), "a b".split(), orders=2)]
    [(True, True, False), (True, False)]
    """
    found = []
    for order in range(1, orders + 1):
        left = Counter(_ngrams(ref, order))
        own = []
        for gram in _ngrams(hyp, order):
            own.append(left[gram] > 0)
            left[gram] -= 1
        found.append(NgramHits(order, tuple(own)))
    return tuple(found)


def _ngrams(words: Sequence[str], order: int) -> list[tuple[str, ...]]:
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def word_edits(hyp: Sequence[str], ref: Sequence[str]) -> tuple[WordEdit, ...]:
    """Return the fewest word edits that turn the output into the reference.

    Of equally short scripts the one that replaces rather than deletes and inserts.
    Time and memory grow with the product of the lengths.

    Examples
    --------
    >>> [e.operation for e in word_edits("a x c".split(), "a b c d".split())]
    ['keep', 'replace', 'keep', 'insert']
    """
    n, m = len(hyp), len(ref)
    costs = [list(range(m + 1))]
    for i in range(1, n + 1):
        above, row = costs[-1], [i]
        for j in range(1, m + 1):
            change = above[j - 1] + (hyp[i - 1] != ref[j - 1])
            row.append(min(change, above[j] + 1, row[j - 1] + 1))
        costs.append(row)
    edits: list[WordEdit] = []
    i, j = n, m
    while i or j:
        cost = costs[i][j]
        same = bool(i and j) and hyp[i - 1] == ref[j - 1]
        if i and j and costs[i - 1][j - 1] + (not same) == cost:
            i, j = i - 1, j - 1
            edits.append(WordEdit("keep" if same else "replace", i, j))
        elif i and costs[i - 1][j] + 1 == cost:
            i -= 1
            edits.append(WordEdit("delete", i, None))
        else:
            j -= 1
            edits.append(WordEdit("insert", None, j))
    return tuple(reversed(edits))
