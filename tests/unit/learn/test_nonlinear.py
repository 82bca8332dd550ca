# SPDX-License-Identifier: Apache-2.0
"""Polynomial and network rankers from pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import learning as oracle
from support.learning_data import random_examples
from tertium.learn.examples import Examples
from tertium.learn.objectives import (
    GAMMA_GRID,
    POLYNOMIAL_GRID,
    Plan,
    accuracy,
    fit_network,
    fit_polynomial,
    fit_svm_grid,
    tau,
)
from tertium.learn.objectives.forms import PolynomialForm


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
    result = accuracy(valid.differences(raw), valid.weights)
    assert result == pytest.approx(fit.record["held_out_accuracy"])
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
