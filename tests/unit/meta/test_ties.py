# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tertium.errors import InputError, UnknownNameError
from tertium.meta import (
    TIE_MATRICES,
    Cells,
    TieMatrix,
    bootstrap_difference,
    cells_from,
    draw_taus,
    signs_from_ratings,
    tau,
    tie_matrix,
)
from tertium.stats import interval

counts = st.lists(
    st.lists(st.integers(0, 50), min_size=3, max_size=3), min_size=3, max_size=3
).map(lambda rows: Cells(tuple(map(tuple, rows))))

SIDE = {"<": 1, "=": 0, ">": -1}


def cells(*pairs: str) -> Cells:
    return cells_from([SIDE[p[0]] for p in pairs], [SIDE[p[1]] for p in pairs])


def taus(table: Cells) -> list[float | None]:
    return [tau(table, tie_matrix(n)) for n in ("wmt12", "wmt13", "wmt14", "hties")]


def test_examples_of_the_thesis():  # vector 9
    three = cells("<<", ">>", "><")
    assert tau(three, tie_matrix("wmt14")) == pytest.approx(1 / 3)
    assert taus(cells("<<", "<<", ">=", "=>")) == pytest.approx(
        [1 / 3, 1, 2 / 3, 1 / 2]
    )


def test_grid():  # vector 10
    grid = Cells(((7, 2, 3), (1, 4, 2), (2, 1, 8)))
    assert taus(grid) == pytest.approx([7 / 23, 10 / 20, 10 / 23, 14 / 30])
    assert taus(Cells(((0, 2, 0), (0, 2, 0), (0, 1, 0)))) == [-1, None, 0, 0.4]


@given(counts)
def test_identities_between_presets(table):
    untied = sum(table.counts[0]) + sum(table.counts[2])
    assume(untied > 0)
    t = (table.counts[0][1] + table.counts[2][1]) / untied
    human = sum(table.counts[1])
    p = human / table.total
    t_h = table.counts[1][1] / human if human else 0
    t12, t13, t14, hties = taus(table)
    assert t12 == pytest.approx(t14 - t)
    if t < 1:
        assert t13 == pytest.approx(t14 / (1 - t))
        assert t13 == pytest.approx(t14 / (1 - t14 + t12))
    else:
        assert t13 is None
    assert hties == pytest.approx((1 - p) * t14 + p * t_h)
    if t14 >= 0 and t13 is not None:
        assert t13 >= t14 - 1e-12 >= t12 - 2e-12


@given(counts)
def test_turning_both_sides_changes_nothing(table):
    turned = Cells(tuple(row[::-1] for row in table.counts[::-1]))
    for matrix in TIE_MATRICES.values():
        assert tau(turned, matrix) == tau(table, matrix)


@given(counts, counts)
def test_cells_add_up(a, b):
    both = a + b
    assert both.total == a.total + b.total
    assert both.counts[1][2] == a.counts[1][2] + b.counts[1][2]


@given(
    st.lists(st.tuples(st.sampled_from([-1, 0, 1]), st.integers(-3, 3)), max_size=30),
    st.integers(0, 3),
)
def test_cells_are_counted_one_by_one(pairs, epsilon):
    table = [[0] * 3 for _ in range(3)]
    for human, metric in pairs:
        column = 1 if abs(metric) <= epsilon else 0 if metric > 0 else 2
        table[1 - human][column] += 1
    got = cells_from([h for h, _ in pairs], [m for _, m in pairs], epsilon)
    assert got == Cells(tuple(map(tuple, table)))


