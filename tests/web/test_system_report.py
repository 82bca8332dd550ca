# SPDX-License-Identifier: Apache-2.0
"""``tertium report`` in a real browser: sorted, filtered, linked, printed, attacked."""

from __future__ import annotations

import pytest

from support.accessibility import NARROW, WIDE, faults, too_wide
from support.report_systems import (
    HOSTILE,
    TEXTS,
    hostile_report,
    larger_texts,
    small_report,
)
from tertium.analysis.report import report
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


@pytest.fixture(scope="module")
def large_file(tmp_path_factory):
    """Return the page of a report with groups that are large enough to be tested."""
    path = tmp_path_factory.mktemp("report") / "large.html"
    made = report(larger_texts(), metrics=["chrf", "ter"], resamples=50)
    path.write_text(made.to_html(title="large"), encoding="utf-8")
    return path


@pytest.fixture
def visit(visit_file, file):
    """Return a function that opens the page, or another one."""
    return lambda path=file, anchor="", **settings: visit_file(path, anchor, **settings)


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


_TOP = """id => {
    const segment = document.getElementById(id).getBoundingClientRect();
    const filter = document.getElementById("filter").getBoundingClientRect();
    return [segment.top, filter.bottom, innerHeight];
}"""


def uncovered(page, number):
    """Fail unless the beginning of a segment is in sight, once scrolling has ended."""
    page.wait_for_selector(f"#segment-{number}:focus")
    page.wait_for_timeout(150)
    top, filter_end, height = page.evaluate(_TOP, f"segment-{number}")
    assert max(filter_end, 0) - 2 <= top < height - 20, number  # pixels are rounded


