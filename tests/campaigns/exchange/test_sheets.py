# SPDX-License-Identifier: Apache-2.0
"""Exports by the name of the file, and tables for spreadsheets."""

from __future__ import annotations

import csv
import gzip
import json

import pytest

from support.campaign_world import make_world
from tertium.campaigns.exchange.formats import RAW, SHEETS, format_of, formats, imports
from tertium.campaigns.exchange.sheets import rows, write_sheet
from tertium.cli import main
from tertium.data.formats.xlsx import read_xlsx
from tertium.errors import InputError
from tertium.judgements import Place, Ranking, Rating, Span


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.jsonl", "answers"),
        ("a.jsonl.gz", "answers"),
        ("a.CSV", "csv"),
        ("a.tsv", "tsv"),
        ("a.xlsx", "xlsx"),
        ("a.sqlite", "sqlite"),
        ("a.sqlite3", "sqlite"),
        ("a.db", "sqlite"),
        ("a.parquet", "parquet"),
        ("store", "answers"),
        ("folder.v1/store", "answers"),
        ("-", "answers"),
        ("/dev/stdout", "answers"),
    ],
)
def test_the_name_of_a_file_says_its_format(path, name):
    assert format_of(path) == name
    assert format_of(path, name) == name


@pytest.mark.parametrize(
    "path", ["a.xls", "a.ods", "a.txt", "a.json", "a.docx", "a.md"]
)
def test_names_that_say_nothing_are_reported(path):
    with pytest.raises(InputError, match=r"does not say which format .*\.xlsx"):
        format_of(path)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.csv", "answers"),
        ("a.csv", "parquet"),
        ("a.csv", "mqm-tsv"),
        ("a.xlsx", "wmt-csv"),
        ("a.jsonl", "csv"),
        ("a.sqlite", "xlsx"),
        ("a.tsv", "wmt-csv"),
    ],
)
def test_names_that_say_another_format_are_reported(path, name):
    with pytest.raises(
        InputError, match=f"{path} does not fit the format {name}; name"
    ):
        format_of(path, name)


@pytest.mark.parametrize("name", formats())
def test_every_format_has_a_name_that_fits(name):
    assert name in (RAW, *SHEETS) or name in imports() or name == "pairs"
    assert format_of("without-an-end", name) == name


JUDGED = [
    Ranking(
        (
            Place(("A", "B"), 1, text="=1+1 <ok> & \x01"),
            Place((), 2, garbage=True, text=""),
        ),
        "s1",
        "part",
        judge="k7",
        duration=1.4159,
    ),
    Rating("A", 71.5, "DA", "s2", judge="k7", duration=None),
    Span("A", "edit", "edit", "s3", 0, 4, text="word", judge="k8"),
]


def test_a_table_has_a_row_for_every_candidate_rating_and_mark():
    head, table = rows(JUDGED)
    results = [dict(zip(head, row, strict=True)) for row in table]
    assert [one["kind"] for one in results] == ["ranking", "ranking", "rating", "mark"]
    assert [one["system"] for one in results] == ["A, B", "", "A", "A"]
    assert [one["rank"] for one in results] == [1, 2, None, None]
    assert results[0]["seconds"] == 1.416
    assert (results[2]["scale"], results[2]["score"]) == ("DA", 71.5)
    assert (results[3]["start"], results[3]["end"], results[3]["text"]) == (
        0,
        4,
        "word",
    )
    assert rows(JUDGED[1:2])[0][-3:] == ["system", "scale", "score"]  # no empty columns


def test_a_workbook_holds_numbers_and_texts_that_nothing_runs(tmp_path):
    write_sheet(JUDGED, str(tmp_path / "x.xlsx"), "xlsx")
    head, row, *_ = (cells for _, cells in read_xlsx(tmp_path / "x.xlsx"))
    first = dict(zip(head, row, strict=False))  # a row ends with its last value
    assert first["text"] == "=1+1 <ok> & \x01"  # text, and no formula
    assert (first["rank"], first["seconds"]) == ("1", "1.416")
    again = tmp_path / "y.xlsx"
    write_sheet(JUDGED, str(again), "xlsx")
    assert again.read_bytes() == (tmp_path / "x.xlsx").read_bytes()


def test_what_a_cell_cannot_hold_is_reported(tmp_path):
    long = Ranking((Place(("A",), 1, text="x" * 40_000),), "s")
    with pytest.raises(InputError, match="cells hold 32,767; write CSV"):
        write_sheet([long], str(tmp_path / "x.xlsx"), "xlsx")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def world(tmp_path, db):
    result = make_world(tmp_path, "first")
    result.judge(times=3)
    return result


def export(tmp_path, *words):
    return main(["campaign", "export", "first", *map(str, words)])


@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_the_command_line_writes_tables(world, tmp_path, kind, capsys):
    place = tmp_path / f"x.{kind}"
    assert export(tmp_path, "-o", place) == 0
    assert "wrote 3 rankings" in capsys.readouterr().err
    with place.open(newline="") as file:
        results = list(csv.DictReader(file, delimiter="," if kind == "csv" else "\t"))
    assert len(results) == 6  # two candidates each
    assert {one["system"] for one in results} == {"alphasys", "betasys"}
    assert {one["judge"] for one in results} == {world.joined["annotator"].member.code}


def test_the_command_line_writes_workbooks(world, tmp_path):
    assert export(tmp_path, "-o", tmp_path / "x.xlsx") == 0
    assert len(list(read_xlsx(tmp_path / "x.xlsx"))) == 7


def test_the_command_line_writes_other_files_by_name(world, tmp_path):
    assert export(tmp_path, "-o", tmp_path / "x.jsonl.gz") == 0
    with gzip.open(tmp_path / "x.jsonl.gz", "rt") as file:
        assert len([json.loads(line) for line in file]) == 3
    assert export(tmp_path, "-o", tmp_path / "x.sqlite") == 0
    assert (tmp_path / "x.sqlite").read_bytes().startswith(b"SQLite format 3")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["x.ods"], "does not say which format to write"),
        (["x.xlsx", "--format", "parquet"], "does not fit the format parquet"),
        (["x.csv", "--format", "answers"], "does not fit the format answers"),
    ],
)
def test_the_command_line_reports_names_that_do_not_fit(
    world, tmp_path, words, told, capsys
):
    place = tmp_path / words[0]
    assert export(tmp_path, "-o", place, *words[1:]) == 2
    assert told in capsys.readouterr().err
    assert not place.exists()


@pytest.mark.parametrize("kind", SHEETS)
def test_tables_are_ranked_as_stores_are(world, tmp_path, kind, capsys):
    table, store = tmp_path / f"x.{kind}", tmp_path / "x.sqlite"
    assert export(tmp_path, "-o", table) == export(tmp_path, "-o", store) == 0
    printed = []
    for place in (table, store):
        capsys.readouterr()
        assert main(["rank", str(place), "--bootstrap", "20"]) == 0
        printed.append(capsys.readouterr())
    assert printed[0] == printed[1]
    assert "alphasys" in printed[0].out
