# SPDX-License-Identifier: Apache-2.0
"""How many resamples a correction needs, and why a test may be hopeless."""

from __future__ import annotations

import pytest

from tertium.stats import adjust, enough_resamples, hopeless


@pytest.mark.parametrize("tests", [1, 10, 55, 78, 1225])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("correction", ["holm", "bh", "none"])
def test_a_single_clear_difference_is_at_most_a_fifth_of_alpha(
    tests, alpha, correction
):
    resamples = enough_resamples(tests, alpha, correction=correction)
    clear, *_ = adjust([1 / (resamples + 1)] + [1.0] * (tests - 1), correction)
    assert clear <= alpha / 5


def test_few_tests_have_the_usual_number_and_many_at_most_a_million():
    assert enough_resamples(3, 0.05) == 1000
    assert enough_resamples(3, 0.05, least=10_000) == 10_000
    assert enough_resamples(78, 0.05, correction="none") == 1000
    assert enough_resamples(10**6, 0.001) == 1_000_000


def run(tests=6, **changed):
    usual = {
        "correction": "holm", "resamples": 1000, "units": 100, "swapped": False,
    }  # fmt: skip
    return hopeless(tests, 0.05, **{**usual, **changed})


def test_a_test_that_can_succeed_is_not_hopeless():
    assert run() is None
    assert run(swapped=True) is None
    assert run(tests=55, correction="none") is None
    # Six segments have 64 assignments, which are fewer than 1,000 resamples.
    assert run(tests=1, swapped=True, units=6) is None


def test_too_few_resamples_are_the_reason_if_more_would_help():
    done = run(tests=78)
    assert (done.reason, done.needed) == ("resamples", 7800)
    assert done.p == 1 / 1001
    assert done.adjusted == pytest.approx(78 / 1001)
    assert run(tests=78, resamples=done.needed) is None
    assert run(resamples=10, swapped=True).reason == "resamples"


def test_too_few_units_are_the_reason_if_resamples_would_not_help():
    done = run(swapped=True, units=6)
    assert (done.reason, done.p) == ("units", 2 / 64)
    assert done.adjusted == pytest.approx(12 / 64)
    assert run(swapped=True, units=6, resamples=10).reason == "units"
    assert run(tests=1, units=1).reason == "units"
    assert run(units=6) is None  # the bootstrap has no such limit
