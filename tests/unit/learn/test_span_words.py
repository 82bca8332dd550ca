# SPDX-License-Identifier: Apache-2.0
"""Arrays over words of a batch, against obvious versions word by word."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.learn.spans.logistic import fit_logistic
from tertium.learn.spans.words import (
    around,
    flat_words,
    neighbour,
    run_lengths,
    similarity,
    window_share,
)

WORDS = st.lists(st.lists(st.sampled_from("abc"), max_size=6), min_size=1, max_size=4)


def flagged(texts, choose):
    return np.array([choose(word) for text in texts for word in text], bool)


@given(WORDS, st.integers(-3, 3))
def test_neighbours_stay_within_their_text(texts, step):
    text = flat_words(texts, {})
    expected = [
        0 <= i + step < len(words) and words[i + step] == "a"
        for words in texts
        for i in range(len(words))
    ]
    flags = flagged(texts, lambda word: word == "a")
    assert neighbour(flags, text, step).tolist() == expected


@given(WORDS)
def test_runs_are_as_long_as_adjacent_flags(texts):
    expected = []
    for words in texts:
        for i in range(len(words)):
            low = high = i
            while low >= 0 and words[low] == "a":
                low -= 1
            while high < len(words) and words[high] == "a":
                high += 1
            expected.append(high - low - 1 if words[i] == "a" else 0)
    flags = flagged(texts, lambda word: word == "a")
    assert run_lengths(flags, flat_words(texts, {})).tolist() == expected


@given(WORDS, st.integers(0, 3))
def test_windows_are_cut_at_the_ends(texts, size):
    expected = []
    for words in texts:
        for i in range(len(words)):
            part = words[max(0, i - size) : i + size + 1]
            expected.append(part.count("a") / len(part))
    flags = flagged(texts, lambda word: word == "a")
    share = window_share(flags, flat_words(texts, {}), size)
    assert share.tolist() == pytest.approx(expected)


@given(
    st.lists(
        st.tuples(st.lists(st.integers(-1, 5), max_size=6), st.integers(6, 9)),
        min_size=1,
        max_size=3,
    )
)
def test_gaps_lie_between_the_nearest_links(columns):
    expected = []
    for links, length in columns:
        for i in range(len(links)):
            before = [link for link in links[:i] if link >= 0]
            after = [link for link in links[i + 1 :] if link >= 0]
            low = before[-1] if before else -1
            high = after[0] if after else length
            expected.append(max(0, high - low - 1))
    text = flat_words([["w"] * len(links) for links, _ in columns], {})
    flat = np.array([link for links, _ in columns for link in links], np.int64)
    lengths = np.array([length for _, length in columns], np.int64)
    assert around(flat, text, lengths).tolist() == expected


@given(
    st.lists(st.text("abAB", min_size=1, max_size=4), min_size=1, max_size=4),
    st.lists(st.text("abAB", min_size=1, max_size=4), max_size=4),
)
def test_similarity_is_the_best_dice_coefficient(hyp, ref):
    def pairs(word):
        word = f"\0{word.lower()}\0"
        return {word[i : i + 2] for i in range(len(word) - 1)}

    def dice(a, b):
        return 2 * len(pairs(a) & pairs(b)) / (len(pairs(a)) + len(pairs(b)))

    expected = [max((dice(a, b) for b in ref), default=0.0) for a in hyp]
    texts = flat_words([hyp], {}), flat_words([ref], {})
    every = [np.ones(len(text.words), bool) for text in texts]
    values = similarity(texts[0], every[0], texts[1], every[1])
    assert values.tolist() == pytest.approx(expected)


def test_logistic_regression_finds_the_weights_that_made_the_labels():
    generator = np.random.default_rng(1)
    features = generator.normal(size=(20_000, 2))
    chance = 1 / (1 + np.exp(-(0.5 + 2.0 * features[:, 0] - features[:, 1])))
    labels = generator.random(len(features)) < chance
    fitted = fit_logistic(features, labels)
    assert fitted.probabilities(features).mean() == pytest.approx(
        labels.mean(), abs=1e-3
    )
    weights = np.array(fitted.weights) / np.array(fitted.scales)
    assert weights.tolist() == pytest.approx([2.0, -1.0], abs=0.1)


def test_logistic_regression_stands_still_at_its_best():
    """The gradient of loss and penalty is zero there."""
    generator = np.random.default_rng(2)
    features = generator.normal(size=(200, 3))
    labels = generator.random(200) < 0.3
    fitted = fit_logistic(features, labels, regularisation=5.0)
    scaled = (features - fitted.means) / fitted.scales
    rest = fitted.probabilities(features) - labels
    gradient = scaled.T @ rest + 5.0 * np.array(fitted.weights)
    assert gradient.tolist() == pytest.approx([0, 0, 0], abs=1e-3)


def test_unknown_values_count_as_the_mean():
    features = np.array([[0.0], [1.0], [2.0], [np.nan]])
    fitted = fit_logistic(features, np.array([False, False, True, True]))
    assert fitted.means == (1.0,)
    unknown, mean = fitted.probabilities(np.array([[np.nan], [1.0]]))
    assert unknown == mean


def test_equal_labels_are_fitted():
    fitted = fit_logistic(np.array([[0.0], [1.0]]), np.array([True, True]))
    assert (fitted.probabilities(np.array([[0.0], [1.0]])) > 0.9).all()
