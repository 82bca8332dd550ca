# SPDX-License-Identifier: Apache-2.0
"""Orders without learning."""

from __future__ import annotations

from itertools import islice

import pytest

from tertium.errors import InputError
from tertium.preorder import baseline_orders, head_final_order
from tertium.trees import DependencyTree, read_conllu


def head_final(*rows: str) -> str:
    """Reorder a tree written as ``form head relation`` lines."""
    forms, heads, relations = zip(*(row.split() for row in rows), strict=True)
    tree = DependencyTree(forms, tuple(map(int, heads)), relations)
    return " ".join(forms[word] for word in head_final_order(tree))


def test_heads_follow_their_dependents_and_markers_their_phrase():
    rows = "He 2 nsubj", "said 0 root", "that 6 mark", "she 6 nsubj", "has 6 aux"
    rows += "eaten 2 ccomp", "the 8 det", "cake 6 obj", "from 11 case", "a 11 det"
    rows += "box 8 nmod", ". 2 punct"
    expected = "He she the a box from cake eaten has that said ."
    assert head_final(*rows) == expected


def test_auxiliaries_are_mirrored_and_negation_follows_the_verb():
    rows = "It 5 nsubj", "has 5 aux", "not 5 advmod", "been 5 aux", "eaten 0 root"
    assert head_final(*rows) == "It eaten not been has"


def test_conjuncts_keep_their_order():
    rows = "Cats 5 nsubj", "and 3 cc", "dogs 1 conj", "will 5 aux", "eat 0 root"
    rows += "fish 5 obj", "or 8 cc", "sleep 5 conj", "! 5 punct"
    assert head_final(*rows) == "Cats and dogs fish eat or sleep will !"


def test_names_stay_together_before_their_adposition():
    rows = "I 2 nsubj", "met 0 root", "Ada 2 obj", "Lovelace 3 flat", "in 6 case"
    rows += ("Rome 2 obl",)
    assert head_final(*rows) == "I Ada Lovelace Rome in met"


def test_inner_punctuation_follows_the_phrase_before_it():
    rows = "( 3 punct", "Today 3 obl", "come 0 root", ", 5 punct", "sir 3 vocative"
    rows += (") 3 punct",)
    assert head_final(*rows) == "( Today , sir come )"


def test_several_roots_keep_their_order_and_chains_may_be_long():
    assert head_final_order(DependencyTree(("a", "b"), (0, 0), ("root",) * 2)) == (0, 1)
    long = DependencyTree.flat(["w"] * 3000)
    assert head_final_order(long) == tuple(range(3000))[::-1]
    assert head_final_order(DependencyTree((), (), ())) == ()


def test_simple_baselines():
    sentences = [["a", "b", "c"], []]
    assert baseline_orders(sentences, "identity") == [(0, 1, 2), ()]
    assert baseline_orders(sentences, "reverse") == [(2, 1, 0), ()]


def test_trees_must_fit_the_sentences():
    tree = DependencyTree.flat(["a", "b"])
    assert baseline_orders([["a", "b"]], "head-final", trees=[tree]) == [(1, 0)]
    with pytest.raises(InputError, match="sentence 0 has 1 words, its tree 2"):
        baseline_orders([["a"]], "head-final", trees=[tree])
    with pytest.raises(InputError, match="0 trees for 1 sentences"):
        baseline_orders([["a"]], "head-final", trees=[])


@pytest.mark.wmt
def test_trees_of_a_treebank_become_orders(wmt_data):
    for block in islice(read_conllu(wmt_data / "ud" / "en_pud.conllu.gz"), 200):
        tree = block.tree
        order = head_final_order(tree)
        assert sorted(order) == list(range(len(tree)))
        words = [i for i in order if tree.deprels[i] in ("obj", "root")]
        objects = [i for i in words[:-1] if tree.heads[i] == tree.roots[0]]
        root = words.index(tree.roots[0] - 1)
        assert all(words.index(i) < root for i in objects)
