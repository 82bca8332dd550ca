# SPDX-License-Identifier: Apache-2.0
"""Records: there and back, and as figure 7 shows them."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.grammar_systems import evaluation
from tertium.automata.automaton import Automaton
from tertium.errors import FormatError, InputError
from tertium.grammars.analysis import Near, read_records, write_records
from tertium.grammars.analysis.record_files import record_outline
from tertium.grammars.analysis.records import make_record
from tertium.grammars.search.matching import closest


def test_records_come_back_as_they_were(tmp_path):
    path = tmp_path / "segments.jsonl"
    write_records(evaluation().segments, path)
    assert list(read_records(path)) == evaluation().segments


def test_a_record_has_the_fields_of_the_specification():
    row = record_outline(evaluation().records["Base forms"][0])
    wanted = {"id", "source", "hyp", "edits", "ref", "cost", "ref_len", "score"}
    assert wanted | {"n_edits", "close", "counts"} <= row.keys()
    edit = ["type", "label", "hyp_index", "hyp", "ref", "cost", "moved_by"]
    assert list(row["edits"][0]) == edit


@pytest.mark.parametrize("line", ["", "[]", "{}", '{"id": 1}', "nothing"])
def test_broken_lines_are_named(tmp_path, line):
    path = tmp_path / "segments.jsonl"
    good = json.dumps(record_outline(evaluation().segments[0]))
    path.write_text(f"{good}\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"segments\.jsonl:2|line 2"):
        list(read_records(path))


@pytest.mark.parametrize("key", ["cost", "steps", "proven", "close", "tokens"])
def test_wrong_types_are_named(tmp_path, key):
    row = record_outline(evaluation().segments[0])
    path = tmp_path / "segments.jsonl"
    path.write_text(json.dumps({**row, key: {"x": 1}}), encoding="utf-8")
    with pytest.raises(FormatError, match=key):
        list(read_records(path))


def test_the_text_form_is_that_of_figure_7():
    match = closest(
        "the red ball", Automaton.from_sentences(["the ball is red"]), close=True
    )
    record = make_record(
        match, id="6.28.Eng.strings.0", system="A", hyp="The red ball."
    )
    assert record.text().splitlines()[:3] == [
        "6.28.Eng.strings.0  A",
        "output      The red ball.",
        "correction  the ball [insert: <eps>/is (0.8)] [move: red (0.6)]",
    ]
    assert "cost        1.4; score 0.35000" in record.text()


def test_unproven_corrections_are_marked():
    record = replace(evaluation().segments[0], proven=False)
    assert "not proven" in record.text()


@given(
    st.lists(st.integers(1, 60_000), min_size=1, max_size=20).map(sorted),
    st.floats(0.05, 3),
    st.floats(0, 2),
)
def test_weights_fall_with_the_cost(costs, tau, delta):
    weights = Near(tau, delta).weights(costs)
    assert sum(weights) == pytest.approx(1)
    assert weights == sorted(weights, reverse=True)
    for cost, weight in zip(costs, weights, strict=True):
        more = (cost - costs[0]) / 10_000
        if more > delta:
            assert weight == 0
        else:
            assert weight == pytest.approx(weights[0] * math.exp(-more / tau))


def test_a_right_output_has_no_other_correction():
    assert Near().weights([0, 0, 2500]) == [1, 0, 0]


@pytest.mark.parametrize("wrong", [(0, 1, 1), (1, -1, 1), (1, 1, 0), (math.nan, 1, 1)])
def test_weights_need_sense(wrong):
    with pytest.raises(InputError, match="give a tau"):
        Near(*wrong)
