# SPDX-License-Identifier: Apache-2.0
"""The whole analysis of a test set."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from support.strategies import lines
from tertium.analysis import KINDS, report
from tertium.analysis.words import split
from tertium.data import Testset
from tertium.errors import InputError, TertiumError, UnknownNameError
from tertium.report.analysis.words import cautions


@pytest.fixture(scope="module")
def demo():
    return report(tertium.read("demo"), resamples=100, language="de")


def test_the_focus_is_on_the_two_best_by_the_first_metric(demo):
    ranked = demo.comparison.scores.ranked()
    assert demo.focus == tuple(ranked[:2])
    assert list(demo.segments) == ["bleu", "chrf", "ter"]
    assert demo.segments["bleu"].shape == (4, 60)


def test_every_part_has_all_systems(demo):
    systems = set(demo.testset.systems)
    for bucket in demo.buckets:
        assert all(set(scores) == systems for scores in bucket.scores.values())
    assert all(set(each.f) == systems for each in demo.words)
    assert [each.kind for each in demo.errors] == list(KINDS)
    assert all(set(each.rates) == systems for each in demo.errors)
    assert all(set(each.segments) == systems for each in demo.habits)
    assert set(demo.labels) == set(demo.length_ratios) == systems
    assert len(demo.metrics) == 3  # pairs of metrics


def test_known_damage_is_found(demo):
    """System ``order`` has the words of the reference; ``words`` lacks some of them."""
    rates = {each.kind: each.rates for each in demo.errors}
    assert rates["order"]["order"].value > 10
    assert rates["lexical choice"]["order"].value == 0
    assert rates["lexical choice"]["words"].value > 10
    assert rates["order"]["words"].value == 0
    assert demo.length_ratios["order"].value == 100


def test_copies_of_a_system_have_no_differences(demo):
    same = report(
        {"A": demo.testset.systems["good"], "B": demo.testset.systems["good"]},
        demo.testset.references,
        metrics="bleu",
        resamples=100,
    )
    tests = [each.differences["bleu"] for each in same.buckets]
    tests += [each.difference for each in (*same.words, *same.errors)]
    assert all(t is None or (t.delta, t.p) == (0, 1) for t in tests)
    assert same.ngrams == ([], [])
    assert same.gaps == {}
    assert same.metrics == []


def test_threads_do_not_matter(demo):
    again = report(demo.testset, resamples=100, language="de", threads=1)
    assert again.to_dict() == demo.to_dict()


def test_json_holds_everything(demo):
    data = json.loads(demo.to_json())
    assert {
        "focus", "checks", "buckets", "words", "ngrams", "errors", "habits",
        "agreement", "length_ratios", "gaps", "systems", "pairs",
    } <= set(data)  # fmt: skip
    assert data["gaps"]["bleu"]["pairs"] > 100
    assert "good" in data["headline"]
    assert any("100 resamples" in each for each in data["cautions"])
    assert data["language"] == "de"
    scores = data["systems"]["order"]["bleu"]["segments"]
    assert scores == demo.segments["bleu"][1].tolist()
    order = data["errors"][1]
    assert len(order["segments"]["order"]) == 60
    assert sum(order["segments"]["order"]) == order["counts"]["order"]
    assert data["gaps"]["bleu"]["better"] is None  # 100 resamples are too few
    frame = demo.to_frame()
    assert frame.height == len(demo.buckets) * 3 * 4
    assert "bleu" in repr(demo).lower()


def test_frames_have_segments_with_scores_and_errors(demo):
    frame = demo.to_frame(segments=True)
    assert frame.height == 60 * 4
    moved = frame.filter(system="order")
    assert moved["bleu"].to_list() == demo.segments["bleu"][1].tolist()
    assert moved["order"].sum() == demo.errors[1].counts["order"]
    assert moved["segment"].to_list() == list(range(1, 61))


def test_the_focus_can_be_chosen():
    testset = tertium.read("demo")
    chosen = report(testset, metrics="chrf", focus=("copy", "order"), resamples=50)
    pair = chosen.comparison.pair("copy", "order")
    overall = pair if pair.a == "copy" else pair.turned()
    errors = {each.kind: each.difference for each in chosen.errors}
    assert chosen.focus == ("copy", "order")
    assert errors["order"].delta < 0 < errors["lexical choice"].delta
    assert chosen.gaps["chrf"].delta == pytest.approx(abs(overall.delta))
    with pytest.raises(UnknownNameError, match="unknown system 'coppy'"):
        report(testset, focus=("coppy", "order"), resamples=50)
    with pytest.raises(InputError, match="name two"):
        report(testset, focus=("copy", "copy"), resamples=50)


def test_tags_and_training_reach_the_groups():
    refs = [f"word{n % 7} and more" for n in range(24)]
    result = report(
        {"A": refs, "B": [text.upper() for text in refs]},
        refs,
        metrics="chrf",
        tags={"half": ["one"] * 12 + ["two"] * 12},
        training=["and more", "word1"],
        resamples=50,
    )
    kinds = {bucket.group.kind for bucket in result.buckets}
    assert {"half", "unseen words"} <= kinds
    assert any(each.kind == "frequency in training" for each in result.words)
    with pytest.raises(InputError, match="tag 'half' has 1 values for 24 segments"):
        report({"A": refs, "B": refs}, refs, tags={"half": ["one"]})


def test_languages_are_those_of_the_test_set():
    testset = Testset([("the cats",)], {"A": ["the cat"], "B": ["a"]}, langpair="de-en")
    result = report(testset, metrics="chrf", resamples=50)
    assert result.language == "en"
    assert result.labels["A"].counts[0].tolist() == [1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("language", ["klingon", "en-cs", "zh"])
def test_languages_without_a_stemmer_are_noted(language):
    systems = {"A": ["the cat"], "B": ["a"]}
    result = report(
        systems, ["the cats"], metrics="chrf", resamples=50, language=language
    )
    assert result.language == ""
    assert [note.values for note in result.notes if note.code == "stems-missing"] == [
        {"language": language}
    ]
    assert any(f"stemmer for the language '{language}'" in w for w in cautions(result))
    unknown = report(systems, ["the cats"], metrics="chrf", resamples=50)
    assert [note.code for note in unknown.remarks] == ["stems-unknown"]


def mixed(size, wrong):
    """Return references and an output that is wrong in certain segments."""
    refs = [f"the {n} cats sat on mat number {n}" for n in range(size)]
    worse = [
        text.replace("cats", "dogs") if n in wrong else text
        for n, text in enumerate(refs)
    ]
    return refs, {"A": refs, "B": worse}


@pytest.mark.parametrize(("size", "tested"), [(19, False), (20, True)])
def test_nothing_is_tested_under_twenty_segments(size, tested):
    refs, systems = mixed(size, range(10))
    result = report(systems, refs, metrics="chrf", resamples=50)
    assert all((each.difference is not None) == tested for each in result.errors)
    few = [note.code for note in result.notes].count("few-units")
    assert few == (not tested)
    assert any("19 segments were resampled" in w for w in cautions(result)) != tested


def test_documents_are_resampled_in_every_table():
    """In one document of forty B is wrong: by segments that is clear, not so here."""
    refs, systems = mixed(400, range(10))
    docs = [f"d{n // 10}" for n in range(400)]
    options = {"docs": docs, "metrics": "chrf", "resamples": 400, "language": "en"}
    tags = {"all": ["x"] * 390 + ["y"] * 10}

    def tests(result):
        buckets = {each.group.label: each for each in result.buckets}
        words = {each.label: each for each in result.words}
        errors = {each.kind: each for each in result.errors}
        return (
            buckets["x"].differences["chrf"],
            words["other words"].difference,
            errors["lexical choice"].difference,
        )

    by_segment = report(systems, refs, tags=tags, **options)
    by_document = report(systems, refs, tags=tags, by_document=True, **options)
    for one, other in zip(tests(by_segment), tests(by_document), strict=True):
        assert one.delta == pytest.approx(other.delta)
        assert one.p < 0.05 < other.p
    (group,) = [e for e in by_document.buckets if e.group.label == "y"]
    assert group.differences["chrf"] is None  # one document


def test_tables_in_which_nothing_can_be_significant_are_noted():
    refs, systems = mixed(400, range(100))
    tags = {"tag": [str(n % 20) for n in range(400)]}
    few = report(systems, refs, metrics="chrf", tags=tags, resamples=100)
    (note,) = [n for n in few.notes if n.values.get("table") == "groups of segments"]
    tested = [each.differences["chrf"] for each in few.buckets]
    tested = [each for each in tested if each is not None]
    assert note.values["tests"] == len(tested) >= 20
    assert note.values["p"] == pytest.approx(len(tested) / 101)
    assert min(each.p_adjusted for each in tested) >= note.values["p"] >= 0.05
    assert any(w.startswith("No difference in groups") for w in cautions(few))
    needed = note.values["needed"]
    enough = report(systems, refs, metrics="chrf", tags=tags, resamples=needed)
    assert not [n for n in enough.notes if n.code == "tests-hopeless"]
    free = report(systems, refs, metrics="chrf", tags=tags)
    assert not [n for n in free.notes if n.code == "tests-hopeless"]


def test_tags_and_documents_with_many_values_are_noted_and_left_out():
    refs, systems = mixed(120, range(10))
    values = [str(n % 60) for n in range(120)]
    result = report(
        systems, refs, docs=values, tags={"topic": values}, metrics="chrf", resamples=50
    )
    kinds = {each.group.kind for each in result.buckets}
    assert not kinds & {"document", "topic"}
    noted = {n.values["kind"]: n for n in result.notes if n.code == "values-many"}
    assert list(noted) == ["document", "topic"]
    assert str(noted["topic"]) == (
        "segments are not grouped by topic: there are 60 values for 120 segments, and "
        "at most 50 make groups"
    )
    assert any("not grouped by topic" in w for w in cautions(result))


@pytest.mark.parametrize("name", ["numbers", "document"])
def test_tags_may_not_be_called_like_other_groups(name):
    refs, systems = mixed(4, [0])
    with pytest.raises(InputError, match=f"groups called '{name}'; give the tag an"):
        report(systems, refs, tags={name: list("aabb")}, resamples=50)


def test_one_segment_is_enough():
    result = report({"A": ["a b"], "B": ["a c"]}, ["a b"], resamples=50)
    assert result.buckets == []
    assert all(each.difference is None for each in (*result.words, *result.errors))
    assert all(math.isfinite(r.value) for r in result.length_ratios.values())


def test_empty_outputs_are_errors_of_the_system_only():
    result = report(
        {"A": ["a b", ""], "B": ["", ""]}, ["a b", ""], metrics="chrf", resamples=50
    )
    assert result.length_ratios["B"].value == 0
    assert np.isfinite(result.segments["chrf"]).all()


@pytest.mark.parametrize("systems", [{}, {"A": ["a"]}])
def test_fewer_than_two_systems_are_an_error(systems):
    with pytest.raises(TertiumError):
        report(systems, ["a"])


def test_segments_without_references_are_an_error():
    testset = Testset([(), ()], {"A": ["a", "b"], "B": ["b", "b"]}, sources=["c", "d"])
    with pytest.raises(InputError, match="there are no references, and a report"):
        report(testset, metrics="chrf", resamples=20)


def test_no_segments_are_an_error():
    with pytest.raises(TertiumError):
        report({"A": [], "B": []}, [])


@settings(max_examples=15)
@given(st.lists(st.tuples(lines, lines, lines, lines), min_size=1, max_size=12))
def test_any_text_can_be_analysed(segments):
    sources, refs, one, other = (list(column) for column in zip(*segments, strict=True))
    result = report(
        {"A": one, "B": other},
        refs,
        sources=sources,
        metrics="chrf",
        resamples=20,
        language="en",
    )
    json.loads(result.to_json())
    for labelled, texts in zip(result.labels.values(), (one, other), strict=True):
        sizes = [len(flags) for flags in labelled.output]
        assert sizes == [len(split(text)) for text in texts]


def test_lines_of_ten_thousand_words_are_analysed():
    words = [f"w{n * 7919 % 3001}" for n in range(10_000)]
    ref, hyp = " ".join(words), " ".join(words[5000:] + words[:5000])
    result = report({"A": [hyp], "B": [ref]}, [ref], metrics="chrf", resamples=20)
    assert result.labels["A"].counts[0].sum() > 0
    assert result.labels["B"].counts[0].sum() == 0
