# SPDX-License-Identifier: Apache-2.0
"""Constraints within parsing, against all derivations whose order respects them."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import btg_trees
from oracles.least_risk import respects
from oracles.reordering_grammars import Enumeration, expectations
from support.reordering_grammars import make_grammar, random_grammar, tiny_grammar
from tertium import _core
from tertium.errors import InputError
from tertium.preorder.combination import Combined
from tertium.preorder.grammar import OPERATORS, Operator
from tertium.preorder.parsing.constraints import Constraints, limit_rows
from tertium.preorder.parsing.ensemble import GrammarEnsemble
from tertium.preorder.parsing.model import GrammarPreorderer
from tertium.preorder.parsing.risk import expected_tau

ABC = ["a", "b", "c"]
FOUR = ["a", "b", "c", "a"]


@st.composite
def constraints_of(draw, n, frozen=True):
    """Return constraints on n words; some leave no order."""
    word = st.integers(0, n - 1)
    pair = st.tuples(word, word).filter(lambda words: words[0] != words[1])
    spans, start = [], 0
    for end in sorted(draw(st.sets(st.integers(1, n), max_size=2))):
        spans += [(start, end)] if frozen and draw(st.booleans()) else []
        start = end
    return Constraints(
        walls=tuple(draw(st.lists(st.integers(0, n), max_size=1))),
        frozen=tuple(spans),
        before=tuple(draw(st.lists(pair, max_size=3))),
    )


@st.composite
def problems(draw):
    words = draw(
        st.lists(st.sampled_from(["a", "b", "c", "x"]), min_size=2, max_size=5)
    )
    return draw(st.integers(0, 10**6)), words, draw(constraints_of(len(words)))


def allowed(grammar, words, constraints):
    """Return the probability of every order that respects the constraints."""
    return {
        order: p
        for order, p in Enumeration(grammar, words).orders().items()
        if respects(order, constraints)
    }


# ------------------------------------------------------------------------ grammars


@given(problems())
@settings(max_examples=40, deadline=None)
def test_results_equal_those_of_the_derivations_that_respect_constraints(problem):
    seed, words, constraints = problem
    grammar = random_grammar(seed)
    model = GrammarPreorderer(grammar)
    orders = allowed(grammar, words, constraints)
    matrices, fallbacks = model.parse([words], constraints=constraints)
    assert (fallbacks == [None]) == bool(orders)
    if not orders:
        return
    total = sum(orders.values())
    [log] = model.log_probabilities([words], constraints=constraints)
    assert math.exp(log) == pytest.approx(total)
    assert matrices[0] == pytest.approx(np.array(expectations(orders)), abs=1e-9)
    [sampled] = model.samples([words], 50, constraints=constraints)
    assert {one.order for one in sampled} <= orders.keys()
    [ranked] = model.derivations([words], 30, constraints=constraints)
    assert {one.order for one in ranked} <= orders.keys()
    logs = [one.log_probability for one in ranked]
    assert logs == sorted(logs, reverse=True)


@given(constraints_of(5))
@settings(max_examples=8, deadline=None)
def test_the_k_best_derivations_sum_to_the_probability_of_each_order(constraints):
    grammar = random_grammar(4, splits=(1, 1), unaligned=False)
    words = ["a", "b", "c", "c", "x"]
    sums = dict.fromkeys(allowed(grammar, words, constraints), 0.0)
    if not sums:
        return
    [ranked] = GrammarPreorderer(grammar).derivations(
        [words], 300_000, constraints=constraints
    )
    assert len({one.bracketed(words) for one in ranked}) == len(ranked)
    for one in ranked:
        sums[one.order] += math.exp(one.log_probability)
    assert sums == pytest.approx(allowed(grammar, words, constraints))


@pytest.mark.parametrize(
    "constraints",
    [
        Constraints(before=((0, 3), (2, 1))),
        Constraints(before=((4, 0),)),
        Constraints(frozen=((1, 3),)),
        Constraints(walls=(3,)),
    ],
)
def test_samples_follow_the_distribution_under_constraints(constraints):
    grammar, words = random_grammar(7), ["a", "b", "c", "a", "c"]
    orders = allowed(grammar, words, constraints)
    total = sum(orders.values())
    [sampled] = GrammarPreorderer(grammar).samples(
        [words], 20_000, constraints=constraints
    )
    counts = {one.order: one.count / 20_000 for one in sampled}
    assert counts.keys() <= orders.keys()
    distance = sum(abs(counts.get(o, 0) - p / total) for o, p in orders.items())
    assert distance / 2 < 0.03


def test_operators_that_are_not_simple_are_exact_as_well():
    operators = [
        *OPERATORS[:2],
        Operator("P132", (1, 3, 2)),
        Operator("P123", (1, 2, 3)),
    ]
    rng = np.random.default_rng(5)
    rows = rng.dirichlet(np.ones(7), 10)
    grammar = make_grammar(
        operators, (1,) * 4, ABC, [0.25] * 4, rows[:, :4], rows[:, 4:]
    )
    words = ["a", "b", "c", "b", "a"]
    for constraints in (
        Constraints(walls=(2,)),
        Constraints(frozen=((1, 3),)),
        Constraints(before=((3, 1), (0, 4))),
    ):
        [e] = GrammarPreorderer(grammar).expectations([words], constraints=constraints)
        orders = allowed(grammar, words, constraints)
        assert e == pytest.approx(np.array(expectations(orders)), abs=1e-9)


def test_constraints_of_each_sentence_do_not_touch_the_others():
    model = GrammarPreorderer(random_grammar(3))
    wall = Constraints(walls=(2,))
    free, walled, other = model.expectations(
        [FOUR, FOUR, FOUR], constraints=[None, wall, Constraints(max_displacement=1)]
    )
    assert np.array_equal(free, model.expectations([FOUR])[0])
    assert np.array_equal(free, other)
    assert (walled[:2, 2:] == 1).all()
    assert not np.allclose(walled, free)


@pytest.mark.parametrize("choice", ["risk", "sampled-risk", "frequent", "derivation"])
def test_every_choice_respects_constraints(choice):
    model = GrammarPreorderer(random_grammar(8))
    reverse = Constraints(before=((3, 0), (1, 2)))
    [one] = model.apply([FOUR], constraints=reverse, choice=choice, samples=20)
    assert respects(one.order, reverse)
    assert one.fallback is None


def test_confidence_is_conditional_on_constraints():
    model = GrammarPreorderer(tiny_grammar())
    swap = Constraints(before=((2, 1),))
    [one] = model.apply([ABC], constraints=swap)
    e = np.array(expectations(allowed(model.grammar, ABC, swap)))
    assert one.order == (2, 0, 1)
    assert one.expected == pytest.approx(expected_tau(one.order, e))
    assert one.confidence == pytest.approx((1 + e[2, 0]) / 2)
    [lattice] = model.lattice([ABC], 9, constraints=swap)
    ranked = model.nbest([ABC], 9, constraints=swap)[0]
    assert dict(lattice.paths()) == pytest.approx({o.order: o.expected for o in ranked})
    assert ranked[0].expected > model.nbest([ABC], 1)[0][0].expected


def test_sentences_without_such_a_derivation_fall_back():
    # Only straight nodes: words never change places.
    straight = make_grammar(OPERATORS[:1], (1,), ABC, [1], [[0.4]] * 2, [[0.2] * 3] * 2)
    model = GrammarPreorderer(straight)
    swap = Constraints(before=((1, 0),))
    matrices, fallbacks = model.parse([ABC, ABC], constraints=[swap, None])
    assert fallbacks == ["identity", None]
    assert matrices[0][1, 0] == 1
    [one] = model.apply([ABC], constraints=swap)
    assert (one.order, one.fallback) == ((1, 0, 2), "identity")
    with pytest.raises(InputError, match="sentence 1: no derivation respects"):
        model.samples([ABC], 5, constraints=swap)
    with pytest.raises(InputError, match="sentence 1: no derivation respects"):
        model.apply([ABC], constraints=swap, choice="derivation")
    circle = Constraints(before=((0, 1), (1, 2), (2, 0)))
    with pytest.raises(InputError, match="no separable order respects"):
        GrammarPreorderer(tiny_grammar()).apply([ABC], constraints=circle)


def test_pieces_in_a_row_keep_a_pair_together():
    model = GrammarPreorderer(random_grammar(3, max_arity=2), max_span=5)
    words = ["a", "c", "b", "c", "a", "b", "c", "c"]
    for first, second in ((4, 2), (6, 3)):
        swap = Constraints(before=((first, second),))
        [[one]] = model.derivations([words], constraints=swap)
        assert respects(one.order, swap)
        assert model.apply([words], constraints=swap)[0].fallback == "glued"


def test_pruning_keeps_what_constraints_need():
    grammar = random_grammar(9)
    words = ["a", "c", "b", "c", "a", "b"]
    swap = Constraints(before=((5, 0),), frozen=((1, 3),))
    [exact] = GrammarPreorderer(grammar).expectations([words], constraints=swap)
    [pruned] = GrammarPreorderer(grammar, prune=1e-12).expectations(
        [words], constraints=swap
    )
    assert pruned == pytest.approx(exact, abs=1e-6)


def test_a_pair_in_a_long_sentence_is_respected():
    model = GrammarPreorderer(random_grammar(2, splits=(2, 1)))
    words = ["a", "c", "b", "x"] * 12
    limits = Constraints(before=((40, 3), (10, 11)), frozen=((20, 24),), walls=(45,))
    [e] = model.expectations([words], constraints=limits)
    assert e + e.T == pytest.approx(1 - np.eye(48))
    assert e[40, 3] == e[10, 11] == 1
    assert e[20, 21] == pytest.approx(1)
    # Frozen words are on the same side of every other word.
    others = [w for w in range(48) if not 20 <= w < 24]
    assert np.ptp(e[20:24][:, others], axis=0) == pytest.approx(0, abs=1e-9)
    # Beyond 24 words, operators of more children do not separate pairs: samples agree.
    [sampled] = model.samples([words], 3_000, constraints=limits)
    assert all(respects(one.order, limits) for one in sampled)
    orders = {one.order: one.count for one in sampled}
    assert e == pytest.approx(np.array(expectations(orders)), abs=0.05)


# ------------------------------------------------------------------- forced parsing


@given(st.integers(0, 10**6), st.sampled_from([["a", "b"], ABC, FOUR, ["c"] * 5]))
@settings(max_examples=6, deadline=None)
def test_the_probability_of_an_order_sums_over_its_derivations(seed, words):
    grammar = random_grammar(seed)
    model = GrammarPreorderer(grammar)
    orders = list(permutations(range(len(words))))
    logs = model.order_log_probabilities([words] * len(orders), orders)
    expected = Enumeration(grammar, words).orders()
    assert np.exp(logs) == pytest.approx([expected.get(o, 0) for o in orders])
    [log] = model.log_probabilities([words])
    assert np.exp(logs).sum() == pytest.approx(math.exp(log))


def test_an_order_of_a_long_sentence_has_a_probability():
    model = GrammarPreorderer(random_grammar(2, splits=(1, 1)))
    order = [*range(1, 60), 0]
    [log] = model.order_log_probabilities([["a", "c", "b"] * 20], [order])
    assert -math.inf < log < model.log_probabilities([["a", "c", "b"] * 20])[0]


def test_orders_without_a_derivation_are_impossible():
    model = GrammarPreorderer(tiny_grammar())
    logs = model.order_log_probabilities([["c", "a"], ["a"], []], [(0, 1), (0,), ()])
    assert logs == [-math.inf] * 3
    with pytest.raises(InputError, match="2 sentences and 1 orders"):
        model.order_log_probabilities([ABC, ABC], [(0, 1, 2)])
    with pytest.raises(InputError, match="every position"):
        model.order_log_probabilities([ABC], [(0, 1, 1)])
    with pytest.raises(InputError, match="201 words"):
        model.order_log_probabilities([["a"] * 201], [range(201)])


@given(st.integers(0, 10**6), constraints_of(6))
@settings(max_examples=6, deadline=None)
def test_expectations_of_six_words_sum_over_the_probabilities_of_orders(
    seed, constraints
):
    words = ["a", "c", "b", "x", "c", "a"]
    model = GrammarPreorderer(random_grammar(seed))
    orders = [o for o in permutations(range(6)) if respects(o, constraints)]
    logs = model.order_log_probabilities([words] * len(orders), orders)
    sums = dict(zip(orders, np.exp(logs), strict=True))
    matrices, fallbacks = model.parse([words], constraints=constraints)
    if fallbacks == [None]:
        assert matrices[0] == pytest.approx(np.array(expectations(sums)), abs=1e-9)
    else:
        assert sum(sums.values()) == 0


# ------------------------------------------------------------------- other models


@given(st.integers(0, 10**6), constraints_of(5))
@settings(max_examples=40)
def test_a_btg_has_the_expectations_of_the_trees_that_respect_constraints(
    seed, constraints
):
    n = 5
    rng = np.random.default_rng(seed)
    attributes = rng.integers(2, 5, size=(n, 4)).astype(np.uint64)
    weights = rng.normal(scale=0.1, size=(64, 2)).astype(np.float32)
    starts = np.array([0, n], np.uint64)
    scores = _core.btg_scores(attributes, weights).tolist()
    orders = {}
    for order, score in btg_trees.trees(n, scores):
        if respects(order, constraints):
            orders[order] = orders.get(order, 0) + math.exp(score)
    rows = limit_rows(constraints, [n])
    e = _core.btg_expectations(attributes, starts, weights, rows, 1).reshape(n, n)
    if orders:
        assert e == pytest.approx(np.array(expectations(orders)), abs=1e-9)
    else:
        assert np.isfinite(e).all()


def test_combinations_and_ensembles_pass_constraints_on():
    grammars = (random_grammar(1), random_grammar(2))
    members = [GrammarPreorderer(grammar) for grammar in grammars]
    limits = Constraints(before=((3, 1),), walls=(1,))
    parts = [one.expectations([FOUR], constraints=limits)[0] for one in members]
    [mean] = GrammarEnsemble(grammars).expectations([FOUR], constraints=limits)
    assert mean == pytest.approx((parts[0] + parts[1]) / 2)
    [both] = Combined(members, [0.5, 0.5]).expectations([FOUR], constraints=limits)
    assert both[3, 1] == 1
    assert (both[0, 1:] == 1).all()
    assert both + both.T == pytest.approx(1 - np.eye(4))


def test_limits_outside_a_sentence_are_rejected_by_the_core():
    parser = _core.ReorderingParser(tiny_grammar().kernel)
    sentence = (2, [(0, 1, 0), (1, 2, 1)])
    for row in (([3], [], []), ([], [3], []), ([], [], [(0, 2)]), ([], [], [(1, 1)])):
        with pytest.raises(ValueError, match="outside its sentence"):
            parser.expectations([sentence], [row], 100, 0.0, 1)
    with pytest.raises(ValueError, match="as many limits"):
        parser.expectations([sentence], [([], [1], [])] * 2, 100, 0.0, 1)
    with pytest.raises(ValueError, match="does not fit"):
        parser.order_log_probabilities([sentence], [[0, 2]], 1)
