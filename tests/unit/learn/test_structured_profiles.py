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
    own = profile("beer-1.0")
    assert len(own.names) == 33
    counts = Counter(own.groups)
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
    own = profile("beer-1.1").equipped(Resources(language=language))
    assert len(own.names) == number
    assert ("stem.p" in own.names) == (number > 39)
    assert ("function.p" in own.names) == (number > 30)
    # Once settled, a language named later or read from a file changes nothing.
    for again in (
        own.equipped(Resources(language="en")),
        own.equipped(Resources()),
        Profile.from_json(own.to_json()).equipped(Resources(language="en")),
    ):
        assert again.names == own.names


def test_without_a_language_it_is_that_of_all_others():
    own = profile("beer-1.1")
    assert len(own.names) == 30
    settled = own.fitted(["the cat"])
    assert settled.equipped(Resources(language="en")).names == own.names


def test_treepel_adds_arcs_by_relation():
    own = profile("treepel")
    english = profile("beer-1.1").equipped(Resources(language="en"))
    arcs = [name for name in own.names if name.startswith("arc.")]
    assert len(arcs) == 3 * (len(RELATIONS) + 1) == 114
    assert own.names == (*english.names, *arcs)
    assert f"{len(own.names)} features" in own.summary


@pytest.mark.parametrize("name", ["beer-1.0", "beer-1.1", "treepel"])
def test_profiles_always_run(name):
    own = profile(name).fitted(["the cat on the mat ."])
    rows = own.features(HYPS, REFS)
    assert rows.shape == (3, len(own.names))
    assert np.isfinite(rows).all()
    again = Profile.from_json(own.to_json())
    assert again.names == own.names
    assert again.features(HYPS, REFS).tolist() == rows.tolist()
    chunks = [own.features([h], [r]) for h, r in zip(HYPS, REFS, strict=True)]
    assert np.concatenate(chunks).tolist() == rows.tolist()


def test_a_parser_sees_the_case_of_words(udpipe_model):
    own = profile("treepel").fitted(["The"])
    own = own.equipped(Resources(parser="udpipe", parser_model=udpipe_model))
    text = "Mary Smith visited Paris ."
    prepared = own.prepared([text])[0]
    assert prepared == text.lower()
    assert layer(prepared, "cased") == text
    row = dict(zip(own.names, own.features([text], [text])[0], strict=True))
    assert row["arc.matched:nsubj"] > 0
    assert row["arc.matched:flat"] < 0.8


def test_ablation_keeps_the_rest():
    own = profile("beer-1.0").fitted(["the cat"])
    rest = own.without("pets").without("function")
    assert len(rest.names) == 33 - 5 - 6
    columns = [own.names.index(name) for name in rest.names]
    whole = own.features(HYPS, REFS)
    assert rest.features(HYPS, REFS).tolist() == whole[:, columns].tolist()


def test_a_model_of_trees_scores_as_a_metric(tmp_path):
    own = profile("treepel").fitted(["the cat on the mat"])
    weights = tuple(0.1 * sign for sign in own.signs)
    path = tmp_path / "treepel.json"
    Model(own, Linear(weights), Scaler("quasi")).save(str(path))
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
