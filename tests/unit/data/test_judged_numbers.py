# SPDX-License-Identifier: Apache-2.0
"""Names that judgements give to segments."""

from __future__ import annotations

from tertium.data.segment_ids import judged_numbers
from tertium.data.testset import Testset


def test_an_id_wins_over_a_number():
    testset = Testset.build(["a", "b"], ids=["2", "x"])
    assert judged_numbers(testset, [("A", "2"), ("A", "x"), ("A", "1")]) == {
        ("A", "2"): 0,
        ("A", "x"): 1,
        ("A", "1"): 0,
    }


def test_ids_that_start_again_need_their_document():
    testset = Testset.build(["a", "b"], ids=["1", "1"], docs=["x", "y"])
    numbers = judged_numbers(testset, [("A", "y/1"), ("A", "1"), ("A", "2")])
    assert numbers == {("A", "y/1"): 1, ("A", "2"): 1}


def test_a_part_of_a_document_in_appraise_has_no_known_place():
    testset = Testset.build(["a", "b", "c"], docs=["x:y", "x:y", "z"])
    judged = [("A", "x:y:1"), ("A", "x:y:2"), ("B", "x:y:1"), ("B", "z:1")]
    assert judged_numbers(testset, judged) == {
        ("A", "x:y:1"): 0,
        ("A", "x:y:2"): 1,
        ("B", "z:1"): 2,
    }
