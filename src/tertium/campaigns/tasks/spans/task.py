# SPDX-License-Identifier: Apache-2.0
"""Tasks that mark errors in documents.

``esa`` asks for errors and then a score (Kocmi et al. 2024, Error Span Annotation),
``mqm`` for errors with categories (Freitag et al. 2021), ``cesa`` for errors and scores
of several translations side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from string import ascii_uppercase
from typing import TYPE_CHECKING, ClassVar, cast

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.starting import Starter
from tertium.campaigns.tasks.base import (
    ItemDraft,
    ItemJudgement,
    Section,
    Task,
    TaskOption,
    count_words,
)
from tertium.campaigns.tasks.screens import is_screens
from tertium.campaigns.tasks.spans.answers import (
    LOW,
    MISSING,
    Mark,
    check_answer,
    check_confirmed,
    paragraphs,
    severities,
    special_marks,
)
from tertium.campaigns.tasks.spans.categories import STANDARD, by_kind, read_categories
from tertium.campaigns.tasks.spans.chosen import screen_notes
from tertium.campaigns.tasks.spans.items import document_drafts
from tertium.campaigns.tasks.spans.judged import ask_judge, check_judge
from tertium.campaigns.tasks.spans.prefilled import prefilled_notes
from tertium.campaigns.tasks.testsets import testset_notes
from tertium.campaigns.tasks.twins import BAD
from tertium.errors import FormatError
from tertium.judgements.judgement import Judgement, Rating, Span
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.campaigns.models import Campaign, Item, Membership

__all__ = [
    "DOCUMENT",
    "SCALE",
    "ContrastiveEsa",
    "Esa",
    "Mqm",
    "SpanTask",
    "kept_marks",
]

#: The scales of exports: of a paragraph, and of all that is on a screen.
SCALE, DOCUMENT = "ESA", "ESA-document"
_CLEAN = "no-error"
_STARTER = Path(__file__).with_name("starter")
_WEIGHTS = (1, 5, 25)
_KNOWN = {"neutral": 0, "minor": 1, "major": 5, "critical": 25}
_NEAR = 20  # points by which a training score may differ


def _options(score: bool, most: int) -> dict[str, TaskOption]:
    return {
        "reference": TaskOption(False, "show the first reference"),
        "context": TaskOption(True, "show the text around, where documents are cut"),
        "paragraphs": TaskOption(10, "most per screen; 0: whole documents", least=0),
        "spans": TaskOption("words", "marks snap to these", ("words", "characters")),
        "severities": TaskOption("minor, major", "mildest first, with commas"),
        "missing": TaskOption(True, "missing content can be marked"),
        "most": TaskOption(most, "marks per paragraph; 0: any number", least=0),
        "score": TaskOption(score, "ask for a score of every paragraph, 0 to 100"),
        "document_score": TaskOption(score, "ask for a score of the whole text, too"),
        "spans_first": TaskOption(False, "scores open after marks, or “No errors”"),
        "special": TaskOption("", "other marks without a place, with commas"),
        "prefilled": TaskOption(
            "", "error spans to start from: a file, or llm:config=FILE", file=True
        ),
        BAD: TaskOption(True, "checks: copies with a stretch from elsewhere"),
    }


class SpanTask(Task):
    """Asks to mark errors in a document."""

    template = "spans/page.html"
    script = "spans/page.js"
    contrastive: ClassVar[bool] = False
    scored = True

    def options(self, config: CampaignConfig) -> dict[str, object]:
        """Return the settings, and the categories of their file under ``tree``."""
        values = super().options(config)
        names = severities(values)
        if not names or len(set(names)) < len(names):
            what = f"[task] severities = {values['severities']!r}; give different names"
            raise FormatError(f"{what}, separated by commas", path=str(config.path))
        if "categories" in values:
            name = str(values["categories"])
            place = config.file(name) if name else STANDARD
            values["tree"] = read_categories(place)
        return values

    def check_model(self, config: CampaignConfig) -> None:
        """Check the language model of ``prefilled``, if it is one."""
        check_judge(config, self.options(config))

    def ask_model(
        self,
        config: CampaignConfig,
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> Sequence[Note]:
        """Have the language model of ``prefilled`` mark the outputs, if it is one."""
        return ask_judge(config, self.options(config), progress=progress)

    def notes(
        self, config: CampaignConfig, drafts: Sequence[ItemDraft]
    ) -> Sequence[Note]:
        """Return the notes of the test set's reader, and those on pre-filled marks."""
        options = self.options(config)
        if is_screens(config.file(config.items)):
            return (*testset_notes(config), *screen_notes(config, options))
        return (*testset_notes(config), *prefilled_notes(config, options, drafts))

    def items(self, config: CampaignConfig) -> Iterator[ItemDraft]:
        """Return an item for every stretch of a document, then the checks."""
        options = self.options(config)
        return document_drafts(config, options, contrastive=self.contrastive)

    def parts(self, content: Mapping[str, object]) -> int:
        """Return the number of paragraphs, of all candidates."""
        texts = paragraphs(content)
        return len(texts) * len(texts[0]["outputs"])

    def words(
        self, content: Mapping[str, object], options: Mapping[str, object]
    ) -> int:
        """Return how many words the page shows."""
        reference = bool(options.get("reference"))
        return sum(
            count_words(one["source"])
            + count_words(one["outputs"])
            + (count_words(one["reference"]) if reference else 0)
            for one in paragraphs(content)
        )

    def page(
        self, content: Mapping[str, object], options: Mapping[str, object], rng: Random
    ) -> dict[str, object]:
        """Return rows of paragraphs; candidates have a letter for all of a document."""
        texts = paragraphs(content)
        keys = list(texts[0]["outputs"])
        columns = list(cast("Sequence[str]", content.get("keys", keys)))
        rng.shuffle(columns)
        names = [
            (key, name)
            for key, name in zip(columns, ascii_uppercase, strict=False)
            if key in keys
        ]
        earlier = cast("Mapping[str, str]", content.get("before_outputs", {}))
        rows = [
            {
                "number": number,
                "source": one["source"],
                "reference": one["reference"],
                "image": one.get("image"),
                "cells": [(key, name, one["outputs"][key]) for key, name in names],
            }
            for number, one in enumerate(texts)
        ]
        tree = cast("Mapping[str, str]", options.get("tree", {}))
        known = severities(options)
        return {
            "rows": rows,
            "names": names,
            "earlier": [(name, earlier[key]) for key, name in names if key in earlier],
            "several": len(names) > 1,
            "whole": bool(options["document_score"]) and len(texts) > 1,
            "settings": {
                "candidates": len(names),
                "severities": [[name, _severity(name)] for name in known],
                "categories": by_kind(tree),
                "special": special_marks(options),
                "omission": next((n for n in tree if n.endswith("Omission")), ""),
                "spansFirst": bool(options.get("spans_first")),
                "low": LOW,
                "most": int(str(options["most"])),
                "spans": str(options["spans"]),
                "prefilled": {
                    key: [
                        [
                            {**mark, "prefilled": number}
                            for number, mark in enumerate(one["prefilled"].get(key, []))
                        ]
                        for one in texts
                    ]
                    for key in keys
                },
            },
        }

    def seed(self, member: Membership, item: Item, rng: Random) -> int:
        """Return a seed for the order of candidates: one per annotator and document."""
        what = item.document or f"\0{item.key}"
        order = Random(f"{member.campaign.seed}:{member.pk}:order:{what}")
        return order.getrandbits(62)

    def check(
        self,
        content: Mapping[str, object],
        answer: object,
        options: Mapping[str, object],
    ) -> dict[str, object]:
        """Return the answer; its form is that of `answers`."""
        return check_answer(content, answer, options)

    def check_submitted(
        self,
        content: Mapping[str, object],
        answer: object,
        options: Mapping[str, object],
    ) -> dict[str, object]:
        """Return the answer, if all that is not marked is confirmed."""
        stored = check_answer(content, answer, options)
        check_confirmed(answer, stored, options)
        return stored

    def check_expected(
        self,
        content: Mapping[str, object],
        answer: object,
        options: Mapping[str, object],
    ) -> dict[str, object]:
        """Return what is expected; a score may be missing, and then any is right."""
        return check_answer(content, answer, options, expected=True)

    def agrees(
        self,
        content: Mapping[str, object],
        expected: Mapping[str, object],
        answer: Mapping[str, object],
    ) -> bool:
        """Return whether every expected error is marked, and scores are near.

        One mark beside the expected ones is allowed in every paragraph.
        """
        theirs = dict(_entries(answer))
        for place, wanted in _entries(expected):
            entry = theirs[place]
            marks, needed = _marks(entry), _marks(wanted)
            if any(not any(_meet(a, b) for b in marks) for a in needed):
                return False
            if sum(not any(_meet(a, b) for a in needed) for b in marks) > 1:
                return False
            one, other = wanted.get("score"), entry.get("score")
            if (
                isinstance(one, int)
                and isinstance(other, int)
                and abs(one - other) > _NEAR
            ):
                return False
        return True

    def marks_only(self, options: Mapping[str, object]) -> bool:
        """Return whether no score is asked for."""
        return not options["score"] and not options["document_score"]

    def value(
        self, answer: Mapping[str, object], options: Mapping[str, object]
    ) -> dict[str, float]:
        """Return the mean score of paragraphs, or minus their mean MQM penalty.

        Neutral errors weigh 0, minor ones 1, major ones 5, critical ones 25; a
        campaign's other severities 1, 5 and then 25, the mildest first.
        """
        weights = dict(zip(severities(options), _WEIGHTS, strict=False)) | _KNOWN
        values: dict[str, list[float]] = {}
        for (key, _number), entry in _entries(answer):
            score = entry.get("score")
            if not isinstance(score, int):
                marks = _marks(entry)
                score = -sum(
                    weights.get(one["severity"], _WEIGHTS[-1]) for one in marks
                )
            values.setdefault(key, []).append(float(score))
        return {key: fmean(some) for key, some in values.items()}

    def records(self, judgement: ItemJudgement) -> Iterator[Judgement]:
        """Yield the errors of every paragraph, then scores.

        Time and words are shared out among the paragraphs.
        """
        texts = paragraphs(judgement.content)
        parts = self.parts(judgement.content)
        share = None
        if judgement.seconds is not None:
            share = round(judgement.seconds / parts, 3)
        for (key, number), entry in _entries(judgement.answer):
            text = texts[number]
            output, before = text["outputs"][key], text["prefilled"].get(key)
            more: dict[str, object] = {
                "length": len(output),
                "source": text["source"],
                "target": output,
                "words": count_words(output),
            }
            if before is not None:
                more["prefilled"] = kept_marks(before, _marks(entry))
            common = judgement.common(**more, **_again(judgement))
            common["duration"] = share
            for system in judgement.origins.get(key, ()):
                if not _marks(entry):
                    yield Span(system, _CLEAN, _CLEAN, text["segment"], **common)
                for mark in _marks(entry):
                    start, end = mark["start"], mark["end"]
                    missing = start is None or end is None
                    yield Span(
                        system,
                        mark.get("category", MISSING if missing else "error"),
                        mark["severity"],
                        text["segment"],
                        start,
                        end,
                        text=None if missing else output[start:end],
                        **common,
                    )
                if isinstance(score := entry.get("score"), int):
                    yield Rating(system, float(score), SCALE, text["segment"], **common)
        whole = cast("Mapping[str, int]", judgement.answer.get("document", {}))
        for key, score in whole.items():
            for system in judgement.origins.get(key, ()):
                common = judgement.common(**_again(judgement))
                common["duration"] = None  # the paragraphs have all of it
                yield Rating(
                    system, float(score), DOCUMENT, judgement.segment, **common
                )

    def report(self, campaign: Campaign) -> list[Section]:
        """Return errors per system and category, and what the checks say."""
        from tertium.campaigns.tasks.spans.report import sections

        return sections(campaign)

    def starter(self) -> Starter:
        """Return a configuration on short documents, written for it."""
        documents = _STARTER / "documents.jsonl"
        return Starter(
            f"error-spans-{self.name}",
            _TITLES[self.name],
            (_STARTER / f"{self.name}.md").read_text(encoding="utf-8"),
            items="documents.jsonl",
            checks=True,
            examples={"documents.jsonl": documents.read_text(encoding="utf-8")},
        )

    def lessons(self) -> str:
        """Return what an error is, what is missing, and what is right."""
        place = _STARTER / f"training-{self.name}.jsonl"
        return place.read_text(encoding="utf-8")


