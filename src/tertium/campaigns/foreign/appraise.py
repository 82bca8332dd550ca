# SPDX-License-Identifier: Apache-2.0
"""Batches of Appraise as campaigns.

A batch is a list of ``items``; items of a document (``documentID``) that stand together
are a screen. Read are ``sourceText``, ``targetText``, ``targetID`` (or ``segmentText``
and ``targets``, where several outputs stand side by side) and ``mqm``, the error spans
to start from. By ``itemType`` and marks in the name of the document:

- *Damaged copies* (``BAD``, ``#bad1``) are attention checks of the screen they copy.
  What was replaced is where the two texts differ.
- *Repeats* (``CHK``, ``#duplicate1``) are left out: the plan chooses what is repeated.
- *Tutorials* (``mqm`` is an object with ``tutorial``) are training items.
- *Documents* (``isCompleteDocument``) ask for a score of the whole text, unless all
  items say so, as in WMT 2025 (``01-prepare_waves.py`` of wmt25-general-mt, 00de451).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple, cast

from tertium.campaigns.foreign.campaign import (
    ForeignCampaign,
    Lesson,
    Losses,
    distinct,
    plain,
    spans_of,
)
from tertium.campaigns.foreign.media import Media
from tertium.campaigns.tasks.screens import Damage, Screen, ScreenParagraph
from tertium.errors import FormatError
from tertium.judgements.formats.appraise_marks import including_end
from tertium.judgements.formats.appraise_rows import document, langpair, system_of

__all__ = ["differences", "is_batches", "read_appraise"]

_LINE = re.compile(r"^.* \| (\d{1,9}) \| .*$", re.DOTALL)
_COPIES = ("bad",)
_WORD = re.compile(r"\S+")
_CHANCE = 2  # words between two stretches


class _Item(NamedTuple):
    """An item of a batch: what it shows, and what it is there for."""

    batch: int
    raw: str  # the document as Appraise names it
    document: str
    kind: str  # work, check, repeat, tutorial, whole
    paragraph: ScreenParagraph
    tutorial: Mapping[str, object]


def is_batches(content: object) -> bool:
    """Return whether JSON holds batches of Appraise."""
    batches = content if isinstance(content, list) else [content]
    return bool(batches) and all(
        isinstance(one, dict) and isinstance(one.get("items"), list) for one in batches
    )


def read_appraise(
    content: object, path: str | Path, *, task: str | None = None
) -> ForeignCampaign:
    """Return the campaign that batches make.

    Raises
    ------
    FormatError
        When an item lacks a text or a name, with the batch and the item.
    """
    batches = cast(
        "list[dict[str, Any]]", content if isinstance(content, list) else [content]
    )
    losses = Losses()
    media = Media(path, losses)
    has_whole = not _is_never_whole(batches)
    items = [
        _item(one, number, place, path, losses, media, has_whole=has_whole)
        for number, batch in enumerate(batches, start=1)
        for place, one in enumerate(batch["items"], start=1)
    ]
    for item in items:
        losses.count("foreign-repeats", item.kind == "repeat")
    originals = [_screen(run) for run in _runs(items, "work")]
    if not originals:
        what = "no item is to be judged; tutorials and damaged copies are not enough"
        raise FormatError(f"{what}: give all batches", path=str(path))
    work, kept, seen = distinct(originals)
    copies = _checks(_runs(items, "check"), originals, kept, losses)
    checks, _, _ = distinct(list(copies))
    spans = any("mqm" in one for batch in batches for one in batch["items"])
    several = any(len(screen.systems) > 1 for screen in work)
    usual = "cesa" if several else "esa" if spans else "direct"
    whole = any(item.kind == "whole" for item in items)
    losses.count("foreign-shared", sum(n > 1 for n in seen.values()))
    if len(batches) > 1:
        losses.count("foreign-batches", len(batches))
    pair = _languages(batches)
    options: dict[str, bool | int | float | str] = {"document_score": whole}
    return ForeignCampaign(
        "Appraise",
        _title(path),
        *pair,
        task or usual,
        [*work, *checks],
        _lessons(items, losses),
        plan=_plan(batches, len(work), len(checks)),
        options=options | ({"systems": 0} if (task or usual) == "cesa" else {}),
        notes=losses.notes(),
        images=media.files,
    )


def _is_never_whole(batches: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether items that are all said to be whole documents are not."""
    seen: set[tuple[object, ...]] = set()
    several = False
    for number, batch in enumerate(batches):
        for item in batch["items"]:
            known = item if isinstance(item, dict) else {}
            mqm = known.get("mqm")
            if isinstance(mqm, dict) and "tutorial" in mqm:
                continue
            if known.get("isCompleteDocument") is not True:
                return False
            key = (number, str(known.get("documentID")), str(known.get("targetID")))
            several = several or key in seen
            seen.add(key)
    return several


