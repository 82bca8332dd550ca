# SPDX-License-Identifier: Apache-2.0
"""A baseline metric that marks error spans: alignment, edits and a trained model."""

from __future__ import annotations

from tertium.learn.spans.marking import (
    ErrorSpan,
    MarkedOutput,
    MarkedSegment,
    mark_spans,
    mark_testset,
    prediction_lines,
    predictions,
    stream_marked,
)
from tertium.learn.spans.model import (
    DEFAULT_MODEL,
    SpanModel,
    find_span_model,
    load_span_model,
)
from tertium.learn.spans.training import train_span_model

__all__ = [
    "DEFAULT_MODEL",
    "ErrorSpan",
    "MarkedOutput",
    "MarkedSegment",
    "SpanModel",
    "find_span_model",
    "load_span_model",
    "mark_spans",
    "mark_testset",
    "prediction_lines",
    "predictions",
    "stream_marked",
    "train_span_model",
]
