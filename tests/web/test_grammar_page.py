# SPDX-License-Identifier: Apache-2.0
"""Error analysis pages in a real browser."""

from __future__ import annotations

import pytest

from support.accessibility import WIDE, faults
from support.grammar_systems import evaluation
from tertium.report import browser
from tertium.report.grammar.page import grammar_page

DRAWN = """() => [...document.querySelectorAll('figure.vega')]
           .every(figure => figure.dataset.state)"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "grammar.html"
    path.write_text(grammar_page(evaluation(), title="Tests"), encoding="utf-8")
    return path


@pytest.fixture
def visit(chromium, file):
    """Return a function that opens the page, and fails on errors and requests."""
    wrong, contexts = [], []

    def go(**settings):
        context = chromium.new_context(**{"viewport": WIDE, **settings})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console", lambda m: wrong.append(m.text) if m.type == "error" else None
        )
        page.on(
            "request",
            lambda r: None if r.url.startswith("file:") else wrong.append(r.url),
        )
        page.goto(file.as_uri())
        if settings.get("java_script_enabled", True):
            page.wait_for_function(DRAWN)
            page.wait_for_selector("#filter", state="visible")
        return page

    yield go
    for context in contexts:
        context.close()
    assert wrong == []


def test_every_chart_is_drawn(visit):
    page = visit()
    script = "all => all.map(each => each.dataset.state)"
    assert set(page.eval_on_selector_all("figure.vega", script)) == {"drawn"}
    for chart in page.locator("figure.vega .chart").all():
        box = chart.locator("svg").bounding_box()
        assert box["width"] > 150
        assert box["height"] > 60


def test_outputs_are_filtered(visit):
    page = visit()
    assert page.locator(".segment").count() == 10
    page.select_option("select[name=system]", label="Splitter")
    page.select_option("select[name=kind]", label="compound spelling")
    rows = evaluation().records["Splitter"]
    wrong = sum(bool(row.edits) for row in rows)
    assert page.locator("#matches").inner_text() == (
        f"{wrong} outputs in {wrong} segments."
    )
    assert set(page.locator(".segment .who").all_text_contents()) == {"Splitter"}
    page.locator("input[name=others]").check()
    assert page.locator(".segment .row.hit").count() == 10
    assert page.locator(".segment .row").count() > 20
    page.fill("input[name=words]", "no such word")
    assert "No output matches" in page.locator("#matches").inner_text()
    page.get_by_role("button", name="Clear").click()
    page.wait_for_function("document.querySelectorAll('.segment').length === 10")


def test_more_outputs_come_by_keyboard(visit):
    page = visit()
    page.locator("#more").focus()
    page.keyboard.press("Enter")
    assert page.locator(".segment").count() == 28
    assert page.locator("#more").is_hidden()


def test_recurring_edits_show_their_outputs(visit):
    page = visit()
    button = page.locator("button[data-filter]").first
    button.click()
    matches = page.locator("#matches").inner_text()
    rows = page.locator("#recurring tbody tr").first.locator("td")
    assert matches.startswith(rows.nth(2).inner_text())
    assert page.evaluate("document.activeElement.name") == "system"


def test_without_script_words_tables_and_outputs_remain(visit):
    page = visit(java_script_enabled=False)
    assert page.locator(".segment").count() == 10
    assert page.locator("#filter").is_hidden()
    assert page.locator("figure.vega").first.is_hidden()
    assert page.locator(".board li").count() == 6


def test_nobody_is_shut_out(visit):
    page = visit()
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert faults(page) == {}


def test_compressed_outputs_are_decompressed(visit, file, monkeypatch):
    monkeypatch.setattr(browser, "_PLAIN", 10)
    text = grammar_page(evaluation(), title="Tests")
    assert 'type="application/gzip"' in text
    kept = file.read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    try:
        page = visit()
        assert page.locator("#matches").inner_text().endswith("in 28 segments.")
    finally:
        file.write_text(kept, encoding="utf-8")
