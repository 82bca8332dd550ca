# SPDX-License-Identifier: Apache-2.0
"""Bootstrap, figures of systems and hybrids against slow twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from oracles import correlation as oracle
from support.score_tables import many, matrix, tables
from tertium import _core
from tertium.errors import InputError
from tertium.meta import (
    Corpus,
    bootstrap_metrics,
    hybrid_test,
    pairwise_p_values,
    segment_coefficient,
    soft_pairwise_accuracy,
    system_level,
)
from tertium.meta.uncertainty.bootstrap import draw_groups
from tertium.meta.uncertainty.significance import standardise

# -------------------------------------------------------------------- bootstrap


@pytest.mark.parametrize(
    ("coefficient", "group", "over"),
    [
        ("kendall_b", "item", "segments"),
        ("pearson", "none", "segments"),
        ("pearson", "sys", "segments"),
        ("spearman", "none", "segments"),
        ("kendall_b", "item", "systems"),
        ("acc23", "item", "both"),
    ],
)
def test_bootstrap_intervals_hold_the_coefficient(coefficient, group, over):
    human, metrics = many(3, 60)
    arguments = {"group": group, "over": over, "resamples": 200}
    result = bootstrap_metrics(human, metrics, coefficient, **arguments)
    for name, metric in metrics.items():
        value = segment_coefficient(human, metric, coefficient, group=group).value
        low, high = result.intervals[name]
        assert low < value < high
        assert result.tests.coefficients[name] == pytest.approx(value)
    assert result == bootstrap_metrics(
        human, metrics, coefficient, **arguments, threads=1
    )
    if over == "segments":
        assert result.tests.p_better("m0", "m2") < 0.05


@pytest.mark.parametrize("group", ["none", "sys"])
def test_bootstrap_of_pearson_from_sums_is_that_of_the_scores(group):
    # One metric computed both ways: draws differ, their spread must not.
    human, metrics = many(1, 60)
    fast = bootstrap_metrics(human, metrics, "pearson", group=group, resamples=2000)
    random = np.random.default_rng(0)
    gold, scores = human.values.T, metrics["m0"].values.T
    values = []
    for _ in range(500):
        rows = random.integers(0, 60, 60)
        values.append(oracle.grouped("pearson", gold[rows], scores[rows], group))
    want = np.quantile(values, [0.025, 0.975])
    assert fast.intervals["m0"] == pytest.approx(tuple(want), abs=0.015)


@given(
    tables(1, 5, 7),
    st.sampled_from(["a", "b", "c", "23", "acc23", "spearman"]),
    st.sampled_from(["sys", "none"]),
    st.integers(0, 1000),
)
def test_weighted_bootstrap_equals_copied_segments(data, kind, group, seed):
    human, (metric,) = data
    epsilon = 0.0 if kind in ("c", "spearman") else 0.5
    got = _core.bootstrap_groups(kind, group, human, metric, epsilon, 4, seed, 2, 1)
    # How often every segment was drawn.
    draws = _core.bootstrap_sums(np.eye(len(human)), 4, seed, 1, 1).astype(int)
    for value, counts in zip(got, draws, strict=True):
        rows = np.repeat(np.arange(len(human)), counts)
        want = oracle.grouped(kind, human[rows], metric[rows], group, epsilon)
        assert value == pytest.approx(np.nan if want is None else want, nan_ok=True)


def test_a_metric_without_value_has_no_interval():
    human, metrics = many(1)
    metrics["flat"] = matrix(np.zeros((80, 6)))
    result = bootstrap_metrics(human, metrics, resamples=50)
    assert result.intervals["flat"] is None
    assert result.tests.coefficients["flat"] is None
    assert result.tests.p_better("m0", "flat") < 0.05


# ------------------------------------------------------------------ system level


@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(1, 8))
def test_soft_pairwise_accuracy_equals_the_oracle(seed, systems, segments):
    random = np.random.default_rng(seed)
    human, metric = random.integers(0, 4, (2, segments, systems)).astype(float)
    got = soft_pairwise_accuracy(
        matrix(human), {"m": matrix(metric)}, resamples=40, seed=seed
    )
    heads = _core.swap_masks(segments, 1, "both", 40, seed)[:, :, 0]
    signs = np.where(heads, 1, -1)
    want = oracle.soft_pairwise_accuracy(human.T, metric.T, signs)
    assert got["m"] == pytest.approx(want, abs=1e-12)


def test_soft_accuracy_is_one_for_people_themselves():
    human, metrics = many(2)
    result = soft_pairwise_accuracy(human, {"people": human, **metrics})
    assert result["people"] == 1.0
    assert 1 > result["m0"] > 0.5
    p = pairwise_p_values(human.values)
    assert p.shape == (15,)
    assert ((p >= 0) & (p <= 1)).all()


def test_soft_accuracy_uses_segments_that_people_scored_completely():
    human, metrics = many(1)
    gapped = human.values.copy()
    gapped[2, 5:] = np.nan
    short = soft_pairwise_accuracy(
        matrix(gapped[:, :5].T), {"m": matrix(metrics["m0"].values[:, :5].T)}
    )
    assert soft_pairwise_accuracy(matrix(gapped.T), {"m": metrics["m0"]}) == short
    gapped[2] = np.nan
    with pytest.raises(InputError, match="no segment on which every system"):
        soft_pairwise_accuracy(matrix(gapped.T), {"m": metrics["m0"]})


def test_system_level_figures():
    human = {"A": 0.1, "B": 0.5, "C": 0.4, "D": None}
    metric = {"C": 3.0, "B": 3.5, "A": 3.0}
    result = system_level(human, metric)
    x, y = [0.1, 0.5, 0.4], [3.0, 3.5, 3.0]
    assert result.pearson == pytest.approx(scipy_stats.pearsonr(x, y).statistic)
    assert result.spearman == pytest.approx(scipy_stats.spearmanr(x, y).statistic)
    assert result.kendall_b == pytest.approx(scipy_stats.kendalltau(x, y).statistic)
    assert (result.accuracy, result.systems) == (pytest.approx(2 / 3), 3)
    with pytest.raises(InputError, match="no score for system 'B'"):
        system_level(human, {"A": 1.0})
    assert system_level({"A": 1}, {"A": 2}).accuracy is None


# ----------------------------------------------------------------------- hybrids


def test_hybrids_are_mixtures_of_two_systems():
    human, metrics = many(2, segments=12, systems=3)
    result = hybrid_test(human, metrics, samples=500, seed=4)
    # The same by hand.
    random = np.random.RandomState(np.random.MT19937(np.random.SeedSequence(4)))
    first = random.randint(0, 3, 500, dtype=np.int64)
    second = (first + random.randint(1, 3, 500, dtype=np.int64)) % 3
    coins = _core.swap_masks(12, 1, "both", 500, 4)[:, :, 0]

    def scores(m):
        return [
            np.where(coin, m.values[a], m.values[b]).mean()
            for a, b, coin in zip(first, second, coins, strict=True)
        ]

    gold = scores(human)
    for name, metric in metrics.items():
        want = np.corrcoef(gold, scores(metric))[0, 1]
        assert result.coefficients[name] == pytest.approx(want)
    (test,) = result.tests
    assert test.difference == pytest.approx(
        result.coefficients["m0"] - result.coefficients["m1"]
    )
    assert list(result.adjusted().values()) == [test.outcome.p]


def test_hybrids_of_statistics_and_with_gaps():
    human, metrics = many(1, segments=30, systems=4)
    rows = np.stack([metrics["m0"].values, np.ones((4, 30))], axis=-1)
    corpus = Corpus(rows, lambda sums: sums[..., 0] / sums[..., 1])
    result = hybrid_test(human, {**metrics, "same": corpus}, samples=300)
    assert result.coefficients["same"] == pytest.approx(result.coefficients["m0"])
    assert result.tests[0].outcome is None or result.tests[0].outcome.p > 0.4
    gapped = human.values.copy()
    gapped[0, :10] = np.nan
    assert hybrid_test(matrix(gapped.T), metrics, samples=300).samples == 300
    with pytest.raises(InputError, match="give the same"):
        hybrid_test(human, {"m": Corpus(rows[:2], corpus.from_statistics)})
    with pytest.raises(InputError, match="hybrids need two systems"):
        hybrid_test(matrix(np.ones((3, 1))), metrics)


def test_standardised_metrics_have_mean_zero_and_variance_one():
    human = np.array([[1, np.nan], [2, 3.0]])
    metrics = np.array([[[1, 99], [2, 6.0]], [[5, 0], [5, 5.0]]])
    z = standardise(human, metrics)
    kept = z[0][~np.isnan(human)]
    assert (kept.mean(), kept.var()) == (pytest.approx(0), pytest.approx(1))
    assert not z[1].any()


def test_resamples_may_come_in_parts(monkeypatch):
    random = np.random.default_rng(4)
    human = random.integers(0, 4, (20, 4)).astype(float)
    metric = human + random.normal(size=human.shape)
    whole = draw_groups(human, metric, "kendall_b", group="none", resamples=50)
    monkeypatch.setattr("tertium.meta.uncertainty.bootstrap._PART", 7 * human.size)
    parts = draw_groups(human, metric, "kendall_b", group="none", resamples=50)
    assert parts.tolist() == whole.tolist()
