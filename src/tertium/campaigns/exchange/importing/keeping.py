# SPDX-License-Identifier: Apache-2.0
"""What imports put into the database, and what they report."""

from __future__ import annotations

import secrets
import uuid
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.db.models import F

from tertium.campaigns.models import (
    Assignment,
    Campaign,
    Event,
    Item,
    Judgement,
    Membership,
    Person,
    Role,
    State,
    Why,
)
from tertium.campaigns.tasks import Task, get_task
from tertium.errors import InputError

__all__ = [
    "GROUP",
    "BadLine",
    "Import",
    "Imported",
    "LineError",
    "new_assignment",
]

#: The group of judges who came with a file.
GROUP = "imported"
_BATCH = 500  # rows written at once
_MOST_BAD = 1000  # bad lines that are reported one by one


@dataclass(frozen=True)
class BadLine:
    """A line that cannot be stored, and why."""

    line: int
    reason: str


@dataclass
class Imported:
    """What an import did, or would have done if all lines were good.

    Parameters
    ----------
    added, known : int
        Judgements that are new, and those that were there.
    items, judges : int
        Items and judges that came with them.
    bad : list of BadLine
        The first 1000 lines that cannot be stored.
    wrong : int
        How many there are in all.
    stored : bool
        Whether anything was changed.
    """

    added: int = 0
    known: int = 0
    items: int = 0
    judges: int = 0
    bad: list[BadLine] = field(default_factory=list)
    wrong: int = 0
    stored: bool = False


class LineError(InputError):
    """What is wrong with a line."""


class _UndoError(Exception):
    """Nothing of this import is to stay."""


class Import(ABC):
    """One import into one campaign.

    Parameters
    ----------
    format_name : str
        The format of the file, for the log.
    """

    def __init__(self, campaign: Campaign, format_name: str) -> None:
        self.campaign = campaign
        self.format_name = format_name
        self.task: Task = get_task(campaign.task)
        self.done = Imported()
        self.items: dict[str, Item] = {}
        self.members: dict[str, Membership] = {}
        #: What is kept and not yet in the database: work that is new, by its key.
        self.waiting: dict[uuid.UUID, Assignment] = {}
        self._judgements: list[Judgement] = []
        self._taken: Counter[int] = Counter()

    def run(self, *, skip_bad: bool, actor: str) -> Imported:
        """Store everything, or nothing if a line is bad and none may be left out."""
        try:
            with transaction.atomic():
                # One import at a time: the next one sees what this one added.
                Campaign.objects.select_for_update().get(pk=self.campaign.pk)
                self.items = {item.key: item for item in self.campaign.items.all()}
                self.members = {one.code: one for one in self.campaign.members.all()}
                self.all()
                self._write()
                if self.done.wrong and not skip_bad:
                    raise _UndoError
                self.done.stored = True
                Event.objects.create(
                    campaign=self.campaign,
                    actor=actor,
                    action="import",
                    detail={
                        "format": self.format_name,
                        "added": self.done.added,
                        "bad": self.done.wrong,
                    },
                )
        except _UndoError:
            pass
        return self.done

    @abstractmethod
    def all(self) -> None:
        """Store what is good, and report what is bad."""

    def report(self, line: int, reason: object) -> None:
        """Record a line that cannot be stored."""
        self.done.wrong += 1
        if len(self.done.bad) < _MOST_BAD:
            self.done.bad.append(BadLine(line, str(reason)))

    def judge(self, code: str) -> Membership:
        """Return the member of a pseudonym, a new one if there is none."""
        if code not in self.members:
            person = Person(name=f"imported-{secrets.token_hex(8)}")
            person.set_unusable_password()  # and no link: nobody can be them
            person.save()
            self.members[code] = Membership.objects.create(
                campaign=self.campaign,
                person=person,
                role=Role.ANNOTATOR,
                code=code,
                group=GROUP,
            )
            self.done.judges += 1
        return self.members[code]

    def keep(
        self,
        assignment: Assignment,
        answer: Mapping[str, object],
        time: datetime,
        seconds: float | None,
    ) -> None:
        """Store a judgement; the assignment may be new, or was never finished."""
        assignment.state = State.DONE
        assignment.draft = None
        assignment.closed = time
        if assignment._state.adding:
            self.waiting[assignment.pk] = assignment
        else:
            assignment.save()
        if assignment.why == Why.FIRST:
            self.take(assignment.item, 1)
        self._judgements.append(
            Judgement(
                assignment=assignment, answer=answer, created=time, seconds=seconds
            )
        )
        self.done.added += 1
        if len(self._judgements) >= _BATCH:
            self._write()

    def take(self, item: Item, by: int) -> None:
        """Count first judgements of an item."""
        self._taken[item.pk] += by
        item.taken += by

    def _write(self) -> None:
        """Put what is kept into the database, many rows at a time."""
        Assignment.objects.bulk_create(self.waiting.values(), batch_size=_BATCH)
        Judgement.objects.bulk_create(self._judgements, batch_size=_BATCH)
        by_number: dict[int, list[int]] = {}
        for key, number in self._taken.items():
            by_number.setdefault(number, []).append(key)
        for number, keys in by_number.items():
            # Others may take items while this runs.
            Item.objects.filter(pk__in=keys).update(taken=F("taken") + number)
        self.waiting.clear()
        self._judgements.clear()
        self._taken.clear()


def new_assignment(
    item: Item, member: Membership, why: str, time: datetime, key: uuid.UUID
) -> Assignment:
    """Return work that was handed out elsewhere; it is not stored yet."""
    return Assignment(
        id=key,
        item=item,
        member=member,
        why=why,
        seed=0,
        created=time,
        opened=time,
        expires=time,
    )
