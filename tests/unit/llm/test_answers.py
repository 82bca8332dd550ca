# SPDX-License-Identifier: Apache-2.0
"""Answers read as scores and errors, and quotations assessment in texts."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tertium.llm import parse_answer, read_prompt
from tertium.llm.answers import REASONS, MarkedError, UnparsableError
from tertium.llm.places import locate

ESA, MQM, DA = (read_prompt(name) for name in ("esa", "mqm", "da"))
HYP = "the cat sat on the mat"
SRC = "die dicke Katze saß"


def error(text="cat", severity="minor", **more):
    return {"text": text, "severity": severity, **more}


def parse(content, prompt=ESA, **more):
    text = content if isinstance(content, str) else json.dumps(content)
    return parse_answer(text, prompt, hypothesis=HYP, source=SRC, **more)


def reason(*arguments, **more):
    with pytest.raises(UnparsableError) as caught:
        parse(*arguments, **more)
    assert str(caught.value) == REASONS[caught.value.reason]
    return caught.value.reason


def test_errors_have_places_in_code_points():
    assessment = parse({"errors": [error("the", occurrence=2)], "score": 80})
    assert assessment.score == 80
    assert assessment.errors == (MarkedError("the", "minor", "", "target", 15, 18),)


def test_code_points_count_and_not_bytes_or_utf_16_units():
    content = json.dumps({"errors": [error("katze")], "score": 1})
    assessment = parse_answer(content, ESA, hypothesis="😀 ä katze")
    assert assessment.errors[0][-2:] == (4, 9)


def test_missing_content_is_marked_in_the_source():
    assessment = parse({"errors": [error("dicke", side="source")], "score": 60})
    assert assessment.errors == (
        MarkedError("dicke", "minor", "missing", "source", 4, 9),
    )


def test_an_omission_is_looked_for_in_the_source_whatever_the_side():
    lost = error("dicke", "Major", category="accuracy/omission")
    assessment = parse({"errors": [lost]}, MQM)
    expected = MarkedError("dicke", "major", "Accuracy/Omission", "source", 4, 9)
    assert assessment.errors == (expected,)


def test_an_omission_may_quote_nothing():
    lost = {"severity": "major", "category": "Accuracy/Omission"}
    assessment = parse({"errors": [lost]}, MQM)
    assert assessment.errors[0][-2:] == (None, None)
    assert assessment.unlocated == 0


def test_categories_that_were_not_asked_for_are_kept():
    assessment = parse({"errors": [error(category="Bad rhyme")]}, MQM)
    assert assessment.errors[0].category == "Bad rhyme"


def test_a_quotation_that_is_not_there_is_counted():
    assessment = parse({"errors": [error("dog")], "score": 5})
    assert assessment.unlocated == 1
    assert assessment.errors[0][-2:] == (None, None)


@pytest.mark.parametrize(
    "text",
    [
        '{"score": 71}',
        '```json\n{"score": 71}\n```',
        'Here you go:\n{"score": 71} I hope that helps!',
        '<think>{"score": 3} or so</think>{"score": "71"}',
        'Not {"score": 5}, rather {"score": 71.0}',
        '{"note": {"score": 5}, "score": "71/100"}',
        "71",
        "**Score: 71/100**",
        '{"score": 71, "why": "line\nbreak"}',
    ],
)
def test_a_score_is_found_in_what_surrounds_it(text):
    assert parse(text, DA).score == 71


@pytest.mark.parametrize(
    ("content", "prompt", "expected"),
    [
        ("", ESA, "empty"),
        ("<think>hard</think>", DA, "empty"),
        ("I'm sorry, I can't help with that.", ESA, "no-json"),
        ("I would say 71 or 72.", DA, "no-json"),
        ({"score": 70}, ESA, "no-json"),
        ({"errors": []}, ESA, "no-json"),
        ("[1, 2]", ESA, "no-json"),
        ('{"errors": [], "score": NaN}', ESA, "no-json"),
        ({"errors": [], "score": 101}, ESA, "score"),
        ({"errors": [], "score": -1}, ESA, "score"),
        ({"errors": [], "score": True}, ESA, "score"),
        ({"errors": [], "score": None}, ESA, "score"),
        ({"errors": [], "score": "good"}, ESA, "score"),
        ('{"errors": [], "score": 1e999}', ESA, "score"),
        ({"errors": [], "score": 10**400}, ESA, "score"),
        ({"errors": None, "score": 1}, ESA, "errors"),
        ({"errors": ["cat"], "score": 1}, ESA, "errors"),
        ({"errors": [error(severity="awful")], "score": 1}, ESA, "severity"),
        ({"errors": [error(severity="critical")], "score": 1}, ESA, "severity"),
        ({"errors": [{"text": "cat"}], "score": 1}, ESA, "severity"),
        ({"errors": [error(text=" ")], "score": 1}, ESA, "text"),
        ({"errors": [error(text=7)], "score": 1}, ESA, "text"),
    ],
)
def test_answers_without_a_value_have_a_reason(content, prompt, expected):
    assert reason(content, prompt) == expected


def test_truncated_and_filtered_answers_have_their_own_reasons():
    assert reason('{"errors": [{"te', finish="length") == "truncated"
    assert reason("no", finish="content_filter") == "declined"
    assert reason("I will not", finish="refusal") == "declined"


def test_an_answer_that_is_complete_counts_even_at_the_limit():
    assert parse({"errors": [], "score": 9}, finish="length").score == 9


def test_critical_is_a_severity_of_mqm():
    assert (
        parse({"errors": [error(severity="CRITICAL")]}, MQM).errors[0][1] == "critical"
    )


def values():
    keys = st.sampled_from(
        ["errors", "score", "text", "severity", "side", "occurrence", "category"]
    )
    words = st.sampled_from(["cat", "the", "minor", "major", "source", "missing", "80"])
    plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | words
    return st.recursive(
        plain,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(keys | st.text(max_size=3), inner, max_size=5)
        ),
        max_leaves=12,
    )


@given(
    st.text() | values().map(json.dumps),
    st.sampled_from([ESA, MQM, DA]),
    st.sampled_from(["stop", "length", "content_filter", "?"]),
)
@example("[" * 100_000, ESA, "stop")
@example('{"a":' * 100_000, ESA, "stop")
@example("{" * 100_000, DA, "stop")
@example('{"score": ' + "9" * 10_000 + "}", DA, "stop")
def test_any_answer_is_read_or_has_a_reason(text, prompt, finish):
    try:
        assessment = parse_answer(
            text, prompt, hypothesis=HYP, source=SRC, finish=finish
        )
    except UnparsableError:
        return  # which raises KeyError for an unknown reason
    assert assessment.score is None or 0 <= assessment.score <= 100
    for each in assessment.errors:
        side = SRC if each.side == "source" else HYP
        assert each.severity in prompt.severities
        assert (each.start is None) == (each.end is None)
        assert each.start is None or 0 <= each.start < each.end <= len(side)


@given(st.text(min_size=1, max_size=30), st.data())
def test_every_part_of_a_text_is_found_where_it_is(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    part = text[start:end]
    if not part.strip():
        assert locate(part, text) is None
        return
    before = sum(text.startswith(part, at) for at in range(start + 1))
    assert locate(part, text, before) == (start, end)


@given(st.text(max_size=20), st.text(max_size=20), st.integers(1, 5))
def test_what_is_found_is_within_the_text(quotation, text, occurrence):
    place = locate(quotation, text, occurrence)
    assert place is None or 0 <= place[0] < place[1] <= len(text)


@pytest.mark.parametrize(
    ("quotation", "text", "place"),
    [
        ("“good”", 'a "good" day', (2, 8)),
        ("Don’t", "we don't know", (3, 8)),
        ("a  b", "x a\u00a0b y", (2, 5)),
        ("café", "the cafe\u0301 here", (4, 9)),
        ("cafe\u0301", "the café here", (4, 8)),
        ("STRASSE", "die Straße", (4, 10)),
        ("e", "é", None),
        ("s", "ß", None),
    ],
)
def test_small_differences_are_ignored(quotation, text, place):
    assert locate(quotation, text) == place


def test_the_last_occurrence_stands_for_those_that_do_not_exist():
    assert locate("a", "a b a", 7) == (4, 5)
