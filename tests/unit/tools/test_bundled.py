# SPDX-License-Identifier: Apache-2.0
"""``licences/bundled.toml`` and the bill of materials that is made of it."""

from __future__ import annotations

import json

from support.tools import TOOLS, load_tool

sbom = load_tool("make_sbom.py")


def test_every_file_of_data_has_one_entry_with_a_licence():
    """If this fails, a new file needs an entry: whose is it, and may we ship it?"""
    assert list(sbom.problems()) == []


def test_a_file_without_an_entry_is_found(monkeypatch):
    monkeypatch.setattr(sbom, "data_files", lambda: ["learn/models/x.json", "new.bin"])
    complaints = list(sbom.problems())
    assert "src/tertium/new.bin is in 0 entries [], not 1" in complaints
    assert not any("x.json" in complaint for complaint in complaints)


def test_patterns_stay_within_a_folder_unless_they_say_otherwise():
    assert sbom.matches("a/*.txt", "a/b.txt")
    assert not sbom.matches("a/*.txt", "a/b/c.txt")
    assert sbom.matches("a/**/*.txt", "a/b/c.txt")
    assert sbom.matches("a/**/*.txt", "a/c.txt")
    assert not sbom.matches("a/**", "ab/c")


def test_licence_files_of_the_package_are_those_of_the_table():
    project = sbom.tomllib.loads((TOOLS.parent / "pyproject.toml").read_text("utf-8"))
    files = {
        path.relative_to(TOOLS.parent).as_posix()
        for pattern in project["project"]["license-files"]
        for path in TOOLS.parent.glob(pattern)
    }
    table = sbom.read_table()
    entries = table["code"] + table["data"]
    assert files == {"LICENSE"} | {e["text"] for e in entries if "text" in e}
    named = set(project["project"]["license"].split(" AND "))
    assert named == {entry["licence"] for entry in entries}


def test_the_bill_is_a_cyclonedx_document_with_hashes(tmp_path):
    target = tmp_path / "sboms" / "tertium.cdx.json"
    assert sbom.main(["-o", str(target), "--nanobind", "2.9.2"]) == 0
    bill = json.loads(target.read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    names = {each["name"]: each for each in bill["components"]}
    assert names["nanobind"]["purl"] == "pkg:pypi/nanobind@2.9.2"
    lists = names["word lists"]
    assert lists["licenses"] == [{"expression": "CC-BY-SA-4.0"}]
    assert {len(file["hashes"][0]["content"]) for file in lists["components"]} == {64}
    references = {each["bom-ref"] for each in bill["components"]}
    assert set(bill["dependencies"][0]["dependsOn"]) == references
