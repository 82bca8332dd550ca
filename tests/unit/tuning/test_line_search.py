# SPDX-License-Identifier: Apache-2.0
"""Exact line search: the example of a textbook size, and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.tuning import winners_at
from tertium.errors import InputError
from tertium.metrics import Metric
from tertium.tuning.line_search import Smoothing, intervals, line_search, sweep
from tertium.tuning.pool import Objective, Pool


class Share(Metric):
    """Correct ones per one; the row is (correct, all)."""

    name = "share"
    unit = 1.0

    @property
    def width(self):
        return 2

    def statistics(self, hyps, refs, *, threads=None):
        raise NotImplementedError

    def from_statistics(self, rows):
        rows = np.asarray(rows, dtype=np.float64)
        return rows[..., 0] / np.maximum(rows[..., 1], 1)


class Error(Share):
    """What is not correct."""

    higher_is_better = False

    def from_statistics(self, rows):
        return 1 - super().from_statistics(rows)


# Offset, slope, correct words of five, in two lists.
FIRST = [(0, -1, 2), (1, 0, 3), (0, 1, 1), (0.2, 0, 5)]
SECOND = [(1, -1, 1), (0.6, 0, 4), (0, 1, 2)]


def example(metric=None, order=(0, 1, 2, 3)):
    lines = [*(FIRST[i] for i in order), *SECOND]
    features = np.array([line[:2] for line in lines], dtype=np.float64)
    statistics = np.array([[line[2], 5] for line in lines], dtype=np.float64)
    pool = Pool(("t", "m"), np.array([0, 4, 7]), features, statistics)
    return Objective(pool, metric or Share())


POINT, DIRECTION = np.array([1.0, 0.0]), np.array([0.0, 1.0])


def test_two_lists_have_the_intervals_of_their_envelopes():
    objective = example()
    line = intervals(objective, POINT, DIRECTION)
    assert line.cuts == pytest.approx([-1, 0.4, 0.6, 1])
    assert objective.values(line.statistics) == pytest.approx([0.3, 0.4, 0.7, 0.5, 0.3])


def test_the_best_gamma_is_the_middle_of_the_best_interval():
    gamma, score = line_search(example(), POINT, DIRECTION)
    assert gamma == pytest.approx(0.5)
    assert score == pytest.approx(0.7)


def test_errors_are_minimised():
    gamma, score = line_search(example(Error()), POINT, DIRECTION)
    assert gamma == pytest.approx(0.5)
    assert score == pytest.approx(0.3)


@pytest.mark.parametrize("order", [(3, 2, 1, 0), (1, 3, 0, 2)])
def test_the_order_of_hypotheses_does_not_matter(order):
    one = intervals(example(), POINT, DIRECTION)
    other = intervals(example(order=order), POINT, DIRECTION)
    assert np.array_equal(one.cuts, other.cuts)
    assert np.array_equal(one.statistics, other.statistics)


def test_neighbours_vote_where_scores_are_smoothed():
    values = np.array([0.0, 9.0, 0.0, 6.0, 6.0, 6.0])
    mean = Smoothing("mean", 1).applied(values)
    assert mean == pytest.approx([4.5, 3, 5, 4, 6, 6])
    assert Smoothing("minimum", 1).applied(values).argmax() == 4
    assert Smoothing("minimum", 2).applied(values).tolist() == [0, 0, 0, 0, 0, 6]


def test_equal_scores_stay_where_they_are_or_take_the_widest_interval():
    line = sweep(example(), np.zeros(7), np.zeros(7))
    assert line.cuts.size == 0
    assert line.inside(0) == 0
    line = intervals(example(), POINT, DIRECTION)
    assert line.best(np.ones(5)) == 1  # -1 to 0.4 is around 0
    assert line.best(np.array([0, 0, 1.0, 1.0, 0])) == 3
    assert [line.inside(i) for i in (0, 4)] == pytest.approx([-2, 2])


def test_wrong_smoothing_is_rejected():
    with pytest.raises(InputError, match="choose from none, mean, minimum"):
        Smoothing("max")
    with pytest.raises(InputError, match="window is 0"):
        Smoothing("mean", 0)


numbers = st.integers(-6, 6).map(lambda x: x / 2)
lines = st.tuples(numbers, numbers, st.integers(0, 5))
some_lists = st.lists(st.lists(lines, min_size=1, max_size=20), min_size=1, max_size=4)


@settings(max_examples=60)
@given(some_lists, st.integers(0, 2**32))
def test_intervals_equal_brute_force_at_a_thousand_gammas(lists, seed):
    rows = np.array([line for each in lists for line in each], dtype=np.float64)
    offsets, slopes, correct = map(np.ascontiguousarray, rows.T)
    first = np.cumsum([0, *map(len, lists)])
    statistics = np.stack([correct, np.full(len(correct), 5.0)], axis=1)
    pool = Pool(("t", "m"), first, np.ascontiguousarray(rows[:, :2]), statistics)
    objective = Objective(pool, Share(), 1)
    line = sweep(objective, offsets, slopes)
    gammas = np.random.default_rng(seed).uniform(-14, 14, size=1000)
    near = np.any(np.abs(line.cuts - gammas[:, None]) < 1e-9, axis=1)
    chosen = winners_at(gammas, offsets, slopes, first)
    here = np.searchsorted(line.cuts, gammas)
    right = np.all(line.statistics[here] == statistics[chosen].sum(axis=1), axis=1)
    assert np.all(right | near)


def test_threads_change_nothing():
    random = np.random.default_rng(1)
    n = 400 * 20
    features, statistics = random.normal(size=(n, 2)), random.uniform(size=(n, 2))
    pool = Pool(("t", "m"), np.arange(0, n + 1, 20), features, statistics)
    one, two = (
        intervals(Objective(pool, Share(), threads), POINT, DIRECTION)
        for threads in (1, 2)
    )
    assert np.array_equal(one.cuts, two.cuts)
    assert np.array_equal(one.statistics, two.statistics)
    for gamma in random.uniform(-3, 3, size=20):
        chosen = pool.winners(features[:, 0] + gamma * features[:, 1])
        here = np.searchsorted(one.cuts, gamma)
        assert one.statistics[here] == pytest.approx(statistics[chosen].sum(axis=0))


def test_arrays_that_do_not_fit_are_rejected():
    objective = example()
    with pytest.raises(ValueError, match="different lengths"):
        sweep(objective, np.zeros(6), np.zeros(7))
    wrong = Pool(("t",), np.array([0, 9]), np.zeros((7, 1)), np.zeros((7, 2)))
    with pytest.raises(ValueError, match="do not divide"):
        sweep(Objective(wrong, Share()), np.zeros(7), np.zeros(7))
