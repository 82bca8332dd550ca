# SPDX-License-Identifier: Apache-2.0
"""Draws have the same bits in any parts, and all that they need can be sent."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium import _executor, use
from tertium.meta.matrix import ScoreMatrix
from tertium.meta.uncertainty import bootstrap
from tertium.meta.uncertainty.bootstrap import bootstrap_metrics
from tertium.meta.uncertainty.significance import permutation_test


class Sent:
    """Does chunks here, but sends everything as if it were far away."""

    def __init__(self):
        self.chunks = 0

    def map(self, function, chunks):
        function = pickle.loads(pickle.dumps(function))
        for chunk in chunks:
            self.chunks += 1
            result = function(pickle.loads(pickle.dumps(chunk)))
            yield pickle.loads(pickle.dumps(result))


def matrices(seed, systems=4, segments=12):
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 6, (systems, segments)).astype(float)
    human[0, 3] = np.nan
    names = tuple(map(str, range(systems))), tuple(map(str, range(segments)))
    metrics = {
        name: ScoreMatrix(*names, np.nan_to_num(human) + rng.normal(0, 2, human.shape))
        for name in "abc"
    }
    return ScoreMatrix(*names, human), metrics


@pytest.mark.parametrize("early", [None, (0.02, 0.5)])
@pytest.mark.parametrize(
    ("coefficient", "group", "swap"),
    [
        ("kendall_b", "item", "both"),
        ("kendall_c", "none", "inputs"),
        ("pearson", "item", "both"),
        ("pearson", "none", "systems"),
        ("spearman", "sys", "both"),
        ("acc23", "item", "inputs"),
        ("acc23", "item", "pairs"),
    ],
)
def test_permutation_tests_do_not_depend_on_parts(coefficient, group, swap, early):
    human, metrics = matrices(3)
    how = {"group": group, "swap": swap, "early": early, "resamples": 90, "block": 40}
    expected = permutation_test(human, metrics, coefficient, **how)
    there = Sent()
    with use(there):
        assert permutation_test(human, metrics, coefficient, **how) == expected
    # Sixteenths of a block are two trials.
    assert there.chunks >= 20


@given(hands=st.integers(1, 70), seed=st.integers(0, 5))
def test_any_parts_have_the_same_bits(hands, seed):
    human, metrics = matrices(seed)
    how = {"early": None, "resamples": 61, "block": 61}
    expected = permutation_test(human, metrics, "pearson", group="none", **how)
    with pytest.MonkeyPatch.context() as patch, use(Sent()):
        patch.setattr(_executor, "_HANDS", hands)
        tests = permutation_test(human, metrics, "pearson", group="none", **how)
    assert tests == expected


@pytest.mark.parametrize(
    ("coefficient", "group", "over"),
    [
        ("kendall_b", "none", "segments"),
        ("spearman", "sys", "segments"),
        ("acc23", "item", "systems"),
        ("kendall_b", "item", "both"),
    ],
)
def test_bootstraps_do_not_depend_on_parts(monkeypatch, coefficient, group, over):
    for name in ("_PART", "_SYSTEMS_PART"):
        monkeypatch.setattr(bootstrap, name, 48 * 16 * 3)  # three resamples elsewhere
    human, metrics = matrices(4)
    how = {"group": group, "over": over, "resamples": 50}
    expected = bootstrap_metrics(human, metrics, coefficient, **how)
    there = Sent()
    with use(there):
        assert bootstrap_metrics(human, metrics, coefficient, **how) == expected
    assert there.chunks == 3 * 17
