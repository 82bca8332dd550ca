# SPDX-License-Identifier: Apache-2.0
"""Every kind of page by WCAG 2.1 AA, items by keyboard alone, texts from the right."""

from __future__ import annotations

import json
import re

import pytest

from support.accessibility import faults
from support.campaign_server import Server
from support.campaign_world import jsonl, write_starter
from support.keyboard import tab_to, use

NAMES = {
    "segranks": "segments",
    "ranking": "sentences",
    "direct": "direct-assessment",
    "pairs": "two-systems",
    "edits": "edit-positions",
    "survey": "word-order",
}
#: Into a language from right to left; the others go into one from left to right.
TARGETS = {"pairs": "he", "edits": "he", "direct": "ar"}
WORDS = {
    "he": ["הרכבת יוצאת מאוחר היום", "רכבת הולך היום מאוחר", "היום אין רכבת"],
    "ar": ["القطار يصل متأخرا اليوم", "قطار متأخر في اليوم", "لا قطار اليوم"],
}


def _write(folder, task):
    config = write_starter(folder, task)
    text = config.read_text()
    if task in TARGETS:
        target = TARGETS[task]
        lines = [
            {"id": f"s{n}", "src": f"The train leaves late today, says notice {n}.",
             "ref": [f"{WORDS[target][0]} ({n})"],
             "tgt": {f"sys{k}": f"{text} {n}" for k, text in enumerate(WORDS[target])}}
            for n in range(6)
        ]  # fmt: skip
        (folder / "set.jsonl").write_text(jsonl(lines), encoding="utf-8")
        text = text.replace('items = "demo" ', 'items = "set.jsonl" ')
        text = text.replace('target = "de"', f'target = "{target}"')
        text = re.sub(r"(intra|inter) = 0.05", r"\1 = 0.3", text)
    if task == "survey":
        (folder / "codes.txt").write_text("thanks-1\nthanks-2\n")
        text = text.replace('rewards = "" ', 'rewards = "codes.txt" ')
        text = text.replace("questionnaires = 4 ", "questionnaires = 2 ")
        text = text.replace("\nitems = 10 ", "\nitems = 4 ")
        text = text.replace("shared = 4 ", "shared = 2 ")
    config.write_text(text)
    return config


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Serve a campaign of every task; return the server and all invitations."""
    server = Server(tmp_path_factory.mktemp("accessible"), ready=True)
    try:
        links = {
            task: server.load(_write(server.folder / task, task)) for task in NAMES
        }
        server.start()
        yield server, links
    finally:
        server.kill()


@pytest.fixture
def check():
    """Return a function that looks at a page; what it finds is told at the end."""
    results = {}

    def look(page, name):
        if troubles := faults(page):
            results[f"{name}: {page.url}"] = troubles

    yield look
    assert not results, json.dumps(results, indent=1, ensure_ascii=False)


def ready(page):
    page.locator("#work[data-ready]").wait_for()


def saved(page):
    page.get_by_text("Saved", exact=True).wait_for()


def begin(page):
    page.get_by_role("button", name=re.compile("Start|Go on")).click()
    ready(page)


def test_doors(served, person, join, check):
    server, links = served
    page = person()
    page.goto(f"{server.url}/sign-in")
    check(page, "sign in")
    page.get_by_label("Name").fill("nobody")
    page.get_by_label("Password").fill("not a password")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()
    check(page, "sign in, rejected")
    page.goto(server.url + links["pairs"]["annotator"])
    check(page, "invitation")
    page.get_by_label("Password").fill("short")
    page.get_by_role("button", name="Join").click()
    page.get_by_role("alert").first.wait_for()
    check(page, "invitation, rejected")
    # What is wrong is said with the field, too.
    name = page.get_by_label("Name")
    message = name.get_attribute("aria-describedby").split()
    assert all(page.locator(f"#{one}").count() == 1 for one in message)
    assert any(
        "needs a name" in page.locator(f"#{one}").inner_text() for one in message
    )
    page.goto(server.url + links["pairs"]["annotator"])
    page.get_by_role("button", name="Join").click()
    page.get_by_role("link", name="Go on").wait_for()
    check(page, "welcome")
    assert page.goto(f"{server.url}/m/two-systems/").status == 403
    check(page, "error 403")
    assert page.goto(f"{server.url}/nowhere").status == 404
    check(page, "error 404")
    page.goto(f"{server.url}/join/nonsense")
    check(page, "invitation that is none")


def rank_two(page):
    for row in ("1", "g" if page.locator("[data-row=garbage]").count() else "2"):
        page.locator('[data-row=""] .rank-pick').first.focus()
        page.keyboard.press(row)
    page.locator('[data-row=""] .rank-pick').first.click()


MOVES = {
    "segranks": rank_two,
    "ranking": rank_two,
    "direct": lambda page: page.keyboard.type("73"),
    "pairs": lambda page: page.keyboard.press("1"),
    "edits": lambda page: [
        page.locator(f"[data-{kind}='1']").click() for kind in ("token", "gap")
    ],
}


@pytest.mark.parametrize("task", MOVES)
def test_work(task, served, person, join, check):
    server, links = served
    page = person()
    join(page, server, links[task]["annotator"])
    check(page, f"{task}: campaign")
    begin(page)
    check(page, f"{task}: fresh")
    MOVES[task](page)
    saved(page)
    page.locator("details.cannot summary").click()
    check(page, f"{task}: after some moves")
    if task in TARGETS:
        # Texts go their own way; the page around them stays.
        style = "all => all.map((one) => getComputedStyle(one).direction)"
        texts = page.locator(f".text[lang={TARGETS[task]}]")
        assert set(texts.evaluate_all(style)) == {"rtl"}
        assert set(page.locator(".text[lang=en]").evaluate_all(style)) == {"ltr"}
        assert page.locator("html, form#work").evaluate_all(style) == ["ltr"] * 2
    page.goto(f"{server.url}/c/{NAMES[task]}/finished")
    check(page, f"{task}: finished")


# ------------------------------------------------------------------- by keyboard


def rank_all(page):
    tab_to(page, page.locator(".rank-pick"))
    for number in range(page.locator(".rank-pick").count()):
        page.keyboard.press("12"[number % 2])


KEYS = {
    "segranks": rank_all,
    "ranking": rank_all,
    "direct": lambda page: use(page, page.get_by_role("slider"), "ArrowRight"),
    "pairs": lambda page: use(page, page.get_by_role("radio"), "Space"),
    "edits": lambda page: use(page, page.locator("[data-token]"), "Space"),
}


@pytest.mark.parametrize("task", KEYS)
def test_an_item_by_keyboard_alone(task, served, person):
    server, links = served
    page = person()
    page.goto(server.url + links[task]["annotator"])
    use(page, page.get_by_role("button", name="Join"))
    page.get_by_role("link", name="Go on").wait_for()
    use(page, page.get_by_role("link", name="Go on"))
    page.get_by_role("button", name="Start").wait_for()
    use(page, page.get_by_role("button", name="Start"))
    ready(page)
    KEYS[task](page)
    saved(page)
    tab_to(page, page.get_by_role("button", name="Submit"))
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) == "solid"
    before = page.url
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != before)


# ------------------------------------------------------------------------- survey


def test_survey(served, person, join, check):
    server, links = served
    page = person()
    page.goto(server.url + links["survey"]["annotator"])
    check(page, "information")
    page.get_by_role("button", name="Go on to consent").click()
    check(page, "consent")
    for choice in page.locator("input[value=no]").all():
        choice.check()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("heading", name="Thank you for your time").wait_for()
    check(page, "declined")
    page.get_by_role("link", name="Go back to the statements").click()
    # Browsers ask for answers themselves; the server's words are for those that do not.
    page.locator("form.prose").evaluate("form => { form.noValidate = true; }")
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("alert").wait_for()
    check(page, "consent without answers")
    for choice in page.locator("input[value=yes]").all():
        choice.check()
    page.get_by_role("button", name="Go on").click()
    page.locator("#code").wait_for()
    check(page, "two things to keep")
    code = page.locator("#code").text_content()
    page.get_by_role("link", name="Go on").click()
    check(page, "background")
    page.locator("[name=years]").fill("1200")
    page.get_by_role("button", name="Go on").click()
    page.get_by_text("Some answers cannot be right").wait_for()
    check(page, "background with a mistake")
    page.locator("[name=years]").fill("12")
    page.get_by_role("button", name="Go on").click()
    check(page, "sample")
    page.get_by_role("button", name="Show the reference").click()
    check(page, "sample with the reference")
    page.get_by_role("button", name="Start").click()
    for number in range(4):
        ready(page)
        if number == 0:
            check(page, "item")
            page.goto(f"{server.url}/c/word-order/")
            check(page, "coming back")
            page.get_by_role("button", name="Go on").click()
            ready(page)
        page.keyboard.press("Enter")
        page.locator("#revealed").wait_for()
        page.keyboard.press("4")
        page.keyboard.press("Tab")
        page.keyboard.press("0")
        saved(page)
        if number == 0:
            check(page, "item, answered")
        before = page.url
        use(page, page.get_by_role("button", name="Submit"))
        page.wait_for_url(lambda url, before=before: url != before)
    page.get_by_role("heading", name="Thank you!").wait_for()
    check(page, "debrief")
    page.get_by_role("link", name="Withdrawal page").click()
    check(page, "withdraw")
    page.get_by_label("Withdrawal code").fill("aaaa-bbbb-cccc")
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("alert").wait_for()
    check(page, "withdraw, unknown code")
    manager = person()
    join(manager, server, links["survey"]["manager"])
    check(manager, "overview of the survey")
    manager.goto(f"{server.url}/c/word-order/survey/print/1")
    check(manager, "survey on paper")
    page.get_by_label("Withdrawal code").fill(code)
    page.get_by_role("button", name="Go on").click()
    check(page, "withdraw, confirm")
    page.get_by_role("button", name="Delete my answers").click()
    page.get_by_role("heading", name="Your answers are deleted").wait_for()
    check(page, "withdrawn")


# ------------------------------------------------------------------------ managers


def judge(page, server, number):
    """Judge some pairs by requests, as the page's script does."""
    begin(page)
    for _ in range(number):
        ready(page)
        token = page.locator("#work input[name=csrfmiddlewaretoken]").input_value()
        reply = page.request.post(
            server.url + page.locator("#work").get_attribute("data-submit"),
            data={"answer": {"better": "a"}},
            headers={"X-CSRFToken": token, "Referer": server.url},
        )
        assert reply.ok, reply.text()
        page.goto(server.url + reply.json()["next"])


