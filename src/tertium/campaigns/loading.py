# SPDX-License-Identifier: Apache-2.0
"""Campaigns into the database: all of a file, or nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from django.db import transaction

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.images import images_of, read_image, without_files
from tertium.campaigns.models import Campaign, Event, Image, Item, Origin
from tertium.campaigns.tasks import ItemDraft, Task, get_task
from tertium.campaigns.work.payloads import flaw
from tertium.campaigns.work.training import read_training
from tertium.errors import FormatError, InputError
from tertium.notes import Note

__all__ = ["Checked", "Loaded", "add", "check", "load"]

_BATCH = 2000
_LONGEST_INSTRUCTIONS = 1_000_000  # characters


@dataclass(frozen=True)
class Loaded:
    """What loading did."""

    campaign: Campaign
    new: bool
    added: int
    known: int
    report: str = ""
    checks: int = 0  # of those added
    training: int = 0  # likewise
    notes: Sequence[Note] = ()


@dataclass(frozen=True)
class Checked:
    """What a configuration and its files hold; images are files by SHA-256."""

    task: Task
    drafts: list[ItemDraft]
    options: dict[str, object]
    instructions: str
    images: dict[str, Path]
    report: str = ""
    notes: Sequence[Note] = ()

    @property
    def work(self) -> int:
        """The number of items to judge."""
        return sum(draft.kind == "work" for draft in self.drafts)

    @property
    def checks(self) -> int:
        """The number of attention checks."""
        return sum(draft.kind == "check" for draft in self.drafts)

    @property
    def training(self) -> int:
        """The number of training items."""
        return sum(draft.kind == "training" for draft in self.drafts)


def check(config: CampaignConfig) -> Checked:
    """Read everything that a configuration names, and change nothing.

    Raises
    ------
    InputError
        When something in it cannot be loaded.
    """
    task = get_task(config.task)
    options = task.options(config)
    if config.plan.order == "active" and not task.scored:
        what = (
            f'[plan] order = "active" needs scores, which {task.name} does not ask for'
        )
        raise FormatError(f"{what}; give 'random' or 'file'", path=str(config.path))
    drafts = [*read_training(config, task, options), *task.items(config)]
    if not any(draft.kind == "work" for draft in drafts):
        message = (
            f"{config.file(config.items)} gives no item to judge; look at "
            f"`tertium campaign new --help` for what {config.task} reads"
        )
        raise InputError(message)
    _different(drafts, config)
    # Once: for every item, following links would take longer than all the rest.
    place = config.file(config.items)
    images: dict[str, Path] = {}
    drafts = [_storable(draft, place, images) for draft in drafts]
    _all_there(drafts, images)
    instructions = _instructions(config)
    report, notes = task.describe(config), task.notes(config, drafts)
    return Checked(task, drafts, options, instructions, images, report, notes)


def load(config: CampaignConfig) -> Loaded:
    """Put a campaign and its items into the database.

    Loading again adds what is new in the files. Items that are there stay as people
    saw them; systems that wrote the same as others are noted.

    Raises
    ------
    InputError
        When a file cannot be read, or an item of the same key says something else.
    """
    checked = check(config)
    task, drafts = checked.task, checked.drafts
    with transaction.atomic():
        _same_task(config)
        campaign, new = Campaign.objects.update_or_create(
            name=config.name,
            defaults={
                "title": config.title,
                "task": config.task,
                "source": config.source,
                "target": config.target,
                "instructions": checked.instructions,
                "plan": config.plan.as_json(),
                "options": checked.options,
                "seed": config.seed,
            },
        )
        added = _add(campaign, drafts, config)
        _add_images(campaign, checked.images)
        task.prepare(campaign, drafts)
        Event.objects.create(
            campaign=campaign, actor="cli", action="load", detail={"added": added}
        )
    return Loaded(
        campaign,
        new,
        added,
        len(drafts) - added,
        checked.report,
        checks=checked.checks if new else 0,
        training=checked.training if new else 0,
        notes=checked.notes,
    )


def add(campaign: Campaign, config: CampaignConfig, *, actor: str) -> Loaded:
    """Add items to a campaign that is there, and change nothing else of it.

    Raises
    ------
    InputError
        As `load` does.
    """
    checked = check(config)
    drafts = checked.drafts
    with transaction.atomic():
        # One at a time: places in the order of work are counted on.
        Campaign.objects.select_for_update().get(pk=campaign.pk)
        added = _add(campaign, drafts, config)
        _add_images(campaign, checked.images)
        get_task(campaign.task).prepare(campaign, drafts)
        Event.objects.create(
            campaign=campaign, actor=actor, action="load", detail={"added": added}
        )
    return Loaded(campaign, False, added, len(drafts) - added, checked.report)


def _same_task(config: CampaignConfig) -> None:
    old = Campaign.objects.filter(name=config.name).exclude(task=config.task).first()
    if old is not None:
        message = (
            f"campaign {old.name!r} is there with task {old.task!r}, and {config.path} "
            f"says {config.task!r}; give the new campaign another name"
        )
        raise InputError(message)


def _instructions(config: CampaignConfig) -> str:
    if not config.instructions:
        return ""
    place = config.file(config.instructions)
    try:
        text = place.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"cannot read the instructions {place}: {error}; correct the path"
        raise InputError(message) from None
    if problem := flaw(text):
        raise FormatError(problem, path=str(place))
    if len(text) > _LONGEST_INSTRUCTIONS:
        what = f"it has {len(text)} characters; give {_LONGEST_INSTRUCTIONS} or less"
        raise FormatError(what, path=str(place))
    return text


def _different(drafts: Iterable[ItemDraft], config: CampaignConfig) -> None:
    seen = set()
    for draft in drafts:
        if draft.key in seen:
            message = (
                f"two items of {config.file(config.items)} are called {draft.key!r}; "
                "give every item a name of its own"
            )
            raise InputError(message)
        seen.add(draft.key)


#: What the database has room for, in characters.
_LONGEST = {"key": 200, "segment": 200, "document": 200}
_LONGEST_CANDIDATE, _LONGEST_SYSTEM = 40, 200


def _storable(draft: ItemDraft, place: Path, images: dict[str, Path]) -> ItemDraft:
    """Return an item as the database will give it back; add the files of its images.

    Raises
    ------
    InputError
        When a name is too long, or a text holds characters that cannot be stored.
    """
    where = f"item {draft.key[:60]!r} of {place}"
    for name, most in _LONGEST.items():
        if len(getattr(draft, name)) > most:
            message = f"the {name} of {where} is longer than {most} characters"
            raise InputError(f"{message}; shorten it")
    for candidate, systems in draft.origins.items():
        longest = max((len(system) for system in systems), default=0)
        if len(candidate) > _LONGEST_CANDIDATE or longest > _LONGEST_SYSTEM:
            message = (
                f"{where} has a system's name longer than {_LONGEST_SYSTEM} "
                "characters; shorten it"
            )
            raise InputError(message)
    names = [draft.key, draft.segment, draft.document, dict(draft.origins)]
    if problem := flaw([draft.content, draft.meta, names]):
        raise InputError(f"{where}: {problem}")
    content, meta = json.loads(json.dumps([draft.content, draft.meta]))
    images |= without_files(content)
    return replace(draft, content=content, meta=meta)


def _all_there(drafts: Iterable[ItemDraft], images: Mapping[str, Path]) -> None:
    """Reject images of training items that were exported without their files."""
    for draft in drafts:
        for image in images_of(draft.content):
            if image["name"] not in images:
                message = (
                    f"item {draft.segment!r} shows an image that no other item has; "
                    'give the path of its file: "image": "photo.png"'
                )
                raise InputError(message)


def _add_images(campaign: Campaign, images: Mapping[str, Path]) -> None:
    """Keep the images that the campaign does not have yet, one in memory at a time."""
    there = set(campaign.images.values_list("name", flat=True))
    for name, path in images.items():
        if name in there:
            continue
        try:
            facts, data = read_image(path)
        except ValueError as error:
            raise FormatError(str(error), path=str(path)) from None
        if facts.name != name:
            what = "it has changed since it was looked at; load the campaign again"
            raise FormatError(what, path=str(path))
        Image.objects.create(
            campaign=campaign, name=name, kind=facts.kind, content=data
        )


def _add(campaign: Campaign, drafts: list[ItemDraft], config: CampaignConfig) -> int:
    known = {item.key: item for item in campaign.items.all()}
    for draft in drafts:
        if draft.key in known and known[draft.key].content != draft.content:
            message = (
                f"item {draft.key!r} of campaign {campaign.name!r} was loaded before "
                "and says something else now; people may have judged it: load the "
                "new files under another name"
            )
            raise InputError(message)
    fresh = [draft for draft in drafts if draft.key not in known]
    # Training comes first, and as its file has it.
    fresh.sort(key=lambda draft: draft.kind != "training")
    training = sum(draft.kind == "training" for draft in fresh)
    start = len(known) + training
    places = list(range(start, len(known) + len(fresh)))
    rng = Random(f"{config.seed}:{len(known)}")
    if config.plan.order == "random":
        rng.shuffle(places)
    elif config.plan.order == "active":
        places = _by_document(fresh[training:], places, rng)
    places = [*range(len(known), start), *places]
    made = [_item(campaign, d, place) for d, place in zip(fresh, places, strict=True)]
    Item.objects.bulk_create(made, batch_size=_BATCH)
    items = known | {item.key: item for item in made}
    _link(fresh, items)
    _add_origins(campaign, drafts, items)
    return len(fresh)


def _by_document(
    drafts: Sequence[ItemDraft], places: Sequence[int], rng: Random
) -> list[int]:
    """Return places with the items of a stretch of text side by side.

    Systems are then judged on the same texts, whichever of them comes next: what is
    easy for one is easy for its rival.
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for number, draft in enumerate(drafts):
        groups.setdefault((draft.document, draft.segment), []).append(number)
    stretches = list(groups.values())
    rng.shuffle(stretches)
    for stretch in stretches:
        rng.shuffle(stretch)
    order = [number for stretch in stretches for number in stretch]
    return [place for _, place in sorted(zip(order, places, strict=True))]


