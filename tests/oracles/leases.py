# SPDX-License-Identifier: Apache-2.0
"""Who gets which item, as plain lists: the slow twin of ``campaigns/work.py``."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction


@dataclass
class Lease:
    """One item on one person's screen."""

    item: int
    member: int
    why: str
    created: int
    expires: int
    state: str = "leased"
    closed: int | None = None
    version: int = 0
    draft: object = None
    seen: int | None = None
    spent: int = 0

    def work(self, now: int, lease: int, *, page: bool = False) -> None:
        """Count minutes of work up to now; a page says that somebody is back."""
        since = self.seen
        if since is None:
            since = now if page else self.created
        away = now - since > lease
        self.spent += (0 if page else lease) if away else now - since
        self.seen = now


@dataclass
class Model:
    """A campaign; items are numbered in the order of work, times are minutes."""

    items: int
    judgements: int
    intra: Fraction
    inter: Fraction
    lease: int
    lessons: int = 0  # training, numbered after the items
    paused: bool = False
    held: list[Lease] = field(default_factory=list)

    def taken(self, item: int) -> int:
        return sum(
            one.item == item and one.why == "first" and one.state in ("leased", "done")
            for one in self.held
        )

    def open(self, member: int) -> Lease | None:
        leases = [o for o in self.held if o.member == member and o.state == "leased"]
        assert len(leases) <= 1
        return leases[0] if leases else None

    def expire(self, now: int) -> None:
        for one in self.held:
            if one.state == "leased" and one.expires < now:
                one.state, one.closed = "expired", now

    def left(self, member: int, item: int) -> Lease | None:
        """Return what a member had of an item when it was taken from them."""
        leases = [
            one
            for one in self.held
            if (one.member, one.item, one.state) == (member, item, "expired")
        ]
        assert len(leases) <= 1
        return leases[0] if leases else None

    def begun(self, member: int) -> list[Lease]:
        """Return what a member may go on with, the newest first."""
        mine = [one for one in self.held if one.member == member]
        leases = [
            one
            for one in mine
            if one.state == "expired"
            and one.closed >= one.expires
            and (one.why != "first" or self.taken(one.item) < self.judgements)
            and not any(o.item == one.item and o.created > one.created for o in mine)
        ]
        return sorted(leases, key=lambda one: -one.closed)

    def lesson(self, member: int) -> int | None:
        """Return the training item that comes before everything else."""
        over = {
            one.item
            for one in self.held
            if one.member == member and one.state in ("leased", "done", "skipped")
        }
        lessons = range(self.items, self.items + self.lessons)
        return next((item for item in lessons if item not in over), None)

    def pool(self, member: int) -> tuple[str, set[int]] | None:
        """Return why the member gets something new, and what it may be."""
        if (lesson := self.lesson(member)) is not None:
            return "training", {lesson}
        done = [
            one for one in self.held if one.state == "done" and one.why != "training"
        ]
        mine = [one.item for one in done if one.member == member]
        others = {one.item for one in done if one.member != member}
        skipped = {
            one.item
            for one in self.held
            if one.member == member and one.state == "skipped"
        }
        number = len(set(mine))
        if sum(mine.count(i) > 1 for i in set(mine)) < int(self.intra * number):
            once = {item for item in mine if mine.count(item) == 1} - skipped
            if once:
                return "intra", once
        if len(set(mine) & others) < int(self.inter * number):
            new = others - set(mine) - skipped
            if new:
                return "inter", new
        free = [
            item
            for item in range(self.items)
            if self.taken(item) < self.judgements
            and item not in mine
            and item not in skipped
        ]
        back = {
            one.item
            for one in self.held
            if one.member == member
            and one.state == "expired"
            and one.closed < one.expires
        }
        first = [item for item in free if item not in back] or free
        return ("first", {first[0]}) if first else None
