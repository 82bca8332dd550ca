# SPDX-License-Identifier: Apache-2.0
"""Edit positions in a real browser: click, drag, keys, touch, resume, export."""

from __future__ import annotations

import json

import pytest

from support.accessibility import too_wide

OUTPUT = "Der alte Hund haben gestern im Garten langsam hinter Zaun geschlafen ."


@pytest.fixture
def campaign(server):
    """Serve a campaign of three items, one of them from right to left."""
    config = server.new("edits")
    outputs = [OUTPUT, "Das ist gut .", "הכלב ישן מאחורי הגדר בגינה אתמול"]
    lines = [
        {"id": f"s{n}", "src": f"The old dog slept behind the fence, {n}.",
         "ref": ["Der alte Hund schlief gestern im Garten hinter dem Zaun."],
         "tgt": {"alphasys": output}}
        for n, output in enumerate(outputs)
    ]  # fmt: skip
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (config.parent / "set.jsonl").write_text(text)
    settings = config.read_text().replace('items = "demo" ', 'items = "set.jsonl" ')
    settings = settings.replace('order = "random"', 'order = "file"')
    config.write_text(settings)
    links = server.load(config)
    server.start()
    return links


def begin(page, server, link, join):
    join(page, server, link)
    page.get_by_role("button", name="Start").click()
    page.locator("#work[data-ready]").wait_for()


def marked(page):
    """Return which tokens and gaps are marked."""
    result = page.locator("#tokens button[aria-pressed=true]")
    return result.evaluate_all(
        "all => all.map(({ dataset: d }) => (d.token ? `t${d.token}` : `g${d.gap}`))"
    )


def token(page, place):
    return page.locator(f"[data-token='{place}']")


def gap(page, place):
    return page.locator(f"[data-gap='{place}']")


def centre(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def next_item(page):
    page.get_by_text("Saved", exact=True).wait_for()
    before = page.url
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url(lambda url: url != before)


def test_marks_by_mouse_and_keys(server, campaign, person, join, picture):
    page = person()
    begin(page, server, campaign["annotator"], join)
    submit = page.get_by_role("button", name="Submit")
    nothing = page.get_by_role("button", name="Nothing to change")
    assert submit.is_disabled()
    assert "alphasys" not in page.content()
    picture(page, "edits-unmarked")
    token(page, 3).click()
    assert marked(page) == ["t3"]
    token(page, 3).click()
    assert marked(page) == []
    assert submit.is_disabled()
    # A drag takes in what lies between, and gives back what it leaves again.
    page.mouse.move(*centre(token(page, 4)))
    page.mouse.down()
    page.mouse.move(*centre(token(page, 7)), steps=5)
    page.mouse.move(*centre(token(page, 6)), steps=5)
    page.mouse.up()
    assert marked(page) == ["t4", "t5", "t6"]
    gap(page, 9).click()
    assert marked(page) == ["t4", "t5", "t6", "g9"]
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    assert marked(page) == []
    nothing.click()
    assert submit.is_enabled()
    token(page, 3).click()
    assert nothing.get_attribute("aria-pressed") == "false"

    # Keys: the group is one stop of Tab; arrows move from there.
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert marked(page) == ["t3", "t4"]
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert marked(page) == ["t3", "t4", "t5", "g6", "t6"]
    page.keyboard.press("End")
    page.keyboard.press("Space")
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.dataset.gap") == "0"
    page.keyboard.press("ArrowDown")  # to the line below, and back
    assert page.evaluate("document.activeElement.dataset.gap") == "9"
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.gap") == "0"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "none"
    page.get_by_text("Saved", exact=True).wait_for()
    picture(page, "edits")
    page.reload()
    page.locator("#work[data-ready]").wait_for()
    assert marked(page) == ["t3", "t4", "t5", "g6", "t6", "g12"]
    gap(page, 9).click()
    next_item(page)
    nothing.click()
    picture(page, "edits-nothing")
    next_item(page)
    # From right to left, "ahead" is the arrow to the left.
    token(page, 0).focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    assert marked(page) == ["t1"]
    first, second = centre(token(page, 0)), centre(token(page, 1))
    assert first[0] > second[0]
    picture(page, "edits-right-to-left")
    next_item(page)

    out = "spans.jsonl"
    words = ("campaign", "export", "edit-positions", "-o", out)
    server.tertium(*words, "--format", "tertium-jsonl")
    lines = (server.folder / out).read_text().splitlines()
    results = [json.loads(line) for line in lines]
    spans = [one for one in results if one.get("segment") == "s0"]
    assert {one["text"] for one in spans if one["category"] == "edit"} == {
        "haben gestern im Garten"
    }
    assert sorted(one["start"] for one in spans if one["category"] == "missing") == [
        OUTPUT.index(" Garten"),
        OUTPUT.index(" Zaun"),
        len(OUTPUT),
    ]
    assert {o["severity"] for o in results if o.get("segment") == "s1"} == {"no-error"}
    server.tertium(
        "campaign", "export", "edit-positions", "-o", "s", "--format", "parquet"
    )
    assert "alphasys" in server.tertium("rank", "s", "-f", "json", "-q")


def test_marks_by_touch(server, campaign, person, join, picture):
    page = person(
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        color_scheme="dark",
    )
    begin(page, server, campaign["annotator"], join)
    page.locator(".instructions summary").tap()
    assert not too_wide(page)
    sizes = page.locator("#tokens button").evaluate_all(
        "all => all.map((b) => Math.min(b.offsetWidth, b.offsetHeight))"
    )
    assert min(sizes) >= 44
    token(page, 3).tap()
    gap(page, 9).tap()
    assert marked(page) == ["t3", "g9"]
    # A finger that moves along a line marks; one that moves up scrolls.
    touch(page, token(page, 0), token(page, 1))
    assert marked(page) == ["t0", "t1", "t3", "g9"]
    picture(page, "edits-dark-360", full=False)
    top = page.evaluate("scrollY")
    touch(page, token(page, 8), page.locator("h1"))
    assert marked(page) == ["t0", "t1", "t3", "g9"]
    assert page.evaluate("scrollY") > top
    page.get_by_text("Saved", exact=True).wait_for()
    page.reload()
    page.locator("#work[data-ready]").wait_for()
    assert marked(page) == ["t0", "t1", "t3", "g9"]


def touch(page, start, end):
    """Move a finger, as the browser gets it from a screen."""
    (x, y), (to_x, to_y) = centre(start), centre(end)
    client = page.context.new_cdp_session(page)

    def send(kind, *points):
        results = [{"x": a, "y": b} for a, b in points]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": results})

    send("touchStart", (x, y))
    for n in range(1, 9):
        send("touchMove", (x + (to_x - x) * n / 8, y + (to_y - y) * n / 8))
    send("touchEnd")
    client.detach()
