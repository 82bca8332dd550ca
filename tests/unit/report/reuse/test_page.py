# SPDX-License-Identifier: Apache-2.0
"""Pages on systems that are scored from stored judgements."""

from __future__ import annotations

from dataclasses import replace

import pytest

from support.html_pages import ParsedPage
from support.reuse_results import SPAN, left_out, new_system
from tertium.judgements.reuse.results import SegmentEstimate
from tertium.report.draw.vega import PAGE
from tertium.report.explain.components import Marked
from tertium.report.reuse.charts import guess_chart, histogram_chart, system_chart
from tertium.report.reuse.outputs import browser, differences, outcome, with_marks
from tertium.report.reuse.page import reuse_page
from tertium.report.reuse.words import headline, lead


def test_the_headline_gives_the_rank_of_a_new_system():
    assert headline(new_system(), 2) == "NEW would be 2nd of 3 (-4.67, -6.00 to -3.00)"


def test_the_headline_gives_the_error_where_systems_were_left_out():
    text = headline(left_out(), 3)
    assert text == "Predictions of judged systems are off by 0.150 on average"


@pytest.mark.parametrize(("better", "place"), [(0, "1st"), (2, "3rd"), (10, "11th"),
                                               (11, "12th"), (20, "21st")])  # fmt: skip
def test_ranks_are_ordinals(better, place):
    judged = {str(i): 0.0 for i in range(better)}
    result = replace(new_system(), judged=judged)
    assert headline(result, 2).startswith(f"NEW would be {place} of {better + 1}")


def test_a_system_without_any_hit_cannot_be_placed_by_exact_match():
    result = new_system()
    system = replace(result.systems[0], predicted=None)
    text = headline(replace(result, by="exact", systems=(system,)), 2)
    assert text == "NEW cannot be scored: no output equals a judged one"


def test_the_lead_states_the_hit_rate():
    assert lead(new_system(), 2).startswith("25.0 % of 4 outputs equal one")


def test_outputs_are_hits_near_or_far():
    def of(text: str, distance: int | None) -> int:
        return outcome(SegmentEstimate("1", text, distance == 0, distance, None))

    assert of("same", 0) == 0
    assert of("ten edits", 10) == 1
    assert of("eleven edits", 11) == 2
    assert of("x" * 200, 20) == 1
    assert of("no judged output", None) == 2


def test_text_without_spaces_is_compared_by_character():
    assert differences("猫在睡", "狗在睡") == [
        ("猫", "狗", False),
        ("在", "在", True),
        ("睡", "睡", True),
    ]


def test_overlapping_marks_are_one():
    spans = [SPAN, replace(SPAN, start=6, end=9)]
    assert with_marks("the big cat", spans) == [
        "the ",
        Marked("big c", "carried"),
        "at",
    ]
    assert with_marks("the big cat", ()) == "the big cat"


def test_an_output_that_was_ranked_twice_is_one_row():
    shown = browser(left_out(), {}, 3)
    (segment,) = shown.segments
    (row,) = segment.rows
    assert (row.predicted, row.true) == ("0.250", "judged 0.750")
    assert [judged.score for judged in row.nearest] == ["1.500"]


def test_identical_judged_outputs_are_not_repeated():
    shown = browser(new_system(), {}, 2)
    assert shown.segments[0].rows[0].nearest[0].words == ()


def test_hits_and_misses_are_told_apart_by_words_too():
    shown = browser(new_system(), {}, 2)
    labels = [row.label for segment in shown.segments for row in segment.rows]
    assert labels == ["hit", "miss, 3 edits", "miss, 30 edits", "miss"]


def test_charts_show_what_there_is():
    assert len(system_chart(new_system(), PAGE).rows) == 3
    assert histogram_chart(new_system(), PAGE).rows[0]["w"] == "judged before"
    assert guess_chart(new_system(), PAGE) is None
    rows = guess_chart(left_out(), PAGE).rows
    assert {row["d"] for row in rows} == {"4-7"}
    assert [row["f"] for row in rows] == [0.5, 0, 0.5]


@pytest.mark.parametrize("result", [new_system(), left_out()], ids=["new", "left out"])
def test_the_page_has_its_sections_and_the_caution(result, demo):
    html = reuse_page(result, demo)
    page = ParsedPage(html)
    ids = [attributes.get("id") for _, attributes in page.elements]
    for key in ("systems", "distance", "outputs", "how"):
        assert key in ids
    assert ("next" in ids) == bool(result.next)
    assert "50 % of outputs equal a judged one" in html


def test_sources_are_shown_by_segment_id(demo):
    result = new_system()
    (system,) = result.systems
    first = replace(system.segments[0], segment=demo.ids[0])
    page = reuse_page(
        replace(result, systems=(replace(system, segments=(first,)),)), demo
    )
    assert demo.sources[0] in ParsedPage(page).words
