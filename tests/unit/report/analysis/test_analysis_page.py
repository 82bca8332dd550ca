# SPDX-License-Identifier: Apache-2.0
"""The page of a system report: its words, its tables and the data of its script."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import partial
from html import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from support.html_pages import ParsedPage
from support.report_systems import (
    HOSTILE,
    hostile_report,
    larger_texts,
    small_report,
    texts,
)
from tertium.analysis.intervals import Figure
from tertium.analysis.report import report
from tertium.analysis.word_errors import KINDS
from tertium.analysis.words import spans, split
from tertium.errors import UnknownNameError
from tertium.report.analysis import data, sections, words
from tertium.report.analysis.agreement import metrics
from tertium.report.analysis.browser import segment_browser
from tertium.report.analysis.cells import figure_cell
from tertium.report.analysis.links import link_lines
from tertium.report.analysis.page import SECTIONS
from tertium.report.analysis.scatter import draw_scatter
from tertium.report.analysis.words import cautions, headline, lead
from tertium.report.browser import packed


@pytest.fixture(scope="module")
def small():
    return small_report()


@pytest.fixture(scope="module")
def columns(small):
    return data.segment_data(small)


def decoded(line: str) -> list[int]:
    """Return the links that a line of characters stands for, as the script reads it."""
    links, following = [], 0
    for char in line:
        code = ord(char) - 0x23
        if code < 0:
            links.append(-1)
            continue
        step = -(code + 1) // 2 if code % 2 else code // 2
        links.append(following + step)
        following += step + 1
    return links


@given(st.lists(st.lists(st.integers(-1, 300), max_size=12), min_size=1, max_size=6))
def test_links_survive_their_encoding(links):
    text = link_lines([np.array(each, np.int32) for each in links])
    assert [decoded(line) for line in text.split("\n")] == links


def test_steps_between_lines_are_independent():
    links = [
        np.array([5, 6], np.int32),
        np.array([], np.int32),
        np.array([0], np.int32),
    ]
    assert link_lines(links) == "-#\n\n#"


def test_data_hold_every_text_score_and_error(small, columns):
    testset, width = small.testset, 3
    first = [testset.sources[0], testset.references[0][0]]
    first += [texts_[0] for texts_ in testset.systems.values()]
    assert columns["texts"][:5] == first
    assert len(columns["texts"]) == 5 * len(testset)
    for spec, stored in zip(small.segments, columns["scores"], strict=True):
        digits = small.comparison.scores.metrics[spec].digits
        scores = np.array(stored).reshape(-1, width).T / 10**digits
        assert np.abs(scores - small.segments[spec]).max() <= 0.5 / 10**digits + 1e-9
    for place, labels in enumerate(small.labels.values()):
        output, reference, links = (
            part.split("\n") for part in columns["labels"][place]
        )
        for number in range(len(testset)):
            assert bytes(int(c, 16) for c in output[number]) == labels.output[number]
            assert (
                bytes(int(c, 16) for c in reference[number])
                == (labels.reference[number])
            )
            assert decoded(links[number]) == labels.links[number].tolist()
            bits = columns["errors"][number * width + place]
            kinds = [bits >> kind & 1 for kind in range(len(KINDS))]
            assert kinds == (labels.counts[number] > 0).astype(int).tolist()
    empty = columns["kinds"].index("empty")
    assert columns["errors"][13 * width + 1] >> empty & 1


def test_groups_and_documents_are_those_of_the_report(small, columns):
    for steps, bucket in zip(columns["groups"], small.buckets, strict=True):
        assert np.cumsum(steps).tolist() == bucket.group.members.tolist()
    documents = columns["documents"]
    named = [documents["names"][number] for number in documents["numbers"]]
    assert named == list(small.testset.docs)


def test_disagreement_is_the_largest_difference_of_ranks():
    """Two metrics that agree leave nothing; a swapped pair shows."""
    both = report(texts(), metrics=["chrf", "ter"], resamples=20)
    same = replace(both, segments={"chrf": np.ones((3, 14)), "ter": np.ones((3, 14))})
    assert set(data.disagreement(same)) == {0}
    one = np.arange(42.0).reshape(3, 14)
    turned = replace(both, segments={"chrf": one, "ter": -one})
    assert set(data.disagreement(turned)) == {0}  # lower TER is better
    other = -one.copy()
    other[0, 0], other[2, 13] = other[2, 13], other[0, 0]
    swapped = replace(both, segments={"chrf": one, "ter": other})
    assert data.disagreement(swapped) == [1000, *[0] * 12, 1000]


def test_words_have_places_in_their_text():
    text = "It's 1,000.50 (again)! 東京 👍🏽"
    assert [text[start:end] for start, end in spans(text)] == split(text)


def test_large_data_are_packed_and_lone_surrogates_replaced():
    assert packed({"text": "short"}) == ""
    text = ParsedPage(
        "<script type='application/gzip'>"
        + packed({"t": "\ud800" * 60_000})
        + "</script>"
    )
    assert text.data() == [{"t": "?" * 60_000}]


def test_headlines_say_what_is_significant(small):
    made = partial(report, metrics=["chrf", "ter"], test="randomisation")
    assert headline(made(texts())) == "No metric separates Alder from Cedar"
    birch = made(texts(), metrics=["chrf"], focus=("Birch", "Cedar"))
    assert headline(birch) == "chrF2 does not separate Alder from Cedar"
    pair = made(of_two("Alder", "Birch"))
    assert headline(pair) == "Alder is significantly better than Birch by both metrics"
    assert lead(pair).startswith(
        "2 systems, 14 segments, 2 metrics. Alder minus Birch: "
    )
    assert "95\u00a0% interval" in lead(pair)
    assert "adjusted p\u00a0<\u00a00.001" in lead(pair)


def of_two(*names):
    """Return the small test set with these systems."""
    return replace(texts(), systems={name: texts().systems[name] for name in names})


def test_the_bootstrap_finds_nothing_significant_in_few_segments(small):
    few = "14 segments are too few for a bootstrap test"
    assert headline(small) == f"Alder is ahead by both metrics, but {few}"
    assert "p\u00a0" not in lead(small)
    mixed = judged(small, CHRF | TER, {}, segments=14)
    assert headline(mixed) == f"Alder is ahead by chrF2, but {few}"
    copies = replace(texts(), systems=dict.fromkeys("AB", texts().systems["Alder"]))
    one = report(copies.select([0]), metrics=["chrf"], resamples=200)
    assert headline(one) == (
        "No system is ahead by any metric, and 1 segment is too few for a bootstrap "
        "test"
    )


def test_groups_have_a_bootstrap_of_their_own():
    exact = report(texts().select(range(5)), metrics="chrf", test="randomisation")
    assert exact.comparison.run["resamples"] == 2**5
    low, high = exact.length_ratios["Birch"].interval
    few = report(texts().select(range(5)), metrics="chrf")
    assert (low, high) == few.length_ratios["Birch"].interval


def judged(small, scores, better, *, segments=100):
    """Return a report with these scores, and these systems significantly better.

    `scores` are those of Alder, Birch and Cedar by metric; `better` names the winner
    of a pair by metric, where there is one.
    """
    table = small.comparison.scores
    systems = {
        name: {
            spec: replace(table[name][spec], score=scores[spec][n]) for spec in scores
        }
        for n, name in enumerate(("Alder", "Birch", "Cedar"))
    }
    pairs = [
        replace(
            pair,
            delta=systems[pair.a][pair.metric].score
            - systems[pair.b][pair.metric].score,
            better=better.get((pair.metric, pair.a, pair.b)),
        )
        for pair in small.comparison.pairs
        if pair.metric in scores
    ]
    metrics = {spec: table.metrics[spec] for spec in scores}
    comparison = replace(
        small.comparison,
        scores=replace(table, metrics=metrics, systems=systems),
        pairs=pairs,
        run={**small.comparison.run, "number_of_units": segments},
    )
    return replace(small, comparison=comparison)


A_B, A_C, B_C = ("Alder", "Birch"), ("Alder", "Cedar"), ("Birch", "Cedar")
CHRF, TER = {"chrf": (60, 59, 57)}, {"ter": (40, 30, 45)}


@pytest.mark.parametrize(
    ("scores", "better", "text"),
    [
        # One cluster, although the first and the last are different.
        (CHRF, {("chrf", *A_C): "Alder"}, "chrF2 does not separate Alder from Birch"),
        (CHRF, {}, "chrF2 does not separate Alder from Birch and Cedar"),
        # A tie by the first metric only.
        (
            CHRF | {"ter": (30, 40, 45)},
            {("ter", *A_B): "Alder"},
            "No metric separates Alder from Cedar",
        ),
        (
            CHRF | {"ter": (30, 40, 45)},
            {("ter", *A_B): "Alder", ("chrf", *A_C): "Alder"},
            "Alder is ahead, but no metric separates it from every other system",
        ),
        # The metric that is sure comes first.
        (
            CHRF | TER,
            {("ter", *A_B): "Birch", ("chrf", *A_C): "Alder"},
            (
                "Birch is significantly better than Alder by TER; Alder is ahead by "
                "chrF2, not significantly better than Birch"
            ),
        ),
        (
            CHRF | TER,
            {("ter", *A_B): "Birch", ("chrf", *A_B): "Alder"},
            (
                "Birch is significantly better than Alder by TER; Alder is "
                "significantly better than Birch by chrF2"
            ),
        ),
        (
            CHRF | {"ter": (40, 30, 31)},
            {("ter", *A_B): "Birch", ("ter", *A_C): "Cedar"}
            | {("chrf", *A_B): "Alder", ("chrf", *A_C): "Alder"},
            (
                "Alder is significantly better than every other system by chrF2, but "
                "Birch and Cedar are significantly better than Alder by TER"
            ),
        ),
        (
            CHRF | TER,
            {("chrf", *A_B): "Alder", ("chrf", *A_C): "Alder"},
            (
                "Alder is significantly better than every other system by chrF2, but "
                "not by TER"
            ),
        ),
    ],
)
def test_headlines_follow_the_tests_of_pairs(small, scores, better, text):
    assert headline(judged(small, scores, better)) == text


def test_two_systems_need_no_repeated_name(small):
    """The leader by one metric is behind by another, which is sure."""
    both = judged(small, CHRF | TER, {("ter", *A_B): "Birch"}).comparison
    systems = {name: both.scores[name] for name in A_B}
    pairs = [pair for pair in both.pairs if (pair.a, pair.b) == A_B]
    two = replace(both, scores=replace(both.scores, systems=systems), pairs=pairs)
    assert headline(replace(small, comparison=two)) == (
        "Birch is significantly better than Alder by TER; Alder is ahead by chrF2, not "
        "significantly"
    )


def test_opposite_orders_are_a_caution_if_one_is_significant(small):
    def disagreements(better):
        every = cautions(judged(small, CHRF | TER, better))
        return [text for text in every if text.startswith("Metrics disagree")]

    assert disagreements({}) == []
    assert disagreements({("chrf", *B_C): "Birch"}) == []  # the same order by both
    sure, unsure = {("ter", *A_B): "Birch"}, {("chrf", *A_B): "Alder"}
    assert disagreements(sure) == [
        (
            "Metrics disagree: Birch is better than Alder significantly by TER, but "
            "worse, not significantly, by chrF2."
        )
    ]
    assert disagreements(unsure) == [
        (
            "Metrics disagree: Alder is better than Birch significantly by chrF2, but "
            "worse, not significantly, by TER."
        )
    ]
    assert disagreements(sure | unsure) == [
        (
            "Metrics disagree: Alder is better than Birch significantly by chrF2, and "
            "significantly worse by TER."
        )
    ]


def test_systems_that_are_better_are_named_once():
    assert (
        words._orders([("A", "B"), ("B", "C")])
        == "A is better than B and B is better than C"
    )
    pairs = [("A", "B"), ("C", "D"), ("A", "E")]
    assert words._orders(pairs) == "A is better than B and E, and C is better than D"


def test_notes_name_metrics_as_the_page_does():
    labels = {"scores:file=/far/away.tsv": "COMET", "chrf": "chrF2"}
    assert words._named("scores:file=/far/away.tsv: 1 gap", labels) == "COMET: 1 gap"
    assert words._named("chrf needs words", labels) == "Chrf needs words"


def test_many_disagreements_are_counted(small, monkeypatch):
    scores = {"chrf": (40, 30, 20), "ter": (40, 30, 20)}
    pairs = [A_B, A_C, B_C]
    sure = {("chrf", *pair): pair[0] for pair in pairs}
    sure |= {("ter", "Alder", "Birch"): "Birch", ("ter", "Birch", "Cedar"): "Cedar"}
    told = judged(small, scores, sure)

    def disagreements():
        every = cautions(told)
        return [text for text in every if text.startswith("Metrics disagree")]

    both, single = disagreements()
    assert both == (
        "Metrics disagree: Alder is better than Birch and Birch is better than Cedar "
        "significantly by chrF2, and significantly worse by TER."
    )
    assert single == (
        "Metrics disagree: Alder is better than Cedar significantly by chrF2, but "
        "worse, not significantly, by TER."
    )
    monkeypatch.setattr(words, "_NAMED", 1)
    monkeypatch.setattr(words, "_DISAGREEMENTS", 1)
    assert disagreements() == [
        (
            "Metrics disagree: Alder is better than Birch significantly by chrF2, and "
            "significantly worse by TER (and 1 more pair of systems)."
        ),
        "Metrics disagree in 1 more case; see “Metrics”.",
    ]


def test_outputs_in_focus_come_first(small):
    _, browser = segment_browser(small)
    assert small.focus == ("Alder", "Cedar")
    names = [row.name for row in browser.segments[0].rows]
    assert names[2:] == ["Alder", "Cedar", "Birch"]


def test_names_stay_as_they_are(small):
    odd = "good ( old)"
    two = {odd: texts().systems["Alder"], "B": texts().systems["Birch"]}
    pair = report(replace(texts(), systems=two), metrics=["chrf"], resamples=20)
    assert f"{odd} minus B: chrF2 +" in lead(pair)
    assert "(95\u00a0% interval +" in lead(pair)
    both = report(replace(texts(), systems=two), metrics=["chrf", "ter"], resamples=20)
    assert "TER −44.44 (−" in lead(both)


def test_judges_are_quoted_for_significant_differences_only():
    some = replace(larger_texts(), systems={
        "Alder": larger_texts().systems["Alder"],
        "Dogwood": [*larger_texts().systems["Alder"][:-1], "The soup is better."],
    })  # fmt: skip
    close = report(some, metrics=["chrf"], resamples=200)
    head, chrf = ParsedPage(close.to_html()).tables["Alder and Dogwood"]
    assert head[-1] == "judges agreed with such a difference"
    assert chrf[-1] == "n/a"
    many = larger_texts()
    birch = report(many, metrics=["chrf"], focus=("Alder", "Birch"), resamples=200)
    page = ParsedPage(birch.to_html())
    assert "% of" in page.tables["Alder and Birch"][1][-1]
    assert "one reference, large test sets" in page.words
    twice = replace(many, references=[refs * 2 for refs in many.references])
    many = report(twice, metrics=["chrf"], focus=("Alder", "Birch"), resamples=200)
    page = ParsedPage(many.to_html())
    assert page.tables["Alder and Birch"][0][-1] == "effect size"
    assert "known for one reference per segment only" in page.words


def test_readers_learn_which_sign_is_better():
    many = larger_texts()
    lower = ParsedPage(report(many, metrics=["ter"], resamples=50).to_html())
    assert "TER ↓ of Alder and Cedar in groups of segments" in lower.words
    assert "Lower is better; negative: Alder is better." in lower.words
    assert "Small figures: bootstrap intervals." in lower.words
    higher = ParsedPage(report(many, metrics=["chrf"], resamples=50).to_html())
    assert "Positive: Alder is better." in higher.words
    assert "chrF2 ↓" not in higher.words


def test_a_metric_without_differences_has_no_correlation(small):
    (pair,) = small.metrics
    nothing = replace(pair, pearson=float("nan"), spearman=float("nan"))
    page = ParsedPage(replace(small, metrics=[nothing]).to_html())
    assert page.tables["Agreement on single outputs"][1][1:3] == ["n/a", "n/a"]


def test_the_page_offers_its_tables_without_segments(small):
    page = small.to_html()
    assert "all tables as JSON" in page
    assert '"headline": "Alder is ahead by both metrics' in small.to_json()


def test_cautions_name_what_weakens_the_result(small):
    sentences = " ".join(cautions(small))
    assert "Only 14 segments were resampled" in sentences
    large = report(larger_texts(), metrics=["chrf"], resamples=200)
    assert "The test set has 42 segments" in " ".join(cautions(large))
    assert "system 'Birch'" in sentences.lower().replace("birch", "Birch")
    assert "language" not in sentences
    unknown = report(replace(texts(), langpair=None), metrics=["chrf"], resamples=20)
    assert "language of the texts is not known" in " ".join(cautions(unknown))


def test_sections_have_results_of_their_own(small):
    """Notebooks show one of them."""
    for section in (
        sections.systems, sections.where, sections.differences, sections.habits,
        metrics, sections.method,
    ):  # fmt: skip
        assert section(small)
    alone = report(texts(), metrics=["chrf"], resamples=20)
    assert len(metrics(alone)) == 1


def test_tables_have_the_figures_of_the_report(small):
    page = ParsedPage(small.to_html(title="trees"))
    table = page.tables["Scores"]
    best = small.comparison.scores.ranked()[0]
    assert table[1][0] == best
    chrf = small.comparison.scores[best]["chrf"]
    low, high = chrf.interval
    assert table[1][1] == f"{chrf.score:.2f} {low:.2f} to {high:.2f}"
    errors = page.tables["Errors per 100 words of the reference"]
    assert [row[0] for row in errors[1:]] == list(KINDS)
    # The two systems in focus, their difference, then the others.
    pair = [*small.focus, "Alder minus Cedar", "interval", "adj. p", "Birch"]
    assert errors[0] == ["error", *pair, "outputs"]
    for place, name in ((1, "Alder"), (2, "Cedar"), (6, "Birch")):
        rate = small.errors[0].rates[name]
        assert errors[1][place].split()[0] == f"{rate.value:.1f}"
    right = page.tables["How many words are right: F1 in per cent"]
    assert right[0] == ["words", "number", *pair]
    for place, name in ((2, "Alder"), (3, "Cedar"), (7, "Birch")):
        assert right[1][place].split()[0] == f"{small.words[0].f[name].value:.1f}"


def test_nothing_is_called_tested_where_the_bootstrap_has_too_few_segments():
    few = report(texts().select(range(3)), metrics=["chrf"])
    assert {pair.better for pair in few.comparison.pairs} == {None}
    content = few.to_dict()
    assert content["gaps"] == {}
    assert content["ranking"] == {"chrf": []}
    assert all(math.isnan(pair["p_adjusted"]) for pair in content["pairs"])
    page = ParsedPage(few.to_html())
    assert "Scores and clusters" not in page.tables
    assert page.tables["Scores"][0] == ["system", "chrF2"]
    assert "Adjusted p-values by chrF2" not in page.tables
    first, second = few.focus
    row = page.tables[f"{first} and {second}"][1]
    assert row[3] == "n/a"
    assert "Groups of segments" not in page.tables
    assert "No group of segments has the 20 segments that a test of" in page.words
    assert "Holm's method for 0 groups" not in page.words
    assert "Small figures: bootstrap" not in page.words.partition("Where they")[2]
    assert "Nothing was tested: 3 segments are too few for a bootstrap" in page.words
    assert all(len(table) > 1 for table in page.tables.values())
    exact = report(texts().select(range(3)), metrics=["chrf"], test="randomisation")
    assert "Scores and clusters" in ParsedPage(exact.to_html()).tables


def test_groups_of_first_runs_are_compared_with_all_segments_of_first_runs():
    many = larger_texts()
    alder, birch, cedar = many.systems.values()
    result = report(
        replace(many, systems={"A1": cedar, "A2": alder, "B": birch}),
        metrics=["chrf"],
        resamples=50,
        runs={"A": ["A1", "A2"]},
    )
    scores = {name: of["chrf"] for name, of in result.comparison.scores.systems.items()}
    first = scores["A"].runs[0] - scores["B"].score
    assert first != pytest.approx(scores["A"].score - scores["B"].score)
    known, name = sections._everywhere(result, "chrf")
    assert (known, name) == (pytest.approx(first), "all segments, first runs")
    assert "all segments, first runs" in result.to_html()
    means = result.to_dict()["systems"]["A"]["chrf"]["segments"]
    each = tertium.score({"A1": cedar, "A2": alder}, many.references, metrics="chrf",
                         segments=True)  # fmt: skip
    pairs = zip(each["A1"]["chrf"].segments, each["A2"]["chrf"].segments, strict=True)
    assert means == pytest.approx([sum(pair) / 2 for pair in pairs])


def test_short_copies_have_the_best_sentence_bleu():
    copy, other = ["Hi there", "Ok ."], ["Hello you", "Okay !"]
    testset = tertium.Testset.build(copy, {"A": copy, "B": other})
    result = report(testset, metrics=["bleu", "chrf"])
    assert result.to_dict()["systems"]["A"]["bleu"]["segments"] == [100.0, 100.0]
    page = ParsedPage(result.to_html())
    assert page.words.count("have sentence BLEU (sentbleu)") == 2
    chosen = report(testset, metrics=["bleu:effective_order=no"])
    assert not chosen.segments["bleu:effective_order=no"].any()
    assert "sentence BLEU" not in ParsedPage(chosen.to_html()).words


def test_figures_have_their_intervals_below():
    large = report(larger_texts(), metrics=["chrf"], resamples=50)
    page = ParsedPage(large.to_html())
    rows = page.tables["Errors per 100 words of the reference"][1:]
    for row, each in zip(rows, large.errors, strict=True):
        for cell, name in zip(row[1:], large.focus, strict=False):
            rate = each.rates[name]
            low, high = rate.interval
            assert cell == f"{rate.value:.1f} {low:.1f} to {high:.1f}"


def test_systems_have_the_order_of_their_scores_in_the_browser(small, columns):
    ranked = small.comparison.scores.ranked()
    assert [columns["systems"][number] for number in columns["ranked"]] == ranked
    shown = re.findall(r'class="who">([^<]*)<', small.to_html())
    assert shown[:5] == ["source", "reference", *ranked]


def test_negative_numbers_have_minus_signs(small):
    page = ParsedPage(small.to_html())
    for name in ("Alder and Cedar", "System pairs", "Agreement on single outputs"):
        for row in page.tables[name][1:]:
            assert not any(re.match(r"-[0-9]", cell) for cell in row), name
    assert any("−" in cell for row in page.tables["System pairs"] for cell in row)


def test_the_lead_says_whether_its_p_values_are_adjusted():
    pair = of_two("Alder", "Birch")
    made = partial(report, pair, metrics=["chrf", "ter"], test="randomisation")
    assert lead(made()).count("adjusted p\u00a0<\u00a00.001") == 1
    assert "adjusted" not in lead(made(correction="none"))


def test_scatter_plots_have_a_narrow_version(small):
    x, y = small.segments.values()
    wide, narrow = (
        draw_scatter("chrF2", "TER", x, y, size=size)[0] for size in ("wide", "narrow")
    )
    sizes = [float(re.search(r'width="([0-9.]+)"', svg)[1]) for svg in (wide, narrow)]
    assert sizes[1] < 300 < sizes[0]
    assert wide.count("<circle") == narrow.count("<circle") == x.size


def test_a_section_without_a_browser_has_no_script_of_one(small):
    assert "segment-data" not in small.section("where").to_html()
    assert "segment-data" in small.section("outputs").to_html()


def test_a_figure_without_an_interval_stands_alone():
    assert figure_cell(Figure(12.345), 2).text == "12.35"


def test_hostile_texts_stay_texts_in_the_page():
    text = hostile_report().to_html(title=HOSTILE)
    page = ParsedPage(text)
    assert "alert(1)" in page.words
    assert not any(tag == "img" for tag, _ in page.elements)
    assert all("src" not in attributes for attributes, _ in page.scripts)
    (columns,) = page.data()
    assert HOSTILE in columns["systems"]


# ----------------------------------------------------------------------- sections


@pytest.mark.parametrize("name", SECTIONS)
def test_every_section_is_a_page_of_its_own(small, name):
    page = small.section(name).to_html()
    assert page.startswith("<!DOCTYPE html>")
    assert [other for other in SECTIONS if f'id="{other}"' in page] == [name]


def test_a_section_in_a_notebook_is_one_frame():
    section = hostile_report().section("differences")
    shown = section._repr_html_()
    frame = re.fullmatch(r'<iframe srcdoc="([^"]*)"[^<>]*></iframe>', shown)
    assert unescape(frame[1]) == section.to_html()


def test_an_unknown_section_names_the_known_ones(small):
    with pytest.raises(UnknownNameError, match="where"):
        small.section("were").to_html()
