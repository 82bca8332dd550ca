# SPDX-License-Identifier: Apache-2.0
"""What a metric difference means: how often judges agree with one of that size.

After Kocmi et al. (2024), "Navigating the metrics maze", but from the judgements at
hand: all pairs of systems of all language pairs, by the size of the difference.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tertium.errors import InputError
from tertium.meta.evaluation import Evaluation
from tertium.stats.shares import wilson

__all__ = ["Gap", "gaps"]

_FEW = 5  # pairs of systems that a range should have


@dataclass(frozen=True)
class Gap:
    """Pairs of systems between which a metric differs by about as much.

    Parameters
    ----------
    low, high : float
        The range of differences; the last range is open.
    pairs : int
        Pairs of systems in it that judges do not tie.
    agreed : int
        Those that judges order as the metric does.
    interval : tuple of float
        Of the share that agrees, by Wilson's method; pairs that share a system are
        not independent, so it is too narrow.
    """

    low: float
    high: float
    pairs: int
    agreed: int
    interval: tuple[float, float]

    @property
    def share(self) -> float | None:
        """How often judges agree; None without pairs."""
        return self.agreed / self.pairs if self.pairs else None

    def to_dict(self) -> dict[str, float | int | list[float] | None]:
        """Return plain numbers; the end of an open range is None."""
        return {
            "low": self.low,
            "high": None if math.isinf(self.high) else self.high,
            "pairs": self.pairs,
            "agreed": self.agreed,
            "share": self.share,
            "interval": list(self.interval),
        }


def gaps(
    evaluations: Sequence[Evaluation],
    metric: str,
    *,
    edges: Sequence[float] | None = None,
    bins: int = 6,
) -> list[Gap]:
    """Return how often judges agree with differences of a metric, by their size.

    Parameters
    ----------
    evaluations : sequence of Evaluation
    metric : str
    edges : sequence of float, optional
        Where ranges begin, from 0; ranges of equally many pairs by default.
    bins : int
        How many ranges, without `edges`; fewer if they would have under five pairs.

    Raises
    ------
    InputError
        When no evaluation has the metric, or edges do not rise from 0.
    """
    sizes, right = [], []
    # Single judgements are about the same systems as their means.
    means = [both for both in evaluations if both.human.clusters is None]
    for both in means or evaluations:
        scores = next((m.system for m in both.metrics if m.name == metric), None)
        if scores is None:
            continue
        human = both.human_scores
        for i in range(len(human)):
            for j in range(i):
                by_human, by_metric = human[i] - human[j], scores[i] - scores[j]
                if np.isnan(by_human) or np.isnan(by_metric) or by_human == 0:
                    continue
                sizes.append(abs(by_metric))
                right.append(by_human * by_metric > 0)
    if not sizes:
        raise InputError(f"no pair of systems has scores of {metric}; name another")
    difference, agrees = np.array(sizes), np.array(right)
    if edges is None:
        bins = max(1, min(bins, len(difference) // _FEW))
        cuts = np.quantile(difference, np.linspace(0, 1, bins + 1)[1:-1])
        edges = [0.0, *np.unique(cuts[cuts > 0]).tolist()]
    rising = all(a < b for a, b in pairwise(edges))
    if not rising or not edges or edges[0] != 0:
        raise InputError(f"edges must rise from 0, not {list(edges)}")
    out = []
    for low, high in zip(edges, [*edges[1:], math.inf], strict=True):
        chosen = (difference >= low) & (difference < high)
        pairs, agreed = int(chosen.sum()), int(agrees[chosen].sum())
        out.append(Gap(float(low), float(high), pairs, agreed, wilson(agreed, pairs)))
    return out
