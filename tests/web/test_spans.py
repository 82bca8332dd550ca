# SPDX-License-Identifier: Apache-2.0
"""Error spans in a real browser: mouse, finger and keyboard, any script, any width."""

from __future__ import annotations

import json

import pytest

from support.accessibility import faults, too_wide
from support.keyboard import tab_to, use
from support.span_page import (
    click,
    drag,
    exported,
    marks,
    middle,
    open_item,
    ready,
    rect,
    saved,
    score_all,
    submit,
)

TASKS = ("esa", "mqm", "cesa")


# --------------------------------------------------------------------------- mouse


def test_a_whole_screen_by_mouse(server, person, join):
    config = server.new("esa")
    links = server.load(config)
    server.start()
    page = person()
    open_item(page, server, links, join)
    cells = page.locator(".cell")
    number = cells.count()
    area = cells.nth(0).locator(".marked")
    words = area.text_content().split()
    click(page, area, words[1])
    drag(page, area, words[2], words[3])
    assert marks(cells.nth(0)) == [words[1], f"{words[2]} {words[3]}"]
    cells.nth(0).locator(".severity").last.click()
    cells.nth(0).get_by_role("button", name="End later").click()
    cells.nth(0).get_by_role("button", name="Delete the mark").first.click()
    longer = f"{words[2]} {words[3]} {words[4].rstrip('.,')}"
    assert marks(cells.nth(0)) == [longer]
    for name, count in (("Undo", 2), ("Redo", 1)):
        page.get_by_role("button", name=name, exact=True).click()
        assert len(marks(cells.nth(0))) == count
    cells.nth(1).locator(".missing").click()
    assert page.get_by_role("button", name="Submit").is_disabled()
    score_all(page)
    saved(page)
    submit(page)
    (line,) = exported(server, "error-spans-esa")
    entries = line["answer"]["outputs"]["a"]
    text = line["content"]["paragraphs"][0]["outputs"]["a"]
    (mark,) = entries[0]["marks"]
    assert text[mark["start"] : mark["end"]] == longer
    assert mark["severity"] == "major"
    assert entries[1]["marks"] == [{"start": None, "end": None, "severity": "minor"}]
    assert len(entries) == number
    assert len({entry["score"] for entry in entries}) > 1
    assert 0 <= line["answer"]["document"]["a"] <= 100
    spans = server.tertium("campaign", "export", "error-spans-esa", "-o", "store",
                           "--format", "parquet")  # fmt: skip
    assert spans is not None
    report = server.tertium("judgements", "stats", "store", "-f", "json")
    assert json.loads(report)


def test_a_click_on_the_end_of_a_word_marks_the_word(short):
    page = short("Die letzte Fähre fährt am Abend.")
    cell = page.locator(".cell")
    box = rect(cell.locator(".marked"), "Abend")
    page.mouse.click(box["right"] - 1, (box["top"] + box["bottom"]) / 2)
    assert marks(cell) == ["Abend"]
    click(page, cell.locator(".marked"), ".")
    assert marks(cell) == ["Abend", "."]
    # Beside the text there is nothing to mark.
    page.mouse.click(box["right"] + 60, box["top"] + 5)
    assert len(marks(cell)) == 2


def test_overlapping_marks_take_turns(short):
    page = short("eins zwei drei vier")
    cell = page.locator(".cell")
    area = cell.locator(".marked")
    drag(page, area, "eins", "drei")
    drag(page, area, "zwei", "vier")
    assert marks(cell) == ["eins zwei drei", "zwei drei vier"]
    chosen = []
    for _ in range(2):
        click(page, area, "drei")
        chosen.append(cell.locator(".marks .chosen .words").text_content())
    assert set(chosen) == set(marks(cell))
    assert area.locator(".twice").text_content().strip() == "zwei drei"


