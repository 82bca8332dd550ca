# SPDX-License-Identifier: Apache-2.0
"""What each judge did: how much, how fast, how consistently, with which habits.

What stands out is in :mod:`tertium.judgements.annotators.flags`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tertium.judgements.agreement.pooled import Agreement, Kappa
from tertium.judgements.annotators.checks import Checks
from tertium.judgements.annotators.flag import Flag
from tertium.judgements.annotators.reading import FASTEST, Timed, times_by_judge
from tertium.judgements.estimates import Estimate
from tertium.stats.resample import Bootstrap

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from tertium.judgements.agreement.ratings import RatingData
    from tertium.judgements.estimates import Codes, Floats

__all__ = ["JudgeProfile", "Speed", "Usage", "profile_judges", "speed"]

#: Longer judgements were interrupted; medians leave them out (Macháček 2014).
LONGEST = 600.0
#: Judgements in less than this share of the usual time were rushed.
RUSHED = 0.2


@dataclass(frozen=True)
class Speed:
    """How long judgements took.

    Parameters
    ----------
    median : Estimate
        Seconds, without judgements of 600 s or more.
    timed : int
        Judgements that the median is made of.
    long : int
        Judgements of 600 s or more.
    rushed : int
        Judgements in less than a fifth of the median of all judges.
    worded : int
        Judgements of which both the time and the number of words shown are known.
    unread : int
        Those of them that showed more words per second than anybody reads.
    """

    median: Estimate
    timed: int
    long: int
    rushed: int = 0
    worded: int = 0
    unread: int = 0


@dataclass(frozen=True)
class Usage:
    """How a judge uses a scale.

    Parameters
    ----------
    ratings, values : int
        How many, and how many different ones.
    mean, sd, low, high : float
        The standard deviation of one rating is None.
    favourite, share : float
        The most frequent value, and the share of ratings that have it.
    lenience : float, optional
        How much higher than the mean of others, on units that others rated too.
    correlation : Estimate
        With the mean of others on these units.
    shared : int
        How many units these are.
    repeated : int
        Units rated twice or more.
    wobble : float, optional
        Mean difference between the first two ratings of such a unit.
    intervals : dict of str to tuple of float
        Of ``mean``, ``sd``, ``share``, ``lenience`` and ``wobble``, where asked for and
        there is one; the judge's segments are resampled.
    """

    ratings: int
    values: int
    mean: float
    sd: float | None
    low: float
    high: float
    favourite: float
    share: float
    lenience: float | None
    correlation: Estimate
    shared: int
    repeated: int
    wobble: float | None
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class JudgeProfile:
    """What is known about a judge.

    Parameters
    ----------
    judge : str
    rankings, ratings : int
    ties : Estimate
        Share of ties among the comparisons of the judge's rankings.
    intra, inter : Kappa, optional
        On rankings.
    speed : Speed
    usage : dict of str to Usage
        By scale.
    flags : tuple of Flag
    checks : Checks, optional
        On degraded outputs, where there were some.
    """

    judge: str
    rankings: int
    ratings: int
    ties: Estimate
    intra: Kappa | None
    inter: Kappa | None
    speed: Speed
    usage: dict[str, Usage]
    flags: tuple[Flag, ...]
    checks: Checks | None = None


def speed(
    seconds: Floats,
    *,
    words: Floats | None = None,
    usual: float | None = None,
    bootstrap: Bootstrap | None = None,
) -> Speed:
    """Return how long judgements took.

    Parameters
    ----------
    seconds : array
        NaN is unknown.
    words : array, optional
        How many words each judgement showed; NaN is unknown.
    usual : float, optional
        The median of all judges.
    bootstrap : Bootstrap, optional
        Ask for an interval of the median. It is what a bootstrap of endless length
        gives, in closed form (Efron 1979): the k-th value is not below the
        resampled median if half the sampled values are at most the k-th.
    """
    known = np.sort(seconds[np.isfinite(seconds) & (seconds >= 0)])
    used = known[known < LONGEST]
    long = len(known) - len(used)
    if not len(used):
        why = "no times are known" if not len(known) else "all took 600 s or more"
        return Speed(Estimate(None, reason=why), 0, long)
    interval = None
    if bootstrap is not None and len(used) > 1:
        from scipy.stats import binom

        n = len(used)
        share = binom.sf((n + 1) // 2 - 1, n, np.arange(1, n + 1) / n)
        tail = (1 - bootstrap.confidence) / 2
        low = int(np.argmax(share > tail))
        high = int(np.argmax(share >= 1 - tail - 1e-12))
        interval = float(used[low]), float(used[high])
    rushed = 0 if usual is None else int(np.count_nonzero(known < RUSHED * usual))
    worded, unread = _unread(seconds, words)
    middle = Estimate(float(np.median(used)), interval)
    return Speed(middle, len(used), long, rushed, worded, unread)


def _unread(seconds: Floats, words: Floats | None) -> tuple[int, int]:
    """Return of how many judgements words and time are known, and how many are fast."""
    if words is None:
        return 0, 0
    known = np.isfinite(seconds) & (seconds >= 0) & np.isfinite(words)
    fast = words[known] > FASTEST * seconds[known]
    return int(known.sum()), int(fast.sum())


def profile_judges(
    rankings: pl.LazyFrame,
    ratings: Sequence[RatingData],
    agreement: Agreement | None,
    *,
    checks: Mapping[str, Checks] | None = None,
    spans: pl.LazyFrame | None = None,
    bootstrap: Bootstrap | None = None,
) -> list[JudgeProfile]:
    """Return a profile of every judge, sorted by name.

    Parameters
    ----------
    rankings : table of rankings
    ratings : sequence of RatingData
        One per scale.
    agreement : Agreement, optional
        Of the rankings; with pairs, judges with whom nobody agrees are found.
    checks : mapping of str to Checks, optional
        By judge.
    spans : table of spans, optional
        Whose times count too.
    bootstrap : Bootstrap, optional
        Ask for intervals.
    """
    timed = times_by_judge(rankings, ratings, spans)
    none = np.zeros(0)
    every = speed(np.concatenate([*(one.seconds for one in timed.values()), none]))
    usual = every.median.value
    counts = _rankings_of(rankings)
    usage = {data.scale: _usages(data, bootstrap) for data in ratings}
    names = sorted({*counts, *timed, *(n for use in usage.values() for n in use)})
    profiles = []
    for name in names:
        judge_agreement = agreement.judges.get(name) if agreement else None
        own_times = timed.get(name, Timed(none, none))
        habits = {scale: use[name] for scale, use in usage.items() if name in use}
        profiles.append(
            JudgeProfile(
                name,
                counts.get(name, 0),
                sum(use.ratings for use in habits.values()),
                judge_agreement.ties
                if judge_agreement
                else Estimate(None, reason="ranked nothing"),
                judge_agreement.intra if judge_agreement else None,
                judge_agreement.inter if judge_agreement else None,
                speed(
                    own_times.seconds,
                    words=own_times.words,
                    usual=usual,
                    bootstrap=bootstrap,
                ),
                habits,
                (),
                (checks or {}).get(name),
            )
        )
    from tertium.judgements.annotators.flags import flag_judges

    return flag_judges(profiles, agreement, usual)


def _rankings_of(rankings: pl.LazyFrame) -> dict[str, int]:
    import polars as pl

    frame = _one_row_each(rankings).group_by("judge").len()
    names = frame["judge"].cast(pl.String)
    return dict(zip(names, map(int, frame["len"]), strict=True))


def _one_row_each(rankings: pl.LazyFrame) -> pl.DataFrame:
    """Return the judge of every ranking by a known judge."""
    import polars as pl

    from tertium.judgements.tables import in_order

    known = in_order(rankings.filter(pl.col("judge").is_not_null()))
    new = pl.col("ranking").ne_missing(pl.col("ranking").shift(1))
    return known.filter(new).select("judge").collect()


def _usages(data: RatingData, bootstrap: Bootstrap | None) -> dict[str, Usage]:
    """Return how every judge uses the scale."""
    first, known = data.first(), data.known()
    units = int(data.unit.max(initial=-1)) + 1
    totals = np.bincount(first.unit, first.score, minlength=units)
    counts = np.bincount(first.unit, minlength=units)
    others = counts[first.unit] - 1
    mean = (totals[first.unit] - first.score) / np.maximum(others, 1)
    order = np.lexsort((known.time, known.unit, known.judge))
    cuts = np.searchsorted(known.judge[order], np.arange(len(data.judges) + 1))
    by_judge = np.argsort(first.judge, kind="stable")
    ends = np.searchsorted(first.judge[by_judge], np.arange(len(data.judges) + 1))
    usages = {}
    for j, name in enumerate(data.judges):
        rows = order[cuts[j] : cuts[j + 1]]
        score, unit = known.score[rows], known.unit[rows]
        mine = by_judge[ends[j] : ends[j + 1]]
        mine = mine[others[mine] > 0]
        values, times = np.unique(score, return_counts=True)
        starts = np.flatnonzero(np.r_[True, unit[1:] != unit[:-1]])
        again = starts[np.diff(np.r_[starts, len(unit)]) > 1]
        gap = first.score[mine] - mean[mine]
        apart = np.abs(score[again] - score[again + 1])
        favourite = values[times.argmax()]
        intervals: dict[str, tuple[float, float]] = {}
        if bootstrap is not None and len(score):
            intervals = _intervals(
                known.segment[rows],
                score,
                score == favourite,
                (first.segment[mine], gap),
                (known.segment[rows][again], apart),
                bootstrap,
            )
        usages[name] = Usage(
            len(score),
            len(values),
            float(score.mean()),
            float(score.std(ddof=1)) if len(score) > 1 else None,
            float(values[0]),
            float(values[-1]),
            float(favourite),
            float(times.max() / len(score)),
            float(gap.mean()) if len(mine) else None,
            _correlation(first.score[mine], mean[mine], first.segment[mine], bootstrap),
            len(mine),
            len(again),
            float(apart.mean()) if len(again) else None,
            intervals,
        )
    return usages


def _intervals(
    segment: Codes,
    score: Floats,
    favourite: NDArray[np.bool_],
    lenience: tuple[Codes, Floats],
    wobble: tuple[Codes, Floats],
    bootstrap: Bootstrap,
) -> dict[str, tuple[float, float]]:
    """Return intervals of how a judge uses a scale.

    All are functions of sums over segments. Scores are taken from their mean first, as
    squares of large ones would lose digits.
    """
    from scipy.sparse import csr_matrix

    from tertium.judgements.estimates import percentiles, ratios, sums_of_resamples

    segments, place = np.unique(segment, return_inverse=True)
    if len(segments) < 2:
        return {}
    middle = float(score.mean())
    away = score - middle

    def summed(where: Codes, amount: NDArray[np.generic]) -> Floats:
        return np.bincount(where, amount, minlength=len(segments)).astype(np.float64)

    columns = [summed(place, x) for x in (np.ones(len(away)), away, away**2, favourite)]
    for where, amount in (lenience, wobble):
        at = np.searchsorted(segments, where)
        columns += [summed(at, np.ones(len(amount))), summed(at, amount)]
    sums = sums_of_resamples(csr_matrix(np.stack(columns, axis=1)), bootstrap).T
    n, first, second = sums[0], ratios(sums[1], sums[0]), sums[2]
    spread = np.sqrt(ratios(np.maximum(second - n * first**2, 0), n - 1))
    resampled = {
        "mean": middle + first,
        "sd": spread,
        "share": ratios(sums[3], n),
        "lenience": ratios(sums[5], sums[4]),
        "wobble": ratios(sums[7], sums[6]),
    }
    intervals = {name: percentiles(x, bootstrap) for name, x in resampled.items()}
    return {name: span for name, span in intervals.items() if span is not None}


def _correlation(
    x: Floats, y: Floats, segment: Codes, bootstrap: Bootstrap | None
) -> Estimate:
    """Return Pearson's correlation; segments are resampled for the interval."""
    from tertium.judgements.estimates import codes, resampled

    if len(x) < 3:
        return Estimate(None, reason="fewer than three units are shared with others")
    cluster = codes(segment)

    def pearson(weights: Floats) -> float | None:
        w = weights[cluster]
        a, b = x - (w @ x) / w.sum(), y - (w @ y) / w.sum()
        spread = float((w @ a**2) * (w @ b**2))
        if spread <= 1e-24 * float((w @ x**2) * (w @ y**2)):
            return None
        return float((w * a) @ b) / math.sqrt(spread)

    groups = int(cluster.max()) + 1
    value = pearson(np.ones(groups))
    if value is None:
        return Estimate(None, reason="one side does not vary")
    interval = None if bootstrap is None else resampled(pearson, groups, bootstrap)
    return Estimate(value, interval)
