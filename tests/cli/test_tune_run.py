# SPDX-License-Identifier: Apache-2.0
"""``tertium tune run``: a decoder in the loop, from the command line."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tertium.cli import main
from tests.support import toy_decoder

COMMAND = shlex.join([sys.executable, toy_decoder.__file__]) + " {weights} {nbest}"
START = {"lm": 0.1, "phrase": 1.0, "swap": 1.0, "words": -0.3}


@pytest.fixture
def words(tmp_path, monkeypatch):
    """Return the words of a command line, in a folder with its files."""
    monkeypatch.chdir(tmp_path)
    lines = "".join(f"{line}\n" for line in toy_decoder.REFERENCES)
    Path("ref.txt").write_text(lines, encoding="utf-8")
    Path("start.json").write_text(json.dumps(START), encoding="utf-8")
    files = ["-r", "ref.txt", "--start", "start.json", "--folder", "run"]
    steps = ["--iterations", "2", "--seed", "1"]
    return ["tune", "run", *files, *steps, "--decoder", COMMAND]


def test_weights_log_page_and_json_are_written(words, capsys):
    assert main([*words, "-f", "json"]) == 0
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert result["final"]["score"] > result["start"]["score"]
    assert result["start"]["weights"] == START
    assert (
        json.loads(Path("run/weights.json").read_text()) == result["final"]["weights"]
    )
    log = Path("run/log.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in log] == result["iterations"]
    page = Path("run/run.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert page.count("<!DOCTYPE html>") == 1
    assert "iteration 0: bleu 34.86" in err
    assert "the best weights are in run/weights.json" in err


def test_people_get_tables(words, capsys):
    assert main([*words, "-q"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.splitlines()[0].split()[:3] == ["iteration", "score", "length"]
    assert "feature" in out
    assert main([*words, "-q", "-f", "tsv"]) == 0  # from the folder
    table = capsys.readouterr().out.splitlines()
    assert len(table) == 1 + len(Path("run/log.jsonl").read_text().splitlines())


def test_moses_weights_are_a_start(words, capsys):
    lines = "".join(f"{name}= {value}\n" for name, value in START.items())
    Path("start.json").write_text(f"[feature]\nX num=1\n[weight]\n{lines}")
    assert main([*words, "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["start"]["weights"] == START


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"lm": 1,', "start.json:1: this is not JSON"),
        ('{"lm": "x"}', "the weight of lm is not a number"),
        ("lm= 0.5 x\n", "start.json:1: 'lm= 0.5 x' is not a weight"),
        ("lm= 1\n\nlm= 2\n", "start.json:3: lm has two weights"),
        ("lm= nan\n", "the weight of lm is nan"),
        ("{}", "the file has no weights"),
        (json.dumps({**START, "x": 1}), "one start weight per feature (--start)"),
    ],
)
def test_wrong_start_weights_are_reported(words, capsys, text, message):
    Path("start.json").write_text(text)
    assert main(words) == 2
    assert message in capsys.readouterr().err


def test_other_mistakes_are_reported_with_their_flag(words, capsys):
    assert main([*words[:-1], "decode {weights}"]) == 2
    assert "has no {nbest}" in capsys.readouterr().err
    assert main([*words[:-1], "exit 3 # {weights} {nbest}"]) == 2
    assert "failed with exit code 3" in capsys.readouterr().err
    Path("ref.txt").write_text("one line\n")
    assert main(words) == 2
    assert "6 lists and 1 reference" in capsys.readouterr().err


def test_ctrl_c_keeps_the_best_so_far_and_the_next_call_goes_on(words, capsys):
    slow = f"{COMMAND} && if [ {{iteration}} = 1 ]; then touch there; sleep 60; fi"
    process = subprocess.Popen(
        [sys.executable, "-m", "tertium", *words[:-1], slow, "-f", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not os.path.exists("there"):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    result = json.loads(out)
    assert (result["stopped"], len(result["iterations"])) == ("running", 1)
    assert json.loads(Path("run/weights.json").read_text()) == START
    assert "the same command goes on from there" in err
    Path("there").unlink()


def test_ctrl_c_before_the_first_list_writes_nothing(words):
    slow = "touch there; sleep 60 # {weights} {nbest}"
    process = subprocess.Popen(
        [sys.executable, "-m", "tertium", *words[:-1], slow],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not os.path.exists("there"):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert "interrupted" in err
