# SPDX-License-Identifier: Apache-2.0
"""Kinds of word errors, from an alignment with the reference.

Words are aligned if they are equal but for case, or have the same stem. Then

- *inflection*: aligned with another form of the word;
- *order*: aligned, but outside the longest sequence of aligned words that is in the
  order of the reference;
- *lexical choice*: not aligned, and stands between the same aligned neighbours as a
  word of the reference that is not aligned either;
- *extra*: any other word of the output that is not aligned;
- *missing*: any other word of the reference that is not aligned.

Punctuation is counted apart, as one kind. A word may be wrong in form and place at
once. Popović and Ney (2011) distinguish the same five kinds; they are found here by an
alignment instead of two error rates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any, TypeVar

import numpy as np

from tertium import _core
from tertium.align.aligner import Aligner
from tertium.align.matchers import ExactMatcher, Matcher, StemMatcher
from tertium.analysis.intervals import (
    Difference,
    Figure,
    Resampler,
    corrected,
    ratio,
)
from tertium.analysis.words import split
from tertium.errors import TertiumError

__all__ = [
    "KINDS", "ErrorKind", "LabelledOutputs", "count_errors", "has_stemmer",
    "label_errors",
]  # fmt: skip

#: The kinds, and what a reader should know about each.
KINDS = {
    "inflection": "the right word in another form",
    "order": "the right word in another place",
    "lexical choice": "another word where the reference has one",
    "extra": "a word that the reference does not have there",
    "missing": "a word of the reference that the output does not have",
    "punctuation": "a sign that is extra, missing, misplaced or another one",
}

_Flat = TypeVar("_Flat", bytes, np.ndarray)
_FORM, _ORDER, _CHOICE, _ALONE = 1, 2, 4, 8  # as in core/align/word_errors.hpp


@dataclass(frozen=True)
class LabelledOutputs:
    """The errors of one system, word by word.

    Attributes
    ----------
    output, reference : list of bytes
        Of every segment, one byte of flags per word, and the same for the reference: 1
        for inflection, 2 for order, 4 for lexical choice, 8 for extra or missing.
    links : list of array of int
        Of every segment, the word of the reference that a word is aligned with, or -1.
    chosen : list of int
        The reference with the fewest errors, by segment.
    counts : array, segments x kinds
    lengths : array of int
        Words of the reference, by segment.
    """

    output: list[bytes]
    reference: list[bytes]
    links: list[np.ndarray]
    chosen: list[int]
    counts: np.ndarray
    lengths: np.ndarray


@dataclass(frozen=True)
class ErrorKind:
    """How often systems make one kind of error.

    Attributes
    ----------
    kind : str
        One of :data:`KINDS`.
    counts : mapping of str to int
        By system.
    rates : mapping of str to Figure
        Errors per 100 words of the reference.
    difference : Difference or None
        Of rates, between the two systems in focus; None where there are too few
        segments.
    """

    kind: str
    counts: Mapping[str, int]
    rates: Mapping[str, Figure]
    difference: Difference | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures."""
        return {
            "kind": self.kind,
            "counts": dict(self.counts),
            "rates": {name: rate.to_dict() for name, rate in self.rates.items()},
            "difference": None
            if self.difference is None
            else self.difference.to_dict(),
        }


