# SPDX-License-Identifier: Apache-2.0
"""Vectors T14 and T15 of the WOJ-DB specification, and wrong input."""

from __future__ import annotations

import pytest

from tertium.errors import InputError, UnknownNameError
from tertium.judgements.adjustment.normalise import (
    degree_score,
    language_points,
    likert_score,
    rank_score,
)


def test_t14_points_of_languages():
    assert language_points(["native", "fluent", "a few words"]) == 12
    assert language_points([]) == 0
    assert language_points(["good"], points={"good": 3}) == 3


def test_t15_ranks_degrees_and_boxes():
    scores = [rank_score(rank, 5) for rank in range(1, 6)]
    assert scores == pytest.approx([1, 0.8, 0.6, 0.4, 0.2])
    assert (degree_score(1), degree_score(18)) == (1.0, 0.0)
    assert likert_score(2) == 0.25


def test_ranks_may_reach_zero():
    assert [rank_score(r, 3, lowest="zero") for r in (1, 2, 3)] == [1.0, 0.5, 0.0]
    assert rank_score(1, 1, lowest="zero") == 1.0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: rank_score(0, 5),
        lambda: rank_score(6, 5),
        lambda: degree_score(19),
        lambda: degree_score(1, largest=1),
        lambda: likert_score(6),
    ],
)
def test_what_is_off_the_scale_is_rejected(wrong):
    with pytest.raises(InputError, match="is not between"):
        wrong()


def test_unknown_names_are_rejected():
    with pytest.raises(UnknownNameError, match="lowest"):
        rank_score(1, 5, lowest="none")
    with pytest.raises(UnknownNameError, match="level of a language"):
        language_points(["some"])
