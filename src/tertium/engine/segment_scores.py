# SPDX-License-Identifier: Apache-2.0
"""The scores of single segments, from their statistics."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.metrics import Metric
    from tertium.stats.resample import Rows

__all__ = [
    "count_undefined",
    "defined_scorer",
    "defined_scores",
    "for_segments",
    "segment_scores",
]


def defined_scores(metric: Metric, rows: Rows) -> Rows:
    """Return the score of every row; NaN where the metric leaves it out."""
    import numpy as np

    scores = np.asarray(metric.from_statistics(rows), dtype=np.float64)
    column = metric.weight_column
    return scores if column is None else np.where(rows[:, column], scores, math.nan)


def defined_scorer(metric: Metric) -> Callable[[Any], Any]:
    """Return `from_statistics`, with NaN for sums in which no segment has a score.

    Resamples of a system with few scores may have none of them.
    """
    if not metric.weights_count_segments:
        return metric.from_statistics
    return partial(_score_or_nan, metric)


def _score_or_nan(metric: Metric, sums: Any) -> Any:
    import numpy as np

    table = np.asarray(sums, dtype=np.float64)
    scores = np.asarray(metric.from_statistics(table))
    return np.where(table[..., metric.weight_column] != 0, scores, math.nan)


def segment_scores(metric: Metric, rows: Any) -> list[float | None]:
    """Return the score of every segment; None where the metric leaves one out."""
    if metric.weight_column is None:
        return [float(x) for x in metric.from_statistics(rows)]
    return [None if math.isnan(x) else float(x) for x in defined_scores(metric, rows)]


def for_segments(spec: str | Metric) -> str | Metric:
    """Return the metric that single segments are scored by, with the same statistics.

    BLEU is 0 for every text of fewer than four words, even correct ones: it is
    replaced by sentence BLEU, unless the order is chosen.

    Examples
    --------
    >>> for_segments("bleu:tokenize=intl"), for_segments("chrf")
    ('sentbleu:tokenize=intl', 'chrf')
    """
    if not isinstance(spec, str):
        return spec
    name, colon, settings = spec.partition(":")
    if name.lower() != "bleu" or "effective_order" in settings:
        return spec
    return f"sentbleu{colon}{settings}"


def count_undefined(
    metric: Metric, sums: Sequence[float], segments: int, system: str
) -> int:
    """Return how many segments of a system have no score.

    Raises
    ------
    InputError
        If none has.
    """
    undefined = metric.undefined_segments(sums, segments)
    if undefined == segments > 0:
        raise InputError(
            f"no segment of system {system!r} has a {metric.label} score; omit the "
            "system or the metric"
        )
    return undefined
