# SPDX-License-Identifier: Apache-2.0
"""Error analysis pages: complete, safe, self-contained, with the same figures."""

from __future__ import annotations

import base64
import gzip
import json
import re
import sys
from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.grammar_systems import Item, evaluation
from support.html_pages import ParsedPage
from tertium.automata.automaton import Automaton
from tertium.errors import MissingExtraError
from tertium.grammars.analysis import evaluate_outputs
from tertium.grammars.analysis.near import Near
from tertium.grammars.analysis.records import make_record
from tertium.grammars.search.edits import TAXONOMY, Kind
from tertium.grammars.search.matching import Budget, closest
from tertium.report.grammar.categories import CATEGORIES, of_kind
from tertium.report.grammar.page import grammar_page
from tertium.report.grammar.segments import output_row
from tertium.report.grammar.summary import cautions, headline, lead, people
from tertium.report.rendering import TEMPLATES, show

ODD = "</script><b>x & \"y\" 'z'"
BALL = {("", "1"): Automaton.from_sentences(["the ball is red", "a red ball it is"])}


@pytest.fixture(scope="module")
def text():
    return grammar_page(evaluation(), title="English to Finnish")


@pytest.fixture(scope="module")
def page(text):
    return ParsedPage(text)


def small(outputs, **options):
    options.setdefault("resamples", 20)
    items = [Item("1", "", "1", "der Ball ist rot")]
    return evaluate_outputs(items, outputs, BALL, **options)


def test_counts_of_searches_that_ended_early_are_called_lower_bounds():
    near = [f"{word} ball is red" for word in ("a", "one", "my", "your")]
    sets = {("", "1"): Automaton.from_sentences(near)}
    whole, early = (
        evaluate_outputs(
            [Item("1", "", "1", "")],
            {"A": ["ball is red"]},
            sets,
            resamples=20,
            near=Near(count=1),
            budget=Budget(references=most),
        )
        for most in (100, 1)
    )
    (one,) = early.to_json()["systems"]
    assert one["ambiguity"]["close_is_least"]
    assert "ended early for 1 of 1 outputs" in grammar_page(early)
    assert "ended early for" not in grammar_page(whole)


def test_the_page_has_every_section_once(page):
    ids = [element["id"] for _, element in page.elements if element.get("id")]
    assert len(ids) == len(set(ids))
    wanted = {"errors", "cases", "recurring", "transfer", "templates", "people", "sure"}
    assert wanted | {"outputs", "how"} <= set(ids)
    links = {element["href"] for tag, element in page.elements if tag == "a"}
    assert {f"#{name}" for name in wanted} <= links
    charts = {name for name in ids if name.startswith("chart-")}
    assert len(charts) == 8


def test_the_page_loads_nothing(text, page):
    for tag, element in page.elements:
        assert "src" not in element
        assert tag not in ("link", "img", "iframe", "object", "embed")
        link = element.get("href")
        assert link is None or link.startswith(("#", "data:"))
    style = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    assert "default-src 'none'" in text
    assert not any("http" in json.dumps(spec) for spec in page.data())


def test_downloads_contain_all_figures(page):
    links = {
        element["download"]: element["href"].partition(",")[2]
        for tag, element in page.elements
        if tag == "a" and element.get("download")
    }
    whole = json.loads(base64.b64decode(links["systems.json"]))
    assert whole == json.loads(json.dumps(evaluation().to_json()))
    lines = base64.b64decode(links["segments.tsv"]).decode().splitlines()
    assert len(lines) == 1 + len(evaluation().segments)
    assert "systems.tsv" in links


def test_tables_have_the_figures_of_the_evaluation(page):
    rows = page.tables["Errors by kind"]
    names = [one.name for one in evaluation().ranking]
    assert [cell.removesuffix(" (human)") for cell in rows[0][1:]] == names
    for row, category in zip(rows[1:-1], TAXONOMY, strict=True):
        assert row[0].removesuffix(" ~") == category
        shown = [int(cell.split()[0]) for cell in row[1:]]
        assert shown == [one.taxonomy[category] for one in evaluation().ranking]
    assert [int(cell) for cell in rows[-1][1:]] == [
        sum(one.errors.values()) for one in evaluation().ranking
    ]
    rows = page.tables["Cost per word by template"]
    assert [row[0] for row in rows[1:]] == [
        "haveAnna has a car now",
        "walkAnna is now big",
    ]
    first = evaluation().ranking[-1].templates[0]
    assert rows[1][-1] == f"{first.score:.3f}"


def test_charts_have_the_figures_of_the_evaluation(page):
    rows = [
        row for spec in page.data() for row in spec.get("datasets", {}).get("rows", [])
    ]
    bars = [row for row in rows if {"k", "e", "p"} <= row.keys()]
    assert sum(row["n"] for row in bars) == sum(
        sum(system.errors.values()) for system in evaluation().systems
    )
    cells = [row for row in rows if {"f", "n", "c"} <= row.keys()]
    shifts = sum(
        system.counts.get(Kind.CASESHIFT, 0) for system in evaluation().systems
    )
    assert sum(row["c"] for row in cells) == shifts
    json.dumps(rows, allow_nan=False)


def test_all_outputs_are_in_the_page(page):
    (data,) = [one for one in page.data() if "segments" in one]
    names = data["systems"]
    shown = {
        (names[system], row["c"], number)
        for number, segment in enumerate(data["segments"])
        for row in segment["r"]
        for system in row["s"]
    }
    assert shown == {
        (name, row.cost / 10_000, number)
        for name, rows in evaluation().records.items()
        for number, row in enumerate(rows)
    }


