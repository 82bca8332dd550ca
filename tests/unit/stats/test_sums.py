# SPDX-License-Identifier: Apache-2.0
"""Exact sums: no order and no division of the numbers changes a bit."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.sums import exact_sum
from tertium._core import Sums

#: Small enough that no partial sum overflows; subnormal numbers are among them.
numbers = st.one_of(
    st.floats(-1e300, 1e300),
    st.floats(-1, 1),
    st.integers(-(2**53), 2**53).map(float),
    # Powers of two make ties between two doubles.
    st.integers(-1074, 900).map(lambda power: math.ldexp(1.0, power)),
)


def total(values) -> Sums:
    sums = Sums(1)
    sums.add(np.array(values, dtype=float).reshape(-1, 1))
    return sums


@given(st.lists(numbers, max_size=30))
def test_sums_are_rounded_once(values):
    assert total(values).values() == [exact_sum(values)]


@given(st.lists(numbers, max_size=20), st.data())
def test_parts_can_be_merged_in_any_order(values, data):
    mixed = data.draw(st.permutations(values))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(values)), max_size=4)))
    merged = Sums(1)
    for start, end in zip([0, *cuts], [*cuts, len(values)], strict=True):
        merged.merge(pickle.loads(pickle.dumps(total(mixed[start:end]))))
    assert merged.values() == total(values).values()


def test_ties_go_to_even_only_if_they_are_ties():
    half = math.ldexp(1.0, -53)
    assert total([1.0, half]).values() == [1.0]
    assert total([1.0, half, 1e-300]).values() == [1.0 + 2 * half]
    assert total([1.0, half, -1e-300]).values() == [1.0]
    assert total([1.0 + 2 * half, half]).values() == [1.0 + 4 * half]
    assert total([1.0 + 2 * half, half, -1e-300]).values() == [1.0 + 2 * half]


def test_infinities_and_nan_are_those_of_plain_addition():
    assert total([1.5, math.inf, 1e-20]).values() == [math.inf]
    assert math.isnan(total([math.inf, -math.inf]).values()[0])
    assert math.isnan(total([0.1, math.nan, 0.2]).values()[0])


def test_columns_stay_apart_and_can_be_put_side_by_side():
    left, right = Sums(2), Sums(1)
    left.add(np.array([[0.1, 1.0], [0.2, 2.0]]))
    right.add(np.array([[0.3]]))
    left.append(right)
    assert len(left) == 3
    assert left.values() == [math.fsum([0.1, 0.2]), 3.0, 0.3]
    left.merge(left)
    assert left.values() == [2 * math.fsum([0.1, 0.2]), 6.0, 0.6]


def test_sums_of_different_widths_are_rejected():
    with pytest.raises(ValueError, match="widths"):
        Sums(2).merge(Sums(3))
    with pytest.raises(ValueError, match="width"):
        Sums(2).add(np.zeros((1, 3)))
