# SPDX-License-Identifier: Apache-2.0
"""Costs of large sets against OpenFst and against a search in plain Python."""

from __future__ import annotations

import itertools
import random
import shutil
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.peers.grammars import damaged
from bench.peers.openfst_search import OpenFstSearch
from bench.peers.plain_search import PlainSearch
from conftest import missing
from tertium.automata.automaton import Automaton
from tertium.automata.expressions import EMPTY, choice, literal, sequence
from tertium.errors import InputError
from tertium.grammars.search.edits import EditCosts
from tertium.grammars.search.matching import Budget, Matcher, closest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def large() -> Automaton:
    """Return a million references: words in nearly any order, with gaps."""
    parts = [
        choice([*(literal(f"{name}{n}") for n in range(6)), EMPTY]) for name in "abcdef"
    ]
    ways = list(itertools.permutations(parts))[::9]
    return Automaton.from_expression(choice(map(sequence, ways)))


def hypotheses(automaton: Automaton, count: int) -> list[list[str]]:
    generator = random.Random(7)
    return [
        damaged(tokens, errors % 7, automaton.symbols, generator) if tokens else []
        for errors, tokens in enumerate(automaton.sample(count, seed=2))
    ]


def test_openfst_finds_the_same_costs(large, tmp_path):
    if shutil.which("fstcompose") is None:
        missing("Debian's libfst-tools are not installed")
    assert large.count > 10**6
    peer = OpenFstSearch(large, tmp_path)
    some = hypotheses(large, 8)[::2]
    result = Matcher(large).closest_many(some)
    assert [match.best.cost for match in result] == [peer.cost(one) for one in some]


def test_plain_python_finds_the_same_costs(large):
    peer = PlainSearch(large)
    some = hypotheses(large, 25)
    result = Matcher(large).closest_many(some)
    assert [match.best.cost for match in result] == [peer.cost(one) for one in some]


WORDS = st.sampled_from(["a", "b", "c", "d", "e"])
SENTENCES = st.lists(WORDS, max_size=5).map(tuple)


@given(st.frozensets(SENTENCES, min_size=1, max_size=8), st.lists(WORDS, max_size=6))
def test_the_cost_is_the_least_over_single_references(references, hypothesis):
    matcher = Matcher(Automaton.from_sentences(references))
    costs = [
        Matcher(Automaton.from_sentences([one])).closest(hypothesis).best.cost
        for one in references
    ]
    assert matcher.closest(hypothesis).best.cost == min(costs)


@given(
    st.frozensets(SENTENCES, min_size=1, max_size=6),
    st.frozensets(SENTENCES, max_size=6),
    st.lists(WORDS, max_size=6),
)
def test_more_references_never_raise_a_cost(references, more, hypothesis):
    few = Matcher(Automaton.from_sentences(references)).closest(hypothesis)
    many = Matcher(Automaton.from_sentences(references | more)).closest(hypothesis)
    assert many.best.cost <= few.best.cost


@given(
    st.frozensets(SENTENCES, min_size=1, max_size=6),
    st.lists(WORDS, max_size=6),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_more_freedom_to_move_never_raises_a_cost(
    references, hypothesis, moves, window
):
    automaton = Automaton.from_sentences(references)

    def cost(moves: int, window: int) -> int:
        costs = replace(EditCosts(), moves=moves, window=window)
        return Matcher(automaton, costs=costs).closest(hypothesis).best.cost

    here = cost(moves, window)
    assert cost(moves + 1, window) <= here
    assert cost(moves, window + 1) <= here


@given(st.frozensets(SENTENCES, min_size=1, max_size=8))
def test_every_reference_costs_nothing(references):
    matcher = Matcher(Automaton.from_sentences(references))
    for one in references:
        match = matcher.closest(one)
        assert match.best.cost == 0
        assert match.best.reference == one
        assert match.best.edits == ()
        assert match.proven


@given(
    st.frozensets(SENTENCES, min_size=1, max_size=5),
    st.lists(WORDS, max_size=6),
)
def test_edits_add_up_to_the_cost(references, hypothesis):
    best = Matcher(Automaton.from_sentences(references)).closest(hypothesis).best
    assert sum(edit.cost for edit in best.edits) == best.cost


def test_a_move_to_the_same_place_is_a_move():
    best = closest("c b a", Automaton.from_sentences(["a b c"])).best
    assert best.cost == 12000
    assert [(edit.label, edit.hyp) for edit in best.edits] == [
        ("move", "b"),
        ("move", "c"),
    ]


def test_a_budget_must_be_one():
    for wrong in ({"states": 0}, {"seconds": float("nan")}, {"references": -1}):
        with pytest.raises(InputError, match="give more than 0"):
            Budget(**wrong)


def test_an_exhausted_budget_is_reported():
    references = Automaton.from_sentences(["a b c d e f"])
    match = closest("c b a f e d", references, budget=Budget(states=1), close=True)
    assert not match.proven
    assert match.close_is_least
    assert match.bound <= match.best.cost
