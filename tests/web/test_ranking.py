# SPDX-License-Identifier: Apache-2.0
"""Ranking of segments and sentences in a real browser."""

from __future__ import annotations

import json

import pytest

from support.accessibility import too_wide


def panel(page, number=0):
    return page.locator("[data-panel]").nth(number)


def card(page, text, number=0):
    return panel(page, number).locator(".rank-card", has_text=text)


def row(page, name, number=0):
    return panel(page, number).locator(f'[data-row="{name}"]')


def in_row(page, name, number=0):
    texts = row(page, name, number).locator(".rank-card .text").all_text_contents()
    return sorted(texts)


def saved(page):
    page.get_by_text("Saved", exact=True).wait_for()


def drag(page, start, end):
    """Drag with the mouse from the middle of one thing to that of another."""
    start.scroll_into_view_if_needed()
    a, b = start.bounding_box(), end.bounding_box()
    page.mouse.move(a["x"] + 30, a["y"] + a["height"] / 2)
    page.mouse.down()
    page.mouse.move(a["x"] + 40, a["y"] + a["height"] / 2 + 10, steps=3)
    page.mouse.move(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2, steps=6)
    page.mouse.up()


SENTENCES = [
    {
        "sentence": "1",
        "source": "The quiet lake , they said , froze over last night .",
        "reference": "Tiché jezero prý minulou noc zamrzlo .",
        "segments": [
            {"indices": [0, 1, 2, 7], "text": "The quiet lake froze",
             "candidates": ["Klidné jezero zmrzlo", "Ticho jezero mráz",
                            "Tiché jezero zamrzlo"]},
            {"indices": [9, 10], "text": "last night",
             "candidates": ["minulou noc", "אתמול בלילה , שקט"]},
            {"indices": [8], "text": "over", "candidates": ["přes"]},
        ],
    }
]  # fmt: skip
ORIGINS = [
    ("The quiet lake froze", "pinesys", "Klidné jezero zmrzlo", "0 1 2 7"),
    ("The quiet lake froze", "oaksys", "Tiché jezero zamrzlo", "0 1 2 7"),
    ("The quiet lake froze", "elmsys", "Ticho jezero mráz", "0 1 2 7"),
    ("last night", "pinesys", "minulou noc", "9 10"),
    ("last night", "oaksys", "minulou noc", "9 10"),
    ("last night", "elmsys", "אתמול בלילה , שקט", "9 10"),
]
SYSTEMS = ("pinesys", "oaksys", "elmsys")


@pytest.fixture
def segments(server):
    """Serve one sentence with two segments to rank."""
    config = server.new("segranks")
    lines = "".join(json.dumps(one) + "\n" for one in SENTENCES)
    (config.parent / "candidates.jsonl").write_text(lines, encoding="utf-8")
    rows = ["segment\tpart\tsystem\ttext\tpart_indices"]
    rows += ["\t".join(("1", *one)) for one in ORIGINS]
    (config.parent / "systems.tsv").write_text("\n".join(rows), encoding="utf-8")
    links = server.load(config)
    server.start()
    return links


@pytest.fixture
def work(server, segments, person, join):
    """Return a function that opens the item in a new browser."""

    def go(**settings):
        page = person(**settings)
        join(page, server, segments["annotator"])
        page.get_by_role("button", name="Start").click()
        page.locator("#work[data-ready]").wait_for()
        return page

    return go


