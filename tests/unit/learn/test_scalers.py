# SPDX-License-Identifier: Apache-2.0
"""Scalers: rising, anchored, fitted to the optimum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from oracles import learning as oracle
from tertium.errors import InputError, NotDefinedError, UnknownNameError
from tertium.learn.objectives.scaling import (
    fit_scaler,
    isotonic,
    platt_objective,
    svr_objective,
)
from tertium.learn.scalers import SCALERS, Scaler

OWN = {
    "none": {},
    "quasi": {},
    "relative": {"slope": 0.2},
    "linear": {"slope": 20.0, "intercept": 9.0},
    "platt": {"slope": 2.0, "intercept": -1.0},
    "isotonic": {"knots": (-1.0, 0.0, 0.5, 3.0), "levels": (0.1, 0.1, 0.4, 0.8)},
}
raws = st.floats(-60, 60)


def world(seed=1, size=300):
    random = np.random.default_rng(seed)
    raw = random.normal(size=size)
    return raw, np.clip(50 + 15 * raw + random.normal(0, 20, size), 0, 100)


@given(st.sampled_from(SCALERS), st.booleans(), raws, raws, raws)
def test_scores_rise_within_bounds_and_a_copy_is_one(kind, anchor, a, b, copy):
    scaler = Scaler(kind, **OWN[kind], anchor=anchor)
    low, high = (scaler.score(x, copy) for x in sorted((a, b)))
    assert 0 <= low <= high <= (2 if kind == "quasi" and not anchor else 1)
    if scaler.needs_identity:
        assert scaler.score(copy, copy) == 1
    rows = scaler.scores(np.array(sorted((a, b))), copy)
    assert rows == pytest.approx([low, high], rel=1e-12, abs=1e-300)


def test_anchored_scores_of_a_hopeless_copy_are_one_or_zero():
    scaler = Scaler("linear", 1.0, -500.0, anchor=True)
    assert [scaler.score(x, 2.0) for x in (1.0, 2.0, 3.0)] == [0, 1, 1]
    result = scaler.scores(np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 2.0]))
    assert result.tolist() == [0, 1, 1]


def test_far_raw_numbers_do_not_overflow():
    for kind in SCALERS:
        scaler = Scaler(kind, **OWN[kind])
        ends = [scaler.score(x, 0.0) for x in (-1e5, 1e5)]
        assert scaler.scores(np.array([-1e5, 1e5]), 0.0) == pytest.approx(ends)


def test_a_scaler_that_needs_the_copy_says_so():
    for scaler in (Scaler("quasi"), Scaler(anchor=True)):
        with pytest.raises(InputError, match="reference against itself; pass identity"):
            scaler.score(1.0)
        with pytest.raises(InputError, match="pass identity"):
            scaler.scores(np.zeros(2))


def test_wrong_scalers_are_rejected():
    with pytest.raises(UnknownNameError, match="did you mean platt"):
        Scaler("plat")
    with pytest.raises(InputError, match=r"slope 0.0; it must be above 0"):
        Scaler("linear", 0.0, 1.0)


# ------------------------------------------------------------------------ fitting


def test_svr_is_at_its_optimum():
    raw, human = world()
    scaler = fit_scaler("linear", raw, human)
    evaluate = svr_objective(raw, human)
    point = np.array([scaler.slope, scaler.intercept])
    value, gradient, _ = evaluate(point)
    assert gradient == pytest.approx([0, 0], abs=1e-6)
    result = minimize(
        lambda p: evaluate(p)[:2], [0, 0], jac=True, options={"gtol": 1e-6}
    )
    assert value <= result.fun + 1e-6
    assert point == pytest.approx(result.x, rel=1e-6)


def test_svr_equals_scikit_learn():
    raw, human = world(2)
    scaler = fit_scaler("linear", raw, human)
    # LIBLINEAR shrinks the intercept, too, as the objective of BEER 2.0 does.
    from sklearn.svm import LinearSVR

    peer = LinearSVR(
        epsilon=0.1, C=1.0, loss="squared_epsilon_insensitive", dual=False,
        tol=1e-10, max_iter=100_000,
    ).fit(raw[:, None], human)  # fmt: skip
    assert scaler.slope == pytest.approx(peer.coef_[0], rel=1e-5)
    assert scaler.intercept == pytest.approx(peer.intercept_[0], rel=1e-5)


def test_platt_equals_logistic_regression_with_soft_labels():
    raw, human = world(3)
    scaler = fit_scaler("platt", raw, human)
    # every text twice: good with the weight of its share, and bad with the rest
    rows = np.concatenate([raw, raw])[:, None]
    labels = np.repeat([1, 0], len(raw))
    shares = np.concatenate([human, 100 - human]) / 100
    from sklearn.linear_model import LogisticRegression

    peer = LogisticRegression(C=1e9, tol=1e-10, max_iter=10_000)
    peer.fit(rows, labels, sample_weight=shares)
    assert scaler.slope == pytest.approx(peer.coef_[0, 0], rel=1e-5)
    assert scaler.intercept == pytest.approx(peer.intercept_[0], abs=1e-5)


def test_platt_without_people_takes_the_extremes():
    raw = np.random.default_rng(4).normal(3, 2, 1000)
    scaler = fit_scaler("platt", raw)
    ranked = np.sort(raw)
    ends = np.concatenate([ranked[:100], ranked[-100:]])
    targets = np.repeat([1 / 102, 101 / 102], 100)
    point = np.array([scaler.slope, scaler.intercept])
    gradient = platt_objective(ends, targets)(point)[1]
    assert gradient == pytest.approx([0, 0], abs=1e-6)
    assert scaler.slope > 0
    few = fit_scaler("platt", [0.0, 1.0, 5.0])
    assert few.score(5.0) > 0.5 > few.score(0.0)
    with pytest.raises(InputError, match="two raw numbers or more, not 1"):
        fit_scaler("platt", [1.0])


def test_isotonic_equals_scikit_learn():
    raw, human = world(5)
    raw = np.round(raw, 1)  # ties
    scaler = fit_scaler("isotonic", raw, human)
    from sklearn.isotonic import IsotonicRegression

    peer = IsotonicRegression(out_of_bounds="clip").fit(raw, human / 100)
    grid = np.linspace(-4, 4, 500)
    assert scaler.scores(grid) == pytest.approx(peer.predict(grid), abs=1e-12)


@given(st.lists(st.integers(0, 100), min_size=1, max_size=9))
def test_isotonic_equals_its_definition(values):
    targets = np.array(values) / 100
    raw = np.arange(len(values), dtype=float)
    knots, levels = isotonic(raw, targets)
    expected = oracle.isotonic(targets.tolist())
    assert np.interp(raw, knots, levels) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("anchor", [False, True])
def test_scalers_without_data(anchor):
    assert fit_scaler("none", anchor=anchor) == Scaler("none", anchor=anchor)
    assert fit_scaler("quasi", anchor=anchor) == Scaler("quasi", anchor=anchor)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("log", [1], [2]), "unknown scaler 'log'"),
        (("linear",), "scaler linear needs raw numbers; give them"),
        (("linear", [1.0, 2.0]), "needs human scores from 0 to 100"),
        (("linear", [], []), "at least one element"),
        (("linear", [1.0, 2.0], [1.0]), "2 raw numbers and 1 human scores"),
        (("linear", [1.0, 2.0], [-1.5, 1.5]), "go from -1.5 to 1.5; rescale"),
        (("isotonic", [1.0, np.nan], [1, 2]), "raw numbers must be finite"),
        (("platt", [1.0, 1.0], [10, 20]), "all raw numbers are equal"),
        (("linear", [1.0, 2.0, 3.0], [90, 50, 10]), "fall as raw numbers rise"),
        (("platt", [1.0, 2.0, 3.0], [90, 50, 10]), "fall as raw numbers rise"),
    ],
)
def test_data_that_fit_no_scaler_are_rejected(arguments, message):
    with pytest.raises((InputError, NotDefinedError), match=message):
        fit_scaler(*arguments)


# ----------------------------------------------------------------------- relative


def test_relative_is_a_line_below_a_copy_and_never_reaches_zero():
    scaler = Scaler("relative", 0.2)
    assert [scaler.score(5.0 + x, 5.0) for x in (0.0, -1.0, -4.5)] == pytest.approx(
        [1.0, 0.8, 0.1]
    )
    low = [scaler.score(x, 0.0) for x in (-5.0, -10.0, -20.0)]
    assert 0.1 > low[0] > low[1] > low[2] > 0
    assert scaler.score(3.0, 2.0) == 1.0


def test_relative_gives_unrelated_texts_nothing_on_average():
    scaler = fit_scaler("relative", [4.0, 6.0])
    assert scaler == Scaler("relative", 0.2)
    with pytest.raises(NotDefinedError, match="as high as copies"):
        fit_scaler("relative", [0.0, 0.0])
