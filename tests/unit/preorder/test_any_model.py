# SPDX-License-Identifier: Apache-2.0
"""The function that trains any model."""

from __future__ import annotations

import pytest

from tertium.errors import InputError
from tertium.preorder import load, train
from tertium.preorder.archive import training_log
from tertium.preorder.demo import demo_text
from tertium.preorder.training import model_settings
from tertium.report.preorder.training import training_diagram


def test_a_trained_grammar_keeps_a_log_and_is_read_again(tmp_path):
    text, test = demo_text("train"), demo_text("test").sentences[:20]
    settings = {"model": "grammar", "splits": (8, 2), "restarts": 1, "iterations": 30}
    model = train(text.sentences, text.links, **settings)
    model.save(tmp_path / "model")
    rows = training_log(tmp_path / "model")
    values = [row["perplexity"] for row in rows]
    assert len(values) == 30
    assert values == sorted(values, reverse=True)
    assert training_diagram(rows).count("perplexity") >= 1
    again = load(tmp_path / "model")
    assert again.kind == "grammar"
    assert again.apply(test) == model.apply(test)


def test_settings_of_other_models_are_rejected():
    with pytest.raises(InputError, match="grammar has no setting 'classes'; it has"):
        train([], [], model="grammar", classes=(1, 2, 3))
    with pytest.raises(InputError, match="unknown model 'lader'"):
        train([], [], model="lader")
    assert "splits" in model_settings("grammar")


def test_a_combination_learns_from_a_small_text():
    text = demo_text("train")
    small = {"members": ["grammar"], "restarts": 1, "splits": (2, 1), "iterations": 3}
    model = train(text.sentences[:20], text.links[:20], model="combined", **small)
    assert model.kind == "combined"
    assert len(model.apply(text.sentences[:2])) == 2


def test_values_that_are_not_finite_are_left_out_of_the_diagram():
    rows = [{"number": 1, "loss": float("inf")}, {"number": 2, "loss": 3.0}]
    assert "loss" in training_diagram(rows)
