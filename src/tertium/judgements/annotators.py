# SPDX-License-Identifier: Apache-2.0
"""What each judge did: how much, how fast, how consistently, with which habits.

Flags are hints to look, never reasons to delete: each says in plain words what was
seen, and all limits are constants of this module.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.judgements.agreement import Agreement, Kappa
from tertium.judgements.estimates import Bootstrap, Estimate

if TYPE_CHECKING:
    import polars as pl

    from tertium.judgements.estimates import Codes, Floats
    from tertium.judgements.ratings import RatingData

__all__ = ["Flag", "JudgeProfile", "Speed", "Usage", "profile_judges", "speed"]

#: Longer judgements were interrupted; medians leave them out (Macháček 2014).
LONGEST = 600.0
#: Judgements in less than this share of the usual time were rushed.
RUSHED = 0.2
_RUSHED_SHARE = 0.25
_FEW_TIMED = 10
_FEW_COMPARED = 30  # comparisons before a kappa of a judge is held against anybody
_MANY_COMPARED = 100  # before a kappa of less than a tenth is taken for nothing
_FEW_SHARED = 10  # units or comparisons that two judges have in common
_FEW_JUDGED = 10
_FAR = 3.5  # robust standard deviations (Iglewicz and Hoaglin 1993)
_FEW_JUDGES = 5  # before anybody can be far from the others
_GAP = 0.1  # of kappa


@dataclass(frozen=True)
class Flag:
    """Something about a judge that is worth a look."""

    kind: str
    reason: str


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
    """

    median: Estimate
    timed: int
    long: int
    rushed: int = 0


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


@dataclass(frozen=True)
class JudgeProfile:
    """All that is known of a judge.

    Parameters
    ----------
    judge : str
    rankings, ratings : int
    ties : float, optional
        Share of ties among the comparisons of the judge's rankings.
    intra, inter : Kappa, optional
        On rankings.
    speed : Speed
    usage : dict of str to Usage
        By scale.
    flags : tuple of Flag
    """

    judge: str
    rankings: int
    ratings: int
    ties: float | None
    intra: Kappa | None
    inter: Kappa | None
    speed: Speed
    usage: dict[str, Usage]
    flags: tuple[Flag, ...]


