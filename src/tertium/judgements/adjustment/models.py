# SPDX-License-Identifier: Apache-2.0
"""Ratings freed from the habits of their judges.

``judge``: score ~ 1 + (1 | judge), REML; the predicted effect of the judge is
subtracted (McCaffery 2017, section 7.2.3). ``judge+segment``: the same with a crossed
effect of the segment, so that a judge who got hard segments is not taken for a strict
one. ``z``: as in the direct assessment of WMT, each judge's scores less their mean,
over their standard deviation. Test significance on raw scores; adjusted ones have
less variance than independent judgements would have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError, NotDefinedError, UnknownNameError
from tertium.judgements.adjustment.mixed import MixedFit, fit_mixed
from tertium.judgements.adjustment.standardise import standardise
from tertium.judgements.agreement.ratings import RatingData, rating_data
from tertium.judgements.estimates import need_scipy

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import ArrayLike, NDArray

    from tertium.judgements.estimates import Codes, Floats
    from tertium.judgements.tables import Judgements

__all__ = [
    "METHODS",
    "Adjustment",
    "BeforeAfter",
    "adjust",
    "adjust_ratings",
    "adjusted_frame",
]

METHODS = ("judge", "judge+segment", "z")


@dataclass(frozen=True)
class BeforeAfter:
    """Whether adjusted scores differ from raw ones.

    Parameters
    ----------
    t, p : float, optional
        Paired t-test; None where all differences are the same.
    distance, p_distribution : float
        Two-sample test of Kolmogorov and Smirnov: the largest distance of the two
        distributions. With ties, p is on the safe side.
    mean_shift, largest_shift : float
        Of adjusted minus raw scores.
    """

    t: float | None
    p: float | None
    distance: float
    p_distribution: float
    mean_shift: float
    largest_shift: float


@dataclass(frozen=True, eq=False)
class Adjustment:
    """Adjusted scores, and how they came about.

    Parameters
    ----------
    method : {"judge", "judge+segment", "z"}
    scores : array
        Of the ratings in `kept`.
    kept : array of bool
        Which ratings have an adjusted score.
    effects : dict of str to float
        What was subtracted from each judge's scores: the predicted effect, or the
        mean for z.
    spreads : dict of str to float
        What each judge's scores were divided by; for z only.
    left_out : dict of str to str
        Judges without adjusted scores, and why.
    fit : MixedFit, optional
    test : BeforeAfter, optional
        For z, raw scores are standardised all together first.
    reason : str, optional
        Why nothing was adjusted.
    """

    method: str
    scores: Floats
    kept: NDArray[np.bool_]
    effects: dict[str, float]
    spreads: dict[str, float]
    left_out: dict[str, str]
    fit: MixedFit | None = None
    test: BeforeAfter | None = None
    reason: str | None = None


def adjust(
    data: RatingData,
    method: str = "judge",
    *,
    subtract: str = "judge",
    covariates: ArrayLike | None = None,
) -> Adjustment:
    """Return ratings without the habits of their judges.

    Parameters
    ----------
    data : RatingData
    method : {"judge", "judge+segment", "z"}
    subtract : {"judge", "all"}
        With ``judge+segment``: the effect of the judge only (default), or that of
        the segment too, which leaves differences between systems only.
    covariates : array, optional
        Fixed effects of the mixed model, such as a metric; they are not subtracted.

    Notes
    -----
    For z, judges with fewer than two scores, or with equal ones only, have no
    standard deviation (n - 1): their ratings are left out and the judges are named.
    Ratings of unknown judges are always left out.
    """
    if method not in METHODS:
        raise UnknownNameError("adjustment", method, METHODS)
    if subtract not in ("judge", "all"):
        raise UnknownNameError("choice for subtract", subtract, ("judge", "all"))
    if covariates is not None and method == "z":
        message = "z-scores have no covariates; use judge or judge+segment"
        raise InputError(message)
    need_scipy("adjustment of ratings")
    if method == "z":
        return _standardised(data)
    kept = data.judge >= 0
    used = data.select(kept)
    extra = None if covariates is None else np.asarray(covariates, np.float64)[kept]
    present, judge = np.unique(used.judge, return_inverse=True)
    factors = [judge.reshape(-1)]
    segment: Codes | None = None
    if method == "judge+segment":
        segment = np.unique(used.segment, return_inverse=True)[1].reshape(-1)
        factors.append(segment)
    try:
        fit = fit_mixed(used.score, factors, covariates=extra)
    except NotDefinedError as error:
        return _nothing(method, len(data), str(error))
    scores = used.score - fit.effects[0][factors[0]]
    if segment is not None and subtract == "all":
        scores = scores - fit.effects[1][segment]
    effects = {
        data.judges[j]: float(effect)
        for j, effect in zip(present, fit.effects[0], strict=True)
    }
    test = _before_after(used.score, scores)
    return Adjustment(method, scores, kept, effects, {}, {}, fit, test)


def adjust_ratings(
    judgements: Judgements,
    method: str = "judge",
    *,
    scale: str | None = None,
    subtract: str = "judge",
) -> Judgements:
    """Return the ratings on one scale with adjusted scores, without anything else.

    Ratings without an adjusted score are not in the result; :func:`adjust` says
    which and why.

    Raises
    ------
    NotDefinedError
        When nothing could be adjusted.
    """
    import polars as pl

    from tertium.judgements.tables import Judgements, schemas

    ratings = adjusted_frame(judgements, method, scale=scale, subtract=subtract)
    empty = {
        name: pl.LazyFrame(schema=columns)
        for name, columns in schemas().items()
        if name != "ratings"
    }
    tables = {"ratings": ratings.drop("raw").lazy(), **empty}
    return Judgements.from_tables(tables)


def adjusted_frame(
    judgements: Judgements,
    method: str,
    *,
    scale: str | None = None,
    subtract: str = "judge",
) -> pl.DataFrame:
    """Return adjusted ratings with a column ``raw``: the scores that judges gave.

    Parameters and errors are those of :func:`adjust_ratings`.
    """
    import polars as pl

    data = rating_data(judgements, scale=scale)
    adjustment = adjust(data, method, subtract=subtract)
    if adjustment.reason is not None:
        message = f"ratings cannot be adjusted: {adjustment.reason}"
        raise NotDefinedError(message)
    table = judgements.ratings
    frame = table.filter(pl.col("scale").cast(pl.String) == data.scale).collect()
    frame = frame.filter(frame["score"].is_not_null() & frame["score"].is_finite())
    frame = frame.filter(pl.Series(adjustment.kept))
    return frame.with_columns(
        pl.col("score").alias("raw"), pl.Series("score", adjustment.scores)
    )


def _standardised(data: RatingData) -> Adjustment:
    result = standardise(data.judges, data.judge, data.score)
    if not result.kept.any():
        why = "no judge gave two different scores"
        return _nothing("z", len(data), why, result.left_out)
    raw = data.score[result.kept]
    test = _before_after((raw - raw.mean()) / raw.std(ddof=1), result.scores)
    return Adjustment(
        "z",
        result.scores,
        result.kept,
        result.means,
        result.spreads,
        result.left_out,
        None,
        test,
    )


def _nothing(
    method: str, size: int, why: str, left_out: dict[str, str] | None = None
) -> Adjustment:
    none = np.zeros(size, bool)
    return Adjustment(method, np.zeros(0), none, {}, {}, left_out or {}, reason=why)


def _before_after(raw: Floats, adjusted: Floats) -> BeforeAfter:
    from scipy.stats import ks_2samp, ttest_rel

    shift = adjusted - raw
    t = p = None
    # A shift that is the same everywhere, up to rounding, has no t.
    if len(raw) > 1 and np.ptp(shift) > 1e-12 * max(1.0, float(np.abs(raw).max())):
        paired = ttest_rel(adjusted, raw)
        t, p = float(paired.statistic), float(paired.pvalue)
    distance = ks_2samp(raw, adjusted, method="asymp")
    return BeforeAfter(
        t,
        p,
        float(distance.statistic),
        float(distance.pvalue),
        float(shift.mean()),
        float(np.abs(shift).max()),
    )
