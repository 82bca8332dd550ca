# SPDX-License-Identifier: Apache-2.0
"""Systems with several runs: how far scores vary with the run and with the test set.

A system that is trained or tuned again with another seed gets another score. Like
MultEval, the program of Clark et al. (2011), we report two standard deviations: *s_opt*
between the scores of the runs (over n - 1), and *s_sel* of the score of one run over
bootstrap resamples of the test set. That s_sel is the mean over the runs is our choice;
figures were not compared with those of MultEval.

*Test with both sources.* With n runs of each system, let d be the difference of the
mean scores. Its variance has a part from the choice of segments and one from the choice
of runs::

    V = V_test + max(0, sum over both systems of (s_opt² - i) / n)

V_test is the variance of d over resamples of the segments, the runs fixed. It includes
how differently the runs of a system react to segments; so do differences between runs.
i is that shared part, counted once: the sum over runs of the resampled variance of
(score of the run - mean of the runs), over n - 1. d / sqrt(V) is compared with
Student's t, whose degrees of freedom follow Welch and Satterthwaite: n - 1 for s_opt,
and the number of segments less one for V_test. The simulation ``python -m bench runs``
shows how often it is wrong.

*Stratified randomisation*, after Clark et al. (2011), who shuffle hypotheses between
systems: the outputs of run r of both systems for a segment change sides by the toss of
a coin, for every run and segment (that equal numbers of runs swap is our choice);
p = share of trials whose difference of means is at least as large. It asks whether
*these* runs differ. An effect of a whole run, such as weights that are better
everywhere, is for it a difference of the systems.

Clark, Dyer, Lavie, Smith: Better Hypothesis Testing for Statistical Machine
Translation: Controlling for Optimizer Instability. ACL 2011.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.stats.paired import count_far
from tertium.stats.resample import draw_parts, exact_sum
from tertium.stats.student import two_sided_p, two_sided_reach

if TYPE_CHECKING:
    from tertium.stats.paired import Progress
    from tertium.stats.resample import Rows, Scorer

__all__ = ["Estimate", "RunScores", "difference", "shuffled_p_values"]


@dataclass(frozen=True, eq=False)
class RunScores:
    """The scores of all runs of a system.

    Attributes
    ----------
    observed : ndarray of shape (runs,)
    resampled : ndarray of shape (runs, resamples)
        On the same resamples of the test set.
    """

    observed: Rows
    resampled: Rows

    @property
    def runs(self) -> int:
        """The number of runs."""
        return len(self.observed)

    @property
    def mean(self) -> float:
        """The mean score."""
        return float(self.observed.mean())

    @property
    def between(self) -> float | None:
        """The standard deviation between runs (s_opt); None for one run."""
        return float(self.observed.std(ddof=1)) if self.runs > 1 else None

    @property
    def within(self) -> float:
        """The bootstrap standard deviation of a run (s_sel), the mean over runs."""
        return float(self.resampled.std(axis=1, ddof=1).mean())

    def _run_variance(self) -> tuple[float, float]:
        """Return the variance between runs, and the part that segments explain."""
        total = float(self.observed.var(ddof=1))
        apart = self.resampled - self.resampled.mean(axis=0)
        return total, float(apart.var(axis=1, ddof=1).sum()) / (self.runs - 1)

    def estimate(self, units: int) -> Estimate:
        """Return the mean score with the variance from both sources.

        Parameters
        ----------
        units : int
            How many segments or documents were resampled.
        """
        parts = [(1 / self.runs, self._run_variance(), self.runs - 1)]
        if self.runs == 1:
            parts = []
        return _estimate(self.mean, self.resampled.mean(axis=0), parts, units)


@dataclass(frozen=True)
class Estimate:
    """A mean score or a difference of two, and how sure it is.

    Attributes
    ----------
    value : float
    variance : float
        From both sources.
    degrees : float
        Degrees of freedom of the variance.
    resamples : int
    """

    value: float
    variance: float
    degrees: float
    resamples: int

    def interval(
        self,
        confidence: float,
        bounds: tuple[float, float] = (-math.inf, math.inf),
    ) -> tuple[float, float]:
        """Return the value, less and plus what t allows, within bounds.

        Parameters
        ----------
        confidence : float
        bounds : tuple of float
            Of what is estimated; t alone ignores them.
        """
        reach = two_sided_reach(confidence, self.degrees) * math.sqrt(self.variance)
        # A value may be beyond its bounds by rounding.
        low, high = min(bounds[0], self.value), max(bounds[1], self.value)
        return max(low, self.value - reach), min(high, self.value + reach)

    def p_value(self) -> float:
        """Return the two-sided p-value of the value being zero."""
        if self.value == 0:
            return 1.0
        if self.variance == 0:
            return 1 / (self.resamples + 1)  # No resample shows any doubt.
        return two_sided_p(self.value / math.sqrt(self.variance), self.degrees)


def difference(a: RunScores, b: RunScores, units: int) -> Estimate:
    """Return the difference of two mean scores with the variance from both sources.

    A system with a single run is taken to vary from run to run as the other one does.
    """
    parts = []
    if a.runs > 1 and b.runs > 1:
        parts = [
            (1 / each.runs, each._run_variance(), each.runs - 1) for each in (a, b)
        ]
    elif a.runs + b.runs > 2:
        several = a if a.runs > 1 else b
        share = 1 / a.runs + 1 / b.runs
        parts = [(share, several._run_variance(), several.runs - 1)]
    resampled = a.resampled.mean(axis=0) - b.resampled.mean(axis=0)
    return _estimate(a.mean - b.mean, resampled, parts, units)


def _estimate(
    value: float,
    resampled: Rows,
    parts: Sequence[tuple[float, tuple[float, float], int]],
    units: int,
) -> Estimate:
    """Add up variances: that of resamples, and of runs with share and degrees."""
    test = float(resampled.var(ddof=1))
    excess = sum(share * (total - shared) for share, (total, shared), _ in parts)
    variance = test + max(0.0, excess)
    doubt = test * test / max(1, units - 1)
    doubt += sum((share * total) ** 2 / free for share, (total, _), free in parts)
    degrees = variance * variance / doubt if doubt else float(max(1, units - 1))
    return Estimate(value, variance, max(degrees, 1.0), len(resampled))


def shuffled_p_values(
    rows: Sequence[Sequence[Rows]],
    from_statistics: Scorer,
    pairs: Sequence[tuple[int, int]],
    *,
    resamples: int,
    seed: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[float]:
    """Return p-values of pairs by stratified randomisation.

    Parameters
    ----------
    rows : sequence (systems) of sequences (runs) of ndarray
        All systems have as many runs.
    from_statistics : callable
    pairs : sequence of (int, int)
    resamples : int
        Trials.
    seed : int
    threads : int, optional
    progress : callable, optional
        Called with the number of trials so far, and of all.
    """
    runs, systems = len(rows[0]), len(rows)
    totals = [[exact_sum(one) for one in by_run] for by_run in rows]
    means = [
        float(np.mean([from_statistics(total) for total in by_run]))
        for by_run in totals
    ]
    observed = [means[a] - means[b] for a, b in pairs]
    if len(rows[0][0]) == 1:
        return [1.0] * len(pairs)
    streams = [
        draw_parts(
            "randomisation",
            np.concatenate([rows[system][run] for system in range(systems)], axis=1),
            resamples,
            seed=seed,
            threads=threads,
            skip=run * resamples,  # other coins for every run
        )
        for run in range(runs)
    ]
    counts, done = [0] * len(pairs), 0
    for parts in zip(*streams, strict=True):
        heads = [np.split(sums, systems, axis=1) for sums in parts]
        for place, (a, b) in enumerate(pairs):
            shuffled = sum(
                np.asarray(from_statistics(x[a] + (totals[b][run] - x[b])))
                - np.asarray(from_statistics(x[b] + (totals[a][run] - x[a])))
                for run, x in enumerate(heads)
            )
            counts[place] += count_far(np.asarray(shuffled) / runs, observed[place])
        done += len(parts[0])
        if progress:
            progress(done, resamples)
    return [(count + 1) / (resamples + 1) for count in counts]
