# SPDX-License-Identifier: Apache-2.0
"""`tertium score --permutations`."""

from __future__ import annotations

import pytest

from tertium.cli import main


def test_same_json_as_for_texts(run_json, write_lines):
    a = write_lines("a.perm", ["1 2 3 5 4", "2 1", "", "1"])
    b = write_lines("b.perm", ["5 4 3 2 1", "1 2", "1", ""])
    out = run_json(
        "score", "--permutations", f"A={a}", str(b), "-m", "recpef", "kendall",
        "--segments", "--interval",
    )  # fmt: skip
    assert set(out) == {"tertium", "metrics", "systems"}
    assert set(out["metrics"]["recpef"]) == {"signature", "higher_is_better"}
    assert list(out["systems"]) == ["A", "b.perm"]
    score = out["systems"]["A"]["recpef"]
    assert score["segments"] == pytest.approx([331 / 375, 0, 0, 1])
    assert score["score"] == pytest.approx((331 / 375 + 1) / 4)
    assert score["interval"][0] <= score["score"] <= score["interval"][1]
    assert out["systems"]["b.perm"]["kendall"]["segments"] == [0, 1, 1, 0]


def test_recpef_is_the_default(run_json, write_lines):
    out = run_json("score", "--permutations", str(write_lines("a", ["1 2"])))
    assert list(out["metrics"]) == ["recpef"]


def test_values_from_zero(run_json, write_lines):
    one = write_lines("one", ["2 1 3", "", "1"])
    zero = write_lines("zero", ["1 0 2", "", "0"])
    a = run_json("score", "--permutations", f"A={one}", "--segments")
    b = run_json("score", "--permutations", f"A={zero}", "--zero-based", "--segments")
    assert a == b


def test_long_files_are_streamed_in_chunks(run_json, write_lines):
    path = write_lines("long", ["1 2", "2 1"] * 10_001)
    out = run_json("score", "--permutations", f"A={path}", "-m", "kendall")
    assert out["systems"]["A"]["kendall"]["score"] == 0.5


@pytest.mark.parametrize(
    ("lines", "options", "message"),
    [
        (["1 2", "1 3"], [], "a.perm:2: no permutation: value 2 is 3; give each of 1"),
        (["1 2", "2 2"], [], "a.perm:2: no permutation: value 2 is 2 again"),
        (["0 1"], [], "set base=0 if values count from 0 (--zero-based)"),
        (["1 2"], ["--zero-based"], "give each of 0 to 1 once"),
        (["1,2"], [], "a.perm:1: '1,2' is not a value of a permutation; write"),
        (["1 2"], ["-m", "bleu"], "bleu needs texts"),
        (["1 2"], ["-m", "pef"], "set alpha=0, or use recpef"),
        (["1 2"], ["-r", "x"], "--permutations stand in for texts"),
        ([], [], "there are no segments to score"),
    ],
)  # fmt: skip
def test_errors_name_place_and_cure(capsys, write_lines, lines, options, message):
    path = write_lines("a.perm", lines)
    assert main(["score", "--permutations", str(path), *options]) == 2
    assert message in capsys.readouterr().err


def test_files_of_different_length_are_rejected(capsys, write_lines):
    a, b = write_lines("a", ["1"]), write_lines("b", ["1", "1 2"])
    assert main(["score", "--permutations", str(a), str(b)]) == 2
    assert "'a' ends after 1 permutation" in capsys.readouterr().err
    assert main(["score", "--permutations", str(a), str(a)]) == 2
    assert "name them with NAME=FILE" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-m", "recpef:brevity=yes"], "recpef:brevity=yes: brevity=yes is about"),
        (["-m", "recpef:match=exact+stem"], "match=exact+stem is about texts"),
        (["-m", "kendall:unaligned=left"], "unaligned=left is about texts"),
        (["-m", "mean:(kendall:tokenize=13a)+ulam"], "tokenize=13a is about texts"),
        (["--alignments", "x"], "omit --alignments"),
        (["--ref-trees", "x"], "omit --alignments"),
    ],
)
def test_what_needs_texts_is_rejected(write_lines, capsys, options, message):
    path = write_lines("a.perm", ["1 2"])
    assert main(["score", "--permutations", str(path), *options]) == 2
    assert message in capsys.readouterr().err


def test_zero_based_needs_permutations(capsys):
    assert main(["score", "demo", "--zero-based"]) == 2
    assert "--zero-based is about --permutations" in capsys.readouterr().err
