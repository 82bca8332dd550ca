# SPDX-License-Identifier: Apache-2.0
"""TrueSkill (Herbrich et al. 2007), as WMT ranked systems from 2014 to 2016.

Sakaguchi, Post and Van Durme (2014) see every comparison as a game of two. A skill
is a normal distribution, updated game by game, so it depends on the order of the
judgements: a run takes them in a random order, and the score is the mean over runs.
(Several passes over the same judgements in one run would count them several times.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tertium import _core
from tertium._seed import SEED
from tertium.errors import InputError
from tertium.judgements.estimates import need_scipy
from tertium.judgements.ranking.resampling import ranking_starts
from tertium.judgements.ranking.wins import Array

if TYPE_CHECKING:
    from tertium.judgements.comparisons import Comparisons

__all__ = ["Skill", "TrueSkill", "trueskill"]

_MEMORY = 20_000_000
_PART = 100  # runs between two reports of progress, at most


@dataclass(frozen=True)
class TrueSkill:
    """The numbers of the model.

    Parameters
    ----------
    sigma : float
        Standard deviation of a skill before the first game; its mean is 0.
    beta : float
        Standard deviation of the performance in one game.
    tau : float
        What a skill may change from game to game; systems do not change.
    draw : float
        Chance of a draw between equals; 0 only where there are no ties.
    """

    sigma: float = 0.5
    beta: float = 0.25
    tau: float = 0.0
    draw: float = 0.25

    def __post_init__(self) -> None:
        good = self.sigma > 0 and self.beta > 0 and self.tau >= 0 and 0 <= self.draw < 1
        if not good or not np.isfinite(self.sigma + self.beta + self.tau):
            message = (
                f"{self}: sigma and beta must be above 0, tau 0 or more, and draw 0 or "
                "more and below 1"
            )
            raise InputError(message)

    @property
    def margin(self) -> float:
        """How far performances may be apart in a draw."""
        need_scipy("ranking systems")
        from scipy.special import ndtri

        return float(ndtri((self.draw + 1) / 2) * np.sqrt(2) * self.beta)


@dataclass(frozen=True)
class Skill:
    """The skill of a system: mean and standard deviation."""

    mean: float
    deviation: float


def trueskill(
    comparisons: Comparisons,
    *,
    model: TrueSkill | None = None,
    runs: int = 100,
    seed: int = SEED,
    threads: int | None = None,
) -> dict[str, Skill]:
    """Return the skill of every system, a mean over runs in random order.

    Parameters
    ----------
    comparisons : Comparisons
    model : TrueSkill, optional
    runs : int
    seed : int
    threads : int, optional
    """
    if runs < 1:
        raise InputError(f"TrueSkill needs one run at least, not {runs}")
    rng = np.random.default_rng(seed)
    skills = skill_runs(
        comparisons, model or TrueSkill(), runs=runs, rng=rng, threads=threads
    ).mean(axis=0)
    n = len(comparisons.systems)
    return {
        name: Skill(float(skills[i]), float(skills[n + i]))
        for i, name in enumerate(comparisons.systems)
    }


def skill_runs(
    comparisons: Comparisons,
    model: TrueSkill,
    *,
    runs: int,
    rng: np.random.Generator,
    replace: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Array:
    """Return means, then deviations, of every run.

    Parameters
    ----------
    replace : bool
        Whether a run samples rankings with replacement: a bootstrap sample.
    progress : callable, optional
        Called with the number of runs so far, and of all.
    """
    if model.draw == 0 and (comparisons.outcome == 0).any():
        message = (
            "there are ties, which a model with draw=0 holds impossible; give draw "
            f"above 0 (the usual is {TrueSkill.draw})"
        )
        raise InputError(message)
    starts = ranking_starts(comparisons)
    number = len(starts) - 1
    first, second, outcome = (
        np.ascontiguousarray(column, dtype=np.int32)
        for column in (comparisons.first, comparisons.second, comparisons.outcome)
    )
    part = min(_PART, max(1, _MEMORY // max(1, number)))
    # Games of one ranking are shuffled in the core.
    shuffle = int(rng.integers(2**63))
    tables = []
    for begin in range(0, runs, part):
        size = min(part, runs - begin)
        samples: NDArray[np.int32]
        if replace:
            samples = rng.integers(max(1, number), size=(size, number), dtype=np.int32)
        else:
            every = np.arange(number, dtype=np.int32)
            samples = rng.permuted(np.tile(every, (size, 1)), axis=1)
        tables.append(
            _core.trueskill(
                first,
                second,
                outcome,
                starts,
                samples,
                len(comparisons.systems),
                model.sigma,
                model.beta,
                model.tau,
                model.margin,
                shuffle,
                begin,
                threads or 0,
            )
        )
        if progress:
            progress(begin + size, runs)
    return np.concatenate(tables)
