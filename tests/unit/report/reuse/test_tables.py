# SPDX-License-Identifier: Apache-2.0
"""Tables of systems that are scored from stored judgements."""

from __future__ import annotations

from support.reuse_results import left_out, new_system
from tertium.report.tables.reuse import reuse_tables
from tertium.report.tables.style import Style


def test_judged_and_new_systems_share_a_table_with_a_row_for_all():
    systems, distances, following = reuse_tables(new_system(), Style())
    assert [row[0] for row in systems.rows] == ["A", "NEW", "B", "all"]
    assert systems.head == ["system", "judged", "predicted", "interval", "hit rate",
                            "distance"]  # fmt: skip
    assert systems.rows[1][1:] == ["", "-4.67", "-6.00 to -3.00", "25.0 %", "11.0"]
    assert [row[0] for row in distances.rows] == ["0", "1", "2-3", "4-7", "8-15",
                                                  "16-31"]  # fmt: skip
    assert following.rows[0][0] == "NEW"
    assert "The 1 output to annotate" in following.note


def test_systems_left_out_have_their_guesses_compared():
    systems, distances = reuse_tables(left_out(), Style())
    assert systems.rows[0][-3:] == ["50.0 %", "0.0 %", "50.0 %"]
    assert systems.rows[2][:3] == ["C", "", "n/a"]
    assert "2 systems: Pearson 1.000, mean absolute error 0.150, " in systems.note
    assert "bias +0.100, 1 of 2 inside their intervals." in systems.note
    assert distances.head[-3:] == ["worse", "equal", "better"]


def test_notes_end_with_the_caution():
    for result in (new_system(), left_out()):
        systems, *_ = reuse_tables(result, Style())
        assert systems.note.splitlines()[-1].startswith("Caution: 50 % of outputs")


def test_programs_get_what_to_annotate_next_if_asked_for():
    (table,) = reuse_tables(new_system(), Style("tsv"))
    assert table.head == ["system", "segment", "text", "gain", "low", "high"]
    assert table.rows == [["NEW", "3", "the big cat sat", "0.25", "-5.5", "-3.5"]]


def test_programs_get_all_digits_and_nothing_for_unknown_values():
    (table,) = reuse_tables(left_out(), Style("csv"))
    rows = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    assert rows[0]["predicted"] == "0.7"
    assert rows[0]["low"] == ""
    assert rows[2]["predicted"] == ""


def test_long_outputs_are_cut_in_tables_but_not_for_programs():
    result = new_system(text="long " * 30)
    *_, segments = reuse_tables(result, Style(), segments=True)
    assert len(segments.rows[1][3]) == 60
    (segments,) = reuse_tables(result, Style("tsv"), segments=True)
    assert segments.rows[1][3] == "long " * 30
