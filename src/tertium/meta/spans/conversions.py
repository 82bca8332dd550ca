# SPDX-License-Identifier: Apache-2.0
"""From spans to a score, and from a score to a label.

A metric that marks spans also gives a score, the negative sum of its errors' weights,
and a label: free of errors or not. The weights are those of MQM in ``tertium rank``;
missing content counts as any error does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tertium.judgements.ranking.ratings import MqmWeights
from tertium.judgements.spans.matching import Annotation

__all__ = ["label_of", "precision_at_recall", "score_of"]


def score_of(annotation: Annotation, weights: MqmWeights | None = None) -> float:
    """Return minus the weight of all errors: 0 is best.

    Severities without a weight count as minor.

    Examples
    --------
    >>> from tertium.judgements.spans.matching import Mark, MissingMark
    >>> score_of(Annotation((Mark(0, 2, "major"),), (MissingMark("minor"),)))
    -6.0
    """
    weights = weights or MqmWeights()
    total = 0.0
    errors = [(mark.category, mark.severity) for mark in annotation.marks]
    errors += [(mark.category, mark.severity) for mark in annotation.missing]
    for category, severity in errors:
        known = severity if weights.knows(severity) else "minor"
        total += weights.weight(category, known)
    return -total or 0.0


def label_of(score: float, threshold: float = 0.0) -> bool:
    """Return whether a score stands for an output without errors.

    Examples
    --------
    >>> label_of(0.0), label_of(-1.0), label_of(-1.0, threshold=-1.0)
    (True, False, True)
    """
    return score >= threshold


def precision_at_recall(
    scores: Sequence[float], truth: Sequence[bool], recall: float = 0.8
) -> float | None:
    """Return the best precision of a threshold that finds enough error-free outputs.

    A threshold calls every output with at least its score free of errors, so that equal
    scores are never told apart. Sorting makes it O(n log n).

    Parameters
    ----------
    scores : sequence of float
        Higher is better.
    truth : sequence of bool
        Whether outputs are free of errors.
    recall : float
        The share of error-free outputs that must be found.

    Returns
    -------
    float or None
        None if no output is free of errors.

    Examples
    --------
    >>> precision_at_recall([0, 0, -1, -5], [True, False, True, False], recall=0.5)
    0.6666666666666666
    """
    free: npt.NDArray[np.float64] = np.asarray(truth, dtype=float)
    if not free.sum():
        return None
    values = np.asarray(scores, dtype=float)
    order = np.argsort(-values, kind="stable")
    hits = np.cumsum(free[order])
    ends = np.append(values[order][1:] != values[order][:-1], True)
    precision = hits / np.arange(1, len(values) + 1)
    enough = ends & (hits >= recall * free.sum() - 1e-9)
    return float(precision[enough].max())
