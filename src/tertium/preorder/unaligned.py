# SPDX-License-Identifier: Apache-2.0
"""Words without a counterpart in the translation, such as articles before Japanese.

The links of a training text tell how often a word has none (Stanojević 2017, section
3.3). The probability of a word depends on its neighbours as well: relative frequencies
of (previous word, word, next word) are smoothed by those of both pairs, these by those
of the word, these by those of its suffix, and these by the share of all words. One
mechanism serves all models, as only some of them have operators for such words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.align.links import Link

    Keys: TypeAlias = NDArray[np.uint64]
    Floats: TypeAlias = NDArray[np.float64]

__all__ = [
    "MARKER",
    "UNALIGNED",
    "UnalignedWords",
    "learn_unaligned",
    "written_order",
    "written_words",
]

#: What outputs do with unaligned words.
UNALIGNED = ("keep", "mark", "drop")
#: What follows a marked word.
MARKER = "_null"
#: A marker that begins with it is a factor, and the other words get another one.
_FACTOR, _LINKED = "|", "|-"

#: The observations that a more general context counts for.
_STRENGTH = 5.0
#: Rarer contexts are forgotten: they say little and would be most of the table.
_RARE = 3
_SUFFIX = 3

_ARRAYS = ("unaligned_contexts", "unaligned_counts")


@dataclass(frozen=True, eq=False)
class UnalignedWords:
    """How often words have no links; :func:`learn_unaligned` counts them.

    Parameters
    ----------
    contexts : ndarray of uint64
        Hashes of words with their neighbours, sorted.
    counts : ndarray of shape (contexts, 2)
        How often each occurs, and how often the word has no links there.
    """

    contexts: NDArray[np.uint64]
    counts: NDArray[np.uint32]

    def probabilities(self, sentences: Sequence[Sequence[str]]) -> list[Floats]:
        """Return, for each sentence, the probabilities that words have no links.

        Examples
        --------
        >>> sentences = ["the cat sleeps".split(), "the dog barks".split()] * 3
        >>> table = learn_unaligned(sentences, [[(1, 0), (2, 1)]] * 6)
        >>> table.probabilities(["the bird".split()])[0].round(2).tolist()
        [0.9, 0.33]
        """
        keys, ends = _contexts(sentences)
        share, suffix, word, left, right, both = map(self._counted, keys)
        p = share[:, 1] / np.maximum(share[:, 0], 1)
        for counts in (suffix, word):
            p = _smoothed(counts, p)
        p = _smoothed(both, (_smoothed(left, p) + _smoothed(right, p)) / 2)
        return [p[start:end] for start, end in pairwise(ends)]

    def positions(
        self, sentences: Sequence[Sequence[str]], *, threshold: float = 0.5
    ) -> list[tuple[int, ...]]:
        """Return the words of each sentence that are more probably unaligned.

        Parameters
        ----------
        sentences : sequence of sequences of str
        threshold : float
            Their probability is higher than this.

        Raises
        ------
        InputError
            If `threshold` is not from 0 to 1.
        """
        if not 0 <= threshold <= 1:
            raise InputError(
                f"threshold is {threshold}; give a probability from 0 to 1",
                options=("unaligned_above",),
            )
        return [
            tuple(np.flatnonzero(p > threshold).tolist())
            for p in self.probabilities(sentences)
        ]

    def to_arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays that model files keep."""
        return dict(zip(_ARRAYS, (self.contexts, self.counts), strict=True))

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, NDArray[np.generic]]
    ) -> UnalignedWords | None:
        """Return the table of a model file; None if it was written without one."""
        if not {*_ARRAYS} <= arrays.keys():
            return None
        contexts, counts = (arrays[name] for name in _ARRAYS)
        return cls(contexts.astype(np.uint64), counts.astype(np.uint32).reshape(-1, 2))

    def _counted(self, keys: Keys) -> NDArray[np.uint32]:
        """Return the counts of contexts; 0 for unknown ones."""
        if not len(self.contexts):
            return np.zeros((len(keys), 2), np.uint32)
        at = np.searchsorted(self.contexts, keys)
        at[at == len(self.contexts)] = 0
        known = self.contexts[at] == keys
        counted: NDArray[np.uint32] = self.counts[at] * known[:, None].astype(np.uint32)
        return counted


def learn_unaligned(
    sentences: Sequence[Sequence[str]],
    links: Sequence[Iterable[Link | Sequence[float]]],
    *,
    held_out: int = 0,
) -> UnalignedWords:
    """Count which words have no links, and between which neighbours.

    Parameters
    ----------
    sentences : sequence of sequences of str
        The words of each source sentence.
    links : sequence of iterables of Link or of pairs
        Source and target words of each sentence, counted from 0.
    held_out : int
        Leave every n-th sentence out; 0 for none.

    Raises
    ------
    InputError
        If there are not as many alignments as sentences.
    """
    if len(sentences) != len(links):
        raise InputError(
            f"there are {len(sentences):,} sentences, but links of {len(links):,}; "
            "give the links of every sentence"
        )
    kept = [i for i in range(len(sentences)) if not held_out or (i + 1) % held_out]
    linked = [{int(link[0]) for link in links[i]} for i in kept]
    texts = [sentences[i] for i in kept]
    keys, _ = _contexts(texts)
    missing = np.array(
        [
            position not in words
            for sentence, words in zip(texts, linked, strict=True)
            for position in range(len(sentence))
        ],
        bool,
    )
    tables = [_counts(level, missing) for level in keys]
    contexts = np.concatenate([contexts for contexts, _ in tables])
    counts = np.concatenate([counts for _, counts in tables])
    order = np.argsort(contexts)
    return UnalignedWords(contexts[order], counts[order])


