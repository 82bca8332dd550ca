# SPDX-License-Identifier: Apache-2.0
"""Test sets with reference sets, and what is measured on them from Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tertium
from tertium.errors import InputError
from tertium.grammars import (
    SourceSentence,
    attest_templates,
    choose_items,
    compare_answers,
    compile_testset,
    load_template,
    make_testset,
    measure_coverage,
    measure_growth,
    measure_sensitivity,
    read_grammar_testset,
    read_systems,
    write_starter,
)


@pytest.fixture
def nap(tmp_path, monkeypatch):
    """Write the starter, a test set of it, and the outputs of two systems."""
    monkeypatch.chdir(tmp_path)
    write_starter("nap")
    selection = make_testset("nap", size=8)
    selection.write("run")
    grammar = load_template("nap").grammar
    good = [" ".join(grammar.sentences("Fin", s.set)[0]) for s in selection.sentences]
    Path("good.txt").write_text("\n".join(good) + "\n", encoding="utf-8")
    bad = [text.rpartition(" ")[0] for text in good]
    return {"good": "good.txt", "bad": bad}


TESTSET = "run/testset.jsonl"


def test_systems_are_files_or_texts(nap):
    result = tertium.evaluate(nap, "nap", testset=TESTSET, resamples=10)
    assert [system.name for system in result.ranking] == ["good", "bad"]
    assert result.system("good").score == 0
    assert result.bootstrap.resamples == 10
    again = tertium.evaluate(nap, load_template("nap"), testset=TESTSET, resamples=10)
    assert again.to_json() == result.to_json()
    assert len(result.to_json(records=True)["records"]) == 16


def test_evaluations_are_saved(nap):
    result = tertium.evaluate(nap, "nap", testset=TESTSET, resamples=0)
    result.save("saved")
    saved = json.loads(Path("saved/system.json").read_text("utf-8"))
    assert saved == json.loads(json.dumps(result.to_json()))
    assert len(Path("saved/segments.jsonl").read_text("utf-8").splitlines()) == 16


def test_reference_files_are_a_test_set(write_lines):
    path = write_lines("a.refs", ["x\t{the|a} ball", "y\tit rains"])
    outputs = {"A": ["a ball", "it rained"]}
    result = tertium.evaluate(outputs, references=path, resamples=0)
    assert [record.id for record in result.segments] == ["x", "y"]
    assert result.system("A").exact == 1
    swapped = [SourceSentence("y", "", "", ""), SourceSentence("x", "", "", "")]
    data = read_grammar_testset(references=[path], testset=swapped)
    assert [one.automaton.count for one in data.reference_sets()] == [1, 2]


def test_notes_on_references_are_part_of_the_result(write_lines):
    path = write_lines("a.fst.txt", ["0 1 a b 0.5", "1"])
    result = tertium.evaluate({"A": ["a"]}, references=path, resamples=0)
    assert any("weights were dropped" in note for note in result.notes)
    assert measure_growth({"A": ["a"]}, references=path).notes == result.notes
    assert measure_coverage({"A": ["a"]}, references=path).notes == result.notes


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"testset": TESTSET}, "neither templates nor"),
        ({"templates": "nap", "references": "x"}, "both templates and"),
        ({"templates": "nap"}, "no test set"),
        ({"templates": "nap", "testset": TESTSET, "human": ["x"]}, "'x'"),
        ({"templates": "nap", "testset": TESTSET, "target": "Swe"}, "'Swe'"),
        ({"templates": "nap", "testset": TESTSET, "costs": "x"}, "'x'"),
    ],
)
def test_options_that_do_not_fit_are_rejected(nap, options, what):
    with pytest.raises(InputError, match=what):
        tertium.evaluate(nap, **options)


def test_the_demo_brings_its_own_templates():
    with pytest.raises(InputError, match="its own templates"):
        tertium.evaluate("demo", "size")


def test_systems_need_unique_names(write_lines):
    segments = [SourceSentence("1", "", "1", "")]
    path = write_lines("a.txt", ["a ball"])
    assert read_systems(path, segments) == {"a": ["a ball"]}
    assert read_systems([("b", path), path], segments).keys() == {"a", "b"}
    with pytest.raises(InputError, match="two systems are called 'a'"):
        read_systems([("a", path), path], segments)


def test_sets_of_a_test_set_are_in_its_order(nap):
    data = read_grammar_testset("nap", testset=TESTSET)
    sets = compile_testset("nap", testset=TESTSET)
    assert sets == data.reference_sets()
    assert [one.id for one in sets] == [segment.id for segment in data.segments]
    with pytest.raises(InputError, match="target language of nap"):
        compile_testset("nap", testset=TESTSET, language="Eng")


def test_growth_ends_with_the_whole_set(nap):
    growth = measure_growth(nap, "nap", testset=TESTSET, sizes=[1, 1000])
    assert growth.sampled == (1, 72)
    assert growth.scores["good"][1] == pytest.approx(100)
    assert growth.segments == 8
    assert list(growth.to_json()) == [
        "tertium", "metric", "seed", "sizes", "drawn", "systems",
    ]  # fmt: skip


def test_coverage_takes_people_or_a_list(nap, write_lines):
    coverage = measure_coverage(nap, "nap", testset=TESTSET)
    assert [share.share for share in coverage.people] == [1, 0]
    heard = write_lines("heard.txt", ["1a,2a\tkissa nukkuu nyt sohvalla", "koira"])
    listed = measure_coverage(sentences=heard, templates="nap")
    assert (listed.total.accepted, listed.total.total) == (1, 2)
    assert listed.rejected[0].constructions
    for options in ({}, {"systems": nap, "sentences": heard}):
        with pytest.raises(InputError, match="give either"):
            measure_coverage(templates="nap", **options)
    with pytest.raises(InputError, match="omit reference files"):
        measure_coverage(sentences=heard, templates="nap", testset=TESTSET)
    with pytest.raises(InputError, match="one template, not 2"):
        measure_coverage(sentences=heard, templates=["nap", "size"])


def test_test_sets_of_all_sources_are_for_sensitivity(nap):
    near = make_testset("nap", all=0)
    assert (len(near.sentences), near.requested) == (128, None)
    assert len(make_testset("nap", all=3, plain=True).sentences) == 12
    outputs = {"A": ["sama"] * 128}
    result = measure_sensitivity(outputs, near.sentences)
    assert result.systems[0].index == 0
    assert result.to_json()["edits"] == 1


def test_selections_may_be_smaller_than_requested(nap):
    selection = make_testset("nap", size=50, threshold=1)
    assert len(selection.sentences) < selection.requested
    selection.write("few", people=True)
    assert "standard language" in Path("few/instructions.txt").read_text("utf-8")


def test_annotators_are_compared_with_corrections(nap):
    selection = choose_items(nap, "nap", testset=TESTSET)
    assert len(selection.items) == 16
    assert choose_items(nap, "nap", testset=TESTSET, number=5).items != selection.items
    selection.write("ask")
    answers = [
        {
            "kind": "work",
            "segment": item.id,
            "judge": "a",
            "content": {"output": item.output},
            "answer": {
                "tokens": sorted(item.places.tokens),
                "gaps": [*range(item.places.missing)],
            },
        }
        for item in selection.items
    ]
    text = "\n".join(map(json.dumps, answers))
    Path("answers.jsonl").write_text(text, encoding="utf-8")
    report = compare_answers("ask", "answers.jsonl")
    assert report.to_json()["together"]["f"] == 1
    assert compare_answers("ask/key.jsonl", "answers.jsonl") == report
    Path("none.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="has no answer"):
        compare_answers("ask", "none.jsonl")
    with pytest.raises(InputError, match="more than 0 edits") as caught:
        choose_items({"bad": nap["bad"]}, "nap", testset=TESTSET, most=0)
    assert caught.value.options == ("most",)


def test_corpora_attest_constructions(nap, write_lines):
    corpus = write_lines("corpus.txt", ["Kissa nukkuu nyt sohvalla."])
    attestation = attest_templates("nap", corpus)
    assert {template for template, _ in attestation.constructions} == {"nap"}
    assert sum(one.found for _, one in attestation.constructions) > 0
    rows = attestation.to_json(top=2)["constructions"]
    assert all(len(row["least"]) <= 2 for row in rows)
    with pytest.raises(InputError, match="has no text"):
        attest_templates("nap", [write_lines("empty.txt", [])])
