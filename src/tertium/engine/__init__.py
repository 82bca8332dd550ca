# SPDX-License-Identifier: Apache-2.0
"""Where test sets, metrics and statistics meet: scoring and comparing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium._lazy import lazy

if TYPE_CHECKING:
    from tertium._executor import Executor, Processes, Threads
    from tertium.engine.results import Comparison, Pair, Score, ScoreTable
    from tertium.engine.score import score_stream

__all__ = [
    "Comparison",
    "Executor",
    "Pair",
    "Processes",
    "Score",
    "ScoreTable",
    "Threads",
    "score_stream",
]


__getattr__, __dir__ = lazy(
    __name__,
    {
        "tertium._executor": ("Executor", "Processes", "Threads"),
        ".score": ("score_stream",),
        ".results": (
            "Comparison",
            "Pair",
            "Score",
            "ScoreTable",
        ),
    },
)
