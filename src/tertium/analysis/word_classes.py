# SPDX-License-Identifier: Apache-2.0
"""How well systems translate words of a kind: rare ones, numbers, names, marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from tertium import _core
from tertium.analysis.groups import Training
from tertium.analysis.intervals import Difference, Figure, Resampler, corrected
from tertium.analysis.parts_of_speech import TagCounts
from tertium.analysis.words import Numbers, Vocabulary, WordColumn, is_name, is_number
from tertium.analysis.words import shared as in_common

__all__ = ["WordClass", "f_measure", "word_classes", "word_counts"]

#: Frequencies at which classes begin.
FREQUENCIES = (1, 2, 3, 4, 5, 10, 100, 1000)


@dataclass(frozen=True)
class WordClass:
    """Words of a kind, and how many of them systems get right.

    Attributes
    ----------
    kind, label : str
        Such as "frequency in the references" and "5 to 9".
    references : int
        How many words of the references are of this class.
    f : mapping of str to Figure
        By system: 100 times the harmonic mean of precision and recall.
    precision, recall : mapping of str to float
    difference : Difference or None
        Of f, between the two systems in focus; None where there are too few segments
        with words of this class.
    """

    kind: str
    label: str
    references: int
    f: Mapping[str, Figure]
    precision: Mapping[str, float]
    recall: Mapping[str, float]
    difference: Difference | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures."""
        return {
            "kind": self.kind,
            "label": self.label,
            "references": self.references,
            "f": {name: figure.to_dict() for name, figure in self.f.items()},
            "precision": dict(self.precision),
            "recall": dict(self.recall),
            "difference": None
            if self.difference is None
            else self.difference.to_dict(),
        }


def word_classes(
    reference: WordColumn,
    systems: Mapping[str, WordColumn],
    vocabulary: Vocabulary,
    resampler: Resampler,
    *,
    known: Vocabulary,
    training: Training | None = None,
    tagged: TagCounts | None = None,
) -> list[WordClass]:
    """Return how well systems translate words of every class.

    A word of an output is right if the reference of its segment has it; each of them
    counts once. Classes are those of the word itself.

    Parameters
    ----------
    reference : WordColumn
    systems : mapping of str to WordColumn
    vocabulary : Vocabulary
        Of all texts.
    resampler : Resampler
    known : Vocabulary
        Of the references.
    training : Training, optional
        Where frequencies come from, instead of the references.
    tagged : TagCounts, optional
        Words by part of speech.
    """
    words = vocabulary.words
    out: list[WordClass] = []
    kinds = [_frequencies(words, reference, training), _kinds(vocabulary, known)]
    most = sum(len(labels) for _, labels, _ in kinds)
    resampler = resampler.for_tests(most + (len(tagged.tags) if tagged else 0))
    for kind, labels, of_word in kinds:
        counts = word_counts(reference, systems.values(), of_word, len(labels))
        out += _figures(kind, labels, counts, list(systems), resampler)
    if tagged is not None:
        out += _figures(
            "part of speech", tagged.tags, tagged.counts, list(systems), resampler
        )
    tests = corrected([each.difference for each in out])
    return [
        replace(each, difference=test) for each, test in zip(out, tests, strict=True)
    ]


def word_counts(
    reference: WordColumn,
    systems: Sequence[WordColumn] | Any,
    of_word: Numbers,
    classes: int,
) -> list[np.ndarray]:
    """Return counts of every system: segments x classes x (right, reference, output).

    Parameters
    ----------
    reference : WordColumn
    systems : sequence of WordColumn
    of_word : array of int
        The class of every word.
    classes : int
    """
    size, segments = len(of_word), len(reference.lengths)

    def table(counted: tuple[Numbers, Numbers]) -> np.ndarray:
        keys, numbers = counted
        place = keys // size * classes + of_word[keys % size]
        flat = np.bincount(place, numbers, minlength=segments * classes)
        return flat.reshape(segments, classes)

    there = reference.counts(size)
    whole = table(there)
    out = []
    for column in systems:
        mine = column.counts(size)
        out.append(
            np.stack([table(in_common(there, mine)), whole, table(mine)], axis=2)
        )
    return out


def f_measure(sums: np.ndarray) -> np.ndarray:
    """Return F in per cent from (right, reference, output), along the last axis."""
    sums = np.asarray(sums)
    below = sums[..., 1] + sums[..., 2]
    out: np.ndarray = np.divide(
        200.0 * sums[..., 0], below, out=np.zeros_like(below), where=below != 0
    )
    return out


def _figures(
    kind: str,
    labels: Sequence[str],
    counts: Sequence[np.ndarray],
    systems: Sequence[str],
    resampler: Resampler,
) -> list[WordClass]:
    out = []
    for number, label in enumerate(labels):
        rows = [one[:, number].astype(float) for one in counts]
        references = int(rows[0][:, 1].sum())
        if references == 0:
            continue
        figures, test = resampler.tested(rows, f_measure, occupied=True)
        sums = [one.sum(axis=0) for one in rows]
        out.append(
            WordClass(
                kind,
                label,
                references,
                dict(zip(systems, figures, strict=True)),
                {
                    name: 100 * right / output if output else 0.0
                    for name, (right, _, output) in zip(systems, sums, strict=True)
                },
                {
                    name: 100 * right / whole
                    for name, (right, whole, _) in zip(systems, sums, strict=True)
                },
                test,
            )
        )
    return out


def _frequencies(
    words: Sequence[str], reference: WordColumn, training: Training | None
) -> tuple[str, list[str], Numbers]:
    if training is None:
        kind = "frequency in the references"
        known = np.bincount(reference.ids, minlength=len(words))
    else:
        kind, known = "frequency in training", training.of(words)
    labels = ["never"]
    for low, high in pairwise(FREQUENCIES):
        labels.append(f"{low:,}" if high == low + 1 else f"{low:,} to {high - 1:,}")
    labels.append(f"{FREQUENCIES[-1]:,} and more")
    return kind, labels, np.digitize(known, FREQUENCIES)


def _kinds(seen: Vocabulary, known: Vocabulary) -> tuple[str, list[str], Numbers]:
    labels = ["numbers", "punctuation and symbols", "capitalised names", "other words"]

    def kind(word: str) -> int:
        if is_number(word):
            return 0
        if _core.is_punctuation(word) or not word[0].isalnum():
            return 1
        return 2 if is_name(word, seen, known) else 3

    return "kind of word", labels, np.array([kind(w) for w in seen.words], np.int64)
