# SPDX-License-Identifier: Apache-2.0
"""Measures of predicted against human spans."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.judgements.spans.matching import (
    Annotation,
    Mark,
    MissingMark,
    character_counts,
)
from tertium.meta.spans import mpp_counts, precision_at_recall, score_of
from tertium.meta.spans.statistics import (
    MATCHINGS,
    WEIGHTS,
    columns,
    measures,
    output_row,
    values_of,
)
from tertium.meta.spans.wmt25 import wmt25_counts
from tertium.stats.correlation import pearson
from tests.oracles import error_spans as oracle

_PLACES = st.tuples(
    st.integers(0, 9), st.integers(1, 6), st.sampled_from(["minor", "major", "odd"])
)
_MARKS = st.lists(_PLACES, max_size=4).map(
    lambda result: tuple(Mark(start, start + size, how) for start, size, how in result)
)


@given(_MARKS, _MARKS, st.sampled_from([None, WEIGHTS]))
def test_mpp_finds_the_best_of_all_matchings(one, two, weights):
    counts = mpp_counts(Annotation(one), Annotation(two), weights=weights)
    result = counts.f, counts.precision + counts.recall, counts.precision
    assert result == pytest.approx(oracle.mpp(one, two, weights), abs=1e-8)


_KINDS = st.sampled_from(["minor", "Major", "critical", "neutral", "undecided", "odd"])


@given(
    *[st.lists(st.tuples(st.integers(0, 6), st.integers(1, 4), _KINDS), max_size=5)] * 2
)
def test_wmt25_counts_every_span_by_itself(one, two):
    one, two = ([Mark(at, at + size, kind) for at, size, kind in m] for m in (one, two))
    counts = wmt25_counts(Annotation(tuple(one)), Annotation(tuple(two)))
    credit, predicted, human = oracle.wmt25(one, two)
    assert counts == (credit, credit, predicted, human)


def test_wmt25_is_half_credit_for_characters_where_no_span_overlaps_another():
    one = Annotation((Mark(0, 4, "minor"), Mark(6, 9, "major")))
    two = Annotation((Mark(2, 8, "major"),))
    assert wmt25_counts(one, two) == character_counts(one, two, severity="partial")


def test_mpp_chooses_by_f_and_not_by_overlap():
    # Matching equal spans shares 11 characters, the other matching 9, yet its F is
    # 0.6 and that of the former 0.597.
    predicted = Annotation((Mark(0, 10), Mark(8, 12)))
    human = Annotation((Mark(0, 10), Mark(2, 9)))
    counts = mpp_counts(predicted, human)
    assert counts.precision == pytest.approx((7 / 10 + 2 / 4) / 2)
    assert counts.recall == pytest.approx((7 / 7 + 2 / 10) / 2)


@given(
    st.lists(st.tuples(st.integers(-3, 0), st.booleans()), min_size=1, max_size=12),
    st.sampled_from([0.2, 0.5, 0.8, 1.0]),
)
def test_precision_at_recall_tries_all_thresholds(rows, recall):
    scores, truth = [s for s, _ in rows], [t for _, t in rows]
    expected = oracle.precision_at_recall(scores, truth, recall)
    result = precision_at_recall(scores, truth, recall)
    assert (result is None) == (expected is None)
    assert result is None or result == pytest.approx(expected)


def test_scores_count_missing_content_and_unknown_severities():
    annotation = Annotation((Mark(0, 1, "odd"),), (MissingMark("major"),))
    assert score_of(annotation) == -6
    assert score_of(Annotation()) == 0


@given(st.lists(st.tuples(_MARKS, _MARKS, st.floats(-9, 9)), min_size=1, max_size=5))
def test_values_follow_from_sums(rows):
    """Micro-averages pool counts, macro-averages take means of outputs."""
    table, outputs, people = [], [], []
    for one, two, score in rows:
        a, b = Annotation(one), Annotation(two)
        labels = a.error_free, b.error_free
        scores = (score_of(a), score)
        table.append(output_row([a], [b], labels=labels, scores=scores))
        outputs.append((a, b))
        people.append(scores)
    values = dict(zip(measures(), values_of(np.sum(table, axis=0)), strict=True))
    assert len(table[0]) == columns()
    for name, count in MATCHINGS.items():
        each = [count(a, b) for a, b in outputs]
        total = each[0]
        for counts in each[1:]:
            total = total.plus(counts)
        assert values[f"{name}:micro-f"] == pytest.approx(total.f, abs=1e-9)
        mean = sum(counts.recall for counts in each) / len(each)
        assert values[f"{name}:macro-recall"] == pytest.approx(mean, abs=1e-9)
    expected = pearson(*map(list, zip(*people, strict=True))) if len(rows) > 1 else None
    if expected is not None and not np.isnan(values["score:pearson"]):
        assert values["score:pearson"] == pytest.approx(expected, abs=1e-4)


def test_labels_have_f1_and_mcc():
    clean, wrong = Annotation(), Annotation((Mark(0, 1),))
    cases = (
        [(clean, clean)] * 3 + [(clean, wrong), (wrong, clean)] + [(wrong, wrong)] * 5
    )
    rows = [
        output_row([a], [b], labels=(a.error_free, b.error_free), scores=(None, None))
        for a, b in cases
    ]
    values = dict(zip(measures(), values_of(np.sum(rows, axis=0)), strict=True))
    assert values["error-free:f1"] == pytest.approx(0.75)
    assert values["error-free:mcc"] == pytest.approx((3 * 5 - 1) / 24)
    assert np.isnan(values["score:pearson"])
