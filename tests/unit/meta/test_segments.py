# SPDX-License-Identifier: Apache-2.0
"""Matrices, grouped coefficients, tie calibration."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import correlation as oracle
from support.score_tables import matrix, tables
from tertium.errors import InputError, UnknownNameError
from tertium.meta import (
    GROUPINGS,
    ScoreMatrix,
    calibrate,
    segment_coefficient,
)
from tertium.meta.agreement.grouped import COEFFICIENTS

EPSILONS = ("kendall_a", "kendall_b", "kendall_23", "acc23")


@given(tables(1), st.sampled_from(sorted(COEFFICIENTS)), st.sampled_from(GROUPINGS))
def test_grouped_coefficients_equal_the_oracle(data, coefficient, group):
    human, (metric,) = data
    epsilon = 0.5 if coefficient in EPSILONS else 0.0
    want = oracle.grouped(COEFFICIENTS[coefficient], human, metric, group, epsilon)
    got = segment_coefficient(
        matrix(human), matrix(metric), coefficient, group=group, epsilon=epsilon
    )
    assert got.value == (None if want is None else pytest.approx(want, abs=1e-12))
    assert got.of == {"item": len(human), "sys": human.shape[1], "none": 1}[group]


@given(tables(1, 5, 5), st.sampled_from(GROUPINGS))
def test_calibration_equals_trying_every_epsilon(data, group):
    human, (metric,) = data
    result = calibrate(matrix(human), matrix(metric), group=group)
    epsilon, accuracy = oracle.calibrate(human, metric, group)
    if accuracy < 0:
        assert (result.accuracy, result.groups) == (None, 0)
    else:
        assert result.epsilon == epsilon
        assert result.accuracy == pytest.approx(accuracy, abs=1e-12)


def test_calibration_of_many_pairs_is_what_the_coefficient_says():
    random = np.random.default_rng(4)
    human = random.integers(0, 3, (300, 12)).astype(float)
    metric = human + random.normal(size=human.shape) / 2
    for group in ("item", "none"):
        result = calibrate(matrix(human), matrix(metric), group=group)

        def value(epsilon, group=group):
            return segment_coefficient(
                matrix(human), matrix(metric), "acc23", group=group, epsilon=epsilon
            ).value

        assert result.accuracy == pytest.approx(value(result.epsilon), abs=1e-12)
        others = [value(result.epsilon * k / 20) for k in range(41) if k != 20]
        assert max(others) <= result.accuracy + 1e-12
        assert result.epsilon > 0.1
        assert value(np.nextafter(result.epsilon, 0)) < result.accuracy


def test_threads_change_nothing():
    random = np.random.default_rng(4)
    human, metric = random.integers(0, 9, (2, 200, 7)).astype(float)
    for group in GROUPINGS:
        one, many = (
            segment_coefficient(
                matrix(human), matrix(metric), "spearman", group=group, threads=t
            )
            for t in (1, 5)
        )
        assert one == many


def test_order_of_the_metrics_systems_does_not_matter():
    random = np.random.default_rng(0)
    human, metric = (matrix(t) for t in random.integers(0, 9, (2, 6, 4)).astype(float))
    turned = metric.select(metric.systems[::-1], metric.segments[::-1])
    want = segment_coefficient(human, metric)
    assert segment_coefficient(human, turned) == want


def test_gaps_of_the_metric_are_an_error_unless_dropped():
    human = ScoreMatrix.from_scores({"A": [1, 2, None], "B": [2, 1, 3]})
    metric = ScoreMatrix.from_scores({"A": [1, None, None], "B": [2, 1, 3]})
    with pytest.raises(
        InputError, match=r"no score for system 'A', segment '2' \(1 in"
    ):
        segment_coefficient(human, metric)
    result = segment_coefficient(human, metric, missing="drop")
    assert (result.value, result.groups, result.of) == (1.0, 1, 3)
    with pytest.raises(UnknownNameError, match="rule for missing scores"):
        segment_coefficient(human, metric, missing="ignore")


def test_matrices_are_checked():
    with pytest.raises(InputError, match="system 'B' has 1 scores, another has 2"):
        ScoreMatrix.from_scores({"A": [1, 2], "B": [1]})
    with pytest.raises(InputError, match="segment '1' is there twice"):
        ScoreMatrix.from_scores({"A": [1, 2]}, segments=[1, 1])
    with pytest.raises(InputError, match=r"scores of shape \(1, 1\) for 1 systems and"):
        ScoreMatrix(("A",), ("1", "2"), np.zeros((1, 1)))
    with pytest.raises(InputError, match="segment '2' is infinite"):
        ScoreMatrix.from_scores({"A": [1, np.inf]})
    one = ScoreMatrix.from_scores({"A": [1, None], "B": [None, None]})
    assert one.system_scores() == {"A": 1.0, "B": None}
    assert (one.shape, one.get("A", "1"), one.get("A", "2")) == ((2, 2), 1.0, None)
    with pytest.raises(InputError, match="there is no system 'C'"):
        one.select(["C"])
    with pytest.raises(ValueError, match="read-only"):
        one.values[0, 0] = 3


def test_wrong_names_and_epsilons_are_rejected():
    one = ScoreMatrix.from_scores({"A": [1, 2], "B": [2, 3]})
    with pytest.raises(UnknownNameError, match="did you mean pearson"):
        segment_coefficient(one, one, "person")
    with pytest.raises(UnknownNameError, match="grouping"):
        segment_coefficient(one, one, group="system")
    with pytest.raises(InputError, match="pearson has no epsilon"):
        segment_coefficient(one, one, "pearson", epsilon=1)
    with pytest.raises(InputError, match="epsilon must be 0 or more"):
        segment_coefficient(one, one, epsilon=-1)


def test_too_many_pairs_are_rejected():
    many = ScoreMatrix.from_scores({"A": list(range(20_000))})
    with pytest.raises(InputError, match="too many to calibrate"):
        calibrate(many, many, group="none")
