# SPDX-License-Identifier: Apache-2.0
"""Which item somebody gets next: the pools to sample from.

Counting and drawing are done by the database over indexes; no list of items comes
here, so that a campaign of 100,000 items answers as quickly as one of a hundred.
"""

from __future__ import annotations

from random import Random
from typing import Any

from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery

from tertium.campaigns.config import Plan
from tertium.campaigns.models import Assignment, Item, Membership, State, Why
from tertium.campaigns.work.sampling import Counts, due

__all__ = ["begun", "choose", "counts", "lockable", "offered", "take"]

_BLIND = 50


def lockable(rows: QuerySet[Any], *, wait: bool = True) -> QuerySet[Any]:
    """Return rows to be locked where the database can; SQLite's writers take turns.

    Parameters
    ----------
    wait : bool
        False: rows that somebody else has locked are passed over.
    """
    if not connection.features.has_select_for_update_skip_locked:
        return rows
    return rows.select_for_update(skip_locked=not wait, of=("self",))


def choose(member: Membership, rng: Random) -> tuple[Item, Why] | None:
    """Return the next item of somebody by the campaign's plan, and why.

    Training comes before all work. Then comes what they had begun when its lease ran
    out, if it is still free. When all else is taken, they may judge what others judged,
    while the plan has extra judgements of it.
    """
    if (lesson := _lesson(member)) is not None:
        return lesson, Why.TRAINING
    plan = Plan.from_json(member.campaign.plan)
    if (begun := _begun(member, plan)) is not None:
        return begun
    for why in due(plan, _counts(member, plan)):
        item = _draw(member, Why(why), plan, rng)
        if item is not None:
            return item, Why(why)
    item = _extra(member, plan, rng)
    return None if item is None else (item, Why.INTER)


def _lesson(member: Membership) -> Item | None:
    """Return the next training item of somebody."""
    seen = _mine(member, State.LEASED, State.DONE, State.SKIPPED)
    items = Item.objects.filter(
        ~Exists(seen), campaign=member.campaign_id, kind=Item.Kind.TRAINING
    )
    return items.select_related("campaign").order_by("position").first()


def counts(member: Membership) -> Counts:
    """Return how many items somebody judged, and how many of them again."""
    return _counts(member, None)


def _counts(member: Membership, plan: Plan | None) -> Counts:
    """Return the counts; with a plan, none that cannot matter to it."""
    done = _done(member)
    # By the reason, which is in the index; the kinds of items are not.
    work = done.exclude(why__in=[Why.CHECK, Why.TRAINING])
    times = work.values("item").annotate(n=Count("pk"))
    counts = times.aggregate(mine=Count("item"), again=Count("item", Q(n__gt=1)))
    mine, shared, checks = counts["mine"], 0, 0
    if plan is None or plan.inter * mine >= 0.5:
        both = work.filter(Exists(_judged_by_others(member, "item")))
        shared = both.values("item").distinct().count()
    if plan is None or plan.checks:
        checks = done.filter(why=Why.CHECK).count()
    return Counts(mine=mine, again=counts["again"], shared=shared, checks=checks)


def _done(member: Membership) -> QuerySet[Assignment]:
    return Assignment.objects.filter(member=member, state=State.DONE)


def _judged_by_others(member: Membership, item: str) -> QuerySet[Assignment]:
    held = Assignment.objects.filter(item=OuterRef(item), state=State.DONE)
    return held.exclude(member=member)


def _mine(member: Membership, *states: State) -> QuerySet[Assignment]:
    """Return what somebody has of the item in an outer query."""
    held = Assignment.objects.filter(item=OuterRef("pk"), member=member)
    return held.filter(state__in=states)


def begun(member: Membership, plan: Plan) -> QuerySet[Assignment]:
    """Return what somebody had begun, unless others have it or it was taken back."""
    newer = Assignment.objects.filter(
        item=OuterRef("item"), member=member, created__gt=OuterRef("created")
    )
    return (
        Assignment.objects.filter(member=member, state=State.EXPIRED)
        .filter(closed__gte=F("expires"))  # else a manager took it back before
        .filter(~Q(why=Why.FIRST) | Q(item__taken__lt=plan.judgements))
        .filter(~Exists(newer))
        .order_by("-closed", "pk")
    )


def _begun(member: Membership, plan: Plan) -> tuple[Item, Why] | None:
    """Return an item that somebody had begun and may go on with."""
    for assignment in begun(member, plan):
        why = Why(assignment.why)
        items = Item.objects.select_related("campaign").filter(pk=assignment.item_id)
        if why == Why.FIRST:
            free = items.filter(taken__lt=plan.judgements)
            items = lockable(free, wait=False)
        if (item := items.first()) is not None:
            return item, why
    return None


def _draw(member: Membership, why: Why, plan: Plan, rng: Random) -> Item | None:
    if why == Why.FIRST:
        return _first(member, plan)
    if why == Why.INTRA:
        # What was skipped at its second showing is not forced upon anybody.
        skipped = Assignment.objects.filter(
            item=OuterRef("item"), member=member, state=State.SKIPPED
        )
        once = (
            _done(member)
            .filter(~Exists(skipped))
            .exclude(why__in=[Why.CHECK, Why.TRAINING])
            .values("item")
            .annotate(n=Count("pk"))
            .filter(n=1)
            .order_by("item")
        )
        return _pick(once.values_list("item", flat=True), rng)
    seen = _mine(member, State.LEASED, State.DONE, State.SKIPPED)
    items = Item.objects.filter(~Exists(seen), campaign=member.campaign_id)
    if why == Why.INTER:
        return _judged_only_by_others(member, items, rng)
    # A check shows its twin again, damaged: only those who know the twin. Some have
    # none, as their answer is known in another way.
    known = _done(member).filter(item=OuterRef("base"))
    alone = Q(base__isnull=True)
    pool = items.filter(alone | Q(Exists(known)), kind=Item.Kind.CHECK)
    return _pick(pool.order_by("pk").values_list("pk", flat=True), rng)


