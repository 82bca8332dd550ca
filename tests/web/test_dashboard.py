# SPDX-License-Identifier: Apache-2.0
"""The manager's dashboard in a real browser: every page, light, dark and narrow."""

from __future__ import annotations

import json
import re

import pytest

from support.accessibility import too_wide

TEXTS = {
    "alphasys": "a good text",
    "betasys": "some fair words",
    "gammasys": "bad",
}


@pytest.fixture
def campaign(server):
    """Serve a campaign of 36 items with much that is judged twice."""
    config = server.new("pairs")
    lines = [
        {"id": f"s{n}", "src": f"source {n}", "ref": [f"reference {n}"],
         "tgt": {system: f"{text} {n}" for system, text in TEXTS.items()}}
        for n in range(12)
    ]  # fmt: skip
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (config.parent / "set.jsonl").write_text(text)
    settings = config.read_text().replace('items = "demo" ', 'items = "set.jsonl" ')
    settings = re.sub(r"(intra|inter) = 0.05", r"\1 = 0.3", settings)
    config.write_text(settings)
    links = server.load(config)
    server.start()
    return links


def work(page, server, number, *, wild=False):
    """Judge some items by requests, as the page's script does; return the last page."""
    page.get_by_role("button", name=re.compile("Start|Go on")).click()
    for n in range(number):
        page.locator("#work[data-ready]").wait_for()
        sides = page.locator("label.side:not(.equal) .text").all_inner_texts()
        keys = page.locator("label.side:not(.equal) input").evaluate_all(
            "inputs => inputs.map(one => one.value)"
        )
        best = min(
            range(2), key=lambda i: list(TEXTS.values()).index(sides[i][:-2].strip())
        )
        chosen = "equal" if wild and n % 3 == 0 else keys[best]
        token = page.locator("#work input[name=csrfmiddlewaretoken]").input_value()
        reply = page.request.post(
            server.url + page.locator("#work").get_attribute("data-submit"),
            data={"answer": {"better": chosen}},
            headers={"X-CSRFToken": token, "Referer": server.url},
        )
        assert reply.ok, reply.text()
        page.goto(server.url + reply.json()["next"])


def test_dashboard(server, campaign, person, join, picture):
    manager = person()
    join(manager, server, campaign["manager"])
    board = f"{server.url}/m/two-systems/"
    manager.goto(board)
    assert "there are no judgements yet" in manager.content()
    picture(manager, "dashboard-empty")
    for n in range(3):
        page = person()
        join(page, server, campaign["annotator"])
        work(page, server, 6, wild=n == 2)
    page.locator("details.cannot summary").click()
    page.get_by_label("Why?").fill("The source has no verb.")
    page.get_by_role("button", name="Skip it").click()

    # Numbers older than a few seconds are computed again, on a slow machine later.
    for _ in range(30):
        manager.goto(board)
        if manager.locator(".chart svg").count() >= 5:
            break
        manager.wait_for_timeout(1000)
    assert manager.locator(".chart svg").count() >= 5
    message = manager.locator("main").inner_text()
    assert "nan" not in message.lower().split()
    assert "alphasys" in message
    assert "The source has no verb." in message
    manager.locator(".chart summary").first.click()
    assert manager.locator(".chart table").first.is_visible()
    manager.locator(".chart summary").first.click()

    # An item goes back, and to somebody else.
    manager.get_by_role("button", name="Take back").first.click()
    manager.get_by_text("The item was taken back.").wait_for()
    manager.get_by_role("button", name="Pause").click()
    manager.get_by_text("The campaign is paused").wait_for()
    manager.get_by_role("button", name="Resume").click()

    # A preview checks answers and stores nothing.
    manager.goto(f"{board}items/")
    manager.locator("tbody a").first.click()
    item = manager.url
    manager.get_by_role("link", name="See it as annotators do").click()
    manager.locator("#work[data-ready]").wait_for()
    manager.keyboard.press("1")
    manager.locator("#submit:enabled").wait_for()
    assert "alphasys" not in manager.content()
    assert not manager.get_by_text("Saved", exact=True).count()
    picture(manager, "dashboard-preview")
    manager.get_by_role("button", name="Submit").click()
    manager.wait_for_url(item)
    # Nor does one that is left: the browser has no drafts of it.
    manager.get_by_role("link", name="See it as annotators do").click()
    manager.locator("#work[data-ready]").wait_for()
    manager.keyboard.press("1")
    manager.locator("#submit:enabled").wait_for()
    manager.goto(item)
    names = manager.evaluate("Object.keys(localStorage)")
    assert not [name for name in names if name.startswith("tertium-draft")]

    manager.goto(f"{board}invitations")
    manager.get_by_label("Role").select_option("observer")
    manager.get_by_label("Group").fill("department")
    manager.get_by_role("button", name="Create a link").click()
    link = manager.locator(".invitations li:target code").inner_text()

    manager.goto(f"{board}exports")
    with manager.expect_download() as waiting:
        manager.get_by_role("button", name="Download").click()
    assert waiting.value.suggested_filename.endswith(".jsonl")
    lines = waiting.value.path().read_text().splitlines()
    assert len(lines) == 18

    manager.goto(f"{board}people/")
    # All columns are in sight at the usual width.
    table = manager.locator(".scroll").first
    assert table.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
    code = manager.locator("tbody tr", has_text="annotator").first.locator("code")
    somebody = f"{board}people/{code.inner_text()}/"
    manager.goto(somebody)
    manager.get_by_role("button", name="New personal link").click()
    manager.get_by_text("It is shown only once").wait_for()

    pages = {
        "overview": board,
        "people": f"{board}people/",
        "person": somebody,
        "items": f"{board}items/",
        "item": item,
        "invitations": f"{board}invitations",
        "exports": f"{board}exports",
        "log": f"{board}log",
    }
    for name, address in pages.items():
        manager.goto(address)
        for scheme, width in (("light", 1200), ("dark", 1200), ("light", 360)):
            manager.emulate_media(color_scheme=scheme)
            manager.set_viewport_size({"width": width, "height": 800})
            picture(manager, f"dashboard-{name}-{scheme}-{width}")
            assert not too_wide(manager), (name, width)

    observer = person()
    join(observer, server, link.removeprefix(server.url))
    observer.goto(board)
    assert observer.get_by_role("link", name="Invitations").count() == 0
    assert observer.get_by_role("button", name="Take back").count() == 0
    picture(observer, "dashboard-observer")
