# SPDX-License-Identifier: Apache-2.0
"""Corrections for many tests, rank ranges and clusters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.stats import adjust, rank_clusters

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=10)


@given(p_values, st.sampled_from(["holm", "bh"]))
def test_adjusted_values_keep_the_order_and_never_fall(values, method):
    adjusted = adjust(values, method)
    assert all(p <= a + 1e-12 and a <= 1 for p, a in zip(values, adjusted, strict=True))
    by_value = [a for _, a in sorted(zip(values, adjusted, strict=True))]
    assert by_value == sorted(by_value)


@given(p_values, st.floats(0.001, 0.5))
def test_holm_rejects_as_the_step_down_procedure_does(values, alpha):
    rejected = 0
    for place, p in enumerate(sorted(values)):
        if (len(values) - place) * p > alpha:
            break
        rejected += 1
    assert sum(a <= alpha for a in adjust(values, "holm")) == rejected


@given(p_values, st.floats(0.001, 0.5))
def test_bh_rejects_as_the_step_up_procedure_does(values, alpha):
    count, ordered = len(values), sorted(values)
    passed = [k for k in range(1, count + 1) if count * ordered[k - 1] / k <= alpha]
    rejected = max(passed, default=0)
    assert sum(a <= alpha for a in adjust(values, "bh")) == rejected


def test_no_correction_and_unknown_ones():
    assert adjust([0.2, 0.1], "none") == [0.2, 0.1]
    with pytest.raises(tertium.InputError, match="did you mean holm"):
        adjust([0.1], "hollm")


def test_clusters_end_where_all_above_beat_all_below():
    wins = {("A", "C"), ("A", "D"), ("B", "C"), ("B", "D"), ("A", "B")}
    ranking = rank_clusters("ABCD", lambda a, b: (a, b) in wins)
    assert [(r.system, r.cluster, r.rank) for r in ranking] == [
        ("A", 1, (1, 1)),
        ("B", 2, (2, 2)),
        ("C", 3, (3, 4)),
        ("D", 3, (3, 4)),
    ]


def test_one_missing_win_joins_clusters():
    wins = {("A", "C"), ("B", "C")}
    ranking = rank_clusters("ABCD", lambda a, b: (a, b) in wins)
    assert [r.cluster for r in ranking] == [1, 1, 1, 1]
    assert ranking[2].rank == (3, 4)
