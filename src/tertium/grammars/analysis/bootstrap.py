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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium.stats.limits import enough_resamples
from tertium.stats.resample import check_run

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "FEW",
    "Resamples",
    "caution",
    "clusters_of",
    "draw_weights",
]

Floats: TypeAlias = "NDArray[np.float64]"

_PART = 1000  # resamples whose weights are held at a time

#: Below this many templates intervals are called rough.
FEW = 10


@dataclass(frozen=True)
class Resamples:
    """How the bootstrap is run.

    Parameters
    ----------
    count : int, optional
        How many test sets are drawn; 0 for no intervals. By default 1,000, and more
        where many pairs of systems are compared (see
        :func:`tertium.stats.enough_resamples`).
    seed : int
        Zero is a seed like any other.
    confidence : float
        The share of drawn scores in an interval.
    """

    count: int | None = None
    seed: int = SEED
    confidence: float = 0.95

    def __post_init__(self) -> None:
        check_run(max(1, self.count or 0), self.seed)

    def for_systems(self, number: int) -> Resamples:
        """Return the run with as many draws as all pairs of systems need."""
        if self.count is not None:
            return self
        pairs = number * (number - 1) // 2
        return replace(self, count=enough_resamples(pairs, 1 - self.confidence))


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


def draw_weights(clusters: Sequence[Sequence[int]], run: Resamples) -> Iterator[Floats]:
    """Yield how often every segment is drawn, one row per resample, in parts.

    Takes resamples x segments steps, and the memory of a thousand resamples.
    """
    draw = np.random.default_rng(run.seed)
    members = [np.array(own) for own in clusters]
    count = run.for_systems(1).count or 0
    for start in range(0, count, _PART):
        yield _weights(members, min(_PART, count - start), draw)


def _weights(
    members: Sequence[NDArray[np.int64]], count: int, draw: np.random.Generator
) -> Floats:
    weights = np.zeros((count, sum(map(len, members))))
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
