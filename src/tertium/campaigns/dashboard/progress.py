# SPDX-License-Identifier: Apache-2.0
"""The progress of a campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from statistics import median
from typing import NamedTuple

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
    "Timed",
    "judged_by",
    "judged_times",
    "judgements_of",
    "members",
    "missing_first",
    "present",
    "progress",
]

#: Seconds per segment from which on somebody was away (SegRanks; Macháček 2014).
LONGEST = 600.0


def present(seconds: float, parts: int) -> bool:
    """Return whether somebody worked all the time that an item took."""
    return seconds < LONGEST * parts


@dataclass(frozen=True)
class Progress:
    """The progress of a campaign.

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
    under_way : int
        Items on somebody's screen, to be judged first, again, or as a check.
    judgements : int
        All judgements, repeated ones and checks included; training is not.
    annotators : int
        Members with this role, whether or not they judged anything.
    judges : int
        People of any role who judged something.
    seconds : float, optional
        The median time per item; times of ten minutes per segment and more are left
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
    judges: int
    seconds: float | None

    def to_dict(self) -> dict[str, object]:
        """Return what JSON shows."""
        return asdict(self)


def judgements_of(campaign: Campaign) -> QuerySet[Judgement]:
    """Return the judgements that count; training measures nobody."""
    judgements = Judgement.objects.filter(assignment__member__campaign=campaign)
    return judgements.exclude(assignment__why=Why.TRAINING)


class Timed(NamedTuple):
    """A judgement: whose, when, how long it took, of an item of how many parts."""

    member: int
    created: datetime
    seconds: float | None
    parts: int
    why: str


def judged_times(campaign: Campaign, member: Membership | None = None) -> list[Timed]:
    """Return when all judgements were made, or those of a member.

    Three figures need it, and of 10^5 judgements reading is most of their time.
    """
    judgements = judgements_of(campaign)
    if member is not None:
        judgements = judgements.filter(assignment__member=member)
    rows = judgements.values_list(
        "assignment__member",
        "created",
        "seconds",
        "assignment__item__parts",
        "assignment__why",
    )
    return [Timed(*row) for row in rows.iterator(5000)]


def judged_by(member: Membership, *, training: bool = False) -> int:
    """Return how many items somebody judged; or those of their training."""
    done = member.assignments.filter(state=State.DONE)
    only = Q(why=Why.TRAINING)
    return done.filter(only if training else ~only).count()


def missing_first(campaign: Campaign) -> int:
    """Return how many first judgements are still missing, those under way included."""
    items = Item.objects.filter(campaign=campaign, kind=Item.Kind.WORK).count()
    wanted, _judged, first = _first(campaign, items)
    return wanted - first


def progress(campaign: Campaign, times: Iterable[Timed] | None = None) -> Progress:
    """Return how far a campaign is; with `times`, they are not read again."""
    items = Item.objects.filter(campaign=campaign, kind=Item.Kind.WORK).count()
    wanted, judged, first = _first(campaign, items)
    held = Assignment.objects.filter(member__campaign=campaign)
    held = held.exclude(why=Why.TRAINING)
    times = judged_times(campaign) if times is None else times
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
        judges=held.filter(state=State.DONE).aggregate(
            n=Count("member", distinct=True)
        )["n"],
        seconds=_median(times),
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
    sums = there.aggregate(judged=Count("item", Q(n__gte=each)), first=Sum(most))
    return items * each, sums["judged"], sums["first"] or 0


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


def members(
    campaign: Campaign,
    times: Iterable[Timed] | None = None,
    *,
    only: Membership | None = None,
) -> list[MemberProgress]:
    """Return what every member did, or one, by pseudonym."""
    chosen = campaign.members.order_by("code")
    assignments = Assignment.objects.filter(member__campaign=campaign)
    if only is not None:
        chosen = chosen.filter(pk=only.pk)
        assignments = assignments.filter(member=only)
    by_member: dict[int, list[Timed]] = {}
    for one in judged_times(campaign, only) if times is None else times:
        by_member.setdefault(one.member, []).append(one)
    held: dict[int, Counter[str]] = {}
    for number, state, why, n in (
        assignments.exclude(why=Why.TRAINING)
        .values_list("member", "state", "why")
        .annotate(n=Count("pk"))
    ):
        states = held.setdefault(number, Counter())
        states[state] += n
        if state == State.DONE:
            states[why] += n
    return [
        MemberProgress(
            code=member.code,
            role=member.role,
            paused=member.paused,
            done=states[State.DONE],
            skipped=states[State.SKIPPED],
            again=states[Why.INTRA] + states[Why.INTER],
            checks=states[Why.CHECK],
            seconds=_median(by_member.get(member.pk, [])),
        )
        for member in chosen
        for states in [held.get(member.pk, Counter())]
    ]


def _median(times: Iterable[Timed]) -> float | None:
    """Return the median of the times that are known and spent at work."""
    durations = [
        one.seconds
        for one in times
        if one.seconds is not None and present(one.seconds, one.parts)
    ]
    return median(durations) if durations else None
