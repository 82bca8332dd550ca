# SPDX-License-Identifier: Apache-2.0
"""``tertium parts`` as a user meets it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

import tertium
from tertium.cli import main

TREES = """\
(S (NP (DT the) (JJ old) (NN clock)) (VP (VBZ strikes) (NP (CD ten)) (ADVP (RB again))))
(S (NP (PRP we)) (VP (VBP wait)))
"""
PARTS = [
    {
        "sentence": "1",
        "source": "The old clock strikes ten again",
        "segments": [
            {"indices": [0, 1, 2], "text": "The old clock"},
            {"indices": [3, 4, 5], "text": "strikes ten again"},
        ],
    },
    {"sentence": "2", "source": "We wait", "segments": []},
]
PROJECT = ("project", "parts.jsonl", "-i", "A.txt", "B=b.txt")
LINKS = ("-a", "A.links", "B=b.links")


@pytest.fixture(autouse=True)
def files(write_lines, tmp_path, monkeypatch):
    """Write trees, texts and links, and run among them."""
    monkeypatch.chdir(tmp_path)
    Path("src.trees").write_text(TREES)
    write_lines("src.txt", ["The old clock strikes ten again", "We wait"])
    write_lines("ref.txt", ["die alte Uhr schlägt wieder zehn", "wir warten"])
    write_lines("A.txt", ["die alte Uhr schlägt wieder zehn", "wir warten"])
    write_lines("b.txt", ["die alte Uhr und mehr", "wir warten"])
    write_lines("A.links", ["0-0 1-1 2-2 3-3 4-5 5-4", "0-0 1-1"])
    write_lines("b.links", ["0-0 1p1 2-2", ""])
    write_lines("parts.jsonl", list(map(json.dumps, PARTS)))


def run(capsys, *arguments: str) -> tuple[list[dict], str]:
    """Return the JSON lines of stdout, and the text of stderr."""
    assert main(["parts", *arguments]) == 0
    captured = capsys.readouterr()
    return list(map(json.loads, captured.out.splitlines())), captured.err


def error(capsys, *arguments: str) -> str:
    assert main(["parts", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def texts(row: dict) -> list[list[str]]:
    return [part["candidates"] for part in row["segments"]]


def test_data_go_to_stdout_and_counts_to_stderr(capsys):
    arguments = ("extract", "src.trees", "-s", "src.txt", "--max", "5")
    rows, stderr = run(capsys, *arguments)
    assert rows == PARTS
    assert stderr.split()[-4:] == ["of", "3", "words", "2"]
    rows, stderr = run(capsys, *arguments, "-f", "json")
    assert rows == PARTS
    assert json.loads(stderr) == {
        "tertium": tertium.__version__,
        "min_length": 3,
        "max_length": 5,
        "sentences": 2,
        "words": 8,
        "segments": 2,
        "segments_per_sentence": 1.0,
        "covered_words": 6,
        "coverage": 0.75,
        "without_segments": 1,
        "lengths": {"3": 2},
    }
    assert run(capsys, *arguments, "-q") == (PARTS, "")


def test_counts_go_to_stdout_beside_a_file(capsys):
    arguments = ("extract", "src.trees", "--max", "2", "--min", "2", "-o", "a.jsonl.gz")
    rows, stderr = run(capsys, *arguments, "-f", "json")
    assert rows[0]["lengths"] == {"2": 1}
    assert stderr == ""
    main(["parts", "project", "a.jsonl.gz", *PROJECT[2:], *LINKS, "-q"])
    assert texts(json.loads(capsys.readouterr().out.splitlines()[1])) == [
        ["wir warten"]
    ]


def test_dependencies_are_recognised_by_name_or_option(capsys, monkeypatch):
    rows = ["we 2", "sing 0", "old 4", "songs 2"]
    lines = [
        "\t".join([str(i), row.split()[0], *"____", row.split()[1], "dep", "_", "_"])
        for i, row in enumerate(rows, 1)
    ]
    text = "\n".join(lines) + "\n"
    Path("a.conllu").write_text(text)
    bounds = ("--min", "2", "--max", "3", "-q")
    rows, _ = run(capsys, "extract", "a.conllu", *bounds)
    assert [part["text"] for part in rows[0]["segments"]] == ["we sing", "old songs"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert run(capsys, "extract", "-", "--conllu", *bounds)[0] == rows
    stderr = error(capsys, "extract", "a.conllu", "--brackets")
    assert "a.conllu:1: '1' is outside all brackets; this looks like CoNLL-U" in stderr


def test_candidates_are_merged_and_systems_kept_apart(capsys):
    rows, stderr = run(capsys, *PROJECT, *LINKS, "-r", "ref.txt", "--origins", "o.tsv")
    assert texts(rows[0]) == [["die alte Uhr"], ["schlägt wieder zehn"]]
    assert rows[0]["reference"] == "die alte Uhr schlägt wieder zehn"
    assert "1 translation missing" in stderr
    assert "of system B, sentence 1, words 3 4 5" in stderr
    rows = [line.split("\t") for line in Path("o.tsv").read_text().splitlines()]
    assert [row[2:4] for row in rows[1:]] == [
        ["A", "die alte Uhr"],
        ["B", "die alte Uhr"],
        ["A", "schlägt wieder zehn"],
    ]


def test_counts_of_a_projection(capsys):
    (counts,), stderr = run(capsys, *PROJECT, *LINKS, "-o", "c.jsonl", "-f", "json")
    assert "1 translation missing" in stderr
    # If the data go to stdout, stderr has the same object and nothing else.
    assert json.loads(run(capsys, *PROJECT, *LINKS, "-f", "json")[1]) == counts
    assert counts == {
        "tertium": tertium.__version__,
        "sentences": 2,
        "segments": 2,
        "translations": 3,
        "missing": 1,
        "with_gaps": 0,
        "candidates": 2,
        "left": 2 / 3,
        "candidates_per_segment": 1.0,
        "single": 2,
        "without_candidates": 0,
        "systems": {
            "A": {"found": 2, "missing": 0, "with_gaps": 0, "shared": 1},
            "B": {"found": 1, "missing": 1, "with_gaps": 0, "shared": 1},
        },
    }


def test_links_are_read_according_to_options(capsys, write_lines):
    rows, _ = run(capsys, *PROJECT, *LINKS, "--sure-only", "-q")
    assert texts(rows[0])[0] == ["die Uhr", "die alte Uhr"]
    rows, _ = run(capsys, *PROJECT, *LINKS, "--sure-only", "--fill", "-q")
    assert texts(rows[0])[0] == ["die alte Uhr"]
    write_lines("back.links", ["1-1 1-2 2-3", "2-2"])
    one = ("project", "parts.jsonl", "-i", "A.txt", "-a", "back.links", "-q")
    rows, _ = run(capsys, *one, "--one-based", "--output-first")
    assert texts(rows[0]) == [["die alte"]]  # and nothing from the other part
    rows, _ = run(capsys, *one, "--one-based", "--skip-single")
    assert texts(rows[0]) == []


def test_tsv_is_what_segranks_reads(capsys):
    assert main(["parts", *PROJECT, *LINKS, "--tsv", "-r", "ref.txt", "-q"]) == 0
    first, *_ = capsys.readouterr().out.splitlines()
    assert first.split("\t") == [
        "1",
        "The old clock strikes ten again",
        "die alte Uhr schlägt wieder zehn",
        "The old clock",
        "die alte Uhr",
        "0 1 2",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["extracts"], "unknown action of tertium parts 'extracts'; did you mean"),
        (
            ["extract", "src.trees", "--min", "7"],
            "cannot have 7 to 6 words; the minimum must",
        ),
        (["extract", "src.trees", "--min", "0"], "0 is too small"),
        (["extract", "src.txt"], "src.txt:1: 'The' is outside all brackets"),
        (["extract", "none.trees"], "none.trees: no such file"),
        (["extract", "-", "-s", "-"], "given more than once"),
        (["extract", "src.trees", "-o", "src.trees"], "is one of the inputs"),
        (["extract", "src.trees", "-s", "A.txt"], "its tree has 'the old clock"),
        ([*PROJECT], "the following arguments are required: -a"),
        (
            [*PROJECT, "-a", "A.links"],
            "system B has no links; add a file of this name (--alignments)",
        ),
        ([*PROJECT, *LINKS, "C=b.links"], "unknown system with links 'C'"),
        (
            [*PROJECT, *LINKS, "B=A.links"],
            "two systems are called 'B': b.links and A.links",
        ),
        ([*PROJECT, "A=b.txt", *LINKS], "two systems are called 'A'"),
        ([*PROJECT, "-a", "A.links", "B=A.links"], "A.links:1: link 4-5"),
        ([*PROJECT, *LINKS, "--one-based"], "counts words from 0"),
        ([*PROJECT, *LINKS, "--tsv"], "give them with -r"),
        (
            [*PROJECT, *LINKS, "--origins", "-"],
            "two outputs go to -; give each its own file",
        ),
        ([*PROJECT, *LINKS, "--origins", "no/o.tsv"], "cannot write no/o.tsv"),
        (["project", "src.txt", *PROJECT[2:], *LINKS], "src.txt:1: 'The old clock"),
    ],
)
def test_wrong_usage_is_reported(arguments, message, capsys):
    assert message in error(capsys, *arguments)


@pytest.mark.parametrize("action", ["extract", "project"])
def test_every_action_has_help_with_examples(action, capsys):
    with pytest.raises(SystemExit):
        main(["parts", action, "--help"])
    out = capsys.readouterr().out
    assert f"usage: tertium parts {action}" in out
    assert f"\n  tertium parts {action}" in out
    assert "The JSON of counts is" in out
    assert main(["parts"]) == 2


def test_parts_do_not_depend_on_blocks(capsys, monkeypatch):
    Path("src.trees").write_text(TREES * 3)
    whole = run(capsys, "extract", "src.trees", "-f", "json")
    assert len(whole[0]) == 6
    for block in (1, 2, 3):
        monkeypatch.setattr("tertium.data.kept.BLOCK", block)
        assert run(capsys, "extract", "src.trees", "-f", "json") == whole


def test_a_late_error_leaves_no_parts(capsys, monkeypatch, write_lines):
    monkeypatch.setattr("tertium.data.kept.BLOCK", 1)
    write_lines("src.txt", ["The old clock strikes ten again", "We wait for you"])
    stderr = error(capsys, "extract", "src.trees", "-s", "src.txt", "-o", "a.jsonl")
    assert "sentence 2 (tree at line 2) has 4 words, its tree 2" in stderr
    assert not Path("a.jsonl").exists()
    assert not list(Path().glob(".tertium-*"))
