# SPDX-License-Identifier: Apache-2.0
"""Answers from another server: the lines that ``answers`` exports.

A line holds everything of an answer, so items, systems and judges (under their
pseudonyms) come with it. A line that is there already adds nothing. All lines go in
or none, unless bad ones are to be left out; every bad one is reported by its number.
"""

from __future__ import annotations

import math
import re
import secrets
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from random import Random

from django.db import transaction
from django.db.models import F

from tertium.campaigns.exporting import VERSION
from tertium.campaigns.models import (
    Assignment,
    Campaign,
    Event,
    Item,
    Judgement,
    Membership,
    Origin,
    Person,
    Role,
    State,
    Why,
)
from tertium.campaigns.payloads import PayloadError, read_json
from tertium.campaigns.tasks import AnswerError, Judged, Task, get_task
from tertium.errors import InputError

__all__ = ["BadLine", "Imported", "import_answers"]

_LONGEST = 1_000_000  # bytes of a line
_MOST_BAD = 1000  # bad lines that are told one by one
_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,11}")
_LONGEST_TIME = 10 * 365 * 86400.0  # seconds at one item


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
        Answers that are new, and those that were there.
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


class _LineError(InputError):
    """What is wrong with a line."""


class _UndoError(Exception):
    """Nothing of this import is to stay."""


def import_answers(
    campaign: Campaign,
    lines: Iterable[bytes],
    *,
    skip_bad: bool = False,
    actor: str = "cli",
) -> Imported:
    """Put answers into a campaign, and return what came of it.

    Parameters
    ----------
    lines : iterable of bytes
        As ``tertium campaign export --format answers`` writes them.
    skip_bad : bool
        Store the good lines though there are bad ones. By default one bad line
        keeps all of them out.
    actor : str
        Who does it, for the log.
    """
    work = _Import(campaign)
    try:
        with transaction.atomic():
            # One import at a time: the next one sees what this one added.
            Campaign.objects.select_for_update().get(pk=campaign.pk)
            work.all(lines)
            if work.done.wrong and not skip_bad:
                raise _UndoError
            work.done.stored = True
            detail = {"added": work.done.added, "bad": work.done.wrong}
            Event.objects.create(
                campaign=campaign, actor=actor, action="import", detail=detail
            )
    except _UndoError:
        pass
    return work.done


