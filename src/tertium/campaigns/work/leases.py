# SPDX-License-Identifier: Apache-2.0
"""Who gets which item: leases, drafts and submission.

Three promises, kept by transactions and by constraints of the database, whatever is
clicked twice, closed or killed:

* two people never work on the same item unknowingly: a first judgement is leased;
* an answer is stored once: a judgement belongs to one assignment. Submitting the same
  answer again returns what is there; another answer is rejected, and whoever sent it
  hears which one stands;
* nothing is lost: every move is a draft, and a submission that comes after its lease
  ran out is stored all the same, as ``late`` if somebody else has the item by then.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from random import Random

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

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
from tertium.campaigns.tasks import AnswerError, Task, get_task
from tertium.campaigns.work.conflicts import (
    AlreadyJudgedError,
    DraftError,
    LongDraftError,
    NotLeasedError,
)
from tertium.campaigns.work.payloads import flaw
from tertium.campaigns.work.pools import begun, choose, counts, lockable

__all__ = [
    "AlreadyJudgedError",
    "DraftError",
    "LongDraftError",
    "NotLeasedError",
    "assign",
    "available",
    "choose",
    "counts",
    "expire",
    "look",
    "next_assignment",
    "offer_again",
    "release",
    "save_draft",
    "skip",
    "submit",
]

_LONGEST_DRAFT = 100_000  # characters of JSON
_TRIES = 100
_TIMES = ("seen", "spent")


class _BusyError(Exception):
    """Somebody is changing what is wanted; it takes a moment."""


def next_assignment(
    member: Membership, *, now: datetime | None = None
) -> Assignment | None:
    """Return what somebody should work on: their open item, or a new one.

    None when nothing is left for them. While the campaign or the person is paused
    they can finish what is open, and get nothing new.
    """
    now = now or timezone.now()
    for _again in range(_TRIES):
        assignment = _open(member, now)
        if assignment is not None:
            return assignment
        try:
            return _new(member.pk, now)
        except IntegrityError:
            # A second click of the same person was quicker: its lease is theirs.
            continue
        except _BusyError:
            time.sleep(0.01)
    return None


def _new(number: int, now: datetime) -> Assignment | None:
    """Lease something to a member; None when there is nothing, or no member."""
    # As it is in the database now: they may have been paused or deleted meanwhile.
    member = Membership.objects.select_related("campaign").filter(pk=number).first()
    if member is None or member.paused or member.campaign.phase != Campaign.Phase.OPEN:
        return None
    expire(member.campaign, now=now)
    with transaction.atomic():
        handed_out = member.assignments.count()
        rng = Random(f"{member.campaign.seed}:{member.pk}:{handed_out}")
        chosen = get_task(member.campaign.task).choose(member, rng)
        return None if chosen is None else _lease(member, *chosen, rng, now)


def available(member: Membership, *, now: datetime | None = None) -> Why | None:
    """Return why somebody would get an item now; None if there is none for them.

    Nothing is leased and nothing is stored: pages ask this.
    """
    now = now or timezone.now()
    held = Assignment.objects.filter(item__campaign=member.campaign, state=State.LEASED)
    if (mine := held.filter(member=member).first()) is not None:
        return Why(mine.why)
    if member.paused or member.campaign.phase != Campaign.Phase.OPEN:
        return None
    task = get_task(member.campaign.task)
    with transaction.atomic():  # drawing locks what it looks at
        chosen = task.choose(member, Random(member.campaign.seed))
    if chosen is not None:
        return chosen[1]
    # What somebody else let run out is free as soon as work is asked for.
    ran_out = not task.private and held.filter(expires__lt=now).exists()
    return Why.FIRST if ran_out else None


def _open(member: Membership, now: datetime) -> Assignment | None:
    """Return what is on somebody's screen, its lease renewed."""
    expires = now + _lease_time(member.campaign)
    held = Assignment.objects.filter(member=member.pk, state=State.LEASED)
    # An update, so that a lease which others take back at this moment stays theirs.
    if not held.update(expires=expires):
        return None
    return held.select_related("item__campaign", "member__campaign").first()


def look(assignment: Assignment, *, now: datetime | None = None) -> None:
    """Record that somebody has the page before them."""
    now = now or timezone.now()
    with transaction.atomic():
        held = _lock(assignment)
        if held is None:  # who was deleted meanwhile stays deleted
            return
        held.opened = held.opened or now
        _count_time(held, now, page=True)
        held.save(update_fields=["opened", *_TIMES])


def _count_time(held: Assignment, now: datetime, *, page: bool = False) -> None:
    """Add the time since the last sign of life, a lease's worth at most.

    Parameters
    ----------
    page : bool
        They opened the page: after more than a lease they come back to it, and all
        of that time they were away.
    """
    most = _lease_time(held.item.campaign)
    gap = max(now - (held.seen or (now if page else held.created)), timedelta())
    if gap > most:
        gap = timedelta() if page else most
    held.spent += gap.total_seconds()
    held.seen = now


