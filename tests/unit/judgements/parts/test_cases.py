# SPDX-License-Identifier: Apache-2.0
"""Sentences to read where judgements of parts and sentences differ, and their page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from support.html_pages import ParsedPage
from tertium.data.testset import Testset
from tertium.errors import InputError
from tertium.judgements import Judgements, Place, Ranking
from tertium.judgements.parts.against_sentences import compare_levels
from tertium.judgements.parts.cases import level_cases, texts_for
from tertium.report.levels import levels_page


def ranked(segment, part, document=None, **places):
    """Return a ranking of systems by (rank, text) or (rank, text, garbage)."""
    listed = tuple(
        Place((system,), rank, bool(garbage), text)
        for system, (rank, text, *garbage) in places.items()
    )
    return Ranking(listed, segment, part, document=document)


@pytest.fixture
def judged():
    return Judgements.from_iterable(
        [
            ranked("1", None, A=(2, None), B=(1, None)),
            ranked("1", "das Volumen", A=(1, "the volume"), B=(2, "volume the", True)),
            ranked("1", "der Pakete", A=(1, "of parcels"), B=(3, "of packs")),
            ranked("2", None, A=(1, None), B=(2, None)),
            ranked("2", "wir", A=(1, "we"), B=(2, "us")),
        ]
    )


@pytest.fixture
def texts():
    return Testset.build(
        ["the volume of parcels grew", "we met"],
        {"A": ["<b> the volume shrank of parcels", "we met"], "B": ["x", "us met"]},
        sources=["das Volumen der Pakete wuchs", "wir trafen uns"],
    )


def test_every_language_pair_has_its_test_set(texts):
    czech, german = (replace(texts, langpair=pair) for pair in ("cs-en", "de-en"))
    assert texts_for("de-en", [czech, german]) is german
    assert texts_for("fr-en", [czech, german]) is None
    assert texts_for("de-en", [texts]) is texts
    assert texts_for("de-en", [czech]) is texts_for("de-en", []) is None
    with pytest.raises(InputError, match="2 test sets are for cs-en"):
        texts_for("cs-en", [czech, czech])
    with pytest.raises(InputError, match="names no language pair"):
        texts_for("cs-en", [czech, texts])


def test_both_ends_of_the_list_have_texts_and_ranked_parts(judged, texts):
    cases = level_cases(judged, compare_levels(judged), testset=texts, most=1)
    (better,), (worse,) = cases.parts_better, cases.parts_worse
    assert (better.disagreement.system, better.disagreement.sentence) == ("A", "1")
    assert better.source == "das Volumen der Pakete wuchs"
    assert better.reference == "the volume of parcels grew"
    assert better.output == "<b> the volume shrank of parcels"
    assert [part.text for part in better.parts] == ["the volume", "of parcels"]
    assert (worse.disagreement.system, worse.disagreement.sentence) == ("B", "1")
    first, second = worse.parts
    assert (first.rank, first.ranks, first.garbage) == (2, 2, True)
    assert (second.rank, second.best) == (2, ("of parcels",))
    assert {each.disagreement.sentence for each in cases.agreeing} == {"2"}


def test_ids_name_sentences_and_texts_may_be_missing(judged, texts):
    levels = compare_levels(judged)
    named = Testset.build(texts.references, texts.systems, ids=["2", "1"])
    (case,) = level_cases(judged, levels, testset=named, most=1).parts_better
    assert (case.source, case.output) == (None, "we met")
    (case,) = level_cases(judged, levels, most=1).parts_better
    assert (case.source, case.reference, case.output) == (None, None, None)
    assert len(case.parts) == 2


def test_sentences_numbered_within_documents_are_told_apart():
    both = Judgements.from_iterable(
        ranked("1", part, doc, A=(a, "a"), B=(b, "b"))
        for doc, a, b in (("x", 1, 2), ("y", 2, 1))
        for part in (None, "p")
    )
    cases = level_cases(both, compare_levels(both))
    names = {case.disagreement.sentence: len(case.parts) for case in cases.agreeing}
    assert names == {"x/1": 1, "y/1": 1}


def test_the_page_marks_parts_in_texts(judged, texts):
    cases = level_cases(judged, compare_levels(judged), testset=texts, most=1)
    html = levels_page([], {"de-en": cases})
    page = ParsedPage(html)
    marks = [attributes["class"] for tag, attributes in page.elements if tag == "mark"]
    assert {"form", "extra", "moved"} <= set(marks)
    assert '<mark class="form">the volume</mark> shrank' in html
    assert "&lt;b&gt;" in html
    assert "thrown away" in html
    assert "de-en: segments better than the sentence" in html
    empty = levels_page([], {"": level_cases(judged, compare_levels(judged), most=0)})
    assert "There is no such sentence." in empty
