# SPDX-License-Identifier: Apache-2.0
"""Linear, polynomial and network rankers from pairs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from learning_data import random_examples, small_profile
from oracles import learning as oracle
from tertium.errors import InputError, MissingExtraError, UnknownNameError
from tertium.learn.examples import Examples
from tertium.learn.model import Model
from tertium.learn.objectives import (
    GAMMA_GRID,
    POLYNOMIAL_GRID,
    SVM_GRID,
    Plan,
    accuracy,
    fit_linear,
    fit_network,
    fit_polynomial,
    fit_svm_grid,
    tau,
)
from tertium.learn.objectives.forms import PolynomialForm
from tertium.learn.rankers import Linear
from tertium.learn.scalers import Scaler

SIGNS = small_profile().signs


def instances(examples):
    """Return ± difference vectors, their labels and weights."""
    d = examples.features[examples.better] - examples.features[examples.worse]
    labels = np.repeat([1, -1], len(d))
    return np.concatenate([d, -d]), labels, np.tile(examples.weights, 2)


# -------------------------------------------------------------------------- linear


@pytest.mark.parametrize("strength", [2.0**-11, 1.0, 32.0])
def test_svm_equals_scikit_learn(strength):
    examples = random_examples(3, pairs=400, candidates=80)
    rows, labels, weights = instances(examples)
    peer = LinearSVC(
        C=strength, fit_intercept=False, dual=False, tol=1e-10, max_iter=100_000
    ).fit(rows, labels, sample_weight=weights)
    fit = fit_linear(examples, loss="svm", regularisation=strength)
    assert fit.record["converged"]
    assert fit.ranker.weights == pytest.approx(peer.coef_[0], rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("strength", [1e-8, 0.5])
def test_logistic_equals_scikit_learn(strength):
    examples = random_examples(4, pairs=400, candidates=80, noise=0.6)
    rows, labels, weights = instances(examples)
    # λ‖w‖² + Σ over 2n instances is what C = 1 / (2λ) gives
    peer = LogisticRegression(
        C=0.5 / strength, fit_intercept=False, tol=1e-10, max_iter=100_000
    ).fit(rows, labels, sample_weight=weights)
    fit = fit_linear(examples, regularisation=strength)
    assert fit.record["converged"]
    assert fit.ranker.weights == pytest.approx(peer.coef_[0], rel=1e-4, abs=1e-6)


def test_features_that_are_nearly_equal_do_not_stop_convergence():
    """F-scores of one unit are nearly sums of each other."""
    plain = random_examples(5, pairs=400, candidates=80, noise=0.6)
    noise = np.random.default_rng(5).normal(0, 1e-5, plain.features.shape)
    double = plain.with_features(np.hstack([plain.features, plain.features + noise]))
    fit = fit_linear(double)
    assert fit.record["converged"]
    assert fit.record["iterations"] < 100
    assert fit.record["objective"] <= fit_linear(plain).record["objective"] + 1e-6


def test_the_bias_puts_the_mean_training_value_at_zero():
    examples = random_examples(6)
    for loss in ("logistic", "svm"):
        values = fit_linear(examples, loss=loss).ranker.raw(examples.features)
        assert values.mean() == pytest.approx(0, abs=1e-9)


def test_weights_of_pairs_count_as_repetitions():
    once = random_examples(7)
    twice = Examples(
        once.features,
        np.concatenate([once.better, once.better]),
        np.concatenate([once.worse, once.worse]),
    )
    double = Examples(once.features, once.better, once.worse, np.full(len(once), 2.0))
    first, second = (fit_linear(e, loss="svm").ranker.weights for e in (twice, double))
    assert first == pytest.approx(second, rel=1e-6)


def test_bags_are_averaged_and_depend_on_the_seed_alone():
    examples = random_examples(8, pairs=200)
    first = fit_linear(examples, bags=4, seed=0)
    assert first.ranker == fit_linear(examples, bags=4, seed=0).ranker
    assert first.ranker != fit_linear(examples, bags=4, seed=1).ranker
    assert first.record["bags"] == 4
    whole = fit_linear(examples).ranker.raw(examples.features)
    bagged = first.ranker.raw(examples.features)
    assert np.corrcoef(whole, bagged)[0, 1] > 0.95
    with pytest.raises(InputError, match=r"2 bags of 1.5 of the pairs"):
        fit_linear(examples, bags=2, share=1.5)


def test_the_grid_takes_the_highest_held_out_accuracy():
    train, valid = random_examples(9, pairs=150), random_examples(10, pairs=150)
    fit = fit_svm_grid(train, valid)
    table = np.array(fit.record["grid"])
    assert tuple(table[:, 0]) == SVM_GRID == tuple(2.0**k for k in range(-15, 6))
    assert fit.record["held_out_accuracy"] == table[:, 1].max()
    assert fit.record["regularisation"] == table[np.argmax(table[:, 1]), 0]
    own = fit_linear(train, loss="svm", regularisation=fit.record["regularisation"])
    assert fit.ranker.weights == pytest.approx(own.ranker.weights, rel=1e-5, abs=1e-8)
    right = accuracy(valid.differences(fit.ranker.raw(valid.features)), valid.weights)
    assert right == pytest.approx(fit.record["held_out_accuracy"])


def test_a_tie_is_wrong_for_accuracy_and_neither_for_tau():
    differences = np.array([1.0, 0.0, -1.0, 2.0])
    assert accuracy(differences) == 0.5
    assert tau(differences) == 0.25
    assert tau(differences, np.array([1.0, 0, 1, 2])) == 0.5
    for score in (tau, accuracy):
        with pytest.raises(InputError, match="at least one pair"):
            score(np.zeros(0))


def test_long_vectors_reach_the_same_point_without_blas(monkeypatch):
    examples = random_examples(22, pairs=200)
    grids = {"grid": [1.0], "gammas": [1.0]}
    first = fit_polynomial(examples, examples, **grids).ranker.weights
    monkeypatch.setattr("tertium.learn.objectives.minimum._LARGE", 0)
    second = fit_polynomial(examples, examples, **grids).ranker.weights
    assert second == pytest.approx(first, rel=1e-4, abs=1e-6)


def test_hundreds_of_features_are_learnt_without_the_square_matrix(monkeypatch):
    examples = random_examples(23, pairs=200)
    first = fit_linear(examples, loss="svm", regularisation=0.1).ranker.weights
    monkeypatch.setattr("tertium.learn.objectives.linear._MANY", 4)
    second = fit_linear(examples, loss="svm", regularisation=0.1).ranker.weights
    assert second == pytest.approx(first, rel=1e-5)


# ----------------------------------------------------------------- constrained mode

unit = st.floats(0, 1)


def constrained():
    """Return models of every learner that can be constrained."""
    # noise alone: plain weights would have all signs
    examples = random_examples(11, pairs=200, noise=5.0)
    from learning_data import random_systems
    from tertium.learn.objectives import fit_corpus, fit_joint

    systems = random_systems(11)
    plan = Plan(steps=60)
    fits = [
        fit_linear(examples, nonnegative=SIGNS),
        fit_linear(examples, loss="svm", regularisation=10.0, nonnegative=SIGNS),
        fit_linear(examples, nonnegative=SIGNS, bags=2),
        fit_svm_grid(examples, examples, nonnegative=SIGNS, grid=[0.1, 10.0]),
        fit_network(examples, hidden=4, nonnegative=SIGNS, plan=plan),
        fit_network(examples, loss="margin", hidden=4, nonnegative=SIGNS, plan=plan),
        fit_corpus(examples, systems, nonnegative=SIGNS, plan=plan),
        fit_joint(examples, systems, nonnegative=SIGNS, plan=plan),
        fit_joint(examples, systems, nonnegative=SIGNS, plan=plan, hidden=3),
    ]
    return [Model(small_profile(), fit.ranker) for fit in fits]


MODELS = constrained()
COPY = np.array([[1.0, 1, 1, 1, 0]])


@settings(max_examples=200)
@given(st.lists(unit, min_size=4, max_size=4), st.floats(0, 50))
def test_no_text_beats_a_copy_in_constrained_mode(units, length):
    row = np.array([[*units, length]])
    for model in MODELS:
        assert model.raw(row)[0] <= model.raw(COPY)[0] + 1e-12
        scores = model.scores(np.vstack([row, COPY]))
        assert scores[0] <= scores[1] + 1e-15


def test_constrained_models_are_known_to_be_safe():
    assert all(model.copy_is_best for model in MODELS)
    assert any(any(model.ranker.weights) for model in MODELS[:4])
    examples = random_examples(11, pairs=200, noise=5.0)
    plain = Model(small_profile(), fit_linear(examples).ranker)
    assert not plain.copy_is_best


def test_constrained_weights_are_the_best_of_their_sign():
    examples = random_examples(12, pairs=300)
    weights = np.array(
        fit_linear(examples, nonnegative=(1, 1, -1, 0, 1)).ranker.weights
    )
    assert weights[3] == 0
    assert (weights * [1, 1, -1, 1, 1] >= 0).all()
    from tertium.learn.objectives.forms import LinearForm
    from tertium.learn.objectives.linear import objective

    form = LinearForm(5)
    _, slope = objective(form, examples, "logistic", 1e-8)(np.append(weights, 0))
    # Karush-Kuhn-Tucker: no slope where free, a push against the bound elsewhere
    free = weights != 0
    assert np.abs(slope[:-1][free]).max() < 1e-2
    for i in np.flatnonzero(~free & (np.arange(5) != 3)):
        assert slope[i] * [1, 1, -1, 0, 1][i] > -1e-2


# ------------------------------------------------------------------ non-linear forms


@given(
    st.integers(1, 4),
    st.sampled_from([2, 3]),
    st.sampled_from([0.25, 1.0, 3.0]),
    st.integers(0, 10**6),
)
def test_the_polynomial_map_is_its_kernel(features, degree, gamma, seed):
    x, y = np.random.default_rng(seed).normal(size=(2, features))
    form = PolynomialForm(features, degree, gamma)
    mapped = form.map(np.array([x, y]))
    expected = oracle.polynomial_kernel(x, y, gamma, degree)
    assert (mapped[0] * mapped[1]).sum() == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("degree", [2, 3])
def test_a_polynomial_learns_what_no_line_can(degree):
    random = np.random.default_rng(13)
    rows = random.random((400, 2))
    value = -((rows[:, 0] - 0.5) ** 2) - (rows[:, 1] - 0.5) ** 2  # best in the middle
    a, b = random.integers(400, size=(2, 600))
    a, b = a[a != b], b[a != b]
    right = value[a] > value[b]
    examples = Examples(rows, np.where(right, a, b), np.where(right, b, a))
    train = examples.take(np.arange(400))
    valid = examples.take(np.arange(400, len(examples)))
    grid = [1.0, 1024.0]
    fit = fit_polynomial(train, valid, degree=degree, grid=grid, gammas=[1.0, 4.0])
    assert fit.record["held_out_accuracy"] > 0.95
    line = fit_svm_grid(train, valid).record["held_out_accuracy"]
    assert line < 0.7
    raw = fit.ranker.raw(rows)
    assert raw[train.better].shape == (400,)
    assert raw.mean() == pytest.approx(0, abs=1e-6)
    own = accuracy(valid.differences(raw), valid.weights)
    assert own == pytest.approx(fit.record["held_out_accuracy"])
    assert len(fit.record["grid"]) == 4
    network = fit_network(
        train, valid=valid, plan=Plan(steps=400, rate=0.05, restarts=2)
    )
    assert network.record["held_out_tau"] > 0.85


def test_grids_of_the_polynomial_are_those_of_the_program():
    assert tuple(2.0**k for k in range(-10, 11, 2)) == POLYNOMIAL_GRID
    assert tuple(2.0**g for g in range(-7, 16)) == GAMMA_GRID


@pytest.mark.parametrize("loss", ["ranknet", "margin"])
def test_networks_keep_the_best_held_out_tau(loss):
    train, valid = random_examples(14, pairs=200), random_examples(15, pairs=100)
    plan = Plan(steps=80, restarts=3, patience=4, every=3, seed=0)
    fit = fit_network(train, loss=loss, hidden=6, valid=valid, plan=plan)
    raw = fit.ranker.raw(valid.features)
    reached = tau(valid.differences(raw), valid.weights)
    assert reached == pytest.approx(fit.record["held_out_tau"])
    assert fit.record["best_step"] <= fit.record["steps"]
    singles = [
        fit_network(
            train, loss=loss, hidden=6, valid=valid,
            plan=Plan(steps=80, restarts=n, patience=4, every=3, seed=0),
        ).record["held_out_tau"]
        for n in (1, 2)
    ]  # fmt: skip
    assert singles[0] <= singles[1] <= fit.record["held_out_tau"]
    assert fit.ranker.raw(train.features).mean() == pytest.approx(0, abs=1e-9)


def test_early_stopping_stops():
    train, valid = random_examples(16), random_examples(17, noise=9.0)
    plan = Plan(steps=5000, patience=2, every=2)
    fit = fit_network(train, hidden=3, valid=valid, plan=plan)
    assert fit.record["steps"] < 5000
    assert fit.record["best_step"] == fit.record["steps"] - 4


def test_restarts_without_held_out_pairs_take_the_lowest_loss():
    train = random_examples(18)
    many = fit_network(train, hidden=3, plan=Plan(steps=40, restarts=4))
    one = fit_network(train, hidden=3, plan=Plan(steps=40, restarts=1))
    assert many.record["loss"] <= one.record["loss"] + 1e-3
    assert 0 <= many.record["best_restart"] < 4


# --------------------------------------------------------------------- repeatability


def learnt(threads: int) -> list[str]:
    """Return the files of models of all learners; enough rows for several blocks."""
    from learning_data import random_systems
    from tertium.learn.objectives import fit_joint

    size = {"pairs": 1500, "candidates": 2100}
    train, valid = random_examples(19, **size), random_examples(20, **size)
    systems = random_systems(19, candidates=2100, size=900)
    plan = Plan(steps=6, restarts=2)
    fits = [
        fit_linear(train, threads=threads),
        fit_linear(train, loss="svm", nonnegative=SIGNS, threads=threads),
        fit_svm_grid(train, valid, grid=[0.01, 1.0], threads=threads),
        fit_network(train, valid=valid, plan=plan, threads=threads),
        fit_joint(train, systems, plan=plan, threads=threads),
        fit_polynomial(train, valid, grid=[1.0], gammas=[1.0], threads=threads),
    ]
    return [
        Model(small_profile(), fit.ranker, Scaler(), None, fit.record).dumps()
        for fit in fits
    ]


def test_models_are_the_same_bytes_for_any_number_of_threads(monkeypatch):
    # or small products would stay on one thread
    monkeypatch.setattr("tertium.learn.objectives.products._ENOUGH", 0)
    one = learnt(1)
    assert learnt(2) == one
    assert learnt(4) == one


BLAS = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from learning_data import random_systems
from tertium.learn.examples import Examples
from tertium.learn.objectives import Plan, fit_joint, fit_linear, fit_network
from tertium.learn.objectives.minimum import minimise

random = np.random.default_rng(1)
pairs = random.integers(9000, size=(2, 12000))
examples = Examples(random.random((9000, 57)), *pairs)
systems = random_systems(1, candidates=9000, size=2000)
fits = [
    fit_linear(examples),
    fit_linear(examples, loss="svm", nonnegative=[1] * 57),
    fit_network(examples, plan=Plan(steps=3)),
    fit_joint(examples, systems, plan=Plan(steps=5)),
]
ends = [repr(fit.ranker) for fit in fits]
a, c = random.uniform(0.1, 50, 20000), random.normal(size=20000)
far, _ = minimise(lambda x: (float((a * (x - c) ** 2).sum()), 2 * a * (x - c)), 0 * a)
assert np.abs(far - c).max() < 1e-6
print([hashlib.md5(e.encode()).hexdigest() for e in [*ends, repr(far.tolist())]])
"""


