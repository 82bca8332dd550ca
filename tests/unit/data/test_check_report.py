# SPDX-License-Identifier: Apache-2.0
"""Checks of a test set: the report, the choice of kinds, and sets as they come."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tertium.data import Testset, checks
from tertium.data.checks import KINDS, check
from tertium.errors import UnknownNameError


@pytest.fixture
def bad() -> Testset:
    """Return a set with an error, a warning and a note."""
    hyps = ["Das Boot ist im Hafen.", "Das Schiff liegt im Hafen.", "Gute Nacht!"]
    return Testset.build(
        ["Das Boot liegt im Hafen.", "", "Schlaf gut!"],
        {"A": hyps, "B": hyps},
        sources=["The boat is in harbour."] * 2 + ["Good night!"],
    )


def kinds(testset: Testset, **choice: list[str]) -> list[str]:
    return [result.kind for result in check(testset, **choice).findings]


def test_grave_findings_come_first(bad: Testset) -> None:
    report = check(bad)
    assert kinds(bad) == ["empty", "identical-systems", "duplicates"]
    assert [f.severity for f in report.findings] == ["error", "warning", "note"]
    expected = "3 findings in 3 segments: 1 error, 1 warning, 1 note"
    assert report.summary() == expected


def test_kinds_can_be_chosen(bad: Testset) -> None:
    assert kinds(bad, only=["empty", "shifted"]) == ["empty"]
    assert kinds(bad, skip=["empty", "duplicates"]) == ["identical-systems"]
    assert kinds(bad, only=[]) == []


def test_an_unknown_kind_lists_near_ones(bad: Testset) -> None:
    with pytest.raises(UnknownNameError, match="did you mean empty"):
        check(bad, only=["emty"])
    with pytest.raises(UnknownNameError, match="did you mean shifted"):
        check(bad, skip=["shift"])


def test_the_report_turns_into_json(bad: Testset) -> None:
    report = check(bad)
    result = json.loads(report.to_json())
    assert list(result) == ["tertium", "segments", "findings"]
    assert result["segments"] == 3
    assert result["findings"] == [item.to_dict() for item in report.findings]
    assert result["findings"][0]["examples"] == [2]


def test_the_report_prints_itself(bad: Testset) -> None:
    lines = repr(check(bad)).splitlines()
    assert lines[0].startswith("error: reference 1: empty or only white space")
    assert lines[-1] == check(bad).summary()


def test_the_test_set_is_not_changed(bad: Testset) -> None:
    before = Testset.build(bad.references, bad.systems, sources=bad.sources)
    check(bad)
    assert bad == before


def test_every_kind_is_looked_for() -> None:
    assert list(checks._CHECKS) == list(KINDS)


def test_the_data_room_does_not_import_the_checks() -> None:
    code = "import sys, tertium.data as d; d.read; "
    code += "sys.exit('tertium.data.checks' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_demo_has_one_pair_of_identical_systems(demo: Testset) -> None:
    result = [result for result in check(demo).findings if result.severity != "note"]
    assert [f.kind for f in result] == ["identical-systems"]
    assert result[0].where == "systems 'words', 'copy'"


@pytest.mark.wmt
def test_real_data_have_no_errors(wmt15: Testset) -> None:
    report = check(wmt15)
    assert report.count("error") == 0, report
    # The files do hold byte order marks and zero-width spaces.
    warned = {result.kind for result in report.findings if result.severity == "warning"}
    assert warned == {"separators"}


@pytest.mark.wmt
def test_a_line_lost_in_real_data_is_found(wmt15: Testset) -> None:
    name, hyps = next(iter(wmt15.systems.items()))
    moved = {**wmt15.systems, name: [*hyps[:999], *hyps[1000:], ""]}
    report = check(Testset(wmt15.references, moved), only=["shifted"])
    (result,) = report.findings
    assert (result.where, result.examples[0]) == (f"system {name!r}", 1000)
