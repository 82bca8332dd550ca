# SPDX-License-Identifier: Apache-2.0
"""The judge by rule, which stands in for a server."""

from __future__ import annotations

import json
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.llm import PROMPTS, JudgeSettings, judge_outputs, parse_answer, read_prompt
from tertium.llm.client import reply_of
from tertium.llm.demonstration import DemoClient, judge_by_rule
from tertium.llm.planning import make_request


def answer(hyp, source, name="esa"):
    settings = JudgeSettings("demo", "demo", name)
    asked = make_request(settings, read_prompt(name), hypothesis=hyp, source=source)
    return DemoClient().ask(asked.body)


@pytest.mark.parametrize("name", PROMPTS)
@given(hyp=st.text(max_size=40), source=st.text(max_size=40))
def test_the_rule_answers_every_prompt(name, hyp, source):
    reply = reply_of(answer(hyp, source, name))
    prompt = read_prompt(name)
    assessment = parse_answer(reply.text, prompt, hypothesis=hyp, source=source)
    assert ("score" in prompt.answer) == (assessment.score is not None)
    assert reply.tokens_in > 0


def test_untranslated_repeated_and_missing_words_are_errors():
    text = reply_of(answer("Die Katze the the", "Die Katze schläft heute lange.")).text
    errors = json.loads(text)["errors"]
    assert [(each["text"], each["severity"]) for each in errors] == [
        ("Katze", "major"),
        ("the", "minor"),
    ]
    short = json.loads(reply_of(answer("A", "Die Katze schläft.")).text)["errors"]
    assert [(each["text"], each["side"]) for each in short] == [("schläft.", "source")]


def test_an_empty_translation_is_worth_nothing():
    assert json.loads(reply_of(answer("", "Gut.")).text)["score"] == 0


@pytest.mark.parametrize("body", [{}, {"messages": []}, {"messages": [3]}])
def test_odd_requests_are_answered_too(body):
    assert json.loads(judge_by_rule(body)) == {"errors": [], "score": 0}


def test_the_rule_needs_no_network(tmp_path, monkeypatch):
    pytest.importorskip("polars")

    def never(*_):
        raise AssertionError

    monkeypatch.setattr(socket.socket, "connect", never)
    settings = JudgeSettings("demo", "demo", "da")
    testset = tertium.read("demo")
    result = judge_outputs(testset, settings, answers=str(tmp_path / "a"), sample=3)
    assert result.is_complete
