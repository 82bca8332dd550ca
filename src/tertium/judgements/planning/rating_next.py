# SPDX-License-Identifier: Apache-2.0
"""Which outputs to rate next, as :func:`judge_next` says which ones to compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tertium._seed import SEED
from tertium.errors import InputError
from tertium.judgements.estimates import need_scipy
from tertium.judgements.planning.comparisons import Item, order_entropy
from tertium.judgements.planning.rating_plans import segment_table
from tertium.judgements.ranking.systems import one_langpair
from tertium.judgements.ranking.wins import Array

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.judgements.tables import Judgements

__all__ = ["rate_next"]


def rate_next(
    judgements: Judgements,
    count: int = 10,
    *,
    method: str = "z",
    scale: str | None = None,
    seed: int = SEED,
) -> list[Item]:
    """Return the segments on which two systems should be rated next.

    Parameters
    ----------
    judgements : Judgements
        Ratings or error spans of one language pair so far.
    count : int
    method : {"z", "mean", "mqm"}
    scale : str, optional
        The scale of ratings, where there are several.
    seed : int
        Chooses among segments that are equally good.

    Notes
    -----
    With p the probability that a is better than b after n shared segments (the mean
    difference is taken to be normal), one more is worth H(p) / (n + 1): the entropy of
    the order times the share of the variance that it takes away. Pairs without two
    shared segments have the usual deviation of the others, and the difference of their
    means. Pairs are chosen one after the other, each as if the ones before had been
    rated. A pair goes to a segment with one of the two rated, where one rating makes a
    difference; then to one with none; of these, to the one that was rated least.
    O(count (systems^2 + segments)).

    Raises
    ------
    InputError
        When there are fewer than two systems.
    """
    need_scipy("ranking systems")
    if count < 0:
        raise InputError(f"count must be 0 or more, not {count}")
    one_langpair(judgements)
    table = segment_table(judgements, method, scale)
    number = len(table.systems)
    if number < 2:
        raise InputError("one system has ratings; there is nothing to tell apart")
    first, second = np.triu_indices(number, 1)
    gap, deviation, shared = _differences(table.scores, first, second)
    rated = ~np.isnan(table.scores)
    rng = np.random.default_rng(seed)
    items = []
    for _ in range(count):
        variance = deviation**2 / np.maximum(shared, 1)
        # Where all differences are the same, one more tells nothing.
        gains = np.where(deviation > 0, order_entropy(gap, variance), 0) / (shared + 1)
        best = int(np.argmax(gains))
        a, b = int(first[best]), int(second[best])
        place = _segment(rated, a, b, rng)
        rated[[a, b], place] = True
        shared[best] += 1
        items.append(
            Item(
                table.segments[place],
                table.systems[a],
                table.systems[b],
                float(gains[best]),
            )
        )
    return items


def _differences(
    scores: Array, first: NDArray[np.intp], second: NDArray[np.intp]
) -> tuple[Array, Array, NDArray[np.int64]]:
    """Return mean and deviation of differences of pairs, and their shared segments."""
    known = ~np.isnan(scores)
    filled = np.where(known, scores, 0.0)
    means = filled.sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    shared = np.zeros(len(first), np.int64)
    gap, deviation = np.zeros(len(first)), np.full(len(first), np.nan)
    for k, (a, b) in enumerate(zip(first, second, strict=True)):
        differences = scores[a] - scores[b]
        differences = differences[~np.isnan(differences)]
        shared[k] = len(differences)
        gap[k] = differences.mean() if len(differences) else means[a] - means[b]
        if len(differences) > 1:
            deviation[k] = differences.std(ddof=1)
    usual = float(np.nanmedian(deviation)) if np.isfinite(deviation).any() else 1.0
    return gap, np.where(np.isnan(deviation), usual, deviation), shared


def _segment(rated: NDArray[np.bool_], a: int, b: int, rng: np.random.Generator) -> int:
    """Return the segment on which a pair costs least, then the one rated least."""
    there = rated[a].astype(np.int64) + rated[b]
    order = np.array([1, 0, 2])[there]  # one of both rated comes first
    load = order * (len(rated) + 1) + rated.sum(axis=0)
    free = np.flatnonzero(load == load.min())
    return int(free[rng.integers(len(free))])
