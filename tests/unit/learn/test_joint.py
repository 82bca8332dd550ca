# SPDX-License-Identifier: Apache-2.0
"""Corpus and joint objectives, and where the sigmoid must lie."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from support.learning_data import random_examples, random_systems
from tertium.errors import InputError
from tertium.learn.examples import Examples, SystemPairs
from tertium.learn.objectives import Plan, fit_corpus, fit_joint, fit_linear, tau
from tertium.learn.objectives.descent import search
from tertium.learn.objectives.forms import LinearForm
from tertium.learn.objectives.losses import Corpora
from tertium.learn.scalers import sigmoid

SYSTEMS, SEGMENTS, PAIRS = 10, 300, 4000


class World:
    """Ten systems; every second one is better on the whole but ruins some segments.

    Features lie around 0.75, as those of real texts do. A sigmoid far to the left of
    them sees nothing but the ruins, and so prefers the wrong systems.
    """

    def __init__(self, seed: int = 1) -> None:
        random = np.random.default_rng(seed)
        odd = np.arange(SYSTEMS) % 2
        quality = random.normal(0, 0.4, (SYSTEMS, SEGMENTS))
        quality += (np.linspace(-0.5, 0.5, SYSTEMS) + 0.7 * odd)[:, None]
        shares = np.where(odd, 0.12, 0.02)[:, None]
        quality -= 3 * (random.random((SYSTEMS, SEGMENTS)) < shares)
        self.skill = quality.mean(axis=1)
        rows = 0.08 * quality.reshape(-1, 1) * random.uniform(0.5, 1, 6)
        rows = np.clip(0.75 + rows + random.normal(0, 0.02, rows.shape), 0, 1)
        first = random.integers(SYSTEMS, size=PAIRS)
        second = (first + random.integers(1, SYSTEMS, size=PAIRS)) % SYSTEMS
        segment = random.integers(SEGMENTS, size=PAIRS)
        gap = quality[first, segment] - quality[second, segment]
        right = gap + random.normal(0, 0.3, PAIRS) > 0
        a, b = first * SEGMENTS + segment, second * SEGMENTS + segment
        self.examples = Examples(rows, np.where(right, a, b), np.where(right, b, a))
        self.corpora = np.arange(SYSTEMS * SEGMENTS).reshape(SYSTEMS, SEGMENTS)
        ranked = np.argsort(self.skill)
        result = list(combinations(ranked, 2))  # the worse one first
        self.systems = SystemPairs(
            [self.corpora[b] for _, b in result],
            [self.corpora[a] for a, _ in result],
            [0.25 * (self.skill[b] - self.skill[a]) for a, b in result],
        )

    def correlation(self, ranker) -> float:
        """Return Pearson's r of mean σ with skill."""
        scores = sigmoid(ranker.raw(self.examples.features))[self.corpora].mean(axis=1)
        return float(np.corrcoef(scores, self.skill)[0, 1])

    def tau(self, ranker) -> float:
        return tau(self.examples.differences(ranker.raw(self.examples.features)))


WORLD = World()


def test_a_sigmoid_left_at_zero_ruins_averages():
    fit = fit_linear(WORLD.examples, loss="svm", regularisation=1.0)
    naive = replace(fit.ranker, bias=0.0)
    assert WORLD.tau(naive) == WORLD.tau(fit.ranker) > 0.8
    # sentences are ranked as well, corpora are not
    assert WORLD.correlation(naive) < 0.8
    assert WORLD.correlation(fit.ranker) > 0.98


def test_joint_training_keeps_the_sigmoid_where_the_data_are():
    fit = fit_joint(WORLD.examples, WORLD.systems)
    assert WORLD.correlation(fit.ranker) > 0.98
    sentence = fit_linear(WORLD.examples, loss="svm", regularisation=1.0).ranker
    assert WORLD.tau(fit.ranker) > WORLD.tau(sentence) - 0.02
    scores = sigmoid(fit.ranker.raw(WORLD.examples.features))
    assert 0.2 < scores.mean() < 0.8


