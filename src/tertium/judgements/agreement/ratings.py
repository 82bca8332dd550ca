# SPDX-License-Identifier: Apache-2.0
"""Ratings in long form, and how far judges agree on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.judgements.agreement.icc import (
    IntraclassCorrelations,
    intraclass_correlations,
)
from tertium.judgements.agreement.outcomes import (
    NEVER,
    judge_codes,
    milliseconds,
    physical,
    segment_codes,
    table_of,
)
from tertium.judgements.agreement.reliability import (
    LEVELS,
    fleiss_kappa,
    krippendorff_alpha,
)
from tertium.judgements.annotators.reading import meta_words
from tertium.judgements.estimates import Estimate, codes
from tertium.judgements.scales import system_scales
from tertium.stats.resample import Bootstrap

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from tertium.judgements.estimates import Codes, Floats
    from tertium.judgements.tables import Judgements

__all__ = ["RatingAgreement", "RatingData", "rating_agreement", "rating_data", "scales"]

#: More different values than this are not categories.
MOST_CATEGORIES = 10


@dataclass(frozen=True, eq=False)
class RatingData:
    """Ratings on one scale, one element of the arrays each.

    Parameters
    ----------
    scale : str
    judges : tuple of str
        Sorted.
    unit, segment, judge : array of int
        A unit is the output of one system for one segment. Judge -1 is unknown.
    score : array of float
    time : array of int
    seconds, words : array of float
        How long a rating took and how many words it showed; NaN where unknown.
    """

    scale: str
    judges: tuple[str, ...]
    unit: Codes
    segment: Codes
    judge: Codes
    score: Floats
    time: Codes
    seconds: Floats
    words: Floats

    def __len__(self) -> int:
        return len(self.score)

    def select(self, chosen: NDArray[np.bool_] | Codes) -> RatingData:
        """Return the ratings of a mask or of numbers."""
        names = ("unit", "segment", "judge", "score", "time", "seconds", "words")
        return replace(self, **{name: getattr(self, name)[chosen] for name in names})

    def known(self) -> RatingData:
        """Return the ratings of known judges."""
        return self.select(self.judge >= 0)

    def first(self) -> RatingData:
        """Return the first rating that each known judge gave to each unit.

        By time, and by place in the table where times are unknown or equal.
        """
        known = self.known()
        order = np.lexsort((np.arange(len(known)), known.time, known.judge, known.unit))
        keep = np.ones(len(order), bool)
        unit, judge = known.unit[order], known.judge[order]
        keep[1:] = (unit[1:] != unit[:-1]) | (judge[1:] != judge[:-1])
        return known.select(np.sort(order[keep]))


def scales(judgements: Judgements | pl.LazyFrame) -> list[str]:
    """Return the scales on which outputs were rated, sorted."""
    import polars as pl

    table = table_of(judgements, "ratings")
    names = table.select(pl.col("scale").cast(pl.String).unique()).collect()["scale"]
    return system_scales(name for name in names if name is not None)


def rating_data(
    judgements: Judgements | pl.LazyFrame, *, scale: str | None = None
) -> RatingData:
    """Return the ratings on one scale.

    Parameters
    ----------
    judgements : Judgements or table of ratings
    scale : str, optional
        May be left out where there is only one.
    """
    import polars as pl

    table = table_of(judgements, "ratings")
    there = scales(table)
    if scale is None:
        if len(there) > 1:
            message = f"ratings are on several scales; choose from {', '.join(there)}"
            raise InputError(message)
        scale = there[0] if there else ""
    if there and scale not in there:
        message = f"no ratings on the scale {scale!r}; there are {', '.join(there)}"
        raise InputError(message)
    frame = table.filter(pl.col("scale").cast(pl.String) == scale).collect()
    frame = frame.filter(frame["score"].is_not_null() & frame["score"].is_finite())
    judges, judge = judge_codes(frame["judge"])
    segment = segment_codes(frame)
    seconds = frame["duration"].cast(pl.Float64).fill_null(float("nan"))
    words = meta_words(frame["meta"]).fill_null(float("nan"))
    return RatingData(
        scale,
        judges,
        codes(segment, physical(frame["system"])),
        segment,
        judge,
        frame["score"].to_numpy(),
        milliseconds(frame["time"]),
        seconds.to_numpy(),
        words.to_numpy(),
    )


@dataclass(frozen=True)
class RatingAgreement:
    """How far judges agree on one scale.

    Parameters
    ----------
    scale : str
    ratings, units, judges : int
        All ratings of known judges; units judged by two of them; judges.
    alpha : dict of str to Estimate
        Krippendorff's alpha by level. Nominal only for few different values, ratio
        only where none is negative.
    icc : IntraclassCorrelations
    fleiss : Estimate, optional
        Only for few different values.
    intra : Estimate
        Alpha (interval) of ratings that a judge gave to the same unit.
    repeated : int
        How many times a judge rated a unit again, which `intra` rests on.
    """

    scale: str
    ratings: int
    units: int
    judges: int
    alpha: dict[str, Estimate]
    icc: IntraclassCorrelations
    fleiss: Estimate | None
    intra: Estimate
    repeated: int


def rating_agreement(
    data: RatingData, *, bootstrap: Bootstrap | None = None
) -> RatingAgreement:
    """Return the coefficients of one scale.

    The first rating of every judge and unit counts, repetitions only for `intra`.
    For intervals, segments are resampled.
    """
    known, data = data.known(), data.first()
    values = len(np.unique(data.score))
    levels = [
        level
        for level in LEVELS
        if not (level == "nominal" and values > MOST_CATEGORIES)
        and not (level == "ratio" and (data.score < 0).any())
    ]
    alpha = {
        level: krippendorff_alpha(
            data.unit,
            data.score,
            level=level,
            clusters=data.segment,
            bootstrap=bootstrap,
        )
        for level in levels
    }
    icc = intraclass_correlations(
        data.unit, data.judge, data.score, clusters=data.segment, bootstrap=bootstrap
    )
    fleiss = None
    if values <= MOST_CATEGORIES:
        fleiss = fleiss_kappa(
            data.unit, data.score, clusters=data.segment, bootstrap=bootstrap
        )
    both = codes(known.unit, known.judge) if len(known) else known.unit
    intra = krippendorff_alpha(
        both, known.score, clusters=known.segment, bootstrap=bootstrap
    )
    if intra.value is None and len(np.unique(both)) == len(both):
        intra = Estimate(None, reason="no judge rated an output twice")
    sizes = np.bincount(data.unit) if len(data) else np.zeros(0, np.int64)
    return RatingAgreement(
        data.scale,
        len(known),
        int(np.count_nonzero(sizes > 1)),
        len(np.unique(data.judge)),
        alpha,
        icc,
        fleiss,
        intra,
        int(np.count_nonzero(np.bincount(both) > 1)) if len(both) else 0,
    )


def rating_slices(data: RatingData, slices: int) -> list[tuple[int, int, RatingData]]:
    """Return the ratings in slices of time with about as many ratings each."""
    timed = data.select(data.time != NEVER)
    if not len(timed):
        return []
    cuts = np.quantile(timed.time, np.arange(1, slices + 1) / slices, method="higher")
    slices_found, start = [], NEVER
    for cut in np.unique(cuts):
        part = timed.select((timed.time > start) & (timed.time <= cut))
        slices_found.append((int(part.time.min()), int(part.time.max()), part))
        start = int(cut)
    return slices_found
