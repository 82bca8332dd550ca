# SPDX-License-Identifier: Apache-2.0
"""Which system to judge next."""

from __future__ import annotations

from math import erf, sqrt
from statistics import fmean, pvariance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.judgements.planning.systems_next import (
    PRIOR,
    Tally,
    adjusted,
    priorities,
)

SCORES = st.lists(st.integers(0, 100).map(float), min_size=2, max_size=8)


def tally_of(scores):
    tally = Tally()
    for score in scores:
        tally.add(score)
    return tally


@given(SCORES)
def test_tallies_have_mean_and_squared_deviations(scores):
    tally = tally_of(scores)
    assert tally.number == len(scores)
    assert tally.mean == pytest.approx(fmean(scores))
    assert tally.squares == pytest.approx(
        pvariance(scores) * len(scores), rel=1e-9, abs=1e-6
    )


def slow(scores, pending):
    """Return priorities straight from the formula."""
    pooled = sum(pvariance(s) * len(s) for s in scores.values()) / sum(
        len(s) - 1 for s in scores.values()
    )
    variance = {
        name: (PRIOR * pooled + pvariance(s) * len(s)) / (PRIOR + len(s) - 1)
        for name, s in scores.items()
    }
    number = {name: len(s) + pending.get(name, 0) for name, s in scores.items()}
    worth = {}
    for one in scores:
        doubt = 0.0
        for other in scores:
            if other != one:
                gap = abs(fmean(scores[one]) - fmean(scores[other]))
                spread = sqrt(
                    variance[one] / number[one] + variance[other] / number[other]
                )
                z = gap / spread
                doubt += 0.5 * (1 - erf(z / sqrt(2)))
        worth[one] = variance[one] / (number[one] * (number[one] + 1)) * doubt
    return worth


@given(
    st.dictionaries(st.sampled_from("abcd"), SCORES, min_size=2),
    st.dictionaries(st.sampled_from("abcd"), st.integers(0, 5)),
)
def test_priorities_are_those_of_the_formula(scores, pending):
    if all(len(set(some)) == 1 for some in scores.values()):
        return  # no variance
    tallies = {name: tally_of(some) for name, some in scores.items()}
    ours = priorities(tallies, pending=pending, floor=2)
    assert ours == pytest.approx(slow(scores, pending), rel=1e-6, abs=1e-12)


def test_equal_scores_without_variance_have_defined_priorities():
    same = {name: tally_of([50.0, 50.0]) for name in "ab"}
    assert priorities(same, floor=2) == {"a": 0.0, "b": 0.0}


def test_below_the_floor_the_fewest_come_first():
    tallies = {"a": tally_of([1.0] * 4), "b": tally_of([9.0] * 2), "c": Tally()}
    worth = priorities(tallies, pending={"c": 3}, floor=4)
    assert max(worth, key=worth.get) == "b"


def test_exhausted_systems_hold_nobody_at_the_floor():
    tallies = {
        "a": tally_of([80.0, 70.0] * 5),
        "b": tally_of([79.0, 71.0] * 5),
        "c": tally_of([10.0]),
    }
    worth = priorities(tallies, exhausted=["c"], floor=5)
    assert set(worth) == {"a", "b"}
    assert all(one > 0 for one in worth.values())


@given(
    st.dictionaries(st.sampled_from("abc"), st.integers(-20, 20), min_size=2),
    st.lists(st.integers(-40, 40), min_size=1, max_size=6),
)
def test_complete_designs_keep_the_differences_of_means(quality, texts):
    rows = [
        (name, str(place), float(score + text))
        for place, text in enumerate(texts)
        for name, score in quality.items()
    ]
    tallies = adjusted(rows)
    first, *others = quality
    for other in others:
        gap = tallies[first].mean - tallies[other].mean
        assert gap == pytest.approx(quality[first] - quality[other], abs=1e-3)


def test_a_system_is_not_better_for_easy_texts():
    rows = [("a", "1", 90.0), ("b", "1", 88.0), ("a", "2", 30.0), ("b", "2", 28.0)]
    rows += [("b", str(text), 95.0) for text in range(3, 9)]
    rows += [("c", str(text), 97.0) for text in range(3, 9)]
    plain = fmean(s for n, _, s in rows if n == "b") - fmean([90.0, 30.0])
    tallies = adjusted(rows)
    assert plain > 10
    assert abs(tallies["b"].mean - tallies["a"].mean) < plain
