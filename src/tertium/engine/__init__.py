# SPDX-License-Identifier: Apache-2.0
"""Where test sets, metrics and statistics meet: scoring and comparing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.engine.compare import compare
    from tertium.engine.results import Comparison, Pair, Score, ScoreTable
    from tertium.engine.score import score, score_stream

__all__ = [
    "Comparison",
    "Pair",
    "Score",
    "ScoreTable",
    "compare",
    "score",
    "score_stream",
]


def __getattr__(name: str) -> object:
    # compare needs NumPy, which plain scoring does without: import it late.
    from importlib import import_module

    if name in ("score", "score_stream"):
        return getattr(import_module("tertium.engine.score"), name)
    if name == "compare":
        return import_module("tertium.engine.compare").compare
    if name in __all__:
        return getattr(import_module("tertium.engine.results"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
