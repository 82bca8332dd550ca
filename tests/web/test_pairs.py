# SPDX-License-Identifier: Apache-2.0
"""Two-way comparison in a real browser."""

from __future__ import annotations

import json
import resource

import pytest


@pytest.fixture
def campaign(server):
    """Serve a campaign of six items."""
    config = server.new("pairs")
    lines = [
        {"id": f"s{n}", "src": f"source {n}", "ref": [f"reference {n}"],
         "tgt": {"alphasys": f"good text {n}", "betasys": f"bad {n}"}}
        for n in range(6)
    ]  # fmt: skip
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (config.parent / "set.jsonl").write_text(text)
    settings = config.read_text().replace('items = "demo" ', 'items = "set.jsonl" ')
    config.write_text(settings)
    links = server.load(config)
    server.start()
    return links


def judge(page):
    """Say that the translation that is "good text" is better; submit."""
    page.locator("#work[data-ready]").wait_for()
    page.locator("label.side", has_text="good text").click()
    page.get_by_text("Saved", exact=True).wait_for()
    before = page.url
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url(lambda url: url != before)


def two_tabs(server, campaign, person, join):
    """Open one item in two tabs of the same person."""
    first = person()
    join(first, server, campaign["annotator"])
    first.get_by_role("button", name="Start").click()
    first.locator("#work[data-ready]").wait_for()
    second = first.context.new_page()
    second.goto(first.url)
    second.locator("#work[data-ready]").wait_for()
    return first, second


def chosen(page):
    return page.locator("input:checked").get_attribute("aria-keyshortcuts")


def test_judgements_reach_the_ranking(server, campaign, person, join, picture):
    page = person()
    join(page, server, campaign["annotator"])
    page.get_by_role("button", name="Start").click()
    picture(page, "pairs")
    assert "alphasys" not in page.content()
    for _ in range(6):
        judge(page)
    page.get_by_role("heading", name="The campaign is complete").wait_for()
    server.tertium(
        "campaign", "export", "two-systems", "-o", "s", "--format", "parquet"
    )
    ranked = json.loads(server.tertium("rank", "s", "-f", "json", "-q"))
    assert "alphasys" in json.dumps(ranked)


def test_work_goes_on_after_a_killed_server(server, campaign, person, join):
    page = person()
    join(page, server, campaign["annotator"])
    page.get_by_role("button", name="Start").click()
    page.locator("#work[data-ready]").wait_for()
    server.kill()
    page.keyboard.press("1")
    page.get_by_text("No connection").wait_for()
    server.start()
    page.get_by_text("Saved", exact=True).wait_for(timeout=15_000)
    page.reload()
    assert page.locator("input:checked").count() == 1


def test_the_last_move_counts_in_two_tabs(server, campaign, person, join):
    first, second = two_tabs(server, campaign, person, join)
    for page, key in ((first, "1"), (second, "2")):
        page.keyboard.press(key)
        page.get_by_text("Saved", exact=True).wait_for()
    second.evaluate("localStorage.clear()")  # what the server kept, not the browser
    second.reload()
    second.locator("#work[data-ready]").wait_for()
    assert chosen(second) == "2"


def test_another_answer_from_a_second_tab_shows_which_one_stands(
    server, campaign, person, join, picture
):
    first, second = two_tabs(server, campaign, person, join)
    second.keyboard.press("2")
    second.get_by_text("Saved", exact=True).wait_for()
    first.keyboard.press("1")
    first.get_by_text("Saved", exact=True).wait_for()
    here = first.url
    first.get_by_role("button", name="Submit").click()
    first.wait_for_url(lambda url: url != here)
    second.get_by_role("button", name="Submit").click()
    second.get_by_role("alert").get_by_text("already submitted an answer").wait_for()
    assert second.url == here
    assert chosen(second) == "1"  # what stands, not what was chosen here
    assert second.locator("#submit").is_disabled()
    picture(second, "pairs-conflict")
    second.keyboard.press("2")  # nothing changes it any more
    assert chosen(second) == "1"
    second.get_by_role("alert").get_by_role("link", name="Go on").click()
    second.get_by_text("You have judged 1 item.").wait_for()


def test_a_move_in_a_second_tab_after_submission_shows_which_answer_stands(
    server, campaign, person, join
):
    first, second = two_tabs(server, campaign, person, join)
    first.keyboard.press("1")
    first.get_by_text("Saved", exact=True).wait_for()
    here = first.url
    first.get_by_role("button", name="Submit").click()
    first.wait_for_url(lambda url: url != here)
    second.keyboard.press("2")
    second.get_by_role("alert").get_by_text("already submitted an answer").wait_for()
    assert chosen(second) == "1"


def test_nothing_is_lost_on_a_full_disk(server, campaign, person, join, picture):
    """No file of the server can grow, as on a full disk, and then it can again."""
    if "://" in server.database:
        pytest.skip("another process writes the files of PostgreSQL")
    page = person()
    join(page, server, campaign["annotator"])
    page.get_by_role("button", name="Start").click()
    page.locator("#work[data-ready]").wait_for()
    number = server.process.pid
    before = resource.prlimit(number, resource.RLIMIT_FSIZE)
    resource.prlimit(number, resource.RLIMIT_FSIZE, (0, before[1]))
    page.reload()
    page.get_by_role("alert").get_by_text("Nothing that was saved is lost").wait_for()
    page.locator("#work[data-ready]").wait_for()
    page.keyboard.press("2")
    page.get_by_text("The server cannot save at the moment").wait_for()
    here = page.url
    page.get_by_role("button", name="Submit").click()
    page.get_by_text("The server cannot save at the moment").wait_for()
    picture(page, "pairs-full-disk")
    page.reload()
    page.locator("#work[data-ready]").wait_for()
    assert chosen(page) == "2"  # kept in the browser
    page.get_by_role("button", name="Submit").click()
    resource.prlimit(number, resource.RLIMIT_FSIZE, before)
    page.wait_for_url(lambda url: url != here)  # sent again by itself
    lines = server.tertium("campaign", "export", "two-systems", "-o", "-", "-q")
    assert len(lines.splitlines()) == 1
