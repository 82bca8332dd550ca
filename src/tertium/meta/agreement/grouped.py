# SPDX-License-Identifier: Apache-2.0
"""Segment-level correlation of a metric with human scores, by groups of scores.

Scores are a matrix of systems and segments. Grouped by *item*, each segment gives a
coefficient over its systems; by *sys*, each system one over its segments; *none*
takes all scores as one long vector. The result is the plain mean over the groups in
which the coefficient is defined, as mt-metrics-eval has it (which gives 0, not None,
where there is no such group).

Pairs of scores without a human one are left out; so is a group with fewer
than two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium import _core
from tertium.errors import InputError, UnknownNameError
from tertium.meta.matrix import usable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.meta.matrix import ScoreMatrix

__all__ = [
    "COEFFICIENTS",
    "GROUPINGS",
    "Grouped",
    "arrange",
    "check_coefficient",
    "group_values",
    "segment_coefficient",
]

#: Name and what it is called in the core.
COEFFICIENTS = {
    "kendall_a": "a",
    "kendall_b": "b",
    "kendall_c": "c",
    "kendall_23": "23",
    "acc23": "acc23",
    "pearson": "pearson",
    "spearman": "spearman",
}

GROUPINGS = ("item", "sys", "none")

_WITH_EPSILON = ("kendall_a", "kendall_b", "kendall_23", "acc23")


@dataclass(frozen=True)
class Grouped:
    """A coefficient averaged over groups.

    Attributes
    ----------
    value : float or None
        None if it is defined in no group.
    groups : int
        Groups in which it is defined.
    of : int
        Groups in all.
    """

    value: float | None
    groups: int
    of: int


def segment_coefficient(
    human: ScoreMatrix,
    metric: ScoreMatrix,
    coefficient: str = "kendall_b",
    *,
    group: str = "item",
    epsilon: float = 0.0,
    missing: str = "error",
    threads: int | None = None,
) -> Grouped:
    """Return the correlation of a metric with human scores of segments.

    Parameters
    ----------
    human, metric : ScoreMatrix
        The metric may have its systems and segments in another order, and more.
    coefficient : str
        One of :data:`COEFFICIENTS`; ``kendall_23`` and ``acc23`` are those of
        Deutsch, Foster and Freitag (2023).
    group : {"item", "sys", "none"}
    epsilon : float
        Differences of the metric up to this are ties (Kendall's a, b and 23, acc23).
    missing : {"error", "drop"}
        What to do where there is a human score and the metric has none.
    threads : int, optional

    Notes
    -----
    O(n log n) for n scores in a group.
    """
    gold, scores = usable(human, {"metric": metric}, missing=missing)
    values = group_values(
        gold, scores[0], coefficient, group=group, epsilon=epsilon, threads=threads
    )
    defined = values[~np.isnan(values)]
    mean = float(defined.mean()) if len(defined) else None
    return Grouped(mean, len(defined), len(values))


def check_coefficient(coefficient: str, group: str, epsilon: float = 0.0) -> str:
    """Return the core's name of a coefficient, after checks."""
    if coefficient not in COEFFICIENTS:
        raise UnknownNameError("coefficient", coefficient, COEFFICIENTS)
    if group not in GROUPINGS:
        raise UnknownNameError("grouping", group, GROUPINGS)
    if not epsilon >= 0:
        message = f"epsilon must be 0 or more, not {epsilon}"
        raise InputError(message)
    if epsilon > 0 and coefficient not in _WITH_EPSILON:
        message = f"{coefficient} has no epsilon; use one of {', '.join(_WITH_EPSILON)}"
        raise InputError(message)
    return COEFFICIENTS[coefficient]


def arrange(values: NDArray[np.float64], group: str) -> NDArray[np.float64]:
    """Return (segments, systems) as one row per group."""
    if group == "item":
        return np.ascontiguousarray(values)
    if group == "sys":
        return np.ascontiguousarray(values.T)
    return np.ascontiguousarray(values.reshape(1, -1))


def group_values(
    human: NDArray[np.float64],
    metric: NDArray[np.float64],
    coefficient: str,
    *,
    group: str = "item",
    epsilon: float = 0.0,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Return the coefficient of every group, NaN where it is not defined.

    Both matrices have one row per segment; for calculations that go on from here.
    """
    kind = check_coefficient(coefficient, group, epsilon)
    return _core.correlate_rows(
        kind, arrange(human, group), arrange(metric, group), epsilon, threads or 0
    )
