# SPDX-License-Identifier: Apache-2.0
"""Products of matrices against their slow twin, and for any number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import learning as oracle
from tertium import _core
from tertium.learn.objectives.products import inverse_cholesky

sizes = st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(1, 5))


@given(sizes, st.integers(0, 10**6))
def test_products_equal_the_definition(size, seed):
    rows, columns, width = size
    random = np.random.default_rng(seed)
    a, b = random.normal(size=(rows, columns)), random.normal(size=(columns, width))
    c = random.normal(size=(rows, width)) * (random.random((rows, width)) < 0.7)
    assert _core.product(a, b, 1) == pytest.approx(
        np.array(oracle.product(a.tolist(), b.tolist())), abs=1e-12
    )
    assert _core.transposed_product(a, c, 1) == pytest.approx(
        np.array(oracle.transposed_product(a.tolist(), c.tolist())), abs=1e-12
    )


@pytest.mark.parametrize("width", [1, 15])
def test_products_are_the_same_for_any_number_of_threads(width):
    random = np.random.default_rng(1)
    a, b = random.normal(size=(5000, 57)), random.normal(size=(57, width))
    c = random.normal(size=(5000, width))
    one, back = _core.product(a, b, 1), _core.transposed_product(a, c, 1)
    assert one == pytest.approx(a @ b)
    assert back == pytest.approx(a.T @ c)
    for threads in (0, 2, 3, 4):
        assert _core.product(a, b, threads).tobytes() == one.tobytes()
        assert _core.transposed_product(a, c, threads).tobytes() == back.tobytes()


def test_empty_products_are_zero():
    empty = np.zeros((0, 3))
    assert _core.product(empty, np.ones((3, 2)), 1).shape == (0, 2)
    assert _core.transposed_product(empty, np.zeros((0, 2)), 1).tolist() == [[0, 0]] * 3
    assert _core.product(np.zeros((2, 0)), np.zeros((0, 1)), 1).tolist() == [[0], [0]]


def test_sizes_must_fit():
    with pytest.raises(ValueError, match="inner sizes"):
        _core.product(np.ones((2, 3)), np.ones((2, 3)), 1)
    with pytest.raises(ValueError, match="numbers of rows"):
        _core.transposed_product(np.ones((2, 3)), np.ones((3, 3)), 1)


def test_inverse_of_the_cholesky_factor():
    random = np.random.default_rng(2)
    a = random.normal(size=(20, 8))
    matrix = a.T @ a
    expected = np.linalg.inv(np.linalg.cholesky(matrix))
    assert inverse_cholesky(matrix) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert np.isfinite(inverse_cholesky(np.zeros((3, 3)))).all()
    assert np.isfinite(inverse_cholesky(np.ones((3, 3)))).all()