def test_manager(served, person, join, check):
    server, links = served
    manager = person()
    join(manager, server, links["ranking"]["manager"])
    manager.goto(f"{server.url}/m/sentences/")
    check(manager, "overview without judgements")
    for task in ("pairs", "direct"):
        manager.goto(server.url + links[task]["manager"])
        check(manager, "invitation for one who is signed in")
        manager.get_by_role("button", name="Join").click()
        manager.get_by_role("heading").first.wait_for()
    manager.goto(f"{server.url}/")
    assert manager.locator(".card").count() == 3
    check(manager, "home with several campaigns")

    for number in (5, 4):
        page = person()
        join(page, server, links["pairs"]["annotator"])
        judge(page, server, number)
    page.locator("details.cannot summary").click()
    page.get_by_label("Why?").fill("The source has no verb.")
    page.get_by_role("button", name="Skip it").click()
    board = f"{server.url}/m/two-systems/"
    manager.goto(board)
    manager.locator(".chart svg").first.wait_for()
    check(manager, "overview with judgements")
    for summary in manager.locator(".chart summary").all():
        summary.click()
    check(manager, "overview with numbers")
    manager.get_by_role("button", name="Pause").click()
    manager.get_by_text("The campaign is paused").wait_for()
    check(manager, "overview, paused")
    page.goto(f"{server.url}/c/two-systems/finished")
    check(page, "finished, paused")
    manager.get_by_role("button", name="Resume").click()

    manager.goto(f"{board}people/")
    check(manager, "people")
    manager.locator("tbody tr", has_text="annotator").locator("a").first.click()
    manager.get_by_role("button", name="New personal link").click()
    manager.get_by_text("It is shown only once").wait_for()
    page.context.clear_cookies()
    page.goto(manager.locator("#link").text_content())
    check(page, "personal link")
    manager.locator(".danger-zone summary").click()
    check(manager, "person")
    manager.goto(f"{board}items/?state=all")
    check(manager, "items")
    manager.goto(f"{board}items/")
    manager.locator("tbody a").first.click()
    check(manager, "item")
    manager.get_by_role("link", name="See it as annotators do").click()
    ready(manager)
    check(manager, "preview")
    manager.goto(f"{board}invitations")
    manager.get_by_role("button", name="Create a link").click()
    check(manager, "invitations")
    manager.goto(f"{board}exports")
    check(manager, "exports")
    manager.goto(f"{board}log")
    check(manager, "log")
