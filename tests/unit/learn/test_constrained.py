# SPDX-License-Identifier: Apache-2.0
"""Weights that only reward agreement: no text beats a copy of the reference."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from support.learning_data import random_examples, small_profile
from tertium.learn.model import Model
from tertium.learn.objectives import (
    Plan,
    fit_linear,
    fit_network,
    fit_svm_grid,
)

SIGNS = small_profile().signs


unit = st.floats(0, 1)


@cache
def constrained():
    """Return models of every learner that can be constrained."""
    # noise alone: plain weights would have all signs
    examples = random_examples(11, pairs=200, noise=5.0)
    from support.learning_data import random_systems
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


COPY = np.array([[1.0, 1, 1, 1, 0]])


@settings(max_examples=200)
@given(st.lists(unit, min_size=4, max_size=4), st.floats(0, 50))
def test_no_text_beats_a_copy_in_constrained_mode(units, length):
    row = np.array([[*units, length]])
    for model in constrained():
        assert model.raw(row)[0] <= model.raw(COPY)[0] + 1e-12
        scores = model.scores(np.vstack([row, COPY]))
        assert scores[0] <= scores[1] + 1e-15


def test_constrained_models_are_known_to_be_safe():
    assert all(model.copy_is_best for model in constrained())
    assert any(any(model.ranker.weights) for model in constrained()[:4])
    examples = random_examples(11, pairs=200, noise=5.0)
    plain = Model(small_profile(), fit_linear(examples).ranker)
    assert not plain.copy_is_best


def test_constrained_weights_are_the_best_of_their_sign():
    examples = random_examples(12, pairs=300)
    weights = np.array(
        fit_linear(
            examples, regularisation=1e-8, nonnegative=(1, 1, -1, 0, 1)
        ).ranker.weights
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
