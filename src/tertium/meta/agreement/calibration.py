# SPDX-License-Identifier: Apache-2.0
"""Tie calibration: differences of a metric that are none.

Deutsch, Foster and Freitag (2023), Ties Matter: the epsilon is searched under which
pairwise accuracy with ties (acc23) is highest, where scores that differ by no more
than epsilon are tied. Candidates are 0 and all differences of scores of a group.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium import _core
from tertium.errors import InputError
from tertium.meta.agreement.grouped import arrange, check_coefficient, group_values
from tertium.meta.matrix import usable

if TYPE_CHECKING:
    from tertium.meta.matrix import ScoreMatrix

__all__ = ["Calibrated", "calibrate"]

# Pairs whose differences are kept and sorted: 16 bytes each, twice.
_MAX_PAIRS = 150_000_000


@dataclass(frozen=True)
class Calibrated:
    """The outcome of tie calibration.

    Attributes
    ----------
    epsilon : float
        The smallest one that gives the highest accuracy.
    accuracy : float or None
        acc23 under it; None if no group has a pair.
    groups : int
        Groups with at least one pair.
    """

    epsilon: float
    accuracy: float | None
    groups: int


def calibrate(
    human: ScoreMatrix,
    metric: ScoreMatrix,
    *,
    group: str = "item",
    missing: str = "error",
) -> Calibrated:
    """Return the epsilon that maximises acc23, and that value.

    Parameters
    ----------
    human, metric : ScoreMatrix
    group : {"item", "sys", "none"}
    missing : {"error", "drop"}

    Notes
    -----
    O(P log P) for the P pairs of scores in groups: one sweep over the sorted
    differences. mt-metrics-eval samples a tenth of the pairs; we take all.
    """
    check_coefficient("acc23", group)
    gold, scores = usable(human, {"metric": metric}, missing=missing)
    rows = arrange(gold, group)
    present = np.count_nonzero(~np.isnan(rows), axis=1).astype(np.int64)
    pairs = int((present * (present - 1) // 2).sum())
    if pairs > _MAX_PAIRS:
        message = (
            f"{pairs:,} pairs of scores are too many to calibrate on (at most "
            f"{_MAX_PAIRS:,}); group by item, or take fewer segments"
        )
        raise InputError(message)
    epsilon, _, groups = _core.calibrate_ties(rows, arrange(scores[0], group))
    # The sweep adds and takes away; counting anew is exact.
    values = group_values(gold, scores[0], "acc23", group=group, epsilon=epsilon)
    defined = values[~np.isnan(values)]
    return Calibrated(epsilon, float(defined.mean()) if groups else None, groups)
