# SPDX-License-Identifier: Apache-2.0
"""Families of metrics, range against range."""

from __future__ import annotations

from itertools import product

import pytest

from tertium.meta.agreement.coefficients import COEFFICIENTS
from tertium.meta.families import families, family_tests
from tertium.meta.results import Correlation, Correlations


def result(values, *, probes=()):
    one = tuple(
        Correlation("de-en", name, "spearman:none", value, None, 9, name in probes)
        for name, value in values.items()
    )
    return Correlations(
        (COEFFICIENTS["spearman:none"],), one, {"de-en": "ratings"}, {}, {}
    )


APART = {"dted:a": 0.5, "dted:b": 0.6, "derp:a": 0.2, "derp:b": 0.4, "bleu": 0.45}


def test_families_go_by_name():
    outcome = families(
        result(APART | {"derp:c": None, "length": 0.1}, probes=["length"])
    )
    assert [(each.name, each.values) for each in outcome] == [
        ("dted", [0.5, 0.6]),
        ("derp", [0.2, 0.4]),
        ("bleu", [0.45]),
    ]
    assert outcome[0].mean == pytest.approx(0.55)


def test_the_range_decides():
    tests = {(t.a, t.b): t.better for t in family_tests(result(APART))}
    assert tests == {
        ("dted", "derp"): "dted",
        ("dted", "bleu"): "dted",
        ("derp", "bleu"): "bleu",
    }
    [overlap] = family_tests(result({"x:1": 0.1, "x:2": 0.5, "y:1": 0.3}))
    [touching] = family_tests(result({"x:1": 0.1, "x:2": 0.3, "y:1": 0.3}))
    assert (overlap.better, touching.better) == (None, None)


def test_u_counts_pairs():
    values = {"x:1": 0.1, "x:2": 0.5, "x:3": 0.7, "y:1": 0.3, "y:2": 0.6}
    [test] = family_tests(result(values))
    pairs = product([0.1, 0.5, 0.7], [0.3, 0.6])
    assert test.u == sum(x > y for x, y in pairs)


@pytest.mark.parametrize(("size", "p"), [(3, 0.1), (4, 2 / 70)])
def test_the_smallest_p_of_small_families(size, p):
    values = {f"x:{i}": 0.5 + i / 10 for i in range(size)}
    values |= {f"y:{i}": 0.1 + i / 100 for i in range(size)}
    [test] = family_tests(result(values))
    assert (test.better, test.p) == ("x", pytest.approx(p))


def test_equal_values_are_no_difference():
    [test] = family_tests(result({"x:1": 0.3, "x:2": 0.3, "y:1": 0.3}))
    assert (test.better, test.u, test.p) == (None, 1.0, 1.0)


def test_families_may_be_named_otherwise():
    outcome = families(result(APART), lambda name: name[-1])
    assert [each.name for each in outcome] == ["a", "b", "u"]
