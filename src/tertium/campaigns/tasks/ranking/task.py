# SPDX-License-Identifier: Apache-2.0
"""Ranking of whole sentences, five at a time as WMT did (2007 to 2016).

Reads any test set. A screen has the outputs of some systems, equal ones merged.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar, cast

from django.utils.translation import gettext_lazy

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.starting import Starter
from tertium.campaigns.tasks.base import (
    ItemDraft,
    ItemJudgement,
    Origins,
    Task,
    TaskOption,
)
from tertium.campaigns.tasks.ranked import (
    check_ranks,
    keyed,
    panel_page,
    places,
    ranks_of,
    same_order,
    whole_panel,
)
from tertium.campaigns.tasks.ranking.sampler import SystemSampler
from tertium.campaigns.tasks.testsets import (
    digest,
    read_shown,
    testset_notes,
    two_or_more,
)
from tertium.judgements.judgement import Judgement, Ranking
from tertium.notes import Note

__all__ = ["SentenceRanking"]


class SentenceRanking(Task):
    """Asks to put translations of a sentence in order."""

    name = "ranking"
    title = gettext_lazy("Sentence ranking")
    summary = gettext_lazy("Put translations of a sentence in order, best to worst.")
    template = "ranking/page.html"
    script = "campaigns/ranking.js"
    takes = Ranking
    declared_options: ClassVar[Mapping[str, TaskOption]] = {
        "candidates": TaskOption(5, "systems on a screen", least=2, most=9),
        "screens": TaskOption(
            1, "screens per segment, each with its own systems", least=1, most=100
        ),
        "source": TaskOption(True, "show the source"),
        "reference": TaskOption(True, "show the first reference"),
        "context": TaskOption(False, "show the source of the sentence before"),
        "garbage": TaskOption(False, "have a row for unusable candidates"),
    }

    def notes(
        self, config: CampaignConfig, drafts: Sequence[ItemDraft]
    ) -> Sequence[Note]:
        """Return the notes of the test set's reader."""
        return testset_notes(config)

    def items(self, config: CampaignConfig) -> Iterator[ItemDraft]:
        """Yield an item for every screen: a segment and some of its systems."""
        options = self.options(config)
        segments = list(two_or_more(read_shown(config), config))
        # Sorted by name: samples do not depend on the order in the file.
        everyone = sorted({n for one in segments for n in _writers(one.candidates)})
        sampler = SystemSampler(
            everyone, cast("int", options["candidates"]), config.seed
        )
        for shown in segments:
            by = _writers(shown.candidates)

            def differ(names: tuple[str, ...], by: dict[str, str] = by) -> bool:
                return len({by[name] for name in names}) > 1

            for systems in sampler.sample(cast("int", options["screens"]), differ):
                candidates = keyed(by[name] for name in systems)
                origins = {
                    key: tuple(name for name in systems if by[name] == text)
                    for key, text in candidates.items()
                }
                yield ItemDraft(
                    key=f"{shown.segment[:180]}:{digest(*systems)}",
                    segment=shown.segment,
                    document=shown.document,
                    content={**shown.text(), "candidates": candidates},
                    origins=origins,
                )

    def page(
        self, content: Mapping[str, object], options: Mapping[str, object], rng: Random
    ) -> dict[str, object]:
        """Return the one panel."""
        garbage = bool(options["garbage"])
        return {"panel": panel_page(_candidates(content), rng, garbage=garbage)}

    def check(
        self,
        content: Mapping[str, object],
        answer: object,
        options: Mapping[str, object],
    ) -> dict[str, object]:
        """Return the answer: a rank for every candidate."""
        garbage = bool(options["garbage"])
        return check_ranks([_candidates(content)], answer, garbage=garbage)

    def agrees(
        self,
        content: Mapping[str, object],
        expected: Mapping[str, object],
        answer: Mapping[str, object],
    ) -> bool:
        """Return whether the order is the one expected."""
        return same_order([_candidates(content)], expected, answer)

    def records(self, judgement: ItemJudgement) -> Iterator[Judgement]:
        """Yield a ranking."""
        ranked = places(
            _candidates(judgement.content), judgement.origins, judgement.answer
        )
        yield Ranking(tuple(ranked), judgement.segment, **judgement.common())

    def part_of(
        self, content: Mapping[str, object], origins: Origins, record: Judgement
    ) -> Hashable | None:
        """Return the one panel, if the record ranks its candidates."""
        return whole_panel(_candidates(content), origins, record)

    def answer_of(
        self,
        content: Mapping[str, object],
        origins: Origins,
        parts: Sequence[tuple[Hashable, Judgement]],
        options: Mapping[str, object],
    ) -> object:
        """Return the ranks of a ranking."""
        ranked = cast("Ranking", parts[0][1]).places
        garbage = bool(options["garbage"])
        candidates = _candidates(content)
        return {"ranks": ranks_of(candidates, origins, ranked, garbage=garbage)}

    def starter(self) -> Starter:
        """Return a configuration on the demo test set."""
        title = "Put translations in order"
        return Starter("sentences", title, _INSTRUCTIONS, options={"context": True})


def _writers(candidates: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return what every system wrote."""
    return {name: text for text, names in candidates.items() for name in names}


def _candidates(content: Mapping[str, object]) -> dict[str, str]:
    return cast("dict[str, str]", content["candidates"])


_INSTRUCTIONS = """\
Read the source (and the reference, if there is one), then all translations.

- Put the best translation in rank 1: the one that gives the meaning of the source best.
- Put translations that are equally good in the same row. Example: two translations that
  differ only in a comma.
- Leave rows empty if you do not need them.
- Look at the meaning first. Example: "She buy two books" is better than "She sold two
  books" if the source says that she bought them.
"""
