# SPDX-License-Identifier: Apache-2.0
"""What happens in a campaign: judgements per day, times, time left, open work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import ceil, floor, log10

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from tertium.campaigns.config import Plan
from tertium.campaigns.dashboard.progress import Progress, Timed, judged_times, present
from tertium.campaigns.models import (
    Assignment,
    Campaign,
    Membership,
    State,
    Why,
)
from tertium.campaigns.tasks import get_task

__all__ = [
    "Activity",
    "Day",
    "Remaining",
    "activity",
    "leases",
    "remaining",
    "skips",
    "time_bins",
]

_DAYS = 60  # of the chart
_RECENT = timedelta(days=7)


@dataclass(frozen=True)
class Day:
    """Judgements of a day (UTC), by what they were for."""

    day: date
    first: int
    again: int
    checks: int


@dataclass(frozen=True)
class Activity:
    """Judgements over time.

    Parameters
    ----------
    days : list of Day
        From the first day with a judgement to the last; a week at least, 60 days at
        most.
    seconds : list of float
        Times of items, without those of ten minutes per segment and more.
    long : int
        How many these are.
    recent : int
        First judgements of the last seven days.
    since : datetime, optional
        The first judgement.
    """

    days: list[Day]
    seconds: list[float]
    long: int
    recent: int
    since: datetime | None


def activity(
    campaign: Campaign,
    times: Iterable[Timed] | None = None,
    *,
    now: datetime | None = None,
) -> Activity:
    """Return the judgements of a campaign over time. Linear in judgements."""
    now = now or timezone.now()
    by_day: dict[date, Counter[str]] = {}
    seconds, long, recent = [], 0, 0
    since: datetime | None = None
    for one in judged_times(campaign) if times is None else times:
        by_day.setdefault(one.created.date(), Counter())[_kind(one.why)] += 1
        since = one.created if since is None or one.created < since else since
        recent += one.why == Why.FIRST and one.created >= now - _RECENT
        if one.seconds is None:
            continue
        if present(one.seconds, one.parts):
            seconds.append(one.seconds)
        else:
            long += 1
    return Activity(_days(by_day), seconds, long, recent, since)


def _kind(why: str) -> str:
    if why == Why.FIRST:
        return "first"
    return "checks" if why == Why.CHECK else "again"


def _days(by_day: dict[date, Counter[str]]) -> list[Day]:
    if not by_day:
        return []
    last = max(by_day)
    first = max(min(by_day), last - timedelta(days=_DAYS - 1))
    first = min(first, last - timedelta(days=6))  # a single bar shows nothing
    every = (first + timedelta(days=n) for n in range((last - first).days + 1))
    none: Counter[str] = Counter()
    return [
        Day(day, counts["first"], counts["again"], counts["checks"])
        for day in every
        for counts in [by_day.get(day, none)]
    ]


@dataclass(frozen=True)
class Remaining:
    """How much work is left.

    Parameters
    ----------
    judgements : int
        First judgements that are missing.
    hours : float, optional
        Of work of one person, repeated items and checks included.
    days : float, optional
        At the pace of the last seven days.
    reason : str
        Why one of them is not known.
    """

    judgements: int
    hours: float | None = None
    days: float | None = None
    reason: str = ""


def remaining(
    campaign: Campaign,
    progress: Progress,
    activity: Activity,
    *,
    now: datetime | None = None,
) -> Remaining:
    """Return how much work is left."""
    now = now or timezone.now()
    missing = progress.wanted - progress.first
    if missing <= 0:
        return Remaining(0, 0.0, 0.0)
    hours = None
    if progress.seconds is not None:
        plan = Plan.from_json(campaign.plan)
        again = plan.intra + plan.inter + plan.checks
        more = 1 if get_task(campaign.task).private else 1 + again
        hours = missing * more * progress.seconds / 3600
    if activity.since is None:
        return Remaining(
            missing, hours, reason=gettext_noop("nobody has judged anything yet")
        )
    # Of a campaign that is younger than a week, as long as it runs.
    span = min(_RECENT, now - activity.since).total_seconds() / 86400
    if not activity.recent:
        return Remaining(
            missing,
            hours,
            reason=gettext_noop("nobody judged a new item for seven days"),
        )
    if activity.recent < 5 or span < 1 / 24:
        return Remaining(
            missing,
            hours,
            reason=gettext_noop("there are too few judgements to estimate the pace"),
        )
    return Remaining(missing, hours, missing * span / activity.recent)


def time_bins(
    seconds: Sequence[float], most: int = 16
) -> list[tuple[float, float, int]]:
    """Return a histogram of times: from, to and how many, up to the 98th percentile.

    The last bin holds all that are longer.
    """
    if not seconds:
        return []
    ordered = sorted(seconds)
    top = max(ordered[min(len(ordered) - 1, int(0.98 * len(ordered)))], 1.0)
    width = _round_up(top / most)
    number = max(1, ceil(top / width + 1e-9))
    counts = [0] * number
    for value in ordered:
        counts[min(number - 1, floor(value / width))] += 1
    return [(i * width, (i + 1) * width, n) for i, n in enumerate(counts)]


def _round_up(width: float) -> float:
    """Return the next of 1, 2, 5, 10, ... that is not below a width."""
    size = 10.0 ** floor(log10(width))
    return next(size * step for step in (1, 2, 5, 10) if size * step >= width * 0.999)


def leases(campaign: Campaign) -> QuerySet[Assignment]:
    """Return the work that is on somebody's screen, the oldest first."""
    return (
        Assignment.objects.filter(member__campaign=campaign, state=State.LEASED)
        .select_related("item", "member__person")
        .order_by("created")
    )


def skips(campaign: Campaign, member: Membership | None = None) -> QuerySet[Assignment]:
    """Return the work that people could not do, the newest first."""
    skipped = Assignment.objects.filter(member__campaign=campaign, state=State.SKIPPED)
    if member is not None:
        skipped = skipped.filter(member=member)
    return skipped.select_related("item", "member__person").order_by("-closed")
