# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from oracles import correlation as oracle
from tertium import _core
from tertium.errors import InputError, UnknownNameError
from tertium.stats import (
    fisher_interval,
    kendall,
    pearson,
    spearman,
    williams,
)

KINDS = ("a", "b", "c", "23", "acc23", "pearson", "spearman")


def vectors(levels: int, longest: int):
    number = st.integers(0, levels).map(float)
    return st.integers(0, longest).flatmap(
        lambda n: st.tuples(
            st.lists(number, min_size=n, max_size=n),
            st.lists(number, min_size=n, max_size=n),
        )
    )


def ours(kind, x, y, epsilon=0.0):
    if kind == "pearson":
        return pearson(x, y)
    if kind == "spearman":
        return spearman(x, y)
    return kendall(x, y, kind, epsilon=epsilon)


@given(vectors(4, 12), st.sampled_from(KINDS))
def test_coefficients_equal_the_oracle(pair, kind):
    want = oracle.coefficient(kind, *pair)
    got = ours(kind, *pair)
    assert got == (None if want is None else pytest.approx(want, abs=1e-12))


@given(vectors(30, 120), st.sampled_from([0, 0.5, 1, 3, 100]))
def test_pair_counts_equal_the_oracle(pair, epsilon):
    # Up to 48 values every pair is looked at, above that they are sorted.
    x, y = (np.array(side, dtype=float) for side in pair)
    want = oracle.pair_counts(*pair, epsilon)
    got = _core.pair_counts(x, y, epsilon)
    assert got[:5] == tuple(want[k] for k in ("con", "dis", "human", "metric", "both"))
    assert got[5:] == (len(set(pair[0])), len(set(pair[1])))


@pytest.mark.parametrize("variant", ["b", "c"])
def test_long_vectors_equal_scipy(variant):
    random = np.random.default_rng(1)
    x = random.normal(size=5000).round(1)
    y = (x + random.normal(size=5000)).round(1)
    want = scipy_stats.kendalltau(x, y, variant=variant).statistic
    assert kendall(x, y, variant) == pytest.approx(want, abs=1e-12)
    assert spearman(x, y) == pytest.approx(scipy_stats.spearmanr(x, y).statistic)
    assert pearson(x, y) == pytest.approx(scipy_stats.pearsonr(x, y).statistic)


def test_wrong_vectors_are_rejected():
    with pytest.raises(InputError, match="first vector has 1 values, the second 2"):
        pearson([1], [1, 2])
    with pytest.raises(InputError, match="value 1 of the second vector is nan"):
        kendall([1, 2], [1, math.nan])
    with pytest.raises(InputError, match="2 dimensions"):
        spearman(np.zeros((2, 2)), [1, 2])
    with pytest.raises(UnknownNameError, match="choose from"):
        kendall([1], [2], "x")
    with pytest.raises(InputError, match="tau-c with an epsilon"):
        kendall([1, 2], [2, 1], "c", epsilon=1)
    with pytest.raises(InputError, match="epsilon must be 0 or more"):
        kendall([1, 2], [2, 1], epsilon=math.nan)
    with pytest.raises(ValueError, match="finite"):
        _core.correlation("b", np.array([np.inf, 1]), np.array([1.0, 2]))
    with pytest.raises(ValueError, match="shapes differ"):
        _core.pair_counts(np.zeros(2), np.zeros(3))


def regression_t(x1, x2, x3):
    """Return Williams' t from its derivation, by regression instead of r.

    The residual variance of x1 on both others is |R| / (1 - r23²), and the
    contrast of standardised predictors u = z2 + z3, v = z2 - z3 is orthogonal.
    """
    n = len(x1)
    z = [scipy_stats.zscore(x) for x in (x1, x2, x3)]
    r = np.corrcoef(z)
    rest = np.linalg.det(r)
    r12, r13, r23 = r[0, 1], r[0, 2], r[1, 2]
    variance = 2 * rest / (n - 3) / (1 + r23) + ((r12 + r13) / 2) ** 2 * (
        1 - r23
    ) ** 3 / ((n - 1) * (1 + r23))
    return (r12 - r13) / math.sqrt(variance)


@given(st.integers(0, 10**6), st.integers(5, 40))
def test_williams_equals_a_second_derivation(seed, n):
    random = np.random.default_rng(seed)
    x = random.normal(size=(3, n)) + random.normal(size=n)
    r = np.corrcoef(x)
    outcome = williams(r[0, 1], r[0, 2], r[1, 2], n)
    t = regression_t(*x)
    assert outcome.t == pytest.approx(t, rel=1e-7)
    assert outcome.p == pytest.approx(scipy_stats.t.sf(abs(t), n - 3), rel=1e-6)


def test_williams_is_symmetric_and_knows_its_limits():
    one, two = williams(0.9, 0.8, 0.7, 30), williams(0.8, 0.9, 0.7, 30)
    assert one.t == -two.t
    assert one.p == two.p < 0.5
    assert williams(0.5, 0.5, 0.2, 10).p == 0.5
    assert williams(0.9, 0.8, 0.7, 3) is None
    assert williams(0.9, 0.9, 1.0, 30) is None
    with pytest.raises(InputError, match="between -1 and 1"):
        williams(1.5, 0, 0, 10)


def test_williams_holds_its_level():
    # Two metrics that are equally good: one-sided p below 0.05 in one of ten.
    random = np.random.default_rng(5)
    low = 0
    for _ in range(2000):
        human = random.normal(size=50)
        a, b = human + random.normal(size=(2, 50))
        r = np.corrcoef([human, a, b])
        low += williams(r[0, 1], r[0, 2], r[1, 2], 50).p < 0.05
    assert 0.08 < low / 2000 < 0.12


def test_fisher_interval_is_scipys():
    x, y = np.random.default_rng(3).normal(size=(2, 30))
    result = scipy_stats.pearsonr(x, y)
    want = result.confidence_interval(0.9)
    assert fisher_interval(result.statistic, 30, confidence=0.9) == pytest.approx(
        (want.low, want.high)
    )
    assert fisher_interval(0.5, 3) is None
    assert fisher_interval(1.0, 30) is None


def test_williams_on_steigers_example():
    # Case A of Steiger (1980); r.test(103, .4, .5, .1) of the R package psych prints
    # t = -0.89, two-sided p < 0.37.
    outcome = williams(0.4, 0.5, 0.1, 103)
    assert outcome.t == pytest.approx(-0.89, abs=0.005)
    assert 2 * outcome.p == pytest.approx(0.37, abs=0.006)
