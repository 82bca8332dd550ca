# SPDX-License-Identifier: Apache-2.0
"""Student's t distribution, against SciPy's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.stats.student import two_sided_p, two_sided_reach

DEGREES = st.floats(0.5, 1e5)


@given(st.floats(-100, 100), DEGREES)
def test_tails_are_those_of_scipy(t, degrees):
    special = pytest.importorskip("scipy.special")
    expected = 2 * special.stdtr(degrees, -abs(t))
    assert two_sided_p(t, degrees) == pytest.approx(expected, rel=1e-6, abs=1e-250)


@given(st.floats(0.01, 0.9999), DEGREES)
def test_a_reach_leaves_the_share_outside(confidence, degrees):
    reach = two_sided_reach(confidence, degrees)
    assert two_sided_p(reach, degrees) == pytest.approx(1 - confidence, rel=1e-6)


def test_limits():
    assert two_sided_p(0.0, 3) == 1.0
    assert two_sided_p(float("inf"), 3) == 0.0
    with pytest.raises(InputError, match="degrees of freedom"):
        two_sided_p(1.0, 0.0)
    with pytest.raises(InputError, match="confidence"):
        two_sided_reach(1.0, 3)
