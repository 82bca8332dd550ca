# SPDX-License-Identifier: Apache-2.0
"""Word classes, against likelihoods counted from the text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import word_classes as oracle
from tertium.errors import InputError
from tertium.preorder.classes import word_classes

texts = st.lists(
    st.lists(st.sampled_from("abcdefg"), max_size=6), min_size=1, max_size=8
)


@given(texts, st.integers(1, 4), st.integers(0, 99))
@settings(max_examples=40)
def test_the_likelihood_is_that_of_the_text_and_never_falls(text, number, seed):
    result = word_classes(text, classes=number, seed=seed)
    expected = oracle.log_likelihood(text, result.classes)
    assert result.log_likelihoods[-1] == pytest.approx(expected, abs=1e-9)
    assert all(b >= a - 1e-9 for a, b in pairwise(result.log_likelihoods))


@given(texts, st.integers(1, 4), st.integers(0, 99))
@settings(max_examples=40)
def test_no_single_move_improves_the_result(text, number, seed):
    result = word_classes(text, classes=number, iterations=50, seed=seed)
    for word in result.classes:
        best = oracle.best_move(text, result.classes, word, number)
        assert best == pytest.approx(result.log_likelihoods[-1], abs=1e-6)


def test_classes_do_not_depend_on_the_order_of_sentences():
    text = [line.split() for line in ("a b c", "c b a", "b a d", "d d", "e a")]
    assert word_classes(text, classes=3) == word_classes(text[::-1], classes=3)


def test_an_empty_text_has_no_classes():
    assert word_classes([], classes=3).members() == []
    assert word_classes([[]], classes=3).classes == {}


@pytest.mark.parametrize("options", [{"classes": 0}, {"iterations": -1}])
def test_impossible_settings_are_rejected(options):
    with pytest.raises(InputError, match="too few"):
        word_classes([["a"]], **options)
