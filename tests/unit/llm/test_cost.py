# SPDX-License-Identifier: Apache-2.0
"""Tokens, prices, and a budget that threads share."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.llm.cost import Budget, Prices, estimate_tokens

PRICES = Prices(2.0, 10.0)


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 4), ("abcd", 5), ("abcde", 6), ("你好", 6), ("\ud800", 5)]
)
def test_tokens_are_estimated_by_bytes(text, tokens):
    assert estimate_tokens([{"role": "user", "content": text}]) == tokens


def test_a_request_takes_its_largest_cost_and_gives_back_the_rest():
    budget = Budget(1.0, PRICES, 1000)
    held = budget.take(1000)
    assert held == PRICES.cost(1500, 1000)
    budget.settle(held, 1000, 900, 50)
    assert budget.spent == PRICES.cost(900, 50)


def test_a_server_that_counts_more_tokens_makes_the_budget_careful():
    budget = Budget(None, PRICES, 0)
    before = budget.largest(1000)
    budget.settle(budget.take(1000), 1000, 4000, 0)
    assert budget.largest(1000) == pytest.approx(before * 4 / 1.5)


def test_there_is_no_money_for_what_costs_too_much():
    assert Budget(0.0, PRICES, 10).take(1) is None
    assert Budget(0.0, Prices(0, 0), 10).take(1) == 0


def test_lost_attempts_are_paid_for():
    budget = Budget(0.05, PRICES, 1000)
    held = budget.take(1000)
    assert held == pytest.approx(0.013)
    assert budget.lose(held)
    assert budget.lose(held)
    assert not budget.lose(held)  # 0.039 spent, 0.013 held
    budget.give_back(held)
    assert budget.spent == pytest.approx(0.039)


def test_a_request_waits_for_money_that_others_may_not_need():
    budget = Budget(0.02, PRICES, 1000)
    held = budget.take(1000)
    got = []
    thread = threading.Thread(target=lambda: got.append(budget.take(1000)))
    thread.start()
    thread.join(0.1)
    assert thread.is_alive()
    budget.settle(held, 1000, 100, 1)
    thread.join(5)
    assert got == [held]


@given(
    st.lists(
        st.tuples(st.integers(1, 3000), st.floats(0, 1.5), st.integers(0, 500)),
        max_size=30,
    ),
    st.floats(0, 0.2),
)
def test_the_limit_is_never_exceeded(requests, limit):
    budget = Budget(limit, PRICES, 500)
    for tokens, factor, answer in requests:
        held = budget.take(tokens)
        if held is not None:
            budget.settle(held, tokens, int(tokens * factor), answer)
        assert budget.spent <= limit
