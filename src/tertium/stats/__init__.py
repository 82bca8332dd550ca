# SPDX-License-Identifier: Apache-2.0
"""Statistics: resampling, paired tests, correction for many tests, clusters."""

from __future__ import annotations

from tertium.stats.clusters import Ranking, rank_clusters
from tertium.stats.correction import CORRECTIONS, adjust
from tertium.stats.paired import TESTS, Resampling, p_value
from tertium.stats.resample import bootstrap_scores, interval

__all__ = [
    "CORRECTIONS",
    "TESTS",
    "Ranking",
    "Resampling",
    "adjust",
    "bootstrap_scores",
    "interval",
    "p_value",
    "rank_clusters",
]
