# SPDX-License-Identifier: Apache-2.0
"""Character edit distances of many pairs of texts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.edits import levenshtein
from tertium import _core
from tertium.judgements.reuse.distances import Distances

TEXTS = st.text("ab äß日\U0001f600", max_size=12)


@settings(max_examples=40)
@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=8), st.integers(1, 3))
def test_distances_equal_the_oracle(pairs, threads):
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    expected = [levenshtein(a, b) for a, b in pairs]
    assert _core.text_distances(first, second, threads) == expected


def test_distances_of_prepared_pairs_are_the_same():
    distances = Distances()
    distances.prepare([("a cat", "a hat"), ("b", "b")])
    assert (distances("a hat", "a cat"), distances("b", "b")) == (1, 0)


def test_lists_of_different_lengths_are_rejected():
    with pytest.raises(ValueError, match="as many first as second"):
        _core.text_distances(["a"], [], 1)
