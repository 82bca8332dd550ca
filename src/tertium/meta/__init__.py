# SPDX-License-Identifier: Apache-2.0
"""Metrics against people: correlation, significance, what a difference means."""

from __future__ import annotations

from tertium.meta.score_files import read_scores
from tertium.meta.scores import MetricScores, run_metrics

__all__ = ["MetricScores", "read_scores", "run_metrics"]
