# SPDX-License-Identifier: Apache-2.0
"""Segments of a test set that are chosen and explained."""

from __future__ import annotations

import pytest

import tertium
from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.report.explain.segments import (
    ListedSegment,
    choose_segments,
    explain_segments,
    read_segment_list,
)

REFS = ["a cat sat", "two dogs ran", "so it is"]
TESTSET = tertium.Testset.build(REFS, {"A": REFS, "B": REFS[::-1]})


def test_segments_are_chosen_by_numbers_and_ranges():
    chosen = choose_segments(TESTSET, segments="3, 1-2 3", system=["B"])
    assert chosen == [(3, "B"), (1, "B"), (2, "B")]
    assert choose_segments(TESTSET, segments=[2], system="A") == [(2, "A")]


def test_a_list_keeps_its_order_and_counts_doubles_once():
    listed = [ListedSegment("B", 2), ListedSegment("A", 1), ListedSegment("B", 2)]
    assert choose_segments(TESTSET, listed=listed) == [(2, "B"), (1, "A")]
    assert choose_segments(TESTSET, listed=listed, system="A") == [(1, "A")]


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"segments": "4"}, "there is no segment 4; the test set has 3 segments"),
        ({"segments": "1-999999999999999999"}, "there is no segment 999999999999999"),
        ({"segments": [0]}, "there is no segment 0"),
        ({"segments": "x"}, "'x' is not a segment number"),
        ({"segments": "2-1"}, "runs backwards; write 1-2"),
        ({"segments": ","}, "segments is empty"),
        ({"listed": [ListedSegment("A", 9, where="w:2")]}, "w:2: there is no segment"),
    ],
)
def test_wrong_choices_are_rejected(choice, message):
    with pytest.raises(InputError, match=message):
        choose_segments(TESTSET, **choice)
    with pytest.raises(UnknownNameError):
        choose_segments(TESTSET, system="C")


def test_too_many_segments_must_be_chosen_from():
    many = tertium.Testset.build(["a"] * 51, {"A": ["a"] * 51})
    with pytest.raises(InputError, match="51 segments of 1 system are too many"):
        choose_segments(many)


def test_explanations_use_the_metrics_of_the_list():
    listed = [ListedSegment("B", 1, "chrf"), ListedSegment("B", 3, "ter")]
    done = []
    first, second = explain_segments(TESTSET, listed=listed, progress=done.append)
    assert (first.system, first.segment, second.segment) == ("B", 1, 3)
    assert [score.spec for score in first.scores] == ["chrf", "ter"]
    assert done == [1, 2]


def test_explaining_needs_references():
    bare = tertium.Testset.build(systems={"A": ["a"]})
    with pytest.raises(InputError, match="the test set has no references"):
        list(explain_segments(bare))


def test_lists_are_read_from_tables_and_json(write_lines):
    table = write_lines("list.csv", ["metric,system,segment", "wer,A,2"])
    (item,) = read_segment_list(table)
    assert (item.system, item.segment, item.metric) == ("A", 2, "wer")
    assert item.where.endswith("list.csv:2")
    file = write_lines("list.json", ['{"worst": [{"system": "A", "segment": 3}]}'])
    assert [item.segment for item in read_segment_list(file)] == [3]
    with pytest.raises(FormatError, match="is not a list of segments"):
        read_segment_list(write_lines("other.csv", ["a,b"]))
