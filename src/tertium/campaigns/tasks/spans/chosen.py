# SPDX-License-Identifier: Apache-2.0
"""Items of span tasks from screens: chosen beforehand (``tasks/screens.py``).

A screen is an item with all its systems side by side, or one item per system where the
task shows one. Checks of the file are copies of such items.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import cast

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.tasks.base import ItemDraft
from tertium.campaigns.tasks.screens import Screen, ScreenImage, read_screens
from tertium.campaigns.tasks.spans.answers import (
    known_severity,
    severities,
    special_marks,
)
from tertium.campaigns.tasks.spans.positions import widened
from tertium.campaigns.tasks.testsets import digest, wanted_systems
from tertium.campaigns.tasks.twins import BAD
from tertium.errors import FormatError
from tertium.notes import Note

__all__ = ["screen_drafts", "screen_notes"]


def screen_drafts(
    config: CampaignConfig, options: Mapping[str, object], *, contrastive: bool
) -> Iterator[ItemDraft]:
    """Yield the items of screens, then their checks.

    Raises
    ------
    FormatError
        When spans to start from are in the screens and in another file, too.
    """
    if options["prefilled"]:
        what = (
            "[task] prefilled does not go with screens, which have spans of their own"
        )
        raise FormatError(f"{what}; omit it", path=str(config.path))
    size = int(str(options.get("systems", 0))) if contrastive else 1
    screens = list(read_screens(config.file(config.items)))
    wanted = wanted_systems(screens, config)
    ranks = _ranks(screens, wanted)
    drafts: dict[str, list[ItemDraft]] = {}
    for screen in screens:
        groups = _groups(screen, wanted, size, ranks[_place(screen)])
        if not screen.check:
            drafts[screen.name] = [
                _draft(screen, *one, config, options) for one in groups
            ]
    merged = _merged(draft for some in drafts.values() for draft in some)
    yield from merged.values()
    for screen in screens:
        if not screen.check:
            continue
        keys = dict.fromkeys(draft.key for draft in drafts.get(screen.of, ()))
        bases: list[ItemDraft | None] = [merged[key] for key in keys]
        copies = [_copied(screen, merged[key]) for key in keys]
        if not copies:
            copies = list(_groups(screen, wanted, size, ranks[_place(screen)]))
            bases = [None] * len(copies)
        hurt = _hurt(screen)
        for copy, base in zip(copies, bases, strict=True):
            shown = {names[0] for names in copy[0].values()}
            if shown & hurt if hurt else shown:
                yield _check(screen, *copy, config, options, base)


def screen_notes(
    config: CampaignConfig, options: Mapping[str, object]
) -> Sequence[Note]:
    """Return a note on missing content that screens have and nobody may mark."""
    if options["missing"]:
        return ()
    screens = list(read_screens(config.file(config.items)))
    wanted = wanted_systems(screens, config)
    special = special_marks(options)
    count = sum(
        mark["start"] is None and mark.get("category") not in special
        for screen in screens
        for one in screen.paragraphs
        for system, marks in one.prefilled.items()
        if system in wanted
        for mark in marks
    )
    return [Note("prefilled-missing", {"count": count})] if count else ()


def _place(screen: Screen) -> str:
    """Return what has its own columns: a document, or a screen without one."""
    return screen.document or f"\0{screen.name}"


def _hurt(screen: Screen) -> set[str]:
    """Return the systems of a check that something is known about."""
    return {one.system for one in screen.damage} | {one[0] for one in screen.scores}


def _ranks(
    screens: Sequence[Screen], wanted: Sequence[str]
) -> dict[str, dict[str, int]]:
    """Return the place of every system in the columns of a document.

    By what systems wrote, not by name: neither keys nor their order betray a system.
    """
    texts: dict[str, dict[str, list[str]]] = {}
    for screen in screens:
        systems = texts.setdefault(_place(screen), {})
        for name in screen.systems:
            if name in wanted:
                written = [one.outputs[name] for one in screen.paragraphs]
                systems.setdefault(name, []).extend(() if screen.of else written)
    return {
        document: {
            name: place
            for place, name in enumerate(
                sorted(systems, key=lambda one: (digest(*systems[one]), systems[one]))
            )
        }
        for document, systems in texts.items()
    }


def _groups(
    screen: Screen, wanted: Sequence[str], size: int, ranks: Mapping[str, int]
) -> Iterator[tuple[dict[str, tuple[str, ...]], list[str]]]:
    """Yield candidates of items: systems by key, and the keys of the document.

    Of a document's screens those with the same systems have them in the same columns.
    Equal translations are one candidate.
    """
    systems = sorted((one for one in screen.systems if one in wanted), key=ranks.get)  # type: ignore[arg-type]
    step = min(size or max(len(systems), 1), len(ascii_lowercase))
    for start in range(0, len(systems), step):
        group = systems[start : start + step]
        keys = list(ascii_lowercase[: len(group)])
        key_of: dict[tuple[str, ...], str] = {}
        origins: dict[str, tuple[str, ...]] = {}
        for key, name in zip(keys, group, strict=True):
            texts = tuple(one.outputs[name] for one in screen.paragraphs)
            first = key_of.setdefault(texts, key)
            origins[first] = (*origins.get(first, ()), name)
        yield origins, keys


def _copied(
    screen: Screen, base: ItemDraft
) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return what a damaged copy shows: systems by key as in its original.

    Of systems that wrote the same, the damaged one is shown.
    """
    hurt = _hurt(screen)
    origins = {
        key: tuple(sorted(known, key=lambda one: one not in hurt))
        for key, names in base.origins.items()
        if (known := [one for one in names if one in screen.systems])
    }
    return origins, cast("list[str]", base.content["keys"])


