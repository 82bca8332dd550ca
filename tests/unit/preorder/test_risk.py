# SPDX-License-Identifier: Apache-2.0
"""Orders of least risk, against the enumeration of all separable orders."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import least_risk as oracle
from tertium.errors import InputError
from tertium.preorder.parsing.constraints import Constraints
from tertium.preorder.parsing.risk import (
    best_orders,
    expected_tau,
    least_risk,
    swap_confidence,
)


def matrix(n, seed):
    e = np.zeros((n, n))
    upper = np.triu_indices(n, 1)
    e[upper] = np.random.default_rng(seed).random(len(upper[0]))
    e.T[upper] = 1 - e[upper]
    return e


@given(st.integers(0, 6), st.integers(0, 10**6))
@settings(max_examples=15)
def test_all_separable_orders_come_in_the_order_of_their_gain(n, seed):
    e = matrix(n, seed)
    [ranked] = best_orders([e], count=1000)
    assert [one.expected for one in ranked] == pytest.approx(oracle.ranked(e))
    assert len({one.order for one in ranked}) == len(ranked)
    assert all(expected_tau(o.order, e) == pytest.approx(o.expected) for o in ranked)


@st.composite
def constrained(draw):
    n = draw(st.integers(2, 6))
    word = st.integers(0, n - 1)
    pair = st.tuples(word, word).filter(lambda words: words[0] != words[1])
    frozen, start = [], 0
    for end in sorted(draw(st.sets(st.integers(1, n), max_size=2))):
        frozen += [(start, end)] if draw(st.booleans()) else []
        start = end
    return matrix(n, draw(st.integers(0, 10**6))), Constraints(
        walls=tuple(draw(st.lists(st.integers(0, n), max_size=1))),
        frozen=tuple(frozen),
        max_displacement=draw(st.none() | st.integers(0, n)),
        before=tuple(draw(st.lists(pair, max_size=2))),
    )


@given(constrained())
@settings(max_examples=40)
def test_constraints_leave_exactly_the_orders_that_respect_them(case):
    e, constraints = case
    taus = oracle.ranked(e, constraints)
    if not taus:
        with pytest.raises(InputError, match="no separable order respects"):
            best_orders([e], constraints=constraints)
        return
    [ranked] = best_orders([e], count=1000, constraints=[constraints])
    assert [one.expected for one in ranked] == pytest.approx(taus)
    assert all(oracle.respects(one.order, constraints) for one in ranked)


def test_the_least_risky_order_need_not_be_the_most_probable():
    e = np.zeros((3, 3))
    for order, p in {(0, 1, 2): 0.4, (1, 2, 0): 0.3, (2, 1, 0): 0.3}.items():
        for s in range(3):
            e[order[s], list(order[s + 1 :])] += p
    assert expected_tau((0, 1, 2), e) == pytest.approx(0.5)
    assert expected_tau((2, 1, 0), e) == pytest.approx(0.5)
    [reordering] = least_risk([e])
    assert reordering.order == (1, 2, 0)
    assert reordering.expected == pytest.approx(0.633333, abs=1e-6)
    assert reordering.confidence == pytest.approx(0.6)


def test_without_evidence_words_stay_in_place():
    [ranked] = best_orders([np.full((9, 9), 0.5) - np.eye(9) / 2], count=1)
    assert ranked[0].order == tuple(range(9))


def test_threads_do_not_change_orders():
    es = [matrix(n, n) for n in range(40)]
    assert best_orders(es, count=5, threads=1) == best_orders(es, count=5, threads=3)


def test_an_order_that_swaps_nothing_is_certain():
    assert swap_confidence((0, 1), matrix(2, 1)) == 1
    assert swap_confidence((), np.zeros((0, 0))) == 1


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        (Constraints(walls=(4,)), "there is no wall 4"),
        (Constraints(frozen=((0, 2), (1, 3))), "frozen span 1-3"),
        (Constraints(max_displacement=-1), "negative"),
        (Constraints(before=((0, 3),)), "there is no word 3"),
        (Constraints(before=((1, 1),)), "before itself"),
    ],
)
def test_constraints_outside_a_sentence_are_rejected(constraints, message):
    with pytest.raises(InputError, match=f"sentence 1: .*{message}"):
        best_orders([matrix(3, 0)], constraints=constraints)


def test_wrong_input_is_rejected():
    with pytest.raises(InputError, match="at least one"):
        best_orders([matrix(3, 0)], count=0)
    with pytest.raises(InputError, match="one row and one column per word"):
        best_orders([np.zeros((2, 3))])
    with pytest.raises(InputError, match="not all numbers"):
        best_orders([np.full((2, 2), np.nan)])
    with pytest.raises(InputError, match="one item per sentence"):
        best_orders([matrix(3, 0)], constraints=[])
