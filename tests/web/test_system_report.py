# SPDX-License-Identifier: Apache-2.0
"""``tertium report`` in a real browser: sorted, filtered, linked, printed, attacked."""

from __future__ import annotations

import pytest

from support.accessibility import NARROW, WIDE, faults, too_wide
from support.report_systems import HOSTILE, TEXTS, hostile_report, small_report
from tertium.analysis.words import split

ALDER, BIRCH, CEDAR = range(3)


@pytest.fixture(scope="module")
def small():
    return small_report()


@pytest.fixture(scope="module")
def file(small, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(small.to_html(title="trees"), encoding="utf-8")
    return path


@pytest.fixture
def visit(chromium, file):
    """Return a function that opens a page; errors, dialogs and requests fail."""
    problems, contexts = [], []

    def go(path=file, anchor="", **settings):
        context = chromium.new_context(**{"viewport": WIDE, **settings})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        page.on(
            "console", lambda m: problems.append(m.text) if m.type == "error" else None
        )
        page.on(
            "request",
            lambda r: None if r.url.startswith("file:") else problems.append(r.url),
        )
        page.goto(path.as_uri() + anchor)
        if settings.get("java_script_enabled", True):
            page.wait_for_selector("#filter[data-state=ready]")
        return page

    yield go
    for context in contexts:
        context.close()
    assert problems == []


def numbers(page) -> list[int]:
    """Return the segments on the page."""
    ids = page.eval_on_selector_all(".segment", "all => all.map(each => each.id)")
    return [int(name.removeprefix("segment-")) for name in ids]


def matches(page) -> str:
    return page.locator("#matches").inner_text()


def best_first(keys) -> list[int]:
    """Return the first ten segments, the largest key first, equal ones in order."""
    return [n + 1 for n in sorted(range(len(keys)), key=lambda n: -keys[n])][:10]


def test_segments_are_sorted_by_gaps_under_any_metric(visit, small):
    page = visit()
    assert numbers(page) == list(range(1, 11))
    chrf, ter = small.segments["chrf"], small.segments["ter"]
    page.select_option("[name=order]", "gap")
    gaps = [round(x, 4) for x in abs(chrf[ALDER] - chrf[CEDAR])]
    assert numbers(page) == best_first(gaps)
    page.select_option("[name=metric]", label="TER")
    page.select_option("[name=system]", label="Birch")
    page.select_option("[name=other]", label="Cedar")
    page.select_option("[name=order]", "loss")
    assert numbers(page) == best_first((ter[BIRCH] - ter[CEDAR]).round(2))
    page.select_option("[name=order]", "low")
    assert numbers(page) == best_first((-ter[BIRCH]).round(2))


def test_segments_are_sorted_by_length_and_disagreement(visit, small):
    page = visit()
    lengths = [len(split(refs[0])) for refs in small.testset.references]
    page.select_option("[name=order]", "long")
    assert numbers(page) == best_first(lengths)
    page.select_option("[name=order]", "short")
    assert numbers(page) == best_first([-length for length in lengths])
    page.select_option("[name=order]", "disagreement")
    first = numbers(page)[0]
    assert first != 1
    page.get_by_role("button", name="Clear").click()
    page.wait_for_selector("#segment-1:first-child")


def test_segments_are_filtered_by_words_and_expressions(visit):
    page = visit()
    page.fill("[name=words]", "vienna")
    assert numbers(page) == [9]
    page.select_option("[name=field]", "output")
    assert matches(page) == "2 outputs in 1 segment."
    assert page.locator(".row.hit .who").all_text_contents() == ["Alder", "Cedar"]
    page.fill("[name=words]", '"the station"')
    assert numbers(page) == [2]
    page.select_option("[name=field]", "source")
    page.check("[name=regex]")
    page.fill("[name=words]", r"^D\w+ \w+ \w+t\b.*\.$")
    assert numbers(page) == [5, 14]
    page.fill("[name=words]", "(")
    assert "regular expression" in matches(page)
    assert not page.evaluate("document.querySelector('[name=words]').checkValidity()")
    page.fill("[name=words]", "no such word")
    assert "No output matches" in matches(page)


def test_segments_are_filtered_by_error_group_document_and_score(visit, small):
    page = visit()
    page.select_option("[name=error]", label="order")
    page.select_option("[name=system]", label="Birch")
    wrong = [n + 1 for n, row in enumerate(small.labels["Birch"].counts) if row[1]]
    assert numbers(page) == wrong[:10]
    page.select_option("[name=error]", label="empty")
    assert numbers(page) == [14]
    page.get_by_role("button", name="Clear").click()
    page.wait_for_selector(".segment:nth-child(10)")
    page.select_option("[name=document]", label="travel")
    assert numbers(page) == [6, 7, 8, 9, 10]
    page.select_option("[name=group]", label="numbers: a number")
    assert numbers(page) == []
    page.select_option("[name=document]", "")
    assert numbers(page) == [4, 5, 12]
    page.fill("[name=only]", "1-4, 12")
    assert numbers(page) == [4, 12]
    page.get_by_role("button", name="Clear").click()
    page.wait_for_selector(".segment:nth-child(10)")
    page.fill("[name=high]", "10")
    low = [
        n + 1 for n, scores in enumerate(small.segments["chrf"].T) if min(scores) < 10
    ]
    assert numbers(page) == low


def test_a_link_leads_to_one_segment(visit):
    page = visit(anchor="#segment-13")
    assert numbers(page) == [13, 14]
    assert page.evaluate("document.activeElement.id") == "segment-13"
    page.get_by_role("button", name="earlier").click()
    assert numbers(page)[0] == 3
    page.fill("[name=words]", "vienna")
    page.evaluate("location.hash = '#segment-4'")
    page.wait_for_selector("#segment-4:focus")
    assert page.input_value("[name=words]") == ""


def test_keys_go_through_segments_and_search(visit):
    page = visit()
    for _ in range(12):
        page.keyboard.press("j")
    assert page.evaluate("document.activeElement.id") == "segment-12"
    assert page.evaluate("location.hash") == "#segment-12"
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.id") == "segment-11"
    page.keyboard.press("/")
    page.keyboard.type("jk/")
    assert page.input_value("[name=words]") == "jk/"


def test_buttons_show_the_outputs_of_groups_errors_and_ngrams(visit, small):
    page = visit()
    ngram = page.locator("#differences tr", has=page.locator(".chip")).first
    words = ngram.locator("td").first.inner_text().strip()
    ngram.get_by_role("button").click()
    gain = small.ngrams[0][0]
    assert words == " ".join(gain.words)
    assert numbers(page) == [number + 1 for number in gain.segments]
    page.get_by_text("All systems by numbers").click()
    row = page.locator("#where tr", has_text="a number").first
    row.get_by_role("button").click()
    assert numbers(page) == [4, 5, 12]
    page.get_by_text("All systems by document").click()
    row = page.locator("#where tr", has_text="travel").last
    row.get_by_role("button").click()
    assert numbers(page) == [6, 7, 8, 9, 10]


def test_links_to_segments_that_do_not_exist_are_ignored(visit):
    page = visit(anchor="#segment-0")
    page.evaluate("""() => {
        window.resets = 0;
        document.getElementById("filter").addEventListener("reset", () => resets++);
    }""")
    page.fill("[name=words]", "vienna")
    page.evaluate("location.hash = '#segment-99'")
    page.evaluate("location.hash = '#segment-0'")
    page.wait_for_timeout(100)
    assert page.evaluate("resets") == 0
    assert numbers(page) == [9]


def test_outputs_are_marked_word_by_word(visit, small):
    page = visit()
    row = page.locator("#segment-3 .row", has_text="Birch")
    assert row.locator("mark.replaced").all_text_contents() == ["games"]
    assert row.locator("mark.missing").all_text_contents() == ["playing", "the"]
    row.locator("summary").click()
    row.locator("svg").wait_for()
    assert row.locator("svg text").all_text_contents() == [
        *split(small.testset.systems["Birch"][2]),
        *split(small.testset.references[2][0]),
    ]
    links = small.labels["Birch"].links[2]
    assert row.locator("svg line").count() == sum(link >= 0 for link in links)
    page.select_option("[name=marks]", "other")
    row = page.locator("#segment-3 .row", has_text="Alder")
    assert row.locator("mark").all_text_contents() == ["played", "the"]


def test_script_and_page_show_the_same(visit):
    """The first segments are written twice: by Python, and by the script."""
    texts = [
        visit(java_script_enabled=enabled).eval_on_selector_all(
            "#segments .row :is(.who, .text, .lacks, .cost)",
            "all => all.map(each => each.innerHTML.trim().replace(/\\s+/g, ' '))",
        )
        for enabled in (False, True)
    ]
    assert len(texts[0]) > 100
    assert texts[0] == texts[1]


def test_the_page_is_printed_and_fits_a_phone(visit, picture):
    page = visit()
    picture(page, "report-wide")
    page.emulate_media(media="print")
    assert page.locator("#filter").is_hidden()
    assert page.locator(".board").is_visible()
    assert page.pdf()[:5] == b"%PDF-"
    page.emulate_media(media="screen", color_scheme="dark")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert sum(map(int, paper.strip("rgb()").split(","))) < 120
    picture(page, "report-dark")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(NARROW)
    assert too_wide(page) == 0
    picture(page, "report-phone")


def test_nobody_is_shut_out(visit):
    page = visit()
    # What is outside the window is drawn as well, so that it is looked at.
    page.add_style_tag(content=".segment { content-visibility: visible !important; }")
    page.locator(".drawing summary").first.click()
    page.wait_for_selector(".drawing svg")
    page.evaluate(
        "document.querySelectorAll('details:not(.drawing)').forEach(d => d.open = true)"
    )
    assert faults(page) == {}


def test_hostile_texts_stay_texts(visit, tmp_path):
    """HTML, right-to-left text, emoji, controls, and a line of 10,000 words."""
    path = tmp_path / "hostile.html"
    result = hostile_report()
    path.write_text(result.to_html(title=HOSTILE), encoding="utf-8")
    page = visit(path)
    shown = page.locator(".segment").first.locator(".row .text")
    assert shown.nth(0).text_content() == TEXTS[-1]
    assert shown.nth(1).text_content() == HOSTILE
    assert (
        page.locator(".segment").first.locator(".who").nth(3).text_content() == HOSTILE
    )
    right = page.locator("#segment-3 .row", has_text="\u05e9").last.locator(".text")
    assert right.evaluate("each => getComputedStyle(each).direction") == "rtl"
    page.evaluate("location.hash = '#segment-13'")
    page.wait_for_selector("#segment-13:focus")
    assert page.locator("#segment-13 .row").nth(3).text_content().count("w1 ") > 50
    page.locator("#segment-13 .drawing summary").first.click()
    page.wait_for_selector("#segment-13 svg")
    assert page.locator("#segment-13 svg text").count() == 240
    page.select_option("[name=marks]", "other")
    page.fill("[name=words]", "<img src=x")
    page.select_option("[name=order]", "gap")
    assert page.locator("script[src], img, #segments script").count() == 0
    assert too_wide(page) == 0


def test_words_are_the_same_in_python_and_in_the_browser(visit):
    page = visit()
    samples = [*TEXTS, "It's 1,000.50 (again)! l'été 3:45 x²", "ไทย ကာ ខ្មែ कि ꯀ 𝔘𝔫 𐐀"]
    script = """([pattern, texts]) => texts.map(
        text => Array.from(text.matchAll(new RegExp(pattern, 'gu')), m => m[0]))"""
    from tertium.analysis.words import pattern

    assert page.evaluate(script, [pattern(script=True), samples]) == [
        split(text) for text in samples
    ]