def label_errors(
    outputs: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    *,
    language: str = "",
    threads: int | None = None,
) -> list[LabelledOutputs]:
    """Return what is wrong with the words of every system.

    Parameters
    ----------
    outputs : sequence of sequences of str
        One sequence per system.
    references : sequence of sequences of str
        The references of each segment.
    language : str
        Of the texts; without stems of it, words match only as they are.
    threads : int, optional
    """
    aligner = Aligner(matchers=_matchers(language))
    words = [[split(text) for text in column] for column in outputs]
    ref_words = [[split(text) for text in texts] for texts in references]
    pairs = aligner.token_pairs(words, ref_words, systems=outputs, threads=threads)
    marks = _Marks()
    out = []
    for system, column in enumerate(words):
        hyp, ref, links, chosen = _core.word_errors(pairs, system, threads or 0)
        against = [texts[n] for texts, n in zip(ref_words, chosen, strict=True)]
        lengths = np.array([len(text) for text in against], np.int64)
        sizes = np.array([len(text) for text in column], np.int64)
        counts = _counts(
            np.frombuffer(hyp, np.uint8), marks.of(column), sizes,
            np.frombuffer(ref, np.uint8), marks.of(against), lengths,
        )  # fmt: skip
        out.append(
            LabelledOutputs(
                _cut(hyp, sizes),
                _cut(ref, lengths),
                _cut(np.frombuffer(links, np.int32), sizes),
                chosen,
                counts,
                lengths,
            )
        )
    return out


def count_errors(
    labelled: Mapping[str, LabelledOutputs], resampler: Resampler
) -> list[ErrorKind]:
    """Return how often systems make errors of every kind.

    P-values are corrected for the number of kinds.
    """
    out = []
    for number, kind in enumerate(KINDS):
        rows = [
            np.column_stack([100.0 * one.counts[:, number], one.lengths]).astype(float)
            for one in labelled.values()
        ]
        figures, test = resampler.tested(rows, ratio)
        counts = {n: int(one.counts[:, number].sum()) for n, one in labelled.items()}
        rates = dict(zip(labelled, figures, strict=True))
        out.append((kind, counts, rates, test))
    tests = corrected([test for *_, test in out])
    return [
        ErrorKind(kind, counts, rates, test)
        for (kind, counts, rates, _), test in zip(out, tests, strict=True)
    ]


def has_stemmer(language: str) -> bool:
    """Return whether words of a language match by their stems."""
    return len(_matchers(language)) > 1


@lru_cache(maxsize=8)
def _matchers(language: str) -> tuple[Matcher, ...]:
    if language:
        try:
            return ExactMatcher(), StemMatcher(language)
        except TertiumError:  # No stemmer for it: inflection counts as choice.
            pass
    return (ExactMatcher(),)


class _Marks:
    """Whether words are punctuation; every word is looked at once."""

    def __init__(self) -> None:
        self._known: dict[str, bool] = {}

    def of(self, texts: Sequence[Sequence[str]]) -> np.ndarray:
        known = self._known
        flags = []
        for word in chain.from_iterable(texts):
            flag = known.get(word)
            if flag is None:
                flag = known[word] = _core.is_punctuation(word)
            flags.append(flag)
        return np.array(flags, bool)


def _counts(
    hyp: np.ndarray, hyp_marks: np.ndarray, hyp_sizes: np.ndarray,
    ref: np.ndarray, ref_marks: np.ndarray, ref_sizes: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Return how many errors of every kind each segment has."""
    size = len(hyp_sizes)
    at, ref_at = (np.repeat(np.arange(size), each) for each in (hyp_sizes, ref_sizes))

    def total(place: np.ndarray, flags: np.ndarray) -> np.ndarray:
        return np.bincount(place[flags], minlength=size)

    word, ref_word = ~hyp_marks, ~ref_marks
    return np.column_stack(
        [
            total(at, word & (hyp & _FORM > 0)),
            total(at, word & (hyp & _ORDER > 0)),
            total(at, word & (hyp & _CHOICE > 0)),
            total(at, word & (hyp & _ALONE > 0)),
            total(ref_at, ref_word & (ref & _ALONE > 0)),
            # What is wrong in the output counts once, what is missing besides.
            total(at, hyp_marks & (hyp > 0))
            + total(ref_at, ref_marks & (ref & _ALONE > 0)),
        ]
    )


def _cut(flat: _Flat, sizes: np.ndarray) -> list[_Flat]:
    """Return what belongs to each segment."""
    ends = np.concatenate([[0], np.cumsum(sizes)]).tolist()
    return [flat[a:b] for a, b in pairwise(ends)]