def speed(
    seconds: Floats, *, usual: float | None = None, bootstrap: Bootstrap | None = None
) -> Speed:
    """Return how long judgements took.

    Parameters
    ----------
    seconds : array
        NaN is unknown.
    usual : float, optional
        The median of all judges.
    bootstrap : Bootstrap, optional
        Ask for an interval of the median. It is what a bootstrap of endless length
        gives, in closed form (Efron 1979): the k-th value is not below the
        resampled median if half the draws are at most the k-th.
    """
    known = np.sort(seconds[np.isfinite(seconds) & (seconds >= 0)])
    used = known[known < LONGEST]
    long = len(known) - len(used)
    if not len(used):
        why = "no times are known" if not len(known) else "all took 600 s or more"
        return Speed(Estimate(None, reason=why), 0, long)
    found = None
    if bootstrap is not None and len(used) > 1:
        from scipy.stats import binom

        n = len(used)
        share = binom.sf((n + 1) // 2 - 1, n, np.arange(1, n + 1) / n)
        tail = (1 - bootstrap.confidence) / 2
        low = int(np.argmax(share > tail))
        high = int(np.argmax(share >= 1 - tail - 1e-12))
        found = float(used[low]), float(used[high])
    rushed = 0 if usual is None else int(np.count_nonzero(known < RUSHED * usual))
    return Speed(Estimate(float(np.median(used)), found), len(used), long, rushed)


def profile_judges(
    rankings: pl.LazyFrame,
    ratings: Sequence[RatingData],
    agreement: Agreement | None,
    *,
    ties: Mapping[str, float] | None = None,
    bootstrap: Bootstrap | None = None,
) -> list[JudgeProfile]:
    """Return a profile of every judge, sorted by name.

    Parameters
    ----------
    rankings : table of rankings
    ratings : sequence of RatingData
        One a scale.
    agreement : Agreement, optional
        Of the rankings; with pairs, judges with whom nobody agrees are found.
    ties : dict of str to float, optional
        Share of ties of each judge.
    bootstrap : Bootstrap, optional
        Ask for intervals.
    """
    timed = _seconds(rankings, ratings)
    every = speed(np.concatenate([*timed.values(), np.zeros(0)]))
    usual = every.median.value
    counts = _rankings_of(rankings)
    usage = {data.scale: _usages(data, bootstrap) for data in ratings}
    names = sorted({*counts, *timed, *(n for use in usage.values() for n in use)})
    found = []
    for name in names:
        own = agreement.judges.get(name) if agreement else None
        habits = {scale: use[name] for scale, use in usage.items() if name in use}
        found.append(
            JudgeProfile(
                name,
                counts.get(name, 0),
                sum(use.ratings for use in habits.values()),
                (ties or {}).get(name),
                own.intra if own else None,
                own.inter if own else None,
                speed(timed.get(name, np.zeros(0)), usual=usual, bootstrap=bootstrap),
                habits,
                (),
            )
        )
    return _flagged(found, agreement, usual)


def _seconds(
    rankings: pl.LazyFrame, ratings: Sequence[RatingData]
) -> dict[str, Floats]:
    """Return the times of every judge's judgements."""
    import polars as pl

    frame = (
        rankings.filter(pl.col("judge").is_not_null())
        .group_by("ranking", maintain_order=True)
        .agg(pl.col("judge").first(), pl.col("duration").first().cast(pl.Float64))
        .select(pl.col("judge").cast(pl.String), "duration")
        .collect()
    )
    found: dict[str, list[Floats]] = {}
    for key, own in frame.group_by("judge", maintain_order=True):
        values = own["duration"].fill_null(float("nan")).to_numpy()
        found.setdefault(str(key[0]), []).append(values)
    for data in ratings:
        order = np.argsort(data.judge, kind="stable")
        cuts = np.searchsorted(data.judge[order], np.arange(len(data.judges) + 1))
        for j, name in enumerate(data.judges):
            values = data.seconds[order[cuts[j] : cuts[j + 1]]]
            found.setdefault(name, []).append(values)
    return {name: np.concatenate(parts) for name, parts in found.items()}


def _rankings_of(rankings: pl.LazyFrame) -> dict[str, int]:
    import polars as pl

    frame = (
        rankings.filter(pl.col("judge").is_not_null())
        .group_by(pl.col("judge").cast(pl.String))
        .agg(pl.col("ranking").n_unique())
        .collect()
    )
    return dict(zip(frame["judge"], map(int, frame["ranking"]), strict=True))


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
    found = {}
    for j, name in enumerate(data.judges):
        rows = order[cuts[j] : cuts[j + 1]]
        score, unit = known.score[rows], known.unit[rows]
        mine = by_judge[ends[j] : ends[j + 1]]
        mine = mine[others[mine] > 0]
        values, times = np.unique(score, return_counts=True)
        starts = np.flatnonzero(np.r_[True, unit[1:] != unit[:-1]])
        again = starts[np.diff(np.r_[starts, len(unit)]) > 1]
        found[name] = Usage(
            len(score),
            len(values),
            float(score.mean()),
            float(score.std(ddof=1)) if len(score) > 1 else None,
            float(values[0]),
            float(values[-1]),
            float(values[times.argmax()]),
            float(times.max() / len(score)),
            float((first.score[mine] - mean[mine]).mean()) if len(mine) else None,
            _correlation(first.score[mine], mean[mine], first.segment[mine], bootstrap),
            len(mine),
            len(again),
            float(np.abs(score[again] - score[again + 1]).mean())
            if len(again)
            else None,
        )
    return found


def _correlation(
    x: Floats, y: Floats, segment: Codes, bootstrap: Bootstrap | None
) -> Estimate:
    """Return Pearson's correlation; segments are drawn for the interval."""
    from tertium.judgements.estimates import codes, resampled

    if len(x) < 3:
        return Estimate(None, reason="fewer than three units are shared with others")
    own = codes(segment)

    def pearson(weights: Floats) -> float | None:
        w = weights[own]
        a, b = x - (w @ x) / w.sum(), y - (w @ y) / w.sum()
        spread = float((w @ a**2) * (w @ b**2))
        if spread <= 1e-24 * float((w @ x**2) * (w @ y**2)):
            return None
        return float((w * a) @ b) / math.sqrt(spread)

    groups = int(own.max()) + 1
    value = pearson(np.ones(groups))
    if value is None:
        return Estimate(None, reason="one side does not vary")
    found = None if bootstrap is None else resampled(pearson, groups, bootstrap)
    return Estimate(value, found)


# ------------------------------------------------------------------------- flags


def _flagged(
    profiles: list[JudgeProfile], agreement: Agreement | None, usual: float | None
) -> list[JudgeProfile]:
    from dataclasses import replace

    flags: dict[str, list[Flag]] = {profile.judge: [] for profile in profiles}
    _flag_speed(profiles, usual, flags)
    _flag_agreement(profiles, agreement, flags)
    _flag_ties(profiles, flags)
    _flag_usage(profiles, flags)
    return [replace(p, flags=tuple(flags[p.judge])) for p in profiles]


def _distances(values: Mapping[str, float]) -> dict[str, float]:
    """Return how many robust standard deviations each is from the median."""
    if len(values) < _FEW_JUDGES:
        return {}
    x = np.array(list(values.values()))
    middle = float(np.median(x))
    spread = float(np.median(np.abs(x - middle))) * 1.4826
    if spread == 0:
        return {}
    return {name: (value - middle) / spread for name, value in values.items()}


_Flags = dict[str, list[Flag]]


def _flag_speed(
    profiles: list[JudgeProfile], usual: float | None, flags: _Flags
) -> None:
    medians = {
        p.judge: float(np.log(max(p.speed.median.value, 0.1)))
        for p in profiles
        if p.speed.median.value is not None and p.speed.timed >= _FEW_TIMED
    }
    for name, far in _distances(medians).items():
        if abs(far) >= _FAR:
            word = "fast" if far < 0 else "slow"
            seconds = np.exp(medians[name])
            reason = f"half the judgements took {seconds:.0f} s or less"
            if far > 0:
                reason = f"half the judgements took {seconds:.0f} s or more"
            flags[name].append(Flag(word, f"{reason}; all judges: {usual:.0f} s"))
    for p in profiles:
        total = p.speed.timed + p.speed.long
        if total >= _FEW_TIMED and p.speed.rushed >= _RUSHED_SHARE * total:
            reason = (
                f"{p.speed.rushed} of {total} judgements took less than "
                f"{RUSHED * (usual or 0):.1f} s, a fifth of the usual time"
            )
            flags[p.judge].append(Flag("rushed", reason))


def _flag_agreement(
    profiles: list[JudgeProfile], agreement: Agreement | None, flags: _Flags
) -> None:
    if agreement is None:
        return
    inter = {
        p.judge: p.inter.value
        for p in profiles
        if p.inter and p.inter.value is not None and p.inter.compared >= _FEW_COMPARED
    }
    far = _distances(inter)
    for p in profiles:
        own, same = inter.get(p.judge), p.intra
        if own is not None and p.inter is not None:
            on = f"on {p.inter.compared} comparisons"
            if _by_chance(p.inter):
                than = "no" if own <= 0 else "hardly"
                reason = f"agrees with others {than} better than chance"
                reason += f" (κ {own:.2f}, {on})"
                flags[p.judge].append(Flag("chance", reason))
            elif far.get(p.judge, 0.0) <= -_FAR:
                reason = (
                    f"agrees with others far less than other judges do (κ {own:.2f}, "
                    f"{on}; pooled {agreement.inter.value or 0:.2f})"
                )
                flags[p.judge].append(Flag("low agreement", reason))
        if same is None or same.value is None or same.compared < _FEW_COMPARED:
            continue
        if _by_chance(same) or (own is not None and same.value < own - _GAP):
            with_others = "" if own is None else f", with others {own:.2f}"
            reason = (
                f"does not repeat own judgements (κ with self {same.value:.2f} on "
                f"{same.compared} comparisons{with_others})"
            )
            flags[p.judge].append(Flag("inconsistent", reason))
    for name, partners in _alone(agreement).items():
        reason = (
            f"all {partners} partners agree better with others than with this judge"
        )
        flags[name].append(Flag("alone", reason))


def _by_chance(kappa: Kappa) -> bool:
    """Tell whether a kappa is nothing: the closer to zero, the more it takes."""
    if kappa.value is None or kappa.compared < _FEW_COMPARED:
        return False
    return kappa.value <= (_GAP if kappa.compared >= _MANY_COMPARED else 0.0)


def _alone(agreement: Agreement) -> dict[str, int]:
    """Return judges with whom every partner agrees less than with others.

    A partner shares ten comparisons at least; three partners are needed, and the
    judge's kappa must lie clearly below theirs: of many partners, one is below
    average by chance, all are not.
    """
    partners: dict[str, list[tuple[str, Kappa]]] = {}
    for (a, b), kappa in agreement.pairs.items():
        if kappa.value is not None and kappa.compared >= _FEW_SHARED:
            partners.setdefault(a, []).append((b, kappa))
            partners.setdefault(b, []).append((a, kappa))
    found = {}
    for name, known in partners.items():
        if len(known) < 3:
            continue
        worse = []
        for other, kappa in known:
            whole = agreement.judges[other].inter
            rest = whole.compared - kappa.compared
            if rest < _FEW_SHARED:
                break
            expected = kappa.expected or 0.0
            without = ((whole.agreed - kappa.agreed) / rest - expected) / (1 - expected)
            worse.append(without - (kappa.value or 0.0))
        if len(worse) == len(known) and min(worse) > 0 and np.mean(worse) >= _GAP:
            found[name] = len(known)
    return found


def _flag_ties(profiles: list[JudgeProfile], flags: _Flags) -> None:
    shares = {
        p.judge: p.ties
        for p in profiles
        if p.ties is not None and p.rankings >= _FEW_JUDGED
    }
    far = _distances(shares)
    for name, share in shares.items():
        if share == 1:
            flags[name].append(Flag("ties", "calls everything a tie"))
        elif far.get(name, 0.0) >= _FAR:
            usual = float(np.median(list(shares.values())))
            reason = f"{share:.0%} of comparisons are ties; other judges: {usual:.0%}"
            flags[name].append(Flag("ties", reason))


def _flag_usage(profiles: list[JudgeProfile], flags: _Flags) -> None:
    for scale in sorted({scale for p in profiles for scale in p.usage}):
        used = {p.judge: p.usage[scale] for p in profiles if scale in p.usage}
        many = {n: u for n, u in used.items() if u.ratings >= _FEW_JUDGED}
        far = _distances(
            {n: u.lenience for n, u in many.items() if u.lenience is not None}
        )
        for name, use in many.items():
            on = f" ({scale})" if scale else ""
            if use.values == 1:
                reason = f"gave {use.low:g} to all {use.ratings} outputs{on}"
                flags[name].append(Flag("one value", reason))
                continue
            if use.share >= 0.8:
                reason = f"{use.share:.0%} of ratings are {use.favourite:g}{on}"
                flags[name].append(Flag("favourite value", reason))
            if abs(far.get(name, 0.0)) >= _FAR:
                word = "lenient" if far[name] > 0 else "strict"
                reason = (
                    f"{abs(use.lenience or 0):.3g} "
                    f"{'above' if far[name] > 0 else 'below'} others on the same "
                    f"outputs{on}"
                )
                flags[name].append(Flag(word, reason))
            r = use.correlation.value
            if r is not None and use.shared >= _FEW_COMPARED and r <= 0:
                reason = (
                    f"does not go along with the mean of others (r {r:.2f} on "
                    f"{use.shared} outputs{on})"
                )
                flags[name].append(Flag("chance", reason))
