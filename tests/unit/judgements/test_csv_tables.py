# SPDX-License-Identifier: Apache-2.0
"""CSV wherever judgements and scores come as TSV."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

pytest.importorskip("polars")

from tertium.judgements import FORMATS, Judgements, read_system_table
from tertium.judgements.annotators import background
from tertium.meta import read_scores

JUDGED = [
    ["hit", "seg", "judge", "system(s)=rank ..."],
    ["1", "7", "anna, b", "A,B=1", "C=2"],
]
MQM = [
    [
        "system",
        "doc",
        "docSegId",
        "globalSegId",
        "rater",
        "source",
        "target",
        "category",
        "severity",
    ],
    ["A", "d", "1", "1", "r1", 'ein "Satz"', "a <v>first\nsecond</v> b", "x", "Major"],
]
PAIRS = [["seg", "better", "worse"], ["1", 'the "A"', "B, C"]]


def write(folder: Path, name: str, rows: list[list[str]], separator: str) -> Path:
    with (folder / name).open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=separator).writerows(rows)
    return folder / name


@pytest.mark.parametrize("separator", [",", ";"])
def test_rankings_in_csv(tmp_path: Path, separator: str) -> None:
    file = write(tmp_path, "de-en.csv", JUDGED, separator)
    (record,) = Judgements.read([file]).iterate("rankings")
    assert record.judge == "anna, b"
    assert [(place.systems, place.rank) for place in record.places] == [
        (("A", "B"), 1),
        (("C",), 2),
    ]


@pytest.mark.parametrize("separator", [",", ";"])
def test_error_spans_in_csv_may_have_line_ends(tmp_path: Path, separator: str) -> None:
    file = write(tmp_path, "mqm.de-en.csv", MQM, separator)
    (record,) = Judgements.read([file]).iterate("spans")
    assert record.system == "A"
    assert "first\\nsecond" in record.meta
    assert '\\"Satz\\"' in record.meta


@pytest.mark.parametrize("separator", [",", ";"])
def test_pairs_in_csv_may_be_quoted(tmp_path: Path, separator: str) -> None:
    file = write(tmp_path, "pairs.csv", PAIRS, separator)
    (record,) = Judgements.read([file]).iterate("rankings")
    assert [place.systems for place in record.places] == [('the "A"',), ("B, C",)]


@pytest.mark.parametrize(
    ("rows", "name", "form"),
    [
        (JUDGED, "judged", "judged-tsv"),
        (PAIRS, "pairs", "pairs"),
        (MQM, "mqm", "mqm-tsv"),
    ],
)
def test_what_is_written_as_csv_reads_back(
    tmp_path: Path, rows: list[list[str]], name: str, form: str
) -> None:
    judgements = Judgements.read([write(tmp_path, f"{name}.csv", rows, ";")])
    target = tmp_path / "out.csv"
    writer = FORMATS[form].write
    assert writer is not None
    writer(judgements, str(target))
    with target.open(newline="", encoding="utf-8") as file:
        lengths = {len(row) for row in csv.reader(file)}
    assert min(lengths) > 3
    kind = "spans" if form == "mqm-tsv" else "rankings"
    assert list(Judgements.read([target]).iterate(kind)) == list(
        judgements.iterate(kind)
    )


def test_ratings_may_be_separated_by_semicolons(tmp_path: Path) -> None:
    rows = [["system", "segment", "score"], ["A", "1", "4"]]
    (record,) = Judgements.read([write(tmp_path, "r.csv", rows, ";")]).iterate(
        "ratings"
    )
    assert (record.system, record.score) == ("A", 4.0)


def test_tables_beside_judgements_may_be_csv(tmp_path: Path) -> None:
    head = ["segment", "part", "system", "text"]
    file = write(tmp_path, "s.csv", [head, ["1", "", "A", 'one, "two"\nthree']], ",")
    assert read_system_table(file).rows() == [("1", "", "A", 'one, "two"\nthree')]
    rows = [["judge", "age"], ["anna, b", "30"]]
    (one,) = background.read_people(write(tmp_path, "p.csv", rows, ";"))
    assert (one.judge, one.age) == ("anna, b", 30)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_scores_in_csv(tmp_path: Path, separator: str) -> None:
    rows = [["system", "segment", "score"], ["A", "1", "0.5"], ["B; x", "1", "0.25"]]
    if separator != "\t":
        rows.append(["C", "line\nend", "1"])
    file = write(tmp_path, "comet.csv", rows, separator)
    (result,) = read_scores([file])
    assert result.segment["A"] == {"1": 0.5}
    assert result.segment["B; x"] == {"1": 0.25}
    if separator != "\t":
        assert result.segment["C"] == {"line\nend": 1.0}
