# SPDX-License-Identifier: Apache-2.0
"""Bootstrap intervals of adjusted ratings.

*Segments* are sampled, with all their ratings, and every resample is adjusted on its
own: habits of judges, shifts, distances and alpha are about these judges, on
segments that could have been others. The variance of the judges is about other judges:
for it, *judges* are sampled, with all their ratings. What is sampled twice counts as
two levels of its factor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium._executor import spread
from tertium.errors import NotDefinedError
from tertium.judgements.adjustment.mixed import MixedFit, refit, solved_alike
from tertium.judgements.adjustment.models import Adjustment
from tertium.judgements.agreement.ratings import RatingData
from tertium.judgements.estimates import (
    as_weights,
    codes,
    dot,
    percentiles,
    sampled_parts,
)
from tertium.stats.resample import Bootstrap

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.judgements.estimates import Codes, Floats

__all__ = ["AdjustmentIntervals", "adjustment_intervals"]

Interval: TypeAlias = "tuple[float, float] | None"

#: Resamples, each of which is a fit of the model; and for z beyond so many ratings.
REFITS = 200
_MANY = 10_000
_SENT = 10  # resamples that go elsewhere together
_TESTS = ("t", "distance", "mean_shift", "largest_shift")


@dataclass(frozen=True)
class AdjustmentIntervals:
    """Intervals of what an adjustment found; None where most resamples have no value.

    Parameters
    ----------
    effects, spreads : dict of str to interval
        By judge.
    variances : dict of str to interval
        Of judges (judges sampled), of segments and of the rest (segments sampled).
    test : dict of str to interval
        Of the figures of :class:`.models.BeforeAfter`. Its p-values have none.
    alpha, change : interval
        Of alpha after the adjustment, and of what the adjustment adds to alpha.
    resamples : int
    """

    effects: dict[str, Interval]
    spreads: dict[str, Interval]
    variances: dict[str, Interval]
    test: dict[str, Interval]
    alpha: Interval
    change: Interval
    resamples: int

    def to_dict(self) -> dict[str, object]:
        """Return what JSON shows."""
        return {
            "effects": self.effects,
            "spreads": self.spreads,
            "variances": self.variances,
            "test": self.test,
            "resamples": self.resamples,
            "drawn": {
                name: "judges" if name == "judge" else "segments"
                for name in ("effects", "spreads", "test", *self.variances)
            },
        }


def adjustment_intervals(
    data: RatingData, adjustment: Adjustment, bootstrap: Bootstrap
) -> AdjustmentIntervals | None:
    """Return the intervals of an adjustment of ratings.

    Parameters
    ----------
    data : RatingData
    adjustment : Adjustment
        Of the same data, without covariates.
    bootstrap : Bootstrap
        There are 200 resamples at most, except for z-scores of up to 10,000 ratings.

    Returns
    -------
    AdjustmentIntervals or None
        None where nothing was adjusted, or all ratings are of one segment.
    """
    kept = data.select(adjustment.kept)
    if adjustment.reason is not None or not len(kept):
        return None
    segment = codes(kept.segment)
    segments = int(segment.max()) + 1
    if segments < 2:
        return None
    run = bootstrap
    if adjustment.fit is not None or len(kept) > _MANY:
        run = replace(bootstrap, resamples=min(bootstrap.resamples, REFITS))
    names = list(adjustment.effects)
    place = {name: i for i, name in enumerate(data.judges)}
    listed = [place[name] for name in names]
    alpha = _Alpha(kept)
    work = partial(_rows, kept, segment, adjustment, alpha)
    parts = sampled_parts(segments, run, _SENT)
    anywhere = adjustment.fit is None or solved_alike(_levels(kept, segment))
    results = (spread if anywhere else map)(work, parts)
    many = np.concatenate(list(results))  # resamples x figures
    judges = len(data.judges)

    def column(number: int) -> Interval:
        return percentiles(many[:, number], bootstrap)

    tests = 2 * judges
    rest = tests + len(_TESTS)
    variances: dict[str, Interval] = {}
    if adjustment.fit is not None:
        variances["judge"] = _judge_variance(kept, segment, adjustment.fit, run)
        if len(adjustment.fit.variances) == 2:
            variances["segment"] = column(rest + 2)
        variances["residual"] = column(rest + 3)
    return AdjustmentIntervals(
        {name: column(j) for name, j in zip(names, listed, strict=True)},
        {name: column(judges + place[name]) for name in adjustment.spreads},
        variances,
        {name: column(tests + i) for i, name in enumerate(_TESTS)},
        column(rest),
        column(rest + 1),
        run.resamples,
    )


def _levels(data: RatingData, segment: Codes) -> list[Codes]:
    """Return the levels of both factors of the largest model."""
    return [codes(data.judge), segment]


def _rows(
    data: RatingData,
    segment: Codes,
    adjustment: Adjustment,
    alpha: _Alpha,
    part: NDArray[np.generic],
) -> Floats:
    """Return the figures of some resamples, a row each."""
    return np.array(
        [_figures(data, segment, w, adjustment, alpha) for w in as_weights(part)]
    )


def _figures(
    data: RatingData,
    segment: Codes,
    weights: Floats,
    adjustment: Adjustment,
    alpha: _Alpha,
) -> Floats:
    """Return all figures of one resample of segments; NaN where one has no value.

    Effects and spreads of all judges; the tests; alpha after, and its change; the
    variances of segments and of the rest.
    """
    judges = len(data.judges)
    heavy = weights[segment]
    count = np.bincount(data.judge, heavy, minlength=judges).astype(np.float64)
    variances = [np.nan, np.nan]
    spreads = np.full(judges, np.nan)
    if adjustment.fit is None:
        effects, spreads = _moments(data, heavy, count)
        heavy = np.where(np.isnan(spreads)[data.judge], 0.0, heavy)
        with np.errstate(invalid="ignore"):
            adjusted = (data.score - effects[data.judge]) / spreads[data.judge]
        adjusted = np.where(heavy > 0, adjusted, 0.0)
        raw = _standard(data.score, heavy)
    else:
        try:
            fit = _fit(data, segment, weights, adjustment.fit)
        except NotDefinedError:
            return np.full(2 * judges + len(_TESTS) + 4, np.nan)
        habits = np.zeros(judges)
        habits[: len(fit.effects[0])] = fit.effects[0]
        effects = np.where(count > 0, habits, np.nan)
        raw, adjusted = data.score, data.score - habits[data.judge]
        variances = [fit.variances[1] if len(fit.variances) == 2 else np.nan]
        variances.append(fit.residual)
    after = alpha.of(adjusted, heavy)
    change = after - alpha.of(data.score, heavy)
    tests = _tests(raw, adjusted, heavy)
    return np.array([*effects, *spreads, *tests, after, change, *variances])


def _fit(
    data: RatingData, sampled: Codes, weights: Floats, start: MixedFit
) -> MixedFit:
    """Return the fit to a resample of segments."""
    row, copy = _copies(sampled, weights)
    factors = [data.judge[row]]
    if len(start.variances) == 2:
        factors.append(copy)
    return refit(data.score[row], factors, start)


def _judge_variance(
    data: RatingData, segment: Codes, start: MixedFit, run: Bootstrap
) -> Interval:
    """Return the interval of the variance of judges; judges are sampled."""
    judge = codes(data.judge)
    work = partial(_judge_variances, data, segment, judge, start)
    parts = sampled_parts(int(judge.max()) + 1, run, _SENT)
    anywhere = solved_alike(_levels(data, segment))
    values = np.concatenate(list((spread if anywhere else map)(work, parts)))
    return percentiles(values, run)


def _judge_variances(
    data: RatingData,
    segment: Codes,
    judge: Codes,
    start: MixedFit,
    part: NDArray[np.generic],
) -> Floats:
    """Return the variance of judges in some resamples of them."""
    values = []
    for weights in as_weights(part):
        row, copy = _copies(judge, weights)
        factors = [copy]
        if len(start.variances) == 2:
            factors.append(codes(segment[row]))
        try:
            values.append(refit(data.score[row], factors, start).variances[0])
        except NotDefinedError:  # such as one judge only
            values.append(np.nan)
    return np.array(values)


def _copies(level: Codes, weights: Floats) -> tuple[Codes, Codes]:
    """Return the rows of a resample, and their levels: copies are levels of their own.

    Parameters
    ----------
    level : array of int
        Of every row.
    weights : array
        How often each level was sampled.
    """
    times = weights.astype(np.int64)
    copies = times[level]
    row = np.repeat(np.arange(len(level)), copies)
    number = np.arange(len(row)) - np.repeat(np.cumsum(copies) - copies, copies)
    return row, (np.cumsum(times) - times)[level[row]] + number


def _moments(data: RatingData, heavy: Floats, count: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard deviation (n - 1) of every judge; NaN for none."""
    size = len(count)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.bincount(data.judge, heavy * data.score, minlength=size) / count
        far = np.where(heavy > 0, data.score - mean[data.judge], 0.0)
        square = np.bincount(data.judge, heavy * far**2, minlength=size)
        spread = np.sqrt(square / (count - 1))
    least = 1e-12 * max(1.0, float(np.abs(data.score).max()))
    spread = np.where((count > 1) & (spread > least), spread, np.nan)
    return np.where(np.isnan(spread), np.nan, mean), spread


