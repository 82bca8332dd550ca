# SPDX-License-Identifier: Apache-2.0
"""The tables of a report: groups of segments, kinds of words, n-grams and errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium.analysis.buckets import Bucket, score_groups
from tertium.analysis.groups import Training, segment_groups
from tertium.analysis.intervals import Difference, Figure, Resampler, ratio
from tertium.analysis.ngrams import NgramGain, ngram_gains
from tertium.analysis.parts_of_speech import tag_counts
from tertium.analysis.word_classes import WordClass, word_classes
from tertium.analysis.word_errors import (
    ErrorKind,
    LabelledOutputs,
    count_errors,
    label_errors,
)
from tertium.analysis.words import Vocabulary, WordColumn

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.metrics import Metric
    from tertium.stats.resample import Report, Rows

__all__ = ["Tables", "make_tables"]


class Tables(NamedTuple):
    """The tables of a report; see :class:`SystemReport`."""

    buckets: list[Bucket]
    words: list[WordClass]
    ngrams: tuple[list[NgramGain], list[NgramGain]]
    errors: list[ErrorKind]
    labels: dict[str, LabelledOutputs]
    length_ratios: dict[str, Figure]

    def tests(self, spec: str) -> dict[str, list[Difference | None]]:
        """Return the tests that are corrected together, of groups under one metric."""
        return {
            "groups of segments": [each.differences[spec] for each in self.buckets],
            "kinds of words": [each.difference for each in self.words],
            "kinds of errors": [each.difference for each in self.errors],
        }


def make_tables(
    testset: Testset,
    metrics: Mapping[str, Metric],
    rows: Mapping[str, Sequence[Rows]],
    resampler: Resampler,
    *,
    stems: str,
    tags: Mapping[str, Sequence[str]],
    training: Training | None,
    progress: Report | None,
) -> Tables:
    """Return what differs between the outputs, in groups of segments and in words.

    Parameters
    ----------
    testset : Testset
        With one output per system.
    metrics : mapping of str to Metric
    rows : mapping of str to sequence of ndarray
        The statistics of every system, by metric.
    resampler : Resampler
    stems : str
        The language of stems; "" where only equal words are the same.
    tags : mapping of str to sequence of str
        Further columns to group segments by.
    training : Training, optional
        Word frequencies of the training corpus.
    progress : callable, optional
        As in :func:`tertium.compare`.
    """
    names, outputs = list(testset.systems), list(testset.systems.values())
    first = [refs[0] for refs in testset.references]
    known, vocabulary = Vocabulary(), Vocabulary()
    known.column(first)
    reference = vocabulary.column(first)
    groups = segment_groups(testset, reference, known, training=training, tags=tags)
    columns = [vocabulary.column(texts) for texts in outputs]
    by_name = dict(zip(names, columns, strict=True))
    if progress:
        progress("word errors", 0, None)
    labelled = label_errors(
        outputs, testset.references, language=stems, threads=resampler.threads
    )
    labels = dict(zip(names, labelled, strict=True))
    a, b = resampler.pair
    return Tables(
        buckets=score_groups(
            groups, names, metrics, rows, resampler, progress=progress
        ),
        words=word_classes(
            reference,
            by_name,
            vocabulary,
            resampler,
            known=known,
            training=training,
            tagged=tag_counts(testset),
        ),
        ngrams=ngram_gains(reference, (columns[a], columns[b]), vocabulary),
        errors=count_errors(labels, resampler),
        labels=labels,
        length_ratios=_length_ratios(reference, by_name, resampler),
    )


def _length_ratios(
    reference: WordColumn, columns: Mapping[str, WordColumn], resampler: Resampler
) -> dict[str, Figure]:
    rows = [
        np.column_stack([100.0 * column.lengths, reference.lengths])
        for column in columns.values()
    ]
    figures, _ = resampler.run(resampler.units(rows), ratio)
    return dict(zip(columns, figures, strict=True))
