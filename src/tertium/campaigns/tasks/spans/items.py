# SPDX-License-Identifier: Apache-2.0
"""Items of span tasks: documents, or stretches of them, with one candidate or several.

Candidates of contrastive items have the same keys in all stretches of a document, so
that a page can keep their order. A candidate whose text is that of another in a stretch
is not shown there.

Attention checks are copies of items in which a stretch of one paragraph comes from
elsewhere (``tasks/twins.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from random import Random
from string import ascii_lowercase
from typing import NamedTuple

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.tasks.base import ItemDraft
from tertium.campaigns.tasks.screens import is_screens
from tertium.campaigns.tasks.spans.answers import paragraphs
from tertium.campaigns.tasks.spans.chosen import screen_drafts
from tertium.campaigns.tasks.spans.prefilled import Marks, Prefilled, shifted
from tertium.campaigns.tasks.testsets import Shown, digest, read_shown
from tertium.campaigns.tasks.twins import BAD, damage

__all__ = ["Stretch", "document_drafts", "stretches"]


class Stretch(NamedTuple):
    """Paragraphs of a document that are on one screen, and those around them."""

    before: Shown | None
    paragraphs: list[Shown]
    after: Shown | None


def document_drafts(
    config: CampaignConfig, options: Mapping[str, object], *, contrastive: bool
) -> Iterator[ItemDraft]:
    """Yield the items of a campaign's test set, then the checks that are wanted.

    Where some screens of a file are checks, no others are made.
    """
    if is_screens(config.file(config.items)):
        yield from _screens(config, options, contrastive)
        return
    segments = list(read_shown(config))
    prefilled = Prefilled.read(config, options, segments)
    most = int(str(options["paragraphs"]))
    size = int(str(options.get("systems", 0)))
    drafts = []
    for document in _documents(segments):
        columns = _columns(document, size) if contrastive else []
        for stretch in stretches(document, most):
            groups = (
                [(_merged(stretch.paragraphs, keys), list(keys)) for keys in columns]
                if contrastive
                else _alone(stretch.paragraphs)
            )
            for origins, keys in groups:
                drafts.append(_draft(stretch, origins, keys, prefilled))
    prefilled.check_used()
    yield from drafts
    if options[BAD]:
        fillers = [next(iter(shown.candidates), "") for shown in segments]
        for draft in drafts:
            if (twin := _twin(draft, fillers, config.seed)) is not None:
                yield twin


def _screens(
    config: CampaignConfig, options: Mapping[str, object], contrastive: bool
) -> Iterator[ItemDraft]:
    """Yield the items of a file of screens."""
    drafts = list(screen_drafts(config, options, contrastive=contrastive))
    yield from drafts
    if options[BAD] and all(draft.kind == "work" for draft in drafts):
        texts = [one for draft in drafts for one in paragraphs(draft.content)]
        fillers = [next(iter(one["outputs"].values())) for one in texts]
        for draft in drafts:
            if (twin := _twin(draft, fillers, config.seed)) is not None:
                yield twin


def _documents(segments: Sequence[Shown]) -> Iterator[list[Shown]]:
    """Yield documents; segments without one stand alone."""
    numbered = enumerate(segments)
    for _key, group in groupby(numbered, lambda one: one[1].document or one[0]):
        yield [shown for _, shown in group]


def stretches(document: Sequence[Shown], most: int) -> Iterator[Stretch]:
    """Yield stretches of a document of about equal length.

    Parameters
    ----------
    most : int
        Paragraphs of a stretch; 0: all of the document.
    """
    number = -(-len(document) // most) if most else 1
    bounds = [len(document) * n // number for n in range(number + 1)]
    for start, end in pairwise(bounds):
        yield Stretch(
            document[start - 1] if start else None,
            list(document[start:end]),
            document[end] if end < len(document) else None,
        )


def _by_system(shown: Shown) -> dict[str, str]:
    return {name: text for text, names in shown.candidates.items() for name in names}


def _texts(paragraphs: Sequence[Shown]) -> dict[str, tuple[str, ...]]:
    """Return what systems wrote, by system."""
    outputs = [_by_system(shown) for shown in paragraphs]
    return {name: tuple(one[name] for one in outputs) for name in outputs[0]}


def _alone(
    paragraphs: Sequence[Shown],
) -> Iterator[tuple[dict[str, tuple[str, ...]], list[str]]]:
    """Yield every different translation as the only candidate of an item."""
    by_text: dict[tuple[str, ...], list[str]] = {}
    for name, texts in _texts(paragraphs).items():
        by_text.setdefault(texts, []).append(name)
    for _texts_of, names in sorted(by_text.items()):
        yield {"a": tuple(names)}, ["a"]


def _columns(document: Sequence[Shown], most: int) -> list[dict[str, tuple[str, ...]]]:
    """Return groups of candidates of a document: systems by key; 0: one group of all.

    By what they wrote, not by name: neither keys nor their order betray a system.
    """
    by_text: dict[tuple[str, ...], list[str]] = {}
    for name, texts in _texts(document).items():
        by_text.setdefault(texts, []).append(name)
    merged = [by_text[texts] for texts in sorted(by_text, key=lambda one: digest(*one))]
    size = min(most or len(merged), len(ascii_lowercase))
    return [
        {
            key: tuple(names)
            for key, names in zip(
                ascii_lowercase, merged[start : start + size], strict=False
            )
        }
        for start in range(0, len(merged), size)
    ]


def _merged(
    paragraphs: Sequence[Shown], columns: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Return the candidates of a stretch: equal translations are one there."""
    texts = _texts(paragraphs)
    key_of: dict[tuple[str, ...], str] = {}
    origins: dict[str, tuple[str, ...]] = {}
    for key, names in columns.items():
        first = key_of.setdefault(texts[names[0]], key)
        origins[first] = (*origins.get(first, ()), *names)
    return origins


