# SPDX-License-Identifier: Apache-2.0
"""System-level agreement of metrics with human scores.

Pearson, Spearman and Kendall's tau-b of one score per system; pairwise accuracy
(Kocmi et al. 2021): the share of pairs of systems that both put in the same order;
soft pairwise accuracy (Thompson et al. 2024): 1 minus the mean difference of the
p-values of human and metric scores for "the first system is better". A metric
that is unsure where judges are unsure loses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError
from tertium.meta.matrix import align, usable
from tertium.stats.correlation import kendall, pearson, spearman
from tertium.stats.resample import check_run, draw_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.meta.matrix import ScoreMatrix

__all__ = [
    "SystemLevel",
    "pairwise_accuracy",
    "pairwise_p_values",
    "soft_pairwise_accuracy",
    "system_level",
]

# Sums that are equal in exact arithmetic may differ in the last bits.
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class SystemLevel:
    """Agreement on systems; None where a coefficient is not defined.

    Attributes
    ----------
    pearson, spearman, kendall_b : float or None
    accuracy : float or None
        Pairwise accuracy.
    systems : int
        With a score from both sides.
    """

    pearson: float | None
    spearman: float | None
    kendall_b: float | None
    accuracy: float | None
    systems: int


def system_level(
    human: Mapping[str, float | None], metric: Mapping[str, float | None]
) -> SystemLevel:
    """Return all coefficients of one score per system; higher is better on both sides.

    Systems without a human score are left out; one without the metric's is an
    error.

    Examples
    --------
    >>> system_level({"A": 1, "B": 2, "C": 4}, {"A": 1, "B": 3, "C": 2}).spearman
    0.5
    """
    first, second = _scores(human, metric)
    return SystemLevel(
        pearson(first, second),
        spearman(first, second),
        kendall(first, second, "b"),
        _accuracy(first, second),
        len(first),
    )


def pairwise_accuracy(
    human: Mapping[str, float | None], metric: Mapping[str, float | None]
) -> float | None:
    """Return the share of pairs of systems in the same order; ties must be tied.

    Examples
    --------
    >>> pairwise_accuracy({"A": 1, "B": 2, "C": 4}, {"A": 1, "B": 3, "C": 3})
    0.6666666666666666
    """
    return _accuracy(*_scores(human, metric))


def _accuracy(first: list[float], second: list[float]) -> float | None:
    return kendall(first, second, "acc23")


def _scores(
    human: Mapping[str, float | None], metric: Mapping[str, float | None]
) -> tuple[list[float], list[float]]:
    first, second = [], []
    for system, score in human.items():
        if score is None:
            continue
        other = metric.get(system)
        if other is None:
            message = (
                f"the metric has no score for system {system!r}; score it, or leave "
                "the system out on both sides"
            )
            raise InputError(message)
        first.append(float(score))
        second.append(float(other))
    return first, second


def pairwise_p_values(
    scores: NDArray[np.float64],
    *,
    resamples: int = 1000,
    seed: int = SEED,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Return the one-sided p-values that one system is better than another.

    A paired permutation test: segment scores of two systems change sides by the toss
    of a coin, the same coins for all pairs; p is the share of trials in which the
    difference is at least the observed one (Thompson et al. 2024, without the one
    that other tests of this library add).

    Parameters
    ----------
    scores : ndarray of shape (systems, segments)
        Without missing ones.

    Returns
    -------
    ndarray of shape (pairs,)
        Of pairs of systems (0, 1), (0, 2) ... in the order of
        :func:`itertools.combinations`.

    Notes
    -----
    O(resamples (systems segments / 8 + systems²)): sums are linear in the coins.
    """
    check_run(resamples, seed)
    if scores.shape[1] == 0:
        message = "there are no segments that have all scores; soft accuracy needs some"
        raise InputError(message)
    heads = draw_sums(
        "randomisation",
        np.ascontiguousarray(scores.T),
        resamples,
        seed=seed,
        threads=threads,
    )
    totals = scores.sum(axis=1)
    signed = 2 * heads - totals
    out = []
    for i, j in combinations(range(len(scores)), 2):
        observed = totals[i] - totals[j]
        slack = _TOLERANCE * max(1.0, abs(totals[i]) + abs(totals[j]))
        out.append(np.mean(signed[:, i] - signed[:, j] >= observed - slack))
    return np.array(out)


def soft_pairwise_accuracy(
    human: ScoreMatrix,
    metrics: Mapping[str, ScoreMatrix],
    *,
    missing: str = "error",
    resamples: int = 1000,
    seed: int = SEED,
    threads: int | None = None,
) -> dict[str, float | None]:
    """Return the soft pairwise accuracy of every metric; None for one system.

    Only segments with a human score for every system count, for both sides, and all
    metrics share the coins.

    References
    ----------
    Thompson, Mathur, Deutsch and Khayrallah (2024), Improving Statistical
    Significance in Human Evaluation of Automatic Metrics via Soft Pairwise Accuracy.
    """
    check_run(resamples, seed)
    usable(human, metrics, missing=missing)  # for its checks
    tables = [human.values, *(align(human, metric) for metric in metrics.values())]
    whole = ~np.isnan(np.concatenate(tables)).any(axis=0)
    if not whole.any():
        message = (
            "there is no segment on which every system has all scores; soft pairwise "
            "accuracy needs some"
        )
        raise InputError(message)
    if len(human.systems) < 2:
        return dict.fromkeys(metrics)
    p_values = [
        pairwise_p_values(
            table[:, whole], resamples=resamples, seed=seed, threads=threads
        )
        for table in tables
    ]
    return {
        name: 1.0 - float(np.abs(p_values[0] - values).mean())
        for name, values in zip(metrics, p_values[1:], strict=True)
    }
