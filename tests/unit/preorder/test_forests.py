# SPDX-License-Identifier: Apache-2.0
"""Forests of units."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import reordering
from tertium.errors import InputError, UnknownNameError
from tertium.preorder.forests import Forest
from tertium.preorder.units import Units, minimal_units


def trees_of(ranks, variant):
    """Return the number of trees, 0 if an operator is missing."""
    try:
        return Forest.of_ranks(ranks, variant=variant).count
    except InputError:
        return 0


def inner(forest):
    return {(s.start, s.end, s.operator.name) for s in forest.inner()}


@pytest.mark.parametrize(
    ("ranks", "count", "inferences"),
    [
        ("1 2 3 4", 5, 10),
        ("1 2 3 4 5 6 7", 132, 56),
        ("2 1 4 3", 1, 3),
        ("1 3 2 4", 2, 5),
        ("2 1 3 5 4 6", 5, 12),
        ("5 7 4 6 3 1 2", 2, 6),
        ("5 7 2 4 1 3 6", 1, 2),
    ],
)
def test_trees_and_inferences_of_known_permutations(ranks, count, inferences):
    forest = Forest.of_ranks([int(rank) for rank in ranks.split()])
    assert (forest.count, forest.inferences) == (count, inferences)


@pytest.mark.parametrize(
    ("n", "trees", "binary"),
    [(2, 2, 2), (3, 8, 6), (4, 42, 22), (5, 254, 90), (6, 1698, 394)],
)
def test_trees_of_all_permutations_are_as_many_as_published(n, trees, binary):
    all_ranks = [list(perm) for perm in permutations(range(1, n + 1))]
    counts = [trees_of(ranks, "pet") for ranks in all_ranks]
    # The 46 simple permutations of six children have one tree each, and no operator.
    assert counts.count(0) == (46 if n == 6 else 0)
    assert sum(count or 1 for count in counts) == trees
    assert sum(trees_of(ranks, "itg") > 0 for ranks in all_ranks) == binary


def test_a_forest_has_the_spans_of_all_trees():
    forest = Forest.of_ranks([2, 1, 3, 4])
    parts = {
        (span.start, span.end): [
            [forest.spans[part].end for part in way[:-1]] for way in span.inferences
        ]
        for span in forest.inner()
    }
    assert parts == {(0, 2): [[1]], (2, 4): [[3]], (0, 3): [[2]], (0, 4): [[2], [3]]}


def test_single_trees_nest_chains_to_the_left_or_to_the_right():
    ranks = [5, 7, 4, 6, 3, 1, 2]
    left = Forest.of_ranks(ranks, variant="left")
    right = Forest.of_ranks(ranks, variant="right")
    assert left.count == right.count == 1
    assert inner(left) == {(0, 4, "P2413"), (5, 7, "P12"), (0, 5, "P21"), (0, 7, "P21")}
    assert inner(right) == {
        (0, 4, "P2413"),
        (5, 7, "P12"),
        (4, 7, "P21"),
        (0, 7, "P21"),
    }


def test_unaligned_units_are_children_of_their_operators():
    units = minimal_units(5, [(0, 0), (1, 3), (3, 2), (4, 4)])
    right = inner(Forest.of_units(units))
    assert {(2, 4, "P01"), (1, 4, "P21")} <= right
    assert (1, 3, "P10") in inner(Forest.of_units(units, attach="left"))
    ends = minimal_units(5, [(1, 1), (2, 0)])
    assert inner(Forest.of_units(ends)) == {
        (0, 2, "P01"),
        (2, 4, "P10"),
        (2, 5, "P10"),
        (0, 5, "P21"),
    }


def test_high_attachment_joins_the_largest_block():
    units = minimal_units(4, [(0, 0), (2, 2), (3, 1)])
    assert (1, 3, "P01") in inner(Forest.of_units(units))
    assert (1, 4, "P01") in inner(Forest.of_units(units, height="high"))


ranked = st.permutations(range(1, 6)).flatmap(
    lambda perm: st.lists(st.integers(0, 5), max_size=3).map(
        lambda places: insert(perm, places)
    )
)


def insert(perm, places):
    ranks = list(perm)
    for place in places:
        ranks.insert(place, 0)
    return ranks


@settings(max_examples=60)
@given(ranked, st.sampled_from(["left", "right"]))
def test_forests_have_the_trees_and_spans_of_brute_force(ranks, attach):
    spans = tuple((i, i + 1) for i in range(len(ranks)))
    forest = Forest.of_units(Units(spans, tuple(ranks)), attach=attach)
    trees = reordering.unit_trees(ranks, attach=attach)
    assert forest.count == len(trees)
    assert inner(forest) == {
        span for tree in trees for span in reordering.spans_of(tree)
    }


@settings(max_examples=60)
@given(
    ranked, st.sampled_from(["left", "right"]), st.sampled_from(["low", "high", "both"])
)
def test_forests_of_all_heights_have_the_trees_of_brute_force(ranks, attach, height):
    spans = tuple((i, i + 1) for i in range(len(ranks)))
    units = Units(spans, tuple(ranks))
    forest = Forest.of_units(units, attach=attach, height=height)
    trees = reordering.attached_trees(ranks, attach=attach, height=height)
    assert forest.count == len(trees)
    assert inner(forest) == {
        span for tree in trees for span in reordering.spans_of(tree)
    }
    if height == "both":
        union = {
            tree
            for one in ("low", "high")
            for tree in reordering.attached_trees(ranks, attach=attach, height=one)
        }
        assert union <= trees


def test_a_span_may_have_several_operators_if_heights_are_alternatives():
    units = Units(tuple((i, i + 1) for i in range(3)), (0, 2, 1))
    forest = Forest.of_units(units, height="both")
    roots = [forest.spans[root].operator.name for root in forest.roots]
    assert sorted(roots) == ["P01", "P21"]
    assert forest.count == 2


def test_orders_without_a_forest_are_rejected():
    with pytest.raises(InputError, match="no forest"):
        Forest.of_ranks([0, 1, 0])
    with pytest.raises(InputError, match="no forest"):
        Forest.of_ranks([2, 4, 6, 1, 3, 5])  # needs six children
    with pytest.raises(InputError, match="not a permutation"):
        Forest.of_ranks([1, 3])
    with pytest.raises(UnknownNameError):
        Forest.of_ranks([1, 2], variant="flat")