class Esa(SpanTask):
    """Asks for errors and a score of one translation."""

    name = "esa"
    title = gettext_lazy("Error spans and scores (ESA)")
    summary = gettext_lazy("Mark the errors of a translation, then score it.")
    declared_options: ClassVar[Mapping[str, TaskOption]] = _options(True, 0)

    def lesson_images(self) -> dict[str, bytes]:
        """Return the image of a sign, which the first source is about."""
        return {"shop.png": (_STARTER / "shop.png").read_bytes()}


class Mqm(SpanTask):
    """Asks for errors of one translation, with their categories."""

    name = "mqm"
    title = gettext_lazy("Error spans and categories (MQM)")
    summary = gettext_lazy("Mark the errors of a translation and say what they are.")
    declared_options: ClassVar[Mapping[str, TaskOption]] = {
        **_options(False, 5),
        "categories": TaskOption("", "a TOML file; empty: the usual ones", file=True),
    }


class ContrastiveEsa(SpanTask):
    """Asks for errors and scores of several translations side by side."""

    name = "cesa"
    title = gettext_lazy("Translations side by side (contrastive ESA)")
    summary = gettext_lazy("Mark the errors of several translations, and score them.")
    contrastive = True
    declared_options: ClassVar[Mapping[str, TaskOption]] = {
        **_options(True, 0),
        "systems": TaskOption(3, "most per screen; 0: all", least=0, most=26),
    }


