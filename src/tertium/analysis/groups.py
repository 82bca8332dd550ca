# SPDX-License-Identifier: Apache-2.0
"""Groups of segments: by length, words, numbers, documents, tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tertium.analysis.words import (
    Numbers,
    Vocabulary,
    WordColumn,
    is_name,
    is_number,
)
from tertium.data.testset import Testset

__all__ = ["BUILT_IN", "Group", "Training", "segment_groups", "too_many_values"]

#: Lengths in words at which groups begin.
LENGTHS = (10, 20, 30, 40, 50, 60)
#: Kinds of groups that no tag may be called.
BUILT_IN = (
    "reference length", "source length", "unseen words", "word frequency", "numbers",
    "names", "punctuation", "document",
)  # fmt: skip
_TAGS = 50  # A column with more values does not tag segments.
_THIRDS = ("rare words", "neither rare nor frequent words", "frequent words")


@dataclass(frozen=True)
class Group:
    """Segments with something in common.

    Attributes
    ----------
    kind : str
        What segments are grouped by, such as "reference length".
    label : str
    members : array of int
        Numbers of the segments, from 0.
    """

    kind: str
    label: str
    members: Numbers


@dataclass(frozen=True)
class Training:
    """How often words occur in a training corpus."""

    counts: Mapping[str, int]

    def of(self, words: Sequence[str]) -> Numbers:
        """Return how often each of the words occurs."""
        return np.array([self.counts.get(word, 0) for word in words], np.int64)


def segment_groups(
    testset: Testset,
    reference: WordColumn,
    vocabulary: Vocabulary,
    *,
    training: Training | None = None,
    tags: Mapping[str, Sequence[str]] | None = None,
) -> list[Group]:
    """Return groups of segments, kind by kind.

    A kind that puts all segments into one group is left out.

    Parameters
    ----------
    testset : Testset
    reference : WordColumn
        The first reference of every segment.
    vocabulary : Vocabulary
        Of the references alone.
    training : Training, optional
    tags : mapping of str to sequence of str
        Further columns, one value per segment; layers of the test set count as well.
        Columns of :func:`too_many_values` do not group segments, nor do documents.
    """
    groups = _by_length("reference length", reference.lengths)
    if testset.sources is not None:
        lengths = Vocabulary().column(testset.sources).lengths
        groups += _by_length("source length", lengths)
    groups += _by_words(reference, vocabulary, training)
    groups += _by_punctuation([refs[0] for refs in testset.references])
    columns = {**_tag_layers(testset), **(tags or {})}
    if testset.docs is not None:
        columns = {"document": testset.docs, **columns}
    for name, column in columns.items():
        if not too_many_values(column):
            groups += _by_value(name, column)
    kinds = [group.kind for group in groups]
    return [group for group in groups if kinds.count(group.kind) > 1]


def too_many_values(column: Sequence[str]) -> int:
    """Return how many values may group segments, if a column has more; else 0.

    They are at most 50, and at most half as many as there are segments.

    Examples
    --------
    >>> too_many_values(["news", "web"] * 50), too_many_values(["a", "b", "c", "c"])
    (0, 2)
    """
    most = min(_TAGS, len(column) // 2)
    return most if len(set(column)) > max(1, most) else 0


def _by_length(kind: str, lengths: Numbers) -> list[Group]:
    bins = np.digitize(lengths, LENGTHS)
    names = [f"under {LENGTHS[0]} words"]
    names += [f"{low} to {high - 1} words" for low, high in pairwise(LENGTHS)]
    return _by_bins(kind, bins, [*names, f"{LENGTHS[-1]} words and more"])


def _by_bins(kind: str, bins: Numbers, names: Sequence[str]) -> list[Group]:
    return [
        Group(kind, name, np.flatnonzero(bins == number))
        for number, name in enumerate(names)
        if (bins == number).any()
    ]


def _by_words(
    reference: WordColumn, vocabulary: Vocabulary, training: Training | None
) -> list[Group]:
    words = vocabulary.words
    groups: list[Group] = []
    if training is not None:
        known = training.of(words)
        unseen = known == 0
        groups += _with("unseen words", "a word that training lacks", unseen, reference)
    else:
        known = np.bincount(reference.ids, minlength=len(words))
    letters = np.array([word[0].isalpha() for word in words])
    mean = _means(np.log1p(known), letters, reference)
    if len(mean) >= 3:
        bins = np.digitize(mean, np.quantile(mean, [1 / 3, 2 / 3]))
        groups += _by_bins("word frequency", bins, _THIRDS)
    numbers = np.array([is_number(word) for word in words])
    groups += _with("numbers", "a number", numbers, reference)
    names = np.array([is_name(word, vocabulary, vocabulary) for word in words])
    return groups + _with("names", "a capitalised name", names, reference)


def _means(values: np.ndarray, chosen: np.ndarray, column: WordColumn) -> np.ndarray:
    """Return the mean of the values of the chosen words, by segment."""
    segments, size = column.segments, len(column.lengths)
    weights = chosen[column.ids].astype(float)
    total = np.bincount(segments, values[column.ids] * weights, minlength=size)
    count = np.bincount(segments, weights, minlength=size)
    return total / np.maximum(count, 1)


def _with(kind: str, what: str, chosen: np.ndarray, column: WordColumn) -> list[Group]:
    """Return the segments with one of the chosen words, and those without."""
    occurrences = np.bincount(
        column.segments, chosen[column.ids].astype(float), minlength=len(column.lengths)
    )
    return _by_bins(kind, (occurrences == 0).astype(np.int64), [what, "none"])


def _by_punctuation(references: Sequence[str]) -> list[Group]:
    names = ("question", "exclamation", "quotation or brackets", "other")
    bins = []
    for text in references:
        end = text.rstrip("\"'»”’)] ")[-1:]
        if end in ("?", "？", "؟"):
            bins.append(0)
        elif end in ("!", "！"):
            bins.append(1)
        else:
            bins.append(2 if any(sign in text for sign in '"“„«»「(（[') else 3)
    return _by_bins("punctuation", np.array(bins, np.int64), names)


def _by_value(kind: str, column: Sequence[str]) -> list[Group]:
    members: dict[str, list[int]] = {}
    for number, value in enumerate(column):
        members.setdefault(value, []).append(number)
    return [
        Group(kind, value or "(none)", np.array(numbers, np.int64))
        for value, numbers in members.items()
    ]


def _tag_layers(testset: Testset) -> dict[str, list[str]]:
    return {
        f"{name} (layer)" if name in BUILT_IN else name: column
        for name, column in testset.layers.items()
    }
