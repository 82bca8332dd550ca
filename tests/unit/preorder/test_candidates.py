# SPDX-License-Identifier: Apache-2.0
"""Several orders per sentence: files, oracles, and operators of orders."""

from __future__ import annotations

import json
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import FormatError, InputError
from tertium.preorder import Gold, score_orders
from tertium.preorder.candidates import (
    candidate_count,
    first_orders,
    oracle_orders,
    read_candidates,
)
from tertium.preorder.lattices import OrderLattice, order_lattice
from tertium.preorder.operator_counts import count_operators
from tests.oracles import preorder_orders as oracle


def taus(orders, gold):
    """Return the tau of every order by its definition."""
    return [oracle.measures(o, gold, [None] * len(gold))["tau"] for o in orders]


@st.composite
def listed(draw):
    n = draw(st.integers(0, 6))
    order = st.permutations(range(n)).map(tuple)
    orders = draw(st.lists(order, min_size=1, max_size=8, unique=True))
    values = st.floats(0, 1).map(lambda p: round(p, 3))
    upper = [[draw(values) if i < j else 0 for j in range(n)] for i in range(n)]
    e = np.array(upper, float).reshape(n, n)
    e += np.tril(1 - e.T, -1)
    return orders, draw(order), e


@given(listed())
def test_the_oracle_is_the_closest_of_all_candidates(case):
    orders, gold, e = case
    target = Gold(gold, (None,) * len(gold))
    [chosen] = oracle_orders([orders], [target])
    scores = taus(orders, gold)
    assert chosen == orders[scores.index(max(scores))]
    lattice = order_lattice(["w"] * len(gold), orders, e)
    paths = dict(lattice.paths())
    [chosen] = oracle_orders([lattice], [target])
    assert taus([chosen], gold)[0] == pytest.approx(max(taus(paths, gold)))
    assert lattice.closest(gold)[1] == pytest.approx(max(taus(paths, gold)))
    assert candidate_count(lattice) == len(paths)
    [best] = first_orders([lattice])
    assert paths[best] == pytest.approx(max(paths.values()))
    assert OrderLattice.from_dict(json.loads(lattice.to_json())) == lattice


SENTENCES = [["a", "b", "c"], [], ["d", "e"]]


def test_files_of_all_formats_are_read(write_lines):
    plain = write_lines("orders", ["0 2 1", "", "1 0"])
    assert read_candidates(plain, SENTENCES) == [[(0, 2, 1)], [()], [(1, 0)]]
    single = [json.dumps({"order": o}) for o in ([0, 2, 1], [], [1, 0])]
    assert read_candidates(write_lines("apply", single), SENTENCES) == [
        [(0, 2, 1)],
        [()],
        [(1, 0)],
    ]
    lists = [
        json.dumps({"orders": [{"order": order} for order in orders]})
        for orders in ([[0, 2, 1], [0, 1, 2]], [[]], [[1, 0]])
    ]
    several = read_candidates(write_lines("nbest", lists), SENTENCES)
    assert [*map(candidate_count, several)] == [2, 1, 1]
    lattices = [
        order_lattice(words, [tuple(range(len(words)))], np.zeros((len(words),) * 2))
        for words in SENTENCES
    ]
    path = write_lines("lattice", [each.to_json() for each in lattices])
    assert read_candidates(path, SENTENCES) == lattices


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0 ||| a b c ||| expected= 1 ||| 1", "f:1: this is a list in Moses's format"),
        ('{"orders": []}', "f:1: the line has no order"),
        ('{"orders": [3]}', "f:1: these are not orders"),
        ('{"order": [0, 1]}', "f:1: the order has 2 positions"),
        ('{"text": 1}', "f:1: these are not orders"),
        ("{", "f:1: these are not orders"),
        ('{"arcs": [[], []], "words": ["a"]}', "f:1: the arcs are not those of a"),
        ('{"arcs": 1, "words": []}', "f:1: this is not a lattice"),
        ('{"arcs": [[]], "words": ["a"]}', "f:1: the order has 0 positions"),
    ],
)
def test_wrong_files_are_rejected_with_file_and_line(write_lines, line, message):
    with pytest.raises(FormatError, match=message):
        read_candidates(write_lines("f", [line]), [["a", "b", "c"]])


def test_paths_that_repeat_words_are_no_lattice():
    arc = {"position": 0, "to": 1, "weight": 0}
    content = {"words": ["a", "b"], "arcs": [[arc], [{**arc, "to": 2}], []]}
    with pytest.raises(InputError, match="have the same words"):
        OrderLattice.from_dict(content)


LINKS = [((0, 2), (1, 1), (2, 0)), (), ((0, 0), (1, 1))]


def test_oracles_are_scored_beside_the_first_orders():
    lists = [[(0, 1, 2), (2, 1, 0)], [()], [(0, 1), (1, 0)]]
    result = score_orders({}, SENTENCES, LINKS, candidates={"a": lists})
    assert list(result.systems) == ["a", "identity", "a oracle"]
    assert result["a"]["tau"].score == pytest.approx(2 / 3)
    assert result["a oracle"]["tau"].score == 1
    assert {pair.a for pair in result.pairs} == {"a"}
    content = json.loads(result.to_json())
    assert content["oracles"]["a oracle"] == {"system": "a", "orders": 5 / 3}
    assert content["operators"]["gold"]["covered"] == {"2": 1, "5": 1}


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        ({"a": [[()]]}, "'a' has orders of 1 sentences, there are 3"),
        ({"a": [[], [()], [(0, 1)]]}, "'a', sentence 0: there is no order"),
        ({"b": [[(0, 1, 2)], [()], [(0, 1)]]}, "two systems are called 'b'"),
    ],
)
def test_wrong_candidates_are_rejected(candidates, message):
    systems = {"b": [(0, 1, 2), (), (0, 1)]}
    with pytest.raises(InputError, match=message):
        score_orders(systems, SENTENCES, LINKS, candidates=candidates)


def test_operators_count_sentences_by_arity():
    # Of the 120 orders of five words, 90 have binary trees only, 24 a simple
    # permutation of four, and 6 are simple themselves.
    counts = count_operators(permutations(range(5)))
    assert counts.arities == {2: 90, 4: 24, 5: 6}
    assert counts.covered(5) == 1
    assert sum(n for name, n in counts.operators.items() if len(name) == 5) == 6
    assert count_operators([(), (0,)]).covered(2) == 1
    assert count_operators([(2, 0, 3, 1)]).operators == {"2413": 1}
