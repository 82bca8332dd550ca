# SPDX-License-Identifier: Apache-2.0
"""Test sets as tasks show them: segments with candidates, equal outputs merged."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.tasks.base import ItemDraft
from tertium.data import Testset, read
from tertium.errors import InputError, UnknownNameError
from tertium.notes import Note

__all__ = [
    "Shown",
    "digest",
    "output_drafts",
    "read_shown",
    "testset_notes",
    "two_or_more",
]


@dataclass(frozen=True)
class Shown:
    """A segment, and what systems made of it.

    Parameters
    ----------
    candidates : dict of str to tuple of str
        Systems by what they wrote, in the order of the test set.
    before : str
        The source of the segment before it in the same document, for context.
    """

    segment: str
    document: str
    source: str
    reference: str
    candidates: dict[str, tuple[str, ...]]
    before: str = ""

    def text(self) -> dict[str, object]:
        """Return what content holds of every task: source, reference, context."""
        return {
            "source": self.source,
            "reference": self.reference,
            "before": self.before,
        }


def read_shown(config: CampaignConfig) -> Iterator[Shown]:
    """Yield the segments of a campaign's test set.

    ``items`` names the test set, ``systems`` the systems wanted, with commas.

    Raises
    ------
    InputError
        When the file cannot be read, or a system is not in it.
    """
    testset = _read(config)
    # Whoever names a column says that it is a system.
    systems = {**testset.layers, **testset.systems}
    for name in (wanted := _wanted(testset, config)):
        if name not in systems:
            raise UnknownNameError("system", name, testset.systems)
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
        )


def _read(config: CampaignConfig) -> Testset:
    path = config.file(config.items)
    if config.items == "demo" and not path.exists():
        return read("demo")
    return read(path)


def testset_notes(config: CampaignConfig) -> Sequence[Note]:
    """Return the notes of a campaign's test set; none where systems are named."""
    return () if config.systems else _read(config).notes


def _wanted(testset: Testset, config: CampaignConfig) -> list[str]:
    names = [name.strip() for name in config.systems.split(",")]
    return [name for name in names if name] or list(testset.systems)


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
