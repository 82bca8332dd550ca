# SPDX-License-Identifier: Apache-2.0
"""Matches, misses and false alarms in one output."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tertium.judgements.spans.matching import (
    Annotation,
    Mark,
    MissingMark,
    missing_counts,
    span_counts,
)
from tertium.meta.spans.findings import findings

MARKS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(1, 4)).map(
        lambda each: Mark(each[0], each[0] + each[1], "minor")
    ),
    max_size=5,
)
LACKS = st.lists(st.just(MissingMark("major")), max_size=3)
ANNOTATIONS = st.builds(
    lambda marks, lacks: Annotation(tuple(marks), tuple(lacks)), MARKS, LACKS
)


@given(ANNOTATIONS, ANNOTATIONS)
def test_findings_are_what_the_measures_count(human, predicted):
    results = findings({"anna": human}, [predicted])
    kinds = [each.kind for each in results]
    marks, lacks = span_counts(predicted, human), missing_counts(predicted, human)
    assert kinds.count("match") == marks.recall_credit + lacks.recall_credit
    assert kinds.count("match") + kinds.count("miss") == marks.human + lacks.human
    assert (
        kinds.count("match") + kinds.count("false alarm")
        == marks.predicted + lacks.predicted
    )


def test_a_false_alarm_matches_no_judge():
    people = {"anna": Annotation((Mark(0, 2),)), "ben": Annotation()}
    results = findings(people, [Annotation((Mark(1, 3), Mark(5, 6)))])
    assert [(each.kind, each.judge) for each in results] == [
        ("match", "anna"),
        ("false alarm", ""),
    ]
