# SPDX-License-Identifier: Apache-2.0
"""The mixed model and what it is for: ratings without habits of judges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.agreement import reml
from tertium.errors import InputError, NotDefinedError, UnknownNameError
from tertium.judgements import Judgements, Rating
from tertium.judgements.adjustment.mixed import fit_mixed, resampled_ratios
from tertium.judgements.adjustment.models import adjust, adjust_ratings
from tertium.judgements.agreement.ratings import rating_data


def simulated(judges=15, segments=60, ratings=900, seed=1, habit=8.0, noise=10.0):
    rng = np.random.default_rng(seed)
    judge, segment = (
        rng.integers(0, judges, ratings),
        rng.integers(0, segments, ratings),
    )
    habits, hard = habit * rng.normal(size=judges), 12 * rng.normal(size=segments)
    score = 60 + habits[judge] + hard[segment] + noise * rng.normal(size=ratings)
    return judge, segment, score, habits, hard


def records(judge, segment, score, system="A"):
    return [
        Rating(system, float(x), "DA", str(s), judge=f"j{j:02}")
        for j, s, x in zip(judge, segment, score, strict=True)
    ]


def data(*args, **more):
    return rating_data(Judgements.from_iterable(records(*args, **more)))


# ------------------------------------------------------------------- mixed model


@pytest.mark.parametrize("crossed", [False, True])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_effects_are_those_of_the_whole_covariance_matrix(crossed, seed):
    judge, segment, score, *_ = simulated(6, 20, 150, seed)
    factors = [judge, segment] if crossed else [judge]
    fit = fit_mixed(score, factors)
    columns = np.ones((150, 1))
    value, fixed, effects = reml(score, factors, fit.variances, fit.residual, columns)
    assert fit.criterion == pytest.approx(value, rel=1e-9)
    assert fit.fixed == pytest.approx(fixed, rel=1e-9)
    for ours, slow in zip(fit.effects, effects, strict=True):
        assert ours == pytest.approx(slow, rel=1e-7, abs=1e-9)
    # No neighbour is better: this is the optimum.
    for step in (0.97, 1.03):
        for k in range(len(factors)):
            near = list(fit.variances)
            near[k] *= step
            other = reml(score, factors, near, fit.residual, columns)[0]
            assert other > fit.criterion
        other = reml(score, factors, fit.variances, fit.residual * step, columns)[0]
        assert other > fit.criterion


def test_order_of_factors_changes_nothing():
    judge, segment, score, *_ = simulated()
    one, two = fit_mixed(score, [judge, segment]), fit_mixed(score, [segment, judge])
    assert one.variances == pytest.approx(two.variances[::-1], rel=1e-5)
    assert one.effects[0] == pytest.approx(two.effects[1], rel=1e-4, abs=1e-4)


def test_crossed_effects_of_a_simulation_are_found():
    judge, segment, score, habits, hard = simulated(40, 400, 12_000)
    fit = fit_mixed(score, [judge, segment])
    assert fit.variances == pytest.approx((habits.var(), hard.var()), rel=0.1)
    assert fit.residual == pytest.approx(100, rel=0.05)
    result = np.corrcoef(fit.effects[0], habits)[0, 1]
    assert result > 0.99
    assert np.corrcoef(fit.effects[1], hard)[0, 1] > 0.95


def test_no_habits_have_no_variance():
    """Every judge has the same scores: the variance of judges is zero, not negative."""
    judge, score = np.repeat(np.arange(5), 4), np.tile([1.0, 2.0, 3.0, 4.0], 5)
    fit = fit_mixed(score, [judge])
    assert fit.variances == (0.0,)
    assert fit.effects[0] == pytest.approx(np.zeros(5))


@given(st.floats(1e-3, 1e3), st.floats(-1e3, 1e3))
@settings(max_examples=5)
def test_origin_and_unit_of_the_scale_pass_through(unit, origin):
    judge, segment, score, *_ = simulated(6, 20, 150)
    one = fit_mixed(score, [judge, segment])
    two = fit_mixed(score * unit + origin, [judge, segment])
    assert two.effects[0] == pytest.approx(one.effects[0] * unit, rel=1e-3, abs=1e-4)
    assert two.residual == pytest.approx(one.residual * unit**2, rel=1e-4)


def test_weights_are_copies():
    """A unit that counts twice is two units with the same scores."""
    judge, unit, score, *_ = simulated(5, 15, 60, habit=4.0)
    unit = np.unique(unit, return_inverse=True)[1]
    weights = np.arange(unit.max() + 1) % 3.0
    fit = fit_mixed(score, [unit, judge])
    ratios = resampled_ratios(score, unit, judge, fit, [weights])[0]
    rows = np.concatenate([np.flatnonzero(weights[unit] > i) for i in range(2)])
    copies = np.concatenate([unit[weights[unit] > i] + 1000 * i for i in range(2)])
    copies = np.unique(copies, return_inverse=True)[1]
    other = fit_mixed(score[rows], [copies, judge[rows]])
    expected = np.array(other.variances) / other.residual
    assert ratios == pytest.approx(expected, rel=1e-2, abs=1e-3)


@pytest.mark.parametrize(
    ("score", "judge", "why"),
    [
        ([1, 2, 3, 4], [0, 0, 0, 0], "only one"),
        ([1, 2, 3, 4], [0, 1, 2, 3], "has two scores"),
        ([5, 5, 5, 5], [0, 0, 1, 1], "the same"),
        ([1, 1, 2, 2], [0, 0, 1, 1], "the same"),
        ([1], [0], "too few"),
    ],
)
def test_scores_that_tell_nothing_are_named(score, judge, why):
    with pytest.raises(NotDefinedError, match=why):
        fit_mixed(score, [judge])


def test_wrong_input_of_the_model_is_rejected():
    with pytest.raises(InputError, match="factors"):
        fit_mixed([1, 2], [])
    with pytest.raises(InputError, match="level"):
        fit_mixed([1, 2, 3], [[0, 1]])
    with pytest.raises(InputError, match="finite"):
        fit_mixed([1, 2, float("nan")], [[0, 1, 1]])
    with pytest.raises(NotDefinedError, match="covariates"):
        fit_mixed([1, 2, 3, 5], [[0, 0, 1, 1]], covariates=[2, 2, 2, 2])


# ------------------------------------------------------------------- adjustment


def test_adjusted_ratings_lose_the_habits_and_keep_the_segments():
    judge, segment, score, _, hard = simulated(15, 60, 3000)
    truth = hard[segment]
    ratings = data(judge, segment, score)
    result = adjust(ratings, "judge+segment")
    before = np.corrcoef(score, truth)[0, 1]
    after = np.corrcoef(result.scores, truth)[0, 1]
    assert after > before + 0.05
    rest = adjust(ratings, "judge+segment", subtract="all")
    assert abs(np.corrcoef(rest.scores, truth)[0, 1]) < 0.25
    # What was taken away is the same for all scores of a judge.
    for j in range(15):
        gone = (score - result.scores)[judge == j]
        assert np.ptp(gone) < 1e-9
        assert gone[0] == pytest.approx(result.effects[f"j{j:02}"])
    assert result.test.largest_shift == pytest.approx(
        max(map(abs, result.effects.values()))
    )


def test_z_scores_of_each_judge_have_mean_zero_and_spread_one():
    judge, segment, score, *_ = simulated()
    result = adjust(data(judge, segment, score), "z")
    for j in range(15):
        value = result.scores[judge == j]
        assert value.mean() == pytest.approx(0, abs=1e-12)
        assert value.std(ddof=1) == pytest.approx(1)
    assert result.kept.all()
    assert not result.left_out
    assert result.test.mean_shift == pytest.approx(0, abs=1e-12)


def test_judges_without_a_spread_have_no_z_scores():
    ratings = data([0, 0, 1, 2, 2], [1, 2, 1, 1, 2], [50, 70, 60, 80, 80])
    result = adjust(ratings, "z")
    assert result.left_out == {
        "j01": "fewer than two scores",
        "j02": "all scores are the same",
    }
    assert result.kept.tolist() == [True, True, False, False, False]
    assert result.scores == pytest.approx([-(0.5**0.5), 0.5**0.5])


@pytest.mark.parametrize("method", ["judge", "judge+segment", "z"])
def test_nothing_to_adjust_is_said(method):
    result = adjust(data([0, 1], [1, 1], [50, 60]), method)
    assert result.reason
    assert not result.kept.any()
    assert len(result.scores) == 0
    with pytest.raises(NotDefinedError, match="cannot be adjusted"):
        adjust_ratings(
            Judgements.from_iterable(records([0, 1], [1, 1], [5, 6])), method
        )


def test_a_metric_may_be_a_fixed_effect():
    judge, segment, score, *_ = simulated()
    ratings = data(judge, segment, score)
    metric = np.random.default_rng(0).normal(size=len(score))
    result = adjust(ratings, covariates=metric)
    assert len(result.fit.fixed) == 2
    with pytest.raises(InputError, match="covariates"):
        adjust(ratings, "z", covariates=metric)


def test_adjusted_tables_keep_all_columns():
    judge, segment, score, *_ = simulated(ratings=200)
    unknown = Rating("A", 50.0, "DA", "1")
    other = Rating("A", 3.0, "fluency", "1", judge="j00")
    table = Judgements.from_iterable([*records(judge, segment, score), unknown, other])
    result = adjust_ratings(table, "z", scale="DA")
    assert result.counts() == {"rankings": 0, "ratings": 200, "spans": 0}
    frame = result.ratings.collect()
    assert frame.columns == table.ratings.collect_schema().names()
    assert frame["score"].mean() == pytest.approx(0, abs=1e-9)
    with pytest.raises(InputError, match="several scales"):
        adjust_ratings(table)
    with pytest.raises(InputError, match="no ratings on the scale"):
        adjust_ratings(table, scale="MQM")


def test_unknown_methods_are_rejected():
    ratings = data([0, 1], [1, 1], [50, 60])
    with pytest.raises(UnknownNameError, match="adjustment"):
        adjust(ratings, "median")
    with pytest.raises(UnknownNameError, match="subtract"):
        adjust(ratings, subtract="segment")
