# SPDX-License-Identifier: Apache-2.0
"""Counts and shares of judgements."""

from __future__ import annotations

from datetime import datetime

import pytest

from tertium.errors import InputError
from tertium.judgements import (
    Judgements,
    Place,
    Ranking,
    Rating,
    Span,
    Summary,
    summarise,
    summary,
)

WHEN = [datetime(2024, 1, day) for day in (1, 2, 3)]


def ranking(segment, judge, langpair, time, duration, **ranks):
    places = tuple(Place((name,), rank, rank == 9) for name, rank in ranks.items())
    return Ranking(places, segment, None, judge, None, langpair, None, time, duration)


RECORDS = [
    ranking("1", "a", "de-en", WHEN[0], 10.0, A=1, B=1, C=2),
    ranking("1", "b", "de-en", WHEN[2], 30.0, A=1, B=9, C=9, D=2),
    ranking("2", "a", "cs-en", None, None, A=1, B=2),
    Rating("A", 1.0, "DA", "1", "a", None, "de-en", None, WHEN[1], 4.0),
    Rating("B", 2.0, "Likert", "1", "b", None, "de-en"),
    Span("B", "x", "Major", "1", judge="b", langpair="de-en"),
]


def test_figures_of_every_kind_and_group():
    result = summarise(Judgements.from_iterable(RECORDS), ["langpair"])
    assert result == [
        Summary(
            "rankings", {"langpair": "cs-en"}, 1, 2, 1, 1, 1, 0.0, 0.0, None, None, None
        ),
        # Comparisons: 3 and 6; ties: A=B and, both garbage, B=C.
        Summary(
            "rankings",
            {"langpair": "de-en"},
            2,
            4,
            1,
            2,
            9,
            2 / 9,
            2 / 7,
            WHEN[0],
            WHEN[2],
            20.0,
        ),
        Summary(
            "ratings",
            {"langpair": "de-en"},
            2,
            2,
            1,
            2,
            None,
            None,
            None,
            WHEN[1],
            WHEN[1],
            4.0,
        ),
        Summary(
            "spans",
            {"langpair": "de-en"},
            1,
            1,
            1,
            1,
            None,
            None,
            None,
            None,
            None,
            None,
        ),
    ]


def test_figures_of_a_system_are_those_of_its_comparisons():
    result = summarise(Judgements.from_iterable(RECORDS[:3]), ["system"])
    figures = {each.group["system"]: (each.comparisons, each.ties) for each in result}
    assert figures == {
        "A": (6, 1 / 6),
        "B": (6, 2 / 6),
        "C": (5, 1 / 5),
        "D": (3, 0.0),
    }


def test_kinds_without_the_column_are_left_out():
    result = summarise(Judgements.from_iterable(RECORDS), ["scale"])
    assert [(each.kind, each.group) for each in result] == [
        ("ratings", {"scale": "DA"}),
        ("ratings", {"scale": "Likert"}),
    ]


def test_without_columns_there_is_one_group():
    result = summarise(Judgements.from_iterable(RECORDS), [])
    assert [(each.kind, each.judgements) for each in result] == [
        ("rankings", 3),
        ("ratings", 2),
        ("spans", 1),
    ]


def test_ties_of_the_demo_are_those_of_its_comparisons():
    judgements = Judgements.read("demo")
    comparisons = judgements.comparisons()
    first = summarise(judgements)[0]
    assert first.comparisons == len(comparisons)
    assert first.ties == pytest.approx((comparisons.outcome == 0).mean())


def test_nothing_has_no_figures():
    assert summarise(Judgements.from_iterable([])) == []


def test_a_single_candidate_has_no_share_of_ties():
    (result,) = summarise(Judgements.from_iterable([Ranking((Place((), 1),), "1")]))
    assert (result.comparisons, result.ties, result.systems) == (0, None, 0)


def test_columns_are_checked():
    with pytest.raises(InputError, match="cannot group by 'colour'; choose"):
        summarise(Judgements.from_iterable([]), ["colour"])


@pytest.mark.parametrize("by", [[], ["langpair"], ["system"], ["judge", "system"]])
def test_parts_are_put_together(monkeypatch, by):
    result = Judgements.from_iterable(RECORDS)
    whole = summarise(result, by)
    monkeypatch.setattr(summary, "_PART", 1)
    assert summarise(result, by) == whole
