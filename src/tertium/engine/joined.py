# SPDX-License-Identifier: Apache-2.0
"""Scores of documents as one text each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.data.segmentation.joining import joined_documents
from tertium.engine.inputs import as_metrics
from tertium.engine.score import score_stream
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.engine.results import ScoreTable
    from tertium.metrics import Metric

__all__ = ["score_joined"]


def score_joined(
    testset: Testset,
    *,
    metrics: Sequence[str | Metric] | str | Metric,
    threads: int | None = None,
    runs: Mapping[str, Sequence[str]] | None = None,
    facts: Mapping[str, str] | None = None,
) -> ScoreTable:
    """Score every document as one text: the document is the segment.

    Unlike ``score(..., documents=True)``, which adds up the statistics of segments, the
    result does not depend on where segments begin and end.

    Parameters
    ----------
    testset : Testset
        With documents.
    metrics : sequence of str
    threads : int, optional
    runs : mapping of str to sequence of str, optional
        As in :func:`tertium.score`.
    facts : mapping of str to str, optional
        What signatures say about the texts, beside ``unit:document``.

    Returns
    -------
    ScoreTable
        With ``documents``; its ``segments`` is the number of documents.

    Raises
    ------
    InputError
        If there are no document ids, or a metric looks up scores of segments.

    Examples
    --------
    >>> from tertium.data import Testset
    >>> texts = Testset.build(["a b", "c d"], {"A": ["a", "b c d"]}, docs=["x", "x"])
    >>> score_joined(texts, metrics="wer")
    system     WER
    A       0.0000
    """
    if testset.docs is None:
        message = "there are no document ids; give one per segment as docs"
        raise InputError(message, options=("docs",))
    by_spec = as_metrics(metrics)
    for spec, metric in by_spec.items():
        if metric.needs_names:
            message = (
                f"{spec} has scores of segments, and joined documents are other texts; "
                "omit it, or use documents, which has the mean of their segments"
            )
            raise InputError(message, options=("documents",))
    whole = joined_documents(testset)
    table = score_stream(
        lambda: [whole],
        metrics=metrics,
        segments=True,
        threads=threads,
        runs=runs,
        facts={**(facts or {}), "unit": "document"},
    )
    names = whole.docs or []
    systems = {
        name: {
            spec: replace(
                score,
                segments=None,
                documents={
                    doc: float("nan") if value is None else value
                    for doc, value in zip(names, score.segments or [], strict=True)
                },
            )
            for spec, score in scores.items()
        }
        for name, scores in table.systems.items()
    }
    return replace(table, systems=systems, ids=None)
