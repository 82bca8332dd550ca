# SPDX-License-Identifier: Apache-2.0
"""Corrections that are nearly as cheap as the best, and their weights.

The cheapest correction is one of many when an output is bad; edit counts over all
that are nearly as cheap depend less on how ties were broken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tertium.errors import InputError
from tertium.grammars.search.edits import UNIT

__all__ = ["Near"]


@dataclass(frozen=True)
class Near:
    """Which corrections beside the best one are looked at, and how much they count.

    A correction that costs d more than the best has the weight ``exp(-d / tau)``.

    Parameters
    ----------
    tau : float
        The smaller, the more the best counts alone.
    delta : float
        How much more than the best a correction may cost.
    count : int
        How many are looked at, the best included.
    """

    tau: float = 0.25
    delta: float = 1.0
    count: int = 20

    def __post_init__(self) -> None:
        if not self.tau > 0 or not self.delta >= 0 or self.count < 1:
            message = (
                f"{self}: give a tau above 0, a delta of at least 0 and a count of at "
                "least 1"
            )
            raise InputError(message)

    def weights(self, costs: Sequence[int]) -> list[float]:
        """Return the weights of corrections, which add up to 1; 0 if too dear.

        An output that needs no edit is correct, whatever else it could have been:
        its other corrections have no weight.

        Examples
        --------
        >>> Near(tau=1.0).weights([5000, 5000, 90000])
        [0.5, 0.5, 0.0]
        """
        if costs[0] == 0:
            return [1.0, *[0.0] * (len(costs) - 1)]
        over = [(cost - costs[0]) / UNIT for cost in costs]
        raw = [
            math.exp(-more / self.tau) if more <= self.delta else 0.0 for more in over
        ]
        return [weight / sum(raw) for weight in raw]
