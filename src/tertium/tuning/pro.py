# SPDX-License-Identifier: Apache-2.0
"""PRO: pairwise ranking optimisation (Hopkins and May 2011).

Of every list, pairs of hypotheses are sampled; those whose scores differ most teach a
linear classifier which of two hypotheses is better. Segments are scored by the metric;
BLEU with one added to matches and totals, as published (Lin and Och 2004).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.tuning.logistic import fit_differences
from tertium.tuning.space import Best, Report, Space, unit

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from tertium.tuning.pool import Objective

__all__ = ["Pairs", "Pro", "sample_pairs", "segment_values"]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of hypotheses, by their rows in the pool.

    Parameters
    ----------
    better, worse : ndarray of shape (n,)
    """

    better: NDArray[np.int64]
    worse: NDArray[np.int64]

    def to_text(self, features: NDArray[np.float64]) -> str:
        """Return differences of features as MegaM reads them, as Moses writes them.

        Every pair has two lines: better minus worse with the label 1, and its mirror
        image with 0. Differences of 0 are left out.

        Examples
        --------
        >>> pairs = Pairs(np.array([1]), np.array([0]))
        >>> print(pairs.to_text(np.array([[2.0, 0.0, 1.0], [2.5, 0.0, -1.0]])), end="")
        1 F0 0.5 F2 -2
        0 F0 -0.5 F2 2
        """
        lines = []
        for row in features[self.better] - features[self.worse]:
            for label, sign in ((1, 1), (0, -1)):
                values = [f"F{i} {sign * x:g}" for i, x in enumerate(row) if x]
                lines.append(" ".join([str(label), *values]) + "\n")
        return "".join(lines)


@dataclass(frozen=True)
class Pro:
    """The settings of PRO.

    Parameters
    ----------
    samples : int
        Pairs sampled per list.
    pairs : int
        How many of them are kept: those that differ most.
    difference : float
        The least difference of scores, as a share of the metric's unit: .05 is 5 points
        of BLEU.
    strength : float
        Of the L2 penalty.
    interpolation : float
        The share of the new weights; the rest is the start. Hopkins and May use .1
        between the iterations of a decoder.
    """

    samples: int = 5000
    pairs: int = 50
    difference: float = 0.05
    strength: float = 1.0
    interpolation: float = 1.0

    def __post_init__(self) -> None:
        for name, least in (("samples", 1), ("pairs", 1), ("difference", 0)):
            if not getattr(self, name) >= least:
                message = f"{name} is {getattr(self, name)}; give {least} or more"
                raise InputError(message, options=(name,))
        if not self.strength > 0:
            message = f"strength is {self.strength}; give a number above 0"
            raise InputError(message, options=("strength",))
        if not 0 < self.interpolation <= 1:
            message = (
                f"interpolation is {self.interpolation}; give one above 0, up to 1"
            )
            raise InputError(message, options=("interpolation",))

    def run(self, space: Space, best: Best, random: Generator, report: Report) -> None:
        """Fit weights to sampled pairs, and leave them in `best`."""
        pairs = sample_pairs(space.objective, self, random, report)
        best.steps = len(pairs.better)
        if not best.steps:
            message = (
                "no two hypotheses of a list differ enough for pro; lower the "
                "difference, or use mert"
            )
            raise InputError(message, options=("difference",))
        differences = space.features[pairs.better] - space.features[pairs.worse]
        fitted = unit(fit_differences(differences, strength=self.strength))
        # Both as weights that sum to 1: the size of a fit depends on the sample.
        mixed = self.interpolation * space.weights(fitted) + (
            1 - self.interpolation
        ) * space.weights(best.point)
        point = space.scaled(mixed)
        best.offer(point, space.value(space.model(point)))


def sample_pairs(
    objective: Objective, settings: Pro, random: Generator, report: Report
) -> Pairs:
    """Return sampled pairs that differ enough, list after list, the largest first."""
    pool = objective.pool
    values = segment_values(objective)
    better, worse = [], []
    for number in range(pool.lists):
        report("lists", number, pool.lists)
        begin, end = int(pool.first[number]), int(pool.first[number + 1])
        sample = random.integers(begin, end, size=(2, settings.samples))
        gaps = values[sample[0]] - values[sample[1]]
        large = np.flatnonzero(np.abs(gaps) >= max(settings.difference, 1e-12))
        kept = large[np.argsort(-np.abs(gaps[large]), kind="stable")[: settings.pairs]]
        first, second = sample[0][kept], sample[1][kept]
        better.append(np.where(gaps[kept] > 0, first, second))
        worse.append(np.where(gaps[kept] > 0, second, first))
    return Pairs(np.concatenate(better), np.concatenate(worse))


def segment_values(objective: Objective) -> NDArray[np.float64]:
    """Return the score of every hypothesis on its own, as a share of the unit."""
    from tertium.metrics.bleu import Bleu, SentBleuPlusOne

    metric, rows = objective.metric, objective.pool.statistics
    if isinstance(metric, Bleu):
        plus_one = SentBleuPlusOne(max_ngram_order=metric.max_ngram_order)
        return np.asarray(plus_one.from_statistics(rows)) / plus_one.unit
    return objective.values(rows) / objective.unit
