# SPDX-License-Identifier: Apache-2.0
"""Judgements out of the database, under pseudonyms.

Two ways: as Tertium judgements, in any of its formats, and as raw judgements, a line
of JSON each, which lose nothing and can be loaded into another server again.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from django.db.models import Count

from tertium._files import replace_file
from tertium.campaigns import models
from tertium.campaigns.exchange.formats import RAW, SHEETS, SIDES, formats
from tertium.campaigns.exchange.sheets import write_sheet
from tertium.campaigns.models import Campaign, Event, Item, Origin
from tertium.campaigns.tasks import ItemJudgement, get_task
from tertium.errors import InputError, UnknownNameError
from tertium.judgements.judgement import Judgement
from tertium.notes import Note

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tertium.judgements import Judgements

__all__ = [
    "RAW",
    "VERSION",
    "formats",
    "item_judgements",
    "origins_by_item",
    "raw_lines",
    "records",
    "tables",
    "tally",
    "write_export",
    "write_file",
]

_BATCH = 2000  # judgements read at a time, whatever their number
_COLUMNS = (
    "assignment__item",
    "assignment__why",
    "assignment__item__key",
    "assignment__item__base__key",
    "assignment__item__segment",
    "assignment__item__document",
    "assignment__item__kind",
    "assignment__item__content",
    "assignment__item__meta",
    "assignment__member__code",
    "created",
    "seconds",
    "answer",
    "assignment",
)

#: The number in the first field of raw judgements.
VERSION = 1


def origins_by_item(
    items: QuerySet[Item] | Collection[int],
) -> dict[int, dict[str, tuple[str, ...]]]:
    """Return the systems of items, by item and candidate."""
    origins: dict[int, dict[str, tuple[str, ...]]] = {}
    for number, candidate, system in (
        Origin.objects.filter(item__in=items)
        .order_by("item", "candidate", "system")
        .values_list("item", "candidate", "system")
    ):
        of_item = origins.setdefault(number, {})
        of_item[candidate] = (*of_item.get(candidate, ()), system)
    return origins


def tally(
    campaign: Campaign, *, judges: Collection[str] | None = None
) -> dict[str, int]:
    """Return how many judgements there are, by the kind of their item.

    Work and checks together are the judgements that status and dashboard count.
    """
    judgements = models.Judgement.objects.filter(assignment__member__campaign=campaign)
    if judges is not None:
        judgements = judgements.filter(assignment__member__code__in=judges)
    kinds = judgements.values_list("assignment__item__kind").annotate(n=Count("pk"))
    return dict.fromkeys(Item.Kind.values, 0) | dict(kinds)


def item_judgements(
    campaign: Campaign,
    *,
    training: bool = False,
    judges: Collection[str] | None = None,
) -> Iterator[ItemJudgement]:
    """Yield the judgements of a campaign with what was judged, oldest first.

    Parameters
    ----------
    training : bool
        Include training items, which measure nobody.
    judges : collection of str, optional
        Only theirs, by pseudonym.
    """
    task = get_task(campaign.task)
    judgements = models.Judgement.objects.filter(assignment__member__campaign=campaign)
    if not training:
        judgements = judgements.exclude(assignment__item__kind=Item.Kind.TRAINING)
    if judges is not None:
        judgements = judgements.filter(assignment__member__code__in=judges)
    # Rows, not objects: of 100,000 judgements those would take most of the time.
    rows = judgements.order_by("created", "pk").values_list(*_COLUMNS).iterator(_BATCH)
    while batch := list(islice(rows, _BATCH)):
        origins = origins_by_item({number for number, *_others in batch})
        for number, why, key, base, segment, document, kind, *others in batch:
            content, meta, code, created, seconds, answer, pk = others
            yield ItemJudgement(
                item=key,
                segment=segment,
                document=document,
                content=content,
                origins=origins.get(number, {}),
                answer=answer,
                judge=code,
                campaign=campaign.name,
                langpair=campaign.langpair,
                time=created,
                seconds=seconds,
                why=why,
                kind=kind,
                meta=meta,
                id=str(pk),
                base=base,
                words=task.words(content, campaign.options),
            )


def records(
    campaign: Campaign, *, judges: Collection[str] | None = None
) -> Iterator[Judgement]:
    """Yield the judgements of a campaign as rankings, ratings and spans.

    Attention checks are left out: they do not describe a system.
    """
    task = get_task(campaign.task)
    for one in item_judgements(campaign, judges=judges):
        if one.kind == Item.Kind.WORK:
            yield from task.records(one)


def tables(campaign: Campaign, *, judges: Collection[str] | None = None) -> Judgements:
    """Return the judgements of a campaign, as ``agree`` and ``rank`` read them."""
    from tertium.judgements import Judgements

    return Judgements.from_iterable(records(campaign, judges=judges))


def raw_lines(
    campaign: Campaign, *, judges: Collection[str] | None = None
) -> Iterator[str]:
    """Yield every judgement as a line of JSON."""
    for one in item_judgements(campaign, training=True, judges=judges):
        line = {
            "tertium-answers": VERSION,
            "id": one.id,
            "campaign": one.campaign,
            "task": campaign.task,
            "langpair": one.langpair,
            "item": one.item,
            "kind": one.kind,
            "base": one.base,
            "segment": one.segment,
            "document": one.document,
            "judge": one.judge,
            "why": one.why,
            "time": one.time.isoformat(),
            "seconds": one.seconds,
            "answer": one.answer,
            "content": one.content,
            "systems": one.origins,
            "meta": one.meta,
        }
        yield json.dumps(line, ensure_ascii=False, sort_keys=True)


def write_export(
    campaign: Campaign,
    path: str,
    format_name: str = RAW,
    *,
    judges: Collection[str] | None = None,
) -> dict[str, int]:
    """Write a campaign's judgements; the file appears complete or not at all.

    Parameters
    ----------
    judges : collection of str, optional
        Only theirs, by pseudonym.

    Returns
    -------
    dict of str to int
        How many were written of each kind, such as rankings.

    Raises
    ------
    UnknownNameError
        When there is no such format.
    InputError
        When the format has no place for these judgements.
    """
    from tertium.judgements import FORMATS, write_store

    if format_name not in formats():
        raise UnknownNameError("export format", format_name, formats())
    if format_name == RAW:
        with replace_file(path) as file:
            written = 0
            for line in raw_lines(campaign, judges=judges):
                file.write(f"{line}\n".encode())
                written += 1
        return {"answers": written}
    if format_name in SHEETS:
        listed = list(records(campaign, judges=judges))
        write_sheet(listed, path, format_name)
        kinds = Counter(f"{type(one).__name__.lower()}s" for one in listed)
        return {name: kinds[name] for name in ("rankings", "ratings", "spans")}
    judgements = tables(campaign, judges=judges)
    counts = judgements.counts()
    if format_name in ("parquet", "sqlite"):
        wanted = path.endswith((".sqlite", ".sqlite3", ".db"))
        if wanted != (format_name == "sqlite"):
            message = (
                f"{os.fspath(path)} does not fit {format_name}; name a folder for "
                "parquet, and a file that ends in .sqlite for sqlite"
            )
            raise InputError(message)
        write_store(judgements, path)
        return counts
    kind = FORMATS[format_name]
    if kind.write is None or not any(counts[name] for name in kind.kinds):
        values = {
            "format": format_name,
            "kinds": kind.kinds,
            "campaign": campaign.name,
        }
        raise InputError(Note("format-holds-none", values), options=("format",))
    kind.write(judgements, path)
    return {name: counts[name] for name in kind.kinds}


def write_file(
    campaign: Campaign,
    path: str,
    name: str = RAW,
    *,
    archive: bool | None = None,
    actor: str = "cli",
) -> dict[str, int]:
    """Write judgements in a format, or what lies beside them; the log gets a line.

    Parameters
    ----------
    name : str
        A format of exports, or one of `SIDES`.
    archive : bool, optional
        Whether only those are in it who agreed to archiving. By default so of
        participants, and not so of judgements.
    actor : str
        Who does it, for the log.

    Raises
    ------
    InputError
        As `write_export`; or the task has no such thing, or asked nobody.
    """
    task = get_task(campaign.task)
    counts: dict[str, int] = {}
    if name in SIDES:
        task.write_side(campaign, name, path, all=archive is False)
    else:
        judges = task.judges_to_archive(campaign) if archive else None
        if archive and judges is None:
            note = Note("archiving-not-asked", {"campaign": campaign.name})
            raise InputError(note, options=("archive",))
        counts = write_export(campaign, path, name, judges=judges)
    detail: dict[str, object] = {"format": name}
    if archive is not None:
        detail["archive"] = archive
    Event.objects.create(campaign=campaign, actor=actor, action="export", detail=detail)
    return counts
