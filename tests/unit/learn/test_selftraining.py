# SPDX-License-Identifier: Apache-2.0
"""Self-training on n-best lists, in both readings."""

from __future__ import annotations

import numpy as np
import pytest

from support.learning_data import random_examples
from tertium.errors import InputError, UnknownNameError
from tertium.learn.examples import NBest, join
from tertium.learn.objectives import Fit, fit_linear, sample_pairs, self_train
from tertium.learn.rankers import Linear
from tertium.learn.scalers import sigmoid

RANKER = Linear((1.0, -0.5, 0.2, 0.0, 0.3))


def nbest(lists=20, size=12, seed=1) -> NBest:
    random = np.random.default_rng(seed)
    return NBest(random.random((lists * size, 5)), np.arange(0, lists * size, size))


def lists_of(nbest: NBest, rows):
    return np.searchsorted(nbest.starts, rows, side="right")


@pytest.mark.parametrize("sampling", ["uniform", "weighted", "extremes"])
def test_pairs_are_of_one_list_and_labelled_by_the_ranker(sampling):
    one = nbest()
    result = sample_pairs(RANKER, one, sampling=sampling, pairs=500)
    raw = RANKER.raw(one.features)
    assert (raw[result.better] > raw[result.worse]).all()
    assert (lists_of(one, result.better) == lists_of(one, result.worse)).all()
    assert result.groups == ("n-best",)
    again = sample_pairs(RANKER, one, sampling=sampling, pairs=500)
    assert np.array_equal(result.better, again.better)


def test_uniform_pairs_are_as_many_as_wanted_and_follow_the_seed():
    result = nbest()
    first = sample_pairs(RANKER, result, pairs=300, seed=0)
    assert len(first) == 300
    other = sample_pairs(RANKER, result, pairs=300, seed=1)
    assert not np.array_equal(first.better, other.better)


def test_weighted_pairs_are_as_many_of_every_list_and_weigh_how_sure_they_are():
    one = nbest()
    result = sample_pairs(RANKER, one, sampling="weighted", pairs=400)
    counts = np.bincount(lists_of(one, result.better))
    assert set(counts[1:]) == {20}
    sure = sigmoid(result.differences(RANKER.raw(one.features)))
    expected = (sure - sure.min()) / sure.max()
    assert result.weights == pytest.approx(expected)


def test_equally_sure_pairs_weigh_alike():
    best = NBest(np.array([[0.0], [1.0]]), np.array([0]))
    result = sample_pairs(Linear((1.0,)), best, sampling="weighted", pairs=3)
    assert result.weights.tolist() == [1, 1, 1]


def test_extremes_are_all_pairs_of_the_best_and_the_worst():
    one = nbest(lists=20)
    # K = isqrt(200 // 20) + 1 = 4, so 16 pairs of each of 20 lists
    result = sample_pairs(RANKER, one, sampling="extremes", pairs=200)
    assert len(result) == 320
    raw = RANKER.raw(one.features)[:12]
    ranked = np.argsort(-raw, kind="stable")
    first = {*zip(result.better[:16].tolist(), result.worse[:16].tolist(), strict=True)}
    assert first == {(a, b) for a in ranked[:4].tolist() for b in ranked[-4:].tolist()}


def test_extremes_of_short_lists_do_not_overlap():
    one = nbest(lists=2, size=5)
    result = sample_pairs(RANKER, one, sampling="extremes", pairs=60_000)
    assert len(result) == 2 * 2 * 2


def test_union_keeps_human_pairs_and_self_leaves_them_out():
    human, one = random_examples(1), nbest()
    seen = []

    def fit(examples):
        seen.append(len(examples))
        return fit_linear(examples, loss="svm")

    union = self_train(human, one, fit, pairs=100, rounds=2)
    assert seen == [60, 160, 160]
    seen.clear()
    alone = self_train(human, one, fit, mode="self", pairs=100, rounds=2)
    assert seen == [60, 100, 100]
    assert union.ranker != alone.ranker
    assert union.record["self_training"] == {
        "mode": "union",
        "sampling": "uniform",
        "rounds": 2,
        "kept": 2,
        "pairs": 100,
        "lists": 20,
        "seed": 12345,
    }
    assert union.record["learner"] == "svm"


