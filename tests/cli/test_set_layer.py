# SPDX-License-Identifier: Apache-2.0
"""Layers beside a test set: reference sets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.cli import main


@pytest.fixture(autouse=True)
def files(write_lines, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lines("sets.refs", ["{the|a} {cat|kitty} sat [down]", "a dog {barked|bayed}"])
    write_lines("A.txt", ["A kitty sat down.", "a dog bayed"])
    write_lines("B.txt", ["a kitty down", "dog a bayed"])
    write_lines("ref.txt", ["the cat sat", "a dog barked"])


SETS = ["-i", "A.txt", "B.txt", "-m", "evalgen", "--sets", "sets.refs"]


def complaint(capsys, *arguments: str) -> str:
    assert main(list(arguments)) == 2
    return capsys.readouterr().err


def scores(result: dict) -> list[float]:
    return [result["systems"][name]["evalgen"]["score"] for name in ("A", "B")]


def test_sets_are_what_outputs_are_corrected_into(run_json):
    result = scores(run_json("score", *SETS))
    # B: "sat" is missing (0.8) of 4 words, "a" moves (0.6) of 3.
    assert result == [0, pytest.approx(1.4 / 7)]
    beside = scores(run_json("score", "-r", "ref.txt", *SETS))
    assert beside == result
    alone = scores(run_json("score", "-r", "ref.txt", *SETS[:-2]))
    assert alone[0] > 0


def test_references_are_used_besides_the_sets(run_json, write_lines):
    write_lines("own.txt", ["the cat sat", "dog a bayed"])
    result = run_json("score", "-r", "own.txt", *SETS)
    assert scores(result) == [0, pytest.approx(0.8 / 7)]
    assert "sets:yes" in result["metrics"]["evalgen"]["signature"]
    result = run_json("score", "-r", "own.txt", *SETS[:-2])
    assert "sets" not in result["metrics"]["evalgen"]["signature"]


def test_compare_reads_them_too(run_json):
    result = run_json("compare", *SETS)
    assert "evalgen" in json.dumps(result)


def test_without_references_the_shortest_sentence_is_one(run_json):
    only = ["score", "-i", "A.txt", "-m", "wer", "--sets", "sets.refs", "--segments"]
    result = run_json(*only)["systems"]["A"]["wer"]["segments"]
    # "a cat sat" and "a dog barked": 4 tokens beside 3, and one other.
    assert result == [pytest.approx(1.0), pytest.approx(1 / 3)]


def test_segments_with_ids_find_their_sets(run_json, write_lines):
    rows = [
        {"id": "x", "ref": "the cat sat", "tgt": {"A": "a kitty sat", "B": "sat"}},
        {"id": "y", "ref": "a dog", "tgt": {"A": "a dog bayed", "B": "dog"}},
    ]
    write_lines("t.jsonl", [json.dumps(row) for row in rows])
    write_lines("by-id.refs", ["y\ta dog {barked|bayed}", "x\t{the|a} {cat|kitty} sat"])
    result = run_json("score", "t.jsonl", "-m", "evalgen", "--sets", "by-id.refs")
    assert scores(result)[0] == 0


def test_ids_and_numbers_of_segments_must_fit(capsys, write_lines):
    write_lines("one.refs", ["a cat"])
    out = complaint(capsys, "score", *SETS[:-1], "one.refs")
    assert "sets for 1 segments, the test set has more" in out
    write_lines("three.refs", ["a", "b", "c"])
    out = complaint(capsys, "score", *SETS[:-1], "three.refs")
    assert "sets for 3 segments, the test set has 2" in out
    rows = [
        {"id": name, "ref": "a", "tgt": {"A": "a", "B": "b"}} for name in ("x", "y")
    ]
    write_lines("t.jsonl", [json.dumps(row) for row in rows])
    write_lines("x.refs", ["x\ta", "z\tb"])
    out = complaint(capsys, "score", "t.jsonl", "-m", "evalgen", "--sets", "x.refs")
    assert "no set for the segment 'y'" in out


def test_sets_that_no_metric_reads_are_rejected(capsys):
    out = complaint(
        capsys, "score", "-r", "ref.txt", *SETS[:3], "-m", "bleu", *SETS[5:]
    )
    assert "omit sets, or use evalgen (--sets)" in out
    line = ["correlate", "demo", "-m", "bleu", "--sets", "sets.refs"]
    assert "(--sets)" in complaint(capsys, *line)
    write = ["--permutations", "A.txt", "--sets", "sets.refs", "-m", "kendall"]
    assert "--sets" in complaint(capsys, "score", *write)


def test_metrics_that_do_not_read_sets_are_reported(capsys):
    assert main(["score", *SETS[:3], "-m", "bleu", *SETS[5:]]) == 0
    assert "the shortest sentence of each is the only ref" in capsys.readouterr().err
    assert main(["score", *SETS[:3], "-m", "bleu", "evalgen", *SETS[5:]]) == 0
    assert capsys.readouterr().err == ""


def test_correlate_takes_them(capsys, tmp_path, write_lines):
    from tertium.data.io import demo_path

    lines = Path(demo_path()).read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    ids = [row["id"] for row in rows]
    write_lines("demo.refs", [f"{name}\t{{a|the}} word" for name in ids])
    line = ["correlate", "demo", "-m", "evalgen", "--sets", "demo.refs", "-f", "json"]
    assert main(line) == 0
    assert "evalgen" in capsys.readouterr().out
    line = ["correlate", "--scores", "x", "-J", "demo", "--sets", "demo.refs"]
    assert "sets are of one test set" in complaint(capsys, *line)


def test_what_a_set_drops_from_its_file_is_reported_once(capsys, write_lines):
    write_lines("one.txt", ["a"])
    write_lines("one.fst.txt", ["0 1 a b 0.5", "1"])
    line = ["score", "-i", "one.txt", "-m", "evalgen", "--sets", "one.fst.txt"]
    assert main(line) == 0
    message = capsys.readouterr().err
    assert message.count("one.fst.txt: weights were dropped") == 1
    assert main([*line, "-q"]) == 0
    assert "weights" not in capsys.readouterr().err
