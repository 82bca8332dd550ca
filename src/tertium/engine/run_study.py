# SPDX-License-Identifier: Apache-2.0
"""One metric in a comparison of systems with several runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tertium.engine.results import Score
from tertium.engine.runs import mean_score
from tertium.engine.segment_scores import defined_scorer, defined_scores
from tertium.engine.study import Study, make_pairs, plain_score
from tertium.errors import InputError
from tertium.stats.resample import interval
from tertium.stats.runs import RunScores, difference, shuffled_p_values

if TYPE_CHECKING:
    from tertium.engine.comparison import Pair
    from tertium.engine.runs import RunGroups
    from tertium.metrics import Metric
    from tertium.stats.resample import Report, Rows

__all__ = ["RunStudy", "check_runs", "mean_of_runs"]


def check_runs(groups: RunGroups, test: str) -> None:
    """Raise an error if a test cannot deal with the numbers of runs."""
    counts = {name: len(places) for name, places in groups}
    if test == "randomisation" and len(set(counts.values())) > 1:
        listed = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise InputError(
            "randomisation swaps run by run and needs as many runs of every system "
            f"({listed}); use the bootstrap, or omit runs"
        )


def mean_of_runs(scores: Sequence[Rows]) -> Rows:
    """Return the mean scores of segments over runs; NaN where no run has one.

    A segment that a metric leaves out in some runs has the mean of the others.
    """
    table = np.array(scores)
    known = np.isfinite(table)
    sums, number = np.where(known, table, 0.0).sum(axis=0), known.sum(axis=0)
    means = np.full(len(sums), np.nan)
    np.divide(sums, number, out=means, where=number > 0)
    return means


class RunStudy:
    """The runs of all systems under one metric; see :mod:`tertium.stats.runs`."""

    def __init__(
        self,
        groups: RunGroups,
        metric: Metric,
        rows: list[Rows],
        blocks: list[list[int]] | None,
        threads: int | None,
        progress: Report,
    ) -> None:
        runs = [f"run {number}" for number in range(len(rows))]
        self._study = Study(runs, metric, rows, blocks, threads, progress)
        self._groups = groups
        self._threads = threads
        self._progress = progress

    def resample(self, test: str, resamples: int, seed: int, alpha: float) -> bool:
        """Resample segments for all runs; return False, as no test is exact."""
        self._test = (test, resamples, seed)
        # Coins are tossed below; variances and intervals need resamples.
        enough = resamples if test == "bootstrap" else None
        bootstrap = self._study.bootstrapped(enough, seed, alpha)
        self.systems = [
            RunScores(
                np.array([bootstrap.observed[place] for place in places]),
                np.stack([bootstrap.scores(place) for place in places]),
            )
            for places in self._groups.members
        ]
        return False

    @property
    def _units(self) -> int:
        return len(self._study.units[0])

    def scores(self, alpha: float, *, segments: bool = False) -> list[Score]:
        """Return the mean score of every system with its interval, and of segments."""
        metric, rows = self._study.metric, self._study.rows
        out = []
        for (name, places), runs in zip(self._groups, self.systems, strict=True):
            if runs.runs == 1:
                reach = interval(runs.resampled[0], confidence=1 - alpha)
            else:
                estimate = runs.estimate(self._units)
                reach = estimate.interval(1 - alpha, metric.bounds)
            each = [
                replace(
                    plain_score(metric, rows[i], name, segments=segments),
                    score=float(score),
                )
                for i, score in zip(places, runs.observed, strict=True)
            ]
            out.append(
                replace(
                    mean_score(each),
                    interval=reach,
                    sd_runs=runs.between,
                    sd_segments=runs.within,
                )
            )
        return out

    def pairs(
        self,
        spec: str,
        pairs: Sequence[tuple[int, int]],
        correction: str,
        alpha: float,
    ) -> list[Pair]:
        """Return the comparison of every pair."""
        metric, members = self._study.metric, self._groups.members
        estimates = [
            difference(self.systems[a], self.systems[b], self._units) for a, b in pairs
        ]
        test, resamples, seed = self._test
        if self._units == 1:
            p_values = [1.0] * len(pairs)  # One unit resampled is always itself.
        elif test == "bootstrap":
            p_values = [estimate.p_value() for estimate in estimates]
        else:
            p_values = shuffled_p_values(
                [[self._study.units[place] for place in each] for each in members],
                defined_scorer(metric),
                pairs,
                resamples=resamples,
                seed=seed,
                threads=self._threads,
                progress=lambda done, total: self._progress("assignments", done, total),
            )
        low, high = metric.bounds
        reach = (low - high, high - low)
        segments = [
            mean_of_runs([defined_scores(metric, self._study.rows[i]) for i in each])
            for each in members
        ]
        return make_pairs(
            spec,
            self._groups.names,
            metric,
            pairs,
            deltas=[estimate.value for estimate in estimates],
            intervals=[each.interval(1 - alpha, reach) for each in estimates],
            p_values=p_values,
            segments=segments,
            correction=correction,
            alpha=alpha,
        )
