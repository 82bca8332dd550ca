# SPDX-License-Identifier: Apache-2.0
"""Minimal units of alignments, and the orders they imply."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import reordering
from tertium.errors import InputError, UnknownNameError
from tertium.preorder.grammar import OPERATORS
from tertium.preorder.units import corpus_units, minimal_units

RANKS = {operator.name: operator.ranks for operator in OPERATORS}


def pairs(text):
    return [tuple(map(int, item.split("-"))) for item in text.split()]


@pytest.mark.parametrize(
    ("length", "links", "spans", "ranks", "order"),
    [
        (5, "0-0 1-3 3-2 4-4", [1, 1, 1, 1, 1], [1, 3, 0, 2, 4], [0, 2, 3, 1, 4]),
        (5, "1-1 2-0", [1, 1, 1, 1, 1], [0, 2, 1, 0, 0], [2, 3, 4, 0, 1]),
        (4, "0-1 1-1 2-0 3-2", [2, 1, 1], [2, 1, 3], [2, 0, 1, 3]),
        (4, "0-1 1-3 2-0 3-2", [1, 1, 1, 1], [2, 4, 1, 3], [2, 0, 3, 1]),
        (3, "0-0 1-2 2-0", [3], [1], [0, 1, 2]),
        (2, "0-0 0-2 1-1", [2], [1], [0, 1]),
        (4, "0-0 0-3 2-1 3-2", [4], [1], [0, 1, 2, 3]),
        (3, "", [1, 1, 1], [0, 0, 0], [0, 1, 2]),
        (0, "", [], [], []),
    ],
)
def test_units_and_order_of_known_alignments(length, links, spans, ranks, order):
    units = minimal_units(length, pairs(links))
    assert [end - start for start, end in units.spans] == spans
    assert list(units.ranks) == ranks
    assert list(units.order()) == order


def test_unaligned_units_join_the_left_neighbour_on_request():
    units = minimal_units(5, pairs("0-0 1-3 3-2 4-4"))
    assert units.order(attach="left") == (0, 3, 1, 2, 4)


def test_high_attachment_keeps_an_unaligned_unit_before_the_whole_block():
    units = minimal_units(4, pairs("0-2 2-1 3-0"))  # 0 u 2 3, all in reverse
    assert units.order() == (3, 1, 2, 0)
    units = minimal_units(4, pairs("0-0 2-2 3-1"))  # the block 2 3 swaps
    assert units.order(height="low") == (0, 3, 1, 2)
    assert units.order(height="high") == (0, 1, 3, 2)
    assert units.order(attach="left", height="high") == (0, 1, 3, 2)


alignments = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, 6)), max_size=9),
    )
)


@settings(max_examples=100)
@given(alignments)
def test_units_are_the_longest_of_the_minimal_phrases(alignment):
    length, links = alignment
    units = minimal_units(length, sorted(links))
    spans, ranks = reordering.units(length, links)
    assert list(units.spans) == spans
    assert list(units.ranks) == ranks


@settings(max_examples=60)
@given(alignments, st.sampled_from(["left", "right"]))
def test_order_is_that_of_every_tree_of_the_units(alignment, attach):
    length, links = alignment
    units = minimal_units(length, sorted(links))
    if units.aligned < 2:
        assert units.order(attach=attach) == tuple(range(length))
        return
    trees = reordering.unit_trees(units.ranks, attach=attach)
    if not set(reordering.operators_in(trees[0])) <= RANKS.keys():
        return
    for tree in trees:
        order = [
            word
            for unit in reordering.order_of(tree, RANKS)
            for word in range(*units.spans[unit])
        ]
        assert units.order(attach=attach) == tuple(order)


@settings(max_examples=60)
@given(alignments, st.sampled_from(["left", "right"]), st.sampled_from(["low", "high"]))
def test_order_has_every_word_once(alignment, attach, height):
    length, links = alignment
    order = minimal_units(length, links).order(attach=attach, height=height)
    assert sorted(order) == list(range(length))


def test_many_sentences_give_the_units_of_each():
    lengths, links = [2, 0, 3], [[(0, 1), (1, 0)], [], [(2, 0)]]
    units = corpus_units(lengths, links)
    expected = [minimal_units(n, item) for n, item in zip(lengths, links, strict=True)]
    assert [units[i] for i in range(3)] == expected


@pytest.mark.parametrize("link", [(2, 0), (-1, 0), (0, -1)])
def test_a_link_outside_its_sentence_is_named_with_the_sentence(link):
    with pytest.raises(InputError, match=rf"link {link[0]}-{link[1]} \(sentence 2\)"):
        corpus_units([2, 2], [[(0, 0)], [(1, 1), link]])


def test_missing_alignments_and_unknown_choices_are_rejected():
    with pytest.raises(InputError, match="links of 0"):
        corpus_units([2], [])
    with pytest.raises(UnknownNameError):
        minimal_units(2, []).order(attach="up")
