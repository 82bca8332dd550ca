# SPDX-License-Identifier: Apache-2.0
"""Worked examples through the whole error analysis."""

from __future__ import annotations

import pytest

from bench.published.evalgen import COUNTS, LENGTH, SCORES
from conformance.test_grammar_matching import ROWS, apple_tree
from support.grammar_systems import Item
from support.grammar_words import analyser
from tertium.automata.automaton import Automaton
from tertium.grammars.analysis import evaluate_outputs
from tertium.grammars.analysis.annotation import AnnotationItem, compare_annotations
from tertium.grammars.analysis.differences import score_of
from tertium.grammars.analysis.systems import cost_of, taxonomy_counts
from tertium.grammars.search.edits import PROFILES, UNIT
from tertium.judgements.agreement.positions import EditPlaces


def test_rows_of_9_2_add_up():
    items = [Item(str(number), "have", "1a,2b,3a", "") for number in range(len(ROWS))]
    evaluation = evaluate_outputs(
        items,
        {"A": [row[0] for row in ROWS]},
        {("have", "1a,2b,3a"): apple_tree()},
        analyser=analyser("tsv"),
        resamples=10,
    )
    records = evaluation.records["A"]
    assert [row.cost for row in records] == [row[3] for row in ROWS]
    assert [row.score for row in records] == pytest.approx([row[4] for row in ROWS])
    assert evaluation.system("A").cost == sum(row[3] for row in ROWS)
    assert records[0].close == (1, 3, 4)
    assert records[6].close == (2, 5, 8)


def test_the_sample_of_9_3_as_text():
    references = Automaton.from_sentences(
        ["Andeilla on ollut raskaita lumisateita viikkoja"]
    )
    evaluation = evaluate_outputs(
        [Item("6.28.Eng.strings.0", "snow", "", "")],
        {"A": ["andien on ollut raskas lumi sade viikkoja"]},
        {("snow", ""): references},
        analyser=analyser("tsv"),
    )
    (row,) = evaluation.records["A"]
    assert (row.cost, len(row.edits), row.ref_len) == (14040, 4, 6)
    assert row.score == pytest.approx(0.234)
    assert str(row.best) == (
        "[CASESHIFT-GEN-ADE: andien/Andeilla (0.35)] on ollut "
        "[CASESHIFT-NOM-PAR: raskas/raskaita (0.35)] "
        "[comp_lemma_join: lumi/lumisateita (0.352)] "
        "[comp_lemma_join: sade/<eps> (0.352)] viikkoja"
    )


def test_annotation_of_9_8():
    automatic = [({0, 1}, 1), ({3}, 0), (set(), 2)]
    gold = [({0, 1}, 1), ({2, 3}, 0), (set(), 1)]
    items = [
        AnnotationItem(str(n), "", "", ("A",), EditPlaces(frozenset(tokens), missing))
        for n, (tokens, missing) in enumerate(automatic)
    ]
    person = {
        str(n): EditPlaces(frozenset(tokens), missing)
        for n, (tokens, missing) in enumerate(gold)
    }
    result = compare_annotations(items, {"person": person}).pooled
    assert (result.right, result.wrong, result.missed) == (5, 1, 1)
    for value in (result.precision, result.recall, result.f):
        assert value == pytest.approx(0.8333, abs=5e-5)


def test_published_counts_give_the_published_ranking():
    sums = {name: cost_of(count, PROFILES["default"]) for name, count in COUNTS.items()}
    assert {name: round(cost / UNIT, 2) for name, cost in sums.items()} == {
        "MT-1": 889.64, "SMT-2": 985.09, "NMT-2": 768.36, "RBMT-2": 981.70,
        "SMT-1": 1497.45, "RBMT-1": 859.95, "NMT-1": 835.15, "MT-2": 1050.85,
    }  # fmt: skip
    ours = {name: score_of(cost, LENGTH) for name, cost in sums.items()}
    assert sorted(ours, key=ours.__getitem__) == sorted(SCORES, key=SCORES.__getitem__)
    assert all(abs(ours[name] - score) < 0.008 for name, score in SCORES.items())


def test_published_lexical_counts_are_those_of_the_specification():
    lexical = {
        name: taxonomy_counts(count)["wrong lexical choice"]
        for name, count in COUNTS.items()
    }
    wanted = (486, 418, 441)
    assert tuple(lexical[name] for name in ("NMT-2", "NMT-1", "RBMT-1")) == wanted
