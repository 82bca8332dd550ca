# SPDX-License-Identifier: Apache-2.0
"""Judgements in any format that Tertium reads, for items that are there.

Such files do not contain our assignments. A record goes to the item that it names,
or whose segment and systems (or texts) it is about; records of one judge on one item
make one answer. A judgement that is there already, by the same judge with the same
answer, adds nothing, wherever it came from. Judges whose names are not pseudonyms of
ours get some; those without a name are ``unknown-1``, ``unknown-2`` and so on.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone
from django.utils.crypto import salted_hmac

from tertium.campaigns import models
from tertium.campaigns.config import Plan
from tertium.campaigns.exchange.exporting import origins_by_item
from tertium.campaigns.exchange.importing.fields import duration, fits, sensible
from tertium.campaigns.exchange.importing.keeping import (
    Import,
    LineError,
    new_assignment,
)
from tertium.campaigns.models import Campaign, Item, Why
from tertium.campaigns.people.accounts import LETTERS
from tertium.campaigns.tasks import AnswerError
from tertium.campaigns.tasks.base import meta_of
from tertium.campaigns.work.payloads import flaw
from tertium.judgements.formats.format import Numbered
from tertium.judgements.judgement import Bad, Judgement, Ranking

__all__ = ["Records"]

#: Pseudonyms that this program gives out: those of members, and those made here.
_OURS = re.compile(f"[{LETTERS}]{{6}}|x-[{LETTERS}]{{8}}|unknown-[1-9][0-9]{{0,3}}")


@dataclass
class _Group:
    """Records that make one answer."""

    item: Item
    judge: str | None
    time: datetime | None
    line: int
    parts: list[tuple[Hashable, Judgement]] = field(default_factory=list)

    @property
    def names(self) -> set[Hashable]:
        return {name for name, _ in self.parts}


class Records(Import):
    """Puts records, with their lines, into a campaign."""

    def __init__(
        self, campaign: Campaign, format_name: str, records: Iterable[Numbered]
    ) -> None:
        super().__init__(campaign, format_name)
        self.records = records
        self.wanted = Plan.from_json(campaign.plan).judgements

    def all(self) -> None:
        """Place all records, then store the answers that they make."""
        self.origins = origins_by_item(self.campaign.items.all())
        self.by_segment: dict[str, list[Item]] = {}
        for item in self.items.values():
            if item.kind == Item.Kind.WORK:
                self.by_segment.setdefault(item.segment, []).append(item)
        self.there = _KnownJudgements(self.campaign)
        now = timezone.now()
        for group in self._groups():
            try:
                self._store(group, now)
            except (LineError, AnswerError) as error:
                self.report(group.line, error)

    # ----------------------------------------------------------------- placing

    def _groups(self) -> Iterator[_Group]:
        """Yield the answers, in the order in which they begin."""
        by_key: dict[tuple[str, str | None, datetime | None], list[_Group]] = {}
        last: _Group | None = None
        for line, record in self.records:
            if isinstance(record, Bad):
                if not record.skipped:
                    self.report(line, f"{record.reason}; correct it")
                continue
            try:
                item, part = self._place(record)
                time = None if record.time is None else sensible(record.time)
            except (LineError, AnswerError) as error:
                self.report(line, error)
                continue
            several = by_key.setdefault((item.key, record.judge, time), [])
            if self.task.many:
                # Marks follow one another; after others it is a second judgement.
                same = [one for one in several[-1:] if one is last or time is not None]
            else:
                same = [one for one in several if part not in one.names]
            if not same:
                same = [_Group(item, record.judge, time, line)]
                several += same
            last = same[0]
            last.parts.append((part, record))
        groups = [group for several in by_key.values() for group in several]
        yield from sorted(groups, key=lambda group: group.line)

    def _place(self, record: Judgement) -> tuple[Item, Hashable]:
        """Return the item that a record is about, and the part of its answer."""
        takes = self.task.takes
        if takes is None or not isinstance(record, takes):
            kind = type(record).__name__.lower()
            message = (
                f"a {kind} is not an answer to the task {self.task.name!r}; import it "
                "into another campaign"
            )
            raise LineError(message)
        if problem := flaw([*_plain(record)]):
            raise LineError(problem)
        named = self.items.get(str(meta_of(record).get("item", record.segment)))
        if named is not None and record.segment in (named.segment, named.key):
            part = self._part(named, record)
            if part is not None:
                return named, part
        self._same_languages(record)
        fitting = [
            (item, part)
            for item in self.by_segment.get(record.segment, ())
            if not (record.document and item.document)
            or record.document == item.document
            if (part := self._part(item, record)) is not None
        ]
        if len(fitting) == 1:
            return fitting[0]
        what = f"segment {record.segment!r} with {_about(record)}"
        if fitting:
            message = (
                f"{len(fitting)} items have {what}; use tertium-jsonl or parquet, "
                "which name the item"
            )
            raise LineError(message)
        message = (
            f"no item of campaign {self.campaign.name!r} has {what}; load it first, "
            "or omit the line"
        )
        raise LineError(message)

    def _part(self, item: Item, record: Judgement) -> Hashable | None:
        return self.task.part_of(item.content, self.origins.get(item.pk, {}), record)

    def _same_languages(self, record: Judgement) -> None:
        langpair = self.campaign.langpair
        if langpair and record.langpair and record.langpair != langpair:
            message = (
                f"langpair is {record.langpair!r}, and campaign {self.campaign.name!r} "
                f"has {langpair!r}; choose the campaign it belongs to"
            )
            raise LineError(message)

    # ----------------------------------------------------------------- storing

    def _store(self, group: _Group, now: datetime) -> None:
        item, options = group.item, self.campaign.options
        origins = self.origins.get(item.pk, {})
        submitted = self.task.answer_of(item.content, origins, group.parts, options)
        answer = self.task.check(item.content, submitted, options)
        records = [record for _, record in group.parts]
        seconds = duration(self.task.seconds_of(records))
        code = None if group.judge is None else self._pseudonym(group.judge)
        if self.there.take(item, code, group.time, answer):
            self.done.known += 1
            return
        code = code or self.there.nobody(item)
        why = str(meta_of(records[0]).get("why"))
        if why not in Why.values or not fits(why, item.kind):
            why = self._why(item, code)
        self.there.add(item, code)
        time = group.time or now
        member = self.judge(code)
        held = new_assignment(item, member, why, time, uuid.uuid4())
        self.keep(held, answer, time, seconds)

    def _why(self, item: Item, code: str) -> Why:
        """Return what a judgement from elsewhere counts as here."""
        if code in self.there.judges(item):
            return Why.INTRA
        return Why.FIRST if item.taken < self.wanted else Why.INTER

    def _pseudonym(self, judge: str) -> str:
        """Return who a judge is here: themself if pseudonymous, else the same name.

        With the key of the server, so that nobody can try names until one fits.
        """
        if judge in self.members or _OURS.fullmatch(judge):
            return judge
        digest = salted_hmac(
            "tertium.import", f"{self.campaign.name}:{judge}", algorithm="sha256"
        ).digest()
        return "x-" + "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:8])


class _KnownJudgements:
    """The judgements in the database, by item."""

    def __init__(self, campaign: Campaign) -> None:
        self._answers: dict[int, list[tuple[str, datetime, object]]] = {}
        self._judges: dict[int, set[str]] = {}
        for number, code, time, answer in models.Judgement.objects.filter(
            assignment__item__campaign=campaign
        ).values_list(
            "assignment__item", "assignment__member__code", "created", "answer"
        ):
            self._answers.setdefault(number, []).append((code, time, answer))
            self._judges.setdefault(number, set()).add(code)

    def take(
        self, item: Item, code: str | None, time: datetime | None, answer: object
    ) -> bool:
        """Return whether a judgement was there; it stands for one of a file only."""
        several = self._answers.get(item.pk, [])
        for place, (its_code, its_time, its_answer) in enumerate(several):
            if (
                its_answer == answer
                and code in (None, its_code)
                and time in (None, its_time)
            ):
                del several[place]
                return True
        return False

    def judges(self, item: Item) -> set[str]:
        """Return who judged an item, by pseudonym."""
        return self._judges.get(item.pk, set())

    def add(self, item: Item, code: str) -> None:
        """Record somebody who judged an item."""
        self._judges.setdefault(item.pk, set()).add(code)

    def nobody(self, item: Item) -> str:
        """Return a pseudonym of nobody known, who has not judged an item."""
        number, judges = 1, self.judges(item)
        while f"unknown-{number}" in judges:
            number += 1
        return f"unknown-{number}"


def _plain(record: Judgement) -> Iterator[object]:
    """Yield what of a record comes into the database, or into a message."""
    yield from (record.segment, record.judge, record.document, record.meta)


def _about(record: Judgement) -> str:
    """Return a record in words, for a message."""
    if not isinstance(record, Ranking):
        return f"the system {record.system!r}"
    names = [name for place in record.places for name in place.systems]
    if names:
        content = f"the systems {', '.join(names)}"
    else:
        content = f"these {len(record.places)} candidates"
    return content if record.part is None else f"{content} for {record.part!r}"
