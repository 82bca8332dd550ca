# SPDX-License-Identifier: Apache-2.0
"""Test sets as tasks show them: segments with candidates, equal outputs merged."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.images import image_named
from tertium.campaigns.tasks.base import ItemDraft
from tertium.campaigns.tasks.screens import Screen, is_screens, read_screens
from tertium.data import Testset, read
from tertium.data.formats import format_of
from tertium.errors import InputError, UnknownNameError
from tertium.notes import Note

__all__ = [
    "Shown",
    "digest",
    "output_drafts",
    "read_shown",
    "shown_of_screen",
    "testset_notes",
    "two_or_more",
    "wanted_systems",
]

_IMAGE, _ALT = "image", "image_alt"
#: The line of the first segment, in formats with a line for each.
_FIRST_LINES = {"jsonl": 1, "tsv": 2}


@dataclass(frozen=True)
class Shown:
    """A segment, and what systems made of it.

    Parameters
    ----------
    candidates : dict of str to tuple of str
        Systems by what they wrote, in the order of the test set.
    before : str
        The source of the segment before it in the same document, for context.
    image : dict
        The image next to the source; empty if there is none.
    """

    segment: str
    document: str
    source: str
    reference: str
    candidates: dict[str, tuple[str, ...]]
    before: str = ""
    image: Mapping[str, object] = field(default_factory=dict)

    def text(self) -> dict[str, object]:
        """Return what content holds of every task: source, reference, context."""
        return {
            "source": self.source,
            "reference": self.reference,
            "before": self.before,
            **self.picture(),
        }

    def picture(self) -> dict[str, object]:
        """Return what content holds of an image: nothing where there is none."""
        return {"image": dict(self.image)} if self.image else {}


def read_shown(config: CampaignConfig) -> Iterator[Shown]:
    """Yield the segments of a campaign's test set.

    ``items`` names the test set, or screens (``tasks/screens.py``), whose checks are
    left out. ``systems`` names the systems wanted, with commas. The columns ``image``
    and ``image_alt`` of a test set are images and what they show.

    Raises
    ------
    InputError
        When the file or an image cannot be read, or a system is not in it.
    """
    if is_screens(path := config.file(config.items)):
        yield from _shown_of_screens(list(read_screens(path)), config)
        return
    testset = _read(config)
    # Whoever names a column says that it is a system.
    systems = {**testset.layers, **testset.systems}
    for name in (wanted := _wanted(testset, config)):
        if name not in systems:
            raise UnknownNameError("system", name, testset.systems)
    images = _images(testset, config)
    docs, sources = testset.docs, testset.sources
    for place in range(len(testset)):
        candidates: dict[str, tuple[str, ...]] = {}
        for name in wanted:
            text = systems[name][place]
            candidates[text] = (*candidates.get(text, ()), name)
        same = place > 0 and docs is not None and docs[place - 1] == docs[place]
        references = testset.references[place]
        yield Shown(
            segment=testset.ids[place] if testset.ids else str(place + 1),
            document=docs[place] if docs else "",
            source=sources[place] if sources else "",
            reference=references[0] if references else "",
            candidates=candidates,
            before=sources[place - 1] if same and sources else "",
            image=images[place] if images else {},
        )


def _images(testset: Testset, config: CampaignConfig) -> list[dict[str, object]]:
    """Return the image of every segment; empty where it has none."""
    columns = {**testset.layers, **testset.systems}
    names = [] if _IMAGE in _named(config) else columns.get(_IMAGE, [])
    alts = columns.get(_ALT, [""] * len(names))
    path = config.file(config.items)
    first = _FIRST_LINES.get(format_of(path) or "")
    images: list[dict[str, object]] = []
    for place, (name, alt) in enumerate(zip(names, alts, strict=True)):
        line = None if first is None else place + first
        image = (
            image_named(name, alt, config, path=str(path), line=line) if name else {}
        )
        images.append(image)
    return images


def _shown_of_screens(
    screens: Sequence[Screen], config: CampaignConfig
) -> Iterator[Shown]:
    """Yield every segment once, with the systems of all its screens."""
    wanted = wanted_systems(screens, config)
    merged: dict[tuple[str, str, str], Shown] = {}
    for screen in screens:
        if screen.check:
            continue
        for shown in shown_of_screen(screen, wanted, config):
            key = (shown.document, shown.segment, shown.source)
            kept = merged.setdefault(key, shown)
            for text, names in shown.candidates.items():
                union = dict.fromkeys((*kept.candidates.get(text, ()), *names))
                kept.candidates[text] = tuple(union)
    yield from merged.values()


def wanted_systems(screens: Sequence[Screen], config: CampaignConfig) -> list[str]:
    """Return the systems that ``systems`` names; all of them where it is empty.

    Raises
    ------
    UnknownNameError
        When no screen has one of them.
    """
    known = list(dict.fromkeys(name for one in screens for name in one.systems))
    for name in (names := _named(config)):
        if name not in known:
            raise UnknownNameError("system", name, known)
    return names or known


def shown_of_screen(
    screen: Screen, wanted: Sequence[str], config: CampaignConfig
) -> list[Shown]:
    """Return the paragraphs of a screen; none where no wanted system is in it."""
    systems = [name for name in screen.systems if name in wanted]
    stretch: list[Shown] = []
    for one in screen.paragraphs if systems else ():
        candidates: dict[str, tuple[str, ...]] = {}
        for name in systems:
            text = one.outputs[name]
            candidates[text] = (*candidates.get(text, ()), name)
        before = stretch[-1].source if stretch else screen.before
        stretch.append(
            Shown(
                one.segment,
                screen.document,
                one.source,
                one.reference,
                candidates,
                before,
                image.content(config) if (image := one.image or screen.image) else {},
            )
        )
    return stretch


def _read(config: CampaignConfig) -> Testset:
    path = config.file(config.items)
    if config.items == "demo" and not path.exists():
        return read("demo")
    return read(path)


def testset_notes(config: CampaignConfig) -> Sequence[Note]:
    """Return the notes of a campaign's test set; none where systems are named."""
    if config.systems or is_screens(config.file(config.items)):
        return ()
    return _read(config).notes


def _wanted(testset: Testset, config: CampaignConfig) -> list[str]:
    systems = [name for name in testset.systems if name not in (_IMAGE, _ALT)]
    return _named(config) or systems


def _named(config: CampaignConfig) -> list[str]:
    return [name for one in config.systems.split(",") if (name := one.strip())]


def two_or_more(segments: Iterable[Shown], config: CampaignConfig) -> Iterator[Shown]:
    """Yield the segments with candidates to compare.

    Raises
    ------
    InputError
        When no segment has two.
    """
    enough = False
    for shown in segments:
        if len(shown.candidates) > 1:
            enough = True
            yield shown
    if not enough:
        message = (
            f"no segment of {config.file(config.items)} has two different outputs; "
            "give a test set of two systems or more"
        )
        raise InputError(message)


def output_drafts(shown: Shown) -> Iterator[ItemDraft]:
    """Yield an item for every different output of a segment, under ``output``."""
    for text, systems in sorted(shown.candidates.items()):
        yield ItemDraft(
            key=f"{shown.segment[:160]}:{digest(shown.segment, text)}",
            segment=shown.segment,
            document=shown.document,
            content={**shown.text(), "output": text},
            origins={"output": systems},
        )


def digest(*texts: str) -> str:
    """Return a short name of texts, which does not betray who wrote them."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]
