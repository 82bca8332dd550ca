# SPDX-License-Identifier: Apache-2.0
"""Habits of systems."""

from __future__ import annotations

import pytest

from tertium.analysis.habits import HABITS, find_habits
from tertium.data import Testset

REF = "the old house stands near the river"


def found(output, ref=REF, source="das alte Haus steht am Fluss", refs=()):
    testset = Testset([(ref, *refs)], {"A": [output]}, sources=[source])
    return {each.name for each in find_habits(testset) if each.segments["A"]}


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (REF, set()),
        ("", {"empty"}),
        ("das alte Haus steht am Fluss", {"copied source", "untranslated words"}),
        ("the the the the house stands near", {"repetition"}),
        ("near the near the near the river", {"repetition"}),
        ("near the near the river", set()),
        ("the alte house stands near the river", {"untranslated words"}),
        ("the old house stands near the река", {"wrong script"}),
        ("the old house stands near 3 rivers", {"number mismatch"}),
        ("the house", {"too short"}),
        (" ".join(f"word{c}" for c in "abcdefghijklmno"), {"too long"}),
    ],
)
def test_each_habit_is_seen(output, expected):
    assert found(output) == expected


def test_numbers_may_be_those_of_any_reference_in_any_notation():
    assert found("about 1.000 houses", "about 1,000 houses") == set()
    assert found("2 of them", "three of them", refs=["2 of those"]) == set()
    assert found("2 of 2", "2 of them") == {"number mismatch"}


def test_a_name_that_the_reference_keeps_is_not_untranslated():
    assert found("Berlin sleeps", "Berlin is asleep", "Berlin schläft") == set()


def test_a_source_that_is_the_reference_may_be_copied():
    assert found("Hotel California", "Hotel California", "Hotel California") == set()


def test_without_sources_nothing_is_said_about_them():
    testset = Testset([("a",)], {"A": ["a"]})
    names = [each.name for each in find_habits(testset)]
    assert names == [
        name for name in HABITS if name not in ("copied source", "untranslated words")
    ]


def test_segments_are_listed_by_system_and_count_from_one_in_json():
    testset = Testset([("a b",), ("c d",)], {"A": ["a b", ""], "B": ["", ""]})
    empty = find_habits(testset)[0]
    assert empty.segments == {"A": (1,), "B": (0, 1)}
    assert empty.to_dict() == {"name": "empty", "segments": {"A": [2], "B": [1, 2]}}