def test_mouse(server, work, picture):
    page = work()
    assert not [name for name in SYSTEMS if name in page.content()]
    # Words of the segment are marked in the whole source, gaps are not.
    marks = panel(page).locator("xpath=..").locator("mark").all_text_contents()
    assert marks == ["The quiet lake", "froze"]
    assert page.locator(".rank-panel").count() == 2
    submit = page.get_by_role("button", name="Submit")
    picture(page, "segranks-empty")

    drag(page, card(page, "Tiché jezero"), row(page, 1))
    assert in_row(page, 1) == ["Tiché jezero zamrzlo"]
    drag(page, card(page, "Klidné"), row(page, 1))
    assert in_row(page, 1) == ["Klidné jezero zmrzlo", "Tiché jezero zamrzlo"]
    drag(page, card(page, "Ticho"), row(page, "garbage"))
    assert in_row(page, "garbage") == ["Ticho jezero mráz"]
    assert submit.is_disabled()
    # Not into a row of another segment.
    drag(page, card(page, "minulou", 1), row(page, 2))
    assert in_row(page, "", 1) == ["minulou noc", "אתמול בלילה, שקט"]
    drag(page, card(page, "minulou", 1), row(page, 1, 1))
    saved(page)

    page.get_by_role("button", name="Undo").click()
    assert "minulou noc" in in_row(page, "", 1)
    page.keyboard.press("Control+z")
    assert in_row(page, "garbage") == []
    saved(page)
    page.reload()
    page.locator("#work[data-ready]").wait_for()
    assert in_row(page, 1) == ["Klidné jezero zmrzlo", "Tiché jezero zamrzlo"]
    assert in_row(page, "") == ["Ticho jezero mráz"]

    drag(page, card(page, "Ticho"), row(page, "garbage"))
    drag(page, card(page, "minulou", 1), row(page, 1, 1))
    assert submit.is_disabled()
    hebrew = card(page, "אתמול", 1)
    assert (
        hebrew.locator(".text").evaluate("e => getComputedStyle(e).direction") == "rtl"
    )
    drag(page, hebrew, row(page, 2, 1))
    assert submit.is_enabled()
    picture(page, "segranks-done")
    saved(page)
    submit.click()
    page.get_by_role("heading", name="The campaign is complete").wait_for()

    server.tertium("campaign", "export", "segments", "-o", "s", "--format", "parquet")
    ranked = json.loads(server.tertium("rank", "s", "-f", "json", "-q"))
    assert all(name in json.dumps(ranked) for name in SYSTEMS)
    server.tertium("agree", "s", "-f", "json", "-q")
    server.tertium(
        "campaign", "export", "segments", "-o", "l.json", "--format", "legacy-json"
    )
    legacy = json.loads((server.folder / "l.json").read_text(encoding="utf-8"))
    assert legacy["1,The quiet lake froze"] == [
        {"Klidné jezero zmrzlo": 1, "Ticho jezero mráz": 4, "Tiché jezero zamrzlo": 1}
    ]
    assert legacy["1,last night"] == [{"minulou noc": 1, "אתמול בלילה , שקט": 2}]
    server.tertium(
        "judgements", "import", "l.json", "-o", "t",
        "--systems", server.folder / "segranks" / "systems.tsv",
    )  # fmt: skip
    again = json.loads(server.tertium("rank", "t", "-f", "json", "-q"))
    assert all(name in json.dumps(again) for name in SYSTEMS)


def test_keyboard(work, picture):
    page = work()
    first = panel(page).locator(".rank-pick").first
    first.focus()
    texts = panel(page).locator(".rank-card .text").all_text_contents()
    page.keyboard.press("2")
    assert in_row(page, 2) == [texts[0]]
    message = page.locator("#rank-said")
    assert message.text_content() == f"{texts[0]}: Rank 2. Left to place: 2."
    # The next candidate is in hand.
    page.keyboard.press("g")
    page.keyboard.press("2")
    assert in_row(page, 2) == sorted([texts[0], texts[2]])
    assert in_row(page, "garbage") == [texts[1]]
    # Then those of the next segment.
    page.keyboard.press("9")
    assert message.text_content() == "There is no such row."
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert len(in_row(page, 2, 1)) == 1
    page.keyboard.press("ArrowUp")
    assert len(in_row(page, 1, 1)) == 1
    picture(page, "segranks-keyboard", full=False)
    page.keyboard.press("Backspace")
    assert len(in_row(page, "", 1)) == 2
    page.keyboard.press("1")
    page.keyboard.press("0")
    assert len(in_row(page, "garbage", 1)) == 1
    # Nothing is left, so Submit is next.
    assert page.evaluate("document.activeElement.id") == "submit"
    page.keyboard.press("Control+z")
    assert page.locator("#submit").is_disabled()
    # What was taken back is in hand. Enter chooses it, then its row by a button.
    left = panel(page, 1).locator('[data-row=""] .rank-pick')
    assert left.evaluate("e => e === document.activeElement")
    page.keyboard.press("Enter")
    assert left.get_attribute("aria-pressed") == "true"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert len(in_row(page, 2, 1)) == 1
    saved(page)
    page.locator("#submit").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="The campaign is complete").wait_for()


