# SPDX-License-Identifier: Apache-2.0
"""The kernels that cut outputs and link lines as references are."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium import _core
from tests.oracles.edits import levenshtein
from tests.oracles.segmentation import best_cut, line_links

words = st.lists(st.integers(0, 3), max_size=7)
documents = st.lists(
    st.tuples(
        words, st.lists(st.lists(words, min_size=1, max_size=2), min_size=1, max_size=4)
    ),
    max_size=3,
)


@given(documents, st.randoms(use_true_random=False), st.sampled_from([0, 1, 200]))
def test_cuts_are_the_best_of_all_cuts(texts, chance, memory) -> None:
    given_documents = [
        (hyp, [chance.randrange(4) for _ in range(len(hyp) + 1)], segments)
        for hyp, segments in texts
    ]
    expected = [best_cut(*document) for document in given_documents]
    assert _core.cut_documents(given_documents, 1, memory) == expected


@given(st.integers(0, 2**32), st.sampled_from([2, 50]), st.sampled_from([1, 3000]))
def test_long_texts_have_the_edit_distance_of_the_whole(seed, types, memory) -> None:
    chance = random.Random(seed)
    refs = [
        [chance.randrange(types) for _ in range(chance.randrange(12))]
        for _ in range(chance.randrange(1, 30))
    ]
    whole = [word for ref in refs for word in ref]
    hyp = [chance.randrange(types) if chance.random() < 0.2 else w for w in whole]
    del hyp[chance.randrange(len(hyp) + 1) :][: chance.randrange(8)]
    if chance.random() < 0.5:
        hyp = hyp[len(hyp) // 3 :] + hyp[: len(hyp) // 3]
    document = (hyp, [0] * (len(hyp) + 1), [[ref] for ref in refs])
    (ends,) = _core.cut_documents([document], 1, memory)
    assert sum(end[1] for end in ends) == levenshtein(hyp, whole)
    starts = [0, *(end[0] for end in ends)]
    assert starts == sorted(starts)
    assert starts[-1] == len(hyp)
    for k, ref in enumerate(refs):
        part = hyp[starts[k] : starts[k + 1]]
        assert levenshtein(part, ref) == ends[k][1]
    # Less memory gives the same.
    assert _core.cut_documents([document], 1) == [ends]


def test_short_segments_cost_no_more_than_long_ones() -> None:
    words = [random.Random(2).randrange(5000) for _ in range(60_000)]
    penalties = [0] * (len(words) + 1)
    seconds = []
    for length in (20, 3):
        starts = range(0, len(words), length)
        refs = [[words[start : start + length]] for start in starts]
        begin = time.process_time()
        (ends,) = _core.cut_documents([(words, penalties, refs)], 1)
        seconds.append(time.process_time() - begin)
        assert [end[0] for end in ends] == [start + length for start in starts]
        assert {end[1] for end in ends} == {0}
    # Rows of whole texts would cost seven times as much.
    assert seconds[1] < 3 * seconds[0] + 0.1


def test_threads_change_nothing() -> None:
    chance = random.Random(1)
    batch = []
    for _ in range(40):
        refs = [[[chance.randrange(9) for _ in range(8)]] for _ in range(10)]
        hyp = [word for ref in refs for word in ref[0] if chance.random() < 0.8]
        batch.append((hyp, [1] * (len(hyp) + 1), refs))
    assert _core.cut_documents(batch, 1) == _core.cut_documents(batch, 3)


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (([1], [0], [[[1]]]), "one penalty per place"),
        (([1], [0, 4], [[[1]]]), "at most 3"),
        (([1], [0, 0], []), "no segment"),
        (([1], [0, 0], [[]]), "no reference"),
        (([0] * (1 << 20), [0] * ((1 << 20) + 1), [[[1]]]), "too long"),
    ],
)
def test_wrong_documents_are_rejected(document, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        _core.cut_documents([document], 1)


lines = st.lists(st.text("abc é漢", max_size=9), max_size=6)


@given(lines, lines)
def test_links_are_those_with_the_greatest_worth(refs, hyps) -> None:
    (links,) = _core.link_lines([refs], [hyps], 100, 1)
    assert links == line_links(refs, hyps)


@given(st.integers(0, 2**32))
def test_a_narrow_window_finds_the_same_links(seed: int) -> None:
    chance = random.Random(seed)

    def line() -> str:
        return "".join(chance.choices("abcdefgh", k=chance.randrange(8, 30)))

    refs = [line() for _ in range(chance.randrange(1, 40))]
    hyps: list[str] = []
    for ref in refs:
        kind = chance.random()
        if kind < 0.2 and hyps:
            hyps[-1] += ref
        elif kind < 0.4:
            hyps += [ref[: len(ref) // 2], ref[len(ref) // 2 :]]
        else:
            hyps.append(ref)
    assert _core.link_lines([refs], [hyps], 3, 1) == _core.link_lines(
        [refs], [hyps], 1000, 1
    )


def test_every_line_is_linked_once() -> None:
    refs = ["one small step", "for a man", "", "a giant leap"]
    hyps = ["one small step for a man", "something else", "a giant leap for all"]
    (links,) = _core.link_lines([refs], [hyps], 32, 1)
    assert [(ref, refs_, hyp, hyps_) for ref, refs_, hyp, hyps_, _ in links] == [
        (0, 2, 0, 1),
        (2, 0, 1, 1),
        (2, 1, 2, 0),
        (3, 1, 2, 1),
    ]
