# SPDX-License-Identifier: Apache-2.0
"""Dependency trees: what they allow, and how words are dropped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.trees import DependencyTree


@st.composite
def trees(draw):
    """Return any tree or forest, words in any order."""
    n = draw(st.integers(0, 8))
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for place, word in enumerate(order):
        above = draw(st.integers(0, place))
        heads[word - 1] = 0 if above == 0 else order[above - 1]
    forms = tuple(draw(st.sampled_from(["a", "b", ",", "."])) for _ in range(n))
    return DependencyTree(forms, tuple(heads), ("dep",) * n)


def test_three_fields_are_enough_and_lists_become_tuples():
    tree = DependencyTree(["a", "b"], [0, 1], ["root", "obj"])
    assert tree == DependencyTree(("a", "b"), (0, 1), ("root", "obj"))
    assert hash(tree)
    assert tree.upos == ()
    assert tree.roots == (1,)
    assert tree.children(1) == (2,)


def test_no_words_and_several_roots_are_trees():
    assert DependencyTree((), (), ()).roots == ()
    assert DependencyTree(("a", "b"), (0, 0), ("x", "y")).roots == (1, 2)


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ((2, 1), r"word 1: heads form a cycle \(1 -> 2 -> 1\)"),
        ((1, 0), r"cycle \(1 -> 1\)"),
        ((0, 3), "word 2: head 3 is not a word; heads go from 0"),
        ((0, -1), "word 2: head -1"),
        ((0,), "2 words but 1 heads"),
    ],
)
def test_what_is_no_tree_is_rejected(heads, message):
    with pytest.raises(InputError, match=message):
        DependencyTree(("a", "b"), heads, ("x", "y"))


def test_optional_columns_must_be_complete():
    with pytest.raises(InputError, match="2 words but 1 upos; give one per word"):
        DependencyTree(("a", "b"), (0, 1), ("x", "y"), upos=("NOUN",))


@given(trees())
def test_cycles_are_found_anywhere(tree):
    for word in range(1, len(tree) + 1):
        below = {word}
        for _ in range(len(tree)):
            below |= {c for b in below for c in tree.children(b)}
        for low in below:
            heads = list(tree.heads)
            heads[word - 1] = low
            with pytest.raises(InputError, match="cycle"):
                DependencyTree(tree.forms, tuple(heads), tree.deprels)


def test_punctuation_is_told_by_tag_relation_or_characters():
    tree = DependencyTree(
        ("%", "...", "-", "’", "a."),
        (0, 1, 1, 1, 1),
        ("root", "dep", "punct", "dep", "dep"),
        upos=("SYM", "_", "X", "PUNCT", "X"),
    )
    assert [tree.is_punct(i) for i in range(1, 6)] == [False, True, True, True, False]
    assert DependencyTree.flat(["a", "%"]).is_punct(2)
    with pytest.raises(InputError, match="no word 0; words go from 1 to 2"):
        DependencyTree.flat(["a", "%"]).is_punct(0)


@given(trees())
def test_dropped_words_hand_their_children_up(tree):
    short = tree.without_punct()
    kept = [i for i in range(1, len(tree) + 1) if not tree.is_punct(i)]
    assert short.forms == tuple(tree.forms[i - 1] for i in kept)

    def above(of: DependencyTree, word: int) -> list[int]:
        words = []
        while word := of.heads[word - 1]:
            words.append(word)
        return words

    for new, old in enumerate(kept, 1):
        wanted = [kept.index(a) + 1 for a in above(tree, old) if a in kept]
        assert above(short, new) == wanted


def test_columns_stay_with_their_words():
    tree = DependencyTree(
        ("a", ",", "b"), (3, 3, 0), ("x", "punct", "y:z"), lemmas=("A", ",", "B")
    )
    assert tree.without_punct().lemmas == ("A", "B")
    assert tree.without_subtypes().deprels == ("x", "punct", "y")
    assert tree.without_subtypes().lemmas == tree.lemmas


def test_joined_trees_keep_what_all_of_them_know():
    one = DependencyTree(("a",), (0,), ("root",), upos=("X",), lemmas=("a",))
    two = DependencyTree(("b", "c"), (2, 0), ("x", "root"), upos=("Y", "Z"))
    none = DependencyTree((), (), ())
    both = DependencyTree.join([one, none, two])
    assert both == DependencyTree(
        ("a", "b", "c"), (0, 3, 0), ("root", "x", "root"), upos=("X", "Y", "Z")
    )
    assert DependencyTree.join([]) == none
