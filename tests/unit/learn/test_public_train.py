# SPDX-License-Identifier: Apache-2.0
"""``tertium.train``: what it is trained on, what it holds out, what it returns."""

from __future__ import annotations

import json

import pytest

import tertium
from tertium.errors import InputError, UnknownNameError
from tertium.learn.data import hold_out
from tertium.learn.explanation import explain_model
from tertium.learn.inputs import read_self_training, read_sources
from tertium.learn.model import load_model
from tertium.learn.profile import profile
from tertium.learn.resources import with_resources
from tertium.learn.trained import Trained, validation_figures

LINE = "the cat sat on a mat and two dogs ran home at night when it rained"


@pytest.fixture(autouse=True)
def two_pairs(tmp_path, monkeypatch, write_lines):
    """Write texts and pairwise judgements of two language pairs; A is always better."""
    monkeypatch.chdir(tmp_path)
    for pair in ("de-en", "fr-en"):
        rows, judged = ["seg\treference\tA\tB"], ["seg\tbetter\tworse"]
        for i in range(1, 21):
            text = " ".join(LINE.split()[i % 7 : i % 7 + 8])
            rows.append(f"{i}\t{text} {pair}{i}\t{text}\t{text[:9]}{' x' * (i % 4)}")
            judged.append(f"{i}\tA\tB")
        write_lines(f"{pair}.tsv", rows)
        write_lines(f"{pair}.pairs.tsv", judged)


BOTH = (["de-en.tsv", "fr-en.tsv"], ["de-en.pairs.tsv", "fr-en.pairs.tsv"])


def sources(*inputs, **settings):
    notes = []
    result = read_sources(*inputs, **settings, on_note=notes.append)
    return result, [str(note) for note in notes]


def test_groups_are_paired_by_language_and_named():
    result, _ = sources(*BOTH, names=["2015"])
    assert [source.name for source in result] == ["2015/de-en", "2015/fr-en"]
    groups = [["de-en.tsv"], ["de-en.tsv"]], [["de-en.pairs.tsv"], ["de-en.pairs.tsv"]]
    result, _ = sources(*groups, names=["2014", "2015"])
    assert [source.name for source in result] == ["2014/de-en", "2015/de-en"]
    with pytest.raises(InputError, match="give every group of test sets a name"):
        sources(*groups)


def test_tables_in_memory_are_sources_too():
    judgements = tertium.Judgements.read("de-en.pairs.tsv")
    testset = tertium.read("de-en.tsv", langpair="de-en")
    result, notes = sources(testset, judgements, names=["x"])
    assert [source.name for source in result] == ["x/de-en"]
    assert notes == []
    result, _ = sources([[testset], [testset]], [judgements, judgements], names="xy")
    assert [source.name for source in result] == ["x/de-en", "y/de-en"]


def test_language_pairs_are_chosen_and_those_without_a_partner_noted():
    result, notes = sources(BOTH[0], "fr-en.pairs.tsv", names=["x"])
    assert [source.name for source in result] == ["x/fr-en"]
    assert notes == ["no judgements of de-en; left out"]
    result, _ = sources(*BOTH, names=["x"], langpair=["de-en"])
    assert [source.name for source in result] == ["x/de-en"]
    with pytest.raises(InputError, match="no texts and judgements of cs-en"):
        sources(*BOTH, langpair=["cs-en"])


def test_groups_that_do_not_fit_are_rejected():
    with pytest.raises(InputError, match="nothing to learn from"):
        sources([])
    with pytest.raises(InputError, match="1 group of test sets and 0 groups"):
        sources("de-en.tsv")
    with pytest.raises(InputError, match="2 names for 1 group"):
        sources(*BOTH, names=["a", "b"])


@pytest.mark.parametrize(
    ("valid", "rest", "held"),
    [
        (None, ["x/de-en", "x/fr-en"], []),
        ("none", ["x/de-en", "x/fr-en"], []),
        (0.5, ["x/de-en", "x/fr-en"], ["x/de-en", "x/fr-en"]),
        (["0.5"], ["x/de-en", "x/fr-en"], ["x/de-en", "x/fr-en"]),
        ("fr-en", ["x/de-en"], ["x/fr-en"]),
        (["x/de-en", "de-en"], ["x/fr-en"], ["x/de-en"]),
    ],
)
def test_what_is_held_out_is_a_share_or_has_a_name(valid, rest, held):
    result, _ = sources(*BOTH, names=["x"])
    train, valid_sources = hold_out(result, valid, seed=1)
    assert [source.name for source in train] == rest
    assert [source.name for source in valid_sources] == held


