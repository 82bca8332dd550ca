# SPDX-License-Identifier: Apache-2.0
"""Packed sentences against trees linearised one by one, on random grammars."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from support.random_grammars import random_grammar, show_grammar
from tertium.grammars.gf import parse_grammar
from tests.oracles.trees_of_grammars import TooBigError, sentences


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(st.randoms(use_true_random=False))
def test_packing_gives_the_sentences_of_the_trees(random):
    data = random_grammar(random)
    try:
        wanted, trees = sentences(data)
    except TooBigError:
        assume(False)
    grammar = parse_grammar(show_grammar(data))
    assert grammar.trees == trees
    assert set(grammar.sets("Eng")) == set(wanted)
    for codes, constructions in wanted.items():
        made = grammar.constructions("Eng", codes)
        assert {name: set(one) for name, one in made.items()} == constructions
        assert set(grammar.sentences("Eng", codes)) == set().union(
            *constructions.values()
        )