def _add_origins(
    campaign: Campaign, drafts: Iterable[ItemDraft], items: dict[str, Item]
) -> None:
    """Record who wrote what; a later system may write what others wrote."""
    there = set(
        Origin.objects.filter(item__campaign=campaign).values_list(
            "item", "candidate", "system"
        )
    )
    wanted = dict.fromkeys(
        (items[draft.key].pk, candidate, system)
        for draft in drafts
        for candidate, systems in draft.origins.items()
        for system in systems
    )
    Origin.objects.bulk_create(
        (
            Origin(item_id=number, candidate=candidate, system=system)
            for number, candidate, system in wanted
            if (number, candidate, system) not in there
        ),
        batch_size=_BATCH,
    )


def _item(campaign: Campaign, draft: ItemDraft, position: int) -> Item:
    return Item(
        campaign=campaign,
        key=draft.key,
        kind=draft.kind,
        segment=draft.segment,
        document=draft.document,
        content=draft.content,
        meta=draft.meta,
        parts=get_task(campaign.task).parts(draft.content),
        position=position,
    )


def _link(drafts: Iterable[ItemDraft], items: dict[str, Item]) -> None:
    """Tie checks to what they are twins of."""
    twins = []
    for draft in drafts:
        if draft.base is not None:
            if draft.base not in items:
                message = (
                    f"item {draft.key!r} is a twin of {draft.base!r}, which is none"
                )
                raise InputError(message)
            twin = items[draft.key]
            twin.base = items[draft.base]
            twins.append(twin)
    Item.objects.bulk_update(twins, ["base"], batch_size=_BATCH)
