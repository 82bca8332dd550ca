# SPDX-License-Identifier: Apache-2.0
"""Several runs of a system on the command line: NAME=FILE,FILE."""

from __future__ import annotations

import json

import pytest

from tertium.cli import main

REFS = ["the cat sat down", "a dog ran home", "birds sang all day", "rain fell again"]
RUNS = {
    "a1": ["the cat sat down", "a dog ran home", "birds sang a day", "rain fell again"],
    "a2": ["the cat sat up", "a dog ran home", "birds sang all day", "rain fell again"],
    "b1": ["a cat is up", "dogs ran far", "birds sing", "it rains again"],
    "b2": ["a cat is up", "dogs ran home", "birds sing", "rain again"],
}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in {"ref": REFS, **RUNS}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    return tmp_path


SYSTEMS = ("-r", "ref.txt", "-i", "A=a1.txt,a2.txt", "B=b1.txt,b2.txt")


def output(capsys, *words):
    assert main(words) == 0
    return capsys.readouterr().out


def test_score_shows_means_and_spreads(capsys):
    text = output(capsys, "score", *SYSTEMS, "-m", "chrf")
    assert text.splitlines()[0].split() == ["system", "runs", "chrF2", "s_opt", "s_sel"]
    assert text.splitlines()[2].split()[:2] == ["A", "2"]
    assert "s_opt: standard deviation between runs" in text
    scores = json.loads(output(capsys, "score", *SYSTEMS, "-m", "chrf", "-f", "json"))
    chrf = scores["systems"]["A"]["chrf"]
    assert chrf["score"] == pytest.approx(sum(chrf["runs"]) / 2)
    assert {"runs", "sd_runs", "sd_segments"} <= set(chrf)


def test_programs_get_columns_of_their_own(capsys):
    text = output(capsys, "score", *SYSTEMS, "-m", "ter", "-f", "csv")
    assert text.splitlines()[0] == "system,runs,ter,ter s_opt,ter s_sel"


@pytest.mark.parametrize("shape", ["table", "html", "md", "latex", "json", "tsv"])
def test_compare_takes_runs_in_every_format(shape, capsys):
    words = ("compare", *SYSTEMS, "-m", "chrf", "-q", "-f", shape)
    text = output(capsys, *words)
    if shape == "json":
        assert json.loads(text)["run"]["sources"] == "runs and segments"
    elif shape != "tsv":
        assert "between runs" in text


def test_randomisation_says_what_it_swaps(capsys):
    words = ("compare", *SYSTEMS, "-m", "chrf", "-q", "--test", "randomisation")
    assert "paired randomisation over segments of every run" in output(capsys, *words)


def test_a_file_with_a_comma_is_one_file(files, capsys):
    (files / "a1.txt,a2.txt").write_text("\n".join(RUNS["b1"]) + "\n")
    text = output(capsys, "score", *SYSTEMS[:3], "A=a1.txt,a2.txt", "-m", "chrf")
    assert "s_opt" not in text


def test_runs_need_a_name_and_files(capsys):
    assert main(["score", "-r", "ref.txt", "-i", "a1.txt,a2.txt"]) == 2
    assert "give NAME=a1.txt,a2.txt" in capsys.readouterr().err
    assert main(["score", "-r", "ref.txt", "-i", "A=a1.txt,"]) == 2
    assert "names a run without a file" in capsys.readouterr().err
    assert main(["score", "-r", "ref.txt", "-i", "A=a1.txt,a9.txt"]) == 2
    assert "a9.txt" in capsys.readouterr().err
    assert main(["score", *SYSTEMS, "A=a1.txt,b1.txt"]) == 2
    assert "given twice" in capsys.readouterr().err


def test_worst_segments_are_those_of_one_run(capsys):
    assert main(["score", *SYSTEMS, "-m", "chrf", "--worst", "1"]) == 2
    assert "a1.txt,a2.txt" in capsys.readouterr().err


def test_a_recorded_run_can_be_repeated(files, capsys):
    output(capsys, "score", *SYSTEMS, "-m", "chrf", "--record", "run.json")
    record = json.loads((files / "run.json").read_text())
    names = [each["path"] for each in record["inputs"]]
    assert names == ["a1.txt", "a2.txt", "b1.txt", "b2.txt", "ref.txt"]
    assert main(["repeat", "run.json"]) == 0