@pytest.mark.parametrize(
    ("sampling", "rounds"), [("uniform", 1), ("weighted", 5), ("extremes", 3)]
)
def test_rounds_are_those_of_the_originals(sampling, rounds):
    fit = self_train(
        random_examples(2), nbest(), lambda e: fit_linear(e, loss="svm"),
        sampling=sampling, pairs=100,
    )  # fmt: skip
    assert fit.record["self_training"]["rounds"] == rounds


def test_self_labels_agree_with_the_first_ranker():
    human, one = random_examples(3), nbest(lists=50)

    def fit(examples):
        return fit_linear(examples, loss="svm", regularisation=1.0)

    first = fit(human).ranker
    later = self_train(human, one, fit, mode="self", pairs=2000).ranker
    pairs = sample_pairs(first, one, pairs=1000, seed=9)
    assert (pairs.differences(later.raw(one.features)) > 0).mean() > 0.95


def test_a_round_that_does_harm_is_undone():
    """N-best lists in which what people like goes with what they do not."""
    human, valid = random_examples(3, pairs=300), random_examples(6, pairs=300)
    random = np.random.default_rng(1)
    rows = random.random((200, 5))
    rows[:, 0] = 1 - rows[:, 2]  # good and bad features that say the same
    lists = NBest(rows, np.arange(0, 200, 10))

    def fit(examples):
        if examples.groups == ("all",):
            return fit_linear(examples)
        weights = np.array(fit_linear(human).ranker.weights)
        return Fit(Linear(tuple(-weights)), {"learner": "broken"})

    result = self_train(
        human, lists, fit, mode="self", rounds=3, valid=valid, pairs=200
    )
    record = result.record["self_training"]
    assert (record["rounds"], record["kept"]) == (3, 0)
    assert result.ranker == fit(human).ranker
    before, after = record["held_out_tau"]
    assert after < before - 0.01
    assert record["held_out_pairs"] == len(valid)
    kept = self_train(human, lists, fit_linear, rounds=2, valid=valid, pairs=200)
    record = kept.record["self_training"]
    assert record["kept"] == 2
    assert len(record["held_out_tau"]) == 3


def test_joined_examples_keep_their_pairs_and_groups():
    first, second = random_examples(4), random_examples(5)
    both = join(first, second)
    assert len(both) == 120
    assert both.groups == ("all",)
    rows = second.features[second.better]
    assert np.array_equal(both.features[both.better[60:]], rows)
    other = join(first, sample_pairs(RANKER, nbest(), pairs=5))
    assert other.groups == ("all", "n-best")
    assert other.group.tolist() == [0] * 60 + [1] * 5


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda e, n, f: self_train(e, n, f, mode="both"), "unknown mode"),
        (lambda e, n, f: self_train(e, n, f, sampling="all"), "unknown sampling"),
        (lambda e, n, f: self_train(e, n, f, rounds=-1), "-1 rounds"),
        (lambda _e, n, _f: sample_pairs(RANKER, n, sampling="x"), "unknown sampling"),
        (lambda _e, n, _f: sample_pairs(RANKER, n, pairs=0), "draw 1 or more"),
        (
            lambda *_: sample_pairs(RANKER, nbest(size=1)),
            "every n-best list has one candidate",
        ),
        (
            lambda _e, n, _f: sample_pairs(Linear((0.0,) * 5), n, pairs=9),
            "tells no two candidates of any n-best list apart",
        ),
        (lambda *_: NBest(np.ones((3, 5)), np.array([1])), "rise from 0"),
        (lambda *_: NBest(np.ones((3, 5)), np.array([0, 0])), "rise from 0"),
        (lambda *_: NBest(np.ones((3, 5)), np.array([0, 3])), "outside 0 to 2"),
    ],
)
def test_wrong_arguments_are_rejected(call, message):
    with pytest.raises((InputError, UnknownNameError), match=message):
        call(random_examples(1), nbest(), fit_linear)
