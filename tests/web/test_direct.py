# SPDX-License-Identifier: Apache-2.0
"""Direct assessment in a real browser: mouse, keys, touch, resume, export."""

from __future__ import annotations

import json

import pytest

from support.accessibility import too_wide


@pytest.fixture
def campaign(server):
    """Serve a campaign of eight items with checks."""
    config = server.new("direct")
    good = "Der Bus nach Norden fährt heute leider erst am späten Nachmittag ab."
    lines = [
        {"id": f"s{n}", "doc": "notices",
         "src": f"Notice {n}: the bus to the north leaves late in the afternoon today.",
         "ref": [f"Hinweis {n}: Der Bus in den Norden fährt heute spät nachmittags."],
         "tgt": {"alphasys": f"Meldung {n}: {good}",
                 "betasys": f"Meldung {n}: Busse sind Nord, spät {n} Uhr gehen."}}
        for n in range(4)
    ]  # fmt: skip
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (config.parent / "set.jsonl").write_text(text)
    settings = config.read_text().replace('items = "demo" ', 'items = "set.jsonl" ')
    settings = settings.replace("checks = 0.1", "checks = 0.5")
    config.write_text(settings.replace("intra = 0.05", "intra = 0.3"))
    links = server.load(config)
    server.start()
    return links


def begin(page, server, link, join):
    join(page, server, link)
    page.get_by_role("button", name="Start").click()
    page.locator("#work[data-ready]").wait_for()
    return page.get_by_role("slider")


def test_the_slider_by_mouse_and_keys(server, campaign, person, join, picture):
    page = person()
    slider = begin(page, server, campaign["annotator"], join)
    submit = page.get_by_role("button", name="Submit")
    picture(page, "direct-untouched")
    content = page.content()
    assert "alphasys" not in content
    assert "betasys" not in content
    # Looking, tabbing there and clicking on the question is not an answer.
    page.locator("#question").click()
    slider.focus()
    assert slider.get_attribute("aria-valuetext") == "no score yet"
    assert submit.is_disabled()
    page.keyboard.press("Enter")
    assert page.locator("#given").inner_text() == "no score yet"

    box = slider.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.click(*middle)  # where the slider secretly is
    assert slider.get_attribute("aria-valuetext") == "50 of 100"
    assert submit.is_enabled()
    page.get_by_role("button", name="Undo").click()
    assert slider.get_attribute("aria-valuetext") == "no score yet"
    assert submit.is_disabled()
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.8, middle[1], steps=4)
    page.mouse.up()
    assert 76 <= int(slider.input_value()) <= 84

    for key, score in {
        "End": "100",
        "ArrowLeft": "99",
        "PageDown": "89",
        "Home": "0",
        "ArrowRight": "1",
    }.items():
        slider.press(key)
        assert slider.get_attribute("aria-valuetext") == f"{score} of 100"
    page.locator("h1").click()  # digits need no focus
    page.keyboard.type("73")
    assert slider.get_attribute("aria-valuetext") == "73 of 100"
    picture(page, "direct")
    page.get_by_text("Saved", exact=True).wait_for()
    page.reload()
    page.locator("#work[data-ready]").wait_for()
    assert slider.get_attribute("aria-valuetext") == "73 of 100"
    before = page.url
    slider.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != before)
    assert slider.get_attribute("aria-valuetext") == "no score yet"


def test_scores_and_checks_reach_the_export(server, campaign, person, join, picture):
    page = person(
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        color_scheme="dark",
    )
    slider = begin(page, server, campaign["annotator"], join)
    assert not too_wide(page)
    picture(page, "direct-dark-360-untouched")
    number = 0
    while page.get_by_role("heading", name="The campaign is complete").count() == 0:
        page.locator("#work[data-ready]").wait_for()
        box = slider.bounding_box()
        right = "Der Bus nach Norden fährt" in page.locator(".output").inner_text()
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        part = 0.9 if right else 0.2
        page.touchscreen.tap(
            box["x"] + box["width"] * part, box["y"] + box["height"] / 2
        )
        page.get_by_text("Saved", exact=True).wait_for()
        if number == 1:
            picture(page, "direct-dark-360")
            assert not too_wide(page)
        before = page.url
        page.get_by_role("button", name="Submit").tap()
        page.wait_for_url(lambda url, before=before: url != before)
        number += 1
    assert number == 8 + 4 + 2  # items, checks, repeats
    name = "direct-assessment"
    server.tertium("campaign", "export", name, "-o", "answers.jsonl")
    lines = (server.folder / "answers.jsonl").read_text().splitlines()
    kinds = [json.loads(line)["kind"] for line in lines]
    assert (kinds.count("work"), kinds.count("check")) == (10, 4)
    server.tertium("campaign", "export", name, "-o", "s", "--format", "parquet")
    ranked = json.loads(server.tertium("rank", "s", "-f", "json", "-q"))
    text = json.dumps(ranked)
    assert text.index("alphasys") < text.index("betasys")
    assert "DA" in server.tertium("agree", "s", "-f", "json", "-q")
