# SPDX-License-Identifier: Apache-2.0
"""Error spans of one output: overlap, matching, measures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.judgements.judgement import Span
from tertium.judgements.spans.matching import (
    Annotation,
    Counts,
    Mark,
    MissingMark,
    annotation_of,
    character_counts,
    match_exact,
    match_overlap,
    missing_counts,
    overlapping,
    span_counts,
)
from tests.oracles import error_spans as oracle

_SEVERITIES = ("minor", "major", "critical", "neutral", "", "Minor", "odd")


@st.composite
def marks(draw, *, most=4):
    spans = []
    for _ in range(draw(st.integers(0, most))):
        start = draw(st.integers(0, 9))
        end = draw(st.integers(start + 1, 11))
        severity = draw(st.sampled_from(_SEVERITIES))
        spans.append(Mark(start, end, severity, draw(st.sampled_from("ab"))))
    return tuple(spans)


@given(marks(), marks(), st.sampled_from(("ignore", "partial", "same")))
def test_characters_are_counted_as_one_by_one(one, two, severity):
    counts = character_counts(Annotation(one), Annotation(two), severity=severity)
    other = {"ignore": 1, "partial": 0.5, "same": 0}[severity]
    credit, predicted, human = oracle.characters(one, two, other)
    assert counts == (credit, credit, predicted, human)


@given(marks(most=3), marks(most=3))
def test_exact_matching_matches_as_many_as_possible(one, two):
    pairs = match_exact(one, two)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    assert all(one[i][:2] == two[j][:2] for i, j in pairs)
    assert len(pairs) == oracle.most_exact(one, two)


def test_exact_matching_prefers_equal_severity_and_category():
    one = [Mark(0, 2, "minor", "x"), Mark(0, 2, "major", "y")]
    two = [Mark(0, 2, "major", "z"), Mark(0, 2, "minor", "x")]
    assert match_exact(one, two) == [(0, 1), (1, 0)]


@given(marks(), marks())
def test_overlap_matching_takes_the_largest_overlap_first(one, two):
    assert match_overlap(one, two) == oracle.greedy(one, two)


@given(marks(), marks())
def test_overlapping_marks_are_found_once_each(one, two):
    expected = [
        (i, j, oracle.overlap(a, b))
        for i, a in enumerate(one)
        for j, b in enumerate(two)
        if oracle.overlap(a, b)
    ]
    assert sorted(overlapping(one, two)) == expected


@given(marks(), marks(), st.sampled_from(("exact", "overlap")))
def test_severity_only_takes_credit_away(one, two, matching):
    a, b = Annotation(one), Annotation(two)
    ignored, partial, same = (
        span_counts(a, b, matching=matching, severity=severity).precision_credit
        for severity in ("ignore", "partial", "same")
    )
    assert ignored >= partial >= same
    assert partial == (ignored + same) / 2


@given(marks())
def test_an_annotation_agrees_with_itself(one):
    a = Annotation(one)
    assert character_counts(a, a, severity="same").f == 1
    assert span_counts(a, a, matching="exact", severity="same").f == 1
    assert span_counts(a, a).f == 1


@given(marks(), marks())
def test_exchanging_sides_exchanges_precision_and_recall(one, two):
    there = character_counts(Annotation(one), Annotation(two), severity="partial")
    back = character_counts(Annotation(two), Annotation(one), severity="partial")
    assert (there.precision, there.recall) == (back.recall, back.precision)
    assert there.f == pytest.approx(back.f)


def test_empty_sides_have_stated_values():
    none, some = Annotation(), Annotation((Mark(0, 3),))
    assert character_counts(none, none)[:] == (0, 0, 0, 0)
    both = character_counts(none, none)
    assert (both.precision, both.recall, both.f) == (1, 1, 1)
    silent = character_counts(none, some)
    assert (silent.precision, silent.recall, silent.f) == (1, 0, 0)
    loud = character_counts(some, none)
    assert (loud.precision, loud.recall, loud.f) == (0, 1, 0)


def test_counts_add_up():
    assert Counts(1, 2, 3, 4).plus(Counts(1, 1, 1, 1)) == (2, 3, 4, 5)


def test_annotations_hold_only_errors_of_the_target():
    spans = [
        Span("a", "x", "No-Error", "1"),
        Span("a", "x", "minor", "1", start=0, end=2, side="source"),
        Span("a", "x", "major", "1", start=4, end=4),
        Span("a", "x", "major", "1", start=5, end=3),
        Span("a", "x", "major", "1", start=5),
        Span("a", "x", "major", "1", start=-2, end=30),
        Span("a", "omission", "minor", "1"),
    ]
    result = annotation_of(spans, length=10)
    assert result.marks == (Mark(0, 10, "major", "x"),)
    assert result.missing == (MissingMark("minor", "omission"),)
    assert not result.error_free
    assert annotation_of(spans[:3]).error_free


def test_missing_content_is_matched_by_number():
    one = Annotation(missing=(MissingMark("minor"), MissingMark("major")))
    two = Annotation(missing=(MissingMark("minor"),))
    counts = missing_counts(one, two)
    assert (counts.precision, counts.recall) == (0.5, 1)
