# SPDX-License-Identifier: Apache-2.0
"""``tertium mbr`` and ``tertium rerank``: files in, picks out."""

from __future__ import annotations

import gzip
import json

import pytest

from tertium.cli import main
from tertium.tuning.mbr import mbr

MOSES = [
    "0 ||| the red cat ||| lm= -1 tm= -2 -3 ||| -1",
    "0 ||| the red hat ||| lm= -2 tm= -1 -3 ||| -2",
    "0 ||| a red cat ||| lm= -3 tm= 0 0 ||| -3",
    "1 ||| two dogs bark ||| lm= -2 tm= -1 -3 ||| -1",
    "1 ||| two dogs ||| lm= -1 tm= -1 -3 ||| -1.5",
    "1 ||| dogs bark ||| lm= -1.5 tm= -1 -3 ||| -2",
]


@pytest.fixture
def moses(tmp_path):
    path = tmp_path / "list.nbest.gz"
    path.write_bytes(gzip.compress("\n".join(MOSES).encode()))
    return str(path)


@pytest.fixture
def samples(write_lines):
    hyps = [{"text": text} for text in ("a red cat", "a red\nhat", "a red hat", "no")]
    lines = [json.dumps({"id": name, "hyps": hyps}) for name in ("x", "y")]
    return str(write_lines("samples.jsonl", lines))


def test_one_line_per_list_is_written_in_order(moses, tmp_path):
    output = tmp_path / "best.txt"
    assert main(["mbr", "-n", moses, "-m", "chrf", "-o", str(output)]) == 0
    assert output.read_text() == "the red cat\ntwo dogs bark\n"


def test_json_holds_utilities(moses, run_json):
    result = run_json("mbr", "-n", moses, "-m", "chrf", "bleu", "--top", "2")
    assert list(result["metrics"]) == ["chrf", "bleu:effective_order=yes"]
    first = result["lists"][0]
    assert first["id"] == "0"
    assert [pick["index"] for pick in first["best"]] == [0, 1]
    assert first["best"][0]["utility"] > first["best"][1]["utility"]


