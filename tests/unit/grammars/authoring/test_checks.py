# SPDX-License-Identifier: Apache-2.0
"""Checks of templates and reference files, and when their files changed."""

from __future__ import annotations

import os

import pytest

from tertium.grammars import check_templates, write_starter
from tertium.grammars.authoring.template_files import file_stamps


@pytest.fixture
def nap(tmp_path):
    write_starter(tmp_path / "nap")
    return tmp_path / "nap"


def change(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_starter_has_no_findings(nap):
    (report,) = check_templates(nap)
    assert report.findings == ()
    assert report.summary == "12 trees, 4 sets, Eng 128, Fin 288"
    assert report.to_dict() == {
        "name": "nap",
        "summary": report.summary,
        "findings": [],
    }


def test_errors_and_warnings_are_counted(nap):
    change(nap / "positive.fin.txt", "sohvalla.", "sohvassa.")
    change(nap / "template.toml", "minimum = 10", "minimum = 1000")
    (report,) = check_templates(nap)
    assert (report.errors, report.warnings) == (1, 4)


def test_templates_that_cannot_be_read_are_findings_with_an_excerpt(nap):
    change(nap / "NapEng.gf", "now ++ x", "now + + x")
    (report,) = check_templates(nap)
    (finding,) = report.findings
    assert (report.summary, finding.code) == ("cannot be read", "grammar")
    line, caret = finding.excerpt.splitlines()
    assert line[caret.index("^")] == "+"
    assert "excerpt" not in finding.to_dict()


def test_reference_files_are_checked_too(tmp_path):
    good, bad = tmp_path / "good.refs", tmp_path / "bad.refs"
    good.write_text("{a|b} c\n", encoding="utf-8")
    bad.write_text("a {b|c\n", encoding="utf-8")
    first, second = check_templates([good, bad])
    assert first.summary == "1 segment, 2 references"
    assert second.errors == 1
    assert second.findings[0].where.startswith(f"{bad}:1")


def test_programs_of_templates_are_not_started_unasked(nap):
    with (nap / "template.toml").open("a", encoding="utf-8") as file:
        file.write('\n[analysers]\nFin = "command:false"\n')
    (report,) = check_templates(nap)
    (finding,) = report.findings
    assert finding.code == "untrusted"
    assert finding.options == ("allow_commands", "analyser")
    assert check_templates(nap, analyser="none")[0].findings == ()


def test_analysers_that_cannot_be_loaded_are_noted(nap):
    with (nap / "template.toml").open("a", encoding="utf-8") as file:
        file.write('\n[analysers]\nFin = "tsv:nowhere.tsv"\n')
    (report,) = check_templates(nap)
    assert report.findings == ()
    assert "words of Fin are not looked up" in report.notes[0]
    # One that was asked for is an error.
    (report,) = check_templates(nap, analyser="tsv:nowhere.tsv")
    assert report.errors == 1


def test_stamps_change_with_files_of_templates_and_shared_folders(nap):
    common = nap.parent / "common"
    common.mkdir()
    (common / "More.gf").write_text("resource More = { }", encoding="utf-8")
    text = (nap / "NapEng.gf").read_text("utf-8")
    (nap / "NapEng.gf").write_text(f"--# -path=.:../common\n{text}", encoding="utf-8")
    before = file_stamps([nap])
    assert file_stamps([nap]) == before
    os.utime(common / "More.gf", ns=(1, 1))
    after = file_stamps([nap])
    (changed,) = (path for path in after if after[path] != before[path])
    assert changed.endswith("More.gf")
