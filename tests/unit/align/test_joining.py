# SPDX-License-Identifier: Apache-2.0
"""Two sets of links made one: by symmetrisation, and through a pivot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from oracles import links as oracle
from tertium.align import (
    Link,
    as_links,
    compose,
    compose_all,
    parse_pharaoh,
    reverse,
    symmetrise,
    symmetrise_all,
)
from tertium.align.symmetrisation import METHODS

size = 6
points = st.sets(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)))
heuristics = st.sampled_from([m for m in METHODS if m not in ("forward", "backward")])


def plain(links):
    return {link[:2] for link in links}


@given(points, points, heuristics)
def test_equals_the_slow_twin(forward, backward, method):
    joined = symmetrise(as_links(forward), as_links(backward), method=method)
    expected = oracle.symmetrise(forward, backward, (size, size), method)
    assert plain(joined) == expected
    assert list(joined) == sorted(joined)


@given(points, points)
def test_every_heuristic_lies_between_intersection_and_union(forward, backward):
    sides = as_links(forward), as_links(backward)
    joined = {m: plain(symmetrise(*sides, method=m)) for m in METHODS}
    assert joined["intersection"] <= joined["grow"] <= joined["union"]
    assert joined["intersection"] <= joined["grow-diag"]
    assert joined["grow-diag"] <= joined["grow-diag-final-and"] <= joined["union"]
    assert joined["grow-diag"] <= joined["grow-diag-final"] <= joined["union"]
    assert joined["forward"] == forward
    assert joined["backward"] == backward


@pytest.mark.parametrize(
    ("method", "line"),
    [
        ("intersection", "0-0 1-1"),
        ("grow", "0-0 1-1 2-1"),
        ("grow-diag", "0-0 1-1 2-1 3-2"),
        ("grow-diag-final-and", "0-0 1-1 2-1 3-2 4-4"),
        ("grow-diag-final", "0-0 0-3 1-1 2-1 3-2 4-4"),
        ("union", "0-0 0-3 1-1 2-1 3-2 4-4"),
    ],
)
def test_an_example_worked_by_hand(method, line):
    # NLTK's grow_diag_final_and treats every word as free, so it cannot be compared.
    forward = parse_pharaoh("0-0 1-1 3-2")
    backward = parse_pharaoh("0-0 1-1 2-1 4-4 0-3")
    assert symmetrise(forward, backward, method=method) == parse_pharaoh(line)


def test_weights_and_marks_of_both_directions_are_joined():
    forward = as_links([(0, 0, 0.5, False), (1, 1, 0.25, False)])
    backward = as_links([(0, 0, 0.75, True)])
    assert symmetrise(forward, backward, method="union") == (
        Link(0, 0, 0.75, True),
        Link(1, 1, 0.25, False),
    )


def test_unknown_methods_and_uneven_sides_are_rejected():
    with pytest.raises(tertium.UnknownNameError, match="did you mean union"):
        symmetrise((), (), method="unions")
    with pytest.raises(tertium.InputError, match="2 segments forward and 1 backward"):
        symmetrise_all([(), ()], [()])


@given(points, points)
def test_pivot_links_are_those_with_a_common_source_word(first, second):
    joined = compose(as_links(first), as_links(second))
    assert plain(joined) == {(h, r) for s, h in first for t, r in second if s == t}


@given(points, points)
def test_pivot_turned_round_gives_links_turned_round(first, second):
    sides = as_links(first), as_links(second)
    assert compose(*sides[::-1]) == reverse(compose(*sides))


def test_pivot_weights_multiply_and_paths_are_combined():
    first = as_links([(0, 0, 0.5), (1, 0, 0.5, False)])
    second = as_links([(0, 2, 0.5, False), (1, 2, 0.75)])
    assert compose(first, second) == (Link(0, 2, 0.375, False),)
    assert compose(first, second, combine="sum") == (Link(0, 2, 0.625, False),)
    sure = as_links([(0, 0), (1, 0, 1.0, False)])
    assert compose(sure, sure)[0].sure
    with pytest.raises(tertium.UnknownNameError, match="choose from max, sum"):
        compose(first, second, combine="best")
    with pytest.raises(tertium.InputError, match="have 1 segments"):
        compose_all([()], [])
