# SPDX-License-Identifier: Apache-2.0
"""``tertium explain --spans`` as a user meets it."""

from __future__ import annotations

import json
import shlex

import pytest

from tertium.cli import main
from tertium.data import read
from tertium.errors import InputError
from tertium.judgements.writing import write_judgements
from tertium.learn.spans import (
    features,
    find_span_model,
    mark_testset,
    marking,
    predictions,
)

REF = ["The old bridge was closed on Monday.", "It rained all day.", "Nobody came."]
GOOD = ["The old bridge was closed on Monday.", "It rained all day.", "Nobody came."]
BAD = [
    "Two trains 😀 left their station.",
    "It was cold 😀 for a week.",
    "Nobody came.",
]
SRC = ["Die alte Brücke war am Montag zu.", "Es regnete den Tag.", "Niemand kam."]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch, write_lines):
    """Write texts into an empty folder, and work there."""
    monkeypatch.chdir(tmp_path)
    write_lines("ref.txt", REF)
    write_lines("good.txt", GOOD)
    write_lines("bad.txt", BAD)
    write_lines("src.txt", SRC)


@pytest.fixture
def run(capsys):
    """Return a function that runs a command and returns its code and output."""

    def call(command: str) -> tuple[int, str, str]:
        code = main(shlex.split(command))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


TEXTS = "explain --spans -s src.txt -r ref.txt -i good.txt bad.txt -l de-en"


def test_errors_are_underlined(run):
    code, out, _ = run(f"{TEXTS} --system bad --segment 1 --span-threshold 0.1")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].startswith("bad, segment 1 (")
    assert lines[2] == f"  {BAD[0]}"
    assert set(lines[3].strip()) <= set("^~ ")
    assert "  reference: The old bridge was closed on Monday." in lines


def test_underlines_stand_below_their_words(run):
    code, out, _ = run(
        'explain --spans --hyp "😀 東京 was fine" --ref "😀 Rome was fine" -l de-en '
        "--span-threshold 0"
    )
    assert code == 0
    lines = out.splitlines()
    at = lines.index("  😀 東京 was fine")
    assert set(lines[at + 1][:5]) == {" "}  # two columns for the emoji
    assert lines[at + 1][5:].rstrip() in ("~~~~", "^^^^")


def test_json_has_places_in_code_points(run):
    code, out, _ = run(f"{TEXTS} -f json --span-threshold 0.1")
    assert code == 0
    data = json.loads(out)
    assert data["model"] == "spans-1"
    assert [(s["system"], s["segment"]) for s in data["segments"]] == [
        (name, number) for number in (1, 2, 3) for name in ("good", "bad")
    ]
    for segment in data["segments"]:
        for span in segment["spans"]:
            if span["start"] is None:
                assert span["category"] == "missing"
            else:
                text = segment["hyp"][span["start"] : span["end"]]
                assert text == span["text"]
    assert data["segments"][0]["spans"] == []
    assert data["segments"][0]["score"] == 100
    assert any(span["text"] for span in data["segments"][1]["spans"])


def test_predictions_are_read_by_correlate(run, tmp_path, write_lines):
    code, out, err = run(f"{TEXTS} --predictions base.de-en.jsonl")
    assert (code, out) == (0, "")
    assert "in 6 outputs, in base.de-en.jsonl" in err
    human = [
        {"item_id": str(i), "task1_pred": {name: {"errors": errors} for name in
         ("good", "bad")}}
        for i, errors in enumerate(
            [[{"start": 0, "end": 3, "severity": "minor"}], [], []], start=1
        )
    ]  # fmt: skip
    write_lines("human.de-en.jsonl", [json.dumps(each) for each in human])
    code, out, _ = run(
        "correlate --spans --predictions base.de-en.jsonl -J human.de-en.jsonl -f json"
    )
    assert code == 0
    assert json.loads(out)["outputs"] == 6