class _Import:
    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.task: Task = get_task(campaign.task)
        self.done = Imported()
        self.items: dict[str, Item] = {}
        self.members: dict[str, Membership] = {}

    def all(self, lines: Iterable[bytes]) -> None:
        self.items = {item.key: item for item in self.campaign.items.all()}
        self.members = {member.code: member for member in self.campaign.members.all()}
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                self.one(line)
            except (_LineError, PayloadError, AnswerError) as error:
                self.done.wrong += 1
                if len(self.done.bad) < _MOST_BAD:
                    self.done.bad.append(BadLine(number, str(error)))

    def one(self, line: bytes) -> None:
        if len(line) > _LONGEST:
            raise _LineError(f"the line is longer than {_LONGEST} bytes; shorten it")
        said = read_json(line.removeprefix(b"\xef\xbb\xbf"))
        if not isinstance(said, dict) or said.get("tertium-answers") != VERSION:
            message = (
                f'no answer: "tertium-answers": {VERSION} is missing; give what '
                "`tertium campaign export --format answers` writes"
            )
            raise _LineError(message)
        self._same_campaign(said)
        code = _code(said)
        known = self.items.get(_text(said, "item", 200))
        item = known or self._new_item(said)
        if known is not None and known.content != said.get("content", known.content):
            message = (
                f"item {known.key!r} says something else here; this is an answer to "
                "another item: load it under another name"
            )
            raise _LineError(message)
        answer = self._answer(item, said, code)
        why = _choice(said, "why", Why.values)
        time, seconds = _time(said), _seconds(said)
        key = self._key(said, item, code)
        if self._is_known(key, item, code, answer):
            return
        if known is None:
            self._keep_item(item, said)
        member = self.members.get(code) or self._new_judge(code)
        if why == Why.FIRST:
            Item.objects.filter(pk=item.pk).update(taken=F("taken") + 1)
        assignment = Assignment.objects.create(
            id=key,
            item=item,
            member=member,
            why=why,
            state=State.DONE,
            seed=0,
            created=time,
            opened=time,
            expires=time,
            closed=time,
        )
        Judgement.objects.create(
            assignment=assignment, answer=answer, created=time, seconds=seconds
        )
        self.done.added += 1

    def _same_campaign(self, said: Mapping[str, object]) -> None:
        # The name may differ: a campaign can be called something else elsewhere.
        for name, own in (
            ("task", self.campaign.task),
            ("langpair", self.campaign.langpair),
        ):
            if said.get(name) != own:
                message = (
                    f"{name} is {said.get(name)!r}, and that of campaign "
                    f"{self.campaign.name!r} is {own!r}; choose the campaign it "
                    "belongs to"
                )
                raise _LineError(message)

    def _new_item(self, said: Mapping[str, object]) -> Item:
        content, meta = said.get("content"), said.get("meta", {})
        if not isinstance(content, dict) or not isinstance(meta, dict):
            raise _LineError("content and meta must be objects; export them again")
        return Item(
            campaign=self.campaign,
            key=_text(said, "item", 200),
            kind=_choice(said, "kind", Item.Kind.values),
            segment=_text(said, "segment", 200),
            document=_text(said, "document", 200, empty=True),
            content=content,
            meta=meta,
            base=self.items.get(str(said.get("base"))),
            position=len(self.items),
        )

    def _answer(
        self, item: Item, said: Mapping[str, object], code: str
    ) -> dict[str, object]:
        """Return the answer as the task stores it."""
        options = self.campaign.options
        try:
            answer = self.task.check(item.content, said.get("answer"), options)
            if item.pk is None:
                # Tasks trust what they loaded themselves. Here it comes from
                # elsewhere: try all that will be done with it.
                self.task.page(item.content, options, Random(0))
                list(self.task.records(self._judged(item, said, answer, code)))
        except (AnswerError, _LineError):
            raise
        except Exception:  # whatever a task stumbles over
            message = f"the content does not fit the task {self.campaign.task!r}"
            raise _LineError(f"{message}; export it again") from None
        return answer

    def _judged(
        self,
        item: Item,
        said: Mapping[str, object],
        answer: Mapping[str, object],
        code: str,
    ) -> Judged:
        return Judged(
            item=item.key,
            segment=item.segment,
            document=item.document,
            content=item.content,
            origins=_origins(said),
            answer=answer,
            judge=code,
            campaign=self.campaign.name,
            langpair=self.campaign.langpair,
            time=_time(said),
            seconds=_seconds(said),
            why=str(said.get("why")),
            kind=item.kind,
            meta=item.meta,
        )

    def _key(self, said: Mapping[str, object], item: Item, code: str) -> uuid.UUID:
        """Return the identity of an answer, which is the same at every import."""
        given = said.get("id")
        if given is None:
            name = f"{self.campaign.name}:{item.key}:{code}:{said.get('time')}"
            return uuid.uuid5(uuid.NAMESPACE_URL, name)
        try:
            key = uuid.UUID(str(given))
        except ValueError:
            message = f"id {str(given)[:60]!r} is none; leave it as it was exported"
            raise _LineError(message) from None
        elsewhere = Assignment.objects.filter(pk=key).exclude(
            item__campaign=self.campaign
        )
        if elsewhere.exists():  # a copy of a campaign beside the campaign
            return uuid.uuid5(uuid.NAMESPACE_URL, f"{self.campaign.name}:{key}")
        return key

    def _is_known(
        self, key: uuid.UUID, item: Item, code: str, answer: Mapping[str, object]
    ) -> bool:
        held = (
            Assignment.objects.select_related("item", "member", "judgement")
            .filter(pk=key)
            .first()
        )
        if held is None:
            return False
        judgement = getattr(held, "judgement", None)
        if (
            judgement is None
            or held.item.key != item.key
            or held.member.code != code
            or judgement.answer != answer
        ):
            message = (
                f"answer {key} is there and says something else; judgements are "
                "never changed"
            )
            raise _LineError(message)
        self.done.known += 1
        return True

    def _keep_item(self, item: Item, said: Mapping[str, object]) -> None:
        origins = _origins(said)
        item.save()
        Origin.objects.bulk_create(
            Origin(item=item, candidate=candidate, system=system)
            for candidate, systems in origins.items()
            for system in systems
        )
        self.items[item.key] = item
        self.done.items += 1

    def _new_judge(self, code: str) -> Membership:
        person = Person(name=f"imported-{secrets.token_hex(8)}")
        person.set_unusable_password()  # and no link: nobody can be them
        person.save()
        member = Membership.objects.create(
            campaign=self.campaign,
            person=person,
            role=Role.ANNOTATOR,
            code=code,
            group="imported",
        )
        self.members[code] = member
        self.done.judges += 1
        return member


def _text(
    said: Mapping[str, object], name: str, most: int, *, empty: bool = False
) -> str:
    found = said.get(name, "" if empty else None)
    if not isinstance(found, str) or len(found) > most or not (found or empty):
        raise _LineError(f"{name} must be a text of {most} characters or less")
    return found


def _choice(said: Mapping[str, object], name: str, choices: Iterable[str]) -> str:
    found = said.get(name)
    names = list(choices)
    if not isinstance(found, str) or found not in names:
        raise _LineError(f"{name} must be one of {', '.join(names)}")
    return found


def _code(said: Mapping[str, object]) -> str:
    found = said.get("judge")
    if not isinstance(found, str) or not _CODE.fullmatch(found):
        message = "judge must be a pseudonym: up to 12 letters, digits, dots, hyphens"
        raise _LineError(message)
    return found


def _time(said: Mapping[str, object]) -> datetime:
    try:
        found = datetime.fromisoformat(str(said.get("time")))
    except ValueError:
        message = "time must be as 2026-01-31T12:00:00+00:00"
        raise _LineError(message) from None
    if found.tzinfo is None:
        found = found.replace(tzinfo=timezone.utc)
    if not 1970 < found.year < 2200:
        raise _LineError(f"time {found.isoformat()} is of another age; correct it")
    return found.astimezone(timezone.utc)


def _seconds(said: Mapping[str, object]) -> float:
    found = said.get("seconds")
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise _LineError("seconds must be a number")
    if not math.isfinite(found) or not 0 <= found <= _LONGEST_TIME:
        raise _LineError("seconds must be 0 or more, and less than ten years")
    return float(found)


def _origins(said: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    found = said.get("systems", {})
    if not isinstance(found, dict):
        raise _LineError("systems must be an object; export them again")
    origins = {}
    for candidate, systems in found.items():
        if (
            len(candidate) > 40
            or not isinstance(systems, list)
            or not all(isinstance(s, str) and 0 < len(s) <= 200 for s in systems)
        ):
            message = (
                "systems must be lists of names of 200 characters or less, by "
                "candidate; export them again"
            )
            raise _LineError(message)
        origins[candidate] = tuple(dict.fromkeys(systems))
    return origins
