# SPDX-License-Identifier: Apache-2.0
"""Bootstrap over templates and the segments in them.

Sentences of one template resemble each other, so they are no independent draws:
systems that fail on one fail on many. A resample therefore draws templates first,
with replacement, then as many segments of every drawn template as it has, with
replacement (two-stage, Davison and Hinkley 1997, 3.8). A segment without a template
is a cluster of its own. The same draws serve all systems, so differences are paired.

With one template only its segments vary, and the interval says nothing of other
templates; with a handful it tends to be too narrow. :func:`caution` says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.stats.resample import check_run

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FEW", "Resamples", "caution", "clusters_of", "draw_weights"]

Floats: TypeAlias = "NDArray[np.float64]"

#: Below this many templates intervals are called rough.
FEW = 10


@dataclass(frozen=True)
class Resamples:
    """How the bootstrap is run.

    Parameters
    ----------
    count : int
        How many test sets are drawn; 0 for no intervals.
    seed : int
        Zero is a seed like any other.
    confidence : float
        The share of drawn scores in an interval.
    """

    count: int = 1000
    seed: int = 12345
    confidence: float = 0.95

    def __post_init__(self) -> None:
        check_run(max(1, self.count), self.seed)


def clusters_of(templates: Sequence[str]) -> list[list[int]]:
    """Return the segments of every template; those without one stand alone.

    Examples
    --------
    >>> clusters_of(["a", "", "b", "a", ""])
    [[0, 3], [1], [2], [4]]
    """
    found: dict[object, list[int]] = {}
    for place, template in enumerate(templates):
        found.setdefault(template or place, []).append(place)
    return list(found.values())


def draw_weights(clusters: Sequence[Sequence[int]], run: Resamples) -> Floats:
    """Return how often every segment is drawn, one row a resample.

    Takes resamples x segments numbers of memory and about as many steps.
    """
    size = sum(map(len, clusters))
    draw = np.random.default_rng(run.seed)
    weights = np.zeros((run.count, size))
    members = [np.array(own) for own in clusters]
    for row in weights:
        times = np.bincount(
            draw.integers(len(members), size=len(members)), minlength=len(members)
        )
        for own, often in zip(members, times, strict=True):
            if often:
                places = draw.integers(len(own), size=often * len(own))
                row[own] = np.bincount(places, minlength=len(own))
    return weights


def caution(templates: Sequence[str]) -> str:
    """Return what to beware of in intervals, or an empty string."""
    named = {template for template in templates if template}
    clusters = len(clusters_of(templates))
    if not clusters:
        return ""
    if clusters == 1 and named:
        return (
            "All segments come from one template: intervals only tell how scores vary "
            "within it, not how they would with other templates."
        )
    if clusters < FEW:
        return (
            f"Intervals rest on {clusters} {'template' if named else 'segment'}"
            f"{'s' if clusters > 1 else ''}; with so few they are rough and rather "
            "too narrow."
        )
    return ""