def _draft(
    stretch: Stretch,
    origins: Mapping[str, tuple[str, ...]],
    keys: Sequence[str],
    prefilled: Prefilled,
) -> ItemDraft:
    """Return an item; ``keys`` are those of the whole document."""
    paragraphs = []
    for shown in stretch.paragraphs:
        text_of = _by_system(shown)
        outputs = {key: text_of[names[0]] for key, names in origins.items()}
        marks: dict[str, Marks] = {}
        for key, names in origins.items():
            theirs = prefilled.of(shown.document, shown.segment, names, outputs[key])
            if theirs is not None:
                marks[key] = theirs
        paragraphs.append(
            {
                "segment": shown.segment,
                "source": shown.source,
                "reference": shown.reference,
                "outputs": outputs,
                "prefilled": marks,
                **shown.picture(),
            }
        )
    first, last = stretch.paragraphs[0], stretch.paragraphs[-1]
    name = first.segment if first is last else f"{first.segment}–{last.segment}"
    texts = [text for one in paragraphs for text in one["outputs"].values()]  # type: ignore[attr-defined]
    before = _by_system(stretch.before) if stretch.before else {}
    return ItemDraft(
        key=f"{first.document[:80]}:{name[:90]}:{digest(name, *texts)}",
        segment=name[:200],
        document=first.document,
        content={
            "before": stretch.before.source if stretch.before else "",
            "before_outputs": {
                key: before[names[0]] for key, names in origins.items() if before
            },
            "after": stretch.after.source if stretch.after else "",
            "keys": list(keys),
            "paragraphs": paragraphs,
        },
        origins=origins,
    )


def _twin(draft: ItemDraft, fillers: Sequence[str], seed: int) -> ItemDraft | None:
    """Return a copy in which one paragraph of one candidate is damaged."""
    rng = Random(f"{seed}:{BAD}:{draft.key}")
    texts: Sequence[Mapping[str, object]] = draft.content["paragraphs"]  # type: ignore[assignment]
    places = [(n, key) for n in range(len(texts)) for key in draft.origins]
    rng.shuffle(places)
    for place, key in places:
        outputs: Mapping[str, str] = texts[place]["outputs"]  # type: ignore[assignment]
        shown = {text for one in texts for text in one["outputs"].values()}  # type: ignore[attr-defined]
        others = [text for text in fillers if text not in shown]
        damaged = damage(outputs[key], others, rng)
        if damaged is None:
            continue
        copy = [dict(one) for one in texts]
        marks: Mapping[str, Marks] = texts[place]["prefilled"]  # type: ignore[assignment]
        copy[place] |= {
            "outputs": {**outputs, key: damaged.text},
            "prefilled": {
                name: shifted(theirs, len(outputs[key]), damaged)
                if name == key
                else theirs
                for name, theirs in marks.items()
            },
        }
        where = [key, place, damaged.start, damaged.end]
        return ItemDraft(
            key=f"{draft.key}:{BAD}",
            segment=draft.segment,
            document=draft.document,
            content={**draft.content, "paragraphs": copy},
            meta={"check": BAD, "base": draft.key, "damage": where},
            kind="check",
            base=draft.key,
        )
    return None