def written_order(
    order: Sequence[int], unaligned: Collection[int] | None, way: str
) -> tuple[int, ...]:
    """Return the source positions that an output has.

    Parameters
    ----------
    order : sequence of int
        Source positions, counted from 0, in their new order.
    unaligned : collection of int, optional
        The positions of unaligned words; None if they are not known.
    way : {"keep", "mark", "drop"}

    Raises
    ------
    InputError
        If unaligned words are to be marked or dropped, but are not known.

    Examples
    --------
    >>> written_order((0, 2, 3, 1), [2], "drop")
    (0, 3, 1)
    """
    positions = _positions(unaligned, way)
    if way != "drop":
        return tuple(order)
    return tuple(position for position in order if position not in positions)


def written_words(
    words: Sequence[str],
    unaligned: Collection[int] | None,
    way: str,
    *,
    marker: str = MARKER,
) -> list[str]:
    """Return the words of a sentence as outputs write them, in source order.

    Parameters
    ----------
    words : sequence of str
    unaligned, way
        As in :func:`written_order`; only ``mark`` changes words.
    marker : str
        What follows an unaligned word. One that begins with ``|`` is a factor; the
        other words then get the factor ``|-``.

    Examples
    --------
    >>> written_words("I see the cat".split(), [2], "mark")
    ['I', 'see', 'the_null', 'cat']
    >>> written_words("the cat".split(), [0], "mark", marker="|null")
    ['the|null', 'cat|-']
    """
    positions = _positions(unaligned, way)
    if way != "mark":
        return list(words)
    if not marker or marker.split() != [marker]:
        raise InputError(
            f"the marker {marker!r} is empty or has white space, which separates "
            "words; give another one",
            options=("marker",),
        )
    other = _LINKED if marker.startswith(_FACTOR) else ""
    return [
        word + (marker if position in positions else other)
        for position, word in enumerate(words)
    ]


def _positions(unaligned: Collection[int] | None, way: str) -> Collection[int]:
    if way not in UNALIGNED:
        raise UnknownNameError("value of unaligned", way, UNALIGNED)
    if unaligned is None and way != "keep":
        raise InputError(
            f"unaligned words cannot be told apart to {way} them, as the model has not "
            "counted them; train it again with this version of Tertium",
            options=("unaligned",),
        )
    return unaligned or ()


def _smoothed(counts: NDArray[np.uint32], general: Floats) -> Floats:
    """Return relative frequencies, with those of a more general context as prior."""
    frequency: Floats = (counts[:, 1] + _STRENGTH * general) / (
        counts[:, 0] + _STRENGTH
    )
    return frequency


def _counts(keys: Keys, missing: NDArray[np.bool_]) -> tuple[Keys, NDArray[np.uint32]]:
    """Return the contexts that are not rare, and their counts."""
    contexts, numbers = np.unique(keys, return_inverse=True)
    total = np.bincount(numbers, minlength=len(contexts))
    without = np.bincount(numbers[missing], minlength=len(contexts))
    common = total >= _RARE
    counts = np.stack([total[common], without[common]], 1).astype(np.uint32)
    return contexts[common], counts


def _contexts(sentences: Sequence[Sequence[str]]) -> tuple[list[Keys], list[int]]:
    """Return the contexts of all words, from general to special, and where words end.

    The contexts: none, the suffix, the word, with the word on its left, with that on
    its right, and with both.
    """
    ends = list(accumulate(map(len, sentences), initial=0))
    words: dict[str, int] = {}
    flat = np.fromiter(
        (words.setdefault(w, len(words)) for s in sentences for w in s), np.int64
    )
    table = np.array([_hash(word) for word in words], np.uint64)
    suffixes = np.array([_hash(word[-_SUFFIX:]) for word in words], np.uint64)
    word = table[flat] if words else np.zeros(0, np.uint64)
    suffix = suffixes[flat] if words else word
    left, right = np.roll(word, 1), np.roll(word, -1)
    starts = [start for start, end in pairwise(ends) if start < end]
    left[starts] = 0
    right[[end - 1 for start, end in pairwise(ends) if start < end]] = 0
    levels = ((), (suffix,), (word,), (left, word), (word, right), (left, word, right))
    return [_mixed(i, len(word), parts) for i, parts in enumerate(levels)], ends


def _mixed(level: int, size: int, parts: Iterable[Keys]) -> Keys:
    """Return one hash of several (multiplication and shift, modulo 2⁶⁴)."""
    factor, shift = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
    mixed = np.full(size, level + 1, np.uint64)
    for part in parts:
        mixed = (mixed ^ part) * factor
        mixed ^= mixed >> shift
    return mixed


def _hash(text: str) -> int:
    """Return a number of 64 bits that is the same on every machine."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")
