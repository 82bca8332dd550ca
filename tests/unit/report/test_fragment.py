# SPDX-License-Identifier: Apache-2.0
"""What notebooks show: fragments of HTML without scripts."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import tertium
from tertium import Judgements, Runs
from tertium.judgements.judgement import Rating
from tertium.report.tables.fragment import record_table, tables_fragment
from tertium.report.tables.table import Table

HOSTILE = "</td><script>alert(1)</script><img src=x onerror=alert(2)>&amp;"
REFS = ["the cat sat down", "a dog ran home", "birds sang"]


class Tags(HTMLParser):
    """Collects elements, and fails where one is not closed."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.texts = [], set(), []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag != "br":
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def parsed(result):
    tags = Tags()
    tags.feed(result._repr_html_())
    assert tags.open == []
    assert not tags.seen & {"script", "img", "link", "iframe", "object"}
    return tags


def systems():
    return {HOSTILE: ["the cat", "a dog", "bird"], "B": REFS}


RESULTS = {
    "scores": lambda: tertium.score(systems(), REFS, metrics=["chrf", "ter"]),
    "runs": lambda: tertium.score({HOSTILE: Runs([REFS, REFS])}, REFS),
    "comparison": lambda: tertium.compare(systems(), REFS),
    "explanation": lambda: tertium.explain(f"{HOSTILE} cat", f"the cat {HOSTILE}"),
    "worst": lambda: __import__("tertium.engine").engine.worst_segments(
        {HOSTILE: [HOSTILE, "a dog", "bird"]}, REFS
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_whole_escaped_and_without_scripts(name):
    result = RESULTS[name]()
    tags = parsed(result)
    assert "alert(1)" in "".join(tags.texts)
    html = result._repr_html_()
    assert "<script" not in html
    assert not re.search(
        r"(?:src|href)=|url\(|@import", re.sub("&lt;.*?&gt;", "", html)
    )
    assert len(html) < 30_000


def test_no_colour_is_set_that_a_dark_page_could_not_show():
    html = RESULTS["comparison"]()._repr_html_()
    style = re.search("<style>(.*?)</style>", html, re.DOTALL)[1]
    assert set(re.findall(r"(?<![-\w])color:([^;}]+)", style)) == {"inherit"}
    assert set(re.findall(r"background:([^;}]+)", style)) == {"none"}


def test_long_tables_end_with_how_many_rows_there_are():
    html = tables_fragment([Table(["n"], [[str(n)] for n in range(100)])])
    assert html.count("<tr>") == 41
    assert "60 more rows" in html


def test_rankings_and_agreement_are_shown():
    judgements = Judgements.from_iterable(
        Rating(system, value, "DA", str(segment), judge)
        for judge in ("x", "y")
        for segment in range(6)
        for system, value in (("A", 80.0 + segment), (HOSTILE, 40.0 - segment))
    )
    for result in (tertium.rank(judgements), tertium.agree(judgements)):
        assert parsed(result).seen >= {"table", "td"}


def test_an_empty_result_is_an_empty_table():
    assert "<table>" in tables_fragment([record_table([])])


def test_tabulate_gives_the_same_fragment():
    result = RESULTS["scores"]()
    assert tertium.tabulate(result, "fragment").strip() == result._repr_html_().strip()
