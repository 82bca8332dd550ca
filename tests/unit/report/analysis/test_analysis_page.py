# SPDX-License-Identifier: Apache-2.0
"""The page of a system report: its words, its tables and the data of its script."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.html_pages import ParsedPage
from support.report_systems import HOSTILE, hostile_report, small_report, texts
from tertium.analysis.report import report
from tertium.analysis.word_errors import KINDS
from tertium.analysis.words import spans, split
from tertium.report.analysis import data, sections
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
    text = data._links([np.array(each, np.int32) for each in links])
    assert [decoded(line) for line in text.split("\n")] == links


def test_steps_between_lines_are_independent():
    links = [
        np.array([5, 6], np.int32),
        np.array([], np.int32),
        np.array([0], np.int32),
    ]
    assert data._links(links) == "-#\n\n#"


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
    assert headline(small) == "No metric separates Alder from Cedar"
    birch = report(texts(), metrics=["chrf"], focus=("Birch", "Cedar"), resamples=200)
    assert headline(birch) == "ChrF2 does not separate Alder from Cedar"
    two = {name: texts().systems[name] for name in ("Alder", "Birch")}
    pair = report(replace(texts(), systems=two), metrics=["chrf", "ter"], resamples=200)
    assert headline(pair) == "Alder is significantly better than Birch by both metrics"
    assert lead(pair).startswith(
        "2 systems, 14 segments, 2 metrics. Alder minus Birch: "
    )
    assert "95 % interval" in lead(pair)


def test_cautions_name_what_weakens_the_result(small):
    sentences = " ".join(cautions(small))
    assert "The test set has 14 segments" in sentences
    assert "system 'Birch'" in sentences.lower().replace("birch", "Birch")
    assert "language" not in sentences
    unknown = report(replace(texts(), langpair=None), metrics=["chrf"], resamples=20)
    assert "language of the texts is not known" in " ".join(cautions(unknown))


def test_sections_have_results_of_their_own(small):
    """Notebooks show one of them."""
    for section in (
        sections.systems, sections.where, sections.differences, sections.habits,
        sections.metrics, sections.method,
    ):  # fmt: skip
        assert section(small)
    alone = report(texts(), metrics=["chrf"], resamples=20)
    assert len(sections.metrics(alone)) == 1


def test_tables_have_the_figures_of_the_report(small):
    page = ParsedPage(small.to_html(title="trees"))
    table = page.tables["Scores and clusters"]
    best = small.comparison.scores.ranked()[0]
    assert table[1][0] == best
    assert table[1][1] == f"{small.comparison.scores[best]['chrf'].score:.2f}"
    errors = page.tables["Errors per 100 words of the reference"]
    assert [row[0] for row in errors[1:]] == list(KINDS)
    rate = small.errors[0].rates["Birch"].value
    assert errors[1][2] == f"{rate:.1f}"
    assert "judges agreed with such a difference" in page.tables["Alder and Cedar"][0]


def test_hostile_texts_stay_texts_in_the_page():
    text = hostile_report().to_html(title=HOSTILE)
    page = ParsedPage(text)
    assert "alert(1)" in page.words
    assert not any(tag == "img" for tag, _ in page.elements)
    assert all("src" not in attributes for attributes, _ in page.scripts)
    (columns,) = page.data()
    assert HOSTILE in columns["systems"]