def _standard(score: Floats, heavy: Floats) -> Floats:
    """Return scores standardised all together."""
    total = heavy.sum()
    if total < 2:
        return np.zeros(len(score))
    far = score - dot(heavy, score) / total
    deviation = float(np.sqrt(dot(heavy, far**2) / (total - 1)))
    return far / deviation if deviation > 0 else np.zeros(len(score))


def _tests(raw: Floats, adjusted: Floats, heavy: Floats) -> Iterator[float]:
    """Yield the figures of the tests in the order of their names."""
    total = float(heavy.sum())
    if total < 2:
        yield from [np.nan] * len(_TESTS)
        return
    shift = adjusted - raw
    mean = dot(heavy, shift) / total
    deviation = float(np.sqrt(dot(heavy, (shift - mean) ** 2) / (total - 1)))
    yield mean / deviation * total**0.5 if deviation > 1e-12 else np.nan
    # Kolmogorov and Smirnov: how far the two distributions are apart at any value.
    both = np.concatenate([raw, adjusted])
    order = np.argsort(both, kind="stable")
    apart = np.abs(np.cumsum(np.concatenate([heavy, -heavy])[order]))
    last = np.r_[np.diff(both[order]) != 0, True]
    yield float(apart[last].max()) / total
    yield mean
    yield float(np.abs(shift[heavy > 0]).max())


