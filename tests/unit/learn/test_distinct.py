# SPDX-License-Identifier: Apache-2.0
"""Distinct texts, numbered and sorted without holding them."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.data.kept import keep_on_disk
from tertium.learn.distinct import Distinct, digests, distinct, sorted_texts

PAIRS = st.lists(st.tuples(st.text("a\0b", max_size=3), st.text("a\0b", max_size=3)))


@given(st.lists(PAIRS, max_size=3), st.integers(1, 4))
def test_numbers_are_those_of_a_dictionary(parts, at_once):
    known: dict[tuple[str, str], int] = {}
    numbered = Distinct()
    with patch("tertium.learn.distinct._AT_ONCE", at_once):
        for part in parts:
            expected = [known.setdefault(pair, len(known)) for pair in part]
            assert numbered.add(digests(part)).tolist() == expected
            assert len(numbered) == len(known)
            assert list(distinct(part, digests(part))) == list(dict.fromkeys(part))


@given(st.lists(st.text(max_size=3)), st.integers(1, 5))
def test_texts_sorted_on_disk_are_those_sorted_in_memory(texts, at_once):
    with patch("tertium.learn.distinct._AT_ONCE", at_once):
        assert list(sorted_texts(texts)) == sorted(set(texts))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"pairs": "ratings", "learner": "svm", "scaling": "isotonic"},
        {"profile": "beer-3.0", "valid": "none"},
    ],
)
@pytest.mark.parametrize("size", [7, 59])
def test_texts_on_disk_train_the_same_model(demo, options, size):
    """Chunks of any size give the model of the whole test set, bit by bit."""
    held = tertium.train(demo, "demo", metrics=["chrf"], **options)
    kept = keep_on_disk(demo.chunks(size))
    streamed = tertium.train(kept, "demo", metrics=["chrf"], **options)
    assert streamed.model.to_json() == held.model.to_json()
    assert streamed.to_dict() == held.to_dict()
