# SPDX-License-Identifier: Apache-2.0
"""Lattices of orders and their formats."""

from __future__ import annotations

import json
from itertools import permutations

import numpy as np
import pytest

from tertium.automata.lattices import read_plf
from tertium.automata.openfst import read_fst
from tertium.errors import InputError, UnknownNameError
from tertium.preorder.lattices import order_lattice
from tertium.preorder.parsing.risk import best_orders, expected_tau

PLF = (
    "((('w',0.466667,1),('x',0.316667,2),),(('x',0.283333,2),('y',0.216667,3),),"
    "(('w',0.333333,1),),(('y',0.166667,2),),(('x',0.166667,1),),(('z',0.000000,1),),)"
)


def expectations(orders):
    n = len(next(iter(orders)))
    e = np.zeros((n, n))
    for order, p in orders.items():
        for s in range(n):
            e[order[s], list(order[s + 1 :])] += p
    return e


ORDERS = {(0, 1, 2, 3): 0.5, (0, 2, 1, 3): 0.3, (1, 0, 2, 3): 0.2}


@pytest.fixture
def lattice():
    return order_lattice(["w", "x", "y", "z"], list(ORDERS), expectations(ORDERS))


def test_a_lattice_is_written_for_moses(lattice, tmp_path):
    assert (len(lattice.arcs), lattice.arc_count) == (7, 8)
    assert lattice.to_plf() == PLF
    (tmp_path / "a.plf").write_text(lattice.to_plf() + "\n")
    [segment] = read_plf(tmp_path / "a.plf")
    assert list(segment.automaton) == [tuple("wxyz"), tuple("wyxz"), tuple("xwyz")]


def test_weights_of_a_path_sum_to_the_expected_tau(lattice):
    sums = dict(lattice.paths())
    assert list(sums) == list(ORDERS)
    assert list(sums.values()) == pytest.approx([0.916667, 0.85, 0.816667], abs=1e-6)


def test_the_lattice_of_three_orders_shares_its_states():
    orders = {(0, 1, 2): 0.4, (1, 2, 0): 0.3, (2, 1, 0): 0.3}
    lattice = order_lattice(["a", "b", "c"], list(orders), expectations(orders))
    assert (len(lattice.arcs), lattice.arc_count) == (7, 8)
    assert max(lattice.paths(), key=lambda path: path[1])[0] == (1, 2, 0)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_lattice_of_all_orders_has_a_state_per_set_of_words(n):
    orders = list(permutations(range(n)))
    lattice = order_lattice(["w"] * n, orders, np.full((n, n), 0.5))
    assert (len(lattice.arcs), lattice.arc_count) == (2**n, n * 2 ** (n - 1))
    assert [order for order, _ in lattice.paths()] == orders


def test_a_lattice_is_written_for_openfst(lattice, tmp_path):
    file = tmp_path / "a.fst.txt"
    file.write_text("\n".join(lattice.to_openfst()) + "\n")
    words = read_fst(file, side="output").automaton
    assert list(words) == [tuple("wxyz"), tuple("wyxz"), tuple("xwyz")]
    positions, symbols = lattice.symbols()
    assert positions[:2] == ["<eps>\t0", "0\t1"]
    assert symbols[-1] == "z\t4"


def test_risks_and_taus_of_a_path_sum_to_one(lattice):
    taus, risks = lattice.to_openfst(), lattice.to_openfst(weights="risk")
    total = sum(
        float(line.split("\t")[4])
        for lines in (taus, risks)
        for line in lines
        if line.split("\t")[:2] in (["0", "1"], ["1", "3"], ["3", "5"], ["5", "6"])
    )
    assert total == pytest.approx(1)
    with pytest.raises(UnknownNameError, match="risk"):
        lattice.to_openfst(weights="cost")


def test_a_lattice_is_written_as_json(lattice):
    data = json.loads(lattice.to_json())
    assert data["words"] == ["w", "x", "y", "z"]
    assert data["final"] == 6
    assert data["arcs"][5] == [{"position": 3, "to": 6, "weight": 0}]


def test_the_closest_path_is_the_best_of_all_paths():
    rng = np.random.default_rng(3)
    e = np.triu(rng.random((7, 7)), 1)
    e += np.tril(1 - e.T, -1)
    [ranked] = best_orders([e], count=20)
    lattice = order_lattice(
        ["a", "b", "c", "d", "e", "f", "g"], [o.order for o in ranked], e
    )
    gold = tuple(rng.permutation(7).tolist())
    taus = {o: expected_tau(o, expectations({gold: 1.0})) for o, _ in lattice.paths()}
    path, tau = lattice.closest(gold)
    assert tau == pytest.approx(max(taus.values())) == pytest.approx(taus[path])


def test_words_with_quotes_are_escaped():
    lattice = order_lattice(["'", "\\"], [(0, 1)], np.array([[0, 1.0], [0, 0]]))
    assert lattice.to_plf() == r"((('\'',1.000000,1),),(('\\',0.000000,1),),)"


def test_orders_that_do_not_fit_are_rejected():
    with pytest.raises(InputError, match="at least one order"):
        order_lattice(["a"], [], np.zeros((1, 1)))
    with pytest.raises(InputError, match="the order has 1 positions"):
        order_lattice(["a", "b"], [(0,)], np.zeros((2, 2)))
    with pytest.raises(InputError, match="one row and one column"):
        order_lattice(["a", "b"], [(0, 1)], np.zeros((1, 1)))
