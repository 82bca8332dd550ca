# SPDX-License-Identifier: Apache-2.0
"""Every report page in a real browser: accessible, and safe with hostile texts."""

from __future__ import annotations

import pytest

import tertium
from support import reuse_results, span_results
from support.accessibility import WIDE, faults
from support.grammar_systems import Item
from support.meta_results import demo_correlations, demo_evaluation
from support.survey_results import survey_results
from tertium.automata.automaton import Automaton
from tertium.grammars.analysis import evaluate_outputs
from tertium.meta import gaps
from tertium.report.explain import explain, render_page
from tertium.report.grammar.page import grammar_page
from tertium.report.meta.page import meta_page
from tertium.report.reuse.page import reuse_page
from tertium.report.spans.page import span_page
from tertium.report.survey.page import survey_page
from tertium.report.systems.page import compare_page, score_page
from tertium.report.tables.page import tables_page
from tertium.report.tables.table import Table

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
DRAWN = """() => [...document.querySelectorAll('figure.vega')]
           .every(figure => figure.dataset.state)"""


def score(demo) -> str:
    table = tertium.score(demo, metrics=["bleu", "ter"], confidence=0.95, resamples=50)
    return score_page(table, table.ranked(), confidence=0.95, notes=["A caution."])


def compare(demo) -> str:
    result = tertium.compare(demo, metrics=["bleu"], resamples=50)
    return compare_page(result, result.scores.ranked())


def explanations(demo) -> str:
    pair = ("at noon we meets , her", "we will meet her at noon")
    trained = ["beer:language=en", "beer:profile=beer-2.0"]
    metrics = ([*trained, "pef"], ["dted:flat=yes"])
    return render_page([explain(*pair, metrics=specs) for specs in metrics])


def tables(demo) -> str:
    rows = [["b", "0.5"]]
    table = Table(["", "a"], rows, title="Ranking", note="A note.\nAnother.")
    return tables_page([table])


def meta(demo) -> str:
    both = demo_evaluation(demo)
    result = demo_correlations(both)
    return meta_page(result, [both], gaps={"chrf": gaps([both], "chrf")})


def new_system(demo) -> str:
    return reuse_page(reuse_results.new_system(), demo)


def left_out(demo) -> str:
    return reuse_page(reuse_results.left_out(), demo)


def spans(demo) -> str:
    testset = span_results.texts()
    return span_page(span_results.compared(testset=testset), testset)


def survey(demo) -> str:
    return survey_page(survey_results())


@pytest.fixture
def visit(chromium, tmp_path):
    """Return a function that shows a page and fails on errors, dialogs, requests."""
    problems, contexts = [], []

    def go(text: str):
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        context = chromium.new_context(viewport=WIDE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        page.on(
            "request",
            lambda r: None if r.url.startswith("file:") else problems.append(r.url),
        )
        page.goto(path.as_uri())
        page.wait_for_function(DRAWN)
        return page

    yield go
    for context in contexts:
        context.close()
    assert problems == []


@pytest.mark.parametrize(
    "write",
    [
        *(score, compare, explanations, tables, meta, new_system, left_out),
        *(spans, survey),
    ],
)
def test_pages_are_accessible(visit, demo, write):
    page = visit(write(demo))
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert faults(page) == {}


def test_hostile_outputs_stay_text_when_filtered(visit):
    references = {("", "1"): Automaton.from_sentences(["the ball is red"])}
    evaluation = evaluate_outputs(
        [Item("1", "", "1", HOSTILE)],
        {HOSTILE: [f"the {HOSTILE} red"], "B": ["ball"]},
        references,
    )
    page = visit(grammar_page(evaluation, title=HOSTILE))
    page.wait_for_selector("#filter", state="visible")
    page.select_option("select[name=system]", label=HOSTILE)
    assert page.locator(".segment h3").text_content() == HOSTILE
    assert page.locator(".segment .who").text_content() == HOSTILE
    assert page.locator("main img").count() == 0


def test_hostile_texts_stay_text_in_explanations(visit):
    explanation = explain(HOSTILE, f"a {HOSTILE} b", metrics=["beer:language=en"])
    page = visit(render_page([explanation], title=HOSTILE))
    assert page.locator("h1").inner_text() == HOSTILE
    assert page.locator("main img").count() == 0


def test_a_list_chooses_hits_or_misses(visit, demo):
    page = visit(new_system(demo))
    outcomes = page.locator(".outcome")
    assert outcomes.count() == 4
    page.select_option("select[name=kind]", label="judged before")
    assert outcomes.all_text_contents() == ["✓ hit"]
    page.select_option("select[name=kind]", label="near a judged output")
    assert outcomes.all_text_contents() == ["≈ miss, 3 edits"]
    assert page.locator(".nearest del").text_content() == "dog"
    assert page.locator(".nearest ins").text_content() == "cat"
    assert page.locator("mark.carried").text_content() == "big"


def test_hostile_texts_stay_text_among_reused_judgements(visit):
    page = visit(reuse_page(reuse_results.new_system(HOSTILE, HOSTILE)))
    page.select_option("select[name=system]", label=HOSTILE)
    assert HOSTILE in page.locator("h1").inner_text()
    assert page.locator("main img").count() == 0
