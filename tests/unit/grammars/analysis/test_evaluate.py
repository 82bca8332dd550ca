# SPDX-License-Identifier: Apache-2.0
"""Evaluations: what single searches say, added up."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from support.grammar_systems import Item, evaluation, items, outputs, references
from support.grammar_words import analyser
from tertium.automata.automaton import Automaton
from tertium.errors import InputError, UnknownNameError
from tertium.grammars.analysis import (
    evaluate_outputs,
    segments_tsv,
    systems_tsv,
)
from tertium.grammars.search.edits import PROFILES, UNIT, Kind
from tertium.grammars.search.matching import Matcher

BALL = Automaton.from_sentences(["the ball is red", "a ball is red"])
ITEMS = [Item("1", "ball", "", "der Ball ist rot"), Item("2", "ball", "", "ein Ball")]
SETS = {("ball", ""): BALL}


def test_records_are_those_of_single_searches():
    result = evaluation()
    for system, texts in outputs().items():
        for item, text, record in zip(
            items(), texts, result.records[system], strict=True
        ):
            automaton = references().automaton(item.template, item.set)
            match = Matcher(automaton, analyser("tsv")).closest(text, close=True)
            assert record.best == match.best
            assert record.close == match.close
            assert (record.id, record.hyp, record.system) == (item.id, text, system)
            assert record.analyser == "tsv:tests"


def test_scores_and_counts_are_sums():
    result = evaluation()
    for system in result.systems:
        rows = result.records[system.name]
        cost = sum(row.cost for row in rows)
        assert system.cost == cost == sum(part.cost for part in system.templates)
        assert system.score == pytest.approx(
            cost / UNIT / sum(row.ref_len for row in rows)
        )
        counts = Counter(e.kind for row in rows for e in row.edits)
        assert system.counts == counts
        assert system.edits == system.recurrence.total
        errors = Counter(e.kind for row in rows for e in row.best.errors)
        assert system.errors == errors
        assert sum(system.taxonomy.values()) == sum(errors.values())
        priced = sum(PROFILES["default"].of(kind) * n for kind, n in counts.items())
        assert priced == cost
        assert system.cases.total == counts[Kind.CASESHIFT]
        if system.interval:
            assert system.interval[0] <= system.score <= system.interval[1]


def test_faults_are_named():
    result = evaluation()
    assert result.ranking[0].name == "Person"
    assert result.system("Person").score == 0
    splitter = result.system("Splitter")
    assert set(splitter.counts) == {Kind.COMP_LEMMA_JOIN}
    # Two tokens are joined, which is one error.
    assert splitter.edits == 2 * splitter.taxonomy["compound spelling"] > 0
    assert splitter.expected_taxonomy["compound spelling"] <= splitter.edits / 2
    assert set(result.system("Base forms").counts) == {Kind.CASESHIFT}
    assert set(result.system("Shifter").counts) == {Kind.MOVE}
    assert set(result.system("Dropper").counts) == {Kind.INSERT}
    assert result.system("Base forms").cases.count("NOM", "GEN") > 0
    assert result.system("Base forms").cases.count("GEN", "NOM") == 0


def test_differences_are_paired_and_ordered():
    result = evaluation()
    assert len(result.differences) == 15
    for difference in result.differences:
        a, b = result.system(difference.a), result.system(difference.b)
        assert difference.difference == pytest.approx(b.score - a.score)
        assert difference.difference >= 0
        assert difference.wins + difference.losses + difference.ties == len(items())
        assert 0 < difference.p <= difference.p_adjusted <= 1


def test_equal_systems_do_not_differ():
    texts = ["the ball red", "ball is"]
    result = evaluate_outputs(ITEMS, {"A": texts, "B": texts}, SETS)
    (one,) = result.differences
    assert (one.difference, one.interval, one.p, one.ties) == (0, (0, 0), 1, 2)


def test_expected_counts_lean_on_the_cheapest():
    result = evaluation()
    for row in result.segments:
        shares = [row.weight, *(other.weight for other in row.alternatives)]
        assert sum(shares) == pytest.approx(1)
        assert row.weight == max(shares)
        if not row.cost:
            assert not row.expected
        if not row.alternatives:
            assert row.expected == row.errors
        for other in row.alternatives:
            assert row.cost <= other.cost <= row.cost + result.near.delta * UNIT
            assert other.ref != row.best.reference


def test_moves_cost_more_when_they_do():
    cheap, used, dear = evaluation().sensitivity
    assert (cheap.move, used.move, dear.move) == (4000, 6000, 9000)
    assert used.scores == {system.name: system.score for system in evaluation().systems}
    assert cheap.scores["Shifter"] < used.scores["Shifter"] < dear.scores["Shifter"]
    assert cheap.scores["Splitter"] == dear.scores["Splitter"]


def test_sensitivity_is_what_a_run_with_that_cost_gives():
    again = evaluate_outputs(
        items(),
        outputs(),
        references(),
        analyser=analyser("tsv"),
        costs=replace(PROFILES["default"], move=9000),
        resamples=0,
        moves=(),
    )
    scores = {system.name: system.score for system in again.systems}
    assert scores == pytest.approx(evaluation().sensitivity[-1].scores)
    assert again.systems[0].interval is None
    assert again.differences[0].p is None


def test_threads_change_nothing():
    again = evaluate_outputs(
        items(),
        {name: dict(zip([i.id for i in items()], output, strict=True))
         for name, output in outputs().items()},
        references(),
        analyser=analyser("tsv"),
        human=["Person"],
        resamples=200,
        threads=3,
    )  # fmt: skip
    assert again == evaluation()
    assert json.dumps(again.to_json()) == json.dumps(evaluation().to_json())


def test_each_output_is_searched_once_and_progress_is_reported():
    told = []
    evaluate_outputs(
        ITEMS,
        {"A": ["a", "b"], "B": ["b", "a"]},
        SETS,
        progress=lambda *counts: told.append(counts),
    )
    assert told == [(2, 2)]


def test_constructions_are_found_whatever_the_case_and_punctuation():
    for row in evaluation().segments:
        assert row.source_constructions
        assert row.constructions
    kept = evaluation().system("Person").kept
    assert kept is not None
    assert 0 < kept < 1


def test_json_is_json_and_tables_have_all_rows():
    text = json.dumps(evaluation().to_json(), allow_nan=False)
    assert json.loads(text)["ranking"][0] == "Person"
    lines = segments_tsv(evaluation().segments).splitlines()
    assert len(lines) == 1 + 6 * len(items())
    assert len({line.count("\t") for line in lines}) == 1
    lines = systems_tsv(evaluation()).splitlines()
    assert [line.split("\t")[0] for line in lines[1:3]] == ["Person", "Splitter"]
    assert len({line.count("\t") for line in lines}) == 1


def test_an_empty_output_is_analysed():
    result = evaluate_outputs(ITEMS[:1], {"A": [""]}, SETS)
    assert result.system("A").counts == {Kind.INSERT: 4}
    assert result.differences == ()


@pytest.mark.parametrize(
    ("hypotheses", "options", "words"),
    [
        ({"A": ["x"]}, {}, "has 1 outputs, the test set has 2"),
        ({"A": {"1": "x"}}, {}, "no output for 1 of 2 items \\(first: '2'\\)"),
        ({}, {}, "no system"),
        ({"A": ["x", "y"]}, {"human": ["B"]}, "no system 'B'"),
    ],
)
def test_wrong_input_is_named(hypotheses, options, words):
    with pytest.raises(InputError, match=words):
        evaluate_outputs(ITEMS, hypotheses, SETS, **options)


def test_items_must_be_known_and_unique():
    with pytest.raises(InputError, match="'1' twice"):
        evaluate_outputs([ITEMS[0], ITEMS[0]], {"A": ["x", "y"]}, SETS)
    with pytest.raises(UnknownNameError):
        evaluate_outputs([Item("1", "bal", "", "")], {"A": ["x"]}, SETS)
    with pytest.raises(UnknownNameError):
        evaluate_outputs([Item("1", "hav", "1a", "")], {"A": ["x"]}, references())


def test_names_of_given_sets_are_no_codes():
    """Ids of segments may look like variable sets, and differ in their order alone."""
    names = ["1a,2b", "2b,1a", "1a, 2b"]
    texts = ["the ball is red", "a dog sleeps now", "it snows"]
    result = evaluate_outputs(
        [Item(name, "", name, "") for name in names],
        {"A": texts},
        {
            ("", name): Automaton.from_sentences([text])
            for name, text in zip(names, texts, strict=True)
        },
    )
    assert [record.set for record in result.records["A"]] == names
    assert result.system("A").score == 0


def test_many_systems_are_resampled_often_enough_to_differ():
    """With 1,000 resamples and 55 pairs nothing was ever significant."""
    items = [Item(str(i), "ball", "", "") for i in range(30)]
    right, wrong = ["the ball is red"] * 30, ["a red the"] * 30
    outputs = {f"S{k}": right for k in range(10)} | {"worst": wrong}
    ball = Automaton.from_sentences(["the ball is red"])
    result = evaluate_outputs(items, outputs, {("ball", ""): ball}, moves=())
    assert result.bootstrap.resamples == 5500
    assert result.to_json()["bootstrap"]["resamples"] == 5500
    clear = [difference for difference in result.differences if difference.b == "worst"]
    assert len(clear) == 10
    assert all(difference.p_adjusted <= 0.01 for difference in clear)
    assert result.hopeless() is None


def test_a_test_without_a_chance_gives_the_reason():
    items = [Item(str(i), "ball", "", "") for i in range(5)]
    outputs = {"A": ["the ball is red"] * 5, "B": ["a red the"] * 5}
    ball = Automaton.from_sentences(["the ball is red"])
    few = evaluate_outputs(items, outputs, {("ball", ""): ball}, moves=())
    assert few.hopeless().reason == "units"
    outputs = {name: texts * 6 for name, texts in outputs.items()}
    items = [Item(str(i), "ball", "", "") for i in range(30)]
    sets = {("ball", ""): ball}
    hasty = evaluate_outputs(items, outputs, sets, moves=(), resamples=10)
    assert (hasty.hopeless().reason, hasty.hopeless().needed) == ("resamples", 1000)
