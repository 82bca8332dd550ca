# SPDX-License-Identifier: Apache-2.0
"""Measures that depend on the order of scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from tertium.meta.spans.conversions import precision_at_recall
from tertium.meta.spans.ordered import RECALL, OrderedMeasures

OUTPUTS = st.lists(
    st.tuples(st.integers(-3, 0), st.integers(0, 4), st.booleans(), st.integers(0, 3)),
    min_size=1,
    max_size=12,
)


@given(OUTPUTS, st.lists(st.integers(0, 3), min_size=4, max_size=4))
def test_weights_are_the_same_as_copies_of_segments(outputs, weights):
    x, y, truth, clusters = (list(column) for column in zip(*outputs, strict=True))
    measures = OrderedMeasures(x, y, truth, clusters, 4)
    chunk = np.array([weights])
    (precision,), (tau,) = (
        measures.sampled_precision(chunk),
        measures.sampled_tau([chunk]),
    )
    copies = [each for each in outputs for _ in range(weights[each[3]])]
    expected = precision_at_recall(
        [each[0] for each in copies], [each[2] for each in copies], RECALL
    )
    if expected is None:
        assert np.isnan(precision)
    else:
        assert precision == pytest.approx(expected)
    a, b = np.array([each[:2] for each in copies], float).reshape(-1, 2).T
    if len(copies) < 2 or not np.ptp(a) or not np.ptp(b):
        assert np.isnan(tau)
    else:
        assert tau == pytest.approx(kendalltau(a, b).statistic)


def test_values_are_those_of_all_outputs():
    scores, human = [0.0, -1.0, -5.0, -1.0], [90.0, 70.0, 20.0, None]
    measures = OrderedMeasures(
        scores, human, [True, False, False, True], [0, 1, 2, 3], 4
    )
    precision, tau = measures.values()
    assert precision == pytest.approx(2 / 3)
    assert tau == pytest.approx(1.0)


def test_undefined_values_are_none():
    assert OrderedMeasures([0.0], [1.0], [False], [0], 1).values() == [None, None]


def test_tables_of_all_pairs_of_segments_are_not_kept():
    numbers = list(range(50))
    scores = [float(number % 7) for number in numbers]
    measures = OrderedMeasures(scores, scores, [True] * 50, numbers, 50)
    assert measures.sampled_tau([np.ones((3, 50))]) == pytest.approx(1.0)
    assert max(array.size for array in vars(measures).values() if np.ndim(array)) == 50
