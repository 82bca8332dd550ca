# SPDX-License-Identifier: Apache-2.0
"""How far a campaign is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from django.db.models import Case, Count, Q, QuerySet, Sum, When

from tertium.campaigns.config import Plan
from tertium.campaigns.models import (
    Assignment,
    Campaign,
    Item,
    Judgement,
    Membership,
    QuestionnaireItem,
    Role,
    State,
    Why,
)
from tertium.campaigns.tasks import get_task

__all__ = [
    "LONGEST",
    "MemberProgress",
    "Progress",
    "judged_by",
    "judgements_of",
    "members",
    "present",
    "progress",
]

#: Seconds a segment from which on somebody went away (SegRanks, "Timing").
LONGEST = 600.0


def present(seconds: float, parts: int) -> bool:
    """Tell whether somebody was there all the time that an item took."""
    return seconds < LONGEST * parts


@dataclass(frozen=True)
class Progress:
    """How far a campaign is.

    Parameters
    ----------
    items : int
        Items to judge; checks and training are not counted.
    judged : int
        Items with all the first judgements wanted.
    wanted : int
        First judgements wanted in all.
    first : int
        First judgements there.
    judgements : int
        All judgements, repeated ones and checks included; training is not.
    seconds : float, optional
        The median time of an item; times of ten minutes a segment and more are left
        out.
    """

    campaign: str
    title: str
    task: str
    phase: str
    items: int
    judged: int
    wanted: int
    first: int
    under_way: int
    judgements: int
    annotators: int
    seconds: float | None


def judgements_of(campaign: Campaign) -> QuerySet[Judgement]:
    """Return the judgements that count; training measures nobody."""
    found = Judgement.objects.filter(assignment__member__campaign=campaign)
    return found.exclude(assignment__why=Why.TRAINING)


def judged_by(member: Membership, *, training: bool = False) -> int:
    """Return how many items somebody judged; or those of their training."""
    done = member.assignments.filter(state=State.DONE)
    only = Q(why=Why.TRAINING)
    return done.filter(only if training else ~only).count()


def progress(campaign: Campaign) -> Progress:
    """Return how far a campaign is."""
    items = Item.objects.filter(campaign=campaign, kind=Item.Kind.WORK).count()
    wanted, judged, first = _first(campaign, items)
    held = Assignment.objects.filter(member__campaign=campaign)
    held = held.exclude(why=Why.TRAINING)
    times = judgements_of(campaign)
    return Progress(
        campaign=campaign.name,
        title=campaign.title,
        task=campaign.task,
        phase=campaign.phase,
        items=items,
        judged=judged,
        wanted=wanted,
        first=first,
        under_way=held.filter(state=State.LEASED).count(),
        judgements=held.filter(state=State.DONE).count(),
        annotators=campaign.members.filter(role=Role.ANNOTATOR).count(),
        seconds=_median(
            times.values_list("seconds", "assignment__item__parts").iterator()
        ),
    )


def _first(campaign: Campaign, items: int) -> tuple[int, int, int]:
    """Return first judgements wanted, items that have theirs, and those there.

    By the reason alone, which an index has: checks and training have others.
    """
    done = Assignment.objects.filter(
        member__campaign=campaign, state=State.DONE, why=Why.FIRST
    )
    there = done.values("item").annotate(n=Count("pk"))
    if get_task(campaign.task).private:  # as many as questionnaires ask for
        places = QuestionnaireItem.objects.filter(
            questionnaire__campaign=campaign, item__kind=Item.Kind.WORK
        )
        asked = dict(places.values_list("item").annotate(n=Count("pk")))
        counts = dict(there.values_list("item", "n"))
        judged = items - sum(counts.get(item, 0) < n for item, n in asked.items())
        first = sum(min(counts.get(item, 0), n) for item, n in asked.items())
        return sum(asked.values()), judged, first
    each = Plan.from_json(campaign.plan).judgements
    # A later load may want fewer judgements of an item than it has.
    most = Case(When(n__lt=each, then="n"), default=each)
    found = there.aggregate(judged=Count("item", Q(n__gte=each)), first=Sum(most))
    return items * each, found["judged"], found["first"] or 0


@dataclass(frozen=True)
class MemberProgress:
    """How much somebody did."""

    code: str
    role: str
    paused: bool
    done: int
    skipped: int
    again: int
    checks: int
    seconds: float | None


def members(campaign: Campaign) -> list[MemberProgress]:
    """Return what every member did, by pseudonym."""
    times: dict[int, list[tuple[float | None, int]]] = {}
    for number, seconds, parts in judgements_of(campaign).values_list(
        "assignment__member", "seconds", "assignment__item__parts"
    ):
        times.setdefault(number, []).append((seconds, parts))
    held: dict[int, Counter[str]] = {}
    for number, state, why, n in (
        Assignment.objects.filter(member__campaign=campaign)
        .exclude(why=Why.TRAINING)
        .values_list("member", "state", "why")
        .annotate(n=Count("pk"))
    ):
        own = held.setdefault(number, Counter())
        own[state] += n
        if state == State.DONE:
            own[why] += n
    return [
        MemberProgress(
            code=member.code,
            role=member.role,
            paused=member.paused,
            done=own[State.DONE],
            skipped=own[State.SKIPPED],
            again=own[Why.INTRA] + own[Why.INTER],
            checks=own[Why.CHECK],
            seconds=_median(times.get(member.pk, [])),
        )
        for member in campaign.members.order_by("code")
        for own in [held.get(member.pk, Counter())]
    ]


def _median(times: Iterable[tuple[float | None, int]]) -> float | None:
    """Return the median of times that are known, each with the parts of its item."""
    found = [
        seconds
        for seconds, parts in times
        if seconds is not None and present(seconds, parts)
    ]
    return median(found) if found else None
