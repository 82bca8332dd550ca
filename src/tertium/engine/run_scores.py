# SPDX-License-Identifier: Apache-2.0
"""The score of a system with several runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tertium.engine.results import Score
from tertium.engine.runs import mean_score
from tertium.stats.runs import RunScores

if TYPE_CHECKING:
    from tertium.stats.resample import Rows

__all__ = ["run_scores"]


def run_scores(
    runs: Sequence[Score],
    resampled: Sequence[Rows],
    *,
    units: int,
    confidence: float | None,
    bounds: tuple[float, float],
) -> Score:
    """Return the mean score of runs, with standard deviations and its interval.

    Parameters
    ----------
    runs : sequence of Score
        Of every run, with percentile intervals if there are any.
    resampled : sequence of ndarray
        Scores of every run on the same resampled test sets.
    units : int
        How many segments or documents were resampled.
    confidence : float, optional
        Of the interval; None for no interval.
    bounds : tuple of float
        Of the metric, which an interval does not leave.
    """
    scores = RunScores(np.array([run.score for run in runs]), np.stack(resampled))
    interval = runs[0].interval
    if confidence is not None and scores.runs > 1:
        interval = scores.estimate(units).interval(confidence, bounds)
    return replace(
        mean_score(runs),
        interval=interval,
        sd_runs=scores.between,
        sd_segments=scores.within,
    )
