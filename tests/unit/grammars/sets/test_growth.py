# SPDX-License-Identifier: Apache-2.0
"""BLEU with ever more references."""

from __future__ import annotations

import pytest

import tertium
from support.grammar_texts import HAVE
from tertium.errors import InputError
from tertium.grammars import Automaton
from tertium.grammars.gf.grammar import parse_grammar
from tertium.grammars.sets.growth import bleu_growth, sample_references

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
    result = bleu_growth({"A": OUTPUTS}, [finnish] * 6, sizes=sizes)
    scores = result.scores["A"]
    assert list(scores) == sorted(scores)
    assert scores[0] < scores[-1]
    assert result.sampled == sizes
    # With all references the seed does not matter.
    other = bleu_growth({"A": OUTPUTS}, [finnish] * 6, sizes=[28], seed=7)
    assert other.scores["A"][0] == pytest.approx(scores[-1])


def test_scores_are_those_of_the_metric_on_the_sampled_references(finnish):
    result = bleu_growth({"A": OUTPUTS}, [finnish] * 6, sizes=[3], seed=5)
    refs = [sample[:3] for sample in sample_references([finnish] * 6, 3, seed=5)]
    plain = [text.lower().replace(".", "") for text in OUTPUTS]
    expected = tertium.metric("bleu:tokenize=none").corpus_score(plain, refs)
    assert result.scores["A"] == (expected,)


def test_larger_samples_contain_the_smaller_ones(finnish):
    many = sample_references([finnish, finnish], 20)
    few = sample_references([finnish, finnish], 5)
    assert [one[:5] for one in many] == few
    assert all(len(set(one)) == len(one) for one in many)
    # Segments of one set are sampled independently.
    assert few[0] != few[1]


def test_small_sets_give_all_they_have():
    ball = Automaton.from_sentences(["The ball is red now .", "a ball is red now"])
    result = bleu_growth({"A": ["THE ball is red, now!"]}, [ball], sizes=[1, 100])
    assert result.sampled == (1.0, 2.0)
    assert result.scores["A"][1] == pytest.approx(100)


def test_sampled_references_differ_in_words():
    """Those that differ only in case and punctuation are one reference."""
    texts = ["The ball is red .", "the ball is red", "THE ball , is red!", "a ball"]
    ball = Automaton.from_sentences(texts)
    (sample,) = sample_references([ball], 3)
    assert sorted(sample) == ["a ball", "the ball is red"]
    assert bleu_growth({"A": ["x"]}, [ball], sizes=[3]).sampled == (2.0,)


def test_the_signature_records_how_texts_were_changed(finnish):
    result = bleu_growth({"A": OUTPUTS[:1]}, [finnish], sizes=[1]).metric.split("|")
    assert "case:lc" in result
    assert "case:mixed" not in result
    assert "prep:folded,bare" in result


def test_wrong_numbers_are_rejected(finnish):
    with pytest.raises(InputError, match="at least 1"):
        bleu_growth({"A": OUTPUTS}, [finnish] * 6, sizes=[0])
    with pytest.raises(InputError, match="'A' has 6 outputs, there are 5"):
        bleu_growth({"A": OUTPUTS}, [finnish] * 5)
    with pytest.raises(InputError, match="no segment"):
        bleu_growth({"A": []}, [])
