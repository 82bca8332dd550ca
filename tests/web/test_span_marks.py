# SPDX-License-Identifier: Apache-2.0
"""Error spans in a browser: categories, second errors, scores without marks."""

from __future__ import annotations

import pytest

from support.accessibility import faults, too_wide
from support.keyboard import use
from support.span_page import click, exported, marks, ready, saved, submit

# ------------------------------------------------------------------------ categories


@pytest.fixture
def categories(short):
    """Return the page of a text whose errors have categories."""
    return short("eins zwei drei vier", task="mqm")


def test_categories_stand_below_their_kind_with_a_sentence_on_each(categories):
    page = categories
    cell = page.locator(".cell")
    click(page, cell.locator(".marked"), "zwei")
    select = cell.locator(".marks select")
    kinds = select.locator("optgroup").evaluate_all("all => all.map(o => o.label)")
    assert kinds[:2] == ["Accuracy", "Fluency"]
    assert "Mistranslation" in select.locator("option").all_text_contents()
    assert "Accuracy/Mistranslation" not in select.text_content()
    meaning = "The translation says something else than the source."
    select.select_option(label="Mistranslation")
    assert cell.locator(".meaning").text_content() == f"Accuracy: {meaning}"
    described = select.get_attribute("aria-describedby")
    assert page.locator(f"[id='{described}']").text_content().endswith(meaning)
    select.select_option(label="Other")
    assert not cell.locator(".meaning").is_visible()
    listed = page.locator(".instructions details.categories")
    listed.locator("summary").click()
    assert listed.get_by_text(f"Mistranslation: {meaning}").is_visible()


def test_words_can_have_two_errors(categories, server):
    page = categories
    cell = page.locator(".cell")
    area = cell.locator(".marked")
    click(page, area, "zwei")
    click(page, area, "zwei")
    assert marks(cell) == ["zwei"]
    cell.get_by_role("button", name="Another error here").click()
    assert marks(cell) == ["zwei", "zwei"]
    assert cell.locator(".marks .chosen").count() == 1
    page.get_by_role("button", name="Undo").click()
    click(page, area, "zwei")
    area.focus()
    page.keyboard.press("a")
    assert marks(cell) == ["zwei", "zwei"]
    assert not faults(page)
    chosen = set()
    for _ in range(2):  # clicks take turns
        click(page, area, "zwei")
        chosen.add(cell.locator(".marks li").evaluate_all(
            "all => all.findIndex(one => one.className === 'chosen')"))  # fmt: skip
    assert chosen == {0, 1}
    names = ["Grammar", "Awkward"]
    for number, name in enumerate(names):
        cell.locator(".marks select").nth(number).select_option(label=name)
    saved(page)
    page.reload()
    ready(page)
    assert marks(cell) == ["zwei", "zwei"]
    submit(page)
    (line,) = exported(server, "spans")
    kept = line["answer"]["outputs"]["a"][0]["marks"]
    assert [(one["start"], one["end"]) for one in kept] == [(5, 9)] * 2
    assert {one["category"] for one in kept} == {"Fluency/Grammar", "Style/Awkward"}


def test_scores_have_no_second_error_on_the_same_words(short):
    page = short("eins zwei")
    cell = page.locator(".cell")
    click(page, cell.locator(".marked"), "zwei")
    page.keyboard.press("a")
    assert marks(cell) == ["zwei"]
    assert cell.get_by_role("button", name="Another error here").count() == 0


def test_marks_are_compact_and_explained_on_a_phone(short, picture):
    page = short("eins zwei drei", task="mqm",
                 context={"viewport": {"width": 360, "height": 740}})  # fmt: skip
    cell = page.locator(".cell")
    click(page, cell.locator(".marked"), "zwei")
    parts = {
        name: cell.locator(f".marks {name}").bounding_box()
        for name in (".words", ".severity", "[data-key=remove0]", "select")
    }
    # The button to delete stands beside the mark, the category below both.
    assert parts["[data-key=remove0]"]["y"] == parts[".words"]["y"]
    assert parts["select"]["y"] > parts[".words"]["y"]
    assert parts["select"]["width"] > 250
    edges = [one.text_content() for one in cell.locator(".edge").all()]
    assert edges == ["Start←→", "End←→"]
    tops = {one.bounding_box()["y"] for one in cell.locator(".edge").all()}
    assert len(tops) == 1
    picture(page, "spans-mqm-phone")
    assert not too_wide(page)


