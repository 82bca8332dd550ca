# SPDX-License-Identifier: Apache-2.0
"""``tertium nbest`` as a user meets it."""

from __future__ import annotations

import io
import json
import sys

import pytest

from tertium.cli import main
from tertium.data.lines import open_lines

FIRST = [
    "0 ||| a red cat ||| lm= -1 tm= 0 -2 ||| -3",
    "0 ||| a cat sits ||| lm= -2 tm= 0 -1 ||| -4",
    "1 ||| two big dogs ||| lm= -1 tm= 0 -2 ||| -3",
]
SECOND = [
    "0 ||| a cat sits ||| lm= -2 tm= 0 -1 ||| -9",
    "0 ||| the cat sits here ||| lm= -2 tm= 0 -3 ||| -9",
    "1 ||| two dogs ||| lm= -1 tm= 0 -3 ||| -3",
]


@pytest.fixture
def files(write_lines, monkeypatch, tmp_path):
    """Write two lists, references and sources, and work in their folder."""
    monkeypatch.chdir(tmp_path)
    write_lines("first.nbest", FIRST)
    write_lines("second.nbest", SECOND)
    write_lines("ref.txt", ["the cat sits here", "two big dogs"])
    write_lines("src.txt", ["x", "y"])
    return tmp_path


def run(capsys, *arguments: str, code: int = 0) -> tuple[str, str]:
    result = main(["nbest", *arguments])
    captured = capsys.readouterr()
    assert result == code, captured.err
    return captured.out, captured.err


def test_oracle_works_as_written_in_the_help(files, run_json):
    command = ["nbest", "oracle", "-n", "first.nbest", "-r", "ref.txt", "-m", "bleu"]
    result = run_json(*command)
    assert result["metric"] == "bleu"
    assert result["first"]["places"] == [0, 0]
    assert result["best"]["score"] >= result["first"]["score"]
    assert result["best"]["bound"] >= result["best"]["score"]
    assert result["loss"] == result["best"]["score"] - result["first"]["score"]


def test_oracles_are_written_as_texts(files, capsys):
    command = "oracle -n first.nbest second.nbest -r ref.txt -m wer"
    out, _ = run(capsys, *command.split(), "--best", "b.txt", "--worst", "w.txt")
    assert (files / "b.txt").read_text() == "the cat sits here\ntwo big dogs\n"
    assert (files / "w.txt").read_text() == "a red cat\ntwo dogs\n"
    assert "wer: 2 lists, 6 hypotheses" in out
    assert "The search is exact." in out
    out, _ = run(capsys, *command.split()[:-1], "bleu:max_ngram_order=2")
    assert "The search is greedy: the bound is what no selection can pass." in out


def test_stats_describe_lists_and_their_oracle(files, capsys, run_json):
    out, _ = run(capsys, "stats", "-n", "first.nbest", "-r", "ref.txt", "-m", "chrf")
    for part in ("hypotheses", "distinct 4-grams", "tm_1", "varying", "First hyp"):
        assert part in out
    result = run_json("nbest", "stats", "-n", "first.nbest", "--pairs", "3")
    assert (result["lists"], result["hypotheses"], result["pairs"]) == (2, 3, 3)
    assert result["oracle"] is None
    out, _ = run(capsys, "stats", "-n", "first.nbest", "-f", "tsv")
    assert "hypotheses\t3" in out.splitlines()


def test_merged_lists_have_no_duplicates(files, capsys):
    both = ["-n", "first.nbest", "second.nbest"]
    _, err = run(capsys, "merge", *both, "-o", "all.nbest.gz")
    assert "wrote 2 lists with 5 hypotheses to all.nbest.gz (moses)" in err
    assert list(open_lines("all.nbest.gz")) == [
        *FIRST[:2],
        SECOND[1],
        FIRST[2],
        SECOND[2],
    ]
    _, err = run(capsys, "merge", *both, "-o", "a.nbest", "--duplicates", "keep")
    assert "with 6 hypotheses" in err
    metric = ["--duplicates", "statistics", "-m", "bleu", "-r", "ref.txt"]
    _, err = run(capsys, "merge", *both, "-o", "a.jsonl", *metric)
    assert "with 5 hypotheses to a.jsonl (jsonl)" in err
    _, err = run(capsys, "merge", *both, "-o", "a.nbest", "-m", "bleu", code=2)
    assert "--metric and --duplicates statistics go together" in err


def test_conversion_keeps_everything_or_says_so(files, capsys, monkeypatch):
    run(capsys, "convert", "-n", "first.nbest", "-o", "a.jsonl", "-r", "ref.txt")
    rows = [json.loads(line) for line in open_lines("a.jsonl")]
    assert rows[1]["refs"] == ["two big dogs"]
    assert rows[1]["hyps"][0]["features"] == {"lm": -1, "tm_0": 0, "tm_1": -2}
    _, err = run(capsys, "convert", "-n", "a.jsonl", "-o", "b.nbest", code=2)
    assert "no place for references" in err
    assert err.rstrip().endswith("or set --lossy")
    _, err = run(capsys, "convert", "-n", "a.jsonl", "-o", "b.nbest", "--lossy")
    assert "no place for references (2 lists have some)" in err
    assert (files / "b.nbest").read_text().splitlines() == FIRST
    zmert = ["--to", "zmert", "--params-out", "p.txt", "--lossy", "-q"]
    _, err = run(capsys, "convert", "-n", "a.jsonl", "-o", "c.txt", *zmert)
    assert err == ""
    run(capsys, "convert", "-n", "c.txt", "--params", "p.txt", "-o", "d.jsonl")
    assert '"tm_1": -2.0' in (files / "d.jsonl").read_text()
    stdin = io.TextIOWrapper(io.BytesIO("\n".join(FIRST).encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    out, _ = run(capsys, "stats", "-n", "-", "-f", "csv")
    assert "lists,2" in out


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ("oracle -n first.nbest", "list 0 has no reference; give references"),
        ("oracle -n first.nbest -r one.txt", "2 lists and 1 reference; give one"),
        ("oracle -n ragged.nbest -r ref.txt", "ragged.nbest:2: the features differ"),
        ("stats -n no.nbest", "no.nbest: no such file"),
        ("stats -n nan.nbest", "nan.nbest:1: lm is 'nan', not a finite number"),
        ("merge -n first.nbest", "required: -o/--output"),
        ("convert -n first.nbest -o a.nbest --params-out p", "go with zmert"),
        ("draw", "unknown action of tertium nbest 'draw'"),
    ],
)
def test_wrong_input_names_file_line_and_cure(
    files, write_lines, capsys, arguments, what
):
    write_lines("one.txt", ["r"])
    write_lines("ragged.nbest", ["0 ||| a ||| lm= 1", "0 ||| a ||| tm= 1"])
    write_lines("nan.nbest", ["0 ||| a ||| lm= nan"])
    _, err = run(capsys, *arguments.split(), code=2)
    assert what in err


def test_help_lists_actions_and_formats(capsys):
    out, _ = run(capsys, code=2)
    for part in ("stats", "merge", "convert", "oracle", "0 ||| TEXT |||", '"hyps"'):
        assert part in out
    with pytest.raises(SystemExit):
        main(["nbest", "--help"])