def test_more_marks_than_allowed_are_refused_with_a_reason(short):
    page = short("eins zwei drei vier", most=2)
    cell = page.locator(".cell")
    for word in ("eins", "zwei", "drei"):
        click(page, cell.locator(".marked"), word)
    assert marks(cell) == ["eins", "zwei"]
    page.wait_for_load_state(
        "networkidle"
    )  # drafts on their way do not cover the reason
    assert "Delete one first" in page.locator("#saving").text_content()
    click(page, cell.locator(".marked"), "zwei")
    page.keyboard.press("Delete")
    page.get_by_text("Saved", exact=True).wait_for()
    click(page, cell.locator(".marked"), "drei")
    assert marks(cell) == ["eins", "drei"]


def test_a_drag_takes_in_words_of_one_letter_whole(short):
    page = short("um 0 Uhr a b")
    cell = page.locator(".cell")
    area = cell.locator(".marked")
    for share in (0.3, 0.7):  # before and behind the middle
        box = rect(area, "0")
        x = box["left"] + (box["right"] - box["left"]) * share
        page.mouse.move(*middle(area, "um"))
        page.mouse.down()
        page.mouse.move(x - 10, (box["top"] + box["bottom"]) / 2)
        page.mouse.move(x, (box["top"] + box["bottom"]) / 2)
        page.mouse.up()
        assert marks(cell) == ["um 0"]
        page.get_by_role("button", name="Undo").click()
    box = rect(area, "0")
    page.mouse.move(box["right"] - 2, (box["top"] + box["bottom"]) / 2)
    page.mouse.down()
    page.mouse.move(*middle(area, "a"))
    page.mouse.up()
    assert marks(cell) == ["0 Uhr a"]


def test_numbers_of_the_scale_stand_at_their_values(short):
    page = short("eins zwei")
    slider = page.get_by_role("slider")
    box = slider.bounding_box()
    for width in (1100, 360):
        page.set_viewport_size({"width": width, "height": 800})
        box = slider.bounding_box()
        thumb = 28
        for value in (0, 33, 66, 100):
            tick = page.locator(f".scale .at-{value}").bounding_box()
            at = box["x"] + thumb / 2 + (box["width"] - thumb) * value / 100
            assert tick["x"] + tick["width"] / 2 == pytest.approx(at, abs=1.5)
    page.set_viewport_size({"width": 1100, "height": 800})
    words = [one.bounding_box() for one in page.locator(".scale .anchors li").all()]
    box = slider.bounding_box()
    assert len({one["height"] for one in words}) == 1  # none needs a second line
    for one, value in ((words[1], 33), (words[2], 66)):
        at = box["x"] + 14 + (box["width"] - 28) * value / 100
        assert one["x"] + one["width"] / 2 == pytest.approx(at, abs=2)


# ------------------------------------------------------------------------ any script


def submitted(page, server, text):
    """Score and submit; return the marked stretches of the text by their positions."""
    score_all(page)
    saved(page)
    submit(page)
    (line,) = exported(server, "spans")
    kept = line["answer"]["outputs"]["a"][0]["marks"]
    return [text[one["start"] : one["end"]] for one in kept]


def test_text_from_right_to_left(short, server, picture):
    text = "הרכבת יוצאת מאוחר היום."
    page = short(text, target="he")
    cell = page.locator(".cell")
    area = cell.locator(".marked")
    assert area.evaluate("one => getComputedStyle(one).direction") == "rtl"
    drag(page, area, "יוצאת", "מאוחר")
    area.focus()
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowLeft")  # ahead
    page.keyboard.press("Enter")
    assert marks(cell) == ["הרכבת", "יוצאת מאוחר"]
    box = rect(area, "היום")
    page.mouse.click(box["left"] + 1, (box["top"] + box["bottom"]) / 2)  # its end
    assert marks(cell)[-1] == "היום"
    picture(page, "spans-rtl")
    assert submitted(page, server, text) == ["הרכבת", "יוצאת מאוחר", "היום"]


def test_a_script_without_spaces_and_signs_of_two_units(short, server):
    text = "我们今天👩\u200d👧去图书馆看书。"
    page = short(text, target="zh")
    cell = page.locator(".cell")
    area = cell.locator(".marked")
    click(page, area, "图书")
    click(page, area, "👩\u200d👧")
    assert marks(cell) == ["👩\u200d👧", "图书"]
    drag(page, area, "我", "天")
    assert marks(cell)[0] == "我们今天"
    assert submitted(page, server, text) == ["我们今天", "👩\u200d👧", "图书"]