def _item(
    line: object,
    batch: int,
    place: int,
    path: str | Path,
    losses: Losses,
    media: Media,
    *,
    has_whole: bool,
) -> _Item:
    data = line if isinstance(line, dict) else {}

    def text(*names: str) -> str:
        value = next((data[name] for name in names if name in data), None)
        if isinstance(value, str):
            return value
        what = f"item {place} of batch {batch} has no {names[0]}; add it as a text"
        raise FormatError(what, path=str(path))

    raw = text("documentID")
    targets = data.get("targets")
    if not isinstance(targets, list):
        targets = [{name: text(name) for name in ("targetID", "targetText")}]
    if not targets or not all(
        isinstance(one, dict)
        and isinstance(one.get("targetID"), str)
        and isinstance(one.get("targetText"), str)
        for one in targets
    ):
        what = f"item {place} of batch {batch} has no targets with IDs and texts"
        cure = "give every one targetID and targetText"
        raise FormatError(f"{what}; {cure}", path=str(path))
    outputs = {system_of(one["targetID"]): one["targetText"] for one in targets}
    if len(outputs) < len(targets):
        what = f"item {place} of batch {batch} has two targets of one system"
        raise FormatError(f"{what}; give each another targetID", path=str(path))
    mqm = data.get("mqm")
    tutorial = mqm.get("tutorial") if isinstance(mqm, dict) else None
    spans = mqm.get("payload") if isinstance(mqm, dict) else mqm
    name = document(raw, *outputs, *(one["targetID"] for one in targets))
    prefilled = {}
    if spans and len(outputs) == 1:
        ((system, output),) = outputs.items()
        prefilled = {system: _spans(spans, output, losses)}
    match = _LINE.match(str(data.get("_item", "")))
    segment = str(int(match[1]) + 1) if match else f"{name.name}:{place}"
    kind = "work"
    if isinstance(tutorial, dict):
        kind = "tutorial"
    elif has_whole and data.get("isCompleteDocument") is True:
        kind = "whole"
    elif any(mark.startswith(_COPIES) for mark in name.marks):
        kind = "check"
    elif name.marks or data.get("itemType") == "CHK":
        kind = "repeat"
    elif data.get("itemType") == "BAD":
        kind = "check"
    source, image = media.split(text("sourceText", "segmentText"))
    paragraph = ScreenParagraph(
        segment, source, outputs, prefilled=prefilled, image=image
    )
    rules = tutorial if isinstance(tutorial, dict) else {}
    return _Item(batch, raw, name.name, kind, paragraph, rules)


def _systems(item: _Item) -> tuple[str, ...]:
    return tuple(sorted(item.paragraph.outputs))


def _runs(items: Sequence[_Item], kind: str) -> list[list[_Item]]:
    """Return the items of a kind by document and systems.

    Others may stand between them, but for the score that ends a document.
    """
    runs: dict[tuple[object, ...], list[_Item]] = {}
    ends = 0
    for item in items:
        ends += item.kind == "whole"
        if item.kind == kind:
            key = (ends, item.batch, item.raw, _systems(item))
            runs.setdefault(key, []).append(item)
    return list(runs.values())


def _screen(run: Sequence[_Item]) -> Screen:
    first = run[0]
    paragraphs = _numbered(run, first.document)
    name = f"{first.batch}:{first.raw}:{'+'.join(_systems(first))}"
    return Screen(f"{name}:{paragraphs[0].segment}", first.document, paragraphs)


def _numbered(run: Sequence[_Item], name: str) -> list[ScreenParagraph]:
    """Return paragraphs; those without a line of the test set get places from 1."""
    unknown = run[0].paragraph.segment.startswith(f"{name}:")
    return [
        replace(one.paragraph, segment=f"{name}:{place}") if unknown else one.paragraph
        for place, one in enumerate(run, start=1)
    ]


