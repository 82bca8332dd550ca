# SPDX-License-Identifier: Apache-2.0
"""N-grams that one system gets right more often than another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.analysis.words import Numbers, Vocabulary, WordColumn, shared

__all__ = ["LONGEST", "NgramGain", "ngram_gains"]

LONGEST = 4
_EXAMPLES = 5


@dataclass(frozen=True)
class NgramGain:
    """An n-gram of the references, and how often two systems get it right.

    Attributes
    ----------
    words : tuple of str
    matches : tuple of int
        Of both systems: n-grams in common with the reference of the segment, each
        counted as often as it is in both.
    references : int
        How often references have it.
    share : float
        (a + alpha) / (a + b + 2 alpha) for matches a and b: above .5 where the first
        system is right more often, smoothed so that rare n-grams stay close to it.
    segments : tuple of int
        Where the system that is right more often is right and the other is not, from 0.
    """

    words: tuple[str, ...]
    matches: tuple[int, int]
    references: int
    share: float
    segments: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures; segments count from 1."""
        return {
            "words": list(self.words),
            "matches": list(self.matches),
            "references": self.references,
            "share": self.share,
            "segments": [number + 1 for number in self.segments],
        }


def ngram_gains(
    reference: WordColumn,
    systems: tuple[WordColumn, WordColumn],
    vocabulary: Vocabulary,
    *,
    alpha: float = 1.0,
    most: int = 20,
) -> tuple[list[NgramGain], list[NgramGain]]:
    """Return the n-grams of 1 to 4 words in which either system gains most.

    An n-gram within a longer one that both systems match as often is left out: it says
    nothing more.

    Parameters
    ----------
    reference : WordColumn
    systems : tuple of WordColumn
    vocabulary : Vocabulary
        Of all three.
    alpha : float
        The smoothing; more of it asks for more evidence.
    most : int
        Of either system.

    Returns
    -------
    tuple of lists
        Where the first system gains, and where the second does; the largest gains
        first, then the more frequent n-grams.
    """
    words = vocabulary.words
    columns = [reference, *systems]
    grams = [column.ids for column in columns]
    keys: list[Numbers] = [np.arange(len(words))[:, None]]  # words of every n-gram
    gains: list[list[NgramGain]] = [[], []]
    for n in range(1, LONGEST + 1):
        if n > 1:
            grams, longer = _lengthened(columns, grams, n, len(words))
            keys.append(np.column_stack([keys[-1][longer // len(words)], longer]))
            keys[-1][:, -1] %= len(words)
        counted = _Counted(columns, grams, n, len(keys[-1]))
        scores = (counted.matches[0] + alpha) / (
            counted.matches.sum(axis=0) + 2 * alpha
        )
        for side, ordered in enumerate((-scores, scores)):
            order = np.lexsort((-counted.matches.sum(axis=0), ordered))
            for gram in order[: 4 * most]:
                if (scores[gram] > 0.5, scores[gram] < 0.5)[side]:
                    name = tuple(words[w] for w in keys[-1][gram])
                    gains[side].append(counted.gain(gram, name, float(scores[gram])))
    first, second = (
        _best(one, sign, most) for one, sign in zip(gains, (-1, 1), strict=True)
    )
    return first, second


class _Counted:
    """N-grams of one length: how often references have and systems match them."""

    def __init__(
        self, columns: Sequence[WordColumn], grams: Sequence[Numbers], n: int, size: int
    ) -> None:
        self._size = size
        counts = [
            np.unique(_segments(column, n) * size + ids, return_counts=True)
            for column, ids in zip(columns, grams, strict=True)
        ]
        self._common = [shared(counts[0], one) for one in counts[1:]]
        self.references = np.bincount(
            counts[0][0] % size, weights=counts[0][1], minlength=size
        )
        self.matches = np.array(
            [
                np.bincount(keys % size, weights=number, minlength=size)
                for keys, number in self._common
            ]
        )

    def gain(self, gram: int, words: tuple[str, ...], share: float) -> NgramGain:
        """Return what is known of an n-gram."""
        a, b = (int(self.matches[side, gram]) for side in (0, 1))
        hits = [self._hits(side, gram) for side in (0, 1)]
        better, other = hits if share > 0.5 else hits[::-1]
        segments = [s for s, number in better.items() if number > other.get(s, 0)]
        return NgramGain(
            words,
            (a, b),
            int(self.references[gram]),
            share,
            tuple(segments[:_EXAMPLES]),
        )

    def _hits(self, side: int, gram: int) -> dict[int, int]:
        keys, numbers = self._common[side]
        chosen = np.flatnonzero(keys % self._size == gram)
        return {int(keys[i] // self._size): int(numbers[i]) for i in chosen}


def _segments(column: WordColumn, n: int) -> Numbers:
    """Return the segment of every n-gram."""
    return np.repeat(
        np.arange(len(column.lengths)), np.maximum(column.lengths - n + 1, 0)
    )


def _lengthened(
    columns: Sequence[WordColumn], grams: Sequence[Numbers], n: int, types: int
) -> tuple[list[Numbers], Numbers]:
    """Return the n-grams of all columns by number, from those of n - 1 words.

    The second value has, for every new number, ``shorter * types + last word``.
    """
    parts = []
    for column, ids in zip(columns, grams, strict=True):
        lengths = column.lengths
        begins = column.ends[:-1]
        # Where n-grams begin among words, and where their n - 1 first words are kept.
        kept = np.maximum(lengths - n + 1, 0)
        within = np.arange(kept.sum()) - np.repeat(np.cumsum(kept) - kept, kept)
        shorter = np.maximum(lengths - n + 2, 0)
        place = np.repeat(np.cumsum(shorter) - shorter, kept) + within
        last = np.repeat(begins, kept) + within + n - 1
        parts.append(ids[place] * types + column.ids[last])
    known, numbers = np.unique(np.concatenate(parts), return_inverse=True)
    ends = np.cumsum([len(part) for part in parts])[:-1]
    return list(np.split(numbers, ends)), known


def _best(gains: list[NgramGain], sign: int, most: int) -> list[NgramGain]:
    """Return the largest gains without what longer n-grams say as well."""
    ordered = sorted(
        gains, key=lambda g: (sign * g.share, -sum(g.matches), -len(g.words), g.words)
    )
    out: list[NgramGain] = []
    for gain in ordered:
        if len(out) == most:
            break
        if not any(_within(gain, other) for other in out):
            out.append(gain)
    return out


def _within(gain: NgramGain, other: NgramGain) -> bool:
    if gain.matches != other.matches or len(gain.words) >= len(other.words):
        return False
    n = len(gain.words)
    return any(
        other.words[i : i + n] == gain.words for i in range(len(other.words) - n + 1)
    )