words = st.lists(
    st.sampled_from(["the", "ball", "is", "red", "green", "blå"]), max_size=6
)


def marked_up(record) -> str:
    """Return the HTML of a correction."""
    html = show(output_row(record, [("A", False)]))
    return html.partition('<p class="text" dir="auto">')[2].partition("</p>")[0]


@given(words)
def test_corrections_contain_output_and_reference(tokens):
    references = Automaton.from_sentences(
        ["the ball is red", "is it red", "the big ball"]
    )
    match = closest(tokens, references)
    record = make_record(match, id="1", system="A", hyp=" ".join(tokens))
    html = re.sub(r"<small>.*?</small>", "", marked_up(record))
    inner = re.sub(r"<small>.*?(</small>)+", "", html)
    after = re.sub(r"<del>.*?</del>", "", inner)
    before = re.sub(r"<ins>.*?</ins>", "", inner)

    def bare(text):
        return unescape(re.sub(r"<.*?>", " ", text)).split()

    assert bare(after) == list(match.best.reference)
    assert sorted(bare(before)) == sorted(tokens)


def test_moves_and_joins_are_marked():
    result = evaluation()
    row = next(r for r in result.records["Splitter"] if r.edits)
    assert "<del>omena puu" in marked_up(row)
    assert "<ins>omenapuu" in marked_up(row)
    row = next(r for r in result.records["Shifter"] if r.edits)
    assert re.search(r"moved \d places? to the (left|right)", marked_up(row))
    row = next(r for r in result.records["Base forms"] if r.edits)
    assert "NOM→" in marked_up(row)


def test_every_kind_of_edit_has_a_colour():
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    assert all(f".c-{category.key} {{" in style for category in CATEGORIES)
    assert {of_kind(kind).name for kind in Kind if kind} == set(TAXONOMY)
    assert [category.name for category in CATEGORIES] == list(TAXONOMY)


def test_hostile_names_and_words_are_escaped():
    odd = {ODD: ["the <b>ball</b> is\u2028 red"], "B": ['ball & "x"']}
    result = small(odd, human=["B"])
    page = ParsedPage(grammar_page(result, title=ODD))
    (data,) = [element for element in page.data() if "segments" in element]
    assert data["systems"][0] in odd
    assert not [
        tag for tag, element in page.elements if tag == "b" and "style" not in element
    ]
    assert ODD in page.words


def test_the_headline_names_the_best_system_not_the_best_human():
    assert headline(evaluation()).startswith("Splitter needs the least correction")
    message = " ".join(lead(evaluation()))
    assert "compound spelling (100 % of its errors)" in message
    assert "The second best, Base forms" in message
    assert "better than all systems" in people(evaluation())


def test_headlines_of_small_runs():
    right, wrong = ["the ball is red"], ["the ball red"]
    assert headline(small({"A": right})) == "A needs no correction"
    assert headline(small({"A": wrong})) == "A costs 0.200 per word to correct"
    both = small({"A": wrong, "B": wrong})
    assert headline(both) == "A and B need equally little correction"
    assert "but not significantly" in headline(small({"A": right, "B": wrong}))
    assert people(both) == ""


def test_cautions_name_what_may_mislead():
    message = " ".join(cautions(evaluation()))
    assert "2 templates" in message
    assert "ranking depends on the cost of a move" in message
    assert "no word analyser" in " ".join(cautions(small({"A": ["the ball"]})))
    value = evaluation().systems[0]
    result = replace(evaluation(), systems=(replace(value, unproven=2),))
    assert "2 corrections are not proven" in " ".join(cautions(result))


@pytest.mark.parametrize(
    "outputs",
    [
        {"A": ["the ball is red"]},
        {"A": [""]},
        {"A": ["ball"], "B": ["ball"]},
        {"A": ["the ball is red"], "B": ["a red ball it is"]},
    ],
)
def test_small_runs_have_a_page(outputs):
    result = small(outputs, resamples=0, moves=())
    page = ParsedPage(grammar_page(result))
    assert "n/a" not in page.words
    ids = {element.get("id") for _, element in page.elements}
    assert not {"cases", "transfer", "templates", "people"} & ids


def test_large_downloads_are_compressed():
    texts = {f"S{n}": [f"the ball {'very ' * 30}{n}"] for n in range(3)}
    items = [Item(str(n), "", "1", "word " * 100) for n in range(300)]
    result = evaluate_outputs(
        items,
        {name: element * 300 for name, element in texts.items()},
        BALL,
        resamples=10,
    )
    page = ParsedPage(grammar_page(result))
    links = {
        element["download"]: element["href"].partition(",")[2]
        for tag, element in page.elements
        if element.get("download")
    }
    packed = gzip.decompress(base64.b64decode(links["segments.tsv.gz"])).decode()
    assert packed.count("\n") == 901


def test_data_of_many_outputs_are_compressed():
    def data(evaluation) -> str:
        pattern = r'<script type="([^"]*)" id="segment-data">(.*?)</script>'
        return re.search(pattern, grammar_page(evaluation), re.DOTALL).groups()

    kind, text = data(small({"A": ["the ball red"]}))
    assert kind == "application/json"
    json.loads(text)
    kind, text = data(evaluation())
    assert kind == "application/gzip"
    outputs = sum(
        len(one["r"])
        for one in json.loads(gzip.decompress(base64.b64decode(text)))["segments"]
    )
    assert len(text) < 150 * outputs


def test_without_altair_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tertium\[plots\]'"):
        grammar_page(evaluation())
