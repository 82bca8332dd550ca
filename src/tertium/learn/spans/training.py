# SPDX-License-Identifier: Apache-2.0
"""Train a span model on outputs with human error spans.

A word is wrong if people marked more than half of its characters, and majorly wrong if
more than half of those that they marked are major. Thresholds are chosen on predictions
for documents that the classifiers were not fitted to (cross-validation by document):
those of ``error`` and ``major`` together for the best F of characters with half credit
for another severity, that of ``missing`` for the best F of outputs that lack content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.judgements.spans.matching import (
    SEVERITY_LEVELS,
    Annotation,
    character_levels,
    severity_level,
)
from tertium.learn.spans.features import Described, describe
from tertium.learn.spans.logistic import Logistic, fit_logistic
from tertium.learn.spans.marking import expected_words
from tertium.learn.spans.model import SpanModel
from tertium.learn.spans.words import Array, Flags, Numbers
from tertium.meta.spans.conversions import score_of
from tertium.meta.spans.inputs import marked_outputs

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements.tables import Judgements

__all__ = ["train_span_model"]

_FOLDS = 5
_ERROR_GRID = np.arange(0.02, 0.6, 0.005)
_MAJOR_GRID = np.arange(0.2, 0.81, 0.025)


@dataclass(frozen=True)
class _Data:
    """Words and outputs with human judgements.

    Parameters
    ----------
    described : Described
        Of all outputs; segments count outputs.
    marked, major : array
        By word: the number of characters that people marked, and marked as major.
    folds : array of int
        By output.
    lacking : array of bool
        By output: whether content is missing.
    points : float
        MQM points of all outputs.
    severities : list of str
        Of missing content.
    """

    described: Described
    marked: Array
    major: Array
    folds: Numbers
    lacking: Flags
    points: float
    severities: list[str]

    @cached_property
    def lengths(self) -> Array:
        """The characters of every word."""
        places = self.described.places
        return (places[:, 1] - places[:, 0]).astype(float)

    @cached_property
    def wrong(self) -> Flags:
        """Whether words are errors."""
        return self.marked > self.lengths / 2

    @cached_property
    def worse(self) -> Flags:
        """Whether words are major errors, if they are any."""
        return self.major > self.marked / 2


def train_span_model(
    testset: Testset,
    judgements: Judgements,
    *,
    name: str,
    licence: str = "",
    training: Mapping[str, object] | None = None,
    regularisation: float = 10.0,
    threads: int | None = None,
) -> SpanModel:
    """Return a model that marks spans as people did.

    Parameters
    ----------
    testset : Testset
        Texts with references, and sources and documents if there are any. A reference
        must not be among the systems: nothing can be learnt from comparing it with
        itself.
    judgements : Judgements
        Human spans; those of outputs that the test set lacks are ignored.
    name : str
    licence : str
    training : mapping of str to object, optional
        What the file is to say about its data and command.
    regularisation : float
    threads : int, optional

    Raises
    ------
    InputError
        When there are too few documents, or nothing to learn.
    """
    data = _data(testset, judgements, threads)
    if not data.wrong.any() or data.wrong.all() or data.lacking.all():
        message = (
            "people marked no words, or all of them, so that there is nothing to "
            "learn; give other judgements"
        )
        raise InputError(message, options=("judgements",))
    guesses = _cross_validated(data, regularisation)
    thresholds, figures = _thresholds(data, guesses)
    expected = expected_words(guesses["error"], guesses["major"]).sum()
    majors = sum(severity_level(each) >= 3 for each in data.severities)
    about = {
        **(training or {}),
        "outputs": len(data.described.outputs),
        "words": len(data.described.words),
        "candidates": int(data.described.candidates.sum()),
        "wrong_words": int(data.wrong.sum()),
        "outputs_with_missing_content": int(data.lacking.sum()),
        "regularisation": regularisation,
    }
    return SpanModel(
        name,
        *_fitted(data, np.ones(len(data.folds), bool), regularisation),
        thresholds,
        "major" if 2 * majors > len(data.severities) else "minor",
        round(data.points / float(expected), 6),
        licence,
        about,
        {"folds": _FOLDS, "by": "document", **figures},
    )


def _fitted(
    data: _Data, seen: Flags, regularisation: float
) -> tuple[Logistic, Logistic, Logistic]:
    """Return the three classifiers, fitted to some of the outputs."""
    words, outputs = data.described.words, data.described.outputs
    of_words = seen[data.described.segments]

    def fit(features: Array, labels: Flags, rows: Flags) -> Logistic:
        return fit_logistic(features[rows], labels[rows], regularisation=regularisation)

    return (
        fit(words, data.wrong, of_words & data.described.candidates),
        fit(words, data.worse, of_words & data.wrong),
        fit(outputs, data.lacking, seen),
    )


def _cross_validated(data: _Data, regularisation: float) -> dict[str, Array]:
    """Return probabilities from classifiers that have not seen the document."""
    words, outputs = data.described.words, data.described.outputs
    guesses = {
        "error": np.zeros(len(words)),
        "major": np.zeros(len(words)),
        "missing": np.zeros(len(outputs)),
    }
    for fold in range(_FOLDS):
        error, major, missing = _fitted(data, data.folds != fold, regularisation)
        there = data.folds == fold
        here = there[data.described.segments]
        guesses["error"][here] = error.probabilities(words[here])
        guesses["major"][here] = major.probabilities(words[here])
        guesses["missing"][there] = missing.probabilities(outputs[there])
    guesses["error"] *= data.described.candidates
    return guesses


def _data(testset: Testset, judgements: Judgements, threads: int | None) -> _Data:
    human = marked_outputs(judgements).annotations
    ids = testset.ids or [str(i) for i in range(1, len(testset) + 1)]
    numbers = {name: i for i, name in enumerate(ids)}
    judged: dict[str, dict[int, list[Annotation]]] = {}
    for output, by_judge in human.items():
        if output.system in testset.systems and output.segment in numbers:
            segment = numbers[output.segment]
            judged.setdefault(output.system, {})[segment] = list(by_judge.values())
    docs = testset.docs or ids
    names = sorted({docs[i] for each in judged.values() for i in each})
    if not names:
        message = (
            "the test set has none of the judged outputs; names of systems and "
            "segments must be equal"
        )
        raise InputError(message, options=("testsets", "judgements"))
    if len(names) < _FOLDS:
        message = (
            f"the judged outputs come from {len(names)} documents, and "
            f"cross-validation needs {_FOLDS}; give more"
        )
        raise InputError(message, options=("testsets",))
    fold = {name: i % _FOLDS for i, name in enumerate(names)}
    source, _, target = (testset.langpair or "").partition("-")
    parts: list[Described] = []
    texts: list[str] = []
    people: list[list[Annotation]] = []
    folds: list[int] = []
    for system in sorted(judged):
        segments = sorted(judged[system])
        column = [testset.systems[system][i] for i in segments]
        sources = testset.sources
        parts.append(
            describe(
                column,
                [testset.references[i] for i in segments],
                None if sources is None else [sources[i] for i in segments],
                language=target,
                source_language=source,
                threads=threads,
            )
        )
        texts += column
        people += [judged[system][i] for i in segments]
        folds += [fold[docs[i]] for i in segments]
    described = _joined(parts)
    marked, major = _marks(described, texts, people)
    gaps = [mark for each in people for one in each for mark in one.missing]
    points = sum(-sum(map(score_of, each)) / len(each) for each in people)
    return _Data(
        described,
        marked,
        major,
        np.array(folds, np.int64),
        np.array([2 * sum(bool(one.missing) for one in e) > len(e) for e in people]),
        points,
        [mark.severity for mark in gaps],
    )


def _joined(parts: Sequence[Described]) -> Described:
    firsts = np.cumsum([0, *(len(part.outputs) for part in parts[:-1])])
    return Described(
        np.concatenate([part.words for part in parts]),
        np.concatenate([part.outputs for part in parts]),
        np.concatenate([part.places for part in parts]),
        np.concatenate(
            [part.segments + first for part, first in zip(parts, firsts, strict=True)]
        ),
        np.concatenate([part.categories for part in parts]),
        np.concatenate([part.candidates for part in parts]),
    )


def _marks(
    described: Described, texts: Sequence[str], people: Sequence[Sequence[Annotation]]
) -> tuple[Array, Array]:
    """Return how many characters of every word were marked, and marked as major."""
    ends = np.searchsorted(described.segments, np.arange(len(texts) + 1))
    marked, major = (np.zeros(len(described.words)) for _ in range(2))
    for k, (text, judges) in enumerate(zip(texts, people, strict=True)):
        words = slice(int(ends[k]), int(ends[k + 1]))
        begin, end = described.places[words].T
        for annotation in judges:
            levels = character_levels(annotation.marks, len(text))[: len(text)]
            for counts, least in ((marked, 1), (major, SEVERITY_LEVELS["major"])):
                sums = np.concatenate([[0], np.cumsum(levels >= least)])
                counts[words] += (sums[end] - sums[begin]) / len(judges)
    return marked, major


def _thresholds(
    data: _Data, guesses: Mapping[str, Array]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the best thresholds, and what they reach."""
    best = (-1.0, 0.0, 0.0, 0.0)
    for error in _ERROR_GRID:
        plain, partial = _character_f(data, guesses, float(error))
        k = int(partial.argmax())
        if partial[k] > best[0]:
            best = (float(partial[k]), plain, float(error), float(_MAJOR_GRID[k]))
    values = guesses["missing"]
    order = np.argsort(-values, kind="stable")
    hits = np.cumsum(data.lacking[order])
    f = 2 * hits / (np.arange(1, len(values) + 1) + max(1, int(data.lacking.sum())))
    last = int(f.argmax())
    severity_f, plain_f, error_at, major_at = best
    thresholds = {
        "error": round(error_at, 4),
        "major": round(major_at, 4),
        # Just below the last output that is found, and far from a rounding error.
        "missing": round(float(values[order[last]]) - 5e-7, 6) if hits[last] else 1.0,
    }
    figures = {
        "character_f": round(plain_f, 4),
        "character_severity_f": round(severity_f, 4),
        "missing_f": round(float(f[last]), 4),
    }
    return thresholds, figures


def _character_f(
    data: _Data, guesses: Mapping[str, Array], error: float
) -> tuple[float, Array]:
    """Return F of characters of words, and with severity for every threshold of it."""
    places = np.flatnonzero(guesses["error"] >= error)
    if not len(places):
        return 0.0, np.zeros(len(_MAJOR_GRID))
    segments, lengths = data.described.segments[places], data.lengths[places]
    starts = np.concatenate([[True], (np.diff(places) > 1) | (np.diff(segments) > 0)])
    first = np.flatnonzero(starts)  # the first words of spans

    def by_span(values: Array) -> Array:
        sums: Array = np.add.reduceat(values, first)
        return sums

    means = by_span(guesses["major"][places] * lengths) / by_span(lengths)
    marked, majors = by_span(data.marked[places]), by_span(data.major[places])
    worse = means[:, None] >= _MAJOR_GRID
    agreed = np.where(worse, majors[:, None], (marked - majors)[:, None]).sum(axis=0)
    total = lengths.sum() + data.marked.sum()
    # Half credit for a character of another severity.
    return float(2 * marked.sum() / total), (agreed + marked.sum()) / total
