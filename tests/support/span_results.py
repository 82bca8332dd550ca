# SPDX-License-Identifier: Apache-2.0
"""Small comparisons of predicted with human error spans, and their texts."""

from __future__ import annotations

from tertium.data.testset import Testset
from tertium.judgements import Judgements, Span
from tertium.meta.spans import SpanEvaluation, correlate_spans

#: What A and B made of two segments; positions are code points.
OUTPUTS = {
    "A": ["The cat 😀 sat on a mat.", "All is well."],
    "B": ["A cat sits on mats.", "Nothing is wel."],
}


def texts(outputs=None) -> Testset:
    """Return the test set."""
    refs = ["The cat sat on the mat.", "All is well."]
    return Testset.build(
        refs,
        systems=outputs or OUTPUTS,
        sources=["Die Katze saß auf der Matte.", "Alles ist gut."],
        docs=["cats", "cats"],
    )


def people() -> Judgements:
    """Return human spans: a match, misses, missing content, no error."""
    return Judgements.from_iterable(
        [
            Span("A", "accuracy", "major", "1", start=8, end=9, judge="anna"),
            Span("A", "fluency", "minor", "1", start=18, end=19, judge="anna"),
            Span("A", "no-error", "no-error", "2", judge="anna"),
            Span("B", "accuracy", "major", "1", judge="anna"),
            Span("B", "fluency", "minor", "2", start=11, end=14, judge="anna"),
        ]
    )


def metric() -> Judgements:
    """Return predicted spans, with a false alarm."""
    return Judgements.from_iterable(
        [
            Span("A", "", "minor", "1", start=4, end=9),
            Span("A", "", "major", "2", start=0, end=3),
            Span("B", "", "minor", "1"),
            Span("B", "no-error", "no-error", "2"),
        ]
    )


def compared(*, testset: Testset | None = None) -> SpanEvaluation:
    """Return the comparison of one metric, and of one that marks nothing."""
    nothing = Judgements.from_iterable(
        Span(system, "no-error", "no-error", segment)
        for system in "AB"
        for segment in "12"
    )
    return correlate_spans(
        {"metric": metric(), "silent": nothing},
        people(),
        testset=testset,
        probes=testset is not None,
        resamples=20,
    )
