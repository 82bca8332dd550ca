# SPDX-License-Identifier: Apache-2.0
"""P-values of single correlations, beside SciPy's."""

from __future__ import annotations

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.stats import correlation_p_value

stats = pytest.importorskip("scipy.stats")

THEIRS = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall": stats.kendalltau,
}


@pytest.mark.parametrize("kind", THEIRS)
@pytest.mark.parametrize("n", [3, 4, 7, 20, 33, 34, 90])
@pytest.mark.parametrize("levels", [None, 4])
@pytest.mark.parametrize("slope", [0.0, -0.4, 1.5])
def test_p_values_are_scipys(kind, n, levels, slope):
    random = np.random.default_rng([n, levels or 0])
    x = random.normal(size=n)
    y = slope * x + random.normal(size=n)
    if levels is not None:
        x, y = (np.round(v * levels / 4) for v in (x, y))
        x[:2], y[:2] = (0, 1), (1, 0)  # never constant
    theirs = THEIRS[kind](x, y)
    assert correlation_p_value(kind, x, y) == pytest.approx(
        theirs.pvalue, rel=1e-8, abs=1e-14
    )


@pytest.mark.parametrize("kind", THEIRS)
def test_undefined_correlations_have_none(kind):
    assert correlation_p_value(kind, [], []) is None
    assert correlation_p_value(kind, [1, 2], [1, 2]) is None
    assert correlation_p_value(kind, [1, 1, 1], [1, 2, 3]) is None


def test_perfect_agreement():
    assert correlation_p_value("pearson", [1, 2, 3, 4], [2, 4, 6, 8]) == 0
    assert correlation_p_value("spearman", [1, 2, 3, 4], [4, 3, 2, 1]) == 0
    # Two of the 24 orders are as extreme.
    assert correlation_p_value("kendall", [1, 2, 3, 4], [4, 3, 2, 1]) == 2 / 24


def test_wrong_input_is_rejected():
    with pytest.raises(InputError):
        correlation_p_value("kendall", [1, 2, 3], [1, 2])
    with pytest.raises(InputError):
        correlation_p_value("cosine", [1, 2, 3], [1, 2, 3])