PHONE = {
    "viewport": {"width": 360, "height": 640},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


def swipe(page, start, end):
    """Drag with a finger: the real events of touch, through the browser's protocol."""
    start.scroll_into_view_if_needed()
    a, b = start.bounding_box(), end.bounding_box()
    x, y = a["x"] + a["width"] / 2, a["y"] + a["height"] / 2
    to_x, to_y = b["x"] + b["width"] / 2, b["y"] + b["height"] / 2
    touch = page.context.new_cdp_session(page)

    def send(kind, *points):
        results = [{"x": px, "y": py} for px, py in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": results})

    send("touchStart", (x, y))
    for step in range(1, 9):
        send("touchMove", (x + (to_x - x) * step / 8, y + (to_y - y) * step / 8))
    page.wait_for_timeout(150)  # a finger that stops; else it is a fling
    send("touchMove", (to_x, to_y))
    send("touchEnd")


def test_touch(work, picture):
    page = work(**PHONE)
    page.locator(".instructions summary").tap()
    assert not too_wide(page)
    picture(page, "segranks-phone")
    # Choose a candidate, then a number under it.
    card(page, "Tiché").locator("button").first.tap()
    picture(page, "segranks-phone-chosen", full=False)
    card(page, "Tiché").get_by_role("button", name="Rank 1").tap()
    assert in_row(page, 1) == ["Tiché jezero zamrzlo"]
    # Choose one, then tap a row.
    card(page, "Klidné").locator("button").first.tap()
    row(page, 1).locator(".rank-label").tap()
    assert len(in_row(page, 1)) == 2
    # Or drag it at its grip.
    swipe(page, card(page, "Ticho").locator(".rank-grip"), row(page, "garbage"))
    assert in_row(page, "garbage") == ["Ticho jezero mráz"]
    # A choice can be given up.
    card(page, "Klidné").locator("button").first.tap()
    card(page, "Klidné").locator("button").first.tap()
    assert panel(page).locator(".rank-choice").is_hidden()
    for target in page.locator(".rank-pick, .rank-grip").all():
        assert min(target.bounding_box()[side] for side in ("width", "height")) >= 44
    card(page, "minulou", 1).locator("button").first.tap()
    card(page, "minulou", 1).get_by_role("button", name="Garbage").tap()
    card(page, "אתמול", 1).locator("button").first.tap()
    card(page, "אתמול", 1).get_by_role("button", name="Rank 2").tap()
    assert not too_wide(page)
    picture(page, "segranks-phone-done")
    saved(page)
    page.get_by_role("button", name="Submit").tap()
    page.get_by_role("heading", name="The campaign is complete").wait_for()


def test_sentences(server, person, join, picture):
    config = server.new("ranking")
    links = server.load(config)
    server.start()
    page = person(**PHONE)
    join(page, server, links["annotator"])
    page.get_by_role("button", name="Start").tap()
    page.locator("#work[data-ready]").wait_for()
    page.locator(".instructions summary").tap()
    assert not too_wide(page)
    picture(page, "ranking-phone")
    # Outputs are long: everything goes on where the finger is.
    number = page.locator(".rank-card").count()
    for place in range(1, number + 1):
        first = page.locator('[data-row=""] .rank-card').first
        first.locator("button").first.tap()
        if place == 2:
            picture(page, "ranking-phone-chosen", full=False)
        first.get_by_role("button", name=f"Rank {place}", exact=True).tap()
    page.set_viewport_size({"width": 1200, "height": 900})
    picture(page, "ranking-wide")
    saved(page)
    before = page.url
    page.get_by_role("button", name="Submit").tap()
    page.wait_for_url(lambda url: url != before)
    page.locator("#work[data-ready]").wait_for()
    assert page.locator("[data-row=garbage]").count() == 0
    server.tertium(
        "campaign", "export", "sentences", "-o", "w.csv", "--format", "wmt-csv"
    )
    server.tertium("judgements", "import", "w.csv", "-o", "w")
    assert "good" in server.tertium("rank", "w", "-f", "json", "-q")
