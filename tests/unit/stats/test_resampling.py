# SPDX-License-Identifier: Apache-2.0
"""Resampling: right weights, right p-values, equal on every thread count."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium import _core
from tertium.stats import (
    Bootstrap,
    Resampling,
    bootstrap_scores,
    interval,
    p_value,
)
from tertium.stats.resample import block_sums, draw_sums


def mean(rows):
    return rows[..., 0] / rows[..., 1]


def as_rows(values):
    return np.column_stack([values, np.ones(len(values))])


SPLITMIX = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
MASK = 2**64 - 1


def scramble(z: int) -> int:
    """SplitMix64's output function in Python's integers."""
    z = ((z ^ (z >> 30)) * SPLITMIX[0]) & MASK
    z = ((z ^ (z >> 27)) * SPLITMIX[1]) & MASK
    return z ^ (z >> 31)


def draws(seed: int, trial: int):
    state = scramble((scramble(seed) + 0xD1342543DE82EF95 * (trial + 1)) & MASK)
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        yield scramble(state)


@given(st.integers(0, MASK), st.integers(1, 150), st.integers(0, 3))
def test_coin_sums_equal_their_twin(seed, n, trial):
    rows = np.arange(1.0, 2 * n + 1).reshape(n, 2)
    bits = [
        b >> i & 1 for b in itertools.islice(draws(seed, trial), 3) for i in range(64)
    ]
    expected = sum(
        (row for row, bit in zip(rows, bits, strict=False) if bit), np.zeros(2)
    )
    for scale in (1.0, 0.5):  # whole numbers and fractions
        sums = _core.coin_sums(scale * rows, trial + 1, seed, 1)
        assert sums[trial].tolist() == list(scale * expected)


@given(st.integers(0, MASK), st.integers(1, 60), st.integers(0, 3))
def test_bootstrap_sums_equal_their_twin(seed, n, trial):
    source = draws(seed, trial)

    def scaled(half: int) -> int:
        while half * n & 0xFFFFFFFF < 2**32 % n:  # Lemire's rejection
            half = next(source) & 0xFFFFFFFF
        return half * n >> 32

    drawn: list[int] = []
    while len(drawn) < n:
        both = next(source)
        drawn += [scaled(both & 0xFFFFFFFF)]
        drawn += [scaled(both >> 32)] if len(drawn) < n else []
    for scale in (1.0, 0.5, 1e6):  # small whole numbers, fractions, large ones
        rows = scale * np.arange(1.0, 2 * n + 1).reshape(n, 2)
        expected = sum((rows[i] for i in drawn), np.zeros(2))
        sums = _core.bootstrap_sums(rows, trial + 1, seed, 1)
        assert sums[trial].tolist() == list(expected)


@pytest.mark.parametrize("kernel", [_core.bootstrap_sums, _core.coin_sums])
def test_threads_change_nothing(kernel):
    rows = np.random.default_rng(1).normal(size=(3000, 7))
    one = kernel(rows, 200, 3, 1)
    for threads in (2, 3, 0):
        assert np.array_equal(one, kernel(rows, 200, 3, threads))


def test_a_longer_run_starts_with_the_shorter_one():
    rows = np.random.default_rng(2).normal(size=(50, 2))
    short = _core.bootstrap_sums(rows, 10, 5, 1)
    assert np.array_equal(short, _core.bootstrap_sums(rows, 100, 5, 1)[:10])


def test_a_long_run_in_parts_equals_one_in_one_piece(monkeypatch):
    rows = np.random.default_rng(9).normal(size=(50, 3))
    for test in ("bootstrap", "randomisation"):
        whole = draw_sums(test, rows, 300, seed=1, threads=1)
        monkeypatch.setattr("tertium.stats.resample._PART", 1)
        assert np.array_equal(whole, draw_sums(test, rows, 300, seed=1, threads=1))
        monkeypatch.undo()


def test_draws_are_uniform():
    """Ten segments, 20,000 trials: every segment within five standard errors."""
    eye = np.eye(10)
    counts = _core.bootstrap_sums(eye, 20_000, 1, 0).mean(axis=0)
    assert np.allclose(counts, 1.0, atol=5 * np.sqrt(0.9 / 20_000))
    heads = _core.coin_sums(eye, 20_000, 1, 0).mean(axis=0)
    assert np.allclose(heads, 0.5, atol=5 * 0.5 / np.sqrt(20_000))
    pairs = np.corrcoef(_core.coin_sums(eye, 20_000, 1, 0).T)
    assert np.abs(pairs - np.eye(10)).max() < 5 / np.sqrt(20_000)


def test_zero_is_a_seed():
    """sacreBLEU 2.6 runs unseeded with seed 0: three runs, three p-values."""
    rows = as_rows(np.random.default_rng(3).normal(size=200))
    runs = [bootstrap_scores(rows, mean, seed=seed) for seed in (0, 0, 1)]
    assert np.array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])


def test_the_interval_covers_what_it_promises():
    """A 95 % interval of a mean, over 400 samples: 92 % to 98 % cover zero."""
    generator = np.random.default_rng(4)
    covered = 0
    for seed in range(400):
        rows = as_rows(generator.normal(size=80))
        low, high = interval(bootstrap_scores(rows, mean, resamples=400, seed=seed))
        covered += low <= 0 <= high
    assert 0.92 <= covered / 400 <= 0.98


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_a_system_against_its_copy_has_p_one(test):
    """sacreBLEU 2.6 gives 0.001."""
    rows = as_rows(np.random.default_rng(5).normal(size=100))
    run = Resampling.run([rows, rows.copy()], mean, test=test)
    assert run.p_value(0, 1) == 1.0


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_p_is_uniform_under_the_null_hypothesis(test):
    """Share of p < 0.05 over 400 pairs from one distribution: about 5 %."""
    generator = np.random.default_rng(6)
    small = 0
    for seed in range(400):
        a, b = (as_rows(generator.normal(size=60)) for _ in range(2))
        run = Resampling.run([a, b], mean, test=test, resamples=300, seed=seed)
        small += run.p_value(0, 1) < 0.05
    assert 0.02 <= small / 400 <= 0.09


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_a_clear_difference_is_significant_and_order_does_not_matter(test):
    values = np.random.default_rng(7).normal(size=100)
    run = Resampling.run([as_rows(values), as_rows(values + 1)], mean, test=test)
    assert run.p_value(0, 1) < 0.01
    assert run.p_value(0, 1) == run.p_value(1, 0)


@given(
    st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=1, max_size=8)
)
def test_randomisation_is_exact_for_few_segments(pairs):
    a, b = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    run = Resampling.run([as_rows(a), as_rows(b)], mean, test="randomisation")
    assert run.exact
    differences = a - b
    observed = abs(differences.sum())
    signs = itertools.product([-1, 1], repeat=len(pairs))
    reached = [abs(np.dot(s, differences)) >= observed - 1e-9 for s in signs]
    assert run.p_value(0, 1) == pytest.approx(sum(reached) / 2 ** len(pairs))


def test_randomisation_agrees_with_the_exact_test():
    values = np.random.default_rng(8).normal(size=(12, 2))
    systems = [as_rows(values[:, 0]), as_rows(values[:, 1])]
    exact = Resampling.run(systems, mean, test="randomisation", resamples=4096)
    drawn = Resampling.run(systems, mean, test="randomisation", resamples=4095)
    assert exact.exact
    assert not drawn.exact
    assert drawn.p_value(0, 1) == pytest.approx(exact.p_value(0, 1), abs=0.03)


def test_p_is_never_zero_with_random_trials():
    assert p_value(np.zeros(999), 1.0) == 0.001
    assert p_value(np.array([1.0, -1.0]), 1.0, exact=True) == 1.0


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_one_segment_proves_nothing(test):
    run = Resampling.run([as_rows([1.0]), as_rows([2.0])], mean, test=test)
    assert run.p_value(0, 1) == 1.0


def test_scores_without_a_value_are_refused():
    rows = np.zeros((5, 2))
    with (
        np.errstate(invalid="ignore"),
        pytest.raises(tertium.NotDefinedError, match="without a value"),
    ):
        Resampling.run([rows, rows], mean)


def test_no_rows_give_no_sums():
    assert not _core.bootstrap_sums(np.zeros((0, 2)), 3, 1, 1).any()
    assert not _core.coin_sums(np.zeros((0, 2)), 3, 1, 1).any()


def test_blocks_are_summed():
    rows = np.arange(8.0).reshape(4, 2)
    assert block_sums(rows, [[0, 2], [1, 3]]).tolist() == [[4.0, 6.0], [8.0, 10.0]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resamples": 0}, "between 1 and"),
        ({"resamples": 10**12}, "between 1 and"),
        ({"seed": -1}, "seed must be between"),
        ({"test": "bootstap"}, "did you mean bootstrap"),
    ],
)
def test_wrong_runs_are_refused(options, message):
    rows = as_rows(np.ones(3))
    with pytest.raises(tertium.InputError, match=message):
        Resampling.run([rows, rows], mean, **options)


def test_systems_of_different_length_and_empty_ones_are_refused():
    with pytest.raises(tertium.InputError, match="different shapes"):
        Resampling.run([np.ones((3, 2)), np.ones((4, 2))], mean)
    with pytest.raises(tertium.InputError, match="no segments"):
        Resampling.run([np.ones((0, 2))] * 2, mean)
    with pytest.raises(tertium.InputError, match="no segments"):
        bootstrap_scores(np.ones((0, 2)), mean)


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_all_pairs_in_parts_have_the_p_values_of_single_pairs(test, monkeypatch):
    generator = np.random.default_rng(10)
    systems = [as_rows(generator.normal(size=40)) for _ in range(3)]
    pairs = [(0, 1), (0, 2), (2, 1)]
    whole = Resampling.run(systems, mean, test=test, resamples=300)
    monkeypatch.setattr("tertium.stats.resample._PART", 1)
    parts = Resampling.run(systems, mean, test=test, resamples=300)
    assert parts.p_values(pairs) == [whole.p_value(a, b) for a, b in pairs]


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_a_long_run_reports_how_far_it_is(test, monkeypatch):
    monkeypatch.setattr("tertium.stats.resample._PART", 1)
    rows = as_rows(np.random.default_rng(11).normal(size=40))
    reports = []
    run = Resampling.run(
        [rows, rows + 1],
        mean,
        test=test,
        resamples=200,
        progress=lambda done, total: reports.append((done, total)),
    )
    run.p_value(0, 1)
    assert reports == [(64, 200), (128, 200), (192, 200), (200, 200)]


@given(st.lists(st.floats(-9, 9), min_size=1, max_size=60), st.floats(0.01, 0.99))
def test_interval_ends_are_those_of_the_sorted_scores(values, confidence):
    scores = np.array(values)
    cut = int(len(scores) * (1 - confidence) / 2 + 1e-9)
    ordered = sorted(values)
    expected = (ordered[cut], ordered[len(ordered) - 1 - cut])
    assert interval(scores, confidence=confidence) == expected


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"confidence": 1.0}, "confidence"),
        ({"confidence": 0.0}, "confidence"),
        ({"resamples": -1}, "resamples"),
        ({"seed": -1}, "seed"),
        ({"resamples": 0, "seed": -1}, "seed"),
    ],
)
def test_a_bootstrap_rejects_options_without_meaning(options, name):
    with pytest.raises(tertium.InputError, match=name):
        Bootstrap(**options)


def test_a_bootstrap_without_resamples_is_legal():
    assert Bootstrap(0).resamples == 0
