# SPDX-License-Identifier: Apache-2.0
"""Precision and recall of edit positions (paraphrase grammars, C17 and 9.8)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.judgements.agreement.positions import (
    EditPlaces,
    PlaceScore,
    compare_places,
    places_of_spans,
    score_places,
    token_spans,
)

places = st.builds(
    EditPlaces, st.frozensets(st.integers(0, 6), max_size=5), st.integers(0, 3)
)
by_segment = st.dictionaries(st.sampled_from("abcd"), places)


def edits(tokens, missing):
    return EditPlaces(frozenset(tokens), missing)


def test_the_vector_of_the_specification():
    automatic = [edits({0, 1}, 1), edits({3}, 0), edits((), 2)]
    gold = [edits({0, 1}, 1), edits({2, 3}, 0), edits((), 1)]
    report = compare_places(
        {str(n): one for n, one in enumerate(automatic)},
        {"evaluator": {str(n): one for n, one in enumerate(gold)}},
    )
    assert report.pooled == PlaceScore(right=5, wrong=1, missed=1, segments=3)
    assert report.annotators == {"evaluator": report.pooled}
    for value in (report.pooled.precision, report.pooled.recall, report.pooled.f):
        assert value == pytest.approx(0.8333, abs=5e-5)
    assert report.pairs == {}


def oracle(predicted, gold):
    """Return precision, recall and F by bags of places, missing ones numbered."""

    def bag(theirs):
        return {
            (name, what)
            for name, one in theirs.items()
            if name in predicted and name in gold
            for what in [*one.tokens, *(f"missing {n}" for n in range(one.missing))]
        }

    ours, theirs = bag(predicted), bag(gold)
    both = len(ours & theirs)
    p = both / len(ours) if ours else None
    r = both / len(theirs) if theirs else None
    f = None if not ours and not theirs else 2 * both / (len(ours) + len(theirs))
    return p, r, f


@given(by_segment, by_segment, by_segment)
def test_it_is_what_bags_of_places_give(predicted, one, other):
    report = compare_places(predicted, {"one": one, "other": other})
    for name, gold in {"one": one, "other": other}.items():
        result = report.annotators[name]
        assert (result.precision, result.recall, result.f) == pytest.approx(
            oracle(predicted, gold)
        )
    assert report.pooled == report.annotators["one"] + report.annotators["other"]
    pair = report.pairs["one", "other"]
    assert (pair.precision, pair.recall, pair.f) == pytest.approx(oracle(one, other))
    assert report.among == pair


@given(places, places)
def test_sides_change_places(one, other):
    there, back = score_places(one, other), score_places(other, one)
    assert (there.precision, there.recall) == (back.recall, back.precision)
    assert there.f == back.f


def test_what_only_one_looked_at_counts_for_nobody():
    report = compare_places({"a": edits({0}, 0)}, {"x": {"b": edits({0}, 0)}})
    assert report.pooled == PlaceScore()
    assert report.pooled.precision is None
    assert report.pooled.f is None


def test_stretches_mark_the_tokens_that_they_touch():
    text = " Ein altes  Haus."
    assert [text[a:b] for a, b in token_spans(text)] == ["Ein", "altes", "Haus."]
    assert places_of_spans(text, [(3, 6), (17, 17)]) == edits({0, 1}, 1)
    assert places_of_spans(text, [(10, 12)]) == edits((), 0)
    assert places_of_spans("", [(0, 0)]) == edits((), 1)


@pytest.mark.parametrize("span", [(-1, 2), (2, 1), (0, 5)])
def test_a_stretch_outside_the_text_is_rejected(span):
    with pytest.raises(InputError, match="code points"):
        places_of_spans("Haus", [span])


def test_numbers_below_zero_are_rejected():
    with pytest.raises(InputError, match="below 0"):
        edits((), -1)
    with pytest.raises(InputError, match="below 0"):
        edits({-2}, 0)
