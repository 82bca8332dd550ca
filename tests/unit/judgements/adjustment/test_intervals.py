# SPDX-License-Identifier: Apache-2.0
"""Intervals of adjusted ratings: against the letter, and what they cover."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ks_2samp, ttest_rel

from tertium.judgements import Judgements, Rating, agree
from tertium.judgements.adjustment import intervals as module
from tertium.judgements.adjustment.intervals import adjustment_intervals
from tertium.judgements.adjustment.mixed import fit_mixed, refit, resampled_ratios
from tertium.judgements.adjustment.models import adjust
from tertium.judgements.agreement.ratings import rating_data
from tertium.judgements.agreement.reliability import krippendorff_alpha
from tertium.stats.resample import Bootstrap

pytestmark = pytest.mark.slow

RUN = Bootstrap(resamples=60)


def judgements(judges=6, segments=30, habit=8.0, seed=0):
    """Two systems, three judges a segment."""
    rng = np.random.default_rng(seed)
    habits, hard = habit * rng.normal(size=judges), 12 * rng.normal(size=segments)
    return Judgements.from_iterable(
        Rating(
            system,
            float(60 + habits[j] + hard[s] + 6 * rng.normal()),
            "DA",
            str(s),
            judge=f"j{j}",
        )
        for s in range(segments)
        for j in rng.choice(judges, 3, replace=False)
        for system in "AB"
    )


@pytest.fixture(scope="module")
def data():
    return rating_data(judgements())


@pytest.mark.parametrize("method", ["judge", "judge+segment", "z"])
def test_intervals_hold_the_figures(data, method):
    result = adjust(data, method)
    drawn = adjustment_intervals(data, result, RUN)
    for name, effect in result.effects.items():
        low, high = drawn.effects[name]
        assert low < effect < high
        if method == "z":
            low, high = drawn.spreads[name]
            assert low < result.spreads[name] < high
    names = {"judge": ["judge", "residual"], "z": []}
    wanted = names.get(method, ["judge", "segment", "residual"])
    assert list(drawn.variances) == wanted
    low, high = drawn.test["mean_shift"]
    assert low <= result.test.mean_shift <= high
    assert drawn.change[0] <= drawn.change[1]
    assert drawn.resamples == 60
    again = adjustment_intervals(data, result, RUN)
    assert again == drawn
    assert adjustment_intervals(data, result, Bootstrap(60, seed=1)) != drawn


@pytest.mark.parametrize("method", ["judge", "judge+segment", "z"])
def test_a_resample_of_everything_once_is_the_table_itself(data, method):
    result = adjust(data, method)
    ones = np.ones(int(data.segment.max()) + 1)
    alpha = module._Alpha(data)
    figures = module._figures(data, data.segment, ones, result, alpha)
    judges = len(data.judges)
    assert figures[:judges] == pytest.approx(list(result.effects.values()), rel=1e-2)
    t, distance, mean, largest = figures[2 * judges : 2 * judges + 4]
    test = result.test
    # The search of resamples is a rough one.
    assert distance == pytest.approx(test.distance, abs=0.011)
    assert mean == pytest.approx(test.mean_shift, rel=1e-2, abs=1e-9)
    assert largest == pytest.approx(test.largest_shift, rel=1e-2)
    if method != "z":  # where it is rounding only
        assert t == pytest.approx(test.t, rel=1e-2)
    first = data.first()
    before = krippendorff_alpha(first.unit, first.score).value
    after, change = figures[2 * judges + 4 : 2 * judges + 6]
    assert after - change == pytest.approx(before)


def test_figures_of_weights_are_those_of_copies(data):
    rng = np.random.default_rng(3)
    weights = rng.integers(0, 3, int(data.segment.max()) + 1).astype(float)
    raw, adjusted = rng.normal(size=len(data)), rng.normal(size=len(data))
    heavy = weights[data.segment]
    row, copy = module._copies(data.segment, weights)
    t, distance, mean, _ = module._tests(raw, adjusted, heavy)
    assert mean == pytest.approx((adjusted - raw)[row].mean())
    assert t == pytest.approx(ttest_rel(adjusted[row], raw[row]).statistic)
    slow = ks_2samp(raw[row], adjusted[row], method="asymp").statistic
    assert distance == pytest.approx(slow)
    assert len(np.unique(copy)) == weights.sum()
    unit = np.unique(copy * 1000 + data.unit[row], return_inverse=True)[1]
    alpha = module._Alpha(data)
    slow = krippendorff_alpha(unit, adjusted[row]).value
    assert alpha.of(adjusted, heavy) == pytest.approx(slow)


def test_habits_that_differ_more_have_a_larger_variance():
    results = []
    for habit in (1.0, 20.0):
        data = rating_data(judgements(judges=10, habit=habit))
        adjusted = adjust(data, "judge+segment")
        results.append(adjustment_intervals(data, adjusted, RUN).variances["judge"])
    assert results[0][1] < results[1][0]


def test_one_segment_has_no_intervals():
    records = [Rating("A", float(x), "DA", "1", judge=j) for j in "ab" for x in (1, 2)]
    records += [Rating("A", 5.0, "DA", "1", judge="a")]
    data = rating_data(Judgements.from_iterable(records))
    result = adjust(data, "z")
    assert result.reason is None
    assert adjustment_intervals(data, result, RUN) is None
    alone = rating_data(Judgements.from_iterable(records[:1]))
    assert adjustment_intervals(alone, adjust(alone), RUN) is None


def test_the_report_says_what_was_drawn():
    report = agree(judgements(), adjust="judge+segment", intervals=True, resamples=60)
    shown = report.adjusted["DA"].to_dict()
    drawn = shown["intervals"]["drawn"]
    assert drawn["judge"] == "judges"
    assert {drawn[k] for k in drawn if k != "judge"} == {"segments"}
    change = shown["alpha_change"]
    assert change["interval"][0] < change["value"] < change["interval"][1]
    assert agree(judgements(), adjust="z").adjusted["DA"].intervals is None


def test_a_second_fit_ends_where_the_first_did(data):
    fit = fit_mixed(data.score, [data.judge, data.segment])
    again = refit(data.score, [data.judge, data.segment], fit)
    assert again.variances == pytest.approx(fit.variances, rel=1e-2)
    assert again.effects[0] == pytest.approx(fit.effects[0], rel=1e-2, abs=0.05)


def test_steps_end_where_a_search_does():
    rng = np.random.default_rng(0)
    unit = np.repeat(np.arange(500), 3)
    judge = np.concatenate([rng.choice(12, 3, replace=False) for _ in range(500)])
    noise = 1.2 * rng.normal(size=1500)
    score = rng.normal(size=500)[unit] + 0.5 * rng.normal(size=12)[judge] + noise
    fit = fit_mixed(score, [unit, judge])
    draws = [np.bincount(rng.integers(0, 500, 500), minlength=500) for _ in range(10)]
    draws = [weights.astype(float) for weights in draws]
    slow = resampled_ratios(score, unit, judge, fit, draws)
    quick = resampled_ratios(score, unit, judge, fit, draws, method="steps")
    assert quick == pytest.approx(slow, rel=2e-2)
