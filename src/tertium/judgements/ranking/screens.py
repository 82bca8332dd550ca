# SPDX-License-Identifier: Apache-2.0
"""Outputs that a judge scored side by side, as in contrastive ESA.

A screen is one judge, one segment and, where times are known, one time: answers to a
screen are sent together. Two outputs on a screen are a pair by construction: judge,
source and moment are the same, and their difference is free of what these add.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.judgements.ranking.wins import Array
from tertium.judgements.segment_names import segment_names, with_names

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

__all__ = ["Screens", "screens_of"]


@dataclass(frozen=True, eq=False)
class Screens:
    """Scores of systems on screens.

    Parameters
    ----------
    scores : array of shape (systems, screens)
        NaN for systems that a screen does not have.
    segment : array of int
        The number of every screen's segment.
    """

    scores: Array
    segment: NDArray[np.int64]

    @property
    def share(self) -> float:
        """The share of screens with several systems."""
        shown = (~np.isnan(self.scores)).sum(axis=0)
        return float((shown > 1).mean()) if len(shown) else 0.0

    def gaps(self, i: int, j: int) -> Array:
        """Return the differences of two systems, one per segment with both on a screen.

        Screens of one segment are averaged: their differences are not independent.
        """
        gap = self.scores[i] - self.scores[j]
        known = ~np.isnan(gap)
        if not known.any():
            return np.empty(0)
        segment = self.segment[known]
        sums = np.bincount(segment, gap[known])
        number = np.bincount(segment)
        return np.asarray(sums[number > 0] / number[number > 0])


def screens_of(
    table: pl.LazyFrame, systems: tuple[str, ...], *, times: bool = True
) -> Screens | None:
    """Return the screens of ratings, or None without known judges.

    Parameters
    ----------
    table : LazyFrame
        Ratings, or error spans as ratings.
    systems : tuple of str
        Their order.
    times : bool
        Whether outputs of a screen must have the same time, where it is known.
    """
    import polars as pl

    table = table.filter(pl.col("score").is_not_null() & pl.col("judge").is_not_null())
    columns = [pl.col("system", "judge").cast(pl.String), "name", "score"]
    if times:
        columns.append("time")
    frame = with_names(table, segment_names(table)).select(columns).collect()
    if frame.is_empty():
        return None
    screen = [name for name in ("judge", "name", "time") if name in frame.columns]
    means = frame.group_by("system", *screen).agg(pl.col("score").sort().mean())
    places = {name: number for number, name in enumerate(systems)}
    segment = (means["name"].rank("dense") - 1).to_numpy().astype(np.int64)
    codes = means.select(pl.struct(screen).rank("dense")).to_series().to_numpy() - 1
    codes = codes.astype(np.int64)
    scores = np.full((len(systems), int(codes.max()) + 1), np.nan)
    rows = [places[name] for name in means["system"]]
    scores[rows, codes] = means["score"].to_numpy()
    segments = np.zeros(scores.shape[1], np.int64)
    segments[codes] = segment
    return Screens(scores, segments)
