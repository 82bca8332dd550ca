# SPDX-License-Identifier: Apache-2.0
"""Helpers of the recipes for DTED and DERP."""

from __future__ import annotations

import pytest

from tertium.reproductions.recipes.dted import derp as dted_derp
from tertium.reproductions.recipes.dted import survey as dted_survey
from tertium.reproductions.recipes.dted.trees import tree_of


def test_a_path_has_the_edges_below_the_highest_word():
    tree = tree_of("a b c d", "2 0 2 3")
    assert dted_derp._steps(tree, (0, 3)) == [0, 3, 2]
    assert dted_derp._steps(tree, (1, 3)) == [3, 2]


def test_p_values_of_correlations():
    # z is 2.24, for which tables of the normal distribution have .025.
    assert dted_survey._p_value({"ρ": 0.196, "count": 138}) == pytest.approx(
        0.0250, abs=5e-4
    )
    assert dted_survey._p_value({"ρ": 0.0, "count": 20}) == 1
