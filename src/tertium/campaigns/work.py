# SPDX-License-Identifier: Apache-2.0
"""Who gets which item: leases, drafts and submission.

Three promises, kept by transactions and by constraints of the database, whatever is
clicked twice, closed or killed:

* two people never work on the same item unknowingly: a first judgement is leased;
* an answer is stored once: a judgement belongs to one assignment, and submitting
  that again returns what is there;
* nothing is lost: every move is a draft, and a submission that comes after its lease
  ran out is stored all the same, as ``late`` if somebody else has the item by then.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from random import Random

from django.db import IntegrityError, connection, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from tertium.campaigns.config import Plan
from tertium.campaigns.models import (
    Assignment,
    Campaign,
    Item,
    Judgement,
    Membership,
    State,
    Why,
)
from tertium.campaigns.sampling import Counts, due
from tertium.campaigns.tasks import get_task
from tertium.errors import TertiumError

__all__ = [
    "LongDraftError",
    "NotLeasedError",
    "choose",
    "counts",
    "next_assignment",
    "release",
    "save_draft",
    "skip",
    "submit",
]

_LONGEST_DRAFT = 100_000  # characters of JSON


class NotLeasedError(TertiumError):
    """The assignment is over: done, skipped, or taken back."""


class LongDraftError(TertiumError):
    """A draft longer than any answer can be."""


def next_assignment(
    member: Membership, *, now: datetime | None = None
) -> Assignment | None:
    """Return what somebody should work on: their open item, or a new one.

    None when nothing is left for them, or the campaign or the person is paused.
    """
    now = now or timezone.now()
    task = get_task(member.campaign.task)
    while True:
        open_one = _open(member, now)
        if open_one is not None:
            return open_one
        campaign = Campaign.objects.get(pk=member.campaign_id)
        if campaign.phase != Campaign.Phase.OPEN or member.paused:
            return None
        try:
            with transaction.atomic():
                expire(campaign, now=now)
                number = member.assignments.count()
                rng = Random(f"{campaign.seed}:{member.pk}:{number}")
                found = task.choose(member, rng)
                if found is None:
                    return None
                item, why = found
                return _lease(member, item, why, rng, now)
        except IntegrityError:
            # A second click of the same person was quicker: its lease is theirs.
            continue


def _open(member: Membership, now: datetime) -> Assignment | None:
    """Return what is on somebody's screen, its lease renewed."""
    expires = now + _lease_time(member.campaign)
    # An update, so that a lease which others take back at this moment stays theirs.
    if not member.assignments.filter(state=State.LEASED).update(expires=expires):
        return None
    return (
        member.assignments.filter(state=State.LEASED)
        .select_related("item__campaign", "member")
        .first()
    )


def _lease(
    member: Membership, item: Item, why: Why, rng: Random, now: datetime
) -> Assignment:
    if why == Why.FIRST:
        Item.objects.filter(pk=item.pk).update(taken=F("taken") + 1)
    return Assignment.objects.create(
        item=item,
        member=member,
        why=why,
        seed=rng.getrandbits(62),
        created=now,
        expires=now + _lease_time(item.campaign),
    )


def _lease_time(campaign: Campaign) -> timedelta:
    return timedelta(minutes=Plan.from_json(campaign.plan).lease)


def choose(member: Membership, rng: Random) -> tuple[Item, Why] | None:
    """Return the next item of somebody by the campaign's plan, and why."""
    plan = Plan.from_json(member.campaign.plan)
    for why in due(plan, counts(member)):
        item = _draw(member, Why(why), plan, rng)
        if item is not None:
            return item, Why(why)
    return None


def counts(member: Membership) -> Counts:
    """Return how many items somebody judged, and how many of them again."""
    done = _done(member)
    mine: dict[int, int] = {}
    for number in done.filter(item__kind=Item.Kind.WORK).values_list("item", flat=True):
        mine[number] = mine.get(number, 0) + 1
    return Counts(
        mine=len(mine),
        again=sum(times > 1 for times in mine.values()),
        shared=_shared(member).count(),
        checks=done.filter(item__kind=Item.Kind.CHECK).count(),
    )


def _done(member: Membership) -> QuerySet[Assignment]:
    return member.assignments.filter(state=State.DONE)


def _shared(member: Membership) -> QuerySet[Item]:
    """Return the work that both somebody and others judged."""
    others = (
        Assignment.objects.filter(
            item__campaign=member.campaign_id, state=State.DONE
        ).exclude(member=member)
    ).values("item")
    return Item.objects.filter(
        kind=Item.Kind.WORK, pk__in=_done(member).values("item")
    ).filter(pk__in=others)


def _draw(member: Membership, why: Why, plan: Plan, rng: Random) -> Item | None:
    work = Item.objects.filter(campaign=member.campaign_id, kind=Item.Kind.WORK)
    seen = member.assignments.exclude(state=State.EXPIRED).values("item")
    if why == Why.FIRST:
        free = work.filter(taken__lt=plan.judgements).exclude(pk__in=seen)
        return _locked(free.order_by("position"))
    done = Assignment.objects.filter(
        item__campaign=member.campaign_id, state=State.DONE
    )
    if why == Why.INTRA:
        times: dict[int, int] = {}
        for number in done.filter(member=member, item__kind=Item.Kind.WORK).values_list(
            "item", flat=True
        ):
            times[number] = times.get(number, 0) + 1
        pool = sorted(number for number, n in times.items() if n == 1)
    elif why == Why.INTER:
        others = done.exclude(member=member).values("item")
        found = work.filter(pk__in=others).exclude(pk__in=seen)
        pool = sorted(found.values_list("pk", flat=True))
    else:
        # A check shows its twin again, damaged: only those who know the twin.
        checks = Item.objects.filter(
            campaign=member.campaign_id,
            kind=Item.Kind.CHECK,
            base__in=_done(member).values("item"),
        ).exclude(pk__in=seen)
        pool = sorted(checks.values_list("pk", flat=True))
    if not pool:
        return None
    return Item.objects.select_related("campaign").get(pk=rng.choice(pool))