def test_characters_can_be_marked(short):
    page = short("Straßenbahn fährt", spans="characters")
    area = page.locator(".marked")
    area.focus()
    for key in ("Home", *["ArrowRight"] * 4, *["Shift+ArrowRight"] * 2, "Enter"):
        page.keyboard.press(key)
    assert marks(page.locator(".cell")) == ["ße"]
    click(page, area, "fährt")
    assert marks(page.locator(".cell")) == ["ße", "fährt"]


# --------------------------------------------------------------------------- finger


def swipe(page, start, end, steps=6):
    """Move a finger across the screen, as a touch screen reports it."""
    session = page.context.new_cdp_session(page)

    def send(kind, *point):
        points = [{"x": point[0], "y": point[1]}] if point else []
        what = {"type": kind, "touchPoints": points}
        session.send("Input.dispatchTouchEvent", what)

    send("touchStart", *start)
    for n in range(1, steps + 1):
        share = n / steps
        x, y = (a + (b - a) * share for a, b in zip(start, end, strict=True))
        send("touchMove", x, y)
    send("touchEnd")


def test_a_finger_marks_and_scrolls(short):
    phone = {"has_touch": True, "viewport": {"width": 360, "height": 640}}
    long = "eins zwei drei vier fünf sechs sieben acht neun zehn " * 10
    page = short("Auf der Insel ist es ruhig.", long, context=phone)
    cell = page.locator(".cell").first
    area = cell.locator(".marked")
    listed = cell.locator(".marks .words")
    page.touchscreen.tap(*middle(area, "Insel"))
    listed.get_by_text("Insel", exact=True).wait_for()
    swipe(page, middle(area, "Auf"), middle(area, "der"))
    listed.get_by_text("Auf der", exact=True).wait_for()
    assert marks(cell) == ["Auf der", "Insel"]
    page.wait_for_timeout(500)  # a tap right after a swipe stops the fling, no more
    cell.get_by_role("button", name="Severity: minor").first.tap()
    cell.locator(".severity.severe").wait_for()  # a click comes after the touch
    # Up and down, the finger scrolls and marks nothing.
    second = page.locator(".cell").nth(1)
    x, y = middle(second.locator(".marked"), "zehn", 5)
    before = page.evaluate("scrollY")
    swipe(page, (x, y), (x, y - 200), steps=12)
    page.wait_for_function(f"scrollY > {before} + 50")
    assert marks(second) == []


# ------------------------------------------------------------------------- keyboard


def lesson(task):
    """Return a training item with one error in every translation."""
    texts = {"a": "Der Hund schläft hier.", "b": "Die Hund schläft hier."}
    keys = ["a", "b"] if task == "cesa" else ["a"]
    paragraph = {
        "segment": "t", "source": "The cat sleeps here.", "reference": "",
        "outputs": {key: texts[key] for key in keys}, "prefilled": {},
    }  # fmt: skip
    mark = {"start": 0, "end": 3, "severity": "minor"}
    entry = {"score": 50}
    if task == "mqm":
        mark["category"] = "Accuracy/Mistranslation"
        entry = {"clean": False}
    answer = {"outputs": {key: [{"marks": [mark], **entry}] for key in keys}}
    content = {"before": "", "paragraphs": [paragraph]}
    return {"item": "lesson", "content": content, "answer": answer, "note": "So."}


