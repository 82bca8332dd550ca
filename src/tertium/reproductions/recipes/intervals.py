# SPDX-License-Identifier: Apache-2.0
"""Kendall's tau of segments with intervals, as many documents report it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium._seed import SEED

__all__ = ["Tau", "average_ranks", "mean_tau", "tau"]

_RESAMPLES = 1000


@dataclass(frozen=True, eq=False)
class Tau:
    """A tau with its 95 % interval and the resampled values behind it."""

    value: float
    draws: npt.NDArray[np.float64]

    @property
    def interval(self) -> tuple[float, float]:
        """The 2.5th and 97.5th percentile of the resampled values."""
        low, high = np.percentile(self.draws, (2.5, 97.5))
        return float(low), float(high)


def tau(counts: npt.NDArray[np.int64]) -> Tau:
    """Return tau from concordant and discordant judgements, a column per segment.

    (concordant - discordant) / (concordant + discordant); the bootstrap draws
    segments with all their judgements. A third row, of ties of the metric, adds to the
    denominator, as in the metrics tasks from WMT14 on.
    """
    size = counts.shape[1]
    generator = np.random.default_rng(SEED)
    weights = generator.multinomial(size, np.full(size, 1 / size), size=_RESAMPLES)
    drawn = (counts @ weights.T).astype(float)
    with np.errstate(invalid="ignore"):
        draws = np.nan_to_num((drawn[0] - drawn[1]) / drawn.sum(axis=0))
    sums = counts.sum(axis=1)
    value = (sums[0] - sums[1]) / sums.sum() if sums.sum() else 0.0
    return Tau(float(value), draws)


def mean_tau(parts: Sequence[Tau]) -> Tau:
    """Return the mean over sets that were resampled independently."""
    return Tau(
        float(np.mean([part.value for part in parts])),
        np.mean([part.draws for part in parts], axis=0),
    )


def average_ranks(table: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the mean rank of every row over columns, tied ranks averaged.

    Examples
    --------
    >>> average_ranks({"A": [0.3, 0.2], "B": [0.1, 0.2]})
    {'A': 1.25, 'B': 1.75}
    """
    columns = list(zip(*table.values(), strict=True))
    totals = dict.fromkeys(table, 0.0)
    for column in columns:
        for name, value in zip(table, column, strict=True):
            above = sum(other > value for other in column)
            same = sum(other == value for other in column)
            totals[name] += above + (same + 1) / 2
    return {name: total / len(columns) for name, total in totals.items()}