_COVERED = """() => {
  const one = document.activeElement, bar = document.querySelector("#work .bar");
  if (bar.contains(one) || one === document.body) return false;
  return one.getBoundingClientRect().bottom > bar.getBoundingClientRect().top;
}"""


def test_the_bar_below_covers_nothing_that_keys_reach(short):
    page = short(*["eins zwei drei vier fünf"] * 6, task="mqm",
                 context={"viewport": {"width": 390, "height": 700}})  # fmt: skip
    page.locator(".marked").first.focus()
    reached = 0
    while not page.locator("#undo").evaluate("one => one === document.activeElement"):
        assert not page.evaluate(_COVERED)
        if page.evaluate("document.activeElement.className.includes('marked')"):
            page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        reached += 1
    assert reached > 40


# ------------------------------------------------------------- scores without marks


def test_a_low_score_without_marks_is_confirmed(short, server):
    page = short("eins zwei")
    cell = page.locator(".cell")
    slider, send = cell.get_by_role("slider"), page.get_by_role("button", name="Submit")
    clean = cell.get_by_role("button", name="No errors")
    hint = cell.get_by_role("status")
    box = slider.bounding_box()
    slider.click(position={"x": box["width"] * 0.95, "y": 20})
    assert send.is_enabled()
    assert not clean.is_visible()
    slider.click(position={"x": box["width"] * 0.4, "y": 20})
    assert send.is_disabled()
    assert "no error is marked" in hint.text_content()
    assert not faults(page)
    click(page, cell.locator(".marked"), "zwei")  # either a mark ...
    assert send.is_enabled()
    assert hint.text_content() == ""
    page.get_by_role("button", name="Undo").click()
    assert send.is_disabled()
    clean.click()  # ... or a confirmation
    assert send.is_enabled()
    saved(page)
    page.reload()
    ready(page)
    assert clean.get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name="Submit").wait_for()
    submit(page)
    (line,) = exported(server, "spans")
    (entry,) = line["answer"]["outputs"]["a"]
    assert (entry["marks"], entry["clean"]) == ([], True)


def test_scores_can_open_after_the_marks(short, server):
    page = short("eins zwei", "drei vier", spans_first=True, document_score=False)
    first, second = page.locator(".cell").all()
    send = page.get_by_role("button", name="Submit")
    for cell in (first, second):
        assert cell.get_by_role("slider").is_disabled()
        assert "Then score" in cell.get_by_role("status").text_content()
    assert not faults(page)
    click(page, first.locator(".marked"), "zwei")
    assert first.get_by_role("slider").is_enabled()
    page.get_by_role("button", name="Undo").click()
    assert first.get_by_role("slider").is_disabled()
    page.get_by_role("button", name="Redo").click()
    use(page, second.get_by_role("button", name="No errors"))
    for cell in (first, second):
        use(page, cell.get_by_role("slider"), "ArrowLeft")
    assert send.is_enabled()
    # A score stays when its marks go, but they have to be denied.
    first.get_by_role("button", name="Delete the mark").click()
    assert send.is_disabled()
    assert first.locator("output").text_content() == "49"
    first.get_by_role("button", name="No errors").click()
    assert send.is_enabled()


def test_special_marks_have_buttons_of_their_own(short, server):
    page = short("eins zwei", task="mqm", special="instructions fault")
    cell = page.locator(".cell")
    cell.get_by_role("button", name="+ instructions fault").click()
    assert marks(cell) == ["instructions fault"]
    assert cell.locator(".marks select").count() == 0
    assert not faults(page)
    saved(page)
    submit(page)
    (line,) = exported(server, "spans")
    (mark,) = line["answer"]["outputs"]["a"][0]["marks"]
    assert mark == {"start": None, "end": None, "severity": "minor",
                    "category": "instructions fault"}  # fmt: skip
