# SPDX-License-Identifier: Apache-2.0
"""How far metrics agree with each other, and the outputs on which they do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tertium.engine.results import MetricInfo

__all__ = ["MetricPair", "Outlier", "agreement"]

_OUTLIERS = 10


@dataclass(frozen=True)
class Outlier:
    """An output that one metric ranks far above another.

    Attributes
    ----------
    system : str
    segment : int
        From 0.
    ranks : tuple of float
        The share of all outputs that either metric finds worse.
    """

    system: str
    segment: int
    ranks: tuple[float, float]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures; segments count from 1."""
        return {
            "system": self.system,
            "segment": self.segment + 1,
            "ranks": list(self.ranks),
        }


@dataclass(frozen=True)
class MetricPair:
    """Two metrics.

    Attributes
    ----------
    metrics : tuple of str
    pearson, spearman : float
        Over all outputs of all systems, both metrics turned so that higher is better;
        NaN where a metric gives all outputs one score.
    swapped : list of tuple of str
        Pairs of systems that the metrics put in opposite orders: the first of each is
        better by the first metric.
    outliers : list of Outlier
        The outputs with the most different ranks.
    """

    metrics: tuple[str, str]
    pearson: float
    spearman: float
    swapped: list[tuple[str, str]]
    outliers: list[Outlier]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures."""
        return {
            "metrics": list(self.metrics),
            "pearson": self.pearson,
            "spearman": self.spearman,
            "swapped": [list(pair) for pair in self.swapped],
            "outliers": [each.to_dict() for each in self.outliers],
        }


def agreement(
    infos: Mapping[str, MetricInfo],
    systems: Sequence[str],
    scores: Mapping[str, Mapping[str, float]],
    segments: Mapping[str, np.ndarray],
) -> list[MetricPair]:
    """Return the agreement of every pair of metrics.

    Parameters
    ----------
    infos : mapping of spec to MetricInfo
    systems : sequence of str
    scores : mapping of str to mapping of str to float
        Of systems, by metric.
    segments : mapping of str to array
        Scores of outputs, systems x segments, by metric.
    """
    signs = {spec: 1 if info.higher_is_better else -1 for spec, info in infos.items()}
    turned = {spec: signs[spec] * segments[spec].ravel() for spec in infos}
    ranks = {spec: _ranks(values) for spec, values in turned.items()}
    out = []
    for one, other in combinations(infos, 2):
        swapped = [
            (a, b)
            for pair in combinations(systems, 2)
            for a, b in (pair, pair[::-1])
            if signs[one] * (scores[one][a] - scores[one][b]) > 0
            and signs[other] * (scores[other][a] - scores[other][b]) < 0
        ]
        out.append(
            MetricPair(
                (one, other),
                _pearson(turned[one], turned[other]),
                _spearman(turned[one], turned[other]),
                swapped,
                _outliers(ranks[one], ranks[other], systems),
            )
        )
    return out


def _ranks(values: np.ndarray) -> np.ndarray:
    """Return the share of values that are smaller; equal ones get their middle.

    Values that are NaN have no rank.
    """
    ranks = np.full(len(values), np.nan)
    defined = ~np.isnan(values)
    known = values[defined]
    _, numbers, counts = np.unique(known, return_inverse=True, return_counts=True)
    below = np.cumsum(counts) - counts
    shares = (below + (counts - 1) / 2) / max(1, len(known) - 1)
    ranks[defined] = shares[numbers]
    return ranks


def _pearson(one: np.ndarray, other: np.ndarray) -> float:
    both = np.isfinite(one) & np.isfinite(other)
    one, other = one[both], other[both]
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])


def _spearman(one: np.ndarray, other: np.ndarray) -> float:
    both = ~(np.isnan(one) | np.isnan(other))
    return _pearson(_ranks(one[both]), _ranks(other[both]))


def _outliers(
    one: np.ndarray, other: np.ndarray, systems: Sequence[str]
) -> list[Outlier]:
    size = len(one) // max(1, len(systems))
    # NaN is sorted to the end.
    order = np.argsort(-np.abs(one - other), kind="stable")[:_OUTLIERS]
    return [
        Outlier(
            systems[place // size],
            int(place % size),
            (float(one[place]), float(other[place])),
        )
        for place in order
        if abs(one[place] - other[place]) > 0
    ]
