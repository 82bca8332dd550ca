# SPDX-License-Identifier: Apache-2.0
"""Pairs of words that a grammar makes and a corpus has."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from tertium.automata.automaton import Automaton
from tertium.grammars.authoring.attestation import attest, count_pairs, word_pairs

WORDS = st.sampled_from(["a", "b", "c"])
SETS = st.frozensets(st.lists(WORDS, max_size=4).map(tuple), min_size=1, max_size=8)


@given(SETS)
def test_pairs_are_those_of_the_sentences_and_examples_have_them(sentences):
    result = word_pairs(Automaton.from_sentences(sentences))
    wanted = {pair for one in sentences for pair in itertools.pairwise(one)}
    assert set(result) == wanted
    for pair, example in result.items():
        assert example in sentences
        assert pair in itertools.pairwise(example)


def test_punctuation_and_case_do_not_matter():
    counts = count_pairs(["The ball, is red.", "the BALL"])
    assert counts == {("the", "ball"): 2, ("ball", "is"): 1, ("is", "red"): 1}


def test_constructions_with_least_come_first():
    counts = count_pairs(["the ball is red"])
    result = attest(
        [
            ("Is", Automaton.from_sentences(["The ball is red"])),
            ("Of", Automaton.from_sentences(["the colour of the ball"])),
            ("Of", Automaton.from_sentences(["the ball"])),
            ("None", Automaton.from_sentences([])),
        ],
        counts,
    )
    assert [(one.construction, one.found, len(one.pairs)) for one in result] == [
        ("Of", 1, 4),
        ("Is", 3, 3),
        ("None", 0, 0),
    ]
    assert result[0].pairs[0].count == 0
    assert result[0].pairs[-1].words == ("the", "ball")
