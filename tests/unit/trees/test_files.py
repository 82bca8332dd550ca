# SPDX-License-Identifier: Apache-2.0
"""Trees of files join the texts they belong to, or are rejected."""

from __future__ import annotations

import pytest

from tertium.data.annotated import Annotated, layer
from tertium.errors import InputError
from tertium.trees import DependencyTree, Sentence, write_conllu
from tertium.trees.files import texts_of, with_trees

TEXTS = ["A cat sat.", "", "It 's late"]


@pytest.fixture
def path(tmp_path):
    trees = [DependencyTree.flat(text.split()) for text in TEXTS]
    pairs = zip(trees, TEXTS, strict=True)
    path = tmp_path / "t.conllu"
    write_conllu(path, [Sentence.from_tree(tree, text=text) for tree, text in pairs])
    return path


def test_texts_get_their_trees_and_keep_other_layers(path):
    texts = [Annotated(TEXTS[0], {"permutation": (1,)}), *TEXTS[1:]]
    annotated = with_trees(texts, path)
    assert annotated == TEXTS
    assert layer(annotated[0], "tree").forms == ("A", "cat", "sat.")
    assert layer(annotated[0], "permutation") == (1,)
    assert len(layer(annotated[1], "tree")) == 0


def test_texts_come_from_the_file_too(path):
    assert texts_of(path) == TEXTS
    assert layer(texts_of(path)[2], "tree").forms == ("It", "'s", "late")


def test_case_spaces_and_marks_may_differ(path):
    assert len(with_trees(["a  CAT sat .", "", "it’s late"], path)) == 3


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (TEXTS[:2], r"for 3 segments, but there are only 2 .*extra block at line 8"),
        ([*TEXTS, "x"], r"for 3 segments, but there are more .*without a tree: 4\)"),
        (["", "It's late", "A cat sat."], r"t\.conllu:1: block 1 is 'A cat sat\.'"),
    ],
)
def test_trees_of_other_texts_are_rejected(path, texts, message):
    with pytest.raises(InputError, match=message):
        with_trees(texts, path)