def by_keys(page, task):
    """Mark the first word of every translation; categories and scores; submit."""
    ready(page)
    for cell in page.locator(".cell").all():
        tab_to(page, cell.locator(".marked"))
        page.keyboard.press("Home")
        page.keyboard.press("Shift+ArrowRight")
        first = cell.locator(".marked").text_content().split()[0].rstrip(",")
        assert page.locator("#spoken").text_content() == first
        page.keyboard.press("Enter")
        page.keyboard.press("s")
        assert cell.locator(".severity.severe").count() == 1
        if task == "mqm":
            tab_to(page, cell.locator(".marks select"))
            page.keyboard.type("Mist")
            assert cell.locator(".marks select").input_value()
        else:
            use(page, cell.get_by_role("slider"), "ArrowRight")
    for slider in page.locator(".whole input").all():
        tab_to(page, slider)
        page.keyboard.press("ArrowLeft")
    saved(page)
    before = page.url
    use(page, page.get_by_role("button", name="Submit"))
    page.wait_for_url(lambda url: url != before)


@pytest.mark.parametrize("task", TASKS)
def test_from_training_to_submission_by_keyboard_alone(task, server, person):
    config = server.new(task)
    training = json.dumps(lesson(task), ensure_ascii=False)
    (config.parent / "training.jsonl").write_text(training + "\n", encoding="utf-8")
    with config.open("a") as file:
        file.write('\n[training]\nitems = "training.jsonl"\n')
    links = server.load(config)
    server.start()
    page = person()
    page.goto(server.url + links["annotator"])
    use(page, page.get_by_role("button", name="Join"))
    page.get_by_role("link", name="Go on").wait_for()
    use(page, page.get_by_role("link", name="Go on"))
    page.get_by_role("button", name="Start").wait_for()
    use(page, page.get_by_role("button", name="Start"))
    by_keys(page, task)
    page.get_by_text("Right. This is what was expected.").wait_for()
    ready(page)
    assert page.locator(".marks li").count() == (2 if task == "cesa" else 1)
    # Nothing can be changed here, and nothing looks like it.
    for kind in (
        ".severity",
        "[data-key^=remove]",
        ".missing",
        ".marks select",
        "input[type=range]",
    ):
        for one in page.locator(f"#work {kind}").all():
            assert one.is_disabled(), kind
    area = page.locator(".marked").first
    click(page, area, area.text_content().split()[-1])
    assert page.locator(".marks li").count() == (2 if task == "cesa" else 1)
    assert not faults(page)
    use(page, page.get_by_role("button", name="Go on"))
    page.get_by_role("heading", name="Item 1").wait_for()
    by_keys(page, task)
    lines = exported(server, f"error-spans-{task}")
    assert [line["kind"] for line in lines] == ["training", "work"]
    for key, entries in lines[1]["answer"]["outputs"].items():
        for text, entry in zip(lines[1]["content"]["paragraphs"], entries, strict=True):
            (mark,) = entry["marks"]
            first = text["outputs"][key].split()[0].rstrip(",")
            assert text["outputs"][key][: mark["end"]] == first


# ----------------------------------------------------------------- what is on the page


