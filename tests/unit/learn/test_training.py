# SPDX-License-Identifier: Apache-2.0
"""Recipes end to end, on the demo set: what a model is, says, and never does."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import numpy as np
import pytest

import tertium
from tertium.data.testset import Testset
from tertium.errors import InputError, UnknownNameError
from tertium.judgements import (
    Judgements,
    Place,
    Ranking,
    demo_files,
    import_judgements,
)
from tertium.learn.data import Source, make_source, split
from tertium.learn.examples import Examples
from tertium.learn.influence import group_losses, influences
from tertium.learn.matrices import TextRows, nbest_rows
from tertium.learn.model import load_model
from tertium.learn.pairs import Pairs, corpora_of, pairs_from
from tertium.learn.profile import profile
from tertium.learn.training import RECIPES, Recipe, SelfTraining, recipe_of, train_model
from tertium.learn.validation import (
    agreement,
    averages,
    leave_one_out,
    model_scores,
    validate,
)

pytestmark = pytest.mark.slow

DEMO = os.path.join(os.path.dirname(tertium.__file__), "demo", "demo.jsonl")


@pytest.fixture(scope="module")
def demo() -> Source:
    judgements = import_judgements(demo_files()).judgements
    return make_source(tertium.read(DEMO), judgements)


@pytest.fixture(scope="module")
def ranked(demo) -> Source:
    """Return the demo set without ratings."""
    return replace(demo, ratings=None)


@pytest.fixture(scope="module")
def model(demo):
    return train_model([demo], profile="beer-3.0")


def quick(learner: str, **changes) -> Recipe:
    return recipe_of("beer-3.0", learner=learner, **changes)


# ------------------------------------------------------------------------ recipes


def test_every_named_profile_has_the_recipe_of_its_version():
    assert RECIPES["beer-3.0"].objective == "joint"
    assert RECIPES["beer-2.0"].learner == "svm"
    assert RECIPES["beer-2.0"].scaling == "linear"
    assert RECIPES["beer-2.0"].filter == "agreed"
    assert RECIPES["beer-1.1"].scaling == "quasi"
    assert RECIPES["beer-1.0"].scaling == "quasi"  # Stanojević 2017, table 6.3
    assert recipe_of("mine") == RECIPES["beer-1.1"]
    assert recipe_of("beer-3.0-char") == RECIPES["beer-3.0"]  # an ablation


def test_half_a_choice_brings_what_fits_it():
    assert recipe_of("beer-3.0", learner="logistic").objective == "sentence"
    assert recipe_of("beer-2.0", objective="joint").learner == "linear"
    assert recipe_of("beer-2.0", learner="linear").objective == "joint"
    assert not recipe_of("beer-2.0", learner="polynomial").nonnegative
    assert recipe_of("beer-2.0", rated=False).scaling == "quasi"
    assert recipe_of("beer-2.0", rated=False, scaling="platt").scaling == "platt"


def test_choices_that_do_not_fit_are_rejected():
    with pytest.raises(
        InputError, match="joint cannot be learnt by svm; choose linear"
    ):
        recipe_of("beer-3.0", objective="joint", learner="svm")
    with pytest.raises(UnknownNameError, match="unknown learner 'forest'"):
        recipe_of("beer-3.0", learner="forest")
    with pytest.raises(UnknownNameError, match="unknown scaling"):
        Recipe(scaling="best")
    with pytest.raises(InputError, match="no rising weights"):
        Recipe(learner="polynomial", nonnegative=True)
    with pytest.raises(InputError, match="the same from every start; leave out"):
        recipe_of("beer-3.0", restarts=5)
    for changes, message in (
        ({"bags": 10}, "linear has no bags"),
        ({"learner": "logistic", "bags": 0}, "0 bags; give 1"),
        ({"learner": "svm", "bags": 3}, "bags of an SVM need its strength"),
        ({"learner": "logistic", "mix": 0.2}, "sentence mixes nothing"),
        ({"mix": 1.0}, "mix is 1; give the share of systems"),
    ):
        with pytest.raises(InputError, match=message):
            recipe_of("beer-3.0", **changes)


# ------------------------------------------------------------------------- models


@pytest.mark.parametrize(
    "recipe",
    [
        quick("logistic"),
        quick("logistic", bags=3),
        quick("logistic", nonnegative=False, regularisation=1.0, scaling="isotonic"),
        quick("svm", regularisation=0.01, scaling="linear"),
        quick("ranknet", restarts=1, scaling="platt"),
        quick("margin", restarts=1),
        quick("polynomial", nonnegative=False, regularisation=2.0**-8),
        recipe_of("beer-3.0", objective="corpus"),
        recipe_of("beer-3.0", nonnegative=False),
    ],
    ids=lambda recipe: f"{recipe.objective}-{recipe.learner}-{recipe.scaling}",
)
def test_every_recipe_beats_chance_within_0_and_1(demo, recipe):
    rest, held = split([demo], 0.3)
    result = train_model(rest, recipe=recipe)
    figures = validate(held, result, metrics=())
    assert averages(figures)["trained"][0] > 0.4
    testset = demo.testset
    for hyps in testset.systems.values():
        scores = model_scores(result, hyps, testset.references)
        assert scores.min() >= 0
        assert scores.max() <= 1


def test_the_strength_of_an_svm_is_found_on_segments_of_its_own(demo):
    few = demo.select(range(10))
    result = train_model([few], recipe=quick("svm", filter="all"), tuning=0.3)
    assert result.training["fit"]["held_out_pairs"] > 0
    assert len(result.training["fit"]["grid"]) == 21
    rest, held = split([few], 0.3)
    same = train_model(rest, recipe=quick("svm", filter="all"), tuning=held)
    assert same.ranker == result.ranker


def test_a_model_is_the_same_for_any_number_of_threads_and_every_run(demo):
    one, two = (train_model([demo], threads=n).dumps() for n in (1, 2))
    assert one == two
    assert one != train_model([demo], recipe=quick("logistic")).dumps()


def test_a_model_says_where_it_comes_from(model, tmp_path):
    message = model.training
    assert message["sources"] == {"demo/en-de": {"comparisons": 1212, "pairs": 476}}
    assert (message["comparisons"], message["pairs"], message["seed"]) == (
        1212,
        476,
        12345,
    )
    assert len(message["sha256"]) == 64
    assert message["tertium"] == tertium.__version__
    assert message["recipe"]["objective"] == "joint"
    assert model.licence == "as the training data"
    model.save(tmp_path / "m.json")
    again = load_model(tmp_path / "m.json")
    assert again.dumps() == model.dumps()
    assert json.loads((tmp_path / "m.json").read_text())["training"] == message


@pytest.mark.parametrize("profile_name", ["beer-3.0", "beer-2.0"])
def test_nothing_beats_a_copy_of_the_reference(demo, profile_name):
    one = recipe_of(profile_name, regularisation=0.01 if "2" in profile_name else None)
    result = train_model([demo], profile=profile_name, recipe=one)
    assert result.copy_is_best
    refs = [one[0] for one in demo.testset.references][:20]
    sources = demo.testset.sources[:20]
    copies = model_scores(result, refs, [[ref] for ref in refs])
    assert copies.tolist() == [1.0] * 20
    for gamed in (
        [f"{ref} {ref}" for ref in refs],
        [ref + " und so weiter" for ref in refs],
        [ref[: len(ref) // 2] for ref in refs],
        sources,
        [""] * 20,
        ["zzz qqq"] * 20,
    ):
        scores = model_scores(result, gamed, [[ref] for ref in refs])
        assert scores.max() < 1
    assert scores.max() < 0.5  # garbage


# ------------------------------------------------------------------------ scaling


def test_scaling_by_ratings_needs_ratings(ranked):
    with pytest.raises(InputError, match="needs ratings of texts, and there are none"):
        train_model([ranked], recipe=quick("logistic", scaling="linear"))
    result = train_model([ranked], profile="beer-2.0", recipe=None, tuning=0.3)
    assert result.scaler.kind == "quasi"


def test_bags_and_mix_change_the_model_and_are_written_down(ranked, model):
    bagged = train_model([ranked], recipe=quick("logistic", bags=3, regularisation=1.0))
    assert bagged.training["fit"]["bags"] == bagged.training["recipe"]["bags"] == 3
    whole = train_model([ranked], recipe=quick("logistic", regularisation=1.0))
    assert bagged.ranker != whole.ranker
    mixed = train_model(
        [ranked], profile="beer-3.0", recipe=recipe_of("beer-3.0", mix=0.9)
    )
    assert mixed.training["fit"]["mix"] == 0.9
    assert mixed.ranker != model.ranker
    half = train_model(
        [ranked], profile="beer-3.0", recipe=recipe_of("beer-3.0", mix=0.5)
    )
    assert half.ranker == model.ranker


def test_balanced_sources_weigh_the_same_whatever_their_size(ranked):
    few, many = ranked.select(range(10)), ranked.select(range(10, len(ranked.testset)))
    twice = replace(many, name="twice")
    equal = recipe_of("beer-4")
    balanced = recipe_of("beer-4", balance="sources")

    def weights(sources, recipe):
        return train_model(sources, profile="beer-4", recipe=recipe).ranker.weights

    # A source given twice counts twice, unless sources are balanced by their names.
    assert weights([few, many], balanced) != weights([few, many], equal)
    assert weights([few], balanced) == weights([few], equal)
    once = weights([few, replace(few, name="again")], balanced)
    assert np.allclose(once, weights([few, replace(few, name="again")], equal))
    assert weights([few, many, twice], balanced) != weights([few, many], balanced)


def test_balanced_groups_have_equal_totals_and_keep_the_mean():
    features = np.arange(8.0).reshape(4, 2)
    examples = Examples(
        features,
        np.array([0, 0, 0, 1]),
        np.array([1, 2, 3, 2]),
        np.array([1.0, 0.5, 0.5, 1.0]),
        ("large", "none", "small"),
        np.array([0, 0, 0, 2]),
    )
    result = examples.balanced().weights
    assert result.tolist() == [0.75, 0.375, 0.375, 1.5]
    assert result.sum() == examples.weights.sum()
    nothing = replace(examples, weights=np.zeros(4)).balanced()
    assert not nothing.weights.any()


def test_an_unknown_balance_names_the_known_ones():
    with pytest.raises(UnknownNameError, match="sources"):
        recipe_of("beer-4", balance="source")


# --------------------------------------------------------------------- data needed


def test_without_pairs_there_is_nothing_to_learn(demo):
    few = demo.select([0])
    with pytest.raises(InputError, match=r"no pair of texts .* take all pairs"):
        train_model([few], recipe=quick("logistic", filter="agreed"), kind="rankings")
    with pytest.raises(InputError, match="no source at all"):
        train_model([], recipe=quick("logistic"))


def test_the_joint_objective_needs_systems(demo):
    only = Testset.build(["r", "q"], {"A": ["a", ""], "B": ["", "b"]}, langpair="de-en")
    ranking = Ranking((Place(("A",), 1), Place(("B",), 2)), "1", langpair="de-en")
    source = make_source(only, Judgements.from_iterable([ranking]), empty="keep")
    broken = replace(source, empty="drop")
    assert corpora_of(broken) is None
    with pytest.raises(InputError, match="judgements are of"):
        train_model([broken])


# ------------------------------------------------------------------ self-training


def lists(demo) -> SelfTraining:
    hyps = [
        [column[i] for column in demo.testset.systems.values()]
        for i in range(len(demo.testset))
    ]
    hyps[3] = []  # a sentence without candidates
    return SelfTraining(
        [(hyps, [refs[0] for refs in demo.testset.references])], pairs=500
    )


def test_self_training_adds_pairs_of_its_own_or_stands_on_them_alone(demo):
    union = train_model([demo], self_training=lists(demo))
    assert union.training["fit"]["self_training"]["mode"] == "union"
    assert len(union.training["nbest_sha256"]) == 64
    one, refs = lists(demo).lists[0]
    other = replace(lists(demo), lists=[(one, [*refs[:-1], "another"])])
    assert other.fingerprint() != union.training["nbest_sha256"]
    assert lists(demo).fingerprint() == union.training["nbest_sha256"]
    (told,) = union.training["nbest"]
    assert told == {"name": "1", "sentences": 60, "candidates": 4 * 59}
    record = union.training["fit"]["self_training"]
    assert len(record["held_out_tau"]) == 2
    assert record["held_out_pairs"] > 10
    alone = replace(lists(demo), mode="self", sampling="extremes", rounds=2)
    result = train_model([demo], recipe=quick("logistic"), self_training=alone)
    assert result.training["fit"]["self_training"]["rounds"] == 2
    with pytest.raises(InputError, match="does not go with the objective joint"):
        train_model([demo], profile="beer-3.0", self_training=alone)


def test_platt_does_without_ratings_where_there_are_nbest_lists(demo, ranked):
    """Spec 2.11: the best and worst of pooled lists stand for good and bad."""
    recipe = quick("logistic", scaling="platt")
    with pytest.raises(InputError, match="needs ratings of texts"):
        train_model([ranked], recipe=recipe)
    result = train_model([ranked], recipe=recipe, self_training=lists(demo))
    texts = 4 * (len(demo.testset) - 1)
    assert (result.scaler.kind, result.training["scaled_on"]) == (
        "platt",
        {"nbest": texts},
    )
    rows = nbest_rows(lists(demo).lists, result.profile).features
    plain = replace(result, scaler=replace(result.scaler, anchor=False))
    scores = np.sort(plain.scores(rows))
    assert scores[:100].mean() < 0.25
    assert scores[-100:].mean() > 0.75


def test_a_polynomial_takes_the_strength_that_was_asked_for(demo):
    recipe = quick("polynomial", nonnegative=False, regularisation=2.0**-8)
    grid = train_model([demo], recipe=recipe).training["fit"]["grid"]
    assert {strength for _, strength, _ in grid} == {2.0**-8}


def test_nbest_lists_without_candidates_are_left_out(demo):
    rows = nbest_rows(lists(demo).lists, profile("beer-3.0"))
    assert len(rows.starts) == len(demo.testset) - 1
    assert len(rows.features) == 4 * (len(demo.testset) - 1)


# ----------------------------------------------------------------------- matrices


def test_references_share_the_weight_of_a_pair():
    refs = (("r1", "r2"), ("r1", "r2"), ("r3",), ("r3",))
    pairs = Pairs(
        "x", ("a", "b", "a", "c"), refs, np.array([0, 2]), np.array([1, 3]), 2
    )
    texts = TextRows()
    result = texts.examples([pairs])
    assert result.weights.tolist() == [0.5, 0.5, 1.0]
    assert result.better.tolist() == [0, 1, 4]
    assert result.worse.tolist() == [2, 3, 5]
    assert len(texts) == 6


def test_system_pairs_are_all_that_judges_distinguish(demo):
    corpora = corpora_of(demo)
    texts = TextRows()
    result = texts.system_pairs([corpora])
    human = corpora.human
    apart = sum(a > b for a in human.values() for b in human.values())
    assert len(result) == apart
    assert all(len(rows) == 120 for rows in result.better)  # two references each


# --------------------------------------------------------------------- validation


def test_ties_count_nothing_in_tau_and_are_wrong_in_accuracy():
    pairs = Pairs(
        "x",
        ("a", "b", "c"),
        (("r",),) * 3,
        np.array([0, 0, 1, 2]),
        np.array([1, 1, 2, 0]),
        4,
    )
    result = agreement(pairs, np.array([3.0, 1.0, 1.0]), "m")
    assert (result.tau, result.accuracy, result.pairs) == (0.25, 0.5, 4)
    none = replace(pairs, better=pairs.better[:0], worse=pairs.worse[:0])
    assert agreement(none, np.zeros(3), "m").tau is None


def test_figures_are_those_of_the_metrics_task(ranked):
    """The same tau as `tertium correlate` gives, for trained and other metrics."""
    from tertium.meta import correlate_evaluations, evaluation, run_metrics

    specs = ["chrf", "ter"]
    results = {
        each.metric: each.tau for each in validate([ranked], None, metrics=specs)
    }
    both = evaluation(ranked.rankings, run_metrics(ranked.testset, specs))
    known = correlate_evaluations([both], coefficients=["tau-wmt14"], resamples=0)
    assert results == pytest.approx({v.metric: v.value for v in known.values})


def test_the_best_reference_counts(model):
    both = model_scores(model, ["ein Haus"], [["zwei Boote", "ein Haus"]])
    assert both.tolist() == [1.0]
    assert model_scores(model, [], []).tolist() == []


def test_models_are_never_trained_on_what_is_left_out(demo, model):
    parts = [
        replace(
            demo, name=f"{year}/{pair}", testset=replace(demo.testset, langpair=pair)
        )
        for year in ("2012", "2015")
        for pair in ("en-de", "en-fr")
    ]
    seen: list[list[str]] = []

    def fit(rest):
        seen.append([source.name for source in rest])
        return model

    result = leave_one_out(parts, fit, by="language", metrics=["chrf"])
    assert seen == [["2012/en-fr", "2015/en-fr"], ["2012/en-de", "2015/en-de"]]
    assert {each.metric for each in result.figures} == {"trained", "chrf"}
    assert len(result.figures) == 8
    seen.clear()
    leave_one_out(parts, fit, by="year", metrics=[])
    assert seen == [["2015/en-de", "2015/en-fr"], ["2012/en-de", "2012/en-fr"]]
    with pytest.raises(InputError, match="all judgements are of one language pair"):
        leave_one_out([demo], fit)


# -------------------------------------------------------------------- explanation


def test_influences_are_sorted_and_groups_add_up(model, demo):
    result = influences(model)
    sizes = [each.influence for each in result]
    assert sizes == sorted(sizes, reverse=True)
    assert {each.name for each in result} == set(model.profile.names)
    plain, _ = model.plain_weights()
    assert {each.name: each.weight for each in result} == dict(
        zip(model.profile.names, plain, strict=True)
    )
    losses = {each.system: each for each in group_losses(model, demo.testset)}
    refs = [one[0] for one in demo.testset.references]
    copy = Testset.build(refs, {"copy": refs})
    assert sum(group_losses(model, copy)[0].lost.values()) == pytest.approx(0)
    assert sum(losses["words"].lost.values()) > sum(losses["good"].lost.values()) > 0
    hyps = demo.testset.systems["good"]
    scores = model_scores(model, hyps, demo.testset.references)
    assert losses["good"].score == pytest.approx(scores.mean())


def test_a_network_has_no_influences(demo):
    result = train_model([demo], recipe=quick("ranknet", restarts=1))
    assert influences(result) is None


def test_a_source_may_set_the_scale_alone(demo, ranked):
    rated = replace(demo, rankings=None, name="rated")
    recipe = quick("logistic", scaling="linear")
    result = train_model([ranked, rated], kind="rankings", recipe=recipe)
    assert list(result.training["sources"]) == ["demo/en-de"]
    assert result.training["rated_texts"] == result.training["scaled_on"]["texts"] > 100
    assert train_model([ranked, rated], kind="rankings").training["rated_texts"] == 0
    figures = validate([ranked, rated], result, metrics=(), kind="rankings")
    assert [each.source for each in figures] == ["demo/en-de"]


def test_pairs_of_ratings_can_be_learnt_from(demo):
    result = train_model([demo], kind="ratings", recipe=quick("logistic"))
    assert result.training["pairs"] == len(pairs_from(demo, kind="ratings"))
