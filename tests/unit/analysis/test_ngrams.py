# SPDX-License-Identifier: Apache-2.0
"""N-grams that one system gets right more often."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from oracles.word_matches import ngram_matches
from tertium.analysis.ngrams import LONGEST, ngram_gains
from tertium.analysis.words import Vocabulary, split

words = st.lists(st.sampled_from(list("abcd")), max_size=8).map(" ".join)


def gains(refs, first, second, **options):
    vocabulary = Vocabulary()
    columns = [vocabulary.column(texts) for texts in (refs, first, second)]
    return ngram_gains(columns[0], tuple(columns[1:]), vocabulary, **options)


@given(
    st.lists(st.tuples(words, words, words), max_size=8), st.sampled_from([0.5, 1.0])
)
def test_gains_equal_the_oracle(segments, alpha):
    refs, first, second = ([one[i] for one in segments] for i in range(3))
    sides = gains(refs, first, second, alpha=alpha, most=10**6)
    texts = [[split(text) for text in column] for column in (refs, first, second)]
    expected = {}
    for n in range(1, LONGEST + 1):
        a, b = (ngram_matches(texts[0], texts[side], n) for side in (1, 2))
        for gram in a | b:
            if a[gram] != b[gram]:
                expected[gram] = (a[gram], b[gram])
    listed = {gain.words: gain for side in sides for gain in side}
    assert all(expected[gram] == gain.matches for gram, gain in listed.items())
    for gram in expected.keys() - listed.keys():  # said by a longer one
        assert any(
            expected[gram] == gain.matches
            and any(other[i : i + len(gram)] == gram for i in range(len(other)))
            for other, gain in listed.items()
            if len(other) > len(gram)
        )
    for gain in listed.values():
        a, b = gain.matches
        assert gain.share == (a + alpha) / (a + b + 2 * alpha)
    for side, sign in zip(sides, (-1, 1), strict=True):
        shares = [sign * gain.share for gain in side]
        assert shares == sorted(shares)
        assert all(share < sign * 0.5 for share in shares)


def test_systems_exchanged_exchange_the_sides():
    refs = ["the cat sat on the mat", "a dog ran"] * 3
    good, bad = refs, ["the cat", "a dog ran"] * 3
    first, second = gains(refs, good, bad)
    again, other = gains(refs, bad, good)
    assert [g.words for g in first] == [g.words for g in other]
    assert second == again == []


def test_examples_are_where_only_the_better_system_is_right():
    refs = ["x y", "x z", "x"]
    (gain, *_), _ = gains(refs, ["x", "x", "x"], ["x", "q", "q"])
    assert gain.words == ("x",)
    assert gain.matches == (3, 1)
    assert gain.references == 3
    assert gain.segments == (1, 2)
    assert gain.to_dict()["segments"] == [2, 3]


def test_identical_systems_gain_nothing():
    refs = ["the cat", "sat"]
    assert gains(refs, refs, refs) == ([], [])
    assert gains([""], [""], [""]) == ([], [])


def test_rarely_seen_words_stay_close_to_one_half():
    refs = ["often"] * 20 + ["once"]
    (first, second), _ = gains(refs, refs, ["no"] * 21)
    assert (first.words, second.words) == (("often",), ("once",))
    assert first.share > second.share == 2 / 3