def _checks(
    runs: Sequence[Sequence[_Item]],
    originals: Sequence[Screen],
    kept: Mapping[str, str],
    losses: Losses,
) -> Iterator[Screen]:
    """Yield damaged copies, each with the screen that it copies.

    The original is in the same batch: who judged it sees the copy, too. Of some
    paragraphs only, the copy has the others as they are.
    """
    holds: dict[tuple[object, ...], dict[int, list[int]]] = {}
    for number, screen in enumerate(originals):
        batch = screen.name.partition(":")[0]
        for place, one in enumerate(screen.paragraphs):
            key = (batch, screen.document, *sorted(one.outputs), one.source)
            holds.setdefault(key, {}).setdefault(number, []).append(place)
    for run in runs:
        copy = _screen(run)
        keys = [
            (str(item.batch), item.document, *_systems(item), item.paragraph.source)
            for item in run
        ]
        numbers = [set(holds.get(key, ())) for key in keys]
        if not (shared := set.intersection(*numbers)):
            losses.count("foreign-checks")
            continue
        number = min(shared)
        original = originals[number]
        texts: dict[int, ScreenParagraph] = {}
        for key, one in zip(keys, copy.paragraphs, strict=True):
            places = holds[key][number]
            texts[next((n for n in places if n not in texts), places[0])] = one
        # Names of segments are those of the original.
        paragraphs = [
            ScreenParagraph(
                one.segment,
                one.source,
                texts[place].outputs if place in texts else one.outputs,
                image=one.image,
            )
            for place, one in enumerate(original.paragraphs)
        ]
        damage = [
            Damage(system, place, *where)
            for place, one in enumerate(original.paragraphs)
            for system, text in one.outputs.items()
            for where in differences(text, paragraphs[place].outputs[system])
        ]
        yield Screen(
            copy.name,
            copy.document,
            paragraphs,
            check=True,
            of=kept[original.name],
            damage=damage,
        )


def differences(original: str, damaged: str) -> list[tuple[int, int]]:
    """Return where a damaged text has words that its original has not.

    Stretches with one or two equal words between them are one: such words are equal by
    chance. Quadratic in words.

    Examples
    --------
    >>> differences("a boat on the lake", "a boat with two sails lake")
    [(7, 21)]
    """
    words = [match.span() for match in _WORD.finditer(damaged)]
    before = _WORD.findall(original)
    after = [damaged[start:end] for start, end in words]
    stretches: list[tuple[int, int]] = []  # in words
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, _, _, first, last in matcher.get_opcodes():
        if kind not in ("replace", "insert"):
            continue
        if stretches and first - stretches[-1][1] <= _CHANCE:
            stretches[-1] = (stretches[-1][0], last)
        else:
            stretches.append((first, last))
    return [(words[first][0], words[last - 1][1]) for first, last in stretches]


def _lessons(items: Sequence[_Item], losses: Losses) -> list[Lesson]:
    """Return every tutorial item once, in the order of the first batch."""
    lessons: dict[tuple[object, ...], Lesson] = {}
    for item in items:
        if item.kind != "tutorial":
            continue
        ((system, text),) = list(item.paragraph.outputs.items())[:1]
        note = plain(item.tutorial.get("instruction"))
        key = (item.paragraph.source, text, note)
        if key in lessons:
            continue
        wanted = _spans(item.tutorial.get("mqm_target"), text, losses)
        score = item.tutorial.get("score_target")
        lessons[key] = Lesson(
            f"tutorial-{len(lessons) + 1}",
            [item.paragraph],
            {(system, 0): wanted},
            {(system, 0): score} if type(score) is int else {},
            note,
        )
    return list(lessons.values())


def _spans(spans: object, text: str, losses: Losses) -> list[dict[str, object]]:
    """Return spans of a batch, which end after their last character."""
    listed = spans if isinstance(spans, list) else []
    return spans_of([including_end(one, text) for one in listed], text, losses)


def _plan(
    batches: Sequence[Mapping[str, object]], work: int, checks: int
) -> dict[str, object]:
    tasks = [batch.get("task") for batch in batches]
    numbers = [one.get("requiredAnnotations") for one in tasks if isinstance(one, dict)]
    known = [one for one in numbers if type(one) is int and one > 0]
    share = round(min(checks / max(work, 1), 0.5), 2)
    return {"judgements": max(known, default=1), "checks": share}


def _languages(batches: Sequence[Mapping[str, object]]) -> tuple[str, str]:
    task = batches[0].get("task")
    row = {
        name: str(task.get(f"{name}Language", "")) if isinstance(task, dict) else ""
        for name in ("source", "target")
    }
    source, _, target = (langpair(row) or "").partition("-")
    return source, target


def _title(path: str | Path) -> str:
    return Path(path).name.partition(".")[0].replace("-", " ").replace("_", " ")
