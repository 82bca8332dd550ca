# SPDX-License-Identifier: Apache-2.0
"""Shards of a corpus add up to the corpus, wherever their forests are built."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.preorder.grammar import shards
from tertium.preorder.grammar.corpus import ForestCorpus, UnitCorpus, learn_terminals
from tertium.preorder.grammar.estimates import chart_estimate
from tertium.preorder.grammar.shards import ForestShards
from tertium.preorder.grammar.terminals import Lexicon

SHAPE = {"variant": "itg", "attach": "right", "height": "low", "threads": 1}


@st.composite
def corpora(draw):
    """Draw sentences of a few words, and links to any order of them."""
    sentences, links = [], []
    for _ in range(draw(st.integers(1, 9))):
        words = draw(st.lists(st.sampled_from("abc"), min_size=2, max_size=5))
        order = draw(st.permutations(range(len(words))))
        sentences.append(words)
        links.append(list(enumerate(order)))
    return UnitCorpus.of(sentences, links, max_words=50)


@given(corpus=corpora(), size=st.integers(1, 4))
def test_shards_add_up_to_the_corpus(corpus, size):
    terminals = learn_terminals(corpus, unknown=0, suffixes=0)
    lexicon = Lexicon(terminals)
    whole = ForestCorpus(corpus, lexicon, **SHAPE)
    parts = ForestShards(corpus, lexicon, **SHAPE, sentences=size)
    assert (len(parts), parts.units) == (len(whole.forests), whole.forests.units)
    assert parts.omitted == whole.omitted
    for ours, expected in zip(
        parts.chart_counts(), whole.forests.chart_counts(), strict=True
    ):
        np.testing.assert_allclose(ours, expected, rtol=1e-12)
    if not len(parts):
        return
    estimate = chart_estimate(parts.operators, parts, len(terminals))
    kernel = estimate.kernel()
    counted = zip(parts.expect(estimate), whole.forests.expect(kernel, 1), strict=True)
    for ours, expected in counted:
        np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-300)
    logs = parts.log_probabilities(estimate)
    np.testing.assert_array_equal(logs, whole.forests.log_probabilities(kernel, 1))


@given(corpus=corpora())
def test_one_shard_has_the_bits_of_the_corpus(corpus):
    terminals = learn_terminals(corpus, unknown=0, suffixes=0)
    lexicon = Lexicon(terminals)
    whole = ForestCorpus(corpus, lexicon, **SHAPE).forests
    parts = ForestShards(corpus, lexicon, **SHAPE)
    if not len(parts):
        return
    estimate = chart_estimate(parts.operators, parts, len(terminals))
    ours, expected = parts.expect(estimate), whole.expect(estimate.kernel(), 1)
    for one, other in zip(ours, expected, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.fixture
def many(monkeypatch):
    """Return more shards than a worker keeps, and forget those of other tests."""
    monkeypatch.setattr(shards, "_KEPT", 2)
    shards._kept.clear()
    words = [["a", "b", *"c" * n] for n in range(1, 4)]
    links = [[(i, len(text) - 1 - i) for i in range(len(text))] for text in words]
    corpus = UnitCorpus.of(words, links, max_words=50)
    lexicon = Lexicon(learn_terminals(corpus, unknown=0, suffixes=0))
    return ForestShards(corpus, lexicon, **SHAPE, sentences=1)._shards


def test_a_worker_keeps_the_last_forests(many):
    def send(shard):
        return pickle.loads(pickle.dumps(shard)).forests

    first = send(many[0])
    assert send(many[0]) is first
    send(many[1])
    assert send(many[0]) is first
    send(many[1]), send(many[2])
    assert len(shards._kept) == 2
    again = send(many[0])
    assert again is not first
    assert again.units == first.units == many[0].forests.units
