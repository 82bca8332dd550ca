# SPDX-License-Identifier: Apache-2.0
"""Tables of judgements: records in and out, filters, merging."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import polars as pl
import pytest
from hypothesis import given

from support.judgement_examples import EXAMPLES
from support.judgement_strategies import record_lists
from tertium.errors import InputError
from tertium.judgements import (
    Judgements,
    Place,
    Ranking,
    Rating,
    Span,
    merge,
    tables,
)


@given(record_lists)
def test_records_come_back_as_they_went_in(records):
    result = Judgements.from_iterable(records)
    order = {Ranking: 0, Rating: 1, Span: 2}
    assert list(result.iterate()) == sorted(records, key=lambda r: order[type(r)])


def test_every_field_is_kept():
    result = Judgements.from_iterable(EXAMPLES)
    assert list(result.iterate()) == EXAMPLES
    assert result.counts() == {"rankings": 2, "ratings": 2, "spans": 2}
    assert repr(result) == "<Judgements: 2 rankings, 2 ratings, 2 spans>"
    assert list(result.iterate("ratings")) == EXAMPLES[2:4]


def test_no_records_are_empty_tables():
    result = Judgements.from_iterable([])
    assert result.counts() == {"rankings": 0, "ratings": 0, "spans": 0}
    assert list(result.iterate()) == []
    assert result.names("judge") == []
    assert len(result.comparisons()) == 0
    assert result.comparisons().wins().wins.shape == (0, 0)


def test_times_with_an_offset_become_utc():
    zone = timezone(timedelta(hours=2))
    record = Rating("A", 1.0, "DA", "1", time=datetime(2024, 1, 1, 1, tzinfo=zone))
    (result,) = Judgements.from_iterable([record]).iterate()
    assert result.time == datetime(2023, 12, 31, 23)


@pytest.mark.parametrize(
    ("record", "column"),
    [
        (Ranking((Place(("A",), 40_000),), "1"), "rank"),
        (Ranking((Place(("A",), 1.5),), "1"), "rank"),
        (Rating("A", "good", "DA", "1"), "score"),
        (Span("A", "c", "s", "1", -1), "start"),
    ],
)
def test_values_that_do_not_fit_are_rejected(record, column):
    with pytest.raises(InputError, match=f"column '{column}' does not fit"):
        Judgements.from_iterable([record])


def test_a_ranking_needs_candidates():
    with pytest.raises(InputError, match="segment '9' has no candidates"):
        Judgements.from_iterable([Ranking((), "9")])


def test_names_are_sorted_over_all_tables():
    result = Judgements.from_iterable(EXAMPLES)
    assert result.names("system") == ["A", "B", "C"]
    assert result.names("judge") == ["judge1", "judge2"]
    assert result.names("scale") == ["DA", "Likert"]


def test_filter_keeps_whole_rankings():
    result = Judgements.from_iterable(EXAMPLES)
    kept = result.filter(judge="judge1")
    assert list(kept.iterate()) == [EXAMPLES[0], EXAMPLES[2]]
    both = result.filter(judge=["judge1", "judge2"], segment="8")
    assert list(both.iterate()) == [EXAMPLES[5]]
    assert list(result.filter(judge="nobody").iterate()) == []


def test_filter_leaves_tables_without_the_column():
    kept = Judgements.from_iterable(EXAMPLES).filter(scale="DA")
    assert kept.counts() == {"rankings": 2, "ratings": 1, "spans": 2}


def test_filter_of_systems_shortens_rankings():
    kept = Judgements.from_iterable(EXAMPLES[:1]).filter(system=["A", "C"])
    (ranking,) = kept.iterate()
    assert [place.systems for place in ranking.places] == [("A",), ("C",)]


def test_filter_names_the_columns_there_are():
    with pytest.raises(InputError, match=r"column 'lang'; .*langpair"):
        Judgements.from_iterable(EXAMPLES).filter(lang="de-en")


def test_merged_rankings_stay_apart():
    one, other = (
        Judgements.from_iterable(EXAMPLES),
        Judgements.from_iterable(EXAMPLES[:1]),
    )
    empty = Judgements.from_iterable([])
    result = merge([one, empty, other, other])
    assert result.counts() == {"rankings": 4, "ratings": 2, "spans": 2}
    expected = [*EXAMPLES[:2], EXAMPLES[0], EXAMPLES[0], *EXAMPLES[2:]]
    assert list(result.iterate()) == expected
    assert len(result.comparisons()) == 3 * 3 + 1


def test_nothing_cannot_be_merged():
    with pytest.raises(InputError, match="nothing to merge"):
        merge([])


def test_places_shared_by_rankings_are_repeated():
    same = (Place(("A",), 1), Place(("B",), 2))
    records = [Ranking(same, str(i)) for i in range(3)]
    records.insert(1, Ranking((Place(("B",), 1), Place(("C",), 1)), "x"))
    assert list(Judgements.from_iterable(records).iterate()) == records


@pytest.mark.parametrize("size", [1, 2, 3])
def test_tables_are_read_in_pieces(monkeypatch, size):
    monkeypatch.setattr(tables, "_SLICE", size)
    assert list(Judgements.from_iterable(EXAMPLES).iterate()) == EXAMPLES


def test_rows_of_a_ranking_are_brought_together():
    result = Judgements.from_iterable(EXAMPLES[:2] * 2)
    even = result.rankings.filter(pl.col("candidate") % 2 == 0)
    odd = result.rankings.filter(pl.col("candidate") % 2 == 1)
    apart = Judgements(pl.concat([odd, even]), result.ratings, result.spans)
    assert [len(r.places) for r in apart.iterate()] == [3, 1, 3, 1]
    assert len(apart.comparisons()) == len(result.comparisons())


def test_judgements_without_a_value_can_be_chosen():
    places = (Place(("A",), 1), Place(("B",), 2))
    records = [
        Ranking(places, str(i), langpair=pair)
        for i, pair in enumerate([None, "en-cs", "en-de", None])
    ]
    result = Judgements.from_iterable(records)
    assert result.nameless("langpair") == 2
    assert result.nameless("segment") == 0
    assert list(result.filter(langpair=None).iterate()) == [records[0], records[3]]
    assert list(result.filter(langpair=["en-cs", None]).iterate()) == [
        records[0], records[1], records[3],
    ]  # fmt: skip


def test_no_language_pair_beside_a_named_one_makes_two():
    from tertium.judgements.ranking import rank_systems
    from tertium.meta.human import human_judgements

    places = (Place(("A",), 1), Place(("B",), 2))
    result = Judgements.from_iterable(
        [Ranking(places, str(i), langpair=p) for i, p in enumerate([None, "en-cs"])]
    )
    with pytest.raises(InputError, match=r"several language pairs \(en-cs, unknown\)"):
        rank_systems(result, resamples=0)
    with pytest.raises(InputError, match="more than one language pair: en-cs, unknown"):
        human_judgements(result)
    human = human_judgements(result, langpair="en-cs")
    assert "1 judgement has no language pair" in str(human.notes[0])
    assert len(human.segments) == 1
    none = result.filter(langpair=None)
    assert rank_systems(none, resamples=0).langpair is None
    assert human_judgements(none).notes == ()
