# SPDX-License-Identifier: Apache-2.0
"""Differences of systems on the same segments, with intervals and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium.grammars.analysis.bootstrap import clusters_of, sample_weights
from tertium.grammars.analysis.records import SegmentRecord
from tertium.grammars.search.edits import UNIT
from tertium.stats import Bootstrap, adjust, interval, p_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Difference", "differences", "sampled_scores", "score_of"]

Floats: TypeAlias = "NDArray[np.float64]"


@dataclass(frozen=True)
class Difference:
    """How two systems compare on the same segments.

    Parameters
    ----------
    a, b : str
        The systems, the better one first.
    difference : float
        Score of b minus score of a: how much more expensive b is.
    interval : tuple of float, or None
    p, p_adjusted : float or None
        Two-sided, of the shifted bootstrap, and at least 2 / 2^n for n segments;
        adjusted by Holm for all pairs.
    wins, losses, ties : int
        Segments where a is cheaper, more expensive, equally cheap (by score).
    """

    a: str
    b: str
    difference: float
    interval: tuple[float, float] | None
    p: float | None
    p_adjusted: float | None
    wins: int
    losses: int
    ties: int


def score_of(cost: float, ref_tokens: int) -> float:
    """Return cost (in ten-thousandths) per token; references may all be empty."""
    return cost / UNIT / max(1, ref_tokens)


def sampled_scores(
    records: Mapping[str, Sequence[SegmentRecord]], bootstrap: Bootstrap
) -> dict[str, Floats]:
    """Return the scores on resampled test sets, the same ones for all systems."""
    first = next(iter(records.values()), ())
    if not bootstrap.resamples or not first:
        return {}
    tables = {
        name: np.array([(row.cost, row.ref_len) for row in rows], dtype=float)
        for name, rows in records.items()
    }
    parts: dict[str, list[Floats]] = {name: [] for name in records}
    clusters = clusters_of([row.template for row in first])
    for weights in sample_weights(clusters, bootstrap):
        for name, table in tables.items():
            costs, tokens = (weights @ column for column in table.T)
            parts[name].append(costs / UNIT / np.maximum(1.0, tokens))
    return {name: np.concatenate(scores) for name, scores in parts.items()}


def differences(
    scores: Mapping[str, float],
    records: Mapping[str, Sequence[SegmentRecord]],
    sampled: Mapping[str, Floats],
    bootstrap: Bootstrap,
) -> tuple[Difference, ...]:
    """Return the differences of all pairs of systems, the better one first.

    Parameters
    ----------
    scores : dict of str to float
        By system.
    records : dict of str to sequence of SegmentRecord
        All in the same order of segments.
    sampled : dict of str to ndarray
        Scores on resampled test sets; empty for no intervals.
    bootstrap : Bootstrap
    """
    pairs = list(combinations(sorted(scores, key=lambda name: (scores[name], name)), 2))
    tested: list[tuple[tuple[float, float] | None, float | None]] = []
    for a, b in pairs:
        if not sampled:
            tested.append((None, None))
            continue
        gaps = sampled[b] - sampled[a]
        observed = scores[b] - scores[a]
        # If systems are equal, n segments all favour one of them with the chance
        # 2 / 2^n; nothing surer can be read off them, however few resamples differ.
        least = 2.0 ** (1 - len(records[a]))
        chance = max(least, p_value(gaps - observed, observed))
        tested.append((interval(gaps, confidence=bootstrap.confidence), chance))
    adjusted = iter(adjust([p for _, p in tested if p is not None]))
    compared = []
    for (a, b), (bounds, p) in zip(pairs, tested, strict=True):
        gap = [
            two.score - one.score
            for one, two in zip(records[a], records[b], strict=True)
        ]
        compared.append(
            Difference(
                a,
                b,
                scores[b] - scores[a],
                bounds,
                p,
                None if p is None else next(adjusted),
                sum(more > 0 for more in gap),
                sum(more < 0 for more in gap),
                sum(more == 0 for more in gap),
            )
        )
    return tuple(compared)