def _draft(
    screen: Screen,
    origins: Mapping[str, tuple[str, ...]],
    keys: Sequence[str],
    config: CampaignConfig,
    options: Mapping[str, object],
) -> ItemDraft:
    paragraphs = []
    for one in screen.paragraphs:
        outputs = {key: one.outputs[names[0]] for key, names in origins.items()}
        marks = {
            key: _fitted(screen, one.prefilled[known[0]], outputs[key], config, options)
            for key, names in origins.items()
            if (known := [name for name in names if name in one.prefilled])
        }
        paragraphs.append(
            {
                "segment": one.segment,
                "source": one.source,
                "reference": one.reference,
                "outputs": outputs,
                "prefilled": marks,
                **_image(one.image, config),
            }
        )
    first, last = screen.paragraphs[0], screen.paragraphs[-1]
    name = first.segment if first is last else f"{first.segment}–{last.segment}"
    texts = [
        text
        for one in screen.paragraphs
        for text in (one.outputs[names[0]] for names in origins.values())
    ]
    return ItemDraft(
        key=f"{screen.document[:80]}:{name[:90]}:{digest(name, *texts)}",
        segment=name[:200],
        document=screen.document[:200],
        content={
            "before": screen.before,
            "keys": list(keys),
            "paragraphs": paragraphs,
            **_image(screen.image, config),
        },
        origins=origins,
    )


def _image(image: ScreenImage | None, config: CampaignConfig) -> dict[str, object]:
    return {"image": image.content(config)} if image else {}


def _fitted(
    screen: Screen,
    marks: Sequence[Mapping[str, object]],
    text: str,
    config: CampaignConfig,
    options: Mapping[str, object],
) -> list[dict[str, object]]:
    """Return marks as `_marks` does; the message of an error names the screen."""
    try:
        return _marks(marks, text, options)
    except ValueError as error:
        what = f"screen {screen.name!r}: {error}"
        raise FormatError(what, path=str(config.file(config.items))) from None


def _marks(
    marks: Sequence[Mapping[str, object]], text: str, options: Mapping[str, object]
) -> list[dict[str, object]]:
    """Return marks as answers have them: known severity and category, whole words.

    What no answer may have is left out, as nobody could submit it: a place of white
    space, missing content where it is not marked, one mark twice.
    """
    known = severities(options)
    tree = cast("Mapping[str, str]", options.get("tree", {}))
    kept: list[dict[str, object]] = []
    for mark in marks:
        start, end = mark["start"], mark["end"]
        severity, category = str(mark["severity"]), str(mark.get("category") or "")
        special = start is None and category in special_marks(options)
        place: tuple[int, int] | tuple[None, None] | None = None, None
        if isinstance(start, int) and isinstance(end, int):
            place = widened(text, start, end)
        elif not (options["missing"] or special):
            place = None
        if place is None:
            continue
        one: dict[str, object] = {
            "start": place[0],
            "end": place[1],
            "severity": known_severity(severity, known),
            "category": category if category in tree or special else "",
        }
        if one not in kept:
            kept.append(one)
    return kept


def _merged(drafts: Iterable[ItemDraft]) -> dict[str, ItemDraft]:
    """Return items once, with all systems that wrote the same on other screens."""
    merged: dict[str, ItemDraft] = {}
    for draft in drafts:
        kept = merged.setdefault(draft.key, draft)
        origins = {
            key: tuple(dict.fromkeys((*names, *draft.origins.get(key, ()))))
            for key, names in kept.origins.items()
        }
        merged[draft.key] = replace(kept, origins=origins)
    return merged


def _check(
    screen: Screen,
    origins: Mapping[str, tuple[str, ...]],
    keys: Sequence[str],
    config: CampaignConfig,
    options: Mapping[str, object],
    base: ItemDraft | None,
) -> ItemDraft:
    """Return a check: a damaged copy, or an item whose score is known."""
    draft = _draft(screen, origins, keys, config, options)
    key_of = {names[0]: key for key, names in origins.items()}
    damage = [
        [key_of[one.system], one.paragraph, one.start, one.end]
        for one in screen.damage
        if one.system in key_of
    ]
    scores = [
        [key_of[system], *rule] for system, *rule in screen.scores if system in key_of
    ]
    meta: dict[str, object] = {"check": BAD if base else "expected"}
    meta |= {"base": base.key} if base else {}
    meta |= {"damage": damage[0], "damages": damage} if damage else {}
    meta |= {"scores": scores} if scores else {}
    start = base.key if base else draft.key
    return ItemDraft(
        key=f"{start[:180]}:{BAD}:{digest(screen.name, draft.key)}",
        segment=draft.segment,
        document=draft.document,
        content=draft.content,
        meta=meta,
        kind="check",
        base=base.key if base else None,
    )
