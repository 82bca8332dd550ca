# SPDX-License-Identifier: Apache-2.0
"""Calls of a metric in a law, with all that the metric asks for.

Sources, documents and ids are made up from the references: the same segment has the
same ones in any order and in any part of a test set.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.data.batch import Batch, References
from tertium.metrics.base import Metric

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["corpus_score", "make_batch", "segment_scores", "statistics"]


def asks(metric: Metric) -> bool:
    """Return whether a metric reads more than outputs and references."""
    return metric.needs_source or metric.needs_docs or metric.needs_names


def make_batch(
    metric: Metric, systems: Sequence[Sequence[str]], refs: References
) -> Batch:
    """Return a batch with all that a metric asks for."""
    if not asks(metric):
        return Batch(systems, refs)
    firsts = [
        str(each if isinstance(each, str) else " ".join(each[:1])) for each in refs
    ]
    return Batch(
        systems,
        refs,
        # Something that depends on the reference, and is not equal to it.
        sources=[" ".join(text.split()[::-1]).upper() for text in firsts],
        docs=[text[:1] for text in firsts],
        ids=[f"segment {text}" for text in firsts],
        names=["A", "B", "C"][: len(systems)],
    )


def corpus_score(
    metric: Metric,
    hyps: Sequence[str],
    refs: References,
    *,
    threads: int | None = None,
) -> float:
    """Return what :meth:`Metric.corpus_score` does."""
    if not asks(metric):
        return metric.corpus_score(hyps, refs, threads=threads)
    fitted = metric.prepare(refs)
    batch = make_batch(fitted, [hyps], refs)
    fitted.check(batch)
    return float(
        fitted.from_statistics(fitted.sums(batch, threads=threads)[0].values())
    )


def segment_scores(metric: Metric, hyps: Sequence[str], refs: References) -> Rows:
    """Return what :meth:`Metric.segment_scores` does."""
    if not asks(metric):
        return metric.segment_scores(hyps, refs)
    import numpy as np

    fitted = metric.prepare(refs)
    rows = statistics(fitted, hyps, refs)
    return np.asarray(fitted.from_statistics(rows), dtype=np.float64)


def statistics(
    metric: Metric,
    hyps: Sequence[str],
    refs: References,
    *,
    threads: int | None = None,
) -> Rows:
    """Return what :meth:`Metric.statistics` does."""
    if not asks(metric):
        return metric.statistics(hyps, refs, threads=threads)
    return metric.rows(make_batch(metric, [hyps], refs), threads=threads)[0]
