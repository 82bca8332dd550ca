# SPDX-License-Identifier: Apache-2.0
"""Tokens of outputs and references are cut and spelt alike."""

from __future__ import annotations

import pytest

from tertium.automata.automaton import Automaton
from tertium.grammars.search.matching import closest
from tertium.grammars.search.tokens import bare, bare_references, bare_tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\u0308iti", "äiti"),
        ("it’s itʼs it's", "it's it's it's"),
        ("e\u2011mail e\u2010mail e–mail", "e-mail e-mail e-mail"),
        ("pu\u200bhe puhe\u00ad\u2060lin \ufeffhei", "puhe puhelin hei"),
        ("red,green red/green red—green red;green", "red green " * 4),
        ("word(s) [a]b red...green red--green", "word s a b red green red green"),
        ("EU:n U.S. 3,5 1.000,50 24/7 10:30", "EU:n U.S 3,5 1.000,50 24/7 10:30"),
        ("«Anna,» -- ... 5% ‘so’", "Anna 5 so"),
        ("AT&T a@b.c l·l", "AT&T a@b.c l·l"),
    ],
)
def test_words_have_one_shape(text, words):
    assert bare_tokens(text) == words.split()
    assert bare_tokens(text.split()) == words.split()
    assert [word for one in text.split() for word in bare(one).split()] == words.split()


def test_references_are_cut_as_outputs_are():
    result = Automaton.from_sentences(
        ["the red,green flag", "the red, flag", "It’s a\u0308 , flag"]
    )
    wanted = Automaton.from_sentences(
        ["the red green flag", "the red flag", "It's ä flag"]
    )
    assert bare_references(result) == wanted


@pytest.mark.parametrize(
    ("output", "reference"),
    [
        ("a\u0308iti tuli", "äiti tuli"),
        ("that’s an e‑mail", "that's an e-mail"),
        ("red , green", "red,green"),
        ("red,green", "red green"),
        ("zero\u200bwidth", "zerowidth"),
    ],
)
def test_spelling_is_no_error(output, reference):
    assert closest(output, Automaton.from_sentences([reference])).best.cost == 0
    assert closest(reference, Automaton.from_sentences([output])).best.cost == 0
