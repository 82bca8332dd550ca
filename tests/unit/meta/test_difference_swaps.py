# SPDX-License-Identifier: Apache-2.0
"""Permutation test of PDP."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tertium.meta.agreement.pairwise_differences import pdp, segment_sums
from tertium.meta.uncertainty.difference_swaps import (
    pdp_permutation,
    swapped_differences,
)

SCORES = st.integers(-4, 4).map(float)


def plain(human, first, second, coins):
    """Swap scores, and compute both coefficients anew."""
    places = np.argwhere(~np.isnan(human.T))
    one, two = first.copy(), second.copy()
    for (segment, system), coin in zip(places, coins, strict=True):
        if coin:
            one[system, segment] = second[system, segment]
            two[system, segment] = first[system, segment]
    values = [pdp(segment_sums(human, each).sum(axis=0)) for each in (one, two)]
    return float(values[0] - values[1])


@given(st.data(), st.integers(2, 4), st.integers(1, 3))
def test_swapped_differences_are_those_of_swapped_scores(data, systems, segments):
    human, first, second = (
        data.draw(arrays(float, (systems, segments), elements=SCORES)) for _ in "abc"
    )
    gone = data.draw(arrays(bool, (systems, segments)))
    gone[0, 0] = False
    for table in (human, first, second):
        table[gone] = np.nan
    size = int((~gone).sum())
    coins = data.draw(arrays(np.int8, (3, size), elements=st.integers(0, 1)))
    values = swapped_differences(human, first, second, coins)
    expected = [plain(human, first, second, row) for row in coins]
    assert values == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_p_value_is_near_that_of_all_swaps():
    rng = np.random.default_rng(5)
    human = rng.normal(size=(3, 3))
    first = human + rng.normal(0, 0.4, size=(3, 3))
    second = human + rng.normal(0, 1.5, size=(3, 3))
    difference, p = pdp_permutation(human, first, second, trials=4000, seed=1)

    def standard(table):
        return (table - table.mean()) / table.std()

    coins = np.array(list(product((0, 1), repeat=9)), np.int8)
    every = swapped_differences(human, standard(first), standard(second), coins)
    exact = (np.abs(every) >= abs(difference) - 1e-12).mean()
    assert difference > 0
    assert p == pytest.approx(exact, abs=0.03)


def test_equal_metrics_have_p_value_one():
    human = np.arange(6.0).reshape(2, 3) ** 2
    assert pdp_permutation(human, human, 2 * human, trials=50, seed=1) == (0.0, 1.0)
