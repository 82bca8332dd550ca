# SPDX-License-Identifier: Apache-2.0
"""Metrics: the protocol, the registry, and one file for every metric."""

from __future__ import annotations

from tertium.metrics.base import Metric, References
from tertium.metrics.native import NativeMetric
from tertium.metrics.registry import metric, metric_class, metric_names, register
from tertium.metrics.settings import Setting, setting

__all__ = [
    "Metric",
    "NativeMetric",
    "References",
    "Setting",
    "metric",
    "metric_class",
    "metric_names",
    "register",
    "setting",
]
