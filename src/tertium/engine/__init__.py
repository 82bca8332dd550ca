# SPDX-License-Identifier: Apache-2.0
"""Scoring and comparing systems: test sets, metrics and statistics together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium._lazy import lazy

if TYPE_CHECKING:
    from tertium._executor import Executor, Processes, Threads
    from tertium.engine.compare import compare_stream
    from tertium.engine.comparison import Comparison, Pair
    from tertium.engine.layers import check_layers, open_testset
    from tertium.engine.results import Score, ScoreTable
    from tertium.engine.score import score_stream
    from tertium.engine.score_shards import write_score_shards
    from tertium.engine.worst import WorstSegment, WorstSegments, worst_segments

__all__ = [
    "Comparison",
    "Executor",
    "Pair",
    "Processes",
    "Score",
    "ScoreTable",
    "Threads",
    "WorstSegment",
    "WorstSegments",
    "check_layers",
    "compare_stream",
    "open_testset",
    "score_stream",
    "worst_segments",
    "write_score_shards",
]


__getattr__, __dir__ = lazy(
    __name__,
    {
        "tertium._executor": ("Executor", "Processes", "Threads"),
        ".layers": ("check_layers", "open_testset"),
        ".score": ("score_stream",),
        ".score_shards": ("write_score_shards",),
        ".worst": ("WorstSegment", "WorstSegments", "worst_segments"),
        ".compare": ("compare_stream",),
        ".comparison": ("Comparison", "Pair"),
        ".results": ("Score", "ScoreTable"),
    },
)
