# SPDX-License-Identifier: Apache-2.0
"""Sets of sentences as automata, against the same sets written out."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.automata.automaton import Automaton
from tertium.automata.expressions import (
    BIND,
    EMPTY,
    NOTHING,
    Token,
    choice,
    literal,
    sequence,
)
from tests.oracles.sentence_sets import sentences

TOKENS = st.sampled_from(["a", "b", "c", "d"])
EXPRESSIONS = st.recursive(
    TOKENS.map(Token) | st.sampled_from([BIND, EMPTY, NOTHING]),
    lambda inner: (
        st.lists(inner, max_size=3).map(sequence)
        | st.lists(inner, max_size=3).map(choice)
    ),
    max_leaves=12,
)
SETS = st.frozensets(st.lists(TOKENS, max_size=4).map(tuple), max_size=12)


@given(EXPRESSIONS)
def test_an_automaton_holds_exactly_the_sentences_of_its_expression(expression):
    automaton = Automaton.from_expression(expression)
    assert list(automaton) == sorted(sentences(expression))
    assert automaton.count == len(sentences(expression))


@given(SETS)
def test_there_is_one_automaton_for_a_set(wanted):
    automaton = Automaton.from_sentences(wanted)
    assert automaton == Automaton.from_expression(
        choice(sequence(map(Token, tokens)) for tokens in wanted)
    )
    assert [automaton[i] for i in range(automaton.count)] == sorted(wanted)
    assert all(tokens in automaton for tokens in wanted)
    # Minimal: no two states have the same continuations (Myhill and Nerode).
    tails = [
        frozenset(continuations(automaton, state)) for state in range(len(automaton))
    ]
    assert len(set(tails)) == len(tails)


def continuations(automaton: Automaton, state: int) -> set[tuple[str, ...]]:
    sentences = {()} if automaton.finals[state] else set()
    for symbol, to in automaton.arcs[state]:
        sentences |= {
            (automaton.symbols[symbol], *tail) for tail in continuations(automaton, to)
        }
    return sentences


@given(SETS, SETS)
def test_sets_unite(one, other):
    both = Automaton.from_sentences(one) | Automaton.from_sentences(other)
    assert both == Automaton.from_sentences(one | other)


@given(SETS, st.dictionaries(TOKENS, st.sampled_from(["", "a", "z", "a z"])))
def test_tokens_can_be_renamed_and_left_out(wanted, names):
    renamed = {
        tuple(word for token in tokens for word in names.get(token, token).split())
        for tokens in wanted
    }
    automaton = Automaton.from_sentences(wanted).relabelled(
        lambda token: names.get(token, token)
    )
    assert automaton == Automaton.from_sentences(renamed)


@given(SETS, st.lists(TOKENS, max_size=4))
def test_membership(wanted, tokens):
    automaton = Automaton.from_sentences(wanted)
    assert (tokens in automaton) == (tuple(tokens) in wanted)
    assert (" ".join(tokens) in automaton) == (tuple(tokens) in wanted)
    assert "z" not in automaton
    assert 7 not in automaton


def test_samples_are_nested_without_repeats_and_uniform():
    automaton = Automaton.from_expression(
        sequence([choice(map(literal, ["a", "b c", "d"])), choice([EMPTY, Token("e")])])
    )
    assert sorted(automaton.sample(99)) == list(automaton)
    large = automaton.sample(6, seed=3)
    for size in range(6):
        assert automaton.sample(size, seed=3) == large[:size]
    drawn = Counter(automaton.sample(1, seed=seed)[0] for seed in range(1200))
    assert set(drawn) == set(automaton)
    assert all(140 < times < 265 for times in drawn.values())


def test_counts_are_exact_beyond_machine_numbers():
    ten = choice(Token(str(digit)) for digit in range(10))
    automaton = Automaton.from_expression(sequence([ten] * 60))
    assert automaton.count == 10**60
    assert len(automaton) == 61
    assert automaton[10**60 - 1] == ("9",) * 60
    assert automaton[-1] == ("9",) * 60
    with pytest.raises(IndexError):
        automaton[10**60]
    assert len(set(automaton.sample(5))) == 5


def test_sentences_may_be_longer_than_python_recurses():
    long = ["a"] * 5000
    automaton = Automaton.from_sentences([long, [*long, "b"]])
    assert automaton == automaton | Automaton.from_sentences([long])
    glued = Automaton.from_expression(sequence([*map(Token, long), BIND, Token("b")]))
    assert list(glued) == [("a",) * 4999 + ("ab",)]
    assert list(glued.relabelled(str.upper)) == [("A",) * 4999 + ("AB",)]


def test_an_automaton_says_what_it_is():
    automaton = Automaton.from_sentences(["a b", "a c"])
    assert repr(automaton) == "<Automaton: 2 sentences, 3 states, 3 arcs>"
    assert hash(automaton) == hash(Automaton.from_sentences(["a c", "a b"]))
    assert automaton != "a b"
