# SPDX-License-Identifier: Apache-2.0
"""Outputs of one word: no default recipe lets them win, and models know what they get.

The demo set has ratings, without which `beer-2.0` is scaled in another way.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import tertium
from support.learning_data import random_examples, small_profile
from tertium.data.annotated import Annotated
from tertium.judgements import demo_files, import_judgements
from tertium.learn import objectives
from tertium.learn.data import make_source
from tertium.learn.model import Model
from tertium.learn.objectives import SVM_GRID, fit_svm_grid
from tertium.learn.objectives.scaling import certainty
from tertium.learn.probe import LIMIT, Probe, bent, one_word_outputs, probe_of, rescaled
from tertium.learn.profile import profile, profile_names
from tertium.learn.rankers import Linear, Network, Polynomial
from tertium.learn.scalers import Scaler
from tertium.learn.training import RECIPES, recipe_of, train_model
from tertium.learn.validation import model_scores

pytestmark = pytest.mark.slow

DEMO = os.path.join(os.path.dirname(tertium.__file__), "demo", "demo.jsonl")


@pytest.fixture(scope="module")
def demo():
    judgements = import_judgements(demo_files()).judgements
    return make_source(tertium.read(DEMO), judgements)


@pytest.fixture(autouse=True)
def few_strengths(monkeypatch):
    """Search three strengths of an SVM, not 21, which takes seven times as long."""
    grid = SVM_GRID[::7]
    monkeypatch.setattr(objectives, "fit_svm_grid", partial(fit_svm_grid, grid=grid))


def highest(model, references) -> float:
    """Return the highest score of a word of under a fifth of its reference."""
    hyps, refs = [], []
    for ref in references:
        for word in {*ref.split(), "die", "ist", ".", "e"}:
            if len(word) < len(ref) / 5:
                hyps.append(word)
                refs.append((ref,))
    return model_scores(model, hyps, refs).max()


# ------------------------------------------------------------------ whole recipes

#: Profiles that cannot be trained on texts alone; their bundled models are tried in
#: tests/conformance/test_beer_probes.py.
NEED_FILES = {"beer-2.0-released", "beer-4-static", "beer-4-context"}


@pytest.mark.parametrize("rated", [True, False], ids=["rated", "ranked"])
@pytest.mark.parametrize("name", sorted({*RECIPES} - NEED_FILES))
def test_one_word_never_scores_above_a_tenth_by_default(demo, name, rated):
    source = demo if rated else replace(demo, ratings=None)
    model = train_model([source], profile=name)
    refs = [one[0] for one in demo.testset.references]
    assert highest(model, refs) <= LIMIT
    assert model.training["probe"]["highest_score"] <= LIMIT
    # Real outputs do not sink with them.
    good = model_scores(model, demo.testset.systems["good"], [(ref,) for ref in refs])
    assert good.mean() > 1.5 * LIMIT


def test_every_named_profile_has_a_recipe():
    assert set(RECIPES) == set(profile_names())


def test_nearly_free_weights_are_reported(demo):
    recipe = recipe_of("beer-1.1", regularisation=1e-8)
    message = []
    model = train_model([demo], profile="beer-1.1", recipe=recipe, log=message.append)
    assert model.training["probe"]["highest_score"] == 1
    assert model.training["probe"]["above_copy"] > 0
    assert message[-1].startswith("one-word outputs score up to 1.00; use stronger")


def test_a_bent_scale_keeps_what_people_rated(demo):
    model = train_model([demo], profile="beer-2.0")
    assert model.training["recipe"]["scaling"] == "linear"
    systems = demo.testset.systems
    refs = [one[0] for one in demo.testset.references]
    bent_scores = model_scores(model, systems["good"], [(ref,) for ref in refs])
    # The straight line through the same ratings, solved anew.
    line = np.polyfit(model.scaler.knots[-10:], model.scaler.levels[-10:], 1)
    raw = model.raw(model.profile.features(systems["good"], refs))
    top = np.polyval(line, model.raw(model.profile.features(refs, refs)))
    above = raw > model.scaler.knots[2]
    assert above.mean() > 0.8
    straight = np.minimum(np.polyval(line, raw) / top, 1)
    assert bent_scores[above] == pytest.approx(straight[above], abs=1e-9)


# --------------------------------------------------------------------- the probe


def test_words_are_of_long_references_and_small_beside_them():
    refs = [
        "one two three four",
        "a bb ccc dddd eeeee ffffff",
        "a a a a internationally",
    ]
    hyps, against = one_word_outputs(refs)
    assert set(against) == set(refs[1:])
    for hyp, ref in zip(hyps, against, strict=True):
        assert len(hyp) < 0.2 * len(ref)
    assert ("ccc", refs[1]) in zip(hyps, against, strict=True)
    assert "internationally" not in hyps
    assert one_word_outputs([]) == ([], [])


def test_texts_that_bring_layers_are_not_probed():
    model_profile = profile("beer-3.0")
    assert probe_of(model_profile, [("a", Annotated("a b", {}))]) is None
    assert (
        probe_of(model_profile, []).highest(Model(model_profile, Linear((0.0,) * 57)))
        == 0
    )


def probe(words, copy=1.0) -> Probe:
    """Return a probe over five features that are all alike."""
    rows = np.repeat(np.array(words, dtype=float)[:, None], 5, axis=1)
    copies = np.full_like(rows, copy)
    return Probe(rows, copies, rows[:0], copies[:0])


def model_of(weight: float, scaler: Scaler) -> Model:
    return Model(small_profile(), Linear((weight / 5,) * 5), scaler)


def people(weight: float, seed=1):
    """Return pairs that people decide as σ of a model of this weight says."""
    random = np.random.default_rng(seed)
    result = random_examples(seed, pairs=4000)
    raw = weight * result.features.mean(axis=1)
    one, other = result.better, result.worse
    sure = 1 / (1 + np.exp(raw[other] - raw[one]))
    right = random.random(len(one)) < sure
    return replace(
        result, better=np.where(right, one, other), worse=np.where(right, other, one)
    )


QUASI = Scaler("quasi", anchor=True)


def test_fit_raw_numbers_stay_as_they_are():
    model = model_of(8.0, QUASI)
    assert rescaled(model, probe([0.1, 0.4]), people(8.0)) == (model, 1.0)


@pytest.mark.parametrize("scaler", [QUASI, Scaler("none", anchor=True)])
def test_flat_scores_are_stretched_till_one_word_is_low(scaler):
    model = replace(
        model_of(2.0, scaler),
        ranker=Linear((0.4,) * 5, 0.0 if scaler == QUASI else -1.0),
    )
    one = probe([0.1, 0.2])
    assert one.highest(model) > LIMIT
    result, factor = rescaled(model, one, people(2.0))
    assert 1 < factor < 5
    assert one.highest(result) <= LIMIT
    assert result.ranker.weights == pytest.approx([0.4 * factor] * 5)


def test_raw_numbers_surer_than_people_are_shrunk():
    """Weights of 67,000, say, after training on judgements of its own."""
    result, factor = rescaled(model_of(67_000.0, QUASI), probe([0.1]), people(8.0))
    assert 67_000 * factor == pytest.approx(8, rel=0.3)
    assert result.scores(np.full((1, 5), 0.9), np.ones(5))[0] > 0.5


def test_a_word_above_a_copy_cannot_be_put_right_by_the_scale():
    model = model_of(8.0, QUASI)
    result = probe([1.2])
    assert rescaled(model, result, people(8.0)) == (model, 1.0)
    assert result.record(model) == {
        "one_word_outputs": 1, "highest_score": 1.0, "texts": 1, "above_copy": 1,
    }  # fmt: skip


def test_certainty_is_the_slope_of_peoples_choices():
    result = people(3.0)
    raw = result.features.mean(axis=1)
    assert certainty(result.differences(raw), result.weights) == pytest.approx(
        3, rel=0.2
    )
    twice = certainty(result.differences(2 * raw), result.weights)
    assert 2 * twice == pytest.approx(
        certainty(result.differences(raw), result.weights)
    )
    assert certainty(-result.differences(raw), result.weights) < 0
    assert certainty(np.zeros(3), np.ones(3)) == 1
    assert certainty(np.array([1.0, 2.0]), np.ones(2)) < 10  # separable, yet finite


@pytest.mark.parametrize(
    "scaler", [Scaler("linear", 40.0, 50.0), Scaler("platt", 2.0, 0.5)]
)
def test_a_scale_of_ratings_is_bent_below_them(scaler):
    model = model_of(1.0, scaler)
    one, rated = probe([-0.9, -0.2]), np.linspace(0, 0.9, 50)
    result = bent(model, one, rated)
    assert one.highest(replace(model, scaler=result)) <= LIMIT
    values = np.linspace(0.1, 0.9, 9)
    assert result.scores(values) == pytest.approx(scaler.scores(values), abs=1e-3)
    rising = result.scores(np.linspace(-1, 1, 200))
    assert (np.diff(rising) >= 0).all()
    steep = model_of(1.0, Scaler("linear", 300.0, 50.0))
    assert bent(steep, one, rated) is steep.scaler  # low enough already
    assert bent(model, one, rated - 5) is scaler  # no rating is better than a word


@pytest.mark.parametrize(
    "ranker",
    [
        Linear((1.0, 2.0), 0.5),
        Polynomial(2, 1.0, (1.0, 2.0, 3.0, 4.0, 5.0, 6.0), 2),
        Network(((1.0, -1.0), (0.5, 2.0)), (0.1, 0.2), (1.0, -2.0), 0.3),
    ],
)
def test_a_ranker_times_a_factor_has_so_many_times_the_raw_numbers(ranker):
    rows = np.random.default_rng(1).random((7, 2))
    assert ranker.times(3.0).raw(rows) == pytest.approx(3 * ranker.raw(rows))
