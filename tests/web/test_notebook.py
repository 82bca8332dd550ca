# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows, in a real browser: on light and dark pages, no scripts."""

from __future__ import annotations

import pytest

import tertium
from support.accessibility import NARROW, WIDE
from tertium import Runs

# As notebooks put a fragment into their page.
PAGE = """<!DOCTYPE html><html lang="en"><title>Notebook</title><style>
body {{ background: {paper}; color: {ink}; font: 14px sans-serif; }}
td, th {{ background: #f5f5f5; }}
.out table tr td, .out table tr th {{ text-align: right; }}</style>
<main class="out"><h1>Cell</h1>{body}</main></html>"""
THEMES = {"light": ("#ffffff", "#111111"), "dark": ("#111111", "#dddddd")}
COLOURS = """() => [...document.querySelectorAll("td, th, caption")].map(
  cell => [getComputedStyle(cell).color, getComputedStyle(cell).backgroundColor])"""


def fragments(demo) -> str:
    systems = {"A": Runs([demo.systems["good"], demo.systems["words"]])}
    results = [
        tertium.score(demo, metrics=["bleu", "ter"], confidence=0.95),
        tertium.compare(demo, metrics=["chrf"], resamples=100),
        tertium.score(systems, demo.references),
        tertium.explain("at noon we meets her", "we will meet her at noon"),
    ]
    return "".join(each._repr_html_() for each in results)


@pytest.mark.parametrize("theme", THEMES)
def test_results_are_legible_in_a_notebook(chromium, demo, theme, tmp_path):
    paper, ink = THEMES[theme]
    text = PAGE.format(paper=paper, ink=ink, body=fragments(demo))
    context = chromium.new_context(viewport=WIDE, java_script_enabled=True)
    page = context.new_page()
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.set_content(text)
    picture = tmp_path / "notebook.png"
    page.screenshot(path=picture, full_page=True)
    assert picture.stat().st_size > 20_000
    expected = page.evaluate("getComputedStyle(document.body).color")
    shades = page.evaluate(COLOURS)
    assert len(shades) > 50
    assert {shade[0] for shade in shades} == {expected}
    assert {shade[1] for shade in shades} == {"rgba(0, 0, 0, 0)"}
    align = "cell => getComputedStyle(cell).textAlign"
    assert page.locator("td").first.evaluate(align) == "left"
    assert page.locator("td").nth(1).evaluate(align) == "right"
    assert page.locator("script").count() == 0
    assert requests == []
    # Notes are opened without a script.
    page.locator("summary").first.click()
    assert page.locator("details .note").first.is_visible()
    page.set_viewport_size(NARROW)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= NARROW["width"]
    context.close()


def test_a_section_of_a_report_works_in_its_frame(chromium, demo):
    paper, ink = THEMES["light"]
    result = tertium.report(demo, metrics="chrf", resamples=100)
    body = result.section("outputs")._repr_html_()
    page = chromium.new_context(viewport=WIDE).new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.set_content(PAGE.format(paper=paper, ink=ink, body=body))
    frame = page.frame_locator("iframe")
    shown = frame.locator(".segment")
    before = shown.count()
    frame.locator("[name=words]").fill("Butter")
    frame.locator("h3").first.click()
    page.keyboard.press("j")
    page.wait_for_timeout(300)
    assert 0 < shown.count() < before
    assert problems == []
