# SPDX-License-Identifier: Apache-2.0
"""Penn brackets, well formed and not."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import parts as oracle
from tertium.errors import FormatError, InputError
from tertium.trees import ConstituencyTree, Constituent, parse_brackets, read_brackets


def words(*lines: str) -> list[tuple[str, ...]]:
    return [tree.words for tree in parse_brackets(lines)]


def test_trees_may_share_a_line_or_take_several():
    lines = ["(A (B x)) (C y", "", "  z)"]
    assert words(*lines) == [("x",), ("y", "z")]
    assert [tree.line for tree in parse_brackets(lines)] == [1, 1]


def test_the_outer_bracket_of_the_treebank_has_no_label():
    tree = ConstituencyTree.parse("( (S (NP (NNS Owls)) (VP (VBP hoot)) (. .)) )")
    assert tree.words == ("Owls", "hoot", ".")
    assert tree.nodes[:2] == (Constituent("", 0, 3), Constituent("S", 0, 3))


def test_escapes_are_undone_and_traces_are_no_words():
    text = r"(S (NP (-NONE- *T*-1)) (VP (VB a\/b) (-LRB- -LRB-) (NN c) (-RRB- -RRB-)))"
    tree = ConstituencyTree.parse(text)
    assert tree.words == ("a/b", "(", "c", ")")
    assert "NP" not in [node.label for node in tree.nodes]


@pytest.mark.parametrize("text", ["()", "(())", "( ( ) )", "(S (-NONE- 0))"])
def test_what_could_not_be_parsed_is_a_tree_without_words(text):
    tree = ConstituencyTree.parse(text)
    assert (tree.words, tree.nodes, len(tree)) == ((), (), 0)


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        (["(A x)", "(B y))"], 2, "has no opening one"),
        (["(A x)", "", "some plain text"], 3, "'some' is outside all brackets"),
        (["# text = x", "1\tx"], 1, r"looks like CoNLL-U"),
        (["(A x)", "(B (C y)", "(D z)"], 2, "lacks 1 closing bracket at the end"),
        (["(A", "(B (C y"], 1, "lacks 3 closing brackets"),
        (["(A x", " (B) y)"], 2, r"\(B\) has a label but no word"),
    ],
)
def test_errors_have_file_and_line(lines, line, message, tmp_path):
    path = tmp_path / "a.mrg"
    path.write_text("\n".join(lines))
    with pytest.raises(FormatError, match=message) as caught:
        list(read_brackets(path))
    assert caught.value.line == line
    assert str(path) in str(caught.value)


def test_compressed_files_are_read(tmp_path):
    path = tmp_path / "a.trees.gz"
    path.write_bytes(gzip.compress("(A ž)\n(B y)\n".encode()))
    assert [tree.words for tree in read_brackets(path)] == [("ž",), ("y",)]


def test_no_depth_is_too_deep():
    tree = ConstituencyTree.parse("(X " * 50_000 + "w" + ")" * 50_000)
    assert tree.words == ("w",)
    assert len(tree.nodes) == 50_001
    assert tree == ConstituencyTree(tree.words, tree.nodes)


def test_one_tree_is_one_tree():
    for text in ("", "(A x) (B y)"):
        with pytest.raises(InputError, match="trees; give one"):
            ConstituencyTree.parse(text)


@pytest.mark.parametrize(
    "nodes",
    [
        [("A", 0, 0)],
        [("A", 0, 4)],
        [("A", -1, 1)],
        [("A", 0, 2), ("B", 1, 3)],
        [("A", 1, 2), ("B", 0, 1)],
    ],
)
def test_nodes_must_form_a_tree(nodes):
    with pytest.raises(InputError, match="does not fit into the tree"):
        ConstituencyTree(("a", "b", "c"), tuple(Constituent(*node) for node in nodes))


@given(st.text("()ab \n\t-", max_size=30))
def test_any_text_is_trees_or_a_fault_with_its_line(text):
    lines = text.split("\n")
    fault = None
    trees = []
    try:
        trees = list(parse_brackets(lines, name="x"))
    except FormatError as error:
        fault = error
    if fault is not None:
        assert fault.path == "x"
        assert 1 <= fault.line <= len(lines)
        return
    assert text.count("(") == text.count(")")
    assert all(node.end <= len(tree) for tree in trees for node in tree.nodes)
    # Every word is a node of its own, in order.
    for tree in trees:
        starts = [node.start for node in tree.nodes if node.end - node.start == 1]
        assert sorted(set(starts)) == list(range(len(tree)))


NESTED = st.recursive(
    st.sampled_from("abc"), lambda below: st.lists(below, min_size=1, max_size=4)
)


@given(NESTED)
def test_words_and_phrases_are_those_of_the_text(nested):
    text = oracle.brackets(nested)
    tree = ConstituencyTree.parse(text)
    assert list(tree.words) == oracle.leaves(nested)
    assert len([node for node in tree.nodes if node.label]) == text.count("(")
