# SPDX-License-Identifier: Apache-2.0
"""Views without an alignment: n-gram hits and the word-level edit script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.report.explain.views import NgramHits, WordEdit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ngram_hits", "word_edits"]


def ngram_hits(
    hyp: Sequence[str], ref: Sequence[str], *, orders: int = 4
) -> tuple[NgramHits, ...]:
    """Return which n-grams of the output occur in the reference.

    Counts are clipped as in BLEU: of an n-gram that the output has more often than
    the reference, the first ones are hits.

    Examples
    --------
    >>> [hits.found for hits in ngram_hits("a b a".split(), "a b".split(), orders=2)]
    [(True, True, False), (True, False)]
    """
    hits = []
    for order in range(1, orders + 1):
        left = Counter(_ngrams(ref, order))
        matched = []
        for gram in _ngrams(hyp, order):
            matched.append(left[gram] > 0)
            left[gram] -= 1
        hits.append(NgramHits(order, tuple(matched)))
    return tuple(hits)


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
    costs = _edit_costs(hyp, ref)
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


def _edit_costs(hyp: Sequence[str], ref: Sequence[str]) -> NDArray[np.int32]:
    """Return the edit distances of all prefixes of both texts, row by row."""
    import numpy as np

    numbers: dict[str, int] = {}
    codes, other = (
        np.array([numbers.setdefault(word, len(numbers)) for word in words], np.int32)
        for words in (hyp, ref)
    )
    steps = np.arange(len(ref) + 1, dtype=np.int32)
    costs = np.empty((len(hyp) + 1, len(ref) + 1), np.int32)
    costs[0] = steps
    for i, word in enumerate(codes, start=1):
        row, above = costs[i], costs[i - 1]
        row[0] = i
        np.minimum(above[:-1] + (other != word), above[1:] + 1, out=row[1:])
        # An insertion costs one more than the cell to its left.
        row[:] = np.minimum.accumulate(row - steps) + steps
    return costs
