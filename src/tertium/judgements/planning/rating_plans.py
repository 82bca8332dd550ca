# SPDX-License-Identifier: Apache-2.0
"""How many rated segments it takes to tell two systems apart.

As :mod:`.comparisons` for rankings: segments of a larger campaign are sampled from
those at hand, and a paired t-test is made on every sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError
from tertium.judgements.estimates import need_scipy
from tertium.judgements.planning.comparisons import smallest_size
from tertium.judgements.ranking.ratings import (
    SegmentScores,
    mqm_scores,
    rating_scores,
)
from tertium.judgements.ranking.systems import one_langpair
from tertium.judgements.ranking.wins import Array

if TYPE_CHECKING:
    from tertium.judgements.tables import Judgements

__all__ = ["RatingPlan", "plan_ratings", "segment_table"]

_MANY = 1000  # segments from which a mean is as good as normal


@dataclass(frozen=True)
class RatingPlan:
    """What it takes to tell two rated systems apart.

    Parameters
    ----------
    better, worse : str
        As the ratings at hand have it.
    difference, deviation : float
        Mean and standard deviation of the differences on shared segments.
    segments : int
        Shared segments that there are.
    power : float
        Of a campaign of the same size.
    needed : int or None
        Segments, rated for both systems, for the power asked for; None if they are
        equally good, or more than ten million would be needed.
    """

    better: str
    worse: str
    difference: float
    deviation: float
    segments: int
    power: float
    needed: int | None


def plan_ratings(
    judgements: Judgements,
    *,
    method: str = "z",
    power: float = 0.8,
    alpha: float = 0.05,
    scale: str | None = None,
    simulations: int = 1000,
    seed: int = SEED,
) -> list[RatingPlan]:
    """Return how many rated segments it takes to tell systems apart, hardest first.

    Parameters
    ----------
    judgements : Judgements
        A pilot: ratings or error spans of one language pair.
    method : {"z", "mean", "mqm"}
    power, alpha : float
        Chance to find a difference that is there, and threshold of the test.
    scale : str, optional
        The scale of ratings, where there are several.
    simulations, seed : int

    Raises
    ------
    InputError
        When no two systems were rated on two shared segments.
    """
    need_scipy("ranking systems")
    if not (0 < power < 1 and 0 < alpha < 1):
        message = f"power and alpha must be between 0 and 1, not {power} and {alpha}"
        raise InputError(message)
    if simulations < 1:
        raise InputError(f"simulations must be 1 or more, not {simulations}")
    one_langpair(judgements)
    table = segment_table(judgements, method, scale)
    plans = []
    rng = np.random.default_rng(seed)
    number = len(table.systems)
    for i in range(number):
        for j in range(i + 1, number):
            gaps = table.scores[i] - table.scores[j]
            gaps = gaps[~np.isnan(gaps)]
            if len(gaps) < 2:
                continue
            a, b = table.systems[i], table.systems[j]
            if gaps.mean() < 0:
                a, b, gaps = b, a, -gaps
            plans.append(_plan(a, b, gaps, power, alpha, simulations, rng.spawn(1)[0]))
    if not plans:
        message = (
            "no two systems were rated on two shared segments; a paired plan needs them"
        )
        raise InputError(message)
    return sorted(
        plans, key=lambda p: (p.needed is not None, -(p.needed or 0), p.better, p.worse)
    )


def segment_table(
    judgements: Judgements, method: str, scale: str | None
) -> SegmentScores:
    """Return the scores of segments by a method for ratings or error spans."""
    if method not in ("z", "mean", "mqm"):
        raise InputError(f"method is z, mean or mqm, not {method!r}")
    if method == "mqm":
        return mqm_scores(judgements)
    normalise = "z" if method == "z" else "none"
    return rating_scores(judgements, normalise=normalise, scale=scale)


def _plan(
    better: str,
    worse: str,
    gaps: Array,
    power: float,
    alpha: float,
    simulations: int,
    rng: np.random.Generator,
) -> RatingPlan:
    from scipy.special import stdtrit

    mean, deviation = float(gaps.mean()), float(gaps.std(ddof=1))
    population = float(gaps.std())

    def reach(size: int) -> float:
        """Return the power of a t-test on so many segments."""
        if size < 2:
            return 0.0
        if size <= _MANY:
            sampled = rng.choice(gaps, size=(simulations, size))
            means, spreads = sampled.mean(axis=1), sampled.std(axis=1, ddof=1)
        else:
            means = rng.normal(mean, population / np.sqrt(size), size=simulations)
            spreads = np.full(simulations, population)
        limit = float(stdtrit(size - 1, 1 - alpha / 2))
        return float(np.mean(means * np.sqrt(size) > limit * spreads))

    # A mean that is 0 up to rounding would need more segments than there are.
    clear = mean > 1e-9 * max(1.0, deviation)
    needed = smallest_size(reach, power, above=1) if clear else None
    return RatingPlan(
        better, worse, mean, deviation, len(gaps), reach(len(gaps)), needed
    )