def test_matrices_are_read_and_checked():
    result = TieMatrix.parse("1 0 -1; x 1 x; -1 0 1")
    assert result.values[1] == (None, 1, None)
    assert tie_matrix(str(result)) == result
    assert tie_matrix("darr").values == tie_matrix("wmt12").values
    with pytest.raises(UnknownNameError, match="did you mean wmt1"):
        tie_matrix("wmt15")
    with pytest.raises(InputError, match="nine of -1, 0, 1 and X"):
        TieMatrix.parse("1 0 2 X X X 1 1 1")
    with pytest.raises(InputError, match=r"cell \(=, >\) of a tie matrix is 2"):
        TieMatrix(((1, 0, 0), (0, 0, 2), (0, 0, 0)))
    with pytest.raises(InputError, match="none below 0"):
        Cells(((1, 0, 0), (0, 0, -2), (0, 0, 0)))
    with pytest.raises(InputError, match="metric difference 1 is missing"):
        cells_from([1, 1], [0, np.nan])
    with pytest.raises(InputError, match="2 human comparisons, 1 by the metric"):
        cells_from([1, 1], [0])


def test_ratings_close_to_each_other_are_no_comparison():
    first, second = np.array([75, 74.9, 0, np.nan]), np.array([50, 50, 25, 50])
    result = signs_from_ratings(first, second, threshold=25)
    assert result.tolist() == [1, 0, -1, 0]
    assert signs_from_ratings(second, first, threshold=25).tolist() == [-1, 0, 1, 0]


def test_half_width_is_the_analytic_one():  # vector 17
    table = Cells(((700, 0, 0), (0, 0, 0), (300, 0, 0)))
    drawn = draw_taus(table, tie_matrix("wmt14"))
    low, high = interval(drawn)
    assert tau(table, tie_matrix("wmt14")) == pytest.approx(0.4)
    assert (high - low) / 2 == pytest.approx(0.0568, abs=0.004)
    assert low < 0.4 < high
    assert (drawn == draw_taus(table, tie_matrix("wmt14"))).all()
    assert (drawn != draw_taus(table, tie_matrix("wmt14"), seed=0)).any()


def test_multinomial_draws_are_those_of_resampled_comparisons():
    table = Cells(((30, 8, 10), (5, 9, 2), (9, 7, 20)))
    each = [c for r in range(3) for c in [r] * 0] + [
        (r, c) for r in range(3) for c in range(3) for _ in range(table.counts[r][c])
    ]
    random = np.random.default_rng(1)
    values = []
    for _ in range(2000):
        drawn = [each[k] for k in random.integers(0, len(each), len(each))]
        resampled = cells_from([1 - r for r, _ in drawn], [1 - c for _, c in drawn])
        values.append(tau(resampled, tie_matrix("wmt14")))
    low, high = interval(draw_taus(table, tie_matrix("wmt14"), resamples=20_000))
    assert low == pytest.approx(np.quantile(values, 0.025), abs=0.02)
    assert high == pytest.approx(np.quantile(values, 0.975), abs=0.02)


def test_draws_without_a_comparison_that_counts_are_undefined():
    ties = Cells(((0, 3, 0), (0, 2, 0), (0, 0, 0)))
    assert np.isnan(draw_taus(ties, tie_matrix("wmt13"))).all()
    none = Cells(((0,) * 3,) * 3)
    assert np.isnan(draw_taus(none, tie_matrix("wmt14"))).all()
    # One comparison that counts, ten that do not: some resamples have none.
    few = Cells(((1, 10, 0), (0, 0, 0), (0, 0, 0)))
    assert 0 < np.isnan(draw_taus(few, tie_matrix("wmt13"))).sum() < 1000


def test_paired_bootstrap_of_metrics():
    random = np.random.default_rng(2)
    human = random.choice([-1, 0, 1], 400)
    good = human + random.normal(size=400)
    bad = human + 9 * random.normal(size=400)
    result = bootstrap_difference(human, good, bad, tie_matrix("wmt14"))
    want = [tau(cells_from(human, m), tie_matrix("wmt14")) for m in (good, bad)]
    assert result.difference == pytest.approx(want[0] - want[1])
    assert result.interval[0] > 0
    assert result.p < 0.01
    same = bootstrap_difference(human, good, good, tie_matrix("wmt14"))
    assert (same.difference, same.interval, same.p) == (0, (0, 0), 1)
    assert bootstrap_difference([0], [1], [1], tie_matrix("wmt14")) is None
