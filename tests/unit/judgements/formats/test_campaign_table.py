# SPDX-License-Identifier: Apache-2.0
"""Tables of `campaign export` are read back."""

from __future__ import annotations

from datetime import datetime

import pytest

from tertium.campaigns.exchange.sheets import write_sheet
from tertium.data.formats.xlsx import write_xlsx
from tertium.errors import FormatError
from tertium.judgements import Place, Ranking, Rating, Span, import_judgements
from tertium.judgements.judgement import Bad
from tertium.judgements.sources import format_of, numbered_judgements

KNOWN = {
    "judge": "k7",
    "document": "news, 1",
    "langpair": "de-en",
    "campaign": "spring",
    "time": datetime(2024, 2, 29, 23, 59, 59),
    "duration": 2.5,
}
PLACES = (
    Place(("A", "B"), 1, text='two\nlines, a "tab"\t'),
    Place((), 3, garbage=True, text="=1+1"),
    Place(("C",), 2),
)
RANKINGS = [
    Ranking(PLACES, "s1", "part", **KNOWN),
    Ranking(PLACES, "s1", "part", **KNOWN),  # the same again is another ranking
    Ranking((Place(("A",), 1), Place(("B",), 1)), "s2"),
    Ranking((Place(("A",), 1),), "s3"),
]
RATINGS = [Rating("A", 71.5, "DA", "s1", **KNOWN), Rating("B", -3.0, "DA", "s2")]
SPANS = [
    Span("A", "Style", "Minor", "s1", 0, 4, text="word", **KNOWN),
    Span("A", "", "Major", "s2", 3, 4, side="source"),
    Span("B", "no-error", "no-error", "s2"),
]


@pytest.fixture(params=["csv", "tsv", "xlsx"])
def table(request, tmp_path):
    """Write records as a table and return its path."""

    def write(records):
        path = str(tmp_path / f"table.{request.param}")
        write_sheet(records, path, request.param)
        return path

    return write


@pytest.mark.parametrize(
    "records", [RANKINGS, RATINGS, SPANS, [*RANKINGS, *RATINGS, *SPANS]]
)
def test_what_was_exported_is_read_back(table, records):
    path = table(records)
    kind = format_of(path)
    assert kind.name == "campaign-table"
    assert [one for _, one in numbered_judgements(path, kind)] == records


def test_a_table_without_judgements_is_empty(table):
    read = import_judgements([table([])])
    assert set(read.formats.values()) == {"campaign-table"}
    assert not any(read.judgements.counts().values())


def test_options_overrule_the_table(table):
    options = {"langpair": "fi-en", "campaign": "autumn"}
    result = import_judgements([table(RATINGS)], **options).judgements
    assert {one.langpair for one in result.iterate()} == {"fi-en"}
    assert {one.campaign for one in result.iterate()} == {"autumn"}


HEAD = "judge,segment,document,langpair,campaign,time,seconds"
RANKED = f"{HEAD},part,system,candidate,rank,garbage,text"


@pytest.mark.parametrize(
    ("head", "row", "reason"),
    [
        (f"{HEAD},system,scale,score", "j,1,,,,,,A,DA,high", "'score' is 'high'"),
        (f"{HEAD},system,scale,score", "j,1,,,,,,A,DA,", "no 'score'"),
        (f"{HEAD},system,scale,score", "j,1,,,,,,A,DA,1,2", "more cells"),
        (f"{HEAD},system,scale,score", "j,1,,,,noon,,A,DA,1", "time 'noon'"),
        (RANKED, "j,1,,,,,,,A,2,1,no,", "keep the order of the rows"),
        (RANKED, "j,1,,,,,,,A,1,first,no,", "'rank' is 'first'"),
        (RANKED, "j,1,,,,,,,A,1,1,maybe,", "garbage is 'maybe'"),
        (
            f"kind,{HEAD},system,scale,score",
            "remark,j,1,,,,,,A,DA,1",
            "kind is 'remark'",
        ),
    ],
)
def test_a_wrong_row_is_set_aside_with_its_line_and_reason(tmp_path, head, row, reason):
    path = tmp_path / "x.csv"
    path.write_text(f"{head}\n{row}\n")
    [(line, result)] = numbered_judgements(str(path), format_of(str(path)))
    assert isinstance(result, Bad)
    assert (line, result.line) == (2, 2)
    assert reason in result.reason


def test_tables_as_spreadsheets_save_them_are_read(tmp_path):
    path = tmp_path / "x.csv"
    head = f"\ufeff{HEAD},system,scale,score".replace(",", ";")
    path.write_text(f"{head}\r\nj;1;;;;;;A;DA;0.5\r\n;;;;;;;;;\r\n", encoding="utf-8")
    result = import_judgements([path], strict=True).judgements
    assert list(result.iterate()) == [Rating("A", 0.5, "DA", "1", "j")]


def test_other_tables_are_no_tables_of_campaigns(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("judge,segment,system,scale,score\nj,1,A,DA,1\n")
    assert format_of(str(path)).name == "likert-tsv"
    with pytest.raises(FormatError, match=r"x.csv:1: not a table .*check the header"):
        import_judgements([path], format="campaign-table")
    write_xlsx(tmp_path / "x.xlsx", [["id", "ref", "A"], ["1", "a", "b"]])
    with pytest.raises(FormatError, match="no known format of judgements"):
        format_of(str(tmp_path / "x.xlsx"))


def test_missing_and_broken_workbooks_are_reported(tmp_path):
    path = tmp_path / "x.xlsx"
    with pytest.raises(FormatError, match="no such file"):
        format_of(str(path))
    path.write_text("no workbook")
    with pytest.raises(FormatError, match="not an Excel workbook"):
        format_of(str(path))
