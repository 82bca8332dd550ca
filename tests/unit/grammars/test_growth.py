# SPDX-License-Identifier: Apache-2.0
"""BLEU with ever more references."""

from __future__ import annotations

import pytest

import tertium
from support.grammar_texts import HAVE
from tertium.errors import InputError
from tertium.grammars import Automaton
from tertium.grammars.gf.grammar import parse_grammar
from tertium.grammars.growth import bleu_growth, drawn_references

#: Outputs that go wrong in different ways, all of the set {1a,2b,3a}.
OUTPUTS = [
    "Annalla on nyt iso omenapuu.",
    "anna on nyt iso omenapuu",
    "annalla on nyt iso omena puu",
    "anna omistaa nyt iso omenapuu",
    "annalla on nyt yksi iso omenapuu",
    "nyt anna omistaa suuren omenapuun",
]


@pytest.fixture(scope="module")
def finnish():
    return parse_grammar(HAVE).sentences("Fin", "1a,2b,3a")


def test_bleu_rises_with_nested_references(finnish):
    sizes = (1, 2, 5, 10, 28)
    found = bleu_growth({"A": OUTPUTS}, [finnish] * 6, sizes=sizes)
    scores = found.scores["A"]
    assert list(scores) == sorted(scores)
    assert scores[0] < scores[-1]
    assert found.drawn == sizes
    # With all references the draw does not matter.
    other = bleu_growth({"A": OUTPUTS}, [finnish] * 6, sizes=[28], seed=7)
    assert other.scores["A"][0] == pytest.approx(scores[-1])


def test_scores_are_those_of_the_metric_on_the_drawn_references(finnish):
    found = bleu_growth({"A": OUTPUTS}, [finnish] * 6, sizes=[3], seed=5)
    refs = [own[:3] for own in drawn_references([finnish] * 6, 3, seed=5)]
    plain = [text.lower().replace(".", "") for text in OUTPUTS]
    expected = tertium.metric("bleu:tokenize=none").corpus_score(plain, refs)
    assert found.scores["A"] == (expected,)


def test_larger_draws_hold_the_smaller_ones(finnish):
    many = drawn_references([finnish, finnish], 20)
    few = drawn_references([finnish, finnish], 5)
    assert [own[:5] for own in many] == few
    assert all(len(set(own)) == len(own) for own in many)
    # Segments of one set are drawn for independently.
    assert few[0] != few[1]


def test_small_sets_give_all_they_have():
    ball = Automaton.from_sentences(["The ball is red now .", "a ball is red now"])
    found = bleu_growth({"A": ["THE ball is red, now!"]}, [ball], sizes=[1, 100])
    assert found.drawn == (1.0, 2.0)
    assert found.scores["A"][1] == pytest.approx(100)


def test_drawn_references_differ_in_words():
    """Those that only case and punctuation tell apart are one reference."""
    texts = ["The ball is red .", "the ball is red", "THE ball , is red!", "a ball"]
    ball = Automaton.from_sentences(texts)
    (drawn,) = drawn_references([ball], 3)
    assert sorted(drawn) == ["a ball", "the ball is red"]
    assert bleu_growth({"A": ["x"]}, [ball], sizes=[3]).drawn == (2.0,)


def test_the_signature_says_how_texts_were_changed(finnish):
    found = bleu_growth({"A": OUTPUTS[:1]}, [finnish], sizes=[1]).metric.split("|")
    assert "case:lc" in found
    assert "case:mixed" not in found
    assert "prep:folded,bare" in found


def test_wrong_numbers_are_refused(finnish):
    with pytest.raises(InputError, match="at least 1"):
        bleu_growth({"A": OUTPUTS}, [finnish] * 6, sizes=[0])
    with pytest.raises(InputError, match="'A' has 6 outputs, there are 5"):
        bleu_growth({"A": OUTPUTS}, [finnish] * 5)
    with pytest.raises(InputError, match="no segment"):
        bleu_growth({"A": []}, [])