class _Alpha:
    """Krippendorff's alpha, interval level, of any scores and weights of ratings."""

    def __init__(self, data: RatingData) -> None:
        # The first rating of a judge and unit counts: which rows are these?
        numbered = replace(data, score=np.arange(len(data), dtype=np.float64))
        first = numbered.first()
        row = first.score.astype(np.int64)
        paired = np.bincount(first.unit, minlength=1)[first.unit] > 1
        self.row = row[paired]
        self.unit = codes(first.unit[paired])
        self.sizes = np.bincount(self.unit).astype(np.float64)

    def of(self, scores: Floats, heavy: Floats) -> float:
        """Return alpha; NaN if it has no value.

        Ratings of a unit have the same weight, or none, where a judge is left out.
        """
        x, w = scores[self.row], heavy[self.row]
        total = float(w.sum())
        if total < 2:
            return np.nan
        x = x - dot(w, x) / total
        units = len(self.sizes)
        there = np.bincount(self.unit, w > 0, minlength=units)
        alone = there < 2
        if alone.any():  # where judges are left out, others may have lost their pair
            w = np.where(alone[self.unit], 0.0, w)
            total = float(w.sum())
            if total < 2:
                return np.nan
            x = x - dot(w, x) / total
        each = np.zeros(units)
        np.maximum.at(each, self.unit, w)
        kept = (w > 0).astype(np.float64)
        sums = np.bincount(self.unit, kept * x, minlength=units)
        squares = np.bincount(self.unit, kept * x**2, minlength=units)
        inside = 2 * (there * squares - sums**2) / np.maximum(there - 1, 1)
        by_chance = 2 * total * dot(w, x**2)
        if by_chance <= 0:
            return np.nan
        return 1 - (total - 1) * dot(each, inside) / by_chance
