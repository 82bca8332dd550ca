# SPDX-License-Identifier: Apache-2.0
"""Several preordering models as one."""

from __future__ import annotations

import numpy as np
import pytest

from tertium.errors import FormatError, InputError
from tertium.preorder import load
from tertium.preorder.archive import write_model
from tertium.preorder.combination import (
    Combined,
    combine_expectations,
    fit_weights,
    train_combined,
)
from tertium.preorder.gold import Gold
from tertium.preorder.training import train

SENTENCES = [["she", "reads", "books"], ["he", "reads"], ["books"]] * 10
LINKS = [((0, 0), (1, 2), (2, 1)), ((0, 0), (1, 1)), ((0, 0),)] * 10
SETTINGS = {
    "btg": {"rate": 0.1, "slots": 2**10, "classes": (2, 3, 4)},
    "grammar": {"splits": (2, 1), "unknown": 0},
}


def matrix(p):
    return np.array([[0, p], [1 - p, 0]])


def gold(*orders):
    return [Gold(order, tuple(map(float, order))) for order in orders]


@pytest.fixture(scope="module")
def combined():
    return train_combined(
        SENTENCES,
        LINKS,
        members=["btg", "grammar"],
        held_out=4,
        settings=SETTINGS,
    )


def test_equal_models_with_weights_that_sum_to_one_change_nothing():
    [result] = combine_expectations([[matrix(0.7)], [matrix(0.7)]], [0.4, 0.6])
    assert result == pytest.approx(matrix(0.7))


def test_opposite_entries_sum_to_one_and_certainty_is_bounded():
    [result] = combine_expectations([[matrix(1.0)], [matrix(0.2)]], [1.0, 1.0])
    assert result + result.T + np.eye(2) == pytest.approx(np.ones((2, 2)))
    assert 0.9 < result[0, 1] < 1


def test_a_useful_model_gets_more_weight_than_a_random_one():
    orders = gold((0, 1), (1, 0), (0, 1), (1, 0), (0, 1), (1, 0))
    useful = [matrix(p) for p in (0.8, 0.2, 0.7, 0.3, 0.4, 0.2)]
    random = [matrix(p) for p in (0.8, 0.8, 0.3, 0.3, 0.5, 0.5)]
    first, second = fit_weights([useful, random], orders)
    assert first > 0.5 > abs(second)


def test_weights_need_a_sentence_of_two_words():
    with pytest.raises(InputError, match="two words"):
        fit_weights([[np.zeros((1, 1))]], gold((0,)))


def test_a_combination_learns_like_its_members(combined):
    orders = [r.order for r in combined.apply([["he", "reads", "books"], ["she"], []])]
    assert orders == [(0, 2, 1), (0,), ()]
    assert [item["model"] for item in combined.settings["models"]] == ["btg", "grammar"]


def test_a_saved_combination_gives_the_same_expectations(combined, tmp_path):
    combined.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert isinstance(again, Combined)
    assert again.weights == combined.weights
    one, two = (m.expectations(SENTENCES[:3]) for m in (combined, again))
    assert all(map(np.array_equal, one, two))


def test_a_damaged_combination_is_reported(tmp_path):
    write_model(tmp_path / "model", "combined", {"weights": [1.0]}, {})
    with pytest.raises(FormatError, match="damaged"):
        load(tmp_path / "model")


def test_training_by_name_is_the_same(combined):
    options = {"members": ["btg", "grammar"], "held_out": 4}
    for settings in SETTINGS.values():
        options |= settings
    model = train(SENTENCES, LINKS, model="combined", **options)
    assert model.weights == combined.weights


def test_impossible_combinations_are_rejected():
    with pytest.raises(InputError, match="held_out"):
        train_combined(SENTENCES, LINKS, held_out=1)
    with pytest.raises(InputError, match="members"):
        train_combined(SENTENCES, LINKS, members=[])
    with pytest.raises(InputError, match="one weight per model"):
        Combined([], [])
