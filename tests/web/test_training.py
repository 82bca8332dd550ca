# SPDX-License-Identifier: Apache-2.0
"""Training in a browser: answer, see what was expected, go on to the work."""

from __future__ import annotations

import json

import pytest

from support.accessibility import faults
from tertium.campaigns.tasks import get_task

pytestmark = pytest.mark.slow

LINES = [
    {
        "item": f"lesson-{number}",
        "content": {
            "source": f"lesson {number}",
            "candidates": {"a": f"good {number}", "b": f"bad {number}"},
        },
        "answer": {"better": "a"},
        "note": "Only the first says so.",
        "systems": {"a": ["secretsys"], "b": ["othersys"]},
    }
    for number in range(2)
]


@pytest.fixture
def links(server):
    config = server.new("pairs")
    text = "".join(json.dumps(line) + "\n" for line in LINES)
    (config.parent / "training.jsonl").write_text(text)
    with config.open("a") as file:
        file.write('\n[training]\nitems = "training.jsonl"\n')
    result = server.load(config)
    server.start()
    return result


def choose(page, text):
    page.locator("#work[data-ready]").wait_for()
    page.get_by_text(text, exact=True).click()
    page.get_by_role("button", name="Submit").click()


def test_lessons_come_first_and_say_what_was_expected(
    server, links, person, join, picture
):
    page = person(viewport={"width": 360, "height": 740})
    join(page, server, links["annotator"])
    page.get_by_text("2 items come first to practise").wait_for()
    page.get_by_role("button", name="Start").click()
    page.get_by_role("heading", name="Training 1 of 2").wait_for()
    assert "says so" not in page.content()
    choose(page, "bad 0")
    page.get_by_text("Not quite. This is what was expected.").wait_for()
    page.locator("#work[data-ready]").wait_for()
    assert page.locator("input[value=a]").is_checked()
    assert page.get_by_text("Only the first says so.").is_visible()
    assert page.get_by_role("button", name="Submit").count() == 0
    assert "secretsys" not in page.content()
    assert not faults(page)
    picture(page, "training-feedback-360")
    page.get_by_role("link", name="See your answer").click()
    page.locator("#work[data-ready]").wait_for()
    assert page.locator("input[value=b]").is_checked()
    page.keyboard.press("1")  # a page to look at: nothing is sent
    page.go_back()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("heading", name="Training 2 of 2").wait_for()
    choose(page, "good 1")
    page.get_by_text("Right. This is what was expected.").wait_for()
    picture(page, "training-right-360")
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("heading", name="Item 1").wait_for()
    page.locator("#work[data-ready]").wait_for()
    page.keyboard.press("1")
    page.get_by_role("button", name="Submit").click()
    page.get_by_role("heading", name="Item 2").wait_for()

    server.tertium("campaign", "export", "two-systems", "-o", "all.jsonl")
    lines = (server.folder / "all.jsonl").read_text().splitlines()
    kinds = [json.loads(line)["kind"] for line in lines]
    assert kinds == ["training", "training", "work"]
    answers = [json.loads(line)["answer"]["better"] for line in lines[:2]]
    assert answers == ["b", "a"]
    status = server.tertium("campaign", "status", "-f", "json")
    assert json.loads(status)["campaigns"][0]["judgements"] == 1


@pytest.mark.parametrize("task", ["esa", "cesa"])
def test_a_span_lesson_shows_the_expected_marks(task, server, person, join, picture):
    config = server.new(task)
    (config.parent / "training.jsonl").write_text(get_task(task).lessons())
    for name, data in get_task(task).lesson_images().items():
        (config.parent / name).write_bytes(data)
    with config.open("a") as file:
        file.write('\n[training]\nitems = "training.jsonl"\n')
    links = server.load(config)
    server.start()
    page = person(viewport={"width": 360, "height": 740})
    join(page, server, links["annotator"])
    page.get_by_role("button", name="Start").click()
    page.get_by_role("heading", name="Training 1 of 3").wait_for()
    page.locator("#work[data-ready]").wait_for()
    for slider in page.locator("input[type=range]").all():
        slider.focus()
        page.keyboard.press("End")
    page.get_by_role("button", name="Submit").click()
    page.get_by_text("Not quite. This is what was expected.").wait_for()
    page.locator("#work[data-ready]").wait_for()
    assert page.locator(".marks li").count() == 1
    assert "geöffnet" in page.locator(".marks li").inner_text()
    assert page.get_by_text("The meaning is the opposite").is_visible()
    picture(page, f"training-{task}")
    assert not faults(page)
