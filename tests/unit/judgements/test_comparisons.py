# SPDX-License-Identifier: Apache-2.0
"""Comparisons of systems, against pairs counted one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.judgements import Judgements, Place, Ranking

SYSTEMS = ["A", "B", "C", "D", "É"]


@st.composite
def one_ranking(draw):
    systems = draw(st.permutations(SYSTEMS))
    places = []
    while systems and len(places) < 4:
        size = draw(st.integers(0, 2))
        one, systems = tuple(systems[:size]), systems[size:]
        rank = draw(st.integers(1, 4))
        places.append(Place(one, rank, draw(st.integers(0, 5)) == 0))
        if draw(st.booleans()) and len(places) > 1:
            break
    segment = draw(st.sampled_from(["1", "2", "10"]))
    part = draw(st.sampled_from([None, "x"]))
    return Ranking(
        tuple(places), segment, part, draw(st.sampled_from([None, "a", "b"]))
    )


def slow(records):
    """Return every comparison as (ranking, segment, judge, first, second, outcome)."""
    counts = Counter()
    for number, record in enumerate(records):
        ranked = [
            (system, place.rank, place.garbage)
            for place in record.places
            for system in place.systems
        ]
        name = record.segment if record.part is None else f"{record.segment}/x"
        for i, one in enumerate(ranked):
            for other in ranked[i + 1 :]:
                (a, *first), (b, *second) = sorted([one, other])
                key = [
                    (thrown, 0 if thrown else rank) for rank, thrown in (first, second)
                ]
                outcome = (key[0] < key[1]) - (key[0] > key[1])
                counts[number, name, record.judge, a, b, outcome] += 1
    return counts


@settings(max_examples=40)
@given(st.lists(one_ranking(), max_size=8))
def test_comparisons_are_all_pairs_of_every_ranking(records):
    result = Judgements.from_iterable(records).comparisons()
    judges = [*result.judges, None]
    rows = [
        (
            int(result.ranking[i]),
            result.segments[result.segment[i]],
            judges[result.judge[i]],
            result.systems[result.first[i]],
            result.systems[result.second[i]],
            int(result.outcome[i]),
        )
        for i in range(len(result))
    ]
    assert Counter(rows) == slow(records)
    assert (result.first < result.second).all()
    assert (np.diff(result.ranking) >= 0).all()


@settings(max_examples=40)
@given(st.lists(one_ranking(), max_size=8))
def test_wins_count_the_comparisons(records):
    result = Judgements.from_iterable(records).comparisons()
    table = result.wins()
    expected = Counter()
    for (_, _, _, a, b, outcome), times in slow(records).items():
        if outcome:
            expected[(a, b) if outcome > 0 else (b, a)] += times
        else:
            expected[frozenset((a, b))] += times
    for i, a in enumerate(table.systems):
        for j, b in enumerate(table.systems):
            assert table.wins[i, j] == expected[a, b]
            assert table.ties[i, j] == (expected[frozenset((a, b))] if a != b else 0)


def test_weights_are_repetitions():
    ranking = Ranking((Place(("A",), 1), Place(("B",), 2), Place(("C",), 2)), "1")
    result = Judgements.from_iterable([ranking]).comparisons()
    twice = result.select(np.array([0, 0, 2])).wins()
    weighted = result.wins(np.array([2.0, 0.0, 1.0]))
    assert (twice.wins == weighted.wins).all()
    assert (twice.ties == weighted.ties).all()


def test_garbage_loses_whatever_its_number():
    places = (Place(("A",), 1, garbage=True), Place(("B",), 3))
    result = Judgements.from_iterable([Ranking(places, "1")]).comparisons()
    assert list(result.outcome) == [-1]


def test_a_system_is_not_compared_with_itself():
    places = (Place(("A",), 1), Place(("A", "B"), 2))
    result = Judgements.from_iterable([Ranking(places, "1")]).comparisons()
    assert [(result.first[i], result.second[i]) for i in range(len(result))] == [
        (0, 1),
        (0, 1),
    ]


def test_rows_in_any_order_give_the_same():
    places = (Place(("A",), 1), Place(("B",), 2))
    records = [Ranking(places, str(i), judge=str(i % 2)) for i in range(5)]
    result = Judgements.from_iterable(records)
    turned = Judgements(result.rankings.reverse(), result.ratings, result.spans)
    one, other = result.comparisons(), turned.comparisons()
    assert (one.ranking == other.ranking).all()
    assert (one.segment == other.segment).all()
    assert (one.outcome == other.outcome).all()
