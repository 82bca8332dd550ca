# SPDX-License-Identifier: Apache-2.0
"""The page of error spans in a real browser: filters, keys, hostile texts, size."""

from __future__ import annotations

import time

import pytest

from support import span_results
from tertium.judgements import Judgements, Span
from tertium.meta.spans import correlate_spans
from tertium.report.spans.page import span_page

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
ROW = ".row.spans"


@pytest.fixture
def show(person, tmp_path):
    """Return a function that shows a page once its script is ready."""

    def go(text: str):
        path = tmp_path / "spans.html"
        path.write_text(text, encoding="utf-8")
        page = person()
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        page.goto(path.as_uri())
        page.wait_for_selector("#filter[data-state=ready]")
        return page

    return go


@pytest.fixture
def page(show):
    testset = span_results.texts()
    return show(span_page(span_results.compared(testset=testset), testset))


def test_the_script_draws_what_needed_none(page, person, tmp_path):
    # Not innerText: it has nothing of what content-visibility leaves out.
    words = "[...document.querySelectorAll('.segment')].map(e => e.textContent)"
    html = f"{words}.join('|').replace(/\\s+/g, '')"
    marks = "[...document.querySelectorAll('#segments mark')].map(e => e.outerHTML)"
    plain = person(java_script_enabled=False)
    plain.goto(page.url)
    assert plain.locator(ROW).count() == page.locator(ROW).count() == 4
    assert plain.evaluate(marks) == page.evaluate(marks)
    assert plain.evaluate(html) == page.evaluate(html)


def test_filters_choose_misses_false_alarms_and_matches(page):
    who = page.locator(f"{ROW} .who")
    for kind, systems in {
        "with misses": ["A", "B"],
        "with false alarms": ["A"],
        "with matches": ["A", "B"],
    }.items():
        page.select_option("select[name=kind]", label=kind)
        assert who.all_text_contents() == systems, kind
    page.select_option("select[name=level]", label="major or worse")
    page.select_option("select[name=system]", label="B")
    assert who.all_text_contents() == ["B"]
    assert page.locator("#matches").inner_text() == "1 output in 1 segment."
    page.check("input[name=others]")
    assert who.all_text_contents() == ["A", "B"]
    assert page.locator(f"{ROW}.hit .who").all_text_contents() == ["B"]


def test_another_metric_has_other_marks(page):
    assert page.locator(".match").count() == 2
    page.select_option("select[name=metric]", label="silent")
    assert page.locator(".match").count() == 0
    assert page.locator(".miss").count() == 4
    page.select_option("select[name=kind]", label="without any mark")
    assert page.locator(f"{ROW} .text").all_text_contents() == ["All is well."]


def test_keys_step_and_search(page):
    focused = "document.activeElement.id || document.activeElement.name"
    page.keyboard.press("j")
    assert page.evaluate(focused) == "segment-1"
    page.keyboard.press("j")
    assert page.evaluate(focused) == "segment-2"
    page.keyboard.press("k")
    assert page.evaluate(focused) == "segment-1"
    page.keyboard.press("/")
    assert page.evaluate(focused) == "words"
    page.keyboard.type("NOTHING")
    assert page.locator(f"{ROW} .who").all_text_contents() == ["B"]


def test_the_filter_covers_nothing_that_keys_and_links_lead_to(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.add_style_tag(content="body { padding-bottom: 1000px; }")
    edges = """id => [
        document.getElementById(id).getBoundingClientRect().top,
        document.getElementById("filter").getBoundingClientRect().bottom,
    ]"""
    page.keyboard.press("j")
    for way, name in (("j", "segment-2"), ("k", "segment-1"), ("#", "segment-2")):
        if way == "#":
            page.evaluate("hash => { location.hash = hash; }", name)
        else:
            page.keyboard.press(way)
        page.wait_for_selector(f"#{name}:focus")
        page.wait_for_timeout(100)
        top, end = page.evaluate(edges, name)
        assert 30 < end - 1 <= top < 400


def test_hostile_texts_stay_text(show):
    span = Span(HOSTILE, HOSTILE, "minor", "1", start=0, end=9, judge=HOSTILE)
    one = Judgements.from_iterable([span, span._replace(judge="b", category="c")])
    testset = span_results.texts({HOSTILE: [HOSTILE, "b"]})
    page = show(span_page(correlate_spans({HOSTILE: one}, one, resamples=0), testset))
    assert page.locator(f"{ROW} .text").text_content() == HOSTILE
    assert page.locator(f"{ROW} .who").text_content() == HOSTILE
    assert page.locator("main img").count() == 0


def test_ten_thousand_segments_are_filtered_at_once(show):
    def marked(start: int) -> Judgements:
        return Judgements.from_iterable(
            Span("A", "style", "minor", str(n), start=start + n % 7, end=start + 9)
            for n in range(10_000)
        )

    result = correlate_spans({"m": marked(3)}, marked(0), resamples=0)
    text = span_page(result)
    assert len(text) < 2_000_000
    page = show(text)
    begin = time.monotonic()
    page.select_option("select[name=kind]", label="with misses")
    page.select_option("select[name=order]", label="most misses")
    assert "segments." in page.locator("#matches").inner_text()
    assert time.monotonic() - begin < 2
    assert page.locator(".segment").count() == 10
