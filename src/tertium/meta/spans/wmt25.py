# SPDX-License-Identifier: Apache-2.0
"""Characters as WMT25's task 2 counts them (Lavie et al. 2025).

Every span counts all its characters, also those that another span of the same annotator
has marked. At each character, marks of equal severity agree first; what is left over on
both sides gets half credit. ``critical`` is ``major``, and marks of severity
``undecided`` do not count. Other severities count as minor, and ``neutral`` is one of
its own; the original ends with an error there.

References
----------
Lavie et al. (2025), Findings of the WMT25 shared task on automated translation
evaluation systems, and its script (``scoring_esa.py`` of wmt-conference/wmt25-mteval,
commit 74e123c).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tertium.judgements.spans.matching import Annotation, Counts, Mark, severity_level

__all__ = ["wmt25_counts"]

_UNDECIDED = "undecided"
_LEVELS = 4  # from severity_level, critical with major
_PARTIAL = 0.5


def wmt25_counts(predicted: Annotation, human: Annotation) -> Counts:
    """Return the credit of characters, and how many were marked on either side.

    Linear in the lengths of the spans.

    Examples
    --------
    >>> human = Annotation((Mark(0, 4, "minor"), Mark(2, 4, "major")))
    >>> wmt25_counts(Annotation((Mark(2, 6, "critical"),)), human)
    Counts(precision_credit=2.0, recall_credit=2.0, predicted=4.0, human=6.0)
    """
    length = max((mark.end for mark in (*predicted.marks, *human.marks)), default=0)
    a, b = (_layers(one.marks, length) for one in (predicted, human))
    same = np.minimum(a, b)
    left = np.minimum((a - same).sum(axis=0), (b - same).sum(axis=0))
    credit = float(same.sum() + _PARTIAL * left.sum())
    return Counts(credit, credit, float(a.sum()), float(b.sum()))


def _layers(marks: Sequence[Mark], length: int) -> npt.NDArray[np.int64]:
    """Return how many marks every character has, by severity."""
    layers = np.zeros((_LEVELS, length), dtype=np.int64)
    for mark in marks:
        if mark.severity.strip().lower() != _UNDECIDED:
            level = min(severity_level(mark.severity), _LEVELS - 1)
            layers[level, mark.start : mark.end] += 1
    return layers
