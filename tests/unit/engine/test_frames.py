# SPDX-License-Identifier: Apache-2.0
"""Results as frames, CSV and Excel files."""

from __future__ import annotations

import builtins
import csv

import pytest

import tertium
from conftest import missing
from tertium import InputError, MissingExtraError, Runs, UnknownNameError
from tertium.data.formats.xlsx import read_xlsx, write_workbook

REFS = ["the cat sat down", "a dog ran home", "birds sang"]
A = ["the cat sat up", "a dog ran home", "birds sing"]
B = ["a cat", "dogs ran", "bird"]


@pytest.fixture
def table():
    return tertium.score({"A": A, "B": B}, REFS, metrics=["chrf"], segments=True)


@pytest.mark.parametrize("kind", ["polars", "pandas"])
def test_frames_have_a_row_per_figure_or_segment(table, kind):
    try:
        __import__(kind)
    except ImportError:
        missing(f"{kind} is not installed; pip install {kind}")
    frame = table.to_frame(kind=kind)
    assert list(frame.columns) == ["system", "metric", "score", "low", "high"]
    assert type(frame).__module__.startswith(kind)
    frame = table.to_frame(kind=kind, segments=True)
    assert list(frame.columns) == ["segment", "system", "metric", "score"]
    assert len(frame) == 6
    assert list(frame["segment"]) == [1, 1, 2, 2, 3, 3]
    assert frame["score"][2] == 100.0


def test_segments_that_are_not_there_are_an_error(table):
    with pytest.raises(InputError, match="ask for them with segments=True"):
        tertium.score(A, REFS).to_frame(segments=True)
    with pytest.raises(UnknownNameError, match="unknown kind of frame 'arrow'"):
        table.to_frame(kind="arrow")


@pytest.mark.parametrize(
    ("kind", "cure"),
    [("pandas", "pip install pandas"), ("polars", r"pip install 'tertium\[meta\]'")],
)
def test_a_missing_package_is_named_with_its_cure(table, kind, cure, monkeypatch):
    load = builtins.__import__

    def without(name, *rest):
        if name == kind:
            raise ImportError(name)
        return load(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=cure) as caught:
        table.to_frame(kind=kind)
    assert "\n" not in str(caught.value)


def test_comparisons_keep_segments_if_asked():
    systems = {"A": Runs([A, REFS]), "B": Runs([B, B])}
    result = tertium.compare(systems, REFS, metrics=["chrf"], segments=True)
    records = result.records(segments=True)
    assert len(records) == 6
    scores = tertium.score(systems, REFS, metrics=["chrf"], segments=True)
    assert records == scores.records(segments=True)
    plain = tertium.compare({"A": A, "B": B}, REFS)
    with pytest.raises(InputError, match="segments=True"):
        plain.records(segments=True)


def test_csv_needs_no_extra(table, tmp_path):
    table.to_csv(tmp_path / "a.csv", segments=True)
    with open(tmp_path / "a.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["score"]) for row in rows] == [
        record["score"] for record in table.records(segments=True)
    ]


def test_workbooks_have_sheets(table, tmp_path):
    table.to_excel(tmp_path / "a.xlsx")
    rows = [cells for _, cells in read_xlsx(tmp_path / "a.xlsx")]
    assert rows[0] == ["system", "chrf"]
    assert float(rows[1][1]) == table["A"]["chrf"].score
    assert list(table._sheets()) == ["systems", "segments", "metrics"]
    segments = table._sheets()["segments"]
    assert segments[0] == ["segment", "system", "chrf"]
    assert segments[3] == [2, "A", 100.0]
    result = tertium.compare({"A": A, "B": B}, REFS, metrics=["chrf"], segments=True)
    assert list(result._sheets()) == [
        "systems",
        "pairs",
        "ranking",
        "segments",
        "metrics",
        "run",
    ]
    result.to_excel(tmp_path / "b.xlsx")


def test_figures_without_a_value_are_empty_cells(tmp_path):
    runs = {"A": Runs([A, REFS]), "B": B}
    sheet = tertium.score(runs, REFS, metrics=["chrf"])._sheets()["systems"]
    assert sheet[0] == ["system", "runs", "chrf", "chrf s_opt", "chrf s_sel"]
    assert sheet[2][3] is None


def test_several_sheets_in_another_reader(tmp_path):
    path = tmp_path / "two.xlsx"
    write_workbook(path, {"one": [["=a", 1]], "two & a half": [["b", None, 0.5]]})
    write_workbook(
        tmp_path / "again.xlsx",
        {"one": [["=a", 1]], "two & a half": [["b", None, 0.5]]},
    )
    assert path.read_bytes() == (tmp_path / "again.xlsx").read_bytes()
    try:
        import openpyxl
    except ImportError:
        missing("openpyxl is not installed; pip install openpyxl")
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == ["one", "two & a half"]
    assert [cell.value for cell in book["one"][1]] == ["=a", 1]
    assert [cell.value for cell in book["two & a half"][1]] == ["b", None, 0.5]