def test_several_picks_are_a_table(moses, capsys):
    assert main(["mbr", "-n", moses, "--top", "2"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split("\t") == ["id", "text", "rank", "index", "utility"]
    assert len(rows) == 4


def test_line_ends_of_samples_do_not_break_the_output(samples, capsys):
    assert main(["mbr", "-n", samples, "--references", samples]) == 0
    captured = capsys.readouterr()
    assert captured.out == "a red hat\na red hat\n"
    assert main(["mbr", "-n", samples, "--utility-weights", "logprob"]) == 2
    error = capsys.readouterr().err
    assert "the list x has no scores" in error
    assert "--utility-weights logprob" in error


def test_pruning_reports_what_it_saved(moses, capsys):
    assert main(["mbr", "-n", moses, "-m", "ter", "--prune", "0.01"]) == 0
    assert "scored 18 of 18 pairs" in capsys.readouterr().err


def test_ctrl_c_keeps_what_was_chosen(moses, tmp_path, monkeypatch, capsys):
    def interrupted(lists, metrics, *, on_list, **options):
        on_list(mbr(lists[:1], metrics).lists[0])
        raise KeyboardInterrupt

    monkeypatch.setattr("tertium.tuning.mbr.mbr", interrupted)
    output = tmp_path / "best.txt"
    assert main(["mbr", "-n", moses, "-o", str(output)]) == 130
    assert not output.exists()
    partial = tmp_path / "best.txt.partial.tsv"
    assert partial.read_text().splitlines()[1].split("\t")[:2] == ["0", "the red cat"]
    assert "after 1 of 2 lists" in capsys.readouterr().err
    assert main(["mbr", "-n", moses]) == 130
    assert capsys.readouterr() == ("", "tertium: interrupted; nothing was written\n")


def test_aggregates_need_n_grams(moses, capsys):
    assert main(["mbr", "-n", moses, "--aggregate"]) == 0
    assert capsys.readouterr().out == "the red cat\ntwo dogs bark\n"
    assert main(["mbr", "-n", moses, "-m", "ter", "--aggregate"]) == 2
    assert "omit aggregate (--aggregate)" in capsys.readouterr().err


def test_weights_can_come_from_scores(moses, capsys):
    weighted = ["mbr", "-n", moses, "--utility-weights", "lm", "--scale", "100"]
    assert main(weighted) == 0
    captured = capsys.readouterr()
    assert captured.out == "the red cat\ntwo dogs\n"
    assert "in 2 of 2 lists one pseudo-reference" in captured.err


def test_reranking_by_features_weights_and_files(moses, write_lines, capsys):
    weights = str(write_lines("weights.txt", ["tm= 0 1", "score 0.1"]))
    scores = str(write_lines("qe.txt", ["1", "2", "3", "1", "2", "3"]))
    for arguments, best in [
        ([], ["the red cat", "two dogs bark"]),
        (["--feature", "lm"], ["the red cat", "two dogs"]),
        (["-w", "lm=-1", "score=0"], ["a red cat", "two dogs bark"]),
        (["-w", weights], ["a red cat", "two dogs bark"]),
        (["--qe", f"comet={scores}"], ["a red cat", "dogs bark"]),
        (
            ["--qe", f"comet={scores}", "-w", "comet=-1"],
            ["the red cat", "two dogs bark"],
        ),
        (["--model", weights], ["a red cat", "two dogs bark"]),
    ]:
        assert main(["rerank", "-n", moses, *arguments]) == 0
        assert capsys.readouterr().out.splitlines() == best


def test_reranking_prints_json_and_names_bad_input(
    moses, run_json, write_lines, capsys
):
    result = run_json("rerank", "-n", moses, "-w", "lm=2", "--top", "2")
    assert result["weights"] == {"lm": 2}
    assert result["changed"] == 1
    assert result["lists"][1]["best"][0] == {
        "index": 1,
        "text": "two dogs",
        "score": -2,
    }
    short = str(write_lines("qe.txt", ["1"]))
    for arguments, message in [
        (["--qe", short], "qe has 1 score, and the lists have 6 hypotheses"),
        (["--qe", short, short], "two files of scores are called qe"),
        (["-w", "lm=x"], "'lm=x' is not a weight"),
        (["--feature", "ml"], "ml"),
    ]:
        assert main(["rerank", "-n", moses, *arguments]) == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--feature", "lm"],
        ["--qe", "qe.txt", "-w", "qe=1", "lm=0.5"],
        ["--top", "2"],
        ["-f", "json"],
    ],
)
def test_reranking_does_not_depend_on_blocks(
    write_lines, tmp_path, monkeypatch, capsys, arguments
):
    monkeypatch.chdir(tmp_path)
    lists = [f"{n}{line[1:]}" for n in range(5) for line in MOSES[n % 2 * 3 :][:3]]
    write_lines("lists", lists)
    write_lines("qe.txt", map(str, range(15)))
    assert main(["rerank", "-n", "lists", *arguments]) == 0
    whole = capsys.readouterr()
    monkeypatch.setattr("tertium.data.kept.BLOCK", 2)
    assert main(["rerank", "-n", "lists", *arguments]) == 0
    assert capsys.readouterr() == whole
    assert main(["rerank", "-n", "lists", *arguments, "-o", "out"]) == 0
    assert (tmp_path / "out").read_text() == whole.out


def test_reranking_replaces_line_ends_in_samples(samples, capsys):
    lists = ["rerank", "-n", samples, "--qe", f"{samples}.qe"]
    with open(f"{samples}.qe", "w") as file:
        file.write("1\n2\n0\n0\n" * 2)
    assert main(lists) == 0
    captured = capsys.readouterr()
    assert captured.out == "a red hat\na red hat\n"
    assert "line ends in 2 texts were replaced by spaces" in captured.err


def test_a_late_error_in_lists_leaves_no_output(
    write_lines, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tertium.data.kept.BLOCK", 1)
    write_lines("lists", [*MOSES, "2 ||| a ||| tm= 1 2 ||| 0"])
    for place in ([], ["-o", "out"]):
        assert main(["rerank", "-n", "lists", "--feature", "lm", *place]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "lists:7: the features differ" in captured.err
    assert [path.name for path in tmp_path.iterdir()] == ["lists"]
