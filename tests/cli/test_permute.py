# SPDX-License-Identifier: Apache-2.0
"""``tertium permute``: files, formats and exit codes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest

from support.treebank import treebank
from tertium.cli import main
from tertium.order.damage import Edit, Source, replay
from tertium.order.files import read_permutations

TEXT = [
    "The old cat sat on the mat, and then Anna fed it.",
    "",
    "Yes!",
    "But then (so they say) Anna ran.",
]


@pytest.fixture
def text(write_lines):
    return str(write_lines("a.txt", TEXT))


@pytest.fixture
def trees(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(treebank(), encoding="utf-8")
    return str(path)


@pytest.fixture
def hyps(tmp_path):
    path = tmp_path / "hyp.conllu"
    other = treebank().replace("The", "This").replace("the", "this")
    for old, new in (("cat", "lion"), ("dog", "wolf"), ("child", "pupil")):
        other = other.replace(old, new)
    path.write_text(other, encoding="utf-8")
    return str(path)


def test_lines_of_all_files_belong_to_the_same_result(text, tmp_path, capsys):
    names = {name: tmp_path / name for name in ("out", "perm", "sources", "log")}
    argv = ["permute", text, "-d", "1", "3-5", "-o", str(names["out"])]
    argv += ["--permutations", str(names["perm"]), "--sources", str(names["sources"])]
    assert main([*argv, "--log", str(names["log"])]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "8 results from 4 sentences; 8 of 16 not possible" in err
    texts = names["out"].read_text().splitlines()
    perms = list(read_permutations(names["perm"]))
    sources = names["sources"].read_text().splitlines()
    records = [json.loads(line) for line in names["log"].read_text().splitlines()]
    assert sources == [TEXT[0]] * 4 + [TEXT[3]] * 4
    for made, perm, source, record in zip(texts, perms, sources, records, strict=True):
        assert record["text"] == made
        assert record["permutation"] == list(perm)
        assert record["source"] == source == TEXT[record["segment"] - 1]
        edits = [Edit.from_record(edit) for edit in record["edits"]]
        assert replay(Source.parse(source), edits).text == made
    assert [record["degree"] for record in records] == [1, 3, 4, 5] * 2

    again = ["score", "--permutations", str(names["perm"]), "-m", "kendall", "-q"]
    assert main(again) == 0
    both = ["-r", str(names["sources"]), "-i", str(names["out"])]
    assert main(["score", *both, "-m", "bleu", "-q"]) == 0


def test_seeds_differ_and_repeat(text, capsys):
    def run(*more: str) -> str:
        assert main(["permute", text, "-d", "4", "-q", *more]) == 0
        return capsys.readouterr().out

    assert run() == run("--seed", "12345")
    assert run() != run("--seed", "0")


def test_capitals_follow_the_text_or_stay(text, write_lines, capsys):
    def run(*more: str) -> str:
        assert main(["permute", text, "-d", "9", "-q", *more]) == 0
        return capsys.readouterr().out

    kept, corrected = run("--no-truecase"), run()
    assert kept.lower() == corrected.lower()
    assert "The" in kept.split()
    assert corrected[0].isupper()
    assert "The" not in corrected.split()[1:]  # "the" is in the text too
    other = write_lines("news.txt", ["x Mat Cat the", "x Mat Cat"])
    assert {"Mat", "Cat"} <= set(run("--truecase", str(other)).replace(",", "").split())


def test_trees_admit_all_kinds(trees, hyps, tmp_path, capsys):
    log = tmp_path / "log.jsonl"
    argv = ["permute", trees, "--hyp", hyps, "-d", "1-3", "--log", str(log), "-q"]
    kinds = ["order", "swap", "phrase", "choice", "both"]
    assert main([*argv, "-k", *kinds]) == 0
    out = capsys.readouterr().out.splitlines()
    records = [json.loads(line) for line in log.read_text().splitlines()]
    assert [record["text"] for record in records] == out
    assert {record["kind"] for record in records} == set(kinds)
    assert all(record["text"].endswith(".") for record in records)
    first = [r["degree"] for r in records if r["segment"] == 2 and r["kind"] == "swap"]
    assert first == [2]
    for record in records:
        edits = [Edit.from_record(edit) for edit in record["edits"]]
        assert replay(Source.parse(record["source"]), edits).text == record["text"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-k", "swap"], "a.txt: sentence 1 has no parts of speech, which swap needs"),
        (
            ["-k", "phrase"],
            "a.txt: sentence 1 has no trees, which phrase needs; give a",
        ),
        (
            ["-k", "choice"],
            "takes words from a translation; give one per sentence, as CoNLL-U (--hyp)",
        ),
        (["--hyp", "a.txt"], "hyp is for the kinds choice and both; omit it"),
        (["-k", "other"], "invalid choice: 'other'"),
        (["-d", "0"], "0 is not between 1 and 1000"),
        (["-d", "3-1"], "'3-1' is not a range"),
        (["-d", "x"], "'x' is not an integer"),
        (["--log", "-"], "two outputs go to -"),
        (["-o", "b", "--log", "./b"], "two outputs go to "),
        (["--truecase", "none.txt"], "no such file"),
        (["--no-truecase", "--truecase", "a.txt"], "not allowed with"),
    ],
)
def test_wrong_usage_exits_with_2(
    text, options, message, capsys, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    assert main(["permute", "a.txt", *options]) == 2
    assert message in capsys.readouterr().err
    assert text.endswith("a.txt")


def test_files_that_do_not_match_are_rejected(trees, hyps, tmp_path, capsys):
    short = tmp_path / "short.conllu"
    short.write_text(treebank().split("\n\n")[0] + "\n\n")
    assert main(["permute", trees, "-k", "choice", "--hyp", str(short)]) == 2
    assert "has 27 sentences, " in capsys.readouterr().err
    assert main(["permute", trees, "-k", "swap", "--tags", "xpos"]) == 2
    assert "fill the column XPOS, or choose another (--tags)" in capsys.readouterr().err


def test_no_text_gives_no_results(tmp_path, capsys):
    path = tmp_path / "empty.txt"
    path.touch()
    assert main(["permute", str(path)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "0 results from 0 sentences" in err


OUTPUTS = {"-o": "out", "--permutations": "perm", "--sources": "src", "--log": "log"}


def in_files(folder) -> list[str]:
    """Return options that name a file of the folder for every output."""
    return [
        word for flag, name in OUTPUTS.items() for word in (flag, f"{folder}/{name}")
    ]


@pytest.mark.parametrize("block", [2, 3])
def test_results_do_not_depend_on_blocks(text, tmp_path, monkeypatch, capsys, block):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    argv = ["permute", text, "-d", "1", "3-5"]
    printed = []
    for folder in (whole, parts):
        folder.mkdir()
        assert main([*argv, *in_files(folder)]) == 0
        assert main([*argv, "-q"]) == 0
        printed.append(capsys.readouterr())
        monkeypatch.setattr("tertium.cli.permute._BLOCK", block)
        monkeypatch.setattr("tertium.data.kept.BLOCK", block)
    assert printed[0] == printed[1]
    for name in OUTPUTS.values():
        assert (whole / name).read_bytes() == (parts / name).read_bytes()


def test_an_interrupted_run_leaves_no_output(text, tmp_path, monkeypatch, capsys):
    written = []

    def interrupt(_progress, sentence):
        if sentence == 4:
            written.extend(path.name for path in folder.iterdir())
            raise KeyboardInterrupt

    folder = tmp_path / "made"
    folder.mkdir()
    (folder / "out").write_text("before")
    monkeypatch.setattr("tertium.cli.permute._BLOCK", 1)
    monkeypatch.setattr("tertium.cli.permute.Progress.__call__", interrupt)
    assert main(["permute", text, "-d", "1-4", *in_files(folder)]) == 130
    assert len(written) == 5  # four files under way, and that from before
    assert [path.name for path in folder.iterdir()] == ["out"]
    assert (folder / "out").read_text() == "before"
    assert main(["permute", text, "-d", "1-4"]) == 130
    assert capsys.readouterr().out == ""


def test_standard_input_is_read_once(text, capsys, monkeypatch):
    assert main(["permute", text, "-d", "1-4"]) == 0
    expected = capsys.readouterr()
    data = io.BytesIO("\n".join(TEXT).encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))
    assert main(["permute", "-", "-d", "1-4"]) == 0
    assert capsys.readouterr() == expected


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_pipes_may_be_read_one_after_the_other(text, tmp_path, capfd):
    pipes = [str(tmp_path / name) for name in ("out", "perm")]
    for pipe in pipes:
        os.mkfifo(pipe)
    with subprocess.Popen(["cat", *pipes]):
        argv = ["permute", text, "-d", "1", "-o", pipes[0], "--permutations", pipes[1]]
        assert main(argv) == 0
    texts = [line[:1].isdigit() for line in capfd.readouterr().out.splitlines()]
    assert texts == [False, False, True, True]
