# SPDX-License-Identifier: Apache-2.0
"""The metric `beer`: models in the core and in NumPy, gaming, wrong settings."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given

import tertium
from support.strategies import lines, segments
from tertium.data.annotated import Annotated, layer
from tertium.data.batch import Batch
from tertium.errors import InputError
from tertium.learn import scoring, shipped
from tertium.learn.features.blocks import Reduced
from tertium.learn.features.length import Length
from tertium.learn.model import Model, Ranges, load_model
from tertium.learn.profile import Profile, profile
from tertium.learn.rankers import Linear, Network
from tertium.learn.scalers import Scaler

SCALERS = [
    Scaler("none"),
    Scaler("none", anchor=True),
    Scaler("quasi", anchor=True),
    Scaler("linear", 20.0, 30.0),
    Scaler("linear", 20.0, 30.0, anchor=True),
    Scaler("linear", 20.0, -900.0, anchor=True),  # gives nothing to anything
    Scaler("platt", 2.0, -1.0),
    Scaler("platt", 2.0, -1.0, anchor=True),
    Scaler("isotonic", knots=(-1.0, 0.0, 2.0), levels=(0.1, 0.1, 0.8), anchor=True),
    Scaler("isotonic", knots=(0.5,), levels=(0.4,)),
]


def model(name="beer-3.0", scaler=SCALERS[1], seed=1, ranges=True) -> Model:
    """Return a model with weights of either sign."""
    model_profile = profile(name)
    draw = random.Random(seed)
    count = len(model_profile.names)
    weights = tuple(s * draw.uniform(-0.02, 0.2) for s in model_profile.signs)
    span = Ranges(
        (0.0,) * count, tuple(draw.uniform(1, 3) for _ in model_profile.names)
    )
    return Model(model_profile, Linear(weights, -0.5), scaler, span if ranges else None)


@cache
def fused_model(name, scaler):
    return scoring._fused(model(name, scaler, seed=5))


@pytest.fixture
def save(tmp_path):
    def write(made: Model, name="model.json") -> str:
        made.save(tmp_path / name)
        return f"beer:model={tmp_path / name}"

    return write


def through_numpy(made: Model, hyps, refs) -> np.ndarray:
    flat = [[r] if isinstance(r, str) else list(r) for r in refs]
    best = []
    for hyp, one in zip(hyps, flat, strict=True):
        features = made.profile.features([hyp] * len(one), one)
        identity = made.profile.features(one, one)
        best.append(np.clip(made.scores(features, identity), 0, 1).max())
    return np.array(best)


# -------------------------------------------------------------- the core and NumPy


@pytest.mark.parametrize("scaler", SCALERS, ids=lambda s: f"{s.kind}-{s.anchor}")
@pytest.mark.parametrize("name", ["beer-3.0", "beer-2.0-released"])
def test_the_core_scores_as_the_model_says(name, scaler, save, demo):
    made = model(name, scaler)
    metric = tertium.metric(save(made))
    assert metric.fused
    hyps, refs = [*demo.systems["order"], "", "x"], [*demo.references, "", "x y"]
    scores = metric.segment_scores(hyps, refs)
    assert scores == pytest.approx(through_numpy(made, hyps, refs), abs=1e-12)
    assert metric.corpus_score(hyps, refs) == pytest.approx(scores.mean())


@given(data=segments(max_size=2))
def test_the_core_scores_as_the_model_says_for_any_text(data):
    hyps, refs = [h for h, _ in data], [tuple(r) for _, r in data]
    rows = fused_model("beer-3.0", SCALERS[1]).rows([hyps], refs, 1)[0]
    expected = through_numpy(model(seed=5), hyps, refs)
    assert rows[:, 0] == pytest.approx(expected, abs=1e-12)


def test_profiles_without_a_group_are_computed_in_the_core(save, demo):
    result = profile("beer-3.0").without("char")
    assert any(isinstance(part, Reduced) for part in result.blocks)
    weights = tuple(0.1 * sign for sign in result.signs)
    made = Model(result, Linear(weights), Scaler("none", anchor=True))
    metric = tertium.metric(save(made))
    assert metric.fused
    scores = metric.segment_scores(demo.systems["good"], demo.references)
    expected = through_numpy(made, demo.systems["good"], demo.references)
    assert scores == pytest.approx(expected, abs=1e-12)


def network(model_profile: Profile) -> Model:
    draw = random.Random(3)
    inputs = tuple((draw.uniform(0, 1) * s, 0.1 * s) for s in model_profile.signs)
    ranker = Network(inputs, (0.0, 0.1), (1.0, 0.5))
    return Model(model_profile, ranker, Scaler("none", anchor=True))


def test_blocks_that_count_in_different_ways_go_through_numpy(save):
    model_profile = profile("beer-3.0")
    mixed = replace(
        model_profile, blocks=(model_profile.blocks[0], Length(windows="released"))
    )
    weights = tuple(0.1 * sign for sign in mixed.signs)
    made = Model(mixed, Linear(weights), Scaler("none"))
    metric = tertium.metric(save(made))
    assert not metric.fused
    texts = ["a b", "c"], ["a c", ""]
    assert metric.segment_scores(*texts) == pytest.approx(through_numpy(made, *texts))


def test_other_models_go_through_numpy(save, demo):
    made = network(profile("beer-3.0"))
    metric = tertium.metric(save(made))
    assert not metric.fused
    hyps, refs = demo.systems["order"] * 2, [[r[0], "x y"] for r in demo.references] * 2
    scores = metric.segment_scores(hyps, refs)
    assert scores == pytest.approx(through_numpy(made, hyps, refs), abs=1e-12)
    assert metric.corpus_score(hyps, refs) == pytest.approx(scores.mean())
    many = metric.rows(Batch([hyps, hyps[::-1]], refs), threads=2)
    assert np.array_equal(many[0][:, 0], scores)
    assert metric.statistics([], []).shape == (0, 2)
    with pytest.raises(tertium.InputError, match="segment 0 has no reference"):
        metric.statistics(["a"], [[]])


def test_batches_change_nothing(save, demo, monkeypatch):
    metric = tertium.metric(save(network(profile("beer-3.0"))))
    whole = metric.segment_scores(demo.systems["good"], demo.references)
    monkeypatch.setattr(scoring, "_BATCH", 7)
    assert np.array_equal(
        whole, metric.segment_scores(demo.systems["good"], demo.references)
    )


def test_lower_casing_is_the_models(save):
    result = replace(profile("beer-3.0"), lowercase=True)
    weights = tuple(0.1 * sign for sign in result.signs)
    for ranker in Linear(weights), network(result).ranker:
        made = Model(result, ranker, Scaler("none", anchor=True))
        metric = tertium.metric(save(made, f"{ranker.kind}.json"))
        assert metric.corpus_score(["The Cat"], ["the cat"]) == 1.0
        assert "case:lc" in metric.signature


def test_links_go_with_their_reference():
    text = Annotated("a b", {"links": [["x"], ["y"]], "tree": 1})
    assert layer(scoring.for_reference(text, 1, 2), "links") == [["y"]]
    assert layer(scoring.for_reference(text, 1, 2), "tree") == 1
    assert scoring.for_reference(text, 0, 1) is text


# ------------------------------------------------------------------- what it promises


@pytest.mark.parametrize("scaler", [s for s in SCALERS if s.needs_identity])
@given(text=lines)
def test_a_copy_scores_exactly_one_whatever_the_weights(scaler, text):
    for name in "beer-3.0", "beer-2.0-released":
        kernel = fused_model(name, scaler)
        assert kernel.rows([[text]], [text], 1)[0][0, 0] == 1.0


def test_the_mean_of_segments_is_the_corpus_score(demo):
    metric = tertium.metric("beer")
    scores = metric.segment_scores(demo.systems["good"], demo.references)
    total = metric.corpus_score(demo.systems["good"], demo.references)
    assert total == pytest.approx(scores.mean())
    assert scores.min() <= total <= scores.max()
    assert metric.corpus_score([], []) == 0.0


@pytest.mark.parametrize("name", ["good", "order"])
def test_gaming_does_not_pay(demo, name):
    """Padding, cutting, copying the source, garbage and silence score lower."""
    metric = tertium.metric("beer")
    refs = [system[0] for system in demo.references]
    honest = metric.corpus_score(demo.systems[name], refs)
    tricks = {
        "source": list(demo.sources),
        "empty": [""] * len(refs),
        "garbage": ["zq xv jk " * 8] * len(refs),
        "one character": ["e"] * len(refs),
        "doubled": [f"{hyp} {hyp}" for hyp in demo.systems[name]],
        "padded": [f"{hyp} {'the of and ' * 9}" for hyp in demo.systems[name]],
        "half": [" ".join(system.split()[::2]) for system in demo.systems[name]],
    }
    for trick, hyps in tricks.items():
        assert metric.corpus_score(hyps, refs) < honest, trick
    shuffled = [" ".join(sorted(ref.split())) for ref in refs]
    # People ranked few texts with all words of the reference in a wrong order, so order
    # costs little (docs/guides/beer.md says so); but it costs.
    assert metric.corpus_score(shuffled, refs) < 0.97
    assert metric.corpus_score(refs, refs) == 1.0


def test_length_cannot_be_gamed():
    """A longer and a shorter text that share as much score the same."""
    metric = tertium.metric("beer:profile=beer-3.0")
    long = "the quick brown fox jumps over a lazy dog behind our house today again"
    short = "the quick brown fox jumps over a lazy dog behind our house"
    assert metric.corpus_score([long], [short]) == metric.corpus_score([short], [long])


# ------------------------------------------------------------------------- settings


def test_the_signature_names_model_profile_and_language():
    fields = tertium.metric("beer:language=de").signature.split("|")
    assert fields[1].startswith("model:beer-4")
    assert len(fields[1].partition("#")[2]) == 12
    assert fields[2:4] == ["profile:beer-4", "lang:de"]


def test_an_unknown_language_takes_the_pooled_model():
    pooled, other = tertium.metric("beer"), tertium.metric("beer:language=xx")
    assert pooled.trained.fingerprint == other.trained.fingerprint


def test_the_case_of_a_language_does_not_matter():
    small, large = (tertium.metric(f"beer:language={one}") for one in ("de", "DE"))
    assert small.trained.fingerprint == large.trained.fingerprint
    assert small.trained.fingerprint != tertium.metric("beer").trained.fingerprint
    tertium.metric("beer:profile=treepel,language=EN")


def test_a_changed_file_is_read_again(save):
    first = tertium.metric(save(model(seed=1))).signature
    second = tertium.metric(save(model(seed=2))).signature
    assert first != second


def test_an_asymmetric_profile_says_so(save, tmp_path):
    table = {"kind": "units", "units": ["word1"], "values": ["r"], "symmetric": False}
    result = Profile.from_json({"name": "recall", "features": [table]})
    metric = tertium.metric(save(Model(result, Linear((1.0,)), Scaler("none"))))
    assert not metric.symmetric
    assert metric.copy_exception
    assert metric.corpus_score(["a"], ["a b"]) < metric.corpus_score(["a b"], ["a"])


def test_wrong_settings_say_what_to_do(save, tmp_path):
    with pytest.raises(tertium.InputError, match=r"folder of BEER 2\.0 with model="):
        tertium.metric("beer:profile=beer-2.0-released")
    with pytest.raises(tertium.InputError, match=r"only for en; add language=en"):
        tertium.metric("beer:profile=beer-matched")
    with pytest.raises(tertium.InputError, match=r"from beer-1\.0, .*'tertium train'"):
        tertium.metric("beer:profile=beer-4.0")
    with pytest.raises(tertium.InputError, match="treepel is for the language en, not"):
        tertium.metric("beer:profile=treepel,language=de")
    with pytest.raises(tertium.InputError, match="no model for profile"):
        tertium.metric("beer:profile=../beer-3.0")
    with pytest.raises(tertium.InputError, match="name a model file"):
        tertium.metric(f"beer:model={tmp_path / 'none.json'}")
    with pytest.raises(tertium.InputError, match="folder without core_model"):
        tertium.metric(f"beer:model={tmp_path}")
    with pytest.raises(tertium.InputError, match=r"has the profile beer-3\.0"):
        tertium.metric(f"{save(model())},profile=beer-2.0")


def test_a_model_that_overflows_gives_no_score(save):
    """Files reject such weights; a model made in Python may still have them."""
    model_profile = profile("beer-3.0")
    inputs = tuple((1e99 * sign,) for sign in model_profile.signs)
    huge = Model(
        model_profile, Network(inputs, (0.0,), (1e99,)), Scaler("quasi", anchor=True)
    )
    ranker = replace(huge.ranker, output=(np.inf,))
    scorer = scoring.FeatureScorer(replace(huge, ranker=ranker), "huge")
    with np.errstate(all="ignore"), pytest.raises(InputError, match="weights overflow"):
        scorer.rows(Batch([["a b"]], ["a c"]), 1)


def test_plain_scoring_does_without_numpy():
    code = (
        "import sys, tertium; m = tertium.metric('beer');"
        "print(m.corpus_score(['a b'], ['a b']), 'numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["1.0", "False"]


def test_treepel_needs_trees_only_where_it_learnt_from_them():
    """Flattened trees are the default; a model of parsed texts asks for trees."""
    hyps, refs = ["the cat sat here"], ["a cat sat there"]
    flat = tertium.metric("beer:profile=treepel")
    assert 0 < flat.segment_scores(hyps, refs)[0] < 1
    assert flat.layers == ("links",)
    parsed = tertium.metric("beer:profile=treepel-parsed")
    assert "tree" in parsed.layers
    with pytest.raises(InputError, match=r"has no dependency tree; name a parser"):
        parsed.segment_scores(hyps, refs)


def test_resources_that_no_feature_reads_are_rejected():
    with pytest.raises(InputError, match=r"no feature of beer-4 reads parser="):
        tertium.metric("beer:parser=udpipe")


@pytest.mark.parametrize(
    "path", sorted(shipped.FOLDER.glob("*.json")), ids=lambda path: path.stem
)
def test_shipped_models_load_and_give_a_copy_the_best_score(path):
    model = load_model(path)
    assert model.dumps() == path.read_text(encoding="utf-8")
    years = {name.partition("/")[0] for name in model.training["sources"]}
    assert years <= {"2012", "2015", "2016"}
    assert model.copy_is_best or model.scaler.needs_identity