def test_nothing_or_everything_cannot_be_held_out_by_name():
    result, _ = sources(*BOTH, names=["x"])
    with pytest.raises(InputError, match="x holds out everything"):
        hold_out(result, "x")
    with pytest.raises(UnknownNameError, match="unknown source to hold out 'y'"):
        hold_out(result, ["y"])


def test_nbest_lists_come_with_references(write_lines):
    nbest = write_lines("a.nbest", ["0 ||| a cat", "0 ||| a dog", "1 ||| it rained"])
    refs = write_lines("a.ref", ["the cat", "it rained"])
    lists = read_self_training([nbest], [refs], sampling="extremes", rounds=2)
    assert lists.described() == [{"name": "a.nbest", "sentences": 2, "candidates": 3}]
    assert (lists.mode, lists.sampling, lists.rounds) == ("union", "extremes", 2)
    assert read_self_training([], []) is None
    with pytest.raises(InputError, match="1 n-best list and 0 reference files"):
        read_self_training([nbest], [])
    with pytest.raises(InputError, match="sampling is for n-best lists"):
        read_self_training([], [], sampling="uniform")
    write_lines("a.ref", ["the cat"])
    with pytest.raises(InputError, match=r"2 sentences, .*a\.ref has 1 line; give one"):
        read_self_training([nbest], [refs])


def test_resources_must_be_read_by_a_feature():
    plain = profile("beer-3.0")
    assert with_resources(plain, {}) is plain
    with pytest.raises(UnknownNameError, match="unknown resource 'x'"):
        with_resources(plain, {"x": "y"})
    with pytest.raises(InputError, match="reads the resource parser"):
        with_resources(plain, {"parser": "udpipe"})


QUICK = {"learner": "logistic", "metrics": ["chrf"], "names": ["x"]}


def test_a_trained_model_knows_its_validation(tmp_path):
    lines = []
    trained = tertium.train(*BOTH, **QUICK, valid="fr-en", log=lines.append)
    assert [(f.source, f.metric) for f in trained.figures] == [
        ("x/fr-en", "trained"),
        ("x/fr-en", "chrf"),
    ]
    assert any(line.startswith("training on") for line in lines)
    assert trained.model.validation == trained.validation
    trained.save(tmp_path / "m.json")
    assert load_model(tmp_path / "m.json").validation == trained.validation
    out = json.loads(trained.to_json())
    assert list(out) == ["tertium", "profile", "training", "validation"]
    assert validation_figures(trained.validation) == list(trained.figures)
    assert validation_figures({"chrf": {"x": "odd"}, "ter": 1}) == []
    explanation = explain_model(tmp_path / "m.json", tertium.read("de-en.tsv"))
    assert explanation.figures == list(trained.figures)
    assert {each.system for each in explanation.losses} == {"A", "B"}
    assert explanation.to_dict()["systems"][0]["system"] == "A"


def test_cross_validation_keeps_no_model():
    lines = []
    crossed = tertium.train(*BOTH, **QUICK, cross_validate="language", log=lines.append)
    assert crossed.model is None
    assert {figure.source for figure in crossed.figures} == {"x/de-en", "x/fr-en"}
    assert [line for line in lines if line.startswith("without")] == [
        "without de-en:",
        "without fr-en:",
    ]
    out = crossed.to_dict()
    assert list(out) == ["tertium", "profile", "left_out", "validation"]
    with pytest.raises(InputError, match="keeps no model"):
        crossed.save("m.json")


def test_unknown_kinds_of_weights_are_rejected():
    with pytest.raises(UnknownNameError, match="unknown kind of weights 'risen'"):
        tertium.train(*BOTH, weights="risen")


def test_a_gap_is_for_ratings():
    with pytest.raises(InputError, match="a gap is for ratings"):
        tertium.train(*BOTH, pairs="rankings", gap=20)


def test_a_result_is_shown_in_one_line():
    assert repr(Trained("beer-3.0", None, (), left_out="year")) == (
        "<cross-validated by year beer-3.0, validated on 0 held-out sources>"
    )
