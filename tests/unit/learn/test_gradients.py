# SPDX-License-Identifier: Apache-2.0
"""Exact gradients of every loss, against central differences."""

from __future__ import annotations

import numpy as np
import pytest

from support.learning_data import numeric_gradient, random_examples, random_systems
from tertium.learn.examples import Examples, SystemPairs
from tertium.learn.objectives.descent import joint_objective
from tertium.learn.objectives.forms import LinearForm, NetworkForm, PolynomialForm
from tertium.learn.objectives.linear import curvature, gram, objective
from tertium.learn.objectives.losses import Corpora, pair_loss
from tertium.learn.objectives.scaling import platt_objective, svr_objective

FORMS = {
    "linear": LinearForm(5),
    "network": NetworkForm(5, 4),
    "polynomial": PolynomialForm(5, 3, 0.7),
}


def near(numeric):
    return pytest.approx(numeric, rel=2e-5, abs=2e-6)


def point_of(form, seed):
    return np.random.default_rng(seed).normal(0, 0.5, form.size)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("loss", ["logistic", "svm"])
@pytest.mark.parametrize("form", ["linear", "polynomial"])
def test_sums_over_pairs(form, loss, seed):
    value = FORMS[form]
    evaluate = objective(value, random_examples(seed), loss, 0.3)
    point = point_of(value, seed)
    assert evaluate(point)[1] == near(numeric_gradient(lambda p: evaluate(p)[0], point))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("loss", ["logistic", "svm", "margin"])
@pytest.mark.parametrize("parts", ["sentence", "corpus", "joint"])
@pytest.mark.parametrize("form", ["linear", "network"])
def test_sentence_corpus_and_joint_losses(form, parts, loss, seed):
    one, examples = FORMS[form], random_examples(seed)
    corpora = Corpora(random_systems(seed), len(examples.features))
    evaluate = joint_objective(
        one,
        examples.features,
        examples=None if parts == "corpus" else examples,
        loss=loss,
        corpora=None if parts == "sentence" else corpora,
        mix=0.4,
        l2=0.01,
    )
    point = point_of(one, seed + 7)
    assert evaluate(point)[1] == near(numeric_gradient(lambda p: evaluate(p)[0], point))


def test_the_sentence_loss_never_sees_the_bias():
    examples, form = random_examples(1), LinearForm(5)
    evaluate = joint_objective(form, examples.features, examples=examples, corpora=None)
    point = point_of(form, 1)
    loss, gradient = evaluate(point)
    assert gradient[-1] == pytest.approx(0, abs=1e-15)
    point[-1] += 3
    assert evaluate(point)[0] == pytest.approx(loss)


@pytest.mark.parametrize("make", [svr_objective, platt_objective])
def test_scalers(make):
    random = np.random.default_rng(4)
    raw = random.normal(size=40)
    top = 100 if make is svr_objective else 1
    evaluate = make(raw, random.uniform(0, top, 40))
    point = np.array([0.4, -0.2])
    _, gradient, second = evaluate(point)
    assert gradient == near(numeric_gradient(lambda p: evaluate(p)[0], point))
    for i in range(2):
        row = numeric_gradient(lambda p, i=i: evaluate(p)[1][i], point)
        assert second[i] == pytest.approx(row, rel=1e-4)


@pytest.mark.parametrize("loss", ["logistic", "svm"])
def test_curvature_is_the_second_derivative_at_zero(loss):
    examples, form = random_examples(5), LinearForm(5)
    evaluate = objective(form, examples, loss, 0.3)
    second = curvature(gram(form, examples), loss, 0.3)
    for i in range(5):
        row = numeric_gradient(lambda p, i=i: evaluate(p)[1][i], np.zeros(6))
        assert second[i] == pytest.approx(row[:-1], rel=1e-4)


def test_losses_are_finite_far_away():
    for kind in ("logistic", "svm", "margin"):
        loss, slope = pair_loss(kind, np.array([-1e4, 0.0, 1e4]))
        assert np.isfinite(loss).all()
        assert np.isfinite(slope).all()
        assert loss[2] == slope[2] == 0


def test_equal_corpora_are_averaged_once_and_rows_may_repeat():
    rows = [np.array([0, 1, 1]), np.array([2]), np.array([0, 1, 1])]
    systems = SystemPairs([rows[0], rows[2]], [rows[1], rows[1]], np.array([0.1, 0.5]))
    corpora = Corpora(systems, 3)
    assert len(corpora.rows) == 4
    values = np.array([0.3, -0.2, 0.9])
    slope = numeric_gradient(lambda v: corpora.loss(v)[0], values)
    assert corpora.loss(values)[1] == near(slope)
    examples = Examples(np.eye(3), np.array([0]), np.array([1]))
    assert len(examples) == 1
