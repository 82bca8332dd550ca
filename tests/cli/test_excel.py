# SPDX-License-Identifier: Apache-2.0
"""Scores and comparisons as Excel workbooks."""

from __future__ import annotations

import zipfile

import pytest

from tertium.cli import main
from tertium.data.formats.xlsx import read_xlsx


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("verb", ["score", "compare"])
@pytest.mark.parametrize("words", [["-o", "a.xlsx"], ["-f", "xlsx", "-o", "a.book"]])
def test_a_workbook_has_systems_and_segments(verb, words, here, capsys):
    assert main([verb, "demo", "-m", "chrf", *words]) == 0
    assert capsys.readouterr().out == ""
    rows = [cells for _, cells in read_xlsx(here / words[-1])]
    assert rows[0][:2] == ["system", "chrf"]
    assert [row[0] for row in rows[1:]] == ["good", "order", "words", "copy"]
    book = zipfile.ZipFile(here / words[-1]).read("xl/workbook.xml").decode()
    assert 'name="segments"' in book
    assert ('name="pairs"' in book) == (verb == "compare")


def test_worst_segments_too(here):
    words = ["-m", "chrf", "--worst", "2", "-q", "-o", "a.xlsx"]
    assert main(["score", "demo", *words]) == 0
    rows = [cells for _, cells in read_xlsx(here / "a.xlsx")]
    assert rows[0][:4] == ["metric", "system", "segment", "score"]
    assert len(rows) == 9


def test_a_workbook_needs_a_file(capsys):
    for words in (["-f", "xlsx"], ["-f", "xlsx", "-o", "-"]):
        assert main(["score", "demo", *words]) == 2
        assert "give -o FILE.xlsx" in capsys.readouterr().err
    assert main(["rank", "demo", "-f", "xlsx"]) == 2


def test_a_recorded_workbook_can_be_repeated(here, capsys):
    words = ["score", "demo", "-m", "chrf", "-o", "a.xlsx", "--record", "run.json"]
    assert main(words) == 0
    assert main(["repeat", "run.json"]) == 0
