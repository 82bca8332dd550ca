# SPDX-License-Identifier: Apache-2.0
"""Judgements from another server: the lines of the export format ``answers``.

A line holds everything about a judgement, so items, systems and judges (under their
pseudonyms) come with it. A line that is already there adds nothing. Work that its
judge had not finished here, as in an older backup, is finished by it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from random import Random

from tertium.campaigns.exchange.exporting import VERSION
from tertium.campaigns.exchange.formats import RAW
from tertium.campaigns.exchange.importing import fields
from tertium.campaigns.exchange.importing.keeping import (
    Import,
    Imported,
    LineError,
    new_assignment,
)
from tertium.campaigns.models import Assignment, Campaign, Item, Origin, State, Why
from tertium.campaigns.tasks import AnswerError, ItemJudgement
from tertium.campaigns.work.payloads import PayloadError, read_json
from tertium.campaigns.work.pools import lockable
from tertium.campaigns.work.training import expected_of

__all__ = ["import_raw"]

_LONGEST = 1_000_000  # bytes of a line


def import_raw(
    campaign: Campaign,
    lines: Iterable[bytes],
    *,
    skip_bad: bool = False,
    actor: str = "cli",
) -> Imported:
    """Put raw judgements into a campaign, and return the result.

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
    return _RawImport(campaign, lines).run(skip_bad=skip_bad, actor=actor)


