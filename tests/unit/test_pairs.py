# SPDX-License-Identifier: Apache-2.0
"""Texts with layers, and batches of aligned pairs."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import tertium
from tertium import _core
from tertium.align import Aligner, Link
from tertium.data.annotated import Annotated, layer
from tertium.data.batch import Batch


def test_lower_case_is_that_of_python() -> None:
    # Every character, next to letters: some change with their neighbours.
    chars = [chr(c) for c in range(0x30000) if not 0xD800 <= c < 0xE000]
    texts = [f"A{c}B {c}" for c in chars] + ["ÀÉ×Þß “Quoted” ÿ…", "ΑΣ ΣΑ Σ"]
    pairs = _core.Pairs([texts], [["x"]] * len(texts), "none", lowercase=True)
    for i, text in enumerate(texts):
        assert pairs.hyp(0, i) == text.lower().split()


def test_an_annotated_text_is_its_text():
    text = Annotated("a b", {"permutation": (2, 1)})
    assert text == "a b"
    assert hash(text) == hash("a b")
    assert text.split() == ["a", "b"]
    assert layer(text, "permutation") == (2, 1)
    assert layer(text, "tree") is None
    assert layer("a b", "permutation") is None


def test_an_annotated_text_can_be_pickled():
    text = pickle.loads(pickle.dumps(Annotated("a b", {"permutation": (2, 1)})))
    assert text == "a b"
    assert layer(text, "permutation") == (2, 1)


def test_pairs_keep_words_and_matches():
    pairs = _core.Pairs([["b a"], [["c d", "e"]]], [["a b", ["a", "x y"]]], "none")
    assert (pairs.systems, pairs.segments) == (2, 1)
    assert pairs.words == ["a", "b", "x y", "c d", "e"]
    assert pairs.hyp(1, 0) == ["c d", "e"]
    assert pairs.ref(0, 1) == ["a", "x y"]
    pairs.set_matches(0, 0, 1, [(1, 1, 0, 2, 3, 0.5), (0, 1, 1, 1, 0, 1.0)])
    assert pairs.matches(0, 0, 1) == [(0, 1, 1, 1, 0, 1.0), (1, 1, 0, 2, 3, 0.5)]


def test_matches_and_trees_outside_their_texts_are_refused():
    pairs = _core.Pairs([["b a"]], [["a b"]], "none")
    for match in (2, 1, 0, 1), (0, 3, 0, 1), (0, 1, 2, 1), (0, 0, 0, 1), (0, 1, 1, 2):
        with pytest.raises(IndexError, match="outside"):
            pairs.set_matches(0, 0, 0, [(*match, 0, 1.0)])
    with pytest.raises(IndexError, match="no such pair"):
        pairs.set_matches(0, 1, 0, [])
    with pytest.raises(ValueError, match="one tree a text"):
        pairs.set_trees([([0, 1], [0, 0])])
    with pytest.raises(ValueError, match="one head a word"):
        pairs.set_trees([([0], [0]), ([0, 1], [0, 0])])
    with pytest.raises(ValueError, match=r"word 2 .* has head 3"):
        pairs.set_trees([([0, 3], [0, 0]), ([0, 1], [0, 0])])


def test_segments_without_references_and_other_lengths_are_refused():
    with pytest.raises(ValueError, match="segment 1 has no reference"):
        _core.Pairs([["a", "b"]], [["a"], []], "none")
    with pytest.raises(ValueError, match="as many references"):
        _core.Pairs([["a", "b"]], [["a"]], "none")
    with pytest.raises(TypeError, match="hypothesis 0 is of type int"):
        _core.Pairs([[[3]]], [["a"]], "none")


def test_equal_texts_with_other_links_are_aligned_anew():
    aligner = Aligner()
    straight = Annotated("a b", {"links": ((Link(0, 0), Link(1, 1)),)})
    crossed = Annotated("a b", {"links": ((Link(0, 1), Link(1, 0)),)})
    for text, expected in (straight, [0, 1]), (crossed, [1, 0]):
        pairs = aligner.pairs([[text]], [["a b"]])
        assert [match[2] for match in pairs.matches(0, 0, 0)] == expected


def test_of_several_references_the_best_counts():
    metric = tertium.metric("aligned-percentage")
    hyps, refs = ["a b c d"], [["x", "a b c e", "a y"]]
    assert metric.segment_scores(hyps, refs) == [0.75]
    pairs = metric.pairs(Batch([hyps], refs))
    rows = metric.make_kernel().reference_rows(pairs, 0)[0]
    expected = [0, 6 / 8, 2 / 6]
    assert np.allclose(metric.from_statistics(rows), expected)
