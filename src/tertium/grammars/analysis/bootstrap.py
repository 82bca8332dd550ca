# SPDX-License-Identifier: Apache-2.0
"""Bootstrap over templates and the segments in them.

Sentences of one template resemble each other, so they are not independent: a system
that fails on one fails on many. A resample therefore samples templates first, with
replacement, then as many segments of every sampled template as it has, with
replacement (two-stage, Davison and Hinkley 1997, section 3.8). A segment without a
template is a cluster of its own. All systems share the same resamples, so differences
are paired.

With a single template only its segments vary, and the interval ignores the variation
between templates; with a handful it tends to be too narrow. :func:`caution` returns
a warning in these cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._seed import SEED
from tertium.stats.limits import enough_resamples
from tertium.stats.resample import Bootstrap

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "FEW",
    "bootstrap_for",
    "caution",
    "clusters_of",
    "sample_weights",
]

Floats: TypeAlias = "NDArray[np.float64]"

_PART = 1000  # resamples whose weights are held at a time

#: Below this many templates intervals are called rough.
FEW = 10


def bootstrap_for(
    systems: int,
    *,
    resamples: int | None = None,
    seed: int = SEED,
    confidence: float = 0.95,
) -> Bootstrap:
    """Return the bootstrap that a comparison of so many systems needs.

    Parameters
    ----------
    systems : int
        How many systems are compared, all pairs of them.
    resamples : int, optional
        The number of resamples; 0 for no intervals. By default 1,000, and more
        where many pairs of systems are compared (see
        :func:`tertium.stats.enough_resamples`).
    seed : int
        Zero is a seed like any other.
    confidence : float
        The share of resampled scores inside an interval.

    Examples
    --------
    >>> bootstrap_for(2)
    Bootstrap(resamples=1000, seed=12345, confidence=0.95)
    >>> bootstrap_for(2, resamples=0).resamples
    0
    """
    if resamples is None:
        pairs = systems * (systems - 1) // 2
        resamples = enough_resamples(pairs, 1 - confidence)
    return Bootstrap(resamples, seed, confidence)


def clusters_of(templates: Sequence[str]) -> list[list[int]]:
    """Return the segments of every template; those without one are clusters of one.

    Examples
    --------
    >>> clusters_of(["a", "", "b", "a", ""])
    [[0, 3], [1], [2], [4]]
    """
    clusters: dict[object, list[int]] = {}
    for place, template in enumerate(templates):
        clusters.setdefault(template or place, []).append(place)
    return list(clusters.values())


def sample_weights(
    clusters: Sequence[Sequence[int]], bootstrap: Bootstrap
) -> Iterator[Floats]:
    """Yield how often every segment is sampled, one row per resample, in parts.

    Takes O(resamples * segments) time, and the memory of a thousand resamples.
    """
    generator = np.random.default_rng(bootstrap.seed)
    members = [np.array(cluster) for cluster in clusters]
    for start in range(0, bootstrap.resamples, _PART):
        count = min(_PART, bootstrap.resamples - start)
        yield _weights(members, count, generator)


def _weights(
    members: Sequence[NDArray[np.int64]], count: int, generator: np.random.Generator
) -> Floats:
    weights = np.zeros((count, sum(map(len, members))))
    for row in weights:
        times = np.bincount(
            generator.integers(len(members), size=len(members)), minlength=len(members)
        )
        for cluster, often in zip(members, times, strict=True):
            if often:
                places = generator.integers(len(cluster), size=often * len(cluster))
                row[cluster] = np.bincount(places, minlength=len(cluster))
    return weights


def caution(templates: Sequence[str]) -> str:
    """Return a warning about the intervals, or an empty string."""
    named = {template for template in templates if template}
    clusters = len(clusters_of(templates))
    if not clusters:
        return ""
    if clusters == 1 and named:
        return (
            "All segments come from one template: intervals only show how scores vary "
            "within it, not how they would vary with other templates."
        )
    if clusters < FEW:
        return (
            f"Intervals rest on {clusters} {'template' if named else 'segment'}"
            f"{'s' if clusters > 1 else ''}; with so few they are rough and tend "
            "to be too narrow."
        )
    return ""
