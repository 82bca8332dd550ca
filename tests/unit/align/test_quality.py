# SPDX-License-Identifier: Apache-2.0
"""Precision, recall, F and alignment error rate."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.align import alignment_quality, as_links, parse_pharaoh

link = st.tuples(st.integers(0, 4), st.integers(0, 4), st.just(1.0), st.booleans())
segments = st.lists(st.tuples(st.lists(link), st.lists(link)), max_size=4)


def test_a_worked_example():
    gold = [parse_pharaoh("0-0 1-1 2p2 2p3"), parse_pharaoh("0-0")]
    links = [parse_pharaoh("0-0 2-2 3-3"), ()]
    quality = alignment_quality(links, gold)
    assert (quality.found, quality.sure, quality.possible) == (3, 3, 5)
    assert quality.precision == pytest.approx(2 / 3)
    assert quality.recall == pytest.approx(1 / 3)
    assert quality.aer == pytest.approx(1 - (1 + 2) / (3 + 3))
    assert quality.f1 == pytest.approx(4 / 9)
    assert quality.f(1) == pytest.approx(quality.precision)
    assert quality.f(0) == pytest.approx(quality.recall)


@given(segments)
def test_figures_lie_between_0_and_1_and_gold_is_perfect(pairs):
    links = [as_links(a) for a, _ in pairs]
    gold = [as_links(b) for _, b in pairs]
    quality = alignment_quality(links, gold)
    for figure in (quality.precision, quality.recall, quality.f1, quality.aer):
        assert 0 <= figure <= 1
    perfect = alignment_quality(gold, gold)
    assert (perfect.precision, perfect.recall, perfect.aer) == (1, 1, 0)


@given(segments)
def test_without_possible_links_aer_is_one_minus_f(pairs):
    links = [as_links(a) for a, _ in pairs]
    gold = [as_links(link[:3] for link in b) for _, b in pairs]
    quality = alignment_quality(links, gold)
    if quality.found and quality.sure:
        assert quality.aer == pytest.approx(1 - quality.f1)


def test_nothing_found_and_nothing_to_find_are_defined():
    some = [parse_pharaoh("0-0")]
    assert alignment_quality([], []).aer == 0
    assert alignment_quality([()], some).aer == 1
    assert alignment_quality([()], some).f1 == 0
    assert alignment_quality(some, [()]).aer == 1


def test_wrong_arguments_are_rejected():
    with pytest.raises(
        tertium.InputError, match="links of 1 segments, and manual links of 0"
    ):
        alignment_quality([()], [])
    with pytest.raises(tertium.InputError, match="alpha must be between"):
        alignment_quality([], []).f(2)
