# SPDX-License-Identifier: Apache-2.0
"""Comparisons of two outputs: by judges, and by a metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from tertium.meta.agreement.ties import signs_from_ratings
from tertium.meta.evaluation import Evaluation

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Compared", "Places", "are_assessments", "compared"]

Array: TypeAlias = "NDArray[np.float64]"
Places: TypeAlias = "NDArray[np.int32] | NDArray[np.int64]"

_FAR = 25.0  # points of direct assessment that make one output surely better
_SCALE = 0.0, 100.0  # of direct assessment, which those points belong to


class Compared(NamedTuple):
    """Outcomes of comparisons by judges and by a metric, one per entry.

    Parameters
    ----------
    signs : array
        The human preference: 1 the first, -1 the second, 0 neither.
    differences : array
        By how much for the metric; NaN where it lacks a score.
    segment, first, second : array of int
        Their places.
    """

    signs: Array
    differences: Array
    segment: Places
    first: Places
    second: Places


def compared(preset: str, both: Evaluation, scores: Array) -> Compared | None:
    """Return the human outcome of every comparison, and the metric's difference.

    Parameters
    ----------
    preset : str
        ``darr`` takes comparisons from ratings on a scale from 0 to 100, others from
        rankings.
    both : Evaluation
    scores : matrix
        Of a metric.
    """
    if preset == "darr":
        ratings = both.human.points
        if ratings is None or not are_assessments(ratings):
            return None
        return _far_apart(ratings, scores)
    comparisons = both.human.comparisons
    if comparisons is None:
        return None
    return Compared(
        comparisons.outcome.astype(np.float64),
        scores[comparisons.first, comparisons.segment]
        - scores[comparisons.second, comparisons.segment],
        comparisons.segment,
        comparisons.first,
        comparisons.second,
    )


def are_assessments(ratings: Array) -> bool:
    """Whether ratings look like direct assessments, not like MQM, stars or z-scores."""
    known = ratings[~np.isnan(ratings)]
    low, high = _SCALE
    return bool(len(known) and low <= known.min() and _FAR < known.max() <= high)


def _far_apart(ratings: Array, scores: Array) -> Compared:
    """Return who is better, and by how much for the metric, of distant pairs."""
    first, second = np.triu_indices(len(ratings), 1)
    signs = signs_from_ratings(ratings[first], ratings[second], threshold=_FAR)
    pair, segment = np.nonzero(signs)
    differences = (scores[first] - scores[second])[pair, segment]
    return Compared(
        signs[pair, segment], differences, segment, first[pair], second[pair]
    )
