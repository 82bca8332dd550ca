# SPDX-License-Identifier: Apache-2.0
"""Alpha, Fleiss, Cohen, intraclass correlations: twins, laws, no answers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from oracles.agreement import alpha as slow_alpha
from oracles.agreement import fleiss as slow_fleiss
from tertium.errors import InputError, UnknownNameError
from tertium.judgements.agreement.icc import intraclass_correlations
from tertium.judgements.agreement.reliability import (
    LEVELS,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    long_form,
)
from tertium.stats.resample import Bootstrap

VALUES = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 4)), min_size=1, max_size=25
)
TABLES = st.integers(2, 5).flatmap(
    lambda judges: st.lists(
        st.lists(st.integers(0, 9), min_size=judges, max_size=judges),
        min_size=2,
        max_size=8,
    )
)


@pytest.mark.parametrize("level", LEVELS)
@given(VALUES)
@settings(max_examples=60)
def test_alpha_is_that_of_the_matrix_of_coincidences(level, values):
    units, scores = zip(*values, strict=True)
    result = krippendorff_alpha(units, scores, level=level)
    slow = slow_alpha(units, scores, level)
    if slow is None:
        assert result.value is None
        assert result.reason
    else:
        assert result.value == pytest.approx(slow, abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(-1, 1)), max_size=25))
@settings(max_examples=60)
def test_alpha_of_outcomes_does_not_know_which_came_first(values):
    units = np.array([unit for unit, _ in values], int)
    scores = np.array([score for _, score in values], int)
    turned = np.where(units % 2 == 0, scores, -scores)  # some pairs the other way
    for coefficient in (krippendorff_alpha, fleiss_kappa):
        more = {"level": "nominal"} if coefficient is krippendorff_alpha else {}
        one = coefficient(units, scores, mirrored=True, **more)
        two = coefficient(units, turned, mirrored=True, **more)
        assert one.value == pytest.approx(two.value)
    slow = slow_alpha(units, scores, "nominal", mirrored=True)
    one = krippendorff_alpha(units, scores, level="nominal", mirrored=True).value
    assert one == pytest.approx(slow)


@given(VALUES, st.floats(0.001, 1e6), st.floats(-1e6, 1e6))
@settings(max_examples=40)
def test_interval_alpha_knows_no_origin_and_no_unit(values, unit, origin):
    units, scores = (np.array(x, float) for x in zip(*values, strict=True))
    one = krippendorff_alpha(units, scores).value
    two = krippendorff_alpha(units, scores * unit + origin).value
    assert one == pytest.approx(two, abs=1e-5)


@given(VALUES)
@settings(max_examples=40)
def test_ordinal_alpha_knows_the_order_only(values):
    units, scores = (np.array(x) for x in zip(*values, strict=True))
    one = krippendorff_alpha(units, scores, level="ordinal").value
    two = krippendorff_alpha(units, np.exp(scores), level="ordinal").value
    assert one == pytest.approx(two)


@given(TABLES)
@settings(max_examples=60)
def test_fleiss_is_that_of_its_table(table):
    units, _, values = long_form(table)
    counts = [[row.count(value) for value in range(10)] for row in table]
    result = fleiss_kappa(units, values).value
    if len({value for row in table for value in row}) == 1:
        assert result is None
    else:
        assert result == pytest.approx(slow_fleiss(counts))


def mean_squares(table):
    """Return the six of Shrout and Fleiss by the formulas of their paper."""
    x = np.asarray(table, float)
    n, k = x.shape
    rows, columns = x.mean(axis=1), x.mean(axis=0)
    bms = k * rows.var() * n / (n - 1)
    jms = n * columns.var() * k / (k - 1)
    wms = ((x - rows[:, None]) ** 2).sum() / (n * (k - 1))
    rest = x - rows[:, None] - columns + x.mean()
    ems = (rest**2).sum() / ((n - 1) * (k - 1))
    bms, jms, wms, ems = np.round([bms, jms, wms, ems], 10)
    with np.errstate(all="ignore"):
        return [
            (bms - wms) / (bms + (k - 1) * wms),
            (bms - ems) / (bms + (k - 1) * ems + k * (jms - ems) / n),
            (bms - ems) / (bms + (k - 1) * ems),
            (bms - wms) / bms,
            (bms - ems) / (bms + (jms - ems) / n),
            (bms - ems) / bms,
        ]


@given(TABLES)
@example([[0, 1], [1, 0], [0, 0]])  # a denominator that is 0 but for rounding
@settings(max_examples=60)
def test_intraclass_correlations_are_those_of_the_formulas(table):
    result = intraclass_correlations(*long_form(table))
    for one, slow in zip(result.values.values(), mean_squares(table), strict=True):
        if one.value is None:
            assert one.reason
            assert not abs(slow) < 1e6  # nothing divided by nothing
        else:
            assert one.value == pytest.approx(slow, rel=1e-6, abs=1e-6)


@given(TABLES, st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_order_of_judges_and_units_changes_nothing(table, random):
    judges = random.sample(range(len(table[0])), len(table[0]))
    other = [[row[j] for j in judges] for row in random.sample(table, len(table))]
    one, two = (intraclass_correlations(*long_form(t)).values for t in (table, other))
    for name in one:
        assert one[name].reason == two[name].reason
        if one[name].value is not None:
            assert one[name].value == pytest.approx(two[name].value, rel=1e-6)


def test_missing_judgements_bring_in_the_mixed_model():
    rng = np.random.default_rng(11)
    quality, habit = rng.normal(size=120), 0.5 * rng.normal(size=6)
    table = quality[:, None] + habit + 0.7 * rng.normal(size=(120, 6))
    complete = intraclass_correlations(*long_form(table))
    table[rng.random((120, 6)) < 0.4] = np.nan
    result = intraclass_correlations(*long_form(table), bootstrap=Bootstrap(40))
    for one in result.values.values():
        assert one.interval[0] < one.value < one.interval[1]
        assert one.interval[1] - one.interval[0] < 0.4
    assert result.method == "mixed model"
    assert 2 < result.k < 4.5
    for name in ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)"):
        assert result[name].value == pytest.approx(complete[name].value, abs=0.08)


def test_judges_who_always_agree_have_correlations_of_one():
    table = [[1, 1, None], [None, 5, 5], [3, None, 3], [4, 4, 4]]
    result = intraclass_correlations(*long_form(table), bootstrap=Bootstrap(20))
    assert [one.value for one in result.values.values()] == pytest.approx([1.0] * 6)


# -------------------------------------------------------------------- no answer


@pytest.mark.parametrize("level", LEVELS)
def test_constant_values_have_no_alpha(level):
    result = krippendorff_alpha([1, 1, 2, 2], [3, 3, 3, 3], level=level)
    assert result.value is None
    assert "the same" in result.reason


def test_no_overlap_has_no_answer():
    assert "twice" in krippendorff_alpha([1, 2], [1, 2]).reason
    assert "twice" in fleiss_kappa([1, 2], [1, 2]).reason
    assert "twice" in krippendorff_alpha([], []).reason
    assert "no unit in common" in cohen_kappa([], []).reason
    for one in intraclass_correlations([1, 2], [1, 2], [1, 2]).values.values():
        assert "fewer than two units" in one.reason


def test_constant_ratings_have_no_intraclass_correlation():
    result = intraclass_correlations(*long_form([[3, 3], [3, 3], [3, 3]]))
    assert all("the same" in one.reason for one in result.values.values())


def test_units_that_do_not_differ_have_no_average_correlation():
    result = intraclass_correlations(*long_form([[1, 2], [1, 2], [1, 2]]))
    assert result["ICC(3,k)"].value is None
    assert "do not differ" in result["ICC(3,k)"].reason


def test_equal_judges_with_one_value_have_no_kappa():
    assert "the same" in cohen_kappa([1, 1], [1, 1]).reason
    assert "the same" in fleiss_kappa([1, 1], [4, 4]).reason


def test_wrong_input_is_rejected():
    with pytest.raises(UnknownNameError, match="level"):
        krippendorff_alpha([1, 1], [1, 2], level="cardinal")
    with pytest.raises(InputError, match="finite"):
        krippendorff_alpha([1, 1], [1, float("nan")])
    with pytest.raises(InputError, match="nominal level only"):
        krippendorff_alpha([1, 1], ["a", "b"])
    with pytest.raises(InputError, match="ratio"):
        krippendorff_alpha([1, 1], [-1, 2], level="ratio")
    with pytest.raises(InputError, match="as many units"):
        krippendorff_alpha([1], [1, 2])
    with pytest.raises(InputError, match="two values of a unit"):
        intraclass_correlations([1, 1, 2, 2], [1, 1, 1, 2], [1, 2, 3, 4])
    with pytest.raises(UnknownNameError, match="weights"):
        cohen_kappa([1], [1], weights="cubic")
    with pytest.raises(InputError, match="one value per unit"):
        cohen_kappa([1], [1, 2])
    with pytest.raises(InputError, match="rows"):
        long_form([1, 2])


# ------------------------------------------------------------------- intervals


def test_intervals_hold_the_figure_and_are_the_same_again():
    rng = np.random.default_rng(2)
    quality = rng.normal(size=80)
    table = np.clip(np.round(3 + quality[:, None] + rng.normal(size=(80, 3)), 0), 1, 5)
    units, judges, values = long_form(table)
    run = Bootstrap(200, seed=4)

    def all_of_them():
        results = [
            krippendorff_alpha(units, values, level=level, bootstrap=run)
            for level in LEVELS
        ]
        results.append(fleiss_kappa(units, values, bootstrap=run))
        results.append(cohen_kappa(table[:, 0], table[:, 1], bootstrap=run))
        icc = intraclass_correlations(units, judges, values, bootstrap=run)
        return results + list(icc.values.values())

    first = all_of_them()
    for one in first:
        low, high = one.interval
        assert low < one.value < high
        assert high - low < 0.5
    assert first == all_of_them()


def test_values_of_a_cluster_are_drawn_together():
    """Copies of a unit add no certainty if they belong to one segment."""
    rng = np.random.default_rng(9)
    units, _, values = long_form(rng.normal(size=(30, 1)) + rng.normal(size=(30, 2)))
    run = Bootstrap(500)
    one = krippendorff_alpha(units, values, bootstrap=run)
    copies = np.concatenate([units + 100 * i for i in range(4)])
    alone = krippendorff_alpha(copies, np.tile(values, 4), bootstrap=run)
    together = krippendorff_alpha(
        copies, np.tile(values, 4), clusters=np.tile(units, 4), bootstrap=run
    )

    def width(figure):
        return figure.interval[1] - figure.interval[0]

    assert width(together) == pytest.approx(width(one), rel=0.1)
    assert width(alone) < 0.7 * width(one)
