# SPDX-License-Identifier: Apache-2.0
"""How far metrics agree."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import tertium
from tertium.analysis.metric_agreement import agreement
from tertium.engine.results import MetricInfo


def pair_of(one, other, scores=None, specs=("bleu", "chrf")):
    """Return the agreement of two metrics on scores, systems x segments."""
    infos = {spec: MetricInfo.of(tertium.metric(spec)) for spec in specs}
    systems = list("ABC")[: len(one)]
    scores = scores or {spec: dict.fromkeys(systems, 0.0) for spec in specs}
    segments = dict(zip(specs, (np.array(one), np.array(other)), strict=True))
    (pair,) = agreement(infos, systems, scores, segments)
    return pair


def test_correlations_equal_scipy():
    rng = np.random.default_rng(1)
    one = rng.integers(0, 5, (2, 30)).astype(float)
    other = one + rng.normal(size=(2, 30))
    pair = pair_of(one, other)
    a, b = one.ravel(), other.ravel()
    assert pair.pearson == pytest.approx(stats.pearsonr(a, b).statistic)
    assert pair.spearman == pytest.approx(stats.spearmanr(a, b).statistic)


def test_errors_are_turned_into_scores():
    pair = pair_of([[1.0, 2.0, 3.0]], [[3.0, 2.0, 1.0]], specs=("bleu", "ter"))
    assert pair.pearson == pytest.approx(1)
    assert pair.outliers == []


def test_pairs_of_systems_in_opposite_orders_are_named():
    scores = {"bleu": {"A": 3.0, "B": 2.0, "C": 1.0}, "ter": {"A": 5, "B": 9, "C": 7}}
    ones = [[0.0], [1.0], [2.0]]
    pair = pair_of(ones, ones, scores, ("bleu", "ter"))
    assert pair.swapped == [("B", "C")]


def test_outliers_are_the_outputs_ranked_most_differently():
    one = [[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]
    other = [[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, -1.0, 7.0]]
    worst = pair_of(one, other).outliers[0]
    assert (worst.system, worst.segment) == ("B", 2)
    assert worst.ranks == pytest.approx((6 / 7, 0))
    assert worst.to_dict()["segment"] == 3


def test_a_metric_with_one_score_has_no_correlation():
    pair = pair_of([[1.0, 1.0]], [[1.0, 2.0]])
    assert math.isnan(pair.pearson)
    assert math.isnan(pair.spearman)
    assert pair.to_dict()["metrics"] == ["bleu", "chrf"]
