# SPDX-License-Identifier: Apache-2.0
"""The scores of single segments, from their statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.metrics import Metric

__all__ = ["segment_scores"]


def segment_scores(metric: Metric, rows: Any) -> list[float | None]:
    """Return the score of every segment; None where the metric leaves one out."""
    scores: Any = metric.from_statistics(rows)
    column = metric.weight_column
    if column is None:
        return [float(x) for x in scores]
    return [
        float(x) if weight else None
        for x, weight in zip(scores, rows[:, column], strict=True)
    ]
