# SPDX-License-Identifier: Apache-2.0
"""Meta-evaluation pages in a real browser."""

from __future__ import annotations

import pytest

from support.meta_results import demo_correlations, demo_evaluation, odd_evaluations
from tertium.meta import correlate_evaluations, gaps
from tertium.report.meta.page import meta_page

DRAWN = """() => [...document.querySelectorAll('figure.vega')]
           .every(figure => figure.dataset.state)"""


@pytest.fixture(scope="module")
def files(demo, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    both = demo_evaluation(demo)
    page = meta_page(
        demo_correlations(both), [both], gaps={"chrf": gaps([both], "chrf")}
    )
    (folder / "demo.html").write_text(page, encoding="utf-8")
    odd = odd_evaluations()
    page = meta_page(correlate_evaluations(odd, resamples=50, test="bootstrap"), odd)
    (folder / "odd.html").write_text(page, encoding="utf-8")
    return folder


@pytest.fixture
def visit(chromium, files):
    """Return a function that opens a page and fails on errors and requests."""
    wrong, contexts = [], []

    def go(name, **settings):
        context = chromium.new_context(**settings)
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
        page.goto((files / name).as_uri())
        if settings.get("java_script_enabled", True):
            page.wait_for_function(DRAWN)
        return page

    yield go
    for context in contexts:
        context.close()
    assert wrong == []


def states(page):
    script = "all => all.map(each => each.dataset.state)"
    return page.eval_on_selector_all("figure.vega", script)


def column(page, number=0):
    """Return the first table of values, a column of it."""
    rows = page.locator("#values table tbody").first.locator("tr")
    return [row.locator("td").nth(number).inner_text() for row in rows.all()]


@pytest.mark.parametrize("name", ["demo.html", "odd.html"])
def test_every_chart_is_drawn(visit, name):
    page = visit(name)
    assert set(states(page)) == {"drawn"}
    for chart in page.locator("figure.vega .chart").all():
        box = chart.locator("svg").bounding_box()
        assert box["width"] > 100
        assert box["height"] > 20


def test_a_list_chooses_the_metric(visit):
    page = visit("demo.html")
    figure = page.locator("#chart-scatter")
    before = figure.locator("svg").inner_html()
    figure.locator("select").select_option(label="ter")
    page.wait_for_timeout(200)
    assert figure.locator("svg").inner_html() != before
    # Only one language pair: there is nothing to choose.
    shown = page.locator("#chart-tests .vega-bind:visible select")
    assert shown.count() == 1


def test_tables_sort_on_click(visit):
    page = visit("demo.html")
    assert column(page)[:3] == ["chrf", "bleu", "ter"]
    head = page.locator("#values table").first.locator("th").nth(1)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    first = column(page)
    assert first[1].startswith("probe-length")
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    # Cells without a value stay last.
    known = [cell for cell in column(page, 1) if cell != "n/a"]
    assert column(page)[: len(known)] == first[: len(known)][::-1]
    assert column(page, 1)[len(known) :] == ["n/a", "n/a"]


def test_tables_sort_by_keyboard(visit):
    page = visit("demo.html")
    head = page.locator("#values table").first.locator("th").first
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    assert column(page)[0] == "bleu"
    page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") == "descending"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") is None


def test_the_page_fits_a_narrow_screen(visit):
    page = visit("odd.html", viewport={"width": 420, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == 420
    assert page.locator("#chart-values").get_attribute("data-columns") == "1"
    page.set_viewport_size({"width": 1300, "height": 800})
    wide = "document.querySelector('#chart-values').dataset.columns > 1"
    page.wait_for_function(wide)


def test_charts_follow_a_dark_screen(visit):
    colours = []
    for scheme in ("light", "dark"):
        page = visit("demo.html", color_scheme=scheme)
        label = page.locator("#chart-values svg .role-axis-label text").first
        colours.append(label.evaluate("each => getComputedStyle(each).fill"))
    assert colours == ["rgb(27, 31, 36)", "rgb(232, 235, 239)"]


def test_charts_can_be_saved_with_their_colours(visit, tmp_path):
    page = visit("demo.html")
    with page.expect_download() as result:
        page.locator("#chart-values .save").click()
    result.value.save_as(tmp_path / "a.svg")
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert result.value.suggested_filename == "chart-values.svg"
    assert "var(" not in drawn
    assert "#0072B2" in drawn


def test_without_script_there_are_words_and_tables(visit):
    page = visit("demo.html", java_script_enabled=False)
    assert "Charts and filters need JavaScript" in page.inner_text("header")
    assert column(page)[:3] == ["chrf", "bleu", "ter"]
    assert page.locator("th button").count() == 0
