# SPDX-License-Identifier: Apache-2.0
"""The facts of metrics as JSON."""

from __future__ import annotations

import json

import pytest

from tertium.metrics import metric_class, metric_names
from tertium.metrics.facts import metric_facts


@pytest.mark.parametrize("name", metric_names())
def test_facts_of_every_metric_are_json(name):
    facts = metric_facts(metric_class(name))
    assert json.loads(json.dumps(facts)) == facts
    assert facts["summary"]


def test_infinite_bounds_are_null():
    assert metric_facts(metric_class("ter"))["bounds"] == [0.0, None]
