# SPDX-License-Identifier: Apache-2.0
"""Links of any kind: outside sentences, one to many, none, and all of them crossing."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from oracles import reordering
from tertium.errors import FormatError, InputError
from tertium.preorder.corpus import read_links
from tertium.preorder.forests import Forest
from tertium.preorder.gold import gold_orders
from tertium.preorder.parsing.ensemble import train_grammars
from tertium.preorder.units import corpus_units, minimal_units


def crossing(n):
    return n, [(word, n - 1 - word) for word in range(n)]


def everything(n):
    return n, [(source, target) for source in range(n) for target in range(n)]


sane = st.integers(0, 30).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(
            st.tuples(st.integers(0, max(n - 1, 0)), st.integers(0, 40)),
            max_size=60 if n else 0,
        ),
    )
)
place = st.integers(-3, 9) | st.sampled_from([-(2**40), 2**31, 2**32 - 1, 2**40])
wild = st.tuples(st.integers(0, 6), st.lists(st.tuples(place, place), max_size=8))


@settings(max_examples=100)
@given(sane)
@example(crossing(30))
@example(everything(12))
@example((5, [(2, target) for target in range(40)]))
@example((6, [(word, 0) for word in range(6)]))
@example((0, []))
def test_any_links_within_a_sentence_give_units_orders_and_forests(alignment):
    length, links = alignment
    units = minimal_units(length, links)
    spans, ranks = reordering.units(length, set(links))
    assert (list(units.spans), list(units.ranks)) == (spans, ranks)
    assert sorted(units.order()) == list(range(length))
    [gold] = gold_orders([["w"] * length], [links])
    assert sorted(gold.order) == list(range(length))
    try:
        count = Forest.of_units(units).count
    except InputError:  # needs an operator that there is not, or too few are aligned
        count = 1
    assert count >= 1


@settings(max_examples=100)
@given(wild)
@example((2, [(0, 0), (1, 2**32 - 1)]))
@example((2, [(0, 2**32)]))
def test_links_outside_a_sentence_are_named_and_never_read(alignment):
    length, links = alignment
    outside = [
        link
        for link in links
        if not (0 <= link[0] < length and 0 <= link[1] < 2**32 - 1)
    ]
    if not outside:
        assert len(minimal_units(length, links).spans) <= length
        return
    with pytest.raises(InputError, match=f"link {outside[0][0]}-{outside[0][1]} "):
        minimal_units(length, links)
    with pytest.raises(InputError, match=r"sentence 2\)"):
        corpus_units([1, length], [[(0, 0)], links])


def test_grammars_are_learnt_from_whatever_can_be_learnt_from():
    alignments = [crossing(9), everything(6), (4, []), (0, []), (1, [(0, 3)])]
    alignments += [(3, [(0, 0), (1, 2), (2, 1)])] * 3
    alignments.append((6, list(enumerate([1, 3, 5, 0, 2, 4]))))  # needs six children
    sentences = [["w"] * n for n, _ in alignments]
    model = train_grammars(
        *(sentences, [links for _, links in alignments]),
        restarts=1,
        splits=(2, 1),
        unknown=0,
        iterations=3,
    )
    for one, words in zip(model.apply(sentences), sentences, strict=True):
        assert sorted(one.order) == list(range(len(words)))


def test_blank_lines_are_sentences_without_links(write_lines):
    path = write_lines("links", ["", "0-1 1-0", "   "])
    assert [len(one) for one in read_links(path, [["a"], ["b", "c"], []])] == [0, 2, 0]
    with pytest.raises(FormatError, match=r"links:2: .*1-0"):
        read_links(path, [["a"], ["b"], []])
