# SPDX-License-Identifier: Apache-2.0
"""Whole tables on one scale, against the functions for single judgements."""

from __future__ import annotations

import pytest

from tertium.errors import InputError
from tertium.judgements import Judgements, Place, Ranking, Rating
from tertium.judgements.adjustment.normalise import (
    degree_score,
    likert_score,
    rank_score,
)
from tertium.judgements.adjustment.normalised import normalised


def scores(judgements, how, size=None):
    result = normalised(judgements, how, size)
    return [rating.score for rating in result.iterate("ratings")]


def rated(*values):
    return Judgements.from_iterable(
        [Rating("A", float(v), "q", str(i)) for i, v in enumerate(values)]
    )


def ranked(*places):
    return Judgements.from_iterable([Ranking(places, "7", judge="ada")])


@pytest.mark.parametrize("boxes", [2, 5, 7])
def test_likert(boxes):
    values = range(1, boxes + 1)
    want = [likert_score(v, boxes=boxes) for v in values]
    assert scores(rated(*values), "likert", boxes) == pytest.approx(want)


def test_degrees():
    values = range(1, 19)
    want = [degree_score(v) for v in values]
    assert scores(rated(*values), "degree") == pytest.approx(want)


def test_ranks():
    places = [Place((name,), i) for i, name in enumerate("ABCDE", start=1)]
    want = [rank_score(i, 5) for i in range(1, 6)]
    assert scores(ranked(*places), "rank") == pytest.approx(want)


@pytest.mark.parametrize("many", [1, 2, 5])
def test_ranks_whose_last_is_zero(many):
    places = [Place((str(i),), i) for i in range(1, many + 1)]
    want = [rank_score(i, many, lowest="zero") for i in range(1, many + 1)]
    assert scores(ranked(*places), "rank-zero") == pytest.approx(want)


def test_equal_outputs_count_once_and_garbage_is_last():
    places = (Place(("A", "B"), 1), Place(("C",), 5), Place(("D",), 1, garbage=True))
    assert scores(ranked(*places), "rank") == pytest.approx([1, 1, 1 / 3, 1 / 3])


def test_everything_else_of_a_judgement_stays():
    result = normalised(ranked(Place(("A",), 1), Place(("B",), 2)), "rank")
    assert result.counts() == {"rankings": 0, "ratings": 2, "spans": 0}
    assert list(result.iterate()) == [
        Rating("A", 1.0, "rank", "7", judge="ada"),
        Rating("B", 0.5, "rank", "7", judge="ada"),
    ]


def test_rankings_of_the_demo():
    demo = Judgements.read("demo")
    result = scores(demo, "rank")
    assert len(result) == 4 * 202
    assert 0 < min(result) < max(result) == 1


@pytest.mark.parametrize("value", [0, 6, 2.5, -1])
def test_other_scores_are_rejected(value):
    with pytest.raises(InputError, match=r"of 'A' on segment '1' is not an integer"):
        normalised(rated(3, value), "likert")


def test_what_cannot_be_normalised():
    with pytest.raises(InputError, match="no system"):
        normalised(ranked(Place((), 1, text="a"), Place(("B",), 2)), "rank")
    with pytest.raises(InputError, match="below 1"):
        normalised(ranked(Place(("A",), 0), Place(("B",), 2)), "rank")
    with pytest.raises(InputError, match="give 2 or more"):
        normalised(rated(1), "likert", 1)
    with pytest.raises(InputError, match="takes no number"):
        normalised(rated(1), "rank", 5)
    with pytest.raises(InputError, match="normaliser"):
        normalised(rated(1), "stars")
