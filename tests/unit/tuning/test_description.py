# SPDX-License-Identifier: Apache-2.0
"""What n-best lists are like."""

from __future__ import annotations

import json

import numpy as np
import pytest

import tertium
from tertium.errors import InputError
from tertium.tuning.description import describe
from tertium.tuning.lists import NBestList


def listed(name, texts, values, **more):
    features = np.column_stack([values, np.ones(len(texts))])
    return NBestList(name, texts, ("lm", "one"), features, **more)


LISTS = [
    listed(
        "0", ["a b", "a b", "a c d"], [1e9 + 1, 1e9 + 1, 1e9 + 4], references=("a b",)
    ),
    listed("1", ["x"], [1e9 + 2], references=("x y z", "x"), scores=np.zeros(1)),
]


def test_hypotheses_texts_and_duplicates_are_counted():
    result = describe(LISTS)
    assert (result.lists, result.hypotheses, result.distinct) == (2, 4, 3)
    assert result.duplicates == 1
    assert (result.size_min, result.size_mean, result.size_max) == (1, 2, 3)
    assert result.words == 2
    assert (result.references, result.scored) == (2, 1)


def test_lengths_are_compared_with_the_mean_of_references():
    result = describe(LISTS)
    assert result.length_ratio == pytest.approx(8 / (3 * 2 + 2))
    assert result.first_length_ratio == pytest.approx(3 / 4)
    bare = [NBestList("0", ["a"], (), np.zeros((1, 0)))]
    assert describe(bare).length_ratio is None


def test_distinct_ngrams_are_means_of_lists():
    result = describe(LISTS)
    # a b a b a c d has 4 different words of 7; x is one of one.
    assert result.distinct_ngrams[0] == pytest.approx((4 / 7 + 1) / 2)
    assert result.distinct_ngrams[1] == pytest.approx((3 / 4 + 0) / 2)
    assert result.distinct_ngrams[3] == 0


def test_similarity_is_the_chrf_of_sampled_pairs():
    texts = ["the cat sat", "the dog sat"]
    both = [listed("0", texts, [0.0, 0.0])]
    result = describe(both, pairs=5)
    scores = tertium.metric("chrf").segment_scores(texts, texts[::-1])
    assert min(scores) <= result.similarity <= max(scores)
    assert result.pairs == 5
    assert describe(both, seed=1) == describe(both, seed=1, threads=1)
    assert describe(LISTS[1:]).similarity is None


def test_features_that_never_vary_are_seen():
    first, second = describe(LISTS).features
    assert (first.name, first.low, first.high) == ("lm", 1e9 + 1, 1e9 + 4)
    assert first.mean == pytest.approx(1e9 + 2, abs=1e-6)
    assert first.deviation == pytest.approx(np.std([1, 1, 4, 2]))
    assert (first.varying, second.varying, second.deviation) == (0.5, 0.0, 0.0)


def test_lists_may_be_a_stream():
    seen = []
    result = describe(iter(LISTS), progress=lambda *args: seen.append(args))
    assert result == describe(LISTS)
    assert seen == [("lists", 1, None), ("lists", 2, None)]
    with pytest.raises(InputError, match="no n-best lists"):
        describe([])


def test_json_has_every_figure():
    result = json.loads(describe(LISTS).to_json())
    assert result["features"][0]["name"] == "lm"
    assert result["oracle"] is None
