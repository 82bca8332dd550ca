# SPDX-License-Identifier: Apache-2.0
"""The pages of ``score`` and ``compare``: complete, self-contained and correct."""

from __future__ import annotations

import pytest

import tertium
from support.html_pages import ParsedPage
from tertium.cli import main
from tertium.report.systems.page import compare_page, score_page
from tertium.report.systems.words import comparison_headline, score_headline

REFS = [f"this is sentence {i} of the set" for i in range(30)]


def scored(*names: str, metrics=("bleu", "wer"), **options):
    outputs = {
        "best": REFS,
        "copy": REFS,
        "good": [ref.replace("the", "a") for ref in REFS],
        "bad": [ref.replace("is sentence", "are words") for ref in REFS],
    }
    systems = {name: outputs[name] for name in names}
    return tertium.score(systems, REFS, metrics=list(metrics), **options)


def compared(demo, **options):
    return tertium.compare(demo, metrics=["bleu", "ter"], resamples=200, **options)


def check_complete(text: str) -> ParsedPage:
    """Return a parsed page after the checks that all pages must pass."""
    page = ParsedPage(text)
    tags = [tag for tag, _ in page.elements]
    assert text.startswith("<!DOCTYPE html>")
    assert tags.count("h1") == tags.count("main") == tags.count("footer") == 1
    assert ("html", {"lang": "en"}) in page.elements
    assert ".board li" in text
    assert "Content-Security-Policy" in text
    for name in ("src", "href"):
        links = [element.get(name) or "" for _, element in page.elements]
        assert not [link for link in links if link and not link.startswith("#")]
    return page


def test_score_page_has_headline_bars_and_tables():
    table = scored("bad", "best", "good", confidence=0.9, resamples=50)
    page = check_complete(score_page(table, table.ranked(), confidence=0.9))
    assert "best scores best by both metrics" in page.words
    assert "3 systems, 30 segments, 2 metrics" in page.words
    head, *rows = page.tables["Systems"]
    assert head == ["system", "BLEU", "90 % interval", "WER ↓", "90 % interval"]
    assert [row[0] for row in rows] == ["best", "good", "bad"]
    assert rows[0][1] == "100.00"
    metrics = page.tables["Metrics"]
    assert metrics[1][:2] == ["BLEU", "higher"]
    assert metrics[2][1] == "lower"
    assert metrics[1][2] == table.metrics["bleu"].signature
    bars = [element["style"] for tag, element in page.elements if tag == "i"]
    assert bars[0] == "--v:1.0000"
    assert len(bars) == 3


def test_documents_and_segments_have_tables_if_they_were_scored():
    docs = [f"doc {i // 10}" for i in range(30)]
    table = scored("bad", "good", segments=True, documents=True, docs=docs)
    page = check_complete(score_page(table, table.ranked()))
    assert page.tables["Document scores"][1][:2] == ["doc 0", "good"]
    assert [row[:2] for row in page.tables["Segment scores"][1:4]] == [
        ["1", "bad"],
        ["1", "good"],
        ["2", "bad"],
    ]
    assert "Segment scores" not in score_page(scored("bad"), ["bad"])


@pytest.mark.parametrize(
    ("names", "metrics", "headline"),
    [
        (["good", "bad"], ["wer"], "good scores best by WER"),
        (["copy", "bad", "best"], ["wer"], "copy and best score equally best by WER"),
        (["best", "bad"], ["bleu", "wer", "per"], "best scores best by all 3 metrics"),
        (["best"], ["wer"], "best: 0.0000 WER"),
    ],
)
def test_the_headline_says_who_scores_best(names, metrics, headline):
    assert score_headline(scored(*names, metrics=metrics)) == headline


def test_the_headline_says_where_metrics_disagree():
    refs = ["a b c d", "e f g h"]
    systems = {"order": ["d c b a", "h g f e"], "words": ["a b c x", "e f g x"]}
    table = tertium.score(systems, refs, metrics=["wer", "per"])
    assert score_headline(table) == "words scores best by WER; order by PER"


def test_compare_page_has_clusters_matrix_and_pairs(demo):
    result = compared(demo)
    page = check_complete(compare_page(result, result.scores.ranked()))
    assert "good is significantly better than all others by BLEU" in page.words
    assert "Paired bootstrap test over 60 segments, 200 resamples" in page.words
    head, first, *_ = page.tables["Systems by BLEU"]
    assert head == ["system", "cluster", "score", "95 % interval", "rank"]
    assert first[:3] == ["good", "1", "80.66"]
    matrix = page.tables["Adjusted p-values by TER"]
    assert matrix[0] == ["system", "cluster", "1", "2", "3", "4"]
    assert matrix[1][0] == "1 good"
    assert matrix[1][3].startswith("← 0.0")
    assert matrix[2][2].startswith("↑ 0.0")
    assert matrix[2][4] == "1.000"
    assert len(page.tables["System pairs"]) == 1 + 12


def test_the_headline_of_comparisons_says_what_is_significant(demo):
    good = compared(demo)
    assert comparison_headline(good).startswith("good is significantly better than all")
    base = compared(demo, baseline="order")
    assert comparison_headline(base).startswith("Of 3 systems, ")
    assert " better than order and 0 are worse by BLEU" in comparison_headline(base)
    few = tertium.compare(demo, metrics="bleu", resamples=3)
    assert (
        comparison_headline(few) == "BLEU does not separate the systems into clusters"
    )


def test_names_are_escaped(demo):
    systems = {"<b>&": REFS, "other": REFS}
    result = tertium.compare(systems, REFS, metrics="wer", resamples=10)
    text = compare_page(result, list(systems))
    assert "<b>&</" not in text
    assert "&lt;b&gt;&amp;" in text


@pytest.mark.parametrize(
    "command",
    [
        "score demo -m bleu ter --interval",
        "compare demo -m bleu",
        "compare demo -m bleu --baseline good",
        "rank demo --matrix",
    ],
)
def test_the_command_line_writes_complete_pages(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "page.html"
    assert main([*command.split(), "-f", "html", "-o", str(path), "-q"]) == 0
    check_complete(path.read_text("utf-8"))


def test_cautions_are_on_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = "--resamples 10 -f html -o page.html -q"
    assert main(["compare", "demo", "-m", "bleu", *options.split()]) == 0
    page = check_complete((tmp_path / "page.html").read_text("utf-8"))
    assert "No difference can be significant: with 10 resamples" in page.words
