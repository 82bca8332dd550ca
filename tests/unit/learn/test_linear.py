# SPDX-License-Identifier: Apache-2.0
"""Linear rankers from pairs: logistic regression, SVMs and their grid."""

from __future__ import annotations

import numpy as np
import pytest

from support.learning_data import random_examples
from tertium.errors import InputError
from tertium.learn.examples import Examples
from tertium.learn.objectives import (
    SVM_GRID,
    accuracy,
    fit_linear,
    fit_polynomial,
    fit_svm_grid,
    tau,
)


def instances(examples):
    """Return ± difference vectors, their labels and weights."""
    d = examples.features[examples.better] - examples.features[examples.worse]
    labels = np.repeat([1, -1], len(d))
    return np.concatenate([d, -d]), labels, np.tile(examples.weights, 2)


@pytest.mark.parametrize("strength", [2.0**-11, 1.0, 32.0])
def test_svm_equals_scikit_learn(strength):
    examples = random_examples(3, pairs=400, candidates=80)
    rows, labels, weights = instances(examples)
    from sklearn.svm import LinearSVC

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
    from sklearn.linear_model import LogisticRegression

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
    result = fit_linear(train, loss="svm", regularisation=fit.record["regularisation"])
    assert fit.ranker.weights == pytest.approx(
        result.ranker.weights, rel=1e-5, abs=1e-8
    )
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
