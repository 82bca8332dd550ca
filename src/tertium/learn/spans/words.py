# SPDX-License-Identifier: Apache-2.0
"""Words of outputs beside a reference and a source: arrays over all words of a batch.

Every function is linear in the number of words, apart from :func:`similarity`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Array", "Flags", "Numbers", "Text", "around", "flat_words", "neighbour",
    "run_lengths", "similarity", "window_share",
]  # fmt: skip

Array: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Numbers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class Text:
    """The words of a column of texts, one after the other.

    Parameters
    ----------
    words : list of str
    ids : array of int
        Numbers of the lower-cased words.
    segments : array of int
        The text of every word.
    first : array of int
        Where the words of every text begin, then the number of all words.
    """

    words: list[str]
    ids: Numbers
    segments: Numbers
    first: Numbers

    @property
    def lengths(self) -> Numbers:
        """The number of words of every text."""
        return np.diff(self.first)


def flat_words(texts: Sequence[Sequence[str]], numbers: dict[str, int]) -> Text:
    """Return texts word after word; `numbers` of lower-cased words grows."""
    words = list(chain.from_iterable(texts))
    lower = [numbers.setdefault(word.lower(), len(numbers)) for word in words]
    lengths = np.array([len(text) for text in texts], np.int64)
    first = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    segments = np.repeat(np.arange(len(texts)), lengths)
    return Text(words, np.array(lower, np.int64), segments, first)


def neighbour(flags: Flags, text: Text, step: int) -> Flags:
    """Return the flag of the word `step` places on, False beyond the text.

    Examples
    --------
    >>> text = flat_words([["a", "b"], ["c"]], {})
    >>> neighbour(np.array([True, True, True]), text, 1).tolist()
    [True, False, False]
    """
    out = np.zeros(len(flags), bool)
    place = np.arange(len(flags)) + step
    inside = (place >= text.first[text.segments]) & (
        place < text.first[text.segments + 1]
    )
    out[inside] = flags[place[inside]]
    return out


def run_lengths(flags: Flags, text: Text) -> Numbers:
    """Return the length of the run of flagged words that a word is in, or 0.

    Examples
    --------
    >>> text = flat_words([["a", "b", "c"], ["d"]], {})
    >>> run_lengths(np.array([False, True, True, True]), text).tolist()
    [0, 2, 2, 1]
    """
    begins = flags & ~neighbour(flags, text, -1)
    run = np.cumsum(begins) - 1
    lengths = np.bincount(run[flags], minlength=max(1, int(begins.sum())))
    return np.where(flags, lengths[np.maximum(run, 0)], 0)


def window_share(flags: Flags, text: Text, size: int) -> Array:
    """Return the share of flagged words at most `size` places away, itself included."""
    sums = np.concatenate([[0], np.cumsum(flags)])
    place = np.arange(len(flags))
    low = np.maximum(place - size, text.first[text.segments])
    high = np.minimum(place + size + 1, text.first[text.segments + 1])
    share: Array = (sums[high] - sums[low]) / np.maximum(high - low, 1)
    return share


def around(links: Numbers, text: Text, lengths: Numbers) -> Numbers:
    """Return how many reference words lie between the links around each word.

    The links are those of the nearest linked words on either side, or the ends of the
    reference; where they cross, the number is 0.

    Parameters
    ----------
    links : array of int
        The reference word of every word, or -1.
    text : Text
    lengths : array of int
        Words of each reference.
    """
    size = len(links)
    place = np.arange(size)
    begin, end = text.first[text.segments], text.first[text.segments + 1]
    linked = links >= 0
    last = np.maximum.accumulate(np.where(linked, place, -1)) if size else place
    last = np.concatenate([[-1], last[:-1]]) if size else place
    coming = np.where(linked, place, size)[::-1]
    coming = np.minimum.accumulate(coming)[::-1] if size else place
    coming = np.concatenate([coming[1:], [size]]) if size else place
    low = np.where(last >= begin, links[np.maximum(last, 0)], -1)
    high = np.where(
        coming < end, links[np.minimum(coming, size - 1)], lengths[text.segments]
    )
    between: Numbers = np.maximum(high - low - 1, 0)
    return between


def similarity(text: Text, wanted: Flags, other: Text, candidates: Flags) -> Array:
    """Return how similar words are to the most similar candidate of their segment.

    Dice's coefficient of the sets of adjacent letters, word boundaries included.
    O(w · c) for w words and c candidates of a segment.

    Parameters
    ----------
    text, other : Text
        Output and reference.
    wanted, candidates : array of bool
        Which words of either to compare; the others get 0.

    Examples
    --------
    >>> hyp, ref = flat_words([["houses"]], {}), flat_words([["house", "mice"]], {})
    >>> all_of = lambda text: np.ones(len(text.words), bool)
    >>> similarity(hyp, all_of(hyp), ref, all_of(ref)).round(2).tolist()
    [0.77]
    """
    out = np.zeros(len(text.words))
    pairs = _LetterPairs()
    for segment in range(len(text.first) - 1):
        mine = _chosen(text, wanted, segment)
        theirs = _chosen(other, candidates, segment)
        if len(mine) and len(theirs):
            sets = [pairs.of(text.words[i]) for i in mine]
            sets += [pairs.of(other.words[i]) for i in theirs]
            out[mine] = _dice(sets, len(mine)).max(axis=1)
    return out


def _chosen(text: Text, flags: Flags, segment: int) -> Numbers:
    begin, end = text.first[segment], text.first[segment + 1]
    chosen: Numbers = begin + np.flatnonzero(flags[begin:end])
    return chosen


def _dice(sets: Sequence[Numbers], rows: int) -> Array:
    """Return the similarity of the first sets with each of the others."""
    sizes = np.array([len(each) for each in sets])
    _, codes = np.unique(np.concatenate(sets), return_inverse=True)
    table = np.zeros((len(sets), int(codes.max()) + 1), np.float32)
    table[np.repeat(np.arange(len(sets)), sizes), codes] = 1
    common = table[:rows] @ table[rows:].T  # whole numbers, so that sums are exact
    dice: Array = 2.0 * common / (sizes[:rows, None] + sizes[None, rows:])
    return dice


class _LetterPairs:
    """Adjacent letters of words as numbers; every word is looked at once."""

    def __init__(self) -> None:
        self._known: dict[str, Numbers] = {}

    def of(self, word: str) -> Numbers:
        pairs = self._known.get(word)
        if pairs is None:
            letters = [0, *map(ord, word.lower()), 0]
            codes = {a << 21 | b for a, b in pairwise(letters)}
            pairs = self._known[word] = np.array(sorted(codes), np.int64)
        return pairs
