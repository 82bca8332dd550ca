# SPDX-License-Identifier: Apache-2.0
"""z-scores: ratings relative to the mean and standard deviation of their judge.

As in the direct assessment of WMT. A judge with one rating, or with equal ones only,
has no standard deviation (n - 1): such ratings have no z-score, and the judge is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.judgements.estimates import Codes, Floats

__all__ = ["ZScores", "standardise"]


@dataclass(frozen=True, eq=False)
class ZScores:
    """Ratings without the habits of their judges.

    Parameters
    ----------
    scores : array
        Of the ratings in `kept`.
    kept : array of bool
        Which ratings have a z-score.
    means, spreads : dict of str to float
        What was subtracted from each judge's ratings, and what they were divided by.
    left_out : dict of str to str
        Judges without z-scores, and why.
    """

    scores: Floats
    kept: NDArray[np.bool_]
    means: dict[str, float]
    spreads: dict[str, float]
    left_out: dict[str, str]


def standardise(judges: Sequence[str], judge: Codes, score: Floats) -> ZScores:
    """Return the z-scores of ratings.

    Parameters
    ----------
    judges : sequence of str
    judge : array of int
        The number of every rating's judge; ratings of -1, unknown, are left out.
    score : array
    """
    size = len(judges)
    known = judge >= 0
    judges_known, values = judge[known], score[known]
    counts = np.bincount(judges_known, minlength=size)
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(low, judges_known, values)
    np.maximum.at(high, judges_known, values)
    mean = np.bincount(judges_known, values, minlength=size) / np.maximum(counts, 1)
    squares = np.bincount(
        judges_known, (values - mean[judges_known]) ** 2, minlength=size
    )
    spread = np.sqrt(squares / np.maximum(counts - 1, 1))
    # Tiny differences can vanish when they are squared.
    usable = (counts > 1) & (low < high) & (spread > 0)
    means, spreads, left_out = {}, {}, {}
    for j, name in enumerate(judges):
        if usable[j]:
            means[name], spreads[name] = float(mean[j]), float(spread[j])
        elif counts[j] < 2:
            left_out[name] = "fewer than two scores"
        else:
            left_out[name] = "all scores are the same"
    kept = known & usable[judge] if size else np.zeros(len(score), bool)
    scores = (score[kept] - mean[judge[kept]]) / spread[judge[kept]]
    return ZScores(scores, kept, means, spreads, left_out)
