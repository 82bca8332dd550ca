# SPDX-License-Identifier: Apache-2.0
"""Components and templates: escaped, self-contained, loaded when needed."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from support.html_pages import ParsedPage
from tertium.report.browser import Choice, OutputBrowser, OutputSegment
from tertium.report.components import (
    Bar,
    Board,
    Cautions,
    Cell,
    Chart,
    Component,
    Details,
    Facts,
    Group,
    Heading,
    Legend,
    Page,
    Section,
    Span,
    Table,
    Text,
    download,
)
from tertium.report.explain.components import Marked, SegmentCard, WordEdits
from tertium.report.grammar.components import (
    EditMark,
    FilterButton,
    OutputRow,
    Swatches,
    Token,
)
from tertium.report.rendering import TEMPLATES, render, show
from tertium.report.reuse.components import JudgedOutput, ReusedOutput

HOSTILE = "</script><script>alert(1)</script><b onclick='x'>\"&amp;"

EDIT = EditMark("case", HOSTILE, HOSTILE, HOSTILE)
ROW = OutputRow(
    [(HOSTILE, True)],
    [Token(HOSTILE), Token("", EDIT, HOSTILE, HOSTILE)],
    HOSTILE,
    True,
    HOSTILE,
    False,
    HOSTILE,
    HOSTILE,
    [(HOSTILE, HOSTILE)],
    [(HOSTILE, HOSTILE)],
    3,
)
SEGMENT = OutputSegment(HOSTILE, HOSTILE, [ROW])
LOOKS = ("sign", "link", "quote", "small", "strong", "code", "i", "chip")
COMPONENTS = [
    *(Span(HOSTILE, look, HOSTILE) for look in LOOKS),
    Text([HOSTILE, Span(HOSTILE, "strong")]),
    Heading(HOSTILE),
    Legend(HOSTILE),
    Cautions([HOSTILE]),
    Facts([(HOSTILE, HOSTILE)]),
    Group("tables", [Text(HOSTILE)]),
    Details(HOSTILE, [Text(HOSTILE)]),
    Table(HOSTILE, [HOSTILE], [[Cell(HOSTILE, HOSTILE, "", HOSTILE, 0.5)]]),
    Board([Bar(HOSTILE, 1.0, HOSTILE, (0.5, 1.5), HOSTILE, True)], HOSTILE),
    Chart("x", {"title": HOSTILE}, HOSTILE, HOSTILE),
    SegmentCard(
        [(HOSTILE, [Marked(HOSTILE, "moved")])],
        [("moved", HOSTILE, [HOSTILE, Span(HOSTILE, "quote")])],
        [(HOSTILE, HOSTILE)],
    ),
    WordEdits([(HOSTILE, HOSTILE, False), (HOSTILE, HOSTILE, True)]),
    Swatches([(EDIT, HOSTILE)]),
    FilterButton(HOSTILE, {"words": HOSTILE}),
    ReusedOutput(
        *(HOSTILE, "near", HOSTILE, HOSTILE),
        [HOSTILE, Marked(HOSTILE, "carried")],
        HOSTILE,
        HOSTILE,
        [JudgedOutput(HOSTILE, [(HOSTILE, HOSTILE, False)], HOSTILE, HOSTILE)],
        [HOSTILE],
    ),
    ROW,
    SEGMENT,
    OutputBrowser(
        [Choice("kind", HOSTILE, HOSTILE, [(HOSTILE, HOSTILE)])],
        [SEGMENT],
        12,
        {"segments": [HOSTILE]},
    ),
]


@pytest.mark.parametrize("component", COMPONENTS, ids=lambda each: each.macro)
def test_hostile_text_stays_text(component: Component):
    html = str(show(component))
    assert "<script>alert" not in html
    assert "<b onclick" not in html
    page = ParsedPage(html)
    assert not any("onclick" in attributes for _, attributes in page.elements)


def test_hostile_text_stays_text_in_every_part_of_a_page():
    page = Page(
        HOSTILE,
        kicker=HOSTILE,
        lead=HOSTILE,
        sections=[Section("s", HOSTILE, [Text(HOSTILE)])],
        downloads=[download(HOSTILE, HOSTILE, HOSTILE, media_type="text/plain")],
        footer=HOSTILE,
    )
    text = render(page)
    assert "<script>alert" not in text
    assert "<b onclick" not in text
    assert ParsedPage(text).words.count(HOSTILE) == 9


def test_json_in_a_page_keeps_its_values():
    data = {"name": HOSTILE, "line": "a\u2028b", "number": 0.1}
    (chart,) = ParsedPage(str(show(Chart("x", data)))).data()
    assert chart == data
    (button,) = ParsedPage(str(show(FilterButton("x", {"words": HOSTILE})))).elements
    assert json.loads(button[1]["data-filter"]) == {"words": HOSTILE}


def test_characters_that_html_forbids_become_visible():
    assert show(Text("a\x07b\ud800c\nd")) == "<p>a\ufffdb\ufffdc\ufffdd</p>"


def test_every_component_has_a_macro():
    def below(kind: type) -> set[type]:
        kinds = set(kind.__subclasses__())
        return kinds.union(*map(below, kinds))

    text = (TEMPLATES / "components.html").read_text(encoding="utf-8")
    macros = set(re.findall(r"{% macro (\w+)\(", text))
    assert {kind.macro for kind in below(Component)} <= macros


def test_only_charts_and_diagrams_are_marked_safe():
    texts = {path.name: path.read_text("utf-8") for path in TEMPLATES.iterdir()}
    safe = {
        name: text.count("|safe") for name, text in texts.items() if "|safe" in text
    }
    # A diagram, in one width or in two, and the library of charts.
    assert safe == {"base.html": 1, "components.html": 3}
    assert not [name for name, text in texts.items() if "autoescape" in text]


def test_policies_allow_no_more_than_a_page_needs():
    def policy(**options) -> str:
        text = render(Page("x", **options))
        return re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]

    assert policy(scripts=[]) == (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    )
    assert "script-src 'unsafe-inline';" in policy()
    assert "'unsafe-eval'" not in policy()


def test_dark_and_light_pages_have_the_same_variables():
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    light, dark = (
        set(re.findall(r"(--[\w-]+):", block))
        for block in re.findall(r":root {(.*?)}", style, re.DOTALL)
    )
    assert light == dark
    defined = light | {"--error", "--error-soft", "--error-strong"}
    inline = {"--v", "--l", "--h", "--share"}
    assert set(re.findall(r"var\((--[\w-]+)\)", style)) <= defined | inline


def test_templates_are_loaded_only_when_a_page_is_written():
    script = (
        "import sys, tertium.report.systems.page, tertium.report.explain.page\n"
        "sys.exit('jinja2' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


def test_heads_say_what_their_columns_are():
    """Numbers, what only a script can do, and words that paper may divide."""
    rows = [[Cell("a"), Cell("1", 1, "number win"), Cell("", None, "action")]]
    head = ["a name", "differences of numbers", "outputs"]
    assert Table("t", head, rows).head_classes == ["", "number long", "action"]
    assert Table("t", head[:1], []).head_classes == [""]
    page = render(Page("t", body=[Table("t", head, rows)]))
    assert '<th scope="col" class="number long">differences of numbers</th>' in page
