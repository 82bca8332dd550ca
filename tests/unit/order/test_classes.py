# SPDX-License-Identifier: Apache-2.0
"""Permutations, trees and forests as objects."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest
from hypothesis import given, settings

import tertium
from support.strategies import block_permutations
from tertium.order import Permutation, PermutationForest, PermutationTree


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ([0, 1], "value 1 is 0; give each of 1 to 2 once"),
        ([1, 3], "value 2 is 3"),
        ([1, 1], "value 2 is 1 again"),
        ([1, 2.0], "value 2 is not an integer"),
        ([1, 10**30], "value 2 is too large for 2 words; give each of 1 to 2 once"),
        (["1"], "value 1 is not an integer"),
        ([True], "value 1 is not an integer"),
    ],
)
def test_what_is_no_permutation_is_rejected(values, what):
    with pytest.raises(tertium.InputError, match=what):
        Permutation.one_based(values)
    with pytest.raises(tertium.InputError, match="permutation 0: " + what[:7]):
        tertium.metric("kendall").permutation_scores([values])


def test_the_base_must_be_said():
    with pytest.raises(tertium.InputError, match="one_based"):
        Permutation([1, 2])
    assert Permutation.zero_based([2, 0, 1]) == Permutation.one_based([3, 1, 2])
    assert Permutation.parse("2 0 1", base=0) == (3, 1, 2)
    with pytest.raises(tertium.InputError, match="give each of 0 to 1 once"):
        Permutation.zero_based([1, 2])
    with pytest.raises(
        tertium.InputError,
        match=r"value 2 is too large \(5,000 digits\) for 3 words; give each of 1 to 3",
    ):
        Permutation.parse(f"1 {'9' * 5000} 2")
    assert Permutation.parse(f"{'0' * 5000}1 02") == (1, 2)
    with pytest.raises(tertium.InputError, match="'-1' is not a value"):
        Permutation.parse("1 -1")


def test_turning():
    perm = Permutation.parse("2 4 5 6 1 3")
    assert perm.inverse() == (5, 1, 6, 2, 3, 4)
    assert perm.inverse().inverse() == perm
    assert perm.reverse() == (3, 1, 6, 5, 4, 2)
    assert perm.complement() == (5, 3, 2, 1, 6, 4)
    assert pickle.loads(pickle.dumps(perm)) == perm
    assert isinstance(perm.inverse(), Permutation)


@pytest.mark.parametrize(
    ("n", "score"),
    [(0, 0.0), (1, 1.0)],
)
def test_degenerate_permutations(n, score):
    perm = Permutation.identity(n)
    for spec in (
        "kendall", "spearman", "hamming", "ulam", "fuzzy", "sqrt-kendall", "pet-size",
        "max-op", "n-pets", "log-pets", "straight-ratio", "recpet", "recpef",
        "recpef:rescale=yes", "recpef:child_weight=span,forest=tree,rescale=yes",
        "kendall:brevity=yes",
    ):  # fmt: skip
        assert tertium.metric(spec).permutation_scores([perm]) == [score], spec
    assert perm.kendall() == score
    assert perm.arity == n
    assert not perm.prime


def test_degenerate_disorder_is_the_lowest():
    for n in (0, 1):
        perm = Permutation.identity(n)
        assert tertium.metric("inverted-ratio").permutation_scores([perm]) == [0]
        assert tertium.metric("avg-arity").permutation_scores([perm]) == [2]


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_two_words(order):
    for spec in ("pet-size", "max-op", "n-pets", "log-pets"):
        assert tertium.metric(spec).permutation_scores([order]) == [1.0]
    for spec in ("kendall", "spearman", "ulam", "fuzzy", "recpet", "recpef"):
        expected = 1.0 if order == (1, 2) else 0.0
        assert tertium.metric(spec).permutation_scores([order]) == [expected]


def test_an_empty_permutation_has_no_tree():
    with pytest.raises(tertium.InputError, match="no tree"):
        PermutationTree.flat(Permutation.identity(0))


# ---------------------------------------------------------------------------- trees


def test_nodes_say_where_they_are():
    tree = Permutation.parse("2 4 5 6 1 3").tree
    node = tree.root.children[1]
    assert (node.start, node.end, node.lo, node.hi) == (1, 4, 4, 6)
    assert (node.kind, node.op, node.words, node.name) == ("straight", (1, 2), 3, "12")
    assert [n.name for n in tree.nodes()] == [
        "2413",
        "2",
        "12",
        "4",
        "5",
        "6",
        "1",
        "3",
    ]
    assert [n.name for n in tree.nodes(order="post")] == [
        "2",
        "4",
        "5",
        "6",
        "12",
        "1",
        "3",
        "2413",
    ]
    assert tree.depth == 2
    assert tree.operators == [(2, 4, 1, 3), (1, 2), (1, 2)]
    assert tree.average_arity() == pytest.approx(8 / 3)


def test_text_of_trees():
    perm = Permutation.parse("2 4 5 6 1 3")
    words = ["and", "at", "noon", "we", "met", "her"]
    assert perm.tree.brackets(words) == "(2413 and (12 at noon we) met her)"
    assert perm.tree.indented().splitlines()[:4] == ["2413", "  2", "  12", "    4"]
    with pytest.raises(tertium.InputError, match="2 words for a permutation of 6"):
        perm.tree.brackets(["a", "b"])
    long = Permutation.one_based([2, 4, 6, 8, 10, 1, 3, 5, 7, 9])
    assert str(long.tree).startswith("(2-4-6-8-10-1-3-5-7-9 2 4")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(12 1 2", "every bracket closed"),
        ("(12 1 2))", "never opened"),
        ("(21 1 2)", "should be 12"),
        ("(12 1)", "too few children"),
        ("(12 1 x)", "'x' is not a value"),
        ("1 2", "not one tree"),
        ("", "not one tree"),
        ("(12 1 3)", "contiguous|give each"),
        ("(12 (12 1 3) 4)", "contiguous|give each"),
        ("(12 (21 3 1) (12 2 4))", "contiguous|should be"),
    ],
)
def test_what_is_no_tree_is_rejected(text, why):
    with pytest.raises(tertium.InputError, match=why):
        PermutationTree.parse(text)


@given(block_permutations())
def test_trees_read_back(perm):
    permutation = Permutation.one_based(perm)
    for tree in (
        permutation.tree,
        PermutationTree.left(permutation),
        PermutationTree.right(permutation),
    ):
        assert PermutationTree.parse(str(tree)) == tree
        assert tree.perm == permutation
        assert hash(pickle.loads(pickle.dumps(tree))) == hash(tree)


# -------------------------------------------------------------------------- forests


def test_enumeration_is_lazy_and_bounded():
    forest = PermutationForest(Permutation.identity(40))
    with pytest.raises(
        tertium.InputError, match="over 10\\^18 trees, more than 100000"
    ):
        forest.trees()
    first = next(forest.trees(limit=None))
    assert first == PermutationTree.left(forest.perm)
    assert forest[-1] == forest[forest.count - 1]
    with pytest.raises(IndexError, match="no tree"):
        forest[forest.count]


def test_only_trees_of_the_permutation_belong_to_the_forest():
    forest = PermutationForest(Permutation.parse("1 2 3"))
    assert PermutationTree.parse("(12 (12 1 2) 3)") in forest
    assert PermutationTree.parse("(12 1 2 3)") not in forest
    assert PermutationTree.parse("(12 (21 2 1) 3)") not in forest
    assert "(12 (12 1 2) 3)" not in forest
    # A longer operator that is not prime splits too finely.
    coarse = PermutationForest(Permutation.parse("2 1 4 3"))
    assert PermutationTree.parse("(2143 2 1 4 3)") not in coarse


def test_sampling_is_uniform_and_seeded():
    forest = PermutationForest(Permutation.identity(5))
    drawn = Counter(map(str, forest.sample(7000, seed=3)))
    assert len(drawn) == forest.count == 14
    chi = sum((count - 500) ** 2 / 500 for count in drawn.values())
    assert chi < 34.5  # 13 degrees of freedom, p = 0.001
    assert forest.sample(5, seed=0) == forest.sample(5, seed=0)


@settings(max_examples=20)
@given(block_permutations(max_size=60))
def test_sampled_trees_belong_to_the_forest(perm):
    forest = PermutationForest(Permutation.one_based(perm))
    assert all(tree in forest for tree in forest.sample(3, seed=1))


def test_forests_compare_by_permutation():
    one, two = (PermutationForest(Permutation.identity(3)) for _ in range(2))
    assert one == two
    assert hash(one) == hash(two)
    assert one != PermutationForest(Permutation.identity(4))
    assert "1 2 3" in repr(one)


def test_deep_trees_do_not_overflow_the_stack():
    n = 4000
    low, high, values = 1, n, []
    while low <= high:
        values.append(low)
        low += 1
        if low <= high:
            values.append(high)
            high -= 1
    perm = Permutation.one_based(values)
    tree = perm.tree
    assert tree.depth == n - 1
    assert PermutationTree.parse(str(tree)) == tree
    assert len(tree.indented().splitlines()) == 2 * n - 1
    assert tree in PermutationForest(perm)
    assert tree.recpet() == pytest.approx(PermutationForest(perm).recpef())
    assert pickle.loads(pickle.dumps(tree)) == tree
    chain = PermutationTree.left(Permutation.identity(n))
    assert chain.depth == n - 1
    assert chain.recpet() == pytest.approx(1.0)


# ------------------------------------------------------------------------- reduction


def test_links_outside_a_text_are_rejected():
    with pytest.raises(tertium.InputError, match="link 2-0 lies outside"):
        Permutation.from_links(2, [(2, 0)])
    with pytest.raises(tertium.InputError, match="link 0--1"):
        Permutation.from_links(2, [(0, -1)])


def test_no_links_at_all():
    assert Permutation.from_links(3, []) == ()
    assert Permutation.from_links(3, [], unaligned="left") == (1, 2, 3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"beta": float("nan")}, "beta is nan; give a number from 0 to 1"),
        ({"beta": -1}, "beta is -1"),
        ({"beta": 2}, "beta is 2"),
        ({"beta": "x"}, "beta is 'x'"),
        ({"gamma": float("nan")}, "gamma is nan"),
        ({"gamma": 1e300}, "gamma is 1e"),
        ({"child_weight": "z"}, "value of child_weight 'z'; choose from plain, span"),
        ({"op_score": "x"}, "value of op_score 'x'; choose from binary"),
        ({"forest": "x"}, "value of forest 'x'; .*max"),
    ],
)
def test_nonsense_is_rejected_wherever_scores_recurse(settings, message):
    perm = Permutation.parse("3 1 2")
    forest, tree = PermutationForest(perm), PermutationTree.left(perm)
    calls = [forest.recpef, forest.node_scores]
    if "forest" not in settings:
        calls += [tree.recpet, tree.node_scores]
    for call in calls:
        with pytest.raises(tertium.InputError, match=message):
            call(**settings)


@pytest.mark.parametrize("make", [PermutationForest, PermutationTree.flat])
@pytest.mark.parametrize("values", [[4, 3, 2, 1], (1, 1), "12", None])
def test_trees_are_made_of_permutations_alone(make, values):
    with pytest.raises(tertium.InputError, match=r"is not a Permutation.*one_based"):
        make(values)


def test_a_tree_is_made_of_its_root():
    with pytest.raises(tertium.InputError, match=r"root node, not from \[2, 1\]; use"):
        PermutationTree([2, 1])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Permutation.one_based(5), "no permutation: 5 is not a list"),
        (lambda: Permutation.parse(None), "None is not a text"),
        (lambda: Permutation.identity(-1), "-1 is not a length"),
        (lambda: Permutation.identity("x"), "'x' is not a length"),
        (lambda: Permutation.from_links(2, [(0,)]), "is not a link"),
        (lambda: Permutation.from_links(2, [(0.5, 1)]), "is not a link"),
        (lambda: Permutation.from_links(2, [None]), "None is not a link"),
    ],
)
def test_values_and_links_that_are_none_are_reported(make, message):
    with pytest.raises(tertium.InputError, match=message):
        make()