def assign(
    member: Membership,
    item: Item,
    *,
    keep: timedelta,
    now: datetime | None = None,
) -> Assignment | None:
    """Give an item to somebody, to do next; None when they have one open.

    Parameters
    ----------
    keep : timedelta
        How long it waits for them before others may get it.
    """
    now = now or timezone.now()
    plan = Plan.from_json(item.campaign.plan)
    rng = Random(f"{item.campaign.seed}:{member.pk}:{item.pk}:given")
    try:
        with transaction.atomic():
            expire(item.campaign, now=now)
            mine = member.assignments.filter(item=item, state=State.DONE).exists()
            fresh = Item.objects.select_for_update().get(pk=item.pk)
            if item.kind != Item.Kind.WORK:
                why = Why.CHECK if item.kind == Item.Kind.CHECK else Why.TRAINING
            elif mine:
                why = Why.INTRA
            else:
                why = Why.FIRST if fresh.taken < plan.judgements else Why.INTER
            assignment = _lease(member, item, why, rng, now)
            assignment.expires = now + keep
            assignment.save(update_fields=["expires"])
            return assignment
    except (IntegrityError, _BusyError):
        return None


def offer_again(assignment: Assignment) -> bool:
    """Offer somebody an item again that they skipped."""
    skipped = Assignment.objects.filter(pk=assignment.pk, state=State.SKIPPED)
    with transaction.atomic():
        # Skipped when the lease had run out: it takes a place of its own again.
        skipped.filter(why=Why.LATE).update(why=Why.FIRST)
        return bool(skipped.update(state=State.EXPIRED))


def _lease(
    member: Membership, item: Item, why: Why, rng: Random, now: datetime
) -> Assignment:
    expires = now + _lease_time(member.campaign)
    assignment = _revive(member, item, why, expires)
    if assignment is None:
        assignment = Assignment.objects.create(
            item=item,
            member=member,
            why=why,
            seed=get_task(member.campaign.task).seed(member, item, rng),
            created=now,
            expires=expires,
        )
    if why == Why.FIRST:
        Item.objects.filter(pk=item.pk).update(taken=F("taken") + 1)
    return assignment


def _revive(
    member: Membership, item: Item, why: Why, expires: datetime
) -> Assignment | None:
    """Return the same work if the person had it before, with its draft.

    Regardless of why they get it now, what they did is theirs.
    """
    old = Assignment.objects.filter(
        member=member, item=item, state=State.EXPIRED
    ).order_by("-closed")
    # Not waited for: whoever has the row locked (a late submission) may wait for
    # the item, which is locked here.
    if (assignment := old.first()) is None:
        return None
    held: Assignment | None = lockable(old.filter(pk=assignment.pk), wait=False).first()
    if held is None:
        raise _BusyError
    held.state = State.LEASED
    held.why = why
    held.closed = None
    held.expires = expires
    held.save(update_fields=["state", "why", "closed", "expires"])
    return held


def _lease_time(campaign: Campaign) -> timedelta:
    return timedelta(minutes=Plan.from_json(campaign.plan).lease)


def expire(campaign: Campaign, *, now: datetime | None = None) -> int:
    """Take back leases that ran out, and return how many."""
    if get_task(campaign.task).private:
        return 0
    now = now or timezone.now()
    late = Assignment.objects.filter(
        item__campaign=campaign, state=State.LEASED, expires__lt=now
    )
    if not late.exists():
        return 0
    with transaction.atomic():
        # In the order of items, so that two who do this never wait for each other.
        expired = list(lockable(late.order_by("item", "pk"), wait=False))
        for assignment in expired:
            _close(assignment, State.EXPIRED, now)
    return len(expired)


def release(assignment: Assignment, *, now: datetime | None = None) -> None:
    """Take work back from somebody, for others to do. The draft stays theirs."""
    with transaction.atomic():
        held = _lock(assignment)
        if held is not None and held.state == State.LEASED:
            _close(held, State.EXPIRED, now or timezone.now())


def _close(assignment: Assignment, state: State, now: datetime) -> None:
    assignment.state = state
    assignment.closed = now
    fields = ["state", "closed", "reason", "why", "draft", *_TIMES]
    assignment.save(update_fields=fields)
    if state != State.DONE and assignment.why == Why.FIRST:
        Item.objects.filter(pk=assignment.item_id).update(taken=F("taken") - 1)


def _lock(assignment: Assignment) -> Assignment | None:
    """Return an assignment as it is now, locked; None when it was deleted."""
    held = Assignment.objects.filter(pk=assignment.pk)
    locked: Assignment | None = lockable(
        held.select_related("item__campaign", "member")
    ).first()
    return locked


