# SPDX-License-Identifier: Apache-2.0
"""The search for the cheapest correction, against trying everything."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium import _core
from tertium.automata.automaton import Automaton
from tests.oracles.corrections import MATCH, Model, add, cheapest, orders

SYMBOLS = ["a", "b", "c", "d"]
WORDS = 3
KINDS = 6
NO_LIMIT = 10**9


@st.composite
def problems(draw, longest=5):
    references = draw(
        st.frozensets(
            st.lists(st.sampled_from(SYMBOLS), max_size=4).map(tuple),
            min_size=1,
            max_size=6,
        )
    )
    kind = st.integers(0, KINDS - 1)
    compounds = draw(
        st.lists(st.tuples(st.integers(0, 3), st.integers(2, 3)), max_size=2)
    )
    places = [
        (n, part) for n, (_, size) in enumerate(compounds) for part in range(size)
    ]
    part = st.lists(st.sampled_from(places), unique=True, max_size=3)
    model = Model(
        costs=draw(st.lists(st.integers(0, 12), min_size=KINDS, max_size=KINDS)),
        move=0,
        join=1,
        insert=2,
        moves=draw(st.integers(0, 3)),
        window=draw(st.integers(0, 4)),
        compounds=compounds,
        kinds={
            word: draw(
                st.lists(kind | st.just(MATCH), min_size=len(SYMBOLS), max_size=4)
            )
            for word in range(WORDS)
        },
        drop={word: draw(kind) for word in range(WORDS)},
        parts={word: draw(part) if places else [] for word in range(WORDS)},
    )
    hypothesis = draw(st.lists(st.integers(0, WORDS - 1), max_size=longest))
    return hypothesis, references, model


def kernel(automaton: Automaton, model: Model) -> _core.Closest:
    codes = {SYMBOLS.index(token): new for new, token in enumerate(automaton.symbols)}
    made = _core.Closest(
        automaton.arcs,
        automaton.finals,
        list(model.costs),
        model.move,
        model.join,
        model.insert,
        model.moves,
        model.window,
        [(codes.get(symbol, 9), size) for symbol, size in model.compounds],
    )
    for word in range(WORDS):
        kinds = [model.kinds[word][SYMBOLS.index(token)] for token in automaton.symbols]
        made.add_token(bytes(kinds), model.drop[word], list(model.parts[word]))
    return made


def all_prices(hypothesis, references, model):
    return {
        reference: cheapest(hypothesis, [SYMBOLS.index(t) for t in reference], model)
        for reference in references
    }


def check_correction(correction, automaton, hypothesis, reference, model, price):
    """Every token is there once, in an allowed order, and the edits add up."""
    cost, symbols, edits = correction
    assert tuple(automaton.symbols[symbol] for symbol in symbols) == reference
    assert [symbol for _, _, symbol, _ in edits if symbol >= 0] == symbols
    order = [token for _, token, _, _ in edits if token >= 0]
    assert sorted(order) == list(range(len(hypothesis)))
    total = (0, 0, 0, 0)
    for kind, token, symbol, moved in edits:
        total = add(total, model.price(kind))
        if moved:
            far = (0, 0, abs(order.index(token) - token), 0)
            total = add(total, add(model.price(model.move), far))
            assert (
                kind != model.drop[hypothesis[token]]
                or symbol >= 0
                or kind == model.join
            )
        if token >= 0 and symbol >= 0 and kind != model.join:
            word = automaton.symbols[symbol]
            assert kind == model.kinds[hypothesis[token]][SYMBOLS.index(word)]
    assert total == price
    assert cost == price[0]


@settings(max_examples=100, deadline=None)
@given(problems())
def test_the_cheapest_correction_and_the_smallest_of_equals(problem):
    hypothesis, references, model = problem
    automaton = Automaton.from_sentences(references)
    prices = all_prices(hypothesis, references, model)
    best = min(references, key=lambda reference: (prices[reference], reference))
    search = kernel(automaton, model).search
    ((corrections, costs, bound, proven, _),) = search(
        [hypothesis], 1, 0, 1, NO_LIMIT, 1e9, 1
    )
    check_correction(corrections[0], automaton, hypothesis, best, model, prices[best])
    assert proven
    assert bound == prices[best][0]
    assert costs == [prices[best][0]]


@settings(max_examples=60, deadline=None)
@given(problems(longest=4), st.integers(1, 30))
def test_further_references_come_in_the_order_of_their_prices(problem, slack):
    hypothesis, references, model = problem
    automaton = Automaton.from_sentences(references)
    prices = all_prices(hypothesis, references, model)
    limit = min(prices.values())[0] + slack
    near = sorted(
        (price, reference) for reference, price in prices.items() if price[0] <= limit
    )
    ((corrections, costs, _, proven, exhausted),) = kernel(automaton, model).search(
        [hypothesis], 9, slack, 99, NO_LIMIT, 1e9, 1
    )
    assert proven
    assert exhausted
    assert costs == sorted({price[0] for price, _ in near})
    assert len(corrections) == len(near)
    for result, (price, reference) in zip(corrections, near, strict=True):
        check_correction(result, automaton, hypothesis, reference, model, price)


@settings(max_examples=30, deadline=None)
@given(problems())
def test_a_budget_too_small_is_reported_and_still_corrects(problem):
    hypothesis, references, model = problem
    automaton = Automaton.from_sentences(references)
    ((corrections, _, bound, proven, _),) = kernel(automaton, model).search(
        [hypothesis], 1, 0, 1, 1, 1e9, 1
    )
    prices = all_prices(hypothesis, references, model)
    cheapest_of_all = min(prices.values())[0]
    assert bound <= cheapest_of_all <= corrections[0][0]
    still = Model(**{**vars(model), "moves": 0})
    without = min(all_prices(hypothesis, references, still).values())[0]
    assert corrections[0][0] <= without
    if proven:
        assert bound == cheapest_of_all == corrections[0][0]


@settings(max_examples=60, deadline=None)
@given(problems(longest=4), st.integers(2, 60))
def test_a_budget_for_alternatives_never_spoils_the_best(problem, nodes):
    hypothesis, references, model = problem
    search = kernel(Automaton.from_sentences(references), model).search
    ((best, _, _, proven, _),) = search([hypothesis], 1, 0, 1, nodes, 1e9, 1)
    ((near, _, _, still, all_seen),) = search([hypothesis], 9, 30, 99, nodes, 1e9, 1)
    assert near[0][0] >= min(all_prices(hypothesis, references, model).values())[0]
    if still:
        assert near[0][0] == min(all_prices(hypothesis, references, model).values())[0]
    if proven and not still:
        assert not all_seen
    assert proven or best[0][0] >= near[0][0] or not still


def test_prices_that_do_not_fit_are_rejected():
    arcs = [[(0, state + 1)] for state in range(700)] + [[]]
    finals = [False] * 700 + [True]
    costs = [0, 100_000, 100_000, 100_000]
    made = _core.Closest(arcs, finals, costs, 1, 2, 3, 3, 6, [])
    with pytest.raises(ValueError, match="too many tokens for such costs"):
        made.search([[]], 1, 0, 1, 10**6, 1e9, 1)


def test_too_many_permutations_are_rejected():
    with pytest.raises(ValueError, match="lower moves or window"):
        _core.move_states(60, 8, 24)


def test_after_the_fallback_nothing_is_called_exhausted():
    arcs = [[(0, 1)], [(1, 2)], [(2, 3)], [(3, 4)], []]
    made = _core.Closest(arcs, [False] * 4 + [True], [0, 6, 3, 8, 9], 1, 2, 3, 3, 6, [])
    for one in range(4):
        row = bytes(0 if one == symbol else 4 for symbol in range(4))
        made.add_token(row, 4, [])
    ((_, _, _, proven, exhausted),) = made.search([[2, 3, 0, 1]], 1, 9, 99, 1, 1e9, 1)
    assert not proven
    assert not exhausted


@given(problems())
def test_threads_change_nothing(problem):
    hypothesis, references, model = problem
    made = kernel(Automaton.from_sentences(references), model)
    many = [hypothesis[:n] for n in range(len(hypothesis) + 1)] * 2
    one = made.search(many, 2, 5, 9, NO_LIMIT, 1e9, 1)
    assert one == made.search(many, 2, 5, 9, NO_LIMIT, 1e9, 3)


@pytest.mark.parametrize(
    ("tokens", "moves", "window", "count"),
    [
        (3, 1, 1, 3),
        (3, 1, 2, 5),
        (3, 3, 2, 6),
        (4, 2, 2, 14),
        (5, 3, 3, 78),
        (6, 3, 3, 224),
        (6, 2, 6, 207),
        (7, 2, 3, 196),
        (7, 3, 6, 2279),
        (8, 2, 6, 818),
    ],
)
def test_move_permutations_have_the_worked_out_counts(tokens, moves, window, count):
    assert len(_core.move_permutations(tokens, moves, window)) == count


@pytest.mark.parametrize("tokens", range(2, 9))
def test_one_move_far_enough(tokens):
    """One move of any distance gives 1 + (n - 1)^2 orders."""
    assert len(_core.move_permutations(tokens, 1, 9)) == 1 + (tokens - 1) ** 2


@pytest.mark.parametrize(
    ("tokens", "moves", "window"),
    list(itertools.product(range(7), range(4), range(5))),
)
def test_permutations_and_their_moves_against_trying_all(tokens, moves, window):
    wanted = {order: len(moved) for order, moved in orders(tokens, moves, window)}
    result = _core.move_permutations(tokens, moves, window)
    assert {tuple(order): count for order, count in result} == wanted


def test_it_is_red():
    """The seed's example of 6.2."""
    one = {tuple(order): moves for order, moves in _core.move_permutations(3, 1, 2)}
    assert sorted(one.values()) == [0, 1, 1, 1, 1]
    two = {tuple(order): moves for order, moves in _core.move_permutations(3, 2, 2)}
    assert two[2, 1, 0] == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"arcs": [[(0, 0)], []]}, "topological"),
        ({"arcs": [], "finals": []}, "no references"),
        ({"arcs": [[]], "finals": [False]}, "leads to no end"),
        ({"finals": []}, "one end mark"),
        ({"moves": 9}, "moves must be"),
        ({"window": 25}, "window must be"),
        ({"costs": [-1, 0, 0]}, "costs must be"),
        ({"insert": 7}, "unknown kind"),
        ({"compounds": [(0, 1)]}, "two parts"),
    ],
)
def test_wrong_problems_are_rejected(changes, message):
    right = {
        "arcs": [[(0, 1)], []],
        "finals": [False, True],
        "costs": [1, 1, 1],
        "move": 0,
        "join": 1,
        "insert": 2,
        "moves": 1,
        "window": 1,
        "compounds": [],
    }
    _core.Closest(**right)
    with pytest.raises(ValueError, match=message):
        _core.Closest(**{**right, **changes})


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ((b"", 0, []), "too short"),
        ((b"\x09", 0, []), "unknown kind"),
        ((b"\x00", 9, []), "unknown kind"),
        ((b"\x00", 0, [(0, 0)]), "unknown part"),
    ],
)
def test_wrong_tokens_are_rejected(row, message):
    made = _core.Closest([[(0, 1)], []], [False, True], [1, 1, 1], 0, 1, 2, 1, 1, [])
    with pytest.raises(ValueError, match=message):
        made.add_token(*row)
    with pytest.raises((IndexError, ValueError)):
        made.search([[0]], 1, 0, 1, 9, 1.0, 1)
