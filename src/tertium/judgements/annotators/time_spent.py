# SPDX-License-Identifier: Apache-2.0
"""How much time judges spent: totals and means, as Macháček (2014), table 2.3.

Judgements of 600 s or more were interrupted, and neither totals nor means have them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.judgements.annotators.profiles import LONGEST
from tertium.judgements.annotators.reading import times_by_judge
from tertium.judgements.segment_names import SEGMENT

if TYPE_CHECKING:
    from tertium.judgements.agreement.ratings import RatingData
    from tertium.judgements.tables import Judgements

__all__ = ["TimeSpent", "time_spent"]


@dataclass(frozen=True)
class TimeSpent:
    """The time that a judge, or all judges together, spent on judgements.

    Parameters
    ----------
    judge : str or None
        None for all together.
    segments : int
        Different segments (sentences) with a judgement.
    judgements : int
        Rankings and ratings; where parts were ranked, each of them counts.
    seconds : float
        The time of all judgements that took less than 600 s.
    timed : int
        How many these are.
    long : int
        Judgements of 600 s or more.
    """

    judge: str | None
    segments: int
    judgements: int
    seconds: float
    timed: int
    long: int

    @property
    def mean(self) -> float | None:
        """Seconds per judgement, None if no time is known."""
        return self.seconds / self.timed if self.timed else None

    def to_dict(self) -> dict[str, object]:
        """Return what JSON shows."""
        return {
            "judge": self.judge,
            "segments": self.segments,
            "judgements": self.judgements,
            "seconds": self.seconds,
            "mean": self.mean,
            "timed": self.timed,
            "long": self.long,
        }


def time_spent(
    judgements: Judgements, ratings: Sequence[RatingData] = ()
) -> tuple[TimeSpent, ...]:
    """Return the time of every judge, by name, and of all together at the end.

    Parameters
    ----------
    judgements : Judgements
        Rankings and ratings; error spans are not looked at.
    ratings : sequence of RatingData
        The ratings of each scale.

    Examples
    --------
    >>> from tertium.judgements import Judgements, Place, Ranking
    >>> places = Place(("A",), 1), Place(("B",), 2)
    >>> made = [
    ...     Ranking(places, "7", part, judge="anna", duration=seconds)
    ...     for part, seconds in (("a cat", 40.0), ("sat", 50.0), ("down", 900.0))
    ... ]
    >>> anna, total = time_spent(Judgements.from_iterable(made))
    >>> anna.segments, anna.judgements, anna.seconds, anna.mean, anna.long
    (1, 3, 90.0, 45.0, 1)
    """
    segments, every_segment = _segments(judgements)
    times = times_by_judge(judgements.rankings, ratings)
    counts = _counts(judgements)
    spent = []
    for name in sorted({*segments, *times, *counts}):
        seconds = times[name].seconds if name in times else np.zeros(0)
        known = seconds[np.isfinite(seconds) & (seconds >= 0)]
        used = known[known < LONGEST]
        spent.append(
            TimeSpent(
                name,
                segments.get(name, 0),
                counts.get(name, 0),
                float(used.sum()),
                len(used),
                len(known) - len(used),
            )
        )
    total = TimeSpent(
        None,
        every_segment,
        sum(one.judgements for one in spent),
        float(sum(one.seconds for one in spent)),
        sum(one.timed for one in spent),
        sum(one.long for one in spent),
    )
    return (*spent, total)


def _segments(judgements: Judgements) -> tuple[dict[str, int], int]:
    """Return how many segments every judge judged, and all together."""
    import polars as pl

    tables = [
        table.filter(pl.col("judge").is_not_null())
        .select(pl.col("judge", "langpair", *SEGMENT).cast(pl.String))
        .unique()
        for table in (judgements.rankings, judgements.ratings)
    ]
    frame = pl.concat(tables).unique().collect()
    by_judge = frame.group_by("judge").len()
    counts = dict(zip(by_judge["judge"], map(int, by_judge["len"]), strict=True))
    return counts, frame.drop("judge").n_unique()


def _counts(judgements: Judgements) -> dict[str, int]:
    """Return how many judgements every judge made."""
    import polars as pl

    judge = pl.col("judge").cast(pl.String)
    made = [
        judgements.rankings.select(judge, "ranking").unique().select("judge"),
        judgements.ratings.select(judge),
    ]
    frame = pl.concat(made).drop_nulls().group_by("judge").len().collect()
    return dict(zip(frame["judge"], map(int, frame["len"]), strict=True))
