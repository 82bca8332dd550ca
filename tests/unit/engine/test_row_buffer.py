# SPDX-License-Identifier: Apache-2.0
"""Rows that arrive in parts are those of one array."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tertium.engine.row_buffer import RowBuffer


@given(st.lists(st.integers(0, 9), min_size=1), st.integers(1, 4))
def test_parts_of_any_size_are_joined(sizes, width):
    rng = np.random.default_rng(sum(sizes))
    parts = [rng.random((size, width)) for size in sizes]
    buffer = RowBuffer()
    for part in parts:
        buffer.add(part)
    whole = buffer.array()
    assert whole.tolist() == np.concatenate(parts).tolist()
    assert whole.shape == (sum(sizes), width)


def test_parts_are_copied():
    part = np.ones((2, 2))
    buffer = RowBuffer()
    buffer.add(part)
    part[:] = 0
    assert buffer.array().tolist() == [[1, 1], [1, 1]]


def test_the_array_stays_when_asked_for_again():
    buffer = RowBuffer()
    for _ in range(10):
        buffer.add(np.ones((3, 2)))
    first = buffer.array()
    assert buffer.array() is first
    assert first.shape == (30, 2)
