# SPDX-License-Identifier: Apache-2.0
"""MIRA over n-best lists in batches, kb-MIRA (Cherry and Foster 2012).

A pass goes through the lists in random order. Where the hypothesis with the highest
model score plus gain (hope) does not beat the one with the highest model score minus
gain (fear) by the difference of their gains, weights move just as far as needed, up to
the aggressiveness. The weights of a pass are the mean of those after each list; the
pass that scores best on all lists wins.

The gain of a hypothesis is what the metric of the whole output would be with it. The
output around it, the pseudo-corpus, is renewed before every pass, by the weights of
that time; Cherry and Foster renew theirs after each list and let it decay. Gains of
metrics that are means of segments are those of the segments alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium import _core
from tertium.errors import InputError
from tertium.tuning.space import Best, Report, Space

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from tertium.tuning.pool import Objective

__all__ = ["Mira", "gains"]


@dataclass(frozen=True)
class Mira:
    """The settings of MIRA.

    Parameters
    ----------
    passes : int
        Through all lists.
    aggressiveness : float
        The largest step, for features of standard deviation 1.
    patience : int
        Passes without a better score after which the search ends.
    """

    passes: int = 60
    aggressiveness: float = 0.01
    patience: int = 20

    def __post_init__(self) -> None:
        for name in ("passes", "patience"):
            if getattr(self, name) < 1:
                message = f"{name} is {getattr(self, name)}; give 1 or more"
                raise InputError(message, options=(name,))
        if not self.aggressiveness > 0:
            message = f"aggressiveness is {self.aggressiveness}; give one above 0"
            raise InputError(message, options=("aggressiveness",))

    def run(self, space: Space, best: Best, random: Generator, report: Report) -> None:
        """Pass through the lists, and leave the best weights in `best`."""
        objective = space.objective
        idle = 0
        scores = space.model(best.point)
        best.offer(best.point, space.value(scores))
        weights = best.point * _scale(objective, scores)
        for number in range(self.passes):
            report("passes", number, self.passes)
            best.steps += 1
            made, _ = _core.mira_pass(
                space.features,
                gains(objective, objective.pool.winners(scores)),
                objective.pool.first,
                random.permutation(objective.pool.lists).astype(np.int32),
                weights,
                self.aggressiveness,
            )
            weights, mean = made[0], made[1] / objective.pool.lists
            scores = space.model(weights)
            idle = 0 if best.offer(mean, space.value(space.model(mean))) else idle + 1
            if idle >= self.patience:
                break


def _scale(objective: Objective, scores: NDArray[np.float64]) -> float:
    """Return the factor that gives model scores the spread of the gains.

    With larger ones hope and fear would be the same hypothesis, and nothing be learnt.
    """
    pool = objective.pool
    gain = pool.minus_means(gains(objective, pool.winners(scores)))
    model = pool.minus_means(scores)
    spread = float(np.sqrt(np.mean(model**2)))
    return float(np.sqrt(np.mean(gain**2))) / spread if spread > 0 else 1.0


def gains(objective: Objective, chosen: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what every hypothesis would gain in place of the chosen one of its list.

    In shares of the metric's unit, times the number of lists, so that they do not
    shrink where there are more of these.
    """
    pool = objective.pool
    total = np.asarray(objective.total(chosen))
    others = total - pool.statistics[chosen]
    changed = objective.values(others[pool.list_numbers] + pool.statistics)
    base = float(objective.values(total))
    return (changed - base) * pool.lists / objective.unit