def test_joint_training_on_plain_features_loses_the_sigmoid():
    """The problem that centring solves: all scores near 1, and a higher loss."""
    features = WORLD.examples.features
    form, one = LinearForm(6), Corpora(WORLD.systems, len(features))
    results = {}
    for centre in (False, True):
        parameters, means, record = search(
            form, features, Plan(), examples=WORLD.examples, corpora=one, centre=centre
        )
        results[centre] = form.ranker(parameters, means), record["loss"]
    assert sigmoid(results[False][0].raw(features)).mean() > 0.99
    assert WORLD.correlation(results[False][0]) < 0.8
    assert results[True][1] < results[False][1] - 0.03
    assert results[True][0] == fit_joint(WORLD.examples, WORLD.systems).ranker


def test_corpus_training_orders_corpora_by_their_margins():
    fit = fit_corpus(WORLD.examples, WORLD.systems)
    assert WORLD.correlation(fit.ranker) > 0.98
    assert fit.record["pairs"] == 0
    assert fit.record["system_pairs"] == 45
    values = fit.ranker.raw(WORLD.examples.features)
    loss, _ = Corpora(WORLD.systems, len(values)).loss(values)
    zero, _ = Corpora(WORLD.systems, len(values)).loss(np.zeros(len(values)))
    assert loss < zero / 2


def test_mix_goes_from_sentences_to_corpora():
    plan = Plan(steps=100)

    def corpus_loss(mix):
        fit = fit_joint(WORLD.examples, WORLD.systems, mix=mix, plan=plan)
        values = fit.ranker.raw(WORLD.examples.features)
        return Corpora(WORLD.systems, len(values)).loss(values)[0]

    assert corpus_loss(1.0) <= corpus_loss(0.5) <= corpus_loss(0.0)
    only = fit_corpus(WORLD.examples, WORLD.systems, plan=plan).ranker
    assert only == fit_joint(WORLD.examples, WORLD.systems, mix=1.0, plan=plan).ranker


def test_a_network_goes_under_the_joint_loss():
    plan = Plan(steps=150, rate=0.05)
    fit = fit_joint(WORLD.examples, WORLD.systems, hidden=4, plan=plan)
    assert fit.ranker.kind == "network"
    assert WORLD.correlation(fit.ranker) > 0.95
    assert WORLD.tau(fit.ranker) > 0.75


def test_early_stopping_and_restarts_go_by_held_out_tau():
    train = WORLD.examples.take(np.arange(3000))
    valid = WORLD.examples.take(np.arange(3000, PAIRS))
    plan = Plan(steps=60, restarts=3, patience=3, seed=0)
    fit = fit_joint(train, WORLD.systems, valid=valid, plan=plan)
    raw = fit.ranker.raw(valid.features)
    assert tau(valid.differences(raw)) == pytest.approx(fit.record["held_out_tau"])
    again = fit_joint(train, WORLD.systems, valid=valid, plan=plan)
    assert again.ranker == fit.ranker
    assert again.record == fit.record


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda e, s: fit_joint(e, s, mix=1.5), "mix is 1.5"),
        (lambda e, s: fit_joint(e, s, hidden=-1), "-1 hidden nodes"),
        (lambda e, _: fit_joint(e, SystemPairs([], [], [])), "no pair of systems"),
        (lambda e, s: fit_joint(e.take(np.arange(0)), s), "no pair to learn from"),
        (
            lambda e, _: fit_corpus(e, SystemPairs([[0]], [[99]], [0.1])),
            "names a row outside 0 to 29",
        ),
        (lambda *_: SystemPairs([[0]], [[1]], [0.0]), "finite and above 0; leave out"),
        (
            lambda *_: SystemPairs([[0]], [[1]], [1, 2]),
            "1 better corpora, 1 worse ones",
        ),
        (lambda *_: SystemPairs([[0]], [[]], [1]), "corpus 0 .* has no segment"),
    ],
)
def test_wrong_arguments_are_rejected(call, message):
    with pytest.raises(InputError, match=message):
        call(random_examples(1), random_systems(1))
