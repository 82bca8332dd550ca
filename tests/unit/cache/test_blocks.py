# SPDX-License-Identifier: Apache-2.0
"""Blocks of segments: borders follow from texts, rows are those computed."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.cache import Cache, cached_rows, digest
from tertium.cache.blocks import blocks as cut


def digests(numbers):
    return [digest(number) for number in numbers]


@given(st.lists(st.integers(0, 50), max_size=900))
def test_blocks_partition_segments_and_have_bounded_length(numbers):
    ranges = cut(digests(numbers))
    assert [place for block in ranges for place in block] == list(range(len(numbers)))
    assert all(32 <= len(block) <= 512 for block in ranges[:-1])


def test_blocks_have_about_128_segments():
    assert 100 < 10_000 / len(cut(digests(range(10_000)))) < 160


@settings(max_examples=15)
@given(st.integers(0, 2000))
def test_an_inserted_segment_changes_few_blocks(place):
    before = list(range(2000))
    after = [*before[:place], -1, *before[place:]]

    def contents(numbers):
        return {tuple(numbers[i] for i in block) for block in cut(digests(numbers))}

    assert len(contents(after) - contents(before)) <= 3


def row(number):
    return [number / 7, -0.0, float("inf") if number % 5 == 0 else 1e-320]


@given(
    parts=st.lists(st.lists(st.integers(0, 30), max_size=80), min_size=1, max_size=4)
)
def test_any_mix_of_found_and_missing_rows_gives_the_same_bits(parts):
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(folder)
        for numbers in parts:

            def compute(places, numbers=numbers):
                return np.array([row(numbers[i]) for i in places])

            base = digest("test")
            rows = cached_rows(cache, "rows", base, digests(numbers), 3, compute)
            wanted = np.array([row(number) for number in numbers]).reshape(-1, 3)
            assert rows.tobytes() == wanted.tobytes()
            rows[:] = 0  # what a caller does with rows stays with the caller


def test_a_second_call_computes_nothing_and_another_key_everything(tmp_path):
    cache, calls = Cache(tmp_path), []

    def compute(places):
        calls.append(len(places))
        return np.ones((len(places), 2))

    for base in ("one", "one", "other"):
        cached_rows(cache, "rows", digest(base), digests(range(300)), 2, compute)
    assert calls == [300, 300]


def test_entries_of_another_shape_are_computed_again(tmp_path):
    cache = Cache(tmp_path)
    for width in (2, 3, 3):
        rows = cached_rows(
            cache,
            "rows",
            digest("same"),
            digests(range(40)),
            width,
            lambda places, width=width: np.ones((len(places), width)),
        )
        assert rows.shape == (40, width)
    (note,) = cache.notes
    assert note.values["count"] == 1


def test_no_segments_have_no_rows(tmp_path):
    cache = Cache(tmp_path)
    rows = cached_rows(cache, "rows", digest(""), [], 4, pytest.fail)
    assert rows.shape == (0, 4)
    assert not list(Path(tmp_path).iterdir())
