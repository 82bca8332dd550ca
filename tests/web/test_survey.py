# SPDX-License-Identifier: Apache-2.0
"""The word-order survey in a real browser, from the invitation to the withdrawal."""

from __future__ import annotations

import json
import re

import pytest

from support.accessibility import too_wide

NEEDED = ("read", "ask", "answered", "withdraw", "coded", "risks", "take_part")


@pytest.fixture
def survey(server):
    """Serve the starter survey with rewards, and return its invitations."""
    config = server.new("survey")
    (config.parent / "codes.txt").write_text("thanks-1\nthanks-2\n")
    text = config.read_text().replace('rewards = "" ', 'rewards = "codes.txt" ')
    text = text.replace("questionnaires = 4 ", "questionnaires = 2 ")
    config.write_text(text.replace("\nitems = 10 ", "\nitems = 6 "))
    links = server.load(config)
    server.start()
    return links


def agree(page, server, invitation, *, archive="yes"):
    """Read the information, agree, and return link and withdrawal code."""
    page.goto(server.url + invitation)
    page.get_by_role("button", name="Go on to consent").click()
    for name in NEEDED:
        page.locator(f"input[name=consent-{name}][value=yes]").check()
    page.locator(f"input[name=consent-archive][value={archive}]").check()
    page.get_by_role("button", name="Go on").click()
    return page.locator("#link").text_content(), page.locator("#code").text_content()


def begin(page):
    """Skip the background questions and the sample."""
    page.get_by_role("link", name="Go on").click()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Start").click()
    page.locator("#work[data-ready]").wait_for()


def judge(page, adequacy, order):
    """Answer an item with the keyboard alone."""
    page.locator("#work[data-ready]").wait_for()
    number = page.locator(".item-number").text_content()
    page.keyboard.press("Enter")  # shows the reference
    page.locator("#revealed").wait_for()
    page.keyboard.press(adequacy)
    page.keyboard.press("Tab")
    page.keyboard.press(order)
    page.get_by_text("Saved", exact=True).wait_for()
    page.locator("#submit").press("Enter")
    page.wait_for_function(
        "old => document.querySelector('.item-number')?.textContent !== old", arg=number
    )


