# SPDX-License-Identifier: Apache-2.0
"""What learners reject, and what they have in common."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from support.learning_data import random_examples
from tertium.errors import InputError, MissingExtraError, UnknownNameError
from tertium.learn.examples import Examples
from tertium.learn.objectives import (
    Plan,
    fit_linear,
    fit_network,
    fit_polynomial,
    fit_svm_grid,
)
from tertium.learn.rankers import Linear


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
def test_wrong_arguments_are_rejected(call, message):
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
def test_wrong_examples_are_rejected(arguments, message):
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
