# SPDX-License-Identifier: Apache-2.0
"""``tertium tune serve``: the line protocol, through a real process."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tertium
from tertium.cli import main

HYP, REFS = "the cat sat", ["a cat sat", "the cat sits on it"]
EVAL = f"EVAL ||| {HYP} ||| {REFS[0]} ||| {REFS[1]}"

WRONG = (
    "",
    "EVAL",
    "EVAL ||| a",
    "EVIL ||| a ||| b",
    b"EVAL ||| \xff ||| b",
    "SCORE ||| x",
    "SCORE ||| 1",
    "SCORE ||| nan 1",
    "EXIT ||| a",
)


@pytest.fixture
def ask():
    command = [sys.executable, "-m", "tertium", "tune", "serve", "-m", "beer"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:

        def answer(line):
            # Waits for each answer: without flushing this would hang.
            process.stdin.write(line if isinstance(line, bytes) else line.encode())
            process.stdin.write(b"\n")
            process.stdin.flush()
            return process.stdout.readline().decode().rstrip("\n")

        answer.process = process
        yield answer
        process.stdin.close()
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == b""


def test_a_tuner_is_answered_line_by_line(ask):
    beer = tertium.metric("beer")
    scores = [beer.segment_scores([HYP], [ref])[0] for ref in REFS]
    assert [float(part) for part in ask(EVAL).split()] == scores
    assert float(ask(EVAL.replace("EVAL", "EVAL BEST"))) == max(scores)
    for wrong in WRONG:
        assert ask(wrong).startswith("ERROR "), wrong
    assert float(ask("EVAL ||| a \r ||| a\r")) == 1.0  # still there
    assert 0 <= float(ask("EVAL ||| ||| a")) < 0.1
    ask.process.stdin.write(b"EXIT\n")
    ask.process.stdin.flush()
    assert ask.process.wait(timeout=30) == 0
    assert ask.process.stdout.read() == b""


def test_margins_are_raw_values_in_the_order_of_scores(ask):
    margins = [float(v) for v in ask(EVAL.replace("EVAL", "MARGIN")).split()]
    beer = tertium.metric("beer")
    features = beer.trained.profile.features([HYP] * 2, REFS)
    assert margins == pytest.approx(beer.trained.raw(features).tolist(), abs=1e-12)
    scores = [float(v) for v in ask(EVAL).split()]
    assert (margins[0] > margins[1]) == (scores[0] > scores[1])
    assert float(ask(EVAL.replace("EVAL", "MARGIN BEST"))) == max(margins)


def test_the_old_verb_names_the_new_one(capsys):
    assert main(["tuner", "-m", "beer"]) == 2
    assert "the verb tuner is now called tune serve" in capsys.readouterr().err


def test_metrics_of_whole_corpora_are_rejected(capsys):
    assert main(["tune", "serve", "-m", "nist"]) == 2
    assert "weights words by all references" in capsys.readouterr().err
