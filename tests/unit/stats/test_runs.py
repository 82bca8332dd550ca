# SPDX-License-Identifier: Apache-2.0
"""Several runs of a system: variances, the test that uses both, and randomisation."""

from __future__ import annotations

import numpy as np
import pytest

from bench.studies.runs import both_sources, mean, rejections, rows
from tertium.stats import Resampling
from tertium.stats.runs import RunScores, difference, shuffled_p_values


def run_scores(*, runs=3, resamples=4000, run=0.0, seed=0):
    """Return scores whose runs vary by `run` and whose resamples vary by 1."""
    generator = np.random.default_rng(seed)
    observed = generator.normal(0, run, runs)
    return RunScores(
        observed, observed[:, None] + generator.normal(0, 1, (1, resamples))
    )


def test_spreads_are_between_runs_and_over_resamples():
    scores = RunScores(
        np.array([10.0, 12.0, 14.0]),
        np.array([[9.0, 11.0], [12.0, 12.0], [13.0, 15.0]]),
    )
    assert scores.mean == 12
    assert scores.between == 2.0  # over n - 1
    assert scores.within == pytest.approx((2**0.5 + 0 + 2**0.5) / 3)


def test_one_run_has_no_spread_between_runs():
    assert RunScores(np.array([1.0]), np.array([[1.0, 2.0]])).between is None


def test_the_variance_adds_both_sources():
    a, b = run_scores(run=0.5), run_scores(run=0.5, seed=1)
    estimate = difference(a, b, units=500)
    # Runs react alike to segments here, so that nothing is counted twice.
    between = a.observed.var(ddof=1) / 3 + b.observed.var(ddof=1) / 3
    test = (a.resampled - b.resampled)[0].var(ddof=1)
    assert estimate.variance == pytest.approx(test + between)
    parts = [(x.observed.var(ddof=1) / 3) ** 2 / 2 for x in (a, b)]
    satterthwaite = (test + between) ** 2 / (test**2 / 499 + sum(parts))
    assert estimate.degrees == pytest.approx(satterthwaite)
    low, high = estimate.interval(0.95)
    assert (low + high) / 2 == pytest.approx(estimate.value)
    assert (low <= 0 <= high) == (estimate.p_value() >= 0.05)


def test_what_segments_explain_is_counted_once():
    generator = np.random.default_rng(2)
    # Runs differ by as much as their reactions to segments explain, and no more.
    scores = [
        RunScores(generator.normal(0, 0.1, 50), generator.normal(0, 0.1, (50, 3000)))
        for _ in range(2)
    ]
    variance = difference(*scores, units=300).variance
    assert variance == pytest.approx(2 * 0.01 / 50, rel=0.3)


def test_a_single_run_is_taken_to_vary_as_the_other_system():
    several, single = run_scores(run=0.5), run_scores(runs=1, seed=1)
    estimate = difference(several, single, units=500)
    test = (several.resampled.mean(axis=0) - single.resampled[0]).var(ddof=1)
    between = several.observed.var(ddof=1) * (1 + 1 / 3)
    assert estimate.variance == pytest.approx(test + between)
    turned = difference(single, several, units=500)
    assert turned.variance == pytest.approx(estimate.variance)
    assert turned.value == -estimate.value


def test_equal_systems_have_p_value_one_and_certain_ones_a_small_one():
    scores = run_scores(run=0.5)
    assert difference(scores, scores, units=9).p_value() == 1.0
    fixed = [RunScores(np.full(2, x), np.full((2, 99), x)) for x in (1.0, 2.0)]
    assert difference(*fixed, units=9).p_value() == 0.01


def test_randomisation_of_one_run_is_the_test_of_one_run():
    generator = np.random.default_rng(4)
    outputs = [rows(generator.normal(shift, 1, (1, 60))) for shift in (0.3, 0.0)]
    one = Resampling.run(
        [each[0] for each in outputs], mean, test="randomisation", resamples=2000
    )
    several = shuffled_p_values(outputs, mean, [(0, 1)], resamples=2000, seed=12345)
    assert several == one.p_values([(0, 1)])


def test_randomisation_tosses_other_coins_for_every_run():
    generator = np.random.default_rng(5)
    run = generator.normal(0, 1, 40)
    gap = generator.normal(0.15, 1, 40)
    twice = [rows(np.stack([x, x])) for x in (run + gap, run)]
    once = [rows(x[None]) for x in (run + gap, run)]
    first, second = (
        shuffled_p_values(each, mean, [(0, 1)], resamples=4000, seed=1)[0]
        for each in (once, twice)
    )
    assert second < first  # The same coins would give the same p-value.


@pytest.mark.slow
def test_the_test_with_both_sources_keeps_its_level_where_randomisation_does_not():
    both, shuffled, one, power = rejections(3, 100, run=0.3, segment=0.0, trials=150)
    assert both <= 0.08
    assert shuffled > 0.3
    assert one > 0.3
    assert power > both


def test_it_is_cautious_where_runs_do_not_differ():
    both, shuffled, _, power = rejections(3, 60, run=0.0, segment=0.0, trials=60)
    assert both <= 0.05
    assert shuffled <= 0.12
    assert power > 0.5


def test_more_runs_see_more():
    generator = np.random.default_rng(7)
    outputs = [generator.normal(x, 1, (8, 200)) for x in (0.12, 0.0)]
    few = both_sources([each[:2] for each in outputs], 1)
    assert both_sources(outputs, 1) < few