def test_models_do_not_depend_on_the_threads_of_blas():
    tests = Path(__file__).parents[2]
    found = set()
    for count in ("1", "4"):
        own = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), count)
        command = [sys.executable, "-c", BLAS, str(tests)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, env=os.environ | own
        )
        found.add(done.stdout)
    assert len(found) == 1


# ---------------------------------------------------------------------- wrong input


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda e: fit_linear(e, loss="hinge"), "unknown loss of a linear ranker"),
        (lambda e: fit_linear(e, regularisation=0.0), "regularisation is 0.0"),
        (lambda e: fit_linear(e, nonnegative=(1, 1)), "2 signs for 5 features"),
        (lambda e: fit_linear(e.take(np.arange(0))), "no pair to learn from"),
        (lambda e: fit_svm_grid(e, e, grid=[]), "grid of C is empty"),
        (lambda e: fit_svm_grid(e, e.take(np.arange(0))), "at least one pair"),
        (lambda e: fit_polynomial(e, e, degree=4), "degree is 4; it must be 2 or 3"),
        (lambda e: fit_polynomial(e, e, grid=[]), "need values above 0"),
        (lambda e: fit_polynomial(e, e, gammas=[0.0]), "need values above 0"),
        (lambda e: fit_polynomial(e.take(np.arange(0)), e), "no pair to learn from"),
        (lambda e: fit_network(e, loss="rank"), "unknown loss of a network 'rank'"),
        (lambda e: fit_network(e, hidden=0), "0 hidden nodes; give 1 or more"),
        (lambda e: fit_network(e.take(np.arange(0))), "no pair to learn from"),
        (lambda e: fit_network(e, nonnegative=(1,)), "1 signs for 5 features"),
        (lambda _: Plan(steps=0), "steps is 0; it must be 1 or more"),
        (lambda _: Plan(rate=0.0), "rate is 0.0"),
        (lambda _: Plan(l2=-1.0), "l2 is -1.0"),
    ],
)
def test_wrong_arguments_are_refused(call, message):
    with pytest.raises((InputError, UnknownNameError), match=message):
        call(random_examples(1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.ones(3), [0], [1]), "1 dimensions; give a matrix"),
        ((np.array([[1.0], [np.nan]]), [0], [1]), "feature 0 of candidate 1 is nan"),
        ((np.ones((2, 1)), [0], [2]), "worse names a row outside 0 to 1"),
        ((np.ones((2, 1)), [-1], [1]), "better names a row outside"),
        ((np.ones((2, 1)), [0, 1], [1]), "2 pairs have a better row and 1 a value"),
        ((np.ones((2, 1)), [0], [1], [-1.0]), "finite and 0 or more"),
        ((np.ones((2, 1)), [0], [1], [1.0], ("a",), [1]), "group names a row outside"),
        ((np.ones((2, 1)), [[0]], [1]), "better has 2 dimensions; give a vector"),
    ],
)
def test_wrong_examples_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        Examples(*arguments)


def test_descent_that_diverges_says_so():
    examples = random_examples(1)
    large = examples.with_features(examples.features * 1e200)
    with (
        np.errstate(all="ignore"),
        pytest.raises(InputError, match="choose a lower rate than"),
    ):
        fit_network(large, plan=Plan(rate=1e200, steps=50, l2=1.0))


def test_training_without_scipy_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tertium\[learn\]'"):
        fit_linear(random_examples(1))


def test_linear_raw_does_not_depend_on_the_cut():
    rows = np.random.default_rng(21).random((50, 5))
    ranker = Linear((0.1, 0.2, 0.3, 0.4, 0.5), 0.6)
    parts = [ranker.raw(rows[i : i + 7]) for i in range(0, 50, 7)]
    assert np.concatenate(parts).tobytes() == ranker.raw(rows).tobytes()
