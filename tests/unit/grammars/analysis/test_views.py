# SPDX-License-Identifier: Apache-2.0
"""Case shifts, recurring edits, constructions, ambiguity, people."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.grammar_systems import evaluation
from tertium.grammars.analysis.ambiguity import ambiguity, ambiguity_by_edits
from tertium.grammars.analysis.cases import MAIN, case_order, case_shifts
from tertium.grammars.analysis.humans import INSTRUCTIONS, challenge, gaps
from tertium.grammars.analysis.recurring import recurrence
from tertium.grammars.analysis.tables import segments_tsv
from tertium.grammars.analysis.transfer import transfers
from tertium.grammars.search.edits import Kind
from tertium.grammars.search.matching import Change, Correction


def record(*changes, source="", number=0, **options):
    row = evaluation().segments[0]
    made = tuple(
        Change(kind, label or kind.label, place, hyp, ref, 1000)
        for place, (kind, label, hyp, ref) in enumerate(changes)
    )
    best = Correction(1000 * len(made), ("x",), made, 6000)
    return replace(row, id=str(number), source=source, best=best, **options)


def test_case_matrices_have_the_order_of_the_thesis():
    assert " ".join(MAIN) == "NOM GEN PAR INE ELA ILL ADE ABL ALL ESS TRA ABE"
    assert case_order(["ADE"]) == MAIN
    assert case_order(["COM", "ADE"]) == (*MAIN, "COM")
    assert case_order([]) == ()
    assert case_order(["XYZ", "GEN", "NOM"]) == ("NOM", "GEN", "XYZ")


cases = st.sampled_from([*MAIN, "COM"])


@given(st.lists(st.tuples(cases, cases), max_size=20))
def test_case_matrices_count_found_in_rows_and_needed_in_columns(pairs):
    row = record(*((Kind.CASESHIFT, f"CASESHIFT-{a}-{b}", "x", "y") for a, b in pairs))
    result = case_shifts([row])
    assert result.total == len(pairs)
    for (a, b), count in Counter(pairs).items():
        assert result.count(a, b) == count
    assert result.count("NOM", "???") == 0


def test_recurring_edits_name_the_source_expression():
    sub = (Kind.SUB, "", "yleensä", "usein")
    rows = [
        record(sub, (Kind.INSERT, "", "", "on"), source="It is often cold."),
        record(sub, source="often, it rains"),
        record(sub, source="It is often warm."),
        record(source="it is warm"),
    ]
    result = recurrence(rows)
    assert (result.distinct, result.total, result.ratio) == (2, 4, 0.5)
    (one,) = result.top
    assert (one.hyp, one.ref, one.count, one.segments) == ("yleensä", "usein", 3, 3)
    assert (one.expression, one.with_expression, one.expression_segments) == (
        "often",
        3,
        3,
    )
    assert one.category == "other mistranslation"


def test_joined_tokens_name_their_compound():
    join = [(Kind.COMP_LEMMA_JOIN, "", "omena", "omenapuu"),
            (Kind.COMP_LEMMA_JOIN, "", "puu", "")]  # fmt: skip
    result = recurrence([record(*join), record(*join)])
    (one,) = result.top
    assert (one.hyp, one.ref, one.count, one.share) == ("omena puu", "omenapuu", 2, 1)
    assert (result.distinct, result.total) == (2, 4)


def test_nothing_recurs_without_edits():
    result = recurrence([record()])
    assert (result.ratio, result.top) == (None, ())


def test_segments_are_shared_out_among_their_constructions():
    rows = [
        record(source_constructions=("A", "B"), constructions=("A",)),
        record(source_constructions=("B",), constructions=("C",)),
        record(source_constructions=(), constructions=("C",)),
    ]
    (result,) = transfers(rows)
    assert (result.sources, result.targets) == (("A", "B"), ("A", "C"))
    assert result.counts == ((0.5, 0), (0.5, 1))
    assert (result.segments, result.kept, result.share) == (2, 1, 0.5)
    assert transfers([rows[2]]) == ()


def test_transfer_matrices_add_up_to_their_segments():
    for system in evaluation().systems:
        for each in system.transfers:
            assert sum(map(sum, each.counts)) == pytest.approx(each.segments)


def test_ambiguity_is_a_mean():
    rows = [record(close=(1, 2, 4)), record((Kind.SUB, "", "a", "b"), close=(3, 4, 6))]
    result = ambiguity(rows)
    assert result.close == (2, 3, 5)
    assert list(ambiguity_by_edits(rows)) == [0, 1]
    assert ambiguity([]) is None
    assert ambiguity([record(close=())]).close == ()


def test_means_of_lower_bounds_are_lower_bounds():
    rows = [record(close=(1, 2, 4)), record(close=(3, 4, 6), close_is_least=False)]
    assert not ambiguity(rows).close_is_least
    rows[0] = replace(rows[0], close_is_least=True)
    result = ambiguity(rows)
    assert (result.close, result.close_is_least, result.least) == ((2, 3, 5), True, 1)
    lines = segments_tsv(rows).splitlines()
    place = lines[0].split("\t").index("close_is_least")
    assert [line.split("\t")[place] for line in lines[1:]] == ["yes", "no"]


def test_people_stand_beside_systems():
    result = challenge(evaluation())
    assert result.separated is True
    person = result.contestants[0]
    assert (person.name, person.human, person.exact) == ("Person", True, 1.0)
    assert gaps(evaluation()) == {"Person": ()}
    assert "Punctuation does not matter" in INSTRUCTIONS


def test_without_people_nothing_is_separated():
    systems = tuple(replace(system, human=False) for system in evaluation().systems)
    assert challenge(replace(evaluation(), systems=systems)).separated is None
