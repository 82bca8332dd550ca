# SPDX-License-Identifier: Apache-2.0
"""One metric in a comparison: resampled scores, tests of pairs, clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tertium.engine.comparison import Pair
from tertium.engine.results import Score
from tertium.engine.segment_scores import (
    count_undefined,
    defined_scorer,
    defined_scores,
    segment_scores,
)
from tertium.stats.clusters import Ranking, rank_clusters
from tertium.stats.correction import adjust
from tertium.stats.paired import Resampling
from tertium.stats.resample import block_sums, interval, interval_resamples

if TYPE_CHECKING:
    from tertium.metrics import Metric
    from tertium.stats.resample import Report, Rows

__all__ = ["Study", "make_pairs", "plain_score", "rank"]


class Study:
    """One metric: the rows of all systems and their resampled scores."""

    def __init__(
        self,
        names: Sequence[str],
        metric: Metric,
        rows: list[Rows],
        groups: list[list[int]] | None,
        threads: int | None,
        progress: Report,
    ) -> None:
        self.metric = metric
        self.names = list(names)
        self._threads = threads
        self._progress = progress
        self.rows = rows
        self.units = (
            self.rows if groups is None else [block_sums(r, groups) for r in self.rows]
        )

    def resample(self, test: str, resamples: int, seed: int, alpha: float) -> bool:
        """Run the test and a bootstrap for intervals; return whether it is exact."""
        for name, rows in zip(self.names, self.rows, strict=True):
            count_undefined(self.metric, rows.sum(axis=0), len(rows), name)
        enough = resamples if test == "bootstrap" else None
        self.bootstrap = self.bootstrapped(enough, seed, alpha)
        self.tested = self.bootstrap
        if test != "bootstrap":
            self.tested = self._run(test, resamples, seed)
        return self.tested.exact

    def bootstrapped(
        self, resamples: int | None, seed: int, alpha: float
    ) -> Resampling:
        """Return a bootstrap, if need be with enough resamples for intervals."""
        enough = interval_resamples(1 - alpha) if resamples is None else resamples
        return self._run("bootstrap", enough, seed)

    def _run(self, test: str, resamples: int, seed: int) -> Resampling:
        what = "resamples" if test == "bootstrap" else "assignments"
        return Resampling.run(
            self.units,
            defined_scorer(self.metric),
            test=test,
            resamples=resamples,
            seed=seed,
            threads=self._threads,
            progress=lambda done, total: self._progress(what, done, total),
        )

    def scores(self, alpha: float, *, segments: bool = False) -> list[Score]:
        """Return the score of every system with its interval, and of segments."""
        return [
            replace(
                plain_score(self.metric, rows, name, segments=segments),
                score=self.bootstrap.observed[i],
                interval=interval(self.bootstrap.scores(i), confidence=1 - alpha),
            )
            for i, (name, rows) in enumerate(zip(self.names, self.rows, strict=True))
        ]

    def pairs(
        self,
        spec: str,
        pairs: Sequence[tuple[int, int]],
        correction: str,
        alpha: float,
    ) -> list[Pair]:
        """Return the comparison of every pair."""
        observed = self.bootstrap.observed
        return make_pairs(
            spec,
            self.names,
            self.metric,
            pairs,
            deltas=[observed[a] - observed[b] for a, b in pairs],
            intervals=[
                interval(self.bootstrap.differences(a, b), confidence=1 - alpha)
                for a, b in pairs
            ],
            p_values=self.tested.p_values(pairs),
            segments=[defined_scores(self.metric, x) for x in self.rows],
            correction=correction,
            alpha=alpha,
        )


def plain_score(metric: Metric, rows: Rows, system: str, *, segments: bool) -> Score:
    """Return what rows say about a system, besides its score and interval."""
    sums = rows.sum(axis=0)
    return Score(
        score=math.nan,
        segments=segment_scores(metric, rows) if segments else None,
        unproven=metric.unproven_segments(sums),
        undefined=count_undefined(metric, sums, len(rows), system),
    )


def make_pairs(
    spec: str,
    names: Sequence[str],
    metric: Metric,
    pairs: Sequence[tuple[int, int]],
    *,
    deltas: Sequence[float],
    intervals: Sequence[tuple[float, float]],
    p_values: Sequence[float],
    segments: Sequence[Rows],
    correction: str,
    alpha: float,
) -> list[Pair]:
    """Return the comparison of every pair from its figures, with the correction.

    `segments` are the segment scores of every system, NaN where there is none.
    """
    sign = 1.0 if metric.higher_is_better else -1.0
    adjusted = adjust(p_values, correction)
    out = []
    for place, (a, b) in enumerate(pairs):
        delta = deltas[place]
        winner = a if sign * delta > 0 else b
        significant = adjusted[place] < alpha and delta != 0
        out.append(
            Pair(
                metric=spec,
                a=names[a],
                b=names[b],
                delta=delta,
                interval=intervals[place],
                p=p_values[place],
                p_adjusted=adjusted[place],
                effect=_cohen_d(sign * (segments[a] - segments[b])),
                better=names[winner] if significant else None,
            )
        )
    return out


def _cohen_d(differences: Rows) -> float:
    differences = differences[np.isfinite(differences)]
    if not len(differences):
        return math.nan
    if not differences.any():
        return 0.0
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    return float(differences.mean()) / spread if spread > 0 else float("nan")


def rank(
    pairs: Sequence[Pair],
    scores: dict[str, dict[str, Score]],
    metric: Metric,
    spec: str,
) -> list[Ranking]:
    """Return the clusters of systems by the tests of all pairs."""
    sign = -1.0 if metric.higher_is_better else 1.0
    order = sorted(scores, key=lambda name: sign * scores[name][spec].score)
    wins = {
        (pair.better, pair.b if pair.better == pair.a else pair.a)
        for pair in pairs
        if pair.better
    }
    return rank_clusters(order, lambda a, b: (a, b) in wins)
