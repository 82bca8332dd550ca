# SPDX-License-Identifier: Apache-2.0
"""All permutations of up to seven words against brute force."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations

import pytest

import tertium
from oracles import permutations as oracle
from tertium.order import Permutation, PermutationForest, PermutationTree

pytestmark = pytest.mark.slow

ALL = [p for n in range(2, 8) for p in permutations(range(1, n + 1))]
SHORT = [p for p in ALL if len(p) < 7]
BETAS = [Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(3, 5), Fraction(1)]
GAMMAS = [Fraction(0), Fraction(1, 2)]
#: Inverse and reverse-complement leave every metric but RECPET unchanged.
INVARIANT = [
    "kendall", "spearman", "hamming", "ulam", "fuzzy", "sqrt-kendall", "pet-size",
    "max-op", "n-pets", "log-pets", "straight-ratio", "straight-ratio:over=chart",
    "inverted-ratio", "avg-arity", "recpef", "recpef:gamma=0.5,beta=0.3",
    "recpef:forest=tree", "recpef:forest=max", "recpef:forest=min",
    "recpef:child_weight=span,rescale=yes", "recpef:op_score=kendall",
]  # fmt: skip


def scores(spec, perms=None):
    return tertium.metric(spec).permutation_scores(ALL if perms is None else perms)


@cache
def classes():
    return [Permutation.one_based(perm) for perm in ALL]


@pytest.mark.parametrize("name", [*oracle.FLAT, *oracle.COUNTS])
def test_simple_metrics(name):
    function = {**oracle.FLAT, **oracle.COUNTS}[name]
    expected = [float(function(perm)) for perm in ALL]
    assert scores(name).tolist() == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("gamma", GAMMAS)
def test_forest_modes(beta, gamma):
    """Closed form, tables, chart recursion and enumerated trees agree."""
    # Brute force takes its time: seven words with the default weight alone.
    perms = ALL if beta == Fraction(3, 5) else SHORT
    expected = {"split": [], "tree": [], "max": [], "min": []}
    for perm in perms:
        values = oracle.tree_values(perm, beta, gamma)
        split = oracle.recpef(perm, beta, gamma)
        assert sum(value * weight for value, weight in values) == split
        plain = [value for value, _ in values]
        expected["split"].append(float(split))
        expected["tree"].append(float(sum(plain) / len(plain)))
        expected["max"].append(float(max(plain)))
        expected["min"].append(float(min(plain)))
    for mode, values in expected.items():
        forest_scores = scores(
            f"recpef:forest={mode},beta={float(beta)!r},gamma={float(gamma)!r}", perms
        )
        assert forest_scores.tolist() == pytest.approx(values, abs=1e-12), mode


@pytest.mark.parametrize("branching", ["left", "right"])
def test_canonical_trees(branching):
    beta, gamma = Fraction(3, 5), Fraction(1, 2)
    expected = [
        float(oracle.tree_score(oracle.canonical(perm, branching), beta, gamma))
        for perm in ALL
    ]
    values = scores(f"recpet:branching={branching},gamma=0.5")
    assert values.tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("rescale", ["no", "yes"])
@pytest.mark.parametrize("beta", [Fraction(1, 2), Fraction(3, 5)])
def test_children_weighed_by_span(beta, rescale):
    """BEER 1.0: words count as 1, children weigh their words."""

    @cache
    def values(perm):
        return [
            oracle.tree_score(tree, beta, Fraction(0), by_span=True)
            for tree in oracle.trees(perm)
        ]

    aggregates = {
        "recpef:forest=tree": lambda node_values: sum(node_values) / len(node_values),
        "recpef:forest=max": max,
        "recpef:forest=min": min,
    }
    for spec, aggregate in aggregates.items():
        expected = []
        for perm in SHORT:
            value = aggregate(values(perm))
            if rescale == "yes":
                worst = aggregate(values(tuple(range(len(perm), 0, -1))))
                value = (value - worst) / (1 - worst)
            expected.append(float(value))
        expected_scores = (
            f"{spec},child_weight=span,rescale={rescale},beta={float(beta)!r}"
        )
        assert scores(expected_scores, SHORT).tolist() == pytest.approx(
            expected, abs=1e-12
        ), spec


def test_flat_trees_equal_those_of_shift_reduce():
    def shape(node):
        return None if node.is_leaf else (node.op, tuple(map(shape, node.children)))

    for perm in classes():
        assert shape(perm.tree.root) == oracle.flatten(oracle.shift_reduce(perm))
        left = PermutationTree.left(perm)
        assert shape(left.root) == oracle.shift_reduce(perm)
        right = PermutationTree.right(perm)
        assert shape(right.root) == oracle.canonical(tuple(perm), "right")


def test_charts_count_and_enumerate_what_brute_force_finds():
    def shape(node):
        return None if node.is_leaf else (node.op, tuple(map(shape, node.children)))

    for perm in classes():
        if len(perm) > 6:
            continue
        forest = PermutationForest(perm)
        chart = {k: (e.op, list(e.inferences)) for k, e in forest.chart().items()}
        assert chart == oracle.chart(perm)
        trees = list(forest.trees())
        assert len(trees) == forest.count == len(set(trees))
        assert {shape(t.root) for t in trees} == set(oracle.trees(perm))
        assert all(tree in forest for tree in trees)


def test_formula_counts_trees():
    for perm in classes():
        assert PermutationForest(perm).count == len(oracle.trees(perm))


def test_every_tree_has_the_same_nodes_and_longest_operator():
    for perm in ALL:
        sizes = {
            (len(ops), max(map(len, ops)))
            for ops in map(oracle.operators, oracle.trees(perm))
        }
        assert len(sizes) == 1


@pytest.mark.parametrize("spec", INVARIANT)
def test_inverse_and_reverse_complement_change_nothing(spec):
    expected_scores = scores(spec).tolist()
    inverse = [perm.inverse() for perm in classes()]
    turned = [perm.reverse().complement() for perm in classes()]
    assert scores(spec, inverse).tolist() == pytest.approx(expected_scores, abs=1e-12)
    assert scores(spec, turned).tolist() == pytest.approx(expected_scores, abs=1e-12)


def test_inverse_changes_recpet():
    inverse = [perm.reverse().complement() for perm in classes()]
    assert (scores("recpet") != scores("recpet", inverse)).any()


@pytest.mark.parametrize("spec", ["pet-size", "max-op", "n-pets", "log-pets"])
def test_reverse_and_complement_leave_shapes_unchanged(spec):
    expected_scores = scores(spec).tolist()
    for turn in (Permutation.reverse, Permutation.complement):
        turned = scores(spec, [turn(perm) for perm in classes()])
        assert turned.tolist() == pytest.approx(expected_scores, abs=1e-14)


@pytest.mark.parametrize("beta", [0.1, 0.6, 0.9])
def test_recpef_is_one_only_for_the_identity(beta):
    for perm, score in zip(ALL, scores(f"recpef:beta={beta}"), strict=True):
        assert (score > 1 - 1e-9) == (list(perm) == sorted(perm)), perm


def test_where_the_metrics_part():
    def differ(first, second, n):
        perms = [perm for perm in ALL if len(perm) == n]
        return int((abs(scores(first, perms) - scores(second, perms)) > 1e-9).sum())

    assert [differ("recpef", "recpet", n) for n in (2, 3, 4)] == [0, 0, 4]
    assert [differ("recpef", "recpef:forest=tree", n) for n in (3, 4, 5)] == [0, 0, 8]


def test_primes_score_zero():
    primes = [perm for perm in classes() if perm.prime]
    for spec in ("pet-size", "max-op", "n-pets", "log-pets", "recpet", "recpef"):
        assert not scores(spec, primes).any()


def test_ratios_and_arity_by_definition():
    for spec, value in {
        "straight-ratio": lambda ops, n: ops.count((1, 2)) / (n - 1),
        "inverted-ratio": lambda ops, n: ops.count((2, 1)) / (n - 1),
        "avg-arity": lambda ops, _: sum(map(len, ops)) / len(ops),
    }.items():
        expected = [value(oracle.operators(oracle.trees(p)[0]), len(p)) for p in ALL]
        assert scores(spec).tolist() == pytest.approx(expected), spec
    for spec, op in (("straight-ratio", (1, 2)), ("inverted-ratio", (2, 1))):
        expected = [
            sum(operator == op for operator, _ in oracle.chart(p).values())
            / (len(p) * (len(p) - 1) / 2)
            for p in ALL
        ]
        assert scores(f"{spec}:over=chart").tolist() == pytest.approx(expected), spec


def test_logarithm_of_the_number_of_trees():
    import math

    for perm, score in zip(classes(), scores("log-pets"), strict=True):
        most = oracle.catalan(len(perm) - 1)
        count = PermutationForest(perm).count
        expected = math.log(count) / math.log(most) if most > 1 else 1.0
        assert score == pytest.approx(expected)
