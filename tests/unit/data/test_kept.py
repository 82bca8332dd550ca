# SPDX-License-Identifier: Apache-2.0
"""Test sets whose texts stay on disk."""

from __future__ import annotations

import errno
import mmap
import os
import pickle
import tracemalloc
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.data import Testset, kept, read, stream
from tertium.data.kept import Kept, Lazy, keep_on_disk
from tertium.data.segment_ids import full_ids
from tertium.data.segment_places import places_of
from tertium.learn.matrices import pair_features
from tertium.learn.profile import profile as profile_of

TEXTS = st.text(max_size=4)


@st.composite
def drawn_sets(draw):
    """Draw a test set of up to 12 segments with all kinds of columns."""
    size = draw(st.integers(0, 12))
    column = st.lists(TEXTS, min_size=size, max_size=size)
    return Testset.build(
        draw(st.lists(st.tuples(TEXTS, TEXTS), min_size=size, max_size=size)),
        {"A": draw(column), "B": draw(column)},
        sources=draw(st.none() | column),
        docs=draw(st.none() | column),
        ids=draw(st.none() | column),
        layers={"topic": draw(column)},
    )


@given(drawn_sets(), st.integers(1, 5), st.integers(1, 4), st.data())
def test_texts_on_disk_are_those_in_memory(testset, size, block, data):
    with patch("tertium.data.kept.BLOCK", block):
        kept = keep_on_disk(testset.chunks(size))
        assert kept == testset
        places = data.draw(st.lists(st.integers(0, max(len(testset) - 1, 0))))
        places = places if len(testset) else []
        assert kept.select(places) == testset.select(places)
        assert list(kept.chunks(3)) == list(testset.chunks(3))


@given(st.lists(TEXTS), st.lists(TEXTS))
def test_places_are_those_of_a_dictionary(names, wanted):
    known = {name: place for place, name in enumerate(names)}
    expected = [known.get(name, -1) for name in wanted]
    assert places_of(names, wanted).tolist() == expected
    assert places_of(Kept(names), wanted).tolist() == expected


def test_names_with_one_hash_are_told_apart():
    names, wanted = ["a", "b", "c", "b"], ["b", "d", "a", "c"]
    with patch("tertium.data.segment_places.hash", lambda _: 7, create=True):
        assert places_of(names, wanted).tolist() == [3, -1, 0, 2]


@given(st.lists(st.tuples(st.sampled_from("12"), st.sampled_from("xy")), min_size=1))
def test_names_of_columns_on_disk_are_those_in_memory(rows):
    ids, docs = (list(column) for column in zip(*rows, strict=True))
    names = full_ids(Kept(ids), Kept(docs))
    assert isinstance(names, Lazy)
    assert list(names) == list(full_ids(ids, docs))


def test_ids_with_one_hash_are_told_apart():
    with patch("tertium.data.segment_ids.hash", lambda _: 7, create=True):
        for ids in (["1", "2", "3"], ["1", "2", "1"]):
            assert list(full_ids(Kept(ids), Kept("xyz"))) == full_ids(ids, "xyz")


def test_one_chunk_stays_in_memory():
    assert isinstance(keep_on_disk(stream("demo")).references, list)
    assert isinstance(keep_on_disk(stream("demo", size=59)).references, Kept)


def test_columns_on_disk_travel_as_lists():
    column = Kept(["a", "b"])
    assert pickle.loads(pickle.dumps(column)) == ["a", "b"]
    assert pickle.loads(pickle.dumps(keep_on_disk(stream("demo", size=7)))) == read(
        "demo"
    )


def test_less_than_a_block_needs_no_file(monkeypatch):
    monkeypatch.setattr(kept.tempfile, "TemporaryFile", None)
    column = Kept(map(str, range(kept.BLOCK - 1)))
    assert list(column) == list(map(str, range(kept.BLOCK - 1)))
    with pytest.raises(TypeError, match="not callable"):
        column.extend(["next"])


def test_places_outside_raise_an_error():
    with pytest.raises(IndexError, match="no item 2 among 2"):
        Lazy(2, str)[2]


def test_memory_does_not_grow_with_texts_on_disk():
    tracemalloc.start()
    try:
        column = Kept(f"{number:0100}" for number in range(25_000))
        for start in range(25_000, 50_000, 1000):
            column.extend(f"{number:0100}" for number in range(start, start + 1000))
        assert sum(map(len, column)) == 5_000_000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1_500_000  # all of it would take 7.5 MB


def test_large_matrices_are_in_a_file(monkeypatch):
    monkeypatch.setattr(kept, "_LARGE", 80)
    small, large = kept.large_matrix(3, 3), kept.large_matrix(5, 2)
    assert small.base is None
    assert isinstance(large.base.base.obj, mmap.mmap)
    large[:] = np.arange(10).reshape(5, 2)
    large *= 2
    assert large.sum() == 90
    again = pickle.loads(pickle.dumps(large))
    assert (again == large).all()


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="no posix_fallocate")
def test_a_full_disk_is_an_error_before_a_matrix_is_filled(monkeypatch):
    def reserve(descriptor, start, size):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(kept, "_LARGE", 80)
    monkeypatch.setattr(os, "posix_fallocate", reserve)
    number = errno.EOPNOTSUPP
    assert kept.large_matrix(5, 2).shape == (5, 2)
    number = errno.ENOSPC
    with pytest.raises(OSError, match="No space left"):
        kept.large_matrix(5, 2)


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="no posix_fallocate")
def test_room_for_the_whole_matrix_is_taken(monkeypatch):
    sizes = []
    monkeypatch.setattr(kept, "_LARGE", 80)
    monkeypatch.setattr(os, "posix_fallocate", lambda *words: sizes.append(words[1:]))
    kept.large_matrix(5, 3)
    assert sizes == [(0, 120)]


def test_training_with_a_matrix_in_a_file_gives_the_same_features(monkeypatch):
    texts = [("a cat sat", "the cat sat"), ("rain fell", "rain was falling")] * 50
    profile = profile_of("beer-4")
    want = pair_features(texts, profile)
    monkeypatch.setattr(kept, "_LARGE", 0)
    got = pair_features(texts, profile)
    assert isinstance(got.base.base.obj, mmap.mmap)
    assert (got == want).all()


@given(st.lists(st.integers(0, 3), max_size=8), st.integers(1, 3))
def test_columns_that_share_a_file_keep_their_items(turns, size):
    spool = kept.Spool()
    columns = [Kept(spool=spool) for _ in range(4)]
    expected = [[] for _ in range(4)]
    for number, turn in enumerate(turns):
        some = [(number, k) for k in range(size * 300)]
        columns[turn].extend(some)
        expected[turn] += some
    assert [list(column) for column in columns] == expected
