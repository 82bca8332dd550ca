# SPDX-License-Identifier: Apache-2.0
"""Links to permutations, against the slow twin and by its laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from oracles import links as oracle
from tertium.align import as_links, reduce_links, reduce_matches, to_matches
from tertium.align.reduce import KEEP, UNALIGNED

keeps, places = st.sampled_from(KEEP), st.sampled_from(UNALIGNED)


@st.composite
def alignments(draw):
    n = draw(st.integers(0, 8))
    word = st.integers(0, max(n - 1, 0))
    weight = st.sampled_from([0.25, 0.5, 1.0])
    pairs = draw(st.lists(st.tuples(word, st.integers(0, 6), weight), max_size=12))
    return n, as_links(pairs if n else [])


@given(alignments(), keeps, places)
def test_equals_the_slow_twin(alignment, keep, unaligned):
    n, links = alignment
    plain = [link[:3] for link in links]
    perm = reduce_links(links, n, keep=keep, unaligned=unaligned)
    assert perm == oracle.reduce(plain, n, keep, unaligned)


@given(alignments(), keeps, places)
def test_gives_a_permutation_of_the_words_that_are_left(alignment, keep, unaligned):
    n, links = alignment
    perm = reduce_links(links, n, keep=keep, unaligned=unaligned)
    size = len({link.hyp for link in links}) if unaligned == "drop" else n
    assert sorted(perm) == list(range(1, size + 1))


@given(alignments(), keeps, places)
def test_order_of_matches_does_not_matter(alignment, keep, unaligned):
    n, links = alignment
    settings = {"keep": keep, "unaligned": unaligned}
    forward, backward = to_matches(links), to_matches(links)[::-1]
    assert reduce_matches(forward, n, **settings) == reduce_matches(
        backward, n, **settings
    )


def test_without_links_drop_is_empty_and_attach_the_identity():
    assert reduce_links((), 3) == ()
    assert reduce_links((), 3, unaligned="left") == (1, 2, 3)
    assert reduce_links((), 3, unaligned="right") == (1, 2, 3)
    assert reduce_links((), 0, unaligned="right") == ()


def test_probable_takes_the_heaviest_link_and_the_leftmost_of_equals():
    links = as_links([(0, 0, 0.2), (0, 3, 0.9), (1, 1, 0.5), (1, 4, 0.5)])
    assert reduce_links(links, 2, keep="probable") == (2, 1)


def test_phrases_count_their_reference_words():
    # "a b" matches one word, "c" three; unaligned "x" in between.
    matches = [(3, 1, 0, 3, 0, 1.0), (0, 2, 3, 1, 0, 1.0)]
    assert reduce_matches(matches, 4) == (4, 1, 2, 3)
    assert reduce_matches(matches, 4, unaligned="left") == (4, 5, 1, 2, 3)
    assert reduce_matches(matches, 4, unaligned="right") == (5, 1, 2, 3, 4)


def test_a_word_after_a_phrase_follows_its_last_word():
    matches = [(0, 1, 0, 2, 0, 1.0), (2, 1, 2, 1, 0, 1.0)]
    assert reduce_matches(matches, 3, unaligned="left") == (1, 2, 3, 4)
    assert reduce_matches(matches, 3, unaligned="right") == (1, 2, 3, 4)
    assert reduce_matches([(1, 1, 4, 2, 0, 1.0)], 3, unaligned="right") == (1, 2, 3, 4)


def test_wrong_settings_and_links_are_rejected():
    links = as_links([(2, 0)])
    with pytest.raises(tertium.InputError, match="first text, which has 2 words"):
        reduce_links(links, 2)
    with pytest.raises(tertium.UnknownNameError, match="did you mean leftmost"):
        reduce_links(links, 3, keep="left-most")
    with pytest.raises(tertium.UnknownNameError, match="did you mean drop"):
        reduce_links(links, 3, unaligned="dropp")
    with pytest.raises(tertium.InputError, match="covers words 1 to 2"):
        reduce_matches([(1, 2, 0, 1, 0, 1.0)], 2)
    with pytest.raises(tertium.InputError, match="is not a match"):
        reduce_matches([(0, 0, 0, 1, 0, 1.0)], 2)
