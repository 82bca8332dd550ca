# SPDX-License-Identifier: Apache-2.0
"""``tertium train --spans`` as a user meets it."""

from __future__ import annotations

import json
import shlex

import pytest

from tertium.cli import main
from tertium.learn.spans import load_span_model


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch, write_lines):
    """Write texts in which another word is an error, and its human spans."""
    monkeypatch.chdir(tmp_path)
    rows, spans = [], []
    for i in range(12):
        ref = f"the {('tall', 'wide')[i % 2]} trees stood near the house {i}"
        hyp = ref.replace("trees", "tree").replace("house", "lake")
        rows.append({"ref": ref, "tgt": {"A": hyp}})
        start = hyp.index("lake")
        error = {"start": start, "end": start + 4, "severity": "minor"}
        prediction = {"A": {"errors": [error]}}
        spans.append({"item_id": str(i + 1), "task1_pred": prediction})
    write_lines("texts.de-en.jsonl", [json.dumps(row) for row in rows])
    write_lines("human.de-en.jsonl", [json.dumps(each) for each in spans])


@pytest.fixture
def run(capsys):
    """Return a function that runs a command and returns its code and output."""

    def call(command: str) -> tuple[int, str, str]:
        code = main(shlex.split(command))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


DATA = "train --spans -t texts.de-en.jsonl -J human.de-en.jsonl"


def test_a_model_is_trained_and_used(run):
    code, out, err = run(f"{DATA} -o my.json --regularisation 0.1 -f json")
    assert code == 0, err
    data = json.loads(out)
    assert data["model"] == "my.json"
    assert data["validation"]["character_f"] == 1.0
    assert data["training"]["regularisation"] == 0.1
    assert load_span_model("my.json").name == "my"
    code, out, err = run(
        "explain texts.de-en.jsonl --spans --span-model my.json --segment 1 -f json"
    )
    assert code == 0, err
    (segment,) = json.loads(out)["segments"]
    assert [span["text"] for span in segment["spans"]] == ["lake"]


def test_the_table_has_figures(run):
    code, out, err = run(f"{DATA} -o my.json")
    assert code == 0, err
    assert "character severity f" in out
    assert "wrote my.json" in err


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (DATA, "no file for the model"),
        ("train --spans -o my.json", "0 test sets and 0 judgement files"),
        (f"{DATA} -o my.json --profile beer-3.0", "--profile has no effect"),
        (f"{DATA} -o my.json --cross-validate language", "--cross-validate has no"),
        (f"{DATA} -o texts.de-en.jsonl", "texts.de-en.jsonl"),
    ],
)
def test_wrong_options_are_explained(run, command, message):
    code, out, err = run(command)
    assert (code, out) == (2, "")
    assert message in err