def _judged_only_by_others(
    member: Membership, items: QuerySet[Item], rng: Random
) -> Item | None:
    """Return any item that only others judged, all with the same chance.

    Where such items are many, one of a few sampled blindly is among them; where they
    are few, they are soon counted. Neither looks at all items of the campaign.
    """
    pool = items.filter(Exists(_judged_by_others(member, "pk")), kind=Item.Kind.WORK)
    if (hit := _blindly(member, pool, rng)) is not None:
        return hit
    mine = Assignment.objects.filter(item=OuterRef("item"), member=member)
    few = (
        Assignment.objects.filter(member__campaign=member.campaign_id, state=State.DONE)
        .exclude(member=member)
        .exclude(why__in=[Why.CHECK, Why.TRAINING])
        .filter(~Exists(mine.exclude(state=State.EXPIRED)))
    )
    return _pick(few.order_by("item").values_list("item", flat=True).distinct(), rng)


def _blindly(member: Membership, pool: QuerySet[Item], rng: Random) -> Item | None:
    """Return one of a few items sampled from the campaign, if it is in a pool."""
    numbers = Item.objects.filter(campaign=member.campaign_id).values_list(
        "pk", flat=True
    )
    first = numbers.order_by("pk").first()
    last = numbers.order_by("-pk").first()
    if first is None or last is None:
        return None
    blind = [rng.randint(first, last) for _ in range(_BLIND)]
    items = pool.select_related("campaign").in_bulk(blind)
    return next((items[number] for number in blind if number in items), None)


def offered(member: Membership, plan: Plan) -> QuerySet[Item]:
    """Return what others judged and somebody else may judge too, by the plan."""
    seen = _mine(member, State.LEASED, State.DONE, State.SKIPPED)
    hands = (
        Assignment.objects.filter(
            item=OuterRef("pk"), state__in=[State.LEASED, State.DONE]
        )
        .order_by()
        .values("item")
        .annotate(n=Count("member", distinct=True))
        .values("n")
    )
    items = Item.objects.filter(
        ~Exists(seen),
        Exists(_judged_by_others(member, "pk")),
        campaign=member.campaign_id,
        kind=Item.Kind.WORK,
    )
    most = plan.judgements + plan.extra
    return items.alias(hands=Subquery(hands)).filter(hands__lt=most)


def _extra(member: Membership, plan: Plan, rng: Random) -> Item | None:
    """Return an item to be judged once more, while that is wanted."""
    pool = offered(member, plan) if plan.extra else Item.objects.none()
    for _again in range(_BLIND):
        item = _blindly(member, pool, rng)
        if item is None:
            item = _pick(pool.order_by("pk").values_list("pk", flat=True), rng)
        if item is None:
            return None
        # Two who draw the same item at once take turns, and the second looks again.
        lockable(Item.objects.filter(pk=item.pk)).first()
        if pool.filter(pk=item.pk).exists():
            return item
    return None


def _pick(pool: QuerySet[Any, int], rng: Random) -> Item | None:
    number = pool.count()
    if not number:
        return None
    place = rng.randrange(number)
    # None, if another's deletion has made the pool smaller in between.
    items = Item.objects.select_related("campaign")
    return next((items.get(pk=one) for one in pool[place : place + 1]), None)


def _first(member: Membership, plan: Plan) -> Item | None:
    """Return the first free item in the order of work, locked."""
    seen = _mine(member, State.LEASED, State.DONE, State.SKIPPED)
    # What a manager took back from somebody is for others, while there is more.
    back = _mine(member, State.EXPIRED).filter(closed__lt=F("expires"))
    work = Item.objects.filter(campaign=member.campaign_id, kind=Item.Kind.WORK)
    work = work.filter(~Exists(seen))
    if plan.order == "active":
        from tertium.campaigns.work.active import most_telling

        fresh = most_telling(member.campaign, work.filter(~Exists(back)), plan)
        return fresh or most_telling(member.campaign, work, plan)
    return _free(work.filter(~Exists(back)), plan) or _free(work, plan)


def _free(work: QuerySet[Item], plan: Plan) -> Item | None:
    busy: list[int] = []
    while (number := _next_free(work, busy, plan)) is not None:
        if (item := take(Item.objects.filter(pk=number), plan, wait=False)) is None:
            busy.append(number)
            continue
        return item
    # All that is left is in others' hands at this moment: wait for what they do.
    return take(work.filter(pk__in=busy), plan, wait=True) if busy else None


def _next_free(work: QuerySet[Item], busy: list[int], plan: Plan) -> int | None:
    if busy:
        work = work.exclude(pk__in=busy)
    # One probe of the index (taken, position) for every number of judgements: a
    # range of `taken` would have to be sorted by position.
    candidates = [
        work.filter(taken=taken).order_by("position").values_list("position", "pk")[:1]
        for taken in range(plan.judgements)
    ]
    first = min((row for rows in candidates for row in rows), default=None)
    return None if first is None else first[1]


def take(items: QuerySet[Item], plan: Plan, *, wait: bool) -> Item | None:
    """Return the first item that is free, locked.

    Parameters
    ----------
    wait : bool
        Whether to wait for others who have it locked, or to pass it over.
    """
    free = items.filter(taken__lt=plan.judgements).select_related("campaign")
    item: Item | None = lockable(free.order_by("position"), wait=wait).first()
    return item