def test_predictions_do_not_depend_on_the_run(run, tmp_path):
    for name in ("a.jsonl", "b.jsonl"):
        assert run(f"{TEXTS} --predictions {name}")[0] == 0
    a, b = ((tmp_path / name).read_bytes() for name in ("a.jsonl", "b.jsonl"))
    assert a == b


@pytest.mark.parametrize("batch", [1, 2, 3])
@pytest.mark.parametrize(
    ("ids", "listed"),
    [
        ("123", ""),
        ("121", ""),  # an id that starts again in another document
        ("123", "--list list.tsv"),  # outputs of a segment are not together
    ],
)
def test_predictions_in_batches_are_those_of_the_whole(
    run, tmp_path, write_lines, monkeypatch, batch, ids, listed
):
    rows = [
        {"id": ids[i], "doc": f"d{i}", "src": SRC[i], "ref": [REF[i]],
         "tgt": {"good": GOOD[i], "bad": BAD[i]}}
        for i in range(3)
    ]  # fmt: skip
    path = write_lines("set.de-en.jsonl", map(json.dumps, rows))
    chosen = [(2, "bad"), (1, "good"), (2, "good")] if listed else None
    names = [f"{name}\t{number}" for number, name in chosen or ()]
    write_lines("list.tsv", ["system\tsegment", *names])
    eager = find_span_model().with_threshold(0.1)
    testset = read(path, langpair="de-en")
    whole = predictions(mark_testset(testset, outputs=chosen, model=eager))
    write_judgements(whole, "whole.jsonl", format="wmt26-predictions")
    monkeypatch.setattr(marking, "_BATCH", batch)
    command = f"explain --spans {path} --span-threshold 0.1 {listed}"
    assert run(f"{command} --predictions parts.jsonl")[0] == 0
    parts, expected = (tmp_path / f"{n}.jsonl" for n in ("parts", "whole"))
    assert parts.read_bytes() == expected.read_bytes()
    assert b"category" in parts.read_bytes()


def test_an_error_in_the_last_batch_leaves_no_predictions(run, tmp_path, monkeypatch):
    def describe(hyps, *words, **options):
        if hyps == BAD[2:]:
            raise InputError("too difficult")
        return features.describe(hyps, *words, **options)

    monkeypatch.setattr(marking, "_BATCH", 1)
    monkeypatch.setattr(marking, "describe", describe)
    before = sorted(tmp_path.iterdir())
    code, _, err = run(f"{TEXTS} --system bad --predictions base.jsonl")
    assert (code, err) == (2, "tertium: too difficult\n")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("explain --spans -i good.txt", "comparing outputs with references"),
        ("explain --spans --hyp a", "belong together; give --hyp and --ref"),
        (f"{TEXTS} -m chrf", "--metrics has no effect on error spans"),
        (f"{TEXTS} -p udpipe", "--parser has no effect on error spans"),
        (f"{TEXTS} -f html", "error spans are text or JSON, not html"),
        (f"{TEXTS} --predictions x -f json", "so that -f and -o have no effect"),
        (f"{TEXTS} --span-threshold 2", "not between 0 and 1 (--span-threshold)"),
        (f"{TEXTS} --span-model none.json", "no span model none.json"),
        (f"{TEXTS} --reference 2", "segment 1 has 1 reference"),
        (f"{TEXTS} --system other", "other"),
        ("explain --hyp a --ref a --src b", "--src is about error spans"),
        ("explain demo --predictions x", "--predictions is about error spans"),
        ("explain --spans --hyp a --ref b --predictions x", "give one instead of"),
        ('explain --spans --permutation "2 1"', "--permutation has no effect"),
    ],
)
def test_wrong_options_are_explained(run, command, message):
    code, out, err = run(command)
    assert (code, out) == (2, "")
    assert message in err


def test_help_describes_the_json(capsys):
    with pytest.raises(SystemExit):
        main(["explain", "--help"])
    out = capsys.readouterr().out
    for name in ("--spans", "--predictions", "--span-model", "probability"):
        assert name in out
