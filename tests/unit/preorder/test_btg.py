# SPDX-License-Identifier: Apache-2.0
"""The BTG, against the enumeration of all trees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import btg_trees as oracle
from tertium import _core
from tertium.errors import FormatError, InputError
from tertium.preorder import load
from tertium.preorder.archive import write_model
from tertium.preorder.btg import model as btg_model
from tertium.preorder.btg.model import Btg
from tertium.preorder.btg.training import train_btg
from tertium.preorder.parsing.constraints import Constraints

SLOTS = 64
SMALL = {"classes": (2, 3, 4), "slots": 2**10, "rare": 2, "rate": 0.1}


def corpus(number, seed=0):
    """Return sentences in which `v` moves behind the words that follow it."""
    generator = np.random.default_rng(seed)
    sentences, links = [], []
    for _ in range(number):
        size = int(generator.integers(2, 7))
        words = [f"n{generator.integers(4)}" for _ in range(size)]
        verb = int(generator.integers(size))
        words[verb] = "v"
        order = [i for i in range(size) if i != verb] + [verb]
        sentences.append(words)
        links.append(tuple((word, place) for place, word in enumerate(order)))
    return sentences, links


@st.composite
def problems(draw):
    n = draw(st.integers(0, 5))
    generator = np.random.default_rng(draw(st.integers(0, 10**6)))
    attributes = generator.integers(2, 5, size=(n, 4)).astype(np.uint64)
    weights = generator.normal(scale=0.1, size=(SLOTS, 2)).astype(np.float32)
    ranks = generator.permutation(n).astype(np.int32)
    return attributes, weights, ranks, draw(st.floats(0.1, 5))


def starts(*sizes):
    return np.cumsum([0, *sizes]).astype(np.uint64)


@given(problems())
@settings(max_examples=25)
def test_expectations_are_sums_over_all_trees(problem):
    attributes, weights, _, _ = problem
    n = len(attributes)
    scores = _core.btg_scores(attributes, weights)
    assert len(scores) == len(oracle.nodes(n))
    flat = _core.btg_expectations(attributes, starts(n), weights, [], 1)
    if n > 0:
        expected = oracle.expectations(n, scores.tolist())
        assert flat.reshape(n, n) == pytest.approx(np.array(expected), abs=1e-9)


@given(problems())
@settings(max_examples=25)
def test_the_objective_is_the_likelihood_of_noisy_gold_orders(problem):
    attributes, weights, ranks, penalty = problem
    n = len(attributes)
    value, _ = _core.btg_gradient(attributes, starts(n), ranks, weights, penalty)
    if n > 0:
        scores = _core.btg_scores(attributes, weights).tolist()
        expected = oracle.objective(n, scores, ranks.tolist(), penalty)
        assert value == pytest.approx(expected, abs=1e-9)


@given(problems(), st.integers(0, 2 * SLOTS - 1))
@settings(max_examples=25)
def test_the_gradient_is_the_slope_of_the_objective(problem, place):
    attributes, weights, ranks, penalty = problem

    def objective(change):
        moved = weights.copy()
        moved.flat[place] += np.float32(change)
        step = float(moved.flat[place]) - float(weights.flat[place])
        args = (attributes, starts(len(attributes)), ranks, moved, penalty)
        return _core.btg_gradient(*args)[0], step

    _, gradient = _core.btg_gradient(
        attributes, starts(len(attributes)), ranks, weights, penalty
    )
    (above, up), (below, down) = objective(2**-9), objective(-(2**-9))
    slope = (above - below) / (up - down)
    assert gradient.flat[place] == pytest.approx(slope, abs=2e-3)


def test_one_step_raises_the_objective():
    generator = np.random.default_rng(3)
    attributes = generator.integers(2, 9, size=(4, 4)).astype(np.uint64)
    ranks = np.array([0, 3, 1, 2], np.int32)
    weights, squares = np.zeros((2, 2**12, 2), np.float32)
    before, gradient = _core.btg_gradient(attributes, starts(4), ranks, weights, 2.0)
    only = np.zeros(1, np.uint32)
    args = (attributes, starts(4), ranks, only, weights, squares)
    assert _core.btg_train(*args, 2.0, 4, 0.001, 0.001, 1) == before
    assert ((weights != 0) <= (gradient != 0)).all()
    after, _ = _core.btg_gradient(attributes, starts(4), ranks, weights, 2.0)
    assert after > before


def test_training_learns_to_move_a_verb_to_the_end():
    model = train_btg(*corpus(150), **SMALL)
    results = model.apply([["n0", "v", "n1", "n2"], ["v", "unseen"], ["n3"], []])
    assert [r.order for r in results] == [(0, 2, 3, 1), (1, 0), (0,), ()]
    objectives = [item["objective"] for item in model.settings["log"]]
    assert objectives == sorted(objectives)


def test_the_model_does_not_depend_on_threads():
    one, three = (train_btg(*corpus(60), **SMALL, threads=t) for t in (1, 3))
    assert one.weights.tobytes() == three.weights.tobytes()
    sentences = corpus(9, seed=1)[0]
    matrices = [one.expectations(sentences, threads=t) for t in (1, 3)]
    assert all(map(np.array_equal, *matrices))


def test_training_continues_from_a_checkpoint_to_the_same_model(tmp_path):
    data, path = corpus(40), tmp_path / "checkpoint"
    whole = train_btg(*data, **SMALL)

    def stop(what, done, total):
        if what == "sentences" and done > total / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_btg(*data, **SMALL, checkpoint=path, progress=stop)
    resumed = train_btg(*data, **SMALL, checkpoint=path)
    assert resumed.weights.tobytes() == whole.weights.tobytes()
    assert resumed.settings == whole.settings
    with pytest.raises(InputError, match="other sentences, links or settings"):
        train_btg(*corpus(41), **SMALL, checkpoint=path)


def test_a_saved_model_gives_the_same_expectations(tmp_path):
    model = train_btg(*corpus(40), **SMALL)
    model.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert isinstance(again, Btg)
    assert again.settings == model.settings
    sentences = [*corpus(5, seed=2)[0], ["unseen", "v", "n17"]]
    pairs = zip(
        model.expectations(sentences), again.expectations(sentences), strict=True
    )
    assert all(np.array_equal(a, b) for a, b in pairs)


def test_a_damaged_model_is_reported(tmp_path):
    write_model(tmp_path / "model", "btg", {"slots": 8}, {})
    with pytest.raises(FormatError, match="damaged"):
        load(tmp_path / "model")


def test_a_damaged_checkpoint_is_reported(tmp_path, monkeypatch):
    path = tmp_path / "checkpoint"
    monkeypatch.setattr("tertium.preorder.btg.training._Trainer._mark", lambda _: "m")
    write_model(path, "btg-checkpoint", {"mark": "m", "log": []}, {})
    with pytest.raises(FormatError, match="damaged"):
        train_btg(*corpus(9), **SMALL, checkpoint=path)


def test_held_out_sentences_are_measured_and_not_learnt_from():
    model = train_btg(*corpus(60), **SMALL, held_out=4)
    assert model.settings["sentences"] == 45
    assert 0.5 < model.settings["log"][-1]["held_out"] <= 1


def test_long_sentences_are_reordered_in_pieces(monkeypatch):
    model = train_btg(*corpus(40), **SMALL)
    monkeypatch.setattr(btg_model, "MAX_WORDS", 3)
    [matrix] = model.expectations([["n0", "v", "n1", "n2", "v", "n3", "n1"]])
    assert matrix + matrix.T + np.eye(7) == pytest.approx(np.ones((7, 7)))
    assert (matrix[:2, 2:] == 1).all()


def test_eighty_words_are_reordered():
    model = train_btg(*corpus(40), **SMALL)
    [result] = model.apply([["v", *["n1"] * 79]])
    assert sorted(result.order) == list(range(80))
    assert result.expected > 0.5


def test_constraints_are_respected():
    model = train_btg(*corpus(40), **SMALL)
    wall = Constraints(walls=(2,))
    [result] = model.apply([["v", "n1", "n2", "n3"]], constraints=wall)
    assert set(result.order[:2]) == {0, 1}


@pytest.mark.parametrize(
    "options",
    [
        {"classes": (2, 3)},
        {"classes": (0, 1, 2)},
        {"iterations": 0},
        {"rate": -1.0},
        {"slots": 100},
        {"held_out": 1},
        {"max_words": 1},
    ],
)
def test_impossible_settings_are_rejected(options):
    with pytest.raises(InputError):
        train_btg(*corpus(5), **{**SMALL, **options})
