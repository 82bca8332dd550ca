# SPDX-License-Identifier: Apache-2.0
"""How far a campaign is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from django.db.models import Count, Q, QuerySet

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
    found = Judgement.objects.filter(assignment__item__campaign=campaign)
    return found.exclude(assignment__why=Why.TRAINING)


def judged_by(member: Membership, *, training: bool = False) -> int:
    """Return how many items somebody judged; or those of their training."""
    done = member.assignments.filter(state=State.DONE)
    only = Q(why=Why.TRAINING)
    return done.filter(only if training else ~only).count()


def progress(campaign: Campaign) -> Progress:
    """Return how far a campaign is."""
    work = Item.objects.filter(campaign=campaign, kind=Item.Kind.WORK)
    first = Q(assignments__state=State.DONE, assignments__why="first")
    counts = dict(
        work.annotate(n=Count("assignments", filter=first)).values_list("pk", "n")
    )
    wanted = _wanted(campaign, counts)
    judgements = judgements_of(campaign)
    return Progress(
        campaign=campaign.name,
        title=campaign.title,
        task=campaign.task,
        phase=campaign.phase,
        items=len(counts),
        judged=sum(n >= wanted[item] for item, n in counts.items()),
        wanted=sum(wanted.values()),
        first=sum(min(n, wanted[item]) for item, n in counts.items()),
        under_way=Assignment.objects.filter(
            item__campaign=campaign, state=State.LEASED
        ).count(),
        judgements=judgements.count(),
        annotators=campaign.members.filter(role=Role.ANNOTATOR).count(),
        seconds=_median(judgements.values_list("seconds", "assignment__item__parts")),
    )


def _wanted(campaign: Campaign, items: Iterable[int]) -> dict[int, int]:
    """Return how many first judgements are wanted of every item."""
    if get_task(campaign.task).private:  # as many as questionnaires ask for it
        places = QuestionnaireItem.objects.filter(questionnaire__campaign=campaign)
        asked = dict(places.values_list("item").annotate(n=Count("pk")))
        return {item: asked.get(item, 0) for item in items}
    return dict.fromkeys(items, Plan.from_json(campaign.plan).judgements)


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
    done = Q(assignments__state=State.DONE) & ~Q(assignments__why=Why.TRAINING)
    again = done & Q(assignments__why__in=["intra", "inter"])
    times: dict[int, list[tuple[float | None, int]]] = {}
    for number, seconds, parts in judgements_of(campaign).values_list(
        "assignment__member", "seconds", "assignment__item__parts"
    ):
        times.setdefault(number, []).append((seconds, parts))
    return [
        MemberProgress(
            code=member.code,
            role=member.role,
            paused=member.paused,
            done=member.n_done,
            skipped=member.n_skipped,
            again=member.n_again,
            checks=member.n_checks,
            seconds=_median(times.get(member.pk, [])),
        )
        for member in campaign.members.annotate(
            n_done=Count("assignments", filter=done),
            n_skipped=Count("assignments", filter=Q(assignments__state=State.SKIPPED)),
            n_again=Count("assignments", filter=again),
            n_checks=Count("assignments", filter=done & Q(assignments__why="check")),
        ).order_by("code")
    ]


def _median(times: Iterable[tuple[float | None, int]]) -> float | None:
    """Return the median of times that are known, each with the parts of its item."""
    found = [
        seconds
        for seconds, parts in times
        if seconds is not None and present(seconds, parts)
    ]
    return median(found) if found else None
