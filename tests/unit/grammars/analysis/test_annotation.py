# SPDX-License-Identifier: Apache-2.0
"""Edit positions of corrections, for annotators and back."""

from __future__ import annotations

import json

import pytest

from support.grammar_systems import evaluation
from support.grammar_words import analyser
from tertium.automata.automaton import Automaton
from tertium.data import read
from tertium.errors import FormatError
from tertium.grammars.analysis.annotation import (
    annotation_items,
    compare_annotations,
    edit_places,
    read_answers,
    write_items,
)
from tertium.grammars.analysis.records import make_record
from tertium.grammars.search.matching import closest
from tertium.judgements.agreement.positions import EditPlaces, token_spans

REFERENCES = Automaton.from_sentences(["Annalla on nyt iso omenapuu"])


def places(text):
    match = closest(text, REFERENCES, analyser=analyser("tsv"))
    return edit_places(make_record(match, id="1", system="A", hyp=text))


@pytest.mark.parametrize(
    ("text", "tokens", "missing"),
    [
        ("annalla on nyt iso omenapuu", set(), 0),
        ("annalla on nyt iso omena puu", {4, 5}, 0),
        ("anna - on , nyt iso omenapuu .", {0}, 0),
        ("- annalla nyt iso omenapuu", set(), 1),
        ("annalla on nyt,iso tammi", {3}, 0),
        ("annalla on iso nyt omenapuu", {3}, 0),
        ("", set(), 5),
    ],
)
def test_places_are_those_that_annotators_see(text, tokens, missing):
    result = places(text)
    assert result.missing == missing
    if text == "annalla on iso nyt omenapuu":
        assert len(result.tokens) == 1  # iso or nyt
    else:
        assert result.tokens == tokens


def test_items_have_few_edits_and_no_output_twice():
    items = annotation_items(evaluation().segments)
    assert len({item.id for item in items}) == len(items)
    rows = {(row.id, row.hyp): row for row in evaluation().segments}
    wanted = {key for key, row in rows.items() if len(row.edits) <= 3}
    assert {(item.id.split("#")[0], item.output) for item in items} == wanted
    assert all(
        max(i.places.tokens, default=0) < len(token_spans(i.output)) for i in items
    )
    sampled = annotation_items(evaluation().segments, size=7, seed=0)
    assert len(sampled) == 7
    assert sampled == [item for item in items if item in sampled]


def test_a_campaign_reads_the_items(tmp_path):
    items = annotation_items(evaluation().segments)
    path = tmp_path / "items.jsonl"
    write_items(items, path)
    testset = read(path)
    assert testset.ids == [item.id for item in items]
    assert list(testset.systems["output"]) == [item.output for item in items]


def answer(item, tokens, gaps, judge="a", kind="work", output=None):
    return json.dumps(
        {
            "kind": kind,
            "segment": item.id,
            "judge": judge,
            "content": {"output": item.output if output is None else output},
            "answer": {"tokens": tokens, "gaps": gaps, "none": not tokens + gaps},
        }
    )


def test_answers_are_compared(tmp_path):
    items = annotation_items(evaluation().segments)[:4]
    path = tmp_path / "answers.jsonl"
    lines = [
        answer(item, sorted(item.places.tokens), [*range(item.places.missing)])
        for item in items
    ]
    lines += [answer(items[0], [0], [0, 1], judge="b")]
    lines += [answer(items[0], [1], [], judge="b")]  # asked again
    lines += [answer(items[1], [1], [], judge="b", kind="check")]
    path.write_text("\n".join(lines), encoding="utf-8")
    result = read_answers(path, items)
    assert result["b"] == {items[0].id: EditPlaces(frozenset({0}), 2)}
    report = compare_annotations(items, result)
    assert report.annotators["a"].f in (1.0, None)
    assert report.annotators["a"].segments == 4
    assert report.pairs["a", "b"].segments == 1


def test_answers_on_other_outputs_are_rejected(tmp_path):
    (item, *_) = items = annotation_items(evaluation().segments)
    path = tmp_path / "answers.jsonl"
    path.write_text(answer(item, [0], [], output="something else"), encoding="utf-8")
    with pytest.raises(FormatError, match="another output"):
        read_answers(path, items)
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(FormatError, match="not an answer"):
        read_answers(path, items)
