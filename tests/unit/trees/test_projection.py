# SPDX-License-Identifier: Apache-2.0
"""Trees projected from references, against the oracle, and what always holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import projection as oracle
from support.strategies import tree_heads
from tertium.errors import InputError
from tertium.trees import DependencyTree, derp, dted
from tertium.trees.projection import make_projective, project

SOLD = DependencyTree(
    ("she", "sold", "the", "old", "car"),
    (2, 0, 5, 5, 2),
    ("nsubj", "root", "det", "amod", "obj"),
)


def make_tree(heads):
    n = len(heads)
    names = tuple(f"r{i}" for i in range(n))
    return DependencyTree(tuple(f"w{i}" for i in range(n)), tuple(heads), names)


@st.composite
def problems(draw):
    ref = make_tree(draw(tree_heads(8)))
    size = draw(st.integers(0, 8))
    every = [(h, r) for h in range(size) for r in range(len(ref))]
    links = draw(st.sets(st.sampled_from(every), max_size=9)) if every else set()
    return ref, [f"h{i}" for i in range(size)], sorted(links)


@given(problems())
def test_projection_is_that_of_the_oracle(problem):
    ref, words, links = problem
    tree = project(ref, words, links)  # raises an error if this is not a tree
    expected = oracle.project(ref.heads, ref.deprels, len(words), links)
    assert list(zip(tree.heads, tree.deprels, strict=True)) == expected
    assert project(ref, words, links[::-1]) == tree
    assert tree.forms == tuple(words)


@given(tree_heads(8))
def test_identical_sentences_have_identical_trees(heads):
    ref = make_tree(heads)
    links = [(i, i) for i in range(len(ref))]
    tree = project(ref, ref.forms, links)
    assert tree == ref
    assert dted(tree, ref, links).score == 1
    assert derp(tree, ref, links).score == 1


@given(problems())
def test_words_keep_the_ancestors_of_their_counterparts(problem):
    """With links one to one, who is above whom is as in the reference."""
    ref, words, links = problem
    single = {r: h for h, r in {h: (h, r) for h, r in links}.values()}
    links = [(h, r) for r, h in single.items()]
    tree = project(ref, words, links)
    for one, h in single.items():
        for other, g in single.items():
            above = other in oracle.ancestors(ref.heads, one)
            assert above == (g in oracle.ancestors(tree.heads, h))


@given(tree_heads(8))
def test_lifted_trees_have_no_crossing_arcs_and_lift_no_more_than_needed(heads):
    tree = make_tree(heads)
    lifted = make_projective(tree)
    assert oracle.crossing_arcs(lifted.heads) == []
    assert lifted.deprels == tree.deprels
    if not oracle.crossing_arcs(heads):
        assert lifted == tree
    for word, head in enumerate(lifted.heads):
        assert head in [0, *(i + 1 for i in oracle.ancestors(heads, word))]


@pytest.mark.parametrize(
    ("words", "links", "expected"),
    [
        # A wrong word between the same neighbours has the place of the right one.
        ("she bought the old car", "0-0 2-2 3-3 4-4", (2, 0, 5, 5, 2)),
        # A missing word: its dependents move up, here to become roots.
        ("she the old car", "0-0 1-2 2-3 3-4", (0, 4, 4, 0)),
        # An extra word depends on its left neighbour, the first on its right one.
        ("she sold the very old car", "0-0 1-1 2-2 4-3 5-4", (2, 0, 6, 3, 6, 2)),
        ("so she sold the old car", "1-0 2-1 3-2 4-3 5-4", (2, 3, 0, 6, 6, 3)),
        # Two words for one: the second depends on the first.
        ("she sold off the old car", "0-0 1-1 2-1 3-2 4-3 5-4", (2, 0, 2, 6, 6, 2)),
        # One word for two takes the place of the higher one.
        ("she sold the oldtimer", "0-0 1-1 2-2 3-3 3-4", (2, 0, 4, 2)),
        # Nothing is linked: words take places one by one, and the rest are leaves.
        ("no word is the same here", "", (2, 0, 5, 5, 2, 5)),
    ],
)
def test_documented_cases(words, links, expected):
    pairs = [tuple(map(int, link.split("-"))) for link in links.split()]
    assert project(SOLD, words.split(), pairs).heads == expected


def test_a_moved_word_leaves_its_phrase_in_the_projective_tree():
    links = [(0, 2), (1, 0), (2, 1), (3, 3), (4, 4)]
    tree = project(SOLD, ["the", "she", "sold", "old", "car"], links)
    assert tree.heads == (5, 3, 0, 5, 3)
    assert make_projective(tree).heads == (3, 3, 0, 5, 3)
    assert dted(tree, SOLD, links).score == 1.0
    assert dted(make_projective(tree), SOLD, links).score < 1.0


def test_an_empty_reference_gives_a_chain_and_links_outside_are_rejected():
    empty = DependencyTree((), (), ())
    assert project(empty, ["a", "b"], []).heads == (0, 1)
    assert project(SOLD, [], []) == empty
    with pytest.raises(InputError, match="link 0-5 lies outside"):
        project(SOLD, ["a"], [(0, 5)])
