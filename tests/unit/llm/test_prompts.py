# SPDX-License-Identifier: Apache-2.0
"""Prompts: those that come with Tertium, and files of users."""

from __future__ import annotations

import pytest

from tertium.errors import FormatError, UnknownNameError
from tertium.llm import PROMPTS, read_prompt
from tertium.llm.answers import parse_answer

VALUES = {
    "source": "Ein Haus.",
    "hypothesis": "A {{source}} house.",
    "reference": None,
    "source_language": "German",
    "target_language": "English",
}

MINE = """
answer = "score"
user = "Rate {{hypothesis}}."
"""


@pytest.mark.parametrize("name", PROMPTS)
def test_prompts_show_both_texts_and_languages(name):
    prompt = read_prompt(name)
    system, user = prompt.messages(VALUES)
    assert (system["role"], user["role"]) == ("system", "user")
    for text in ("Ein Haus.", "German", "English", "<translation>A {{source}} house."):
        assert text in user["content"]
    assert prompt.needs >= {"source", "hypothesis"}


@pytest.mark.parametrize("name", PROMPTS)
def test_a_reference_is_shown_only_if_there_is_one(name):
    prompt = read_prompt(name)
    without = prompt.messages(VALUES)[-1]["content"]
    shown = prompt.messages({**VALUES, "reference": "A house."})[-1]["content"]
    assert "reference" not in without
    assert "<reference>A house.</reference>" in shown
    assert "{{#" not in shown
    assert "{{/" not in shown


@pytest.mark.parametrize("name", PROMPTS)
def test_the_example_in_a_prompt_is_an_answer_to_it(name):
    prompt = read_prompt(name)
    asked = prompt.messages(VALUES)[-1]["content"]
    example = asked[asked.rindex("nothing else:") :].partition(":")[2]
    answer = parse_answer(example, prompt, hypothesis="...")
    assert (answer.score == 0) == ("score" in prompt.answer)
    assert len(answer.errors) == ("errors" in prompt.answer)


def test_texts_that_look_like_places_for_values_stay_as_they_are(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('answer = "score"\nuser = "{{hypothesis}} {{source}}"\n')
    values = {"hypothesis": "{{source}}{{#reference}}", "source": "s"}
    content = read_prompt(str(path)).messages(values)[0]["content"]
    assert content == "{{source}}{{#reference}} s"


def test_a_prompt_of_a_user_has_the_name_of_its_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    prompt = read_prompt(str(path))
    assert (prompt.name, prompt.scale, prompt.system) == ("mine", "DA", "")
    assert prompt.severities == ("minor", "major", "critical")


def test_fingerprints_change_with_the_wording(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    before = read_prompt(str(path)).fingerprint
    path.write_text(MINE.replace("Rate", "Judge"))
    assert len(before) == 8
    assert read_prompt(str(path)).fingerprint != before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("user = 3", "'user' is 3"),
        ('answer = "score"\nuser = "Rate it."', "does not show {{hypothesis}}"),
        ('answer = "score"\nuser = "{{hypothesis}} {{sauce}}"', "called {{sauce}}"),
        ('answer = "rank"\nuser = "{{hypothesis}}"', "'answer' is 'rank'"),
        ('answer = "score"\nuser = "{{hypothesis}}"\ntokens = 0', "'tokens' is 0"),
        ('answer = "score"\nuser = "{{hypothesis}}"\nuse = 1', "unknown key 'use'"),
        (
            'answer = "score"\nuser = "{{hypothesis}}"\nseverities = "a"',
            "list of texts",
        ),
        ("user = ", "not TOML"),
    ],
)
def test_a_wrong_prompt_file_is_named_with_the_reason(tmp_path, text, message):
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(FormatError, match=r"wrong\.toml") as caught:
        read_prompt(str(path))
    assert message in str(caught.value)


def test_an_unknown_prompt_lists_those_that_exist():
    with pytest.raises(UnknownNameError, match="did you mean esa"):
        read_prompt("esas")
