# SPDX-License-Identifier: Apache-2.0
"""Parts of sentences, from constituency and dependency trees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import parts as oracle
from tertium.errors import InputError
from tertium.judgements.parts import (
    ExtractionCounts,
    SentenceParts,
    extract,
    sentence_parts,
    token_tree,
)
from tertium.trees import ConstituencyTree, DependencyTree, parse_conllu

LETTERS = st.sampled_from("abcde")
NESTED = st.recursive(LETTERS, lambda below: st.lists(below, min_size=1, max_size=4))
BOUNDS = st.tuples(st.integers(1, 3), st.integers(0, 4)).map(
    lambda two: {"min_length": two[0], "max_length": two[0] + two[1]}
)


@st.composite
def any_heads(draw) -> list[int]:
    """Return the heads of any tree: several roots, crossing links."""
    n = draw(st.integers(0, 9))
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for at, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:at]])) if at else 0
    return heads


@st.composite
def projective_heads(draw) -> list[int]:
    """Return the heads of a tree without crossing links, which has most parts."""
    heads = [0] * draw(st.integers(5, 12))
    todo = [(1, len(heads), 0)]
    while todo:
        first, last, head = todo.pop()
        if first > last:
            continue
        # A span of siblings: a word with a subtree to the end, and those before it.
        start = draw(st.integers(first, last)) if head else first
        word = draw(st.integers(start, last))
        heads[word - 1] = head
        todo += [(first, start - 1, head), (start, word - 1, word)]
        todo.append((word + 1, last, word))
    return heads


@st.composite
def dependency_trees(draw) -> DependencyTree:
    heads = draw(st.one_of(any_heads(), projective_heads()))
    n = len(heads)
    tags = st.sampled_from(["NOUN", "VERB", "PUNCT"])
    marks = draw(st.lists(tags, min_size=n, max_size=n))
    return DependencyTree(("w",) * n, tuple(heads), ("dep",) * n, upos=tuple(marks))


def constituents(tree) -> ConstituencyTree:
    return ConstituencyTree.parse(oracle.brackets(tree))


@given(NESTED, BOUNDS)
def test_constituents_are_cut_by_the_published_algorithm(tree, bounds):
    parts = extract(constituents(tree), **bounds)
    assert list(map(list, parts)) == oracle.extract(tree, *bounds.values())


@given(st.one_of(NESTED.map(constituents), dependency_trees()), BOUNDS)
def test_parts_are_contiguous_within_bounds_disjoint_and_in_order(tree, bounds):
    parts = extract(tree, **bounds)
    for part in parts:
        assert list(part) == list(range(part[0], part[-1] + 1))
        assert bounds["min_length"] <= len(part) <= bounds["max_length"]
    places = [place for part in parts for place in part]
    assert places == sorted(set(places))
    assert all(0 <= place < len(tree) for place in places)
    if bounds["min_length"] == 1:
        assert places == list(range(len(tree)))


@given(dependency_trees(), BOUNDS)
def test_dependencies_are_cut_by_the_documented_rules(tree, bounds):
    parts = list(map(list, extract(tree, **bounds)))
    heads = list(tree.heads)
    punct = {word for word in range(1, len(tree) + 1) if tree.is_punct(word)}
    subtrees = oracle.subtrees(heads, *bounds.values())
    around = oracle.around_heads(heads, punct, *bounds.values())
    assert parts == sorted(subtrees + around)


def dependencies(text: str) -> DependencyTree:
    """Return the tree of words such as ``cats/2``, with heads from 1."""
    pairs = [word.rsplit("/", 1) for word in text.split()]
    heads = tuple(int(head) for _, head in pairs)
    forms = tuple(form for form, _ in pairs)
    return DependencyTree(forms, heads, ("dep",) * len(forms))


def test_a_head_takes_its_short_neighbours():
    # The verb has eight words below it; constituents would be [3-7] with max 6.
    tree = dependencies("the/3 prepaid/3 phones/6 are/6 then/6 thrown/0 away/6 later/6")
    assert extract(tree) == ((0, 1, 2), (3, 4, 5, 6, 7))
    # The left of two equal neighbours comes first, as long as there is room.
    assert extract(tree, max_length=4) == ((0, 1, 2), (3, 4, 5, 6))
    assert extract(tree, max_length=3) == ((0, 1, 2), (3, 4, 5))


def test_a_head_leaves_neighbours_that_are_parts_themselves():
    tree = dependencies("old/2 bells/3 rang/0 at/5 noon/3")
    assert extract(tree, min_length=2, max_length=4) == ((0, 1), (3, 4))
    assert extract(tree, min_length=1, max_length=4) == ((0, 1), (2,), (3, 4))


def test_punctuation_ends_the_part_of_a_head():
    tree = dependencies("we/2 sing/0 ,/2 too/2 all/6 songs/2 of/8 spring/6")
    assert extract(tree, min_length=2, max_length=4) == ((0, 1), (4, 5, 6, 7))


def test_subtrees_with_gaps_are_not_torn():
    # Words 1 and 3 belong together, with the root between them.
    tree = dependencies("a/3 saw/0 b/2 c/2")
    assert extract(tree, min_length=2, max_length=3) == ()
    assert extract(tree, min_length=1, max_length=3) == ((0,), (1,), (2,), (3,))


@pytest.mark.parametrize("bounds", [(0, 3), (4, 3), (-1, -1)])
def test_lengths_must_make_sense(bounds):
    low, high = bounds
    with pytest.raises(InputError, match=f"cannot have {low} to {high} words"):
        extract(dependencies("a/0"), min_length=low, max_length=high)


def test_parts_count_tokens_not_syntactic_words():
    rows = [
        "1 wir _ PRON _ _ 2 nsubj _ _",
        "2 gehen _ VERB _ _ 0 root _ _",
        "3-4 zum _ _ _ _ _ _ _ _",
        "3 zu _ ADP _ _ 5 case _ _",
        "4 dem _ DET _ _ 5 det _ _",
        "5 See _ NOUN _ _ 2 obl _ _",
        "5.1 leer _ _ _ _ _ _ _ _",
    ]
    (sentence,) = parse_conllu(row.replace(" ", "\t") for row in rows)
    tree = token_tree(sentence)
    assert tree.forms == ("wir", "gehen", "zum", "See")
    assert tree.heads == (2, 0, 4, 2)
    assert tree.upos == ("PRON", "VERB", "ADP", "NOUN")


# ------------------------------------------------------------------- sentences


TREE = ConstituencyTree.parse("(S (NP (DT a) (JJ red) (NN kite)) (VP (VBD rose)))")
EMPTY = ConstituencyTree.parse("()")


def test_words_are_those_of_the_text():
    (one,) = sentence_parts([TREE], ["A red kite rose"])
    assert one == SentenceParts("1", ("A", "red", "kite", "rose"), ((0, 1, 2, 3),))


def test_a_sentence_without_a_tree_has_no_parts():
    first, second = sentence_parts(
        [EMPTY, TREE], ["three plain words", "a red kite rose"]
    )
    assert first == SentenceParts("1", ("three", "plain", "words"), ())
    assert second.sentence == "2"


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["a red kite"], r"sentence 1 \(tree at line 1\) has 3 words, its tree 4"),
        (["we saw the kite"], "its tree has 'a red kite rose'"),
        ([], "only 0 texts, but more trees"),
        (["a red kite rose", "more"], "only 1 trees, but more texts"),
    ],
)
def test_trees_of_other_texts_are_rejected(texts, message):
    with pytest.raises(InputError, match=message):
        list(sentence_parts([TREE], texts))


@pytest.mark.parametrize(
    ("words", "parts", "message"),
    [
        (("a", "b"), ((),), "outside its 2 words"),
        (("a", "b"), ((0, 2),), "outside its 2 words"),
        (("a", "b"), ((-1, 0),), "outside its 2 words"),
        (("a", "b"), ((1, 0),), "is out of order"),
        (("a", "b"), ((0,), (0,)), "has the same part twice"),
        (("a b",), (), "'a b' of sentence 7 is empty or has a space"),
        (("",), (), "is empty"),
    ],
)
def test_parts_must_fit_their_sentence(words, parts, message):
    with pytest.raises(InputError, match=message):
        SentenceParts("7", words, parts)


def test_counts_of_nothing_are_undefined():
    counts = ExtractionCounts.of([])
    assert (counts.parts, counts.coverage) == (0, None)
    assert counts.parts_per_sentence is None


def test_counts():
    sentences = sentence_parts([TREE, EMPTY], ["a red kite rose", "x"], max_length=3)
    counts = ExtractionCounts.of(sentences)
    assert counts == ExtractionCounts(2, 5, 1, 3, {3: 1})
    assert (counts.parts_per_sentence, counts.coverage) == (0.5, 0.6)
