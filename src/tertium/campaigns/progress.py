# SPDX-License-Identifier: Apache-2.0
"""How far a campaign is."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from django.db.models import Count, Q

from tertium.campaigns.config import Plan
from tertium.campaigns.models import Assignment, Campaign, Item, Judgement, Role, State

__all__ = ["LONGEST", "MemberProgress", "Progress", "members", "progress"]

#: Seconds from which on a time says that somebody went away (SegRanks, "Timing").
LONGEST = 600.0


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
        All judgements, repeated ones and checks included.
    seconds : float, optional
        The median time of an item; times of ten minutes and more are left out.
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


def progress(campaign: Campaign) -> Progress:
    """Return how far a campaign is."""
    plan = Plan.from_json(campaign.plan)
    work = Item.objects.filter(campaign=campaign, kind=Item.Kind.WORK)
    first = Q(assignments__state=State.DONE, assignments__why="first")
    counts = list(
        work.annotate(n=Count("assignments", filter=first)).values_list("n", flat=True)
    )
    judgements = Judgement.objects.filter(assignment__item__campaign=campaign)
    return Progress(
        campaign=campaign.name,
        title=campaign.title,
        task=campaign.task,
        phase=campaign.phase,
        items=len(counts),
        judged=sum(n >= plan.judgements for n in counts),
        wanted=len(counts) * plan.judgements,
        first=sum(min(n, plan.judgements) for n in counts),
        under_way=Assignment.objects.filter(
            item__campaign=campaign, state=State.LEASED
        ).count(),
        judgements=judgements.count(),
        annotators=campaign.members.filter(role=Role.ANNOTATOR).count(),
        seconds=_median(judgements.values_list("seconds", flat=True)),
    )


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
    done = Q(assignments__state=State.DONE)
    again = done & Q(assignments__why__in=["intra", "inter"])
    times: dict[int, list[float]] = {}
    for number, seconds in Judgement.objects.filter(
        assignment__item__campaign=campaign
    ).values_list("assignment__member", "seconds"):
        times.setdefault(number, []).append(seconds)
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


def _median(seconds: object) -> float | None:
    times = [time for time in seconds if time is not None and time < LONGEST]  # type: ignore[attr-defined]
    return median(times) if times else None
