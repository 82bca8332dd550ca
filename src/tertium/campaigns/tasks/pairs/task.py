# SPDX-License-Identifier: Apache-2.0
"""Blind two-way comparison of two systems.

Reads any test set with two systems or more; every pair of systems whose outputs
differ is an item. Sides are random at every showing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import ClassVar, cast

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.starting import Starter
from tertium.campaigns.tasks.base import (
    AnswerError,
    ItemDraft,
    ItemJudgement,
    Origins,
    Task,
    TaskOption,
)
from tertium.campaigns.tasks.ranked import ranks_of, whole_panel
from tertium.campaigns.tasks.testsets import (
    digest,
    read_shown,
    testset_notes,
    two_or_more,
)
from tertium.judgements.judgement import Judgement, Place, Ranking
from tertium.notes import Note

__all__ = ["Pairs"]


class Pairs(Task):
    """Asks which of two translations is better."""

    name = "pairs"
    title = gettext_lazy("Two-way comparison")
    summary = gettext_lazy("Say which of two translations is better.")
    template = "pairs/page.html"
    script = "pairs/page.js"
    takes = Ranking
    declared_options: ClassVar[Mapping[str, TaskOption]] = {
        "source": TaskOption(True, "show the source"),
        "reference": TaskOption(True, "show the first reference"),
    }

    def notes(
        self, config: CampaignConfig, drafts: Sequence[ItemDraft]
    ) -> Sequence[Note]:
        """Return the notes of the test set's reader."""
        return testset_notes(config)

    def items(self, config: CampaignConfig) -> Iterator[ItemDraft]:
        """Yield an item for every pair of different outputs of a segment."""
        for shown in two_or_more(read_shown(config), config):
            # Equal outputs are one candidate, and share its judgement.
            for (text_a, by_a), (text_b, by_b) in combinations(
                sorted(shown.candidates.items()), 2
            ):
                yield ItemDraft(
                    key=f"{shown.segment[:180]}:{digest(text_a, text_b)}",
                    segment=shown.segment,
                    document=shown.document,
                    content={**shown.text(), "candidates": {"a": text_a, "b": text_b}},
                    origins={"a": by_a, "b": by_b},
                )

    def page(
        self, content: Mapping[str, object], options: Mapping[str, object], rng: Random
    ) -> dict[str, object]:
        """Return the two candidates, left and right."""
        sides = list(_candidates(content).items())
        rng.shuffle(sides)
        return {"sides": sides}

    def check(
        self,
        content: Mapping[str, object],
        answer: object,
        options: Mapping[str, object],
    ) -> dict[str, object]:
        """Return the answer: ``{"better": "a" | "b" | "equal"}``."""
        better = answer.get("better") if isinstance(answer, dict) else None
        if better not in ("a", "b", "equal"):
            raise AnswerError(
                _("Choose one of the translations, or say they are equal.")
            )
        return {"better": better}

    def records(self, judgement: ItemJudgement) -> Iterator[Judgement]:
        """Yield a ranking of two."""
        better = judgement.answer["better"]
        places = tuple(
            Place(
                systems=judgement.origins.get(key, ()),
                rank=1 if better in (key, "equal") else 2,
                text=str(text),
            )
            for key, text in _candidates(judgement.content).items()
        )
        yield Ranking(places, judgement.segment, **judgement.common())

    def part_of(
        self, content: Mapping[str, object], origins: Origins, record: Judgement
    ) -> Hashable | None:
        """Return the one question, if the record compares its candidates."""
        return whole_panel(_candidates(content), origins, record)

    def answer_of(
        self,
        content: Mapping[str, object],
        origins: Origins,
        parts: Sequence[tuple[Hashable, Judgement]],
        options: Mapping[str, object],
    ) -> object:
        """Return which candidate is better."""
        ranked = cast("Ranking", parts[0][1]).places
        ranks = ranks_of(_candidates(content), origins, ranked, garbage=False)
        a, b = cast("int", ranks["a"]), cast("int", ranks["b"])
        return {"better": "equal" if a == b else "a" if a < b else "b"}

    def starter(self) -> Starter:
        """Return a configuration on the demo test set."""
        return Starter("two-systems", "Which translation is better?", _INSTRUCTIONS)


_INSTRUCTIONS = """\
Read the source (and the reference, if there is one), then both translations.

- Choose the translation that gives the meaning of the source better.
- Look at the meaning first. Example: "She buy two books" is better than "She sold two
  books" if the source says that she bought them.
- Choose "equally good or bad" if neither is better.
"""


def _candidates(content: Mapping[str, object]) -> dict[str, str]:
    return cast("dict[str, str]", content["candidates"])
