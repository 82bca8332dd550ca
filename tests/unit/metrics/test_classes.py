# SPDX-License-Identifier: Apache-2.0
"""The class hierarchy of metrics, and settings that come as a group."""

from __future__ import annotations

import pytest

import tertium
from tertium.metrics import Metric, metric_class, setting


@pytest.mark.parametrize("name", tertium.metric_names())
def test_at_most_three_classes_stand_between_a_metric_and_the_protocol(name):
    between = metric_class(name).__mro__[1 : metric_class(name).__mro__.index(Metric)]
    assert len(between) <= 3


def test_a_group_of_settings_stands_between_inherited_and_own_ones():
    group = {"depth": setting(2, "how deep", minimum=1)}

    class Base(Metric):
        width_of_base: int = setting(1, "inherited")

    class Leaf(Base, settings=group):
        height: int = setting(3, "own")

    assert list(Leaf.settings) == ["width_of_base", "depth", "height"]
    assert list(Base.settings) == ["width_of_base"]


def test_own_settings_replace_those_of_a_group():
    class Leaf(Metric, settings={"depth": setting(2, "of the group")}):
        depth: int = setting(5, "own")

    assert Leaf.settings["depth"].default == 5
    assert Leaf.depth.default == 5
