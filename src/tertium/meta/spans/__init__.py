# SPDX-License-Identifier: Apache-2.0
"""Metrics that mark error spans, compared with human spans."""

from __future__ import annotations

from tertium.meta.spans.conversions import label_of, precision_at_recall, score_of
from tertium.meta.spans.evaluation import correlate_spans
from tertium.meta.spans.partial_credit import mpp_counts
from tertium.meta.spans.results import SpanDifference, SpanEvaluation, SpanValue

__all__ = [
    "SpanDifference",
    "SpanEvaluation",
    "SpanValue",
    "correlate_spans",
    "label_of",
    "mpp_counts",
    "precision_at_recall",
    "score_of",
]