class _RawImport(Import):
    def __init__(self, campaign: Campaign, lines: Iterable[bytes]) -> None:
        super().__init__(campaign, RAW)
        self.lines = lines

    def all(self) -> None:
        for number, line in enumerate(self.lines, start=1):
            if not line.strip():
                continue
            try:
                self.one(line)
            except (LineError, PayloadError, AnswerError) as error:
                self.report(number, error)

    def one(self, line: bytes) -> None:
        if len(line) > _LONGEST:
            raise LineError(f"the line is longer than {_LONGEST} bytes; shorten it")
        entry = read_json(line.removeprefix(b"\xef\xbb\xbf"))
        if not isinstance(entry, dict) or entry.get("tertium-answers") != VERSION:
            message = (
                f'not a raw judgement: "tertium-answers": {VERSION} is missing; give '
                "what `tertium campaign export --format answers` writes"
            )
            raise LineError(message)
        self._same_campaign(entry)
        code = fields.code(entry)
        known = self.items.get(fields.text(entry, "item", 200))
        item = known or self._new_item(entry)
        if known is not None and known.content != entry.get("content", known.content):
            message = (
                f"item {known.key!r} says something else here; this is an answer to "
                "another item: load it under another name"
            )
            raise LineError(message)
        answer = self._answer(item, entry, code)
        item.parts = self.task.parts(item.content)
        why = fields.why(entry, item.kind)
        time, seconds = fields.time(entry), fields.seconds(entry)
        key = self._key(entry, item, code)
        held = self._held(key)
        if held is not None and self._is_known(held, item, code, answer):
            self.done.known += 1
            return
        if known is None:
            self._keep_item(item, entry)
        if held is None:
            held = new_assignment(item, self.judge(code), why, time, key)
        else:
            self._resume(held, why)
        self.keep(held, answer, time, seconds)

    def _same_campaign(self, entry: Mapping[str, object]) -> None:
        # The name may differ: a campaign can be called something else elsewhere.
        for name, expected in (
            ("task", self.campaign.task),
            ("langpair", self.campaign.langpair),
        ):
            if entry.get(name) != expected:
                message = (
                    f"{name} is {entry.get(name)!r}, and that of campaign "
                    f"{self.campaign.name!r} is {expected!r}; choose the campaign it "
                    "belongs to"
                )
                raise LineError(message)

    def _new_item(self, entry: Mapping[str, object]) -> Item:
        content, meta = entry.get("content"), entry.get("meta", {})
        if not isinstance(content, dict) or not isinstance(meta, dict):
            raise LineError("content and meta must be objects; export them again")
        return Item(
            campaign=self.campaign,
            key=fields.text(entry, "item", 200),
            kind=fields.choice(entry, "kind", Item.Kind.values),
            segment=fields.text(entry, "segment", 200),
            document=fields.text(entry, "document", 200, empty=True),
            content=content,
            meta=meta,
            base=self.items.get(str(entry.get("base"))),
            position=len(self.items),
        )

    def _answer(
        self, item: Item, entry: Mapping[str, object], code: str
    ) -> dict[str, object]:
        """Return the answer as the task stores it."""
        options = self.campaign.options
        try:
            answer = self.task.check(item.content, entry.get("answer"), options)
            if item.pk is None:
                # Tasks trust what they loaded themselves. Here it comes from
                # elsewhere: try all that will be done with it.
                self.task.page(item.content, options, Random(0))
                list(self.task.records(self._judgement(item, entry, answer, code)))
                if (expected := expected_of(item.meta)[0]) is not None:
                    self.task.check(item.content, expected, options)
        except (AnswerError, LineError):
            raise
        except Exception:  # whatever a task stumbles over
            message = f"the content does not fit the task {self.campaign.task!r}"
            raise LineError(f"{message}; export it again") from None
        return answer

    def _judgement(
        self,
        item: Item,
        entry: Mapping[str, object],
        answer: Mapping[str, object],
        code: str,
    ) -> ItemJudgement:
        return ItemJudgement(
            item=item.key,
            segment=item.segment,
            document=item.document,
            content=item.content,
            origins=fields.origins(entry),
            answer=answer,
            judge=code,
            campaign=self.campaign.name,
            langpair=self.campaign.langpair,
            time=fields.time(entry),
            seconds=fields.seconds(entry),
            why=str(entry.get("why")),
            kind=item.kind,
            meta=item.meta,
        )

    def _key(self, entry: Mapping[str, object], item: Item, code: str) -> uuid.UUID:
        """Return the identity of an answer, which is the same at every import."""
        identity = entry.get("id")
        if identity is None:
            name = f"{self.campaign.name}:{item.key}:{code}:{entry.get('time')}"
            return uuid.uuid5(uuid.NAMESPACE_URL, name)
        try:
            key = uuid.UUID(str(identity))
        except ValueError:
            message = f"id {str(identity)[:60]!r} is none; leave it as it was exported"
            raise LineError(message) from None
        elsewhere = Assignment.objects.filter(pk=key).exclude(
            item__campaign=self.campaign
        )
        if elsewhere.exists():  # a copy of a campaign beside the campaign
            return uuid.uuid5(uuid.NAMESPACE_URL, f"{self.campaign.name}:{key}")
        return key

    def _held(self, key: uuid.UUID) -> Assignment | None:
        """Return the work of an answer as it is now, locked."""
        if key in self.waiting:
            return self.waiting[key]
        assignments = Assignment.objects.select_related("item", "member", "judgement")
        held: Assignment | None = lockable(assignments.filter(pk=key)).first()
        return held

    def _is_known(
        self, held: Assignment, item: Item, code: str, answer: Mapping[str, object]
    ) -> bool:
        """Return whether an answer is there; False if its judge did not finish it."""
        judgement = getattr(held, "judgement", None)
        same = held.item.key == item.key and held.member.code == code
        if same and judgement is not None and judgement.answer == answer:
            return True
        if same and held.state in (State.LEASED, State.EXPIRED):
            return False
        message = (
            f"judgement {held.pk} is there and differs; judgements are never changed"
        )
        if same and judgement is None:
            message = (
                f"{code} skipped this item here; offer it again, and let them judge"
            )
        raise LineError(message)

    def _resume(self, held: Assignment, why: str) -> None:
        """Take up work that was under way, or taken back, where it ended elsewhere."""
        held.item = self.items[held.item.key]
        if held.state == State.LEASED and held.why == Why.FIRST:
            self.take(held.item, -1)  # counted again with the judgement
        held.why = why

    def _keep_item(self, item: Item, entry: Mapping[str, object]) -> None:
        origins = fields.origins(entry)
        item.save()
        Origin.objects.bulk_create(
            Origin(item=item, candidate=candidate, system=system)
            for candidate, systems in origins.items()
            for system in systems
        )
        self.items[item.key] = item
        self.done.items += 1
