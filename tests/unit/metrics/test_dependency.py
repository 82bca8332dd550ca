# SPDX-License-Identifier: Apache-2.0
"""Headword chains and the overlap of arcs against their twins."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from oracles import dependencies as oracle
from tertium.data.annotated import Annotated
from tertium.trees import DependencyTree


@st.composite
def trees(draw):
    size = draw(st.integers(0, 8))
    order = draw(st.permutations(range(size)))
    heads = [0] * size
    for place in range(1, size):
        heads[order[place]] = order[draw(st.integers(0, place - 1))] + 1
    words, labels = (
        draw(st.lists(st.sampled_from(symbols), min_size=size, max_size=size))
        for symbols in ("abc", "XY")
    )
    return DependencyTree(tuple(words), tuple(heads), tuple(labels))


def text(tree):
    return Annotated(" ".join(tree.forms), {"tree": tree})


def score(spec, hyp, ref):
    return tertium.metric(spec).corpus_score([text(hyp)], [text(ref)], threads=1)


@given(trees(), trees(), st.integers(1, 6))
def test_headword_chains(hyp, ref, longest):
    expected = oracle.headword_chain(hyp, ref, longest)
    result = score(f"headword-chain:max_length={longest}", hyp, ref)
    assert result == pytest.approx(expected)


@given(trees(), trees())
def test_flat_chains_are_ngrams(hyp, ref):
    def precision(n):
        one, other = (
            Counter(zip(*(t.forms[i:] for i in range(n)), strict=False))
            for t in (hyp, ref)
        )
        return (one & other).total() / one.total() if one else 0.0

    expected = sum(map(precision, range(1, 5))) / 4
    assert score("headword-chain:flat=yes", hyp, ref) == pytest.approx(expected)


@given(trees(), trees(), st.sampled_from(["labelled", "unlabelled", "words"]))
def test_arcs(hyp, ref, arcs):
    shared, one, other = oracle.overlap(hyp, ref, arcs)
    p, r = shared / max(one, 1), shared / max(other, 1)
    for kind, expected in (
        ("precision", p),
        ("recall", r),
        ("f", 2 * p * r / (p + r) if shared else 0.0),
        ("mean", (p + r) / 2),
    ):
        spec = f"dependency-f:arcs={arcs},score={kind}"
        assert score(spec, hyp, ref) == pytest.approx(expected), kind


def test_counts_add_up_over_segments():
    metric = tertium.metric("dependency-f:flat=yes")
    hyps, refs = ["a b c", "d"], ["a b", "d e f"]
    rows = metric.statistics(hyps, refs)
    assert rows.tolist() == [[2, 3, 2], [1, 1, 3]]
    assert metric.corpus_score(hyps, refs) == pytest.approx(2 * 3 / 9)


def test_a_worked_example():
    """The cat is the subject in one and the object in the other."""
    hyp = DependencyTree(("dogs", "see", "cats"), (2, 0, 2), ("nsubj", "root", "obj"))
    ref = DependencyTree(("cats", "see", "dogs"), (2, 0, 2), ("nsubj", "root", "obj"))
    assert score("dependency-f", hyp, ref) == pytest.approx(1 / 3)
    assert score("dependency-f:arcs=unlabelled", hyp, ref) == 1.0
    # Three words, two chains see-cats and see-dogs, no longer ones.
    assert score("headword-chain", hyp, ref) == 0.5
    assert score("headword-chain:max_length=2", hyp, ref) == 1.0
