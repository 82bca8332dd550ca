# SPDX-License-Identifier: Apache-2.0
"""The profiles of BEER 1.0, 1.1 and Treepel."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import tertium
from tertium.data.annotated import Annotated, layer
from tertium.learn.features.arcs import RELATIONS
from tertium.learn.features.blocks import Resources
from tertium.learn.model import Model
from tertium.learn.profile import Profile, profile
from tertium.learn.rankers import Linear
from tertium.learn.scalers import Scaler
from tertium.trees import DependencyTree

HYPS = ["the cats sat on a mat .", "it rained", ""]
REFS = ["the cat sat on the mat .", "Rain fell", "nothing"]


def test_beer_1_0_has_33_features():
    model_profile = profile("beer-1.0")
    assert len(model_profile.names) == 33
    counts = Counter(model_profile.groups)
    assert counts == {"word": 3, "function": 6, "char": 18, "order": 1, "pets": 5}


@pytest.mark.parametrize(
    ("language", "number"),
    [
        ("en", 45),
        ("de", 42),
        ("fr", 42),
        ("es", 42),
        ("ru", 42),
        ("cs", 39),
        ("hi", 30),
    ],
)
def test_beer_1_1_depends_on_the_language(language, number):
    result = profile("beer-1.1").equipped(Resources(language=language))
    assert len(result.names) == number
    assert ("stem.p" in result.names) == (number > 39)
    assert ("function.p" in result.names) == (number > 30)
    # Once settled, a language named later or read from a file changes nothing.
    for again in (
        result.equipped(Resources(language="en")),
        result.equipped(Resources()),
        Profile.from_json(result.to_json()).equipped(Resources(language="en")),
    ):
        assert again.names == result.names


def test_without_a_language_it_is_that_of_all_others():
    model_profile = profile("beer-1.1")
    assert len(model_profile.names) == 30
    settled = model_profile.fitted(["the cat"])
    assert settled.equipped(Resources(language="en")).names == model_profile.names


def test_treepel_adds_arcs_by_relation():
    model_profile = profile("treepel")
    english = profile("beer-1.1").equipped(Resources(language="en"))
    arcs = [name for name in model_profile.names if name.startswith("arc.")]
    assert len(arcs) == 3 * (len(RELATIONS) + 1) == 114
    assert model_profile.names == (*english.names, *arcs)
    assert f"{len(model_profile.names)} features" in model_profile.summary


@pytest.mark.parametrize("name", ["beer-1.0", "beer-1.1", "treepel"])
def test_profiles_always_run(name):
    result = profile(name).fitted(["the cat on the mat ."])
    rows = result.features(HYPS, REFS)
    assert rows.shape == (3, len(result.names))
    assert np.isfinite(rows).all()
    again = Profile.from_json(result.to_json())
    assert again.names == result.names
    assert again.features(HYPS, REFS).tolist() == rows.tolist()
    chunks = [result.features([h], [r]) for h, r in zip(HYPS, REFS, strict=True)]
    assert np.concatenate(chunks).tolist() == rows.tolist()


def test_a_parser_sees_the_case_of_words(udpipe_model):
    result = profile("treepel").fitted(["The"])
    result = result.equipped(Resources(parser="udpipe", parser_model=udpipe_model))
    text = "Mary Smith visited Paris ."
    prepared = result.prepared([text])[0]
    assert prepared == text.lower()
    assert layer(prepared, "cased") == text
    row = dict(zip(result.names, result.features([text], [text])[0], strict=True))
    assert row["arc.matched:nsubj"] > 0
    assert row["arc.matched:flat"] < 0.8


def test_ablation_keeps_the_rest():
    result = profile("beer-1.0").fitted(["the cat"])
    rest = result.without("pets").without("function")
    assert len(rest.names) == 33 - 5 - 6
    columns = [result.names.index(name) for name in rest.names]
    whole = result.features(HYPS, REFS)
    assert rest.features(HYPS, REFS).tolist() == whole[:, columns].tolist()


def test_a_model_of_trees_scores_as_a_metric(tmp_path):
    result = profile("treepel").fitted(["the cat on the mat"])
    weights = tuple(0.1 * sign for sign in result.signs)
    path = tmp_path / "treepel.json"
    Model(result, Linear(weights), Scaler("quasi")).save(str(path))
    metric = tertium.metric(f"beer:model={path}")
    ref, hyp = "dogs see cats", "cats see dogs"
    forth = DependencyTree(("Dogs", "see", "cats"), (2, 0, 2), ("nsubj", "root", "obj"))
    back = DependencyTree(("Cats", "see", "dogs"), (2, 0, 2), ("obj", "root", "nsubj"))
    plain = metric.segment_scores([ref, hyp], [ref, ref])
    assert plain[0] == 1.0
    assert plain[1] < 1.0
    # With trees it is known that the order alone differs: no arc is wrong.
    texts = [Annotated(ref, {"tree": forth}), Annotated(hyp, {"tree": back})]
    parsed = metric.segment_scores(texts, texts[:1] * 2)
    assert parsed[0] == 1.0
    assert plain[1] < parsed[1] < 1.0