SIZES = [(1280, 800), (700, 600), (1100, 500), (390, 844)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_filter_covers_nothing_that_links_and_keys_lead_to(visit, width, height):
    page = visit(anchor="#segment-3", viewport={"width": width, "height": height})
    uncovered(page, 3)
    for key, number in (("j", 4), ("j", 5), ("k", 4)):
        page.keyboard.press(key)
        uncovered(page, number)
    page.evaluate("location.hash = '#segment-8'")
    uncovered(page, 8)
    page.set_viewport_size({"width": 800, "height": 900})
    page.evaluate("location.hash = '#segment-2'")
    uncovered(page, 2)


def test_the_filter_stays_in_sight_only_where_there_is_room(visit):
    page = visit()
    for width, height, pinned in ((1280, 800, True), (700, 600, False)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            "pinned => (getComputedStyle(document.getElementById('filter')).position"
            " === 'sticky') === pinned",
            arg=pinned,
        )


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
    row.get_by_text("alignment").click()
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


def test_the_page_is_printed_and_fits_a_phone(visit, picture, tmp_path):
    path = tmp_path / "report.html"
    many = report(larger_texts(), metrics=["chrf", "ter"], resamples=200)
    path.write_text(many.to_html(title="trees"), encoding="utf-8")
    page = visit(path)
    picture(page, "report-wide")
    page.emulate_media(media="print")
    assert page.locator("#filter").is_hidden()
    assert page.locator(".board").is_visible()
    assert page.pdf()[:5] == b"%PDF-"
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 within its margins
    assert too_wide(page) == 0
    page.set_viewport_size(WIDE)
    page.emulate_media(media="screen", color_scheme="dark")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert sum(map(int, paper.strip("rgb()").split(","))) < 120
    picture(page, "report-dark")
    page.emulate_media(color_scheme="light")
    dots = page.locator(".diagram.dots")
    assert dots.locator(".wide").is_visible()
    assert dots.locator(".narrow").is_hidden()
    page.set_viewport_size(NARROW)
    assert too_wide(page) == 0
    assert dots.locator(".narrow").is_visible()
    assert dots.locator(".wide").is_hidden()
    picture(page, "report-phone")


def test_diagrams_fit_a_phone(visit, large_file):
    """All of them are drawn again, narrower, so that none is cut."""
    page = visit(large_file, viewport={"width": 390, "height": 844})
    boxes = page.locator("main section .diagram .scroll:visible")
    assert boxes.count() == 2
    for box in boxes.all():
        inside, room = box.evaluate("each => [each.scrollWidth, each.clientWidth]")
        assert inside <= room
        edges = box.evaluate("""each => {
            const {left, right} = each.getBoundingClientRect();
            return Array.from(each.querySelectorAll(".narrow text"), (text) => {
                const box = text.getBoundingClientRect();
                return Math.min(box.left - left, right - box.right);
            });
        }""")
        assert min(edges) >= 0


#: Of a table: whether a number is in sight beside the name of its row, and whether the
#: name is still there when the table is scrolled to its end.
_SEEN = """(table) => {
    const box = table.closest(".scroll");
    table.scrollIntoView({block: "center"});
    const row = table.tBodies[0].rows[0];
    const shown = (cell) => {
        const {left, right, top, height} = cell.getBoundingClientRect();
        const at = document.elementFromPoint(right - 12, top + height / 2);
        return left >= 0 && right <= innerWidth && cell.contains(at);
    };
    const begin = shown(row.querySelector("td.number"));
    box.scrollLeft = box.scrollWidth;
    const names = Array.from(table.rows, ({cells: [first]}) => {
        const {left, top, width, height} = first.getBoundingClientRect();
        const points = [.1, .5, .9].map((share) =>
            document.elementFromPoint(left + share * width, top + height / 2));
        return top + height / 2 > innerHeight || top < 0 ||
            points.every((at) => first.contains(at));
    });
    box.scrollLeft = 0;
    return [begin, names.every(Boolean)];
}"""


@pytest.mark.parametrize(
    "name",
    [
        "Scores and clusters", "Groups of segments", "Agreement on single outputs",
        "How many words are right: F1 in per cent", "Outputs that stand out",
        "Errors per 100 words of the reference",
    ],
)  # fmt: skip
def test_tables_show_names_and_numbers_on_a_phone(visit, large_file, name):
    page = visit(large_file, viewport={"width": 390, "height": 844})
    table = page.get_by_role("table", name=name, exact=True)
    assert table.evaluate(_SEEN) == [True, True]


def test_lines_below_rows_go_through_names_on_a_phone(visit):
    """Names stay in sight, which must not cover the lines of the rows above them."""
    page = visit(viewport={"width": 390, "height": 844})
    page.add_style_tag(content=".segment { display: none; }")
    table = page.get_by_role("table", name="Agreement on single outputs")
    ends = "each => Array.from(each.rows, (row) => row.getBoundingClientRect().bottom)"
    for eighths in range(0, 8, 3):
        page.evaluate(
            "px => { document.body.style.paddingTop = px; }", f"{eighths / 8}px"
        )
        table.evaluate("each => each.scrollIntoView({block: 'center'})")
        page.wait_for_timeout(50)
        left = table.bounding_box()["x"]
        for y in table.evaluate(ends):
            below = [
                page.screenshot(
                    clip={"x": left + x, "y": int(y) - 3, "width": 3, "height": 6}
                )
                for x in (30, 180)
            ]
            assert below[0] == below[1]


def test_what_is_cut_off_has_a_shadow(visit):
    page = visit(viewport={"width": 390, "height": 844})
    shadows = "each => getComputedStyle(each).backgroundImage"
    for box in page.locator(".scroll").all():
        assert box.evaluate(shadows).count("linear-gradient") == 4


# -------------------------------------------------------------------------- paper

#: Words of heads that are divided between lines.
_BROKEN = r"""() => Array.from(document.querySelectorAll("th"), (head) => {
    const walker = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
    const broken = [];
    while (walker.nextNode()) {
        for (const {0: word, index} of walker.currentNode.data.matchAll(/\S+/g)) {
            const range = new Range();
            range.setStart(walker.currentNode, index);
            range.setEnd(walker.currentNode, index + word.length);
            if (range.getClientRects().length > 1) broken.push(word);
        }
    }
    return broken;
}).flat()"""


def test_paper_has_what_is_closed_and_no_buttons(visit, large_file):
    page = visit(
        large_file, viewport={"width": 718, "height": 1000}
    )  # A4 within its margins
    closed = "document.querySelectorAll('details:not([open], .drawing)').length"
    before = page.evaluate(closed)
    assert before >= 4
    page.locator("details summary").first.click()
    opened = "document.querySelectorAll('details[open]').length"
    assert page.evaluate(opened) == 1
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(closed) == 0
    heads = page.locator("th:visible").all_text_contents()
    assert "number" in heads
    assert "outputs" not in heads
    assert page.evaluate(_BROKEN) == []
    assert too_wide(page) == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(closed) == before - 1
    assert page.evaluate(opened) == 1


def test_a_browser_that_prints_opens_what_is_closed(visit):
    page = visit()
    page.evaluate("""() => addEventListener("beforeprint", () => {
        window.open_ones = document.querySelectorAll("header details[open]").length;
    })""")
    page.pdf()
    assert page.evaluate("open_ones") == 1
    assert page.locator("header details[open]").count() == 0


def test_no_column_stands_empty_without_a_script(visit):
    page = visit(java_script_enabled=False)
    assert page.locator(".action").count() > 10
    assert page.locator(".action:visible").count() == 0
    assert visit().locator("th.action:visible").count() >= 3


def test_systems_have_one_order_everywhere(visit, small):
    page = visit()
    ranked = small.comparison.scores.ranked()
    assert ranked != list(small.testset.systems)
    scores = page.get_by_role("table", name="Scores")
    assert scores.locator("td:first-child").all_text_contents() == ranked
    rows = page.locator("#segment-1 .who").all_text_contents()
    assert rows[2:] == ranked
    options = page.locator("[name=system] option").all_text_contents()
    assert options[1:] == ranked


def test_nobody_is_shut_out(visit):
    page = visit()
    # What is outside the window is drawn as well, so that it is looked at.
    page.add_style_tag(content=".segment { content-visibility: visible !important; }")
    for number in range(4):
        page.locator(".drawing summary").nth(number).click()
        page.wait_for_selector(f".drawing:nth-child({number + 1}) figure")
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
    first = page.locator("#segment-13 .drawings").first
    for number, summary in enumerate(first.locator("summary").all(), start=1):
        summary.click()
        first.locator("figure").nth(number - 1).wait_for()
    assert first.locator("figure").nth(1).locator("text").count() == 240
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


def test_tables_scroll_in_boxes_of_their_own_on_a_phone(visit):
    """The page is as wide as the screen; wide tables are scrolled, by keyboard too."""
    page = visit(viewport={"width": 390, "height": 844})
    page.evaluate(
        "document.querySelectorAll('details:not(.drawing)').forEach(d => d.open = true)"
    )
    assert too_wide(page) == 0
    boxes = page.locator("table").evaluate_all("""all => all.map((table) => {
        const box = table.closest(".scroll");
        return box && {width: box.clientWidth, inside: box.scrollWidth,
            right: box.getBoundingClientRect().right, focus: box.tabIndex,
            overflow: getComputedStyle(box).overflowX};
    })""")
    assert len(boxes) > 5
    assert all(box["right"] <= 390 and box["focus"] == 0 for box in boxes)
    assert {box["overflow"] for box in boxes} == {"auto"}
    assert any(box["inside"] > box["width"] for box in boxes)
    wide = page.locator(".scroll:has(table)").nth(
        next(n for n, box in enumerate(boxes) if box["inside"] > box["width"])
    )
    wide.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("each => each.scrollLeft > 0", arg=wide.element_handle())
    assert page.evaluate("scrollX") == 0
