# SPDX-License-Identifier: Apache-2.0
"""Statistics: resampling, tests, correlation, many tests at once, clusters."""

from __future__ import annotations

from tertium.stats.against_zero import correlation_p_value
from tertium.stats.clusters import Ranking, rank_clusters
from tertium.stats.correction import CORRECTIONS, adjust
from tertium.stats.correlation import (
    KENDALL_VARIANTS,
    Williams,
    fisher_interval,
    kendall,
    pearson,
    spearman,
    williams,
)
from tertium.stats.limits import Hopeless, enough_resamples, hopeless
from tertium.stats.paired import TESTS, Resampling, p_value
from tertium.stats.resample import Bootstrap, bootstrap_scores, interval

__all__ = [
    "CORRECTIONS",
    "KENDALL_VARIANTS",
    "TESTS",
    "Bootstrap",
    "Hopeless",
    "Ranking",
    "Resampling",
    "Williams",
    "adjust",
    "bootstrap_scores",
    "correlation_p_value",
    "enough_resamples",
    "fisher_interval",
    "hopeless",
    "interval",
    "kendall",
    "p_value",
    "pearson",
    "rank_clusters",
    "spearman",
    "williams",
]