def save_draft(
    assignment: Assignment,
    draft: Mapping[str, object],
    version: int,
    *,
    now: datetime | None = None,
) -> tuple[int, object]:
    """Keep a draft, renew the lease, and return the version and draft that are kept.

    An older version than the kept one changes nothing: requests overtake each other.

    Raises
    ------
    AlreadyJudgedError
        When the work is done.
    NotLeasedError
        When it was skipped, or deleted with the person.
    DraftError
        When it is longer than any answer, or no text that can be kept.
    """
    if (problem := _unfit(draft)) is not None:
        raise problem
    now = now or timezone.now()
    with transaction.atomic():
        held = _lock(assignment)
        if held is None or held.state == State.SKIPPED:
            raise NotLeasedError(_skipped())
        if held.state == State.DONE:
            raise AlreadyJudgedError(held.judgement.answer)
        if held.state == State.EXPIRED:
            _hold_again(held)
        if held.state == State.LEASED:
            held.expires = now + _lease_time(held.item.campaign)
        if version > held.version:
            held.draft = dict(draft)
            held.version = version
        _count_time(held, now)
        fields = ["draft", "version", "expires", "state", "closed", *_TIMES]
        held.save(update_fields=fields)
        return held.version, held.draft


def _hold_again(held: Assignment) -> None:
    """Give an item back to somebody who is still at work on it, if it is free."""
    campaign, member = held.item.campaign, held.member
    plan = Plan.from_json(campaign.plan)
    idle = campaign.phase != Campaign.Phase.OPEN or member.paused
    busy = member.assignments.filter(state=State.LEASED).exists()
    if idle or busy or not begun(member, plan).filter(pk=held.pk).exists():
        return
    if held.why == Why.FIRST:
        free = Item.objects.filter(pk=held.item_id, taken__lt=plan.judgements)
        if not free.update(taken=F("taken") + 1):
            return
    held.state = State.LEASED
    held.closed = None


def _unfit(answer: object) -> DraftError | None:
    """Return why something cannot be kept in every database, and exported again."""
    if flaw(answer) is not None:
        return DraftError(
            _("This contains characters that cannot be stored. Reload the page.")
        )
    if len(json.dumps(answer, ensure_ascii=False)) > _LONGEST_DRAFT:
        return LongDraftError(_("This is too long to be an answer. Reload the page."))
    return None


def submit(
    assignment: Assignment, answer: object, *, now: datetime | None = None
) -> Judgement:
    """Store an answer, once, and return the judgement.

    Submitting the same answer again returns the judgement that is there.

    Raises
    ------
    AnswerError
        When the answer is incomplete or does not fit the item. The draft stays.
    AlreadyJudgedError
        When another answer was submitted before, as from a second tab.
    NotLeasedError
        When the item was skipped, or deleted with the person.
    """
    now = now or timezone.now()
    with transaction.atomic():
        held = _lock(assignment)
        if held is None or held.state == State.SKIPPED:
            raise NotLeasedError(_skipped())
        if held.state == State.DONE:
            return _repeated(held, answer)
        campaign = held.item.campaign
        task = get_task(campaign.task)
        complete = task.check_submitted(held.item.content, answer, campaign.options)
        if (problem := _unfit(complete)) is not None:
            raise AnswerError(str(problem))
        if held.state == State.EXPIRED and held.why == Why.FIRST:
            _take_late(held)
        held.draft = None
        _count_time(held, now)
        _close(held, State.DONE, now)
        return Judgement.objects.create(
            assignment=held, answer=complete, created=now, seconds=held.spent
        )


def _skipped() -> str:
    return _("This item was skipped. Go on to the next.")


def _repeated(held: Assignment, answer: object) -> Judgement:
    """Return the judgement that is there, if the answer is the same once more."""
    stands = held.judgement
    task = get_task(held.item.campaign.task)
    try:
        options = held.item.campaign.options
        complete = task.check(held.item.content, answer, options)
    except AnswerError:
        raise AlreadyJudgedError(stands.answer) from None
    if _given(task, complete) != _given(task, stands.answer):
        raise AlreadyJudgedError(stands.answer)
    return stands


def _given(task: Task, answer: Mapping[str, object]) -> dict[str, object]:
    """Return an answer without what the page measures: two tabs measure differently."""
    return {name: one for name, one in answer.items() if name not in task.measured}


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
        if held is None or held.state not in (State.LEASED, State.EXPIRED):
            return
        held.reason = _fit(reason)[:500]
        if held.state == State.EXPIRED and held.why == Why.FIRST:
            held.why = Why.LATE  # its place was given back when it expired
        _close(held, State.SKIPPED, now or timezone.now())


def _fit(text: str) -> str:
    """Return a text without characters that databases reject."""
    return text.replace("\0", "").encode(errors="replace").decode()
