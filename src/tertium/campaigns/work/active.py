# SPDX-License-Identifier: Apache-2.0
"""``order = "active"``: the next item is the one that tells systems apart best.

:mod:`tertium.judgements.planning.systems_next` says from all scores so far which system
needs a judgement most; what is on somebody's screen counts as if it were done. Of this
system the next item in the order of work is taken. Where items show several systems, it
is the best of the next few by the mean priority of their systems.

The choice depends on the database and the seed alone. Every process remembers what it
read: an answer is read once, and a request asks only for what is new. When a person is
deleted, everything is read again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from threading import Lock
from typing import TypeVar

from django.db.models import Count, Max, QuerySet

from tertium.campaigns.config import Plan
from tertium.campaigns.models import (
    Assignment,
    Campaign,
    Item,
    Judgement,
    Origin,
    State,
    Why,
)
from tertium.campaigns.tasks import get_task
from tertium.campaigns.tasks.testsets import digest
from tertium.campaigns.work.pools import take
from tertium.judgements.planning.systems_next import Scores, Tally, priorities

__all__ = ["most_telling", "scores_so_far"]

_FEW = 25  # items of a system that are looked at
_KEPT = 50  # campaigns that are remembered
_BATCH = 500  # items of a query
_LATE = 100  # numbers by which a judgement may come after a later one
_Key = TypeVar("_Key")
_SCORED = (Why.FIRST, Why.INTER, Why.LATE)  # neither repeats nor checks nor training


@dataclass
class _Memory:
    """What a process knows of a campaign."""

    lock: Lock = field(default_factory=Lock)
    scores: Scores = field(default_factory=Scores)
    tallies: dict[str, Tally] = field(default_factory=dict)
    numbers: set[int] = field(default_factory=set)  # of judgements that were read
    people: set[int] = field(default_factory=set)
    last: int = 0  # up to which all were read
    systems: list[str] = field(default_factory=list)
    newest: int = 0  # item whose systems are known
    returns: tuple[object, ...] = ()  # changes if an item may be free again
    exhausted: set[str] = field(default_factory=set)  # until then

    def forget(self) -> None:
        """Forget scores, and who has nothing left."""
        self.scores, self.tallies, self.numbers = Scores(), {}, set()
        self.last, self.exhausted = 0, set()


_remembered: dict[tuple[int, str], _Memory] = {}
_lock = Lock()


def _memory(campaign: Campaign) -> _Memory:
    with _lock:
        memory = _remembered.setdefault((campaign.pk, str(campaign.created)), _Memory())
        while len(_remembered) > _KEPT:
            del _remembered[next(iter(_remembered))]
        return memory


def most_telling(campaign: Campaign, work: QuerySet[Item], plan: Plan) -> Item | None:
    """Return the free item of most use, locked; None when none is free.

    Parameters
    ----------
    work : query of Item
        What somebody may get.
    """
    memory = _memory(campaign)
    tallies = scores_so_far(campaign)
    with memory.lock:
        tallies = {name: Tally() for name in _systems(memory, campaign)} | tallies
        spent = _exhausted(memory, campaign, plan)
        exhausted = set(spent)
    pending = _pending(campaign)
    free = work.filter(taken__lt=plan.judgements)
    while len(exhausted) < len(tallies):
        worth = priorities(
            tallies, pending=pending, exhausted=exhausted, floor=plan.floor
        )
        best = max(worth, key=lambda name: (worth[name], _lot(campaign, name)))
        busy: list[int] = []
        while candidates := _few(free.exclude(pk__in=busy), best):
            number = _best(candidates, worth)
            item = take(Item.objects.filter(pk=number), plan, wait=False)
            if item is not None:
                return item
            busy.append(number)
        if busy:
            # All of it is in others' hands at this moment: wait for what they do.
            item = take(free.filter(pk__in=busy), plan, wait=True)
            if item is not None:
                return item
        elif not _left(campaign, plan, best).exists():
            spent.add(best)
        exhausted.add(best)
    return None


def _left(campaign: Campaign, plan: Plan, system: str) -> QuerySet[Item]:
    """Return the free items of a system, whoever asks."""
    return Item.objects.filter(
        campaign=campaign,
        kind=Item.Kind.WORK,
        taken__lt=plan.judgements,
        origins__system=system,
    )


def _exhausted(memory: _Memory, campaign: Campaign, plan: Plan) -> set[str]:
    """Return the systems without free items; more are to be added.

    Items become free when they are loaded, when work ends without an answer, or when a
    person is deleted; else nobody has to look for them again.
    """
    ended = Assignment.objects.filter(
        member__campaign=campaign, state__in=[State.EXPIRED, State.SKIPPED]
    ).aggregate(number=Count("pk"), last=Max("closed"))
    returns = (memory.newest, plan.judgements, *ended.values())
    if returns != memory.returns:
        memory.returns, memory.exhausted = returns, set()
    return memory.exhausted


def _lot(campaign: Campaign, name: str) -> str:
    """Return what decides between equal systems: neither name nor order of a file."""
    return digest(str(campaign.seed), name)


def _systems(memory: _Memory, campaign: Campaign) -> list[str]:
    """Return the systems of a campaign; they change when items are added."""
    items = Item.objects.filter(campaign=campaign).order_by("-pk")
    newest = items.values_list("pk", flat=True).first() or 0
    if newest != memory.newest:
        rows = Origin.objects.filter(
            item__campaign=campaign, item__kind=Item.Kind.WORK
        ).values_list("system", flat=True)
        memory.newest, memory.systems = newest, sorted(rows.distinct())
    return memory.systems


def _pending(campaign: Campaign) -> Counter[str]:
    """Return how many judgements of every system are under way."""
    held = Assignment.objects.filter(
        member__campaign=campaign, state=State.LEASED, why=Why.FIRST
    )
    items = list(held.values_list("item", flat=True))
    return Counter(name for _, _, name in _origins(items))


def _origins(items: list[int]) -> Iterator[tuple[int, str, str]]:
    """Yield item, candidate and system."""
    for some in _batches(items):
        rows = Origin.objects.filter(item__in=some).order_by("pk")
        yield from rows.values_list("item", "candidate", "system")


def _batches(keys: Sequence[_Key]) -> Iterator[Sequence[_Key]]:
    """Yield as many keys at a time as a query may have."""
    for start in range(0, len(keys), _BATCH):
        yield keys[start : start + _BATCH]


def _few(free: QuerySet[Item], system: str) -> dict[int, list[str]]:
    """Return the next items of a system with all their systems.

    What was judged least comes first, and within that the order of work.
    """
    numbers = list(
        free.filter(origins__system=system)
        .order_by("taken", "position")
        .values_list("pk", flat=True)[:_FEW]
    )
    items: dict[int, list[str]] = {number: [] for number in dict.fromkeys(numbers)}
    for number, _, name in _origins(list(items)):
        items[number].append(name)
    return items


def _best(items: dict[int, list[str]], worth: dict[str, float]) -> int:
    """Return the item whose systems need judgements most; of equal ones the first."""
    # Exhausted systems are worth nothing; in the first round, all have fewer than 0.
    least = min(worth.values())
    return max(
        items, key=lambda one: fmean(worth.get(name, least) for name in items[one])
    )


def scores_so_far(campaign: Campaign) -> dict[str, Tally]:
    """Return scores by system, adjusted for the text, without repeats and checks."""
    memory = _memory(campaign)
    with memory.lock:
        people = set(campaign.members.values_list("pk", flat=True))
        if memory.people - people:  # their judgements were deleted, too
            memory.forget()
        memory.people = people
        last = Judgement.objects.aggregate(last=Max("pk"))["last"] or 0
        if fresh := _numbers(campaign, memory) - memory.numbers:
            _add(memory, campaign, sorted(fresh))
        memory.last = last
        return dict(memory.tallies)


def _numbers(campaign: Campaign, memory: _Memory) -> set[int]:
    """Return the numbers of judgements that have scores, if not all then new ones."""
    if not memory.last:
        scored = Assignment.objects.filter(
            member__campaign=campaign, state=State.DONE, why__in=_SCORED
        )
        rows = Judgement.objects.filter(assignment__in=scored)
        return set(rows.values_list("pk", flat=True))
    # One table after the other: a join would begin with all that people did.
    rows = Judgement.objects.filter(pk__gt=memory.last - _LATE)
    number_of = {held: pk for pk, held in rows.values_list("pk", "assignment")}
    fields = ("pk", "member", "state", "why")
    return {
        number_of[held]
        for some in _batches(list(number_of))
        for held, member, state, why in Assignment.objects.filter(
            pk__in=some
        ).values_list(*fields)
        if member in memory.people and state == State.DONE and why in _SCORED
    }


def _add(memory: _Memory, campaign: Campaign, numbers: list[int]) -> None:
    """Add the scores of judgements."""
    task = get_task(campaign.task)
    fields = ("assignment__item", "answer")
    places = ("assignment__item__document", "assignment__item__segment")
    for some in _batches(numbers):
        judgements = Judgement.objects.filter(pk__in=some).order_by("pk")
        rows = list(judgements.values_list(*fields, *places))
        systems: dict[tuple[int, str], list[str]] = {}
        for item, candidate, system in _origins(sorted({row[0] for row in rows})):
            systems.setdefault((item, candidate), []).append(system)
        for item, answer, document, segment in rows:
            for candidate, score in task.value(answer, campaign.options).items():
                for system in sorted(systems.get((item, candidate), ())):
                    memory.scores.add(system, f"{document}\n{segment}", score)
        memory.numbers.update(some)
    memory.tallies = memory.scores.tallies()