def test_a_participant_from_invitation_to_withdrawal(server, survey, person, picture):
    page = person()
    page.goto(server.url + survey["annotator"])
    picture(page, "survey-information")
    page.get_by_role("button", name="Go on to consent").click()
    picture(page, "survey-consent")
    for name in NEEDED:
        page.locator(f"input[name=consent-{name}][value=no]").check()
    page.locator("input[name=consent-archive][value=no]").check()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("heading", name="Thank you for your time").wait_for()
    picture(page, "survey-declined")

    link, code = agree(page, server, survey["annotator"])
    picture(page, "survey-keep")
    page.get_by_role("link", name="Go on").click()
    page.get_by_label("No", exact=True).first.check()
    page.locator("[name=years]").fill("1200")
    page.get_by_role("button", name="Go on").click()
    page.get_by_text("Some answers cannot be right").wait_for()
    page.locator("[name=years]").fill("12")
    page.locator("[name=language_1]").fill("German")
    page.locator("[name=level_1]").select_option("native")
    page.locator("[name=age]").fill("34")
    page.locator("input[name=grammar][value='4']").check()
    picture(page, "survey-background")
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Show the reference").click()
    picture(page, "survey-sample")
    page.get_by_role("button", name="Start").click()

    page.locator("#work[data-ready]").wait_for()
    assert page.locator("#revealed").is_hidden()
    picture(page, "survey-item-first")
    assert "north" not in page.content()
    assert "south" not in page.content()
    page.keyboard.press("Enter")
    page.keyboard.press("2")
    picture(page, "survey-item")
    page.get_by_text("Saved", exact=True).wait_for()

    # The personal link leads another browser to the same place, drafts and all.
    other = person(viewport={"width": 360, "height": 740}, has_touch=True)
    other.goto(link)
    other.get_by_role("button", name="Go on").click()  # as this person
    picture(other, "survey-resume-360")
    other.get_by_role("button", name="Go on").click()
    other.locator("#work[data-ready]").wait_for()
    assert other.locator("input[name=adequacy]:checked").get_attribute("value") == "2"
    assert not too_wide(other)
    picture(other, "survey-item-360")
    other.locator("fieldset[data-question=order] .none").tap()
    other.get_by_text("Saved", exact=True).wait_for()
    other.get_by_role("button", name="Submit").tap()
    other.get_by_text("Item 2 of 6").wait_for()
    for number in range(2, 7):
        judge(other, str(number % 5 + 1), str(5 - number % 5))
    other.get_by_role("heading", name="Thank you!").wait_for()
    other.get_by_role("button", name="Show my code").tap()
    assert re.fullmatch(r"thanks-[12]", other.locator("#reward").text_content())
    assert other.locator("#code").text_content() == code
    assert not too_wide(other)
    picture(other, "survey-debrief-360")

    server.tertium("campaign", "export", "word-order", "-o", "s.tsv", "--format",
                   "likert-tsv", "--items", "items.jsonl", "--participants", "p.tsv",
                   "--codebook", "codebook.md", "--archive")  # fmt: skip
    people = (server.folder / "p.tsv").read_text().splitlines()
    assert len(people) == 2
    assert "30-39" in people[1]
    assert "German:native" in people[1]
    out = server.tertium(
        "correlate", "items.jsonl", "-J", "s.tsv", "--gold", "likert-adequacy",
        "-m", "chrf", "--coef", "spearman:none", "--resamples", "0", "-f", "json",
        "--slice", "kind",
    )  # fmt: skip
    result = json.loads(out)["correlations"]
    assert [
        (one["langpair"], one["n"]) for one in result if one["metric"] == "chrf"
    ] == [("de-en hypothesis", 3), ("de-en permutation", 3)]

    page = person()
    page.goto(server.url + "/c/word-order/survey/withdraw")
    picture(page, "survey-withdraw")
    page.get_by_label("Withdrawal code").fill("aaaa-bbbb-cccc")
    page.get_by_role("button", name="Go on").click()
    page.get_by_text("There are no answers with this code").wait_for()
    page.get_by_label("Withdrawal code").fill(code.upper())
    page.get_by_role("button", name="Go on").click()
    picture(page, "survey-withdraw-confirm")
    page.get_by_role("button", name="Delete my answers").click()
    page.get_by_role("heading", name="Your answers are deleted").wait_for()
    picture(page, "survey-withdrawn")
    server.tertium("campaign", "export", "word-order", "-o", "a.jsonl")
    assert (server.folder / "a.jsonl").read_text() == ""


def test_two_participants_then_full_and_paper(server, survey, person, join, picture):
    pages = [person(viewport={"width": 360, "height": 740}), person()]
    for page in pages:
        agree(page, server, survey["annotator"], archive="no")
        assert not too_wide(page)
    narrow = pages[0]
    narrow.get_by_role("link", name="Go on").click()
    assert not too_wide(narrow)
    picture(narrow, "survey-background-360")
    narrow.get_by_role("button", name="Go on").click()
    assert not too_wide(narrow)
    begin(pages[1])
    for number in range(1, 7):
        judge(pages[1], "0" if number % 2 else "5", "4")
    pages[1].get_by_role("heading", name="Thank you!").wait_for()
    server.tertium("campaign", "export", "word-order", "-o", "s", "--format", "parquet")
    agreed = server.tertium("agree", "s", "-f", "json", "-q")
    assert "likert-order" in agreed

    late = person()
    late.goto(server.url + survey["annotator"])
    late.get_by_role("heading", name="The survey is complete").wait_for()

    manager = person()
    join(manager, server, survey["manager"])
    manager.get_by_role("heading", name="Attention").wait_for()
    picture(manager, "survey-dashboard")
    manager.goto(server.url + "/c/word-order/survey/print/1")
    assert manager.locator(".paper-item").count() == 6
    picture(manager, "survey-paper")
    manager.emulate_media(media="print")
    picture(manager, "survey-paper-print")
    pages[0].goto(server.url + "/c/word-order/survey/print/1")
    pages[0].get_by_role("heading", name="No access").wait_for()