_TITLES = {
    "esa": "Errors and scores",
    "mqm": "Errors and categories",
    "cesa": "Translations side by side",
}


def _severity(name: str) -> str:
    names = {"minor": _("minor"), "major": _("major"), "critical": _("critical")}
    return names.get(name, name)


def _again(judgement: ItemJudgement) -> dict[str, object]:
    """Return what tells a second judgement by the same judge from the first."""
    return {"mark": "repeat"} if judgement.why == "intra" else {}


def kept_marks(
    before: Sequence[Mapping[str, object]], marks: Sequence[Mark]
) -> dict[str, int]:
    """Return what became of pre-filled marks."""
    now = {mark["prefilled"]: mark for mark in marks if "prefilled" in mark}
    counts = {"kept": 0, "changed": 0, "removed": 0}
    for number, old in enumerate(before):
        new = now.get(number)
        names = ("start", "end", "severity", "category")
        if new is None:
            counts["removed"] += 1
        else:
            same = all(new.get(name, old.get(name)) == old.get(name) for name in names)
            counts["kept" if same else "changed"] += 1
    return {**counts, "added": sum("prefilled" not in mark for mark in marks)}


def _entries(
    answer: Mapping[str, object],
) -> Iterator[tuple[tuple[str, int], Mapping[str, object]]]:
    """Yield candidate, paragraph and what was said about it."""
    outputs = cast("Mapping[str, list[Mapping[str, object]]]", answer["outputs"])
    for key, entries in outputs.items():
        for number, entry in enumerate(entries):
            yield (key, number), entry


def _marks(entry: Mapping[str, object]) -> list[Mark]:
    return cast("list[Mark]", entry["marks"])


def _meet(one: Mark, other: Mark) -> bool:
    if one["start"] is None or one["end"] is None:
        return other["start"] is None
    if other["start"] is None or other["end"] is None:
        return False
    return one["start"] < other["end"] and other["start"] < one["end"]
