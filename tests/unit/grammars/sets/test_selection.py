# SPDX-License-Identifier: Apache-2.0
"""Diverse sources: a worked example, the oracle, quotas."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.token_distance import levenshtein, normalised, select
from support.grammar_texts import HAVE
from tertium.errors import InputError
from tertium.grammars import Automaton, Template
from tertium.grammars.gf.grammar import parse_grammar
from tertium.grammars.sets.distance import edit_distance, normalised_distance
from tertium.grammars.sets.selection import (
    LIMIT,
    Choice,
    diverse,
    select_sources,
    whole_sources,
)

SENTENCES = st.lists(st.sampled_from("abcde"), max_size=7).map(tuple)


def template(name: str, grammar=None) -> Template:
    grammar = grammar or parse_grammar(HAVE)
    return Template(name, "", "Eng", ("Fin",), grammar, folder=Path(name))


def test_vector_9_7():
    english = parse_grammar(HAVE).sentences("Eng", "1a,2a,3a")
    results = [" ".join(one) for one in diverse(english, threshold=0.5, seed=13)]
    assert results == [
        "now Anna has a large car",
        "Anna owns a big car now",
        "Anna is nowadays the owner of a big car",
        "Anna now owns a large car",
    ]
    assert len(list(diverse(english, threshold=0.3, seed=13))) == 9


@given(
    st.sets(SENTENCES, max_size=30), st.sampled_from([0, 0.3, 0.5, 1]), st.integers()
)
def test_selection_is_that_of_its_definition(sentences, threshold, seed):
    seed = abs(seed) % 2**63
    expected = select(sentences, threshold, seed)
    assert list(diverse(sentences, threshold=threshold, seed=seed)) == expected
    automaton = Automaton.from_sentences(sentences)
    assert list(diverse(automaton, threshold=threshold, seed=seed)) == expected


@given(SENTENCES, SENTENCES)
def test_distances_are_those_of_the_recurrence(one, other):
    assert edit_distance(one, other) == levenshtein(one, other)
    assert normalised_distance(one, other) == normalised(one, other)


def test_large_sets_are_sampled_first():
    words = [[f"{place}{letter}" for letter in "abcdefgh"] for place in range(5)]
    many = Automaton.from_sentences(
        (a, b, c, d, e)
        for a in words[0]
        for b in words[1]
        for c in words[2]
        for d in words[3]
        for e in words[4]
    )
    assert many.count > LIMIT
    one = [next(diverse(many, seed=seed)) for seed in range(3)]
    assert len(set(one)) == 3
    assert all(each in many for each in one)
    sample = many.sample(LIMIT, 1)
    assert next(diverse(many, seed=1)) in sample
    assert next(diverse(list(many), seed=1)) in many


def test_quotas_are_even_over_templates_and_take_turns_over_sets():
    result = select_sources([template("one"), template("two")], 21)
    assert Counter(one.template for one in result) == {"one": 11, "two": 10}
    sets = Counter(one.set for one in result if one.template == "one")
    assert len(sets) == 8  # all of them
    assert set(sets.values()) == {1, 2}
    assert len({one.id for one in result}) == 21


def test_what_one_template_cannot_give_the_others_do():
    small = parse_grammar(
        """abstract Hello = { flags startcat = S ; cat S ; fun Greet : S ; }
        concrete HelloEng of Hello = { lincat S = Str ; lin Greet = "hello you" ; }
        concrete HelloFin of Hello = { lincat S = Str ; lin Greet = "hei sinä" ; }"""
    )
    result = select_sources([template("tiny", small), template("have")], 10)
    assert Counter(one.template for one in result) == {"tiny": 1, "have": 9}
    assert result[0].id == "tiny.-.Eng.strings.0"
    assert result[0].source == "Hello you."
    everything = select_sources([template("tiny", small)], 10)
    assert len(everything) == 1


def test_small_test_sets_do_not_hold_first_values_only():
    result = select_sources([template("have")], 4)
    codes = {code for one in result for code in one.set.split(",")}
    assert {"1a", "1b"} <= codes


def test_sets_of_equal_shape_give_different_sentences():
    result = select_sources([template("have")], 8, Choice(style="plain"))
    assert len({one.set for one in result}) == 8
    names = {"Anna", "Pekka", "car", "apple", "tree", "big", "large", "old", "a", "an"}
    shapes = {tuple(w for w in one.source.split() if w not in names) for one in result}
    assert len(shapes) > 3


def test_sources_know_their_constructions_and_style():
    plain = select_sources([template("have")], 3, Choice(style="plain"))
    grammar = parse_grammar(HAVE)
    for one in plain:
        assert one.source in grammar.sentences("Eng", one.set)
        assert one.constructions == grammar.accepting("Eng", one.set, one.source)
        assert one.constructions
    assert all(
        one.source[0].isupper() and one.source.endswith(".")
        for one in select_sources([template("have")], 3)
    )


def test_whole_sources_are_all_or_a_sample():
    everything = whole_sources([template("have")], style="plain")
    assert len(everything) == 144
    some = whole_sources([template("have")], size=2, style="plain")
    assert len(some) == 16
    assert {one.source for one in some} <= {one.source for one in everything}


@pytest.mark.parametrize("threshold", [-0.1, 1.5, float("nan")])
def test_thresholds_lie_between_0_and_1(threshold):
    with pytest.raises(InputError, match="threshold"):
        Choice(threshold=threshold)


def test_templates_need_unique_ids():
    with pytest.raises(InputError, match="two templates have the id 'one'"):
        select_sources([template("one"), template("one")], 3)
    with pytest.raises(InputError, match="no template"):
        select_sources([], 3)