@pytest.mark.parametrize("task", TASKS)
def test_pages_are_accessible_and_fit(task, server, person, join, picture):
    config = server.new(task)
    text = config.read_text()
    text = text.replace("paragraphs = 10", "paragraphs = 2")
    config.write_text(text)
    links = server.load(config)
    server.start()
    page = person()
    open_item(page, server, links, join)
    assert "heron" not in page.content()
    assert not faults(page)
    for cell in page.locator(".cell").all()[:3]:
        words = cell.locator(".marked").text_content().split()
        drag(page, cell.locator(".marked"), words[1], words[2])
        click(page, cell.locator(".marked"), words[0])
        cell.locator(".severity").last.click()
        cell.locator(".missing").click()
        cell.locator(".marks .words").first.click()
    page.locator(".marked").last.focus()
    page.keyboard.press("End")
    page.keyboard.press("Shift+ArrowLeft")
    assert not faults(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (1100, 360):
            page.set_viewport_size({"width": width, "height": 800})
            picture(page, f"spans-{task}-{width}-{scheme}")
            assert not too_wide(page)


def test_three_translations_stand_side_by_side(server, person, join):
    links = server.load(server.new("cesa"))
    server.start()
    page = person()
    open_item(page, server, links, join)
    rows = [
        [one.bounding_box() for one in row.locator(".cell").all()]
        for row in page.locator(".paragraph:has(.cell)").all()
    ]
    assert {len(row) for row in rows} == {3}
    for row in rows:
        assert len({one["y"] for one in row}) == 1
        assert [one["x"] for one in row] == sorted({one["x"] for one in row})
        assert [one["x"] for one in row] == [one["x"] for one in rows[0]]
    assert rows[0][2]["x"] + rows[0][2]["width"] <= 1100
    # Scores are at the same height, whatever is marked above them.
    first = page.locator(".cell").first
    words = first.locator(".marked").text_content().split()
    for word in words[:2]:
        click(page, first.locator(".marked"), word)
    for row in page.locator(".paragraph:has(.cell)").all():
        sliders = row.get_by_role("slider").all()
        assert len({one.bounding_box()["y"] for one in sliders}) == 1
    wholes = [one.bounding_box()["x"] for one in page.locator(".scale.whole").all()]
    assert wholes == [one["x"] for one in rows[0]]
    assert not too_wide(page)
    # What does not fit scrolls within, and keyboard users get there.
    page.set_viewport_size({"width": 800, "height": 800})
    assert not too_wide(page)
    last = page.locator(".cell").nth(2).locator(".marked")
    assert last.bounding_box()["x"] > 700
    tab_to(page, last)
    source = page.locator(".paragraph .source").first
    page.wait_for_function("document.querySelector('.side-by-side').scrollLeft > 0")
    box, left = last.bounding_box(), source.bounding_box()
    assert box["x"] + box["width"] <= 800
    assert 0 <= left["x"] < box["x"]  # the source stays


# ------------------------------------------------------------------------- long pages

_LONG = 30  # paragraphs
_MOVES = """async () => {
  const cell = document.querySelectorAll(".cell")[14];
  const touched = new Set();
  const watch = new MutationObserver((changes) => {
    for (const {target} of changes) {
      const home = target.closest(".cell");
      const all = [...document.querySelectorAll(".cell")];
      touched.add(home ? all.indexOf(home) : target.id);
    }
  });
  watch.observe(document.body, {subtree: true, childList: true, attributes: true});
  const area = cell.querySelector(".marked");
  area.focus();
  for (const key of ["ArrowRight", "ArrowRight", "Enter", "s"]) {
    area.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    await new Promise((done) => requestAnimationFrame(done));
  }
  watch.disconnect();
  return [...touched];
}"""


def test_a_paragraph_of_100_words_on_a_phone(short, picture):
    text = " ".join(f"Wort{k % 50}" for k in range(100))
    page = short(text, context={"viewport": {"width": 360, "height": 740}})
    area = page.locator(".marked")
    assert area.bounding_box()["width"] > 300
    size = area.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
    assert size >= 16  # no zooming in
    click(page, area, "Wort7 ")
    drag(page, area, "Wort20", "Wort21")
    assert marks(page.locator(".cell")) == ["Wort7", "Wort20 Wort21"]
    picture(page, "spans-phone")
    assert not too_wide(page)


def test_a_mark_in_a_long_document_touches_its_paragraph_only(short, chromium):
    texts = [
        " ".join(f"wort{(n * 7 + k) % 50}" for k in range(100)) for n in range(_LONG)
    ]
    page = short(*texts, paragraphs=0)
    assert page.locator(".cell").count() == _LONG
    page.locator(".cell").nth(14).scroll_into_view_if_needed()
    chromium.start_tracing(page=page, categories=["devtools.timeline"])
    touched = page.evaluate(_MOVES)
    trace = json.loads(chromium.stop_tracing())
    assert 14 in touched
    # Beside it only the bar below, which says what is saved.
    assert {one for one in touched if isinstance(one, int)} == {14}
    assert set(touched) <= {14, "spoken", "saving", "undo", "redo", "submit", "problem"}
    layouts = [
        one["args"]["beginData"]
        for one in trace["traceEvents"]
        if one["name"] == "Layout" and "beginData" in one.get("args", {})
    ]
    assert layouts
    whole = max(one["totalObjects"] for one in layouts)
    assert max(one["dirtyObjects"] for one in layouts) < whole / 10