def _locked(items: QuerySet[Item]) -> Item | None:
    """Return the first item that nobody else is taking at this moment."""
    items = items.select_related("campaign")
    if connection.features.has_select_for_update_skip_locked:
        items = items.select_for_update(skip_locked=True, of=("self",))
    return items.first()


def expire(campaign: Campaign, *, now: datetime | None = None) -> int:
    """Take back leases that ran out, and return how many."""
    now = now or timezone.now()
    late = Assignment.objects.filter(
        item__campaign=campaign, state=State.LEASED, expires__lt=now
    )
    if connection.features.has_select_for_update_skip_locked:
        late = late.select_for_update(skip_locked=True, of=("self",))
    found = list(late)
    for assignment in found:
        _close(assignment, State.EXPIRED, now)
    return len(found)


def release(assignment: Assignment, *, now: datetime | None = None) -> None:
    """Take work back from somebody, for others to do."""
    with transaction.atomic():
        held = _lock(assignment)
        if held.state == State.LEASED:
            _close(held, State.EXPIRED, now or timezone.now())


def _close(assignment: Assignment, state: State, now: datetime) -> None:
    assignment.state = state
    assignment.closed = now
    assignment.save(update_fields=["state", "closed", "reason", "why"])
    if state != State.DONE and assignment.why == Why.FIRST:
        Item.objects.filter(pk=assignment.item_id).update(taken=F("taken") - 1)


def _lock(assignment: Assignment) -> Assignment:
    # SQLite has no locks of rows; its transactions take turns as a whole.
    return (
        Assignment.objects.select_for_update(of=("self",))
        .select_related("item__campaign", "member")
        .get(pk=assignment.pk)
        if connection.features.has_select_for_update_of
        else Assignment.objects.select_related("item__campaign", "member").get(
            pk=assignment.pk
        )
    )


def save_draft(
    assignment: Assignment,
    draft: Mapping[str, object],
    version: int,
    *,
    now: datetime | None = None,
) -> int:
    """Keep a draft, renew the lease, and return the version that is kept.

    An older version than the kept one changes nothing: requests overtake each other.

    Raises
    ------
    NotLeasedError
        When the work is done or skipped.
    LongDraftError
        When it is longer than any answer.
    """
    import json

    if len(json.dumps(draft)) > _LONGEST_DRAFT:
        message = "the draft is too long to be an answer; reload the page"
        raise LongDraftError(message)
    now = now or timezone.now()
    with transaction.atomic():
        held = _lock(assignment)
        if held.state in (State.DONE, State.SKIPPED):
            message = "this item is already finished; go on to the next"
            raise NotLeasedError(message)
        if version > held.version:
            held.draft = dict(draft)
            held.version = version
            if held.state == State.LEASED:
                held.expires = now + _lease_time(held.item.campaign)
            held.save(update_fields=["draft", "version", "expires"])
        return held.version


def submit(
    assignment: Assignment, answer: object, *, now: datetime | None = None
) -> Judgement:
    """Store an answer, once, and return the judgement.

    Submitting again returns the judgement that is there.

    Raises
    ------
    AnswerError
        When the answer is incomplete or does not fit the item. The draft stays.
    NotLeasedError
        When the item was skipped.
    """
    now = now or timezone.now()
    with transaction.atomic():
        held = _lock(assignment)
        if held.state == State.DONE:
            return held.judgement
        if held.state == State.SKIPPED:
            message = "this item was skipped; go on to the next"
            raise NotLeasedError(message)
        campaign = held.item.campaign
        task = get_task(campaign.task)
        complete = task.check(held.item.content, answer, campaign.options)
        if held.state == State.EXPIRED and held.why == Why.FIRST:
            _take_late(held)
        held.draft = None
        held.save(update_fields=["draft"])
        _close(held, State.DONE, now)
        return Judgement.objects.create(
            assignment=held,
            answer=complete,
            created=now,
            seconds=max(0.0, (now - (held.opened or held.created)).total_seconds()),
        )


def _take_late(held: Assignment) -> None:
    """Count an expired lease again, unless others have the item by now."""
    wanted = Plan.from_json(held.item.campaign.plan).judgements
    free = Item.objects.filter(pk=held.item_id, taken__lt=wanted)
    if not free.update(taken=F("taken") + 1):
        held.why = Why.LATE


def skip(assignment: Assignment, reason: str, *, now: datetime | None = None) -> None:
    """Hand an item back unjudged; the person does not get it again."""
    with transaction.atomic():
        held = _lock(assignment)
        if held.state not in (State.LEASED, State.EXPIRED):
            return
        leased = held.state == State.LEASED
        held.reason = reason[:500]
        if not leased:
            held.why = Why.LATE  # its place was given back when it expired
        _close(held, State.SKIPPED, now or timezone.now())
