# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar`` with templates from someone else: what needs a flag."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tertium.cli import main

WITNESS = Path("started")


@pytest.fixture(autouse=True)
def nap(tmp_path, monkeypatch, capsys):
    """Write a template whose analyser is a program that leaves a trace."""
    monkeypatch.chdir(tmp_path)
    assert main(["grammar", "new", "nap"]) == 0
    Path("analyser.py").write_text(f"open({str(WITNESS)!r}, 'w')", encoding="utf-8")
    with Path("nap/template.toml").open("a", encoding="utf-8") as file:
        file.write(f'\n[analysers]\nFin = "command:{sys.executable} analyser.py"\n')
    capsys.readouterr()


def run(capsys, *arguments: str, code: int = 0) -> str:
    assert main(["grammar", *arguments]) == code
    out = capsys.readouterr()
    return out.out if code < 2 else out.err


def test_check_quotes_a_program_and_does_not_start_it(capsys):
    report = json.loads(run(capsys, "check", "nap", "-f", "json", code=1))
    (finding,) = report["templates"][0]["findings"]
    assert finding["severity"] == "error"
    assert finding["code"] == "untrusted"
    assert f"'command:{sys.executable} analyser.py'" in finding["message"]
    # The flag, and not the argument of the library.
    assert "allow it with --allow-commands, or choose another" in finding["cure"]
    assert finding["cure"].endswith("(--analyser)")
    assert "allow_commands" not in str(finding)
    assert report["templates"][0]["summary"].startswith("12 trees")
    assert not WITNESS.exists()


def test_a_flag_or_an_analyser_of_the_command_line_starts_programs(capsys):
    run(capsys, "check", "nap", "--allow-commands")
    assert WITNESS.exists()
    WITNESS.unlink()
    command = f"command:{sys.executable} analyser.py"
    run(capsys, "check", "nap", "--analyser", command)
    assert WITNESS.exists()


def test_another_analyser_makes_a_template_harmless(capsys):
    assert "nothing wrong" in run(capsys, "check", "nap", "--analyser", "none")
    assert not WITNESS.exists()


def test_evaluate_starts_no_program_unasked(capsys):
    run(capsys, "testset", "nap", "-o", "set", "-n", "2")
    Path("out.txt").write_text("kissa\nkissa\n", encoding="utf-8")
    value = ("evaluate", "nap", "-t", "set/testset.jsonl", "-i", "out.txt")
    assert "would start a program" in run(capsys, *value, code=2)
    assert not WITNESS.exists()
    run(capsys, *value, "--allow-commands")
    assert WITNESS.exists()


def test_templates_share_files_of_a_folder_that_was_named(capsys):
    Path("common").mkdir()
    Path("common/More.gf").write_text("resource More = { }", encoding="utf-8")
    grammar = Path("nap/NapEng.gf")
    text = grammar.read_text("utf-8").replace("Nap = {", "Nap = open More in {")
    grammar.write_text(f"--# -path=.:../common\n{text}", encoding="utf-8")
    assert "lies outside the folder nap" in run(capsys, "count", "nap", code=2)
    assert "all together" in run(capsys, "count", "nap", "--allow-outside")
    assert "all together" in run(capsys, "count", ".")


def test_patterns_include_files_from_elsewhere_by_a_flag(capsys):
    Path("slots.refs").write_text("<ball> = ball\n", encoding="utf-8")
    Path("nap/a.refs").write_text("@include ../slots.refs\na <ball>\n", "utf-8")
    assert "lies outside" in run(capsys, "count", "nap/a.refs", code=2)
    error = run(capsys, "check", "nap/a.refs", code=1)
    assert "lies outside" in error
    assert "allow it with --allow-outside" in error
    assert "allow_outside" not in error
    assert "1 reference" in run(capsys, "check", "nap/a.refs", "--allow-outside")
