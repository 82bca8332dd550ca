# SPDX-License-Identifier: Apache-2.0
"""Permutations longer than brute force can take: kernels against simple twins."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from oracles import permutations as oracle
from support.strategies import block_permutations, perms
from tertium import _core
from tertium.order import Permutation, PermutationForest, PermutationTree


def score(spec: str, perm) -> float:
    return float(tertium.metric(spec).permutation_scores([perm])[0])


def shape(node):
    return None if node.is_leaf else (node.op, tuple(map(shape, node.children)))


@given(perms)
def test_linear_builder_equals_shift_reduce(perm):
    """Both sides of 64 words, where the builder changes its way."""
    tree = Permutation.one_based(perm).tree
    assert shape(tree.root) == oracle.flatten(oracle.shift_reduce(perm))


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 66, 130])
def test_builder_at_the_border_of_its_two_ways(n):
    draw = np.random.default_rng(n)
    for perm in (range(1, n + 1), range(n, 0, -1), 1 + draw.permutation(n)):
        permutation = tuple(int(value) for value in perm)
        tree = Permutation.one_based(permutation).tree
        assert shape(tree.root) == oracle.flatten(oracle.shift_reduce(permutation))


@given(perms)
def test_flat_metrics(perm):
    if len(perm) > 1:
        for name, function in oracle.FLAT.items():
            assert score(name, perm) == pytest.approx(float(function(perm))), name


@settings(max_examples=40)
@given(
    block_permutations(max_size=40),
    st.sampled_from([0.0, 0.25, 0.6, 1.0]),
    st.sampled_from([0.0, 0.5]),
    st.sampled_from(["split", "tree", "max", "min"]),
)
def test_forest_scores(perm, beta, gamma, mode):
    value = score(f"recpef:beta={beta},gamma={gamma},forest={mode}", perm)
    expected = oracle.forest_table(perm, beta, gamma, mode)
    assert value == pytest.approx(float(expected), abs=1e-12)


@given(block_permutations())
def test_one_tree_by_kernel_and_by_class(perm):
    permutation = Permutation.one_based(perm)
    for branching, tree in (
        ("left", PermutationTree.left(permutation)),
        ("right", PermutationTree.right(permutation)),
    ):
        for child_weight in ("plain", "span"):
            settings = f"branching={branching},child_weight={child_weight},gamma=0.25"
            value = tree.recpet(gamma=0.25, child_weight=child_weight)
            assert score(f"recpet:{settings}", perm) == pytest.approx(value)
            if len(perm) > 1:
                settings += ",rescale=yes"
                value = tree.recpet(gamma=0.25, child_weight=child_weight, rescale=True)
                assert score(f"recpet:{settings}", perm) == pytest.approx(value)


@settings(max_examples=40)
@given(block_permutations(max_size=12), st.sampled_from([0.5, 0.6]))
def test_splits_weighed_by_span(perm, beta):
    """The running sums of the kernel against a plain recursion over the chart."""
    chart = PermutationForest(Permutation.one_based(perm)).chart()

    def phi(start, end):
        if end - start == 1:
            return 1.0
        entry = chart[start, end]
        score = {(1, 2): 1.0}.get(entry.op, 0.0)
        means = []
        for inner in entry.inferences:
            cuts = (start, *inner, end)
            parts = list(itertools.pairwise(cuts))
            total = sum((b - a) * phi(a, b) for a, b in parts)
            means.append(total / (end - start))
        return beta * score + (1 - beta) * sum(means) / len(means)

    value = score(f"recpef:beta={beta},child_weight=span", perm)
    assert value == pytest.approx(phi(0, len(perm)))


@given(block_permutations(max_size=400))
def test_numbers_of_trees_beyond_doubles(perm):
    n = len(perm)
    if n < 3:
        return
    count, most = (
        PermutationForest(Permutation.one_based(p)).count
        for p in (perm, range(1, n + 1))
    )
    share = Fraction(count - 1, most - 1)
    expected = 0.0 if share < Fraction(1, 10**307) else float(share)
    assert score("n-pets", perm) == pytest.approx(expected, rel=1e-12, abs=1e-306)
    logs = math.log(count) / math.log(most)
    assert score("log-pets", perm) == pytest.approx(logs, rel=1e-12)


@pytest.mark.parametrize("n", [2, 31, 32, 33, 600, 5000])
def test_identity_is_perfect_at_every_length(n):
    for spec in (
        "n-pets",
        "log-pets",
        "recpef",
        "recpet",
        "pet-size",
        "kendall",
        "ulam",
    ):
        assert score(spec, range(1, n + 1)) == 1.0, spec


@given(block_permutations())
def test_node_scores_of_forest_end_in_recpef(perm):
    forest = PermutationForest(Permutation.one_based(perm))
    for mode in ("split", "max"):
        value = forest.node_scores(forest=mode)
        assert list(value) == list(forest.flat.nodes(order="post"))
        assert value[forest.flat.root] == pytest.approx(forest.recpef(forest=mode))


def test_graded_operators_use_every_flat_metric():
    perm = (2, 5, 3, 1, 4, 6)  # 25314 before a word
    for name, function in {
        **oracle.FLAT,
        "sqrt-kendall": lambda op: math.sqrt(oracle.kendall(op)),
    }.items():
        expected = 0.6 + 0.4 * float(function((2, 5, 3, 1, 4)))
        assert score(f"recpef:op_score={name}", perm) == pytest.approx(expected)
        assert score(f"recpet:op_score={name}", perm) == pytest.approx(expected)


def test_time_and_memory_stay_linear():
    """A million words would not end otherwise."""
    n = 1_000_000
    block = [value for i in range(0, n, 4) for value in (i + 2, i + 4, i + 1, i + 3)]
    sizes = _core.permutation_tree_sizes(_core.Permutations([block, range(n, 0, -1)]))
    assert sizes == [n + n // 4 + 1, n + 1]


def test_cubic_modes_refuse_very_long_chains():
    perm = [value for i in range(1, 5000, 2) for value in (i + 1, i)]
    for spec in ("recpef:forest=tree", "recpef:forest=max", "recpef:forest=min"):
        with pytest.raises(tertium.InputError, match="use forest=split"):
            tertium.metric(spec).permutation_scores([perm])
    assert 0 < score("recpef", perm) < 1


def test_threads_change_nothing():
    draw = np.random.default_rng(1)
    many = [(1 + draw.permutation(25)).tolist() for _ in range(3000)]
    metric = tertium.metric("recpef")
    one = metric.permutation_scores(many, threads=1)
    assert np.array_equal(one, metric.permutation_scores(many, threads=4))
