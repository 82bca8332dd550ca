# SPDX-License-Identifier: Apache-2.0
"""Candidates without systems, and tables that tell who wrote them."""

from __future__ import annotations

import polars as pl
import pytest

from tertium.errors import FormatError, InputError
from tertium.judgements import (
    CandidateSet,
    Judgements,
    Place,
    Ranking,
    attach_systems,
    read_candidates,
    read_system_table,
)


def ranking(segment, part, *texts):
    places = tuple(Place((), i, text=text) for i, text in enumerate(texts, start=1))
    return Ranking(places, segment, part)


def table(*rows):
    columns = ["segment", "part", "system", "text"]
    return pl.DataFrame(rows, schema=columns, orient="row")


TABLE = table(
    ("1", "a b", "A", "x"),
    ("1", "a b", "B", "y"),
    ("1", "a b", "C", "x"),
    ("1", "c", "A", "y"),
    ("2", "a b", "D", "x"),
    ("1", "a b", "A", "x"),  # said twice
)


def test_a_text_counts_for_all_systems_that_have_it():
    known = Ranking((Place(("Q",), 1, text="x"), Place(("R",), 2)), "1", "a b")
    records = [ranking("1", "a b", "y", "x"), known, ranking("1", "c", "y", "z")]
    results = list(attach_systems(Judgements.from_iterable(records), TABLE).iterate())
    assert results[0].places == (
        Place(("B",), 1, text="y"),
        Place(("A", "C"), 2, text="x"),
    )
    assert results[1] == known
    assert results[2].places == (Place(("A",), 1, text="y"), Place((), 2, text="z"))


def test_whole_segments_have_no_part():
    result = Judgements.from_iterable([ranking("1", None, "y", "x")])
    rows = table(("1", "", "A", "x"), ("1", "", "B", "y"))
    (record,) = attach_systems(result, rows).iterate()
    assert [place.systems for place in record.places] == [("B",), ("A",)]


def test_a_table_that_fits_nothing_is_refused():
    result = Judgements.from_iterable([ranking("9", "a b", "y", "x")])
    with pytest.raises(InputError, match="no candidate is in the system table"):
        attach_systems(result, TABLE)
    with pytest.raises(InputError, match="lacks text"):
        attach_systems(result, TABLE.drop("text"))


def test_nothing_to_attach_changes_nothing():
    record = Ranking((Place(("A",), 1), Place(("B",), 2)), "1")
    result = attach_systems(Judgements.from_iterable([record]), TABLE)
    assert list(result.iterate()) == [record]


@pytest.mark.parametrize("header", [[], ["system\tsegment\ttext\tpart"]])
def test_tables_of_systems_are_read(write_lines, header):
    row = "A\t1\tx\ta b" if header else "1\ta b\tA\tx\t0 1"
    path = write_lines("systems.tsv", [*header, row, ""])
    assert read_system_table(path).rows() == [("1", "a b", "A", "x")]


def test_short_rows_of_the_table_are_named(write_lines):
    path = write_lines("systems.tsv", ["1\ta b\tA"])
    with pytest.raises(FormatError, match=r"systems.tsv:1: 3 cells"):
        read_system_table(path)


ROWS = [
    "1\tthe huge volume\tref 1\thuge volume\tvelký objem\t1 2",
    "2\tthe end\tref 2\tthe end\tkonec\t0 1",
    "1\tthe huge volume\tref 1\thuge volume\tobrovský objem\t1 2",
    "1\tthe huge volume\tref 1\thuge volume\tvelký objem\t1 2",
]


def test_candidates_are_grouped_wherever_they_stand(write_lines):
    result = read_candidates(write_lines("project.tsv", ROWS))
    assert result == [
        CandidateSet(
            "1",
            "the huge volume",
            "ref 1",
            "huge volume",
            (1, 2),
            ("velký objem", "obrovský objem"),
        ),
        CandidateSet("2", "the end", "ref 2", "the end", (0, 1), ("konec",)),
    ]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("1\tthe end\tref", "3 cells"),
        ("1\tthe end\tref\tthe\t\t0", "an empty one"),
        ("1\tthe end\tref\tthe\tx\t2", "indices '2' do not fit 2 words"),
        ("1\tthe end\tref\tthe\tx\t-1", "indices '-1'"),
        ("2\tthe end .\tref 2\tthe end\tx\t0 1", "differ from an earlier row"),
    ],
)
def test_bad_candidates_are_named(write_lines, row, reason):
    path = write_lines("project.tsv", [*ROWS, row])
    with pytest.raises(FormatError, match=f"project.tsv:5: .*{reason}"):
        read_candidates(path)
