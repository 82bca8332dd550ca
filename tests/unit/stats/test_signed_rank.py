# SPDX-License-Identifier: Apache-2.0
"""Wilcoxon's signed-rank test against counting all signs, and against SciPy."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.stats.signed_rank import signed_rank


def by_all_signs(differences):
    """Return the p-value by writing out every choice of signs."""
    kept = [value for value in differences if value]
    sizes = sorted(map(abs, kept))
    ranks = [
        sum(i + 1 for i, size in enumerate(sizes) if size == abs(value))
        / sizes.count(abs(value))
        for value in kept
    ]
    seen = sum(r for r, value in zip(ranks, kept, strict=True) if value > 0)
    sums = [
        sum(r for r, sign in zip(ranks, signs, strict=True) if sign)
        for signs in product((0, 1), repeat=len(kept))
    ]
    return sum(total >= seen - 1e-9 for total in sums) / len(sums)


@given(st.lists(st.integers(-6, 6), max_size=9))
def test_it_counts_all_signs(differences):
    result = signed_rank(differences)
    if any(differences):
        assert result == pytest.approx(by_all_signs(differences))
    else:
        assert result is None


@given(
    st.lists(st.integers(1, 10**6), min_size=1, max_size=25, unique=True), st.randoms()
)
def test_it_is_that_of_scipy_without_ties(sizes, random):
    stats = pytest.importorskip("scipy.stats")
    values = [size * random.choice((-1, 1)) for size in sizes]
    wanted = stats.wilcoxon(values, alternative="greater", method="exact").pvalue
    assert signed_rank(values) == pytest.approx(float(wanted))


def test_many_differences_take_the_normal_curve():
    values = [(-1) ** (n % 3 == 0) * (n % 17 + 1) for n in range(60)]
    exact = signed_rank(values)
    close = signed_rank([*values, 1e-9])  # one more, and the smallest
    assert close == pytest.approx(exact, rel=0.1)


def test_what_is_not_finite_is_rejected():
    with pytest.raises(ValueError, match="finite"):
        signed_rank([1.0, float("nan")])
