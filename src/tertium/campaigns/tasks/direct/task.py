# SPDX-License-Identifier: Apache-2.0
"""Direct assessment: how good one output is, from 0 to 100.

Reads any test set; every different output of a segment is an item. Attention checks
are made with the items (``twins.py``) and measured in ``checks.py``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, ClassVar, cast

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.starting import Starter
from tertium.campaigns.tasks.base import (
    AnswerError,
    ItemDraft,
    ItemJudgement,
    Origins,
    Section,
    Task,
    TaskOption,
)
from tertium.campaigns.tasks.testsets import testset_notes
from tertium.campaigns.tasks.twins import CHECKS, outputs_and_twins
from tertium.judgements.judgement import Judgement, Rating
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.campaigns.models import Campaign

__all__ = ["SCALE", "Direct"]

#: The scale of exports, as files of WMT have it.
SCALE = "DA"
_MOST = 100
_NEAR = 10  # points, which nobody can tell apart for sure


class Direct(Task):
    """Asks for a score of one translation."""

    name = "direct"
    title = gettext_lazy("Direct assessment")
    summary = gettext_lazy("Say how good a translation is, from 0 to 100.")
    template = "direct/page.html"
    script = "direct/page.js"
    takes = Rating
    scored = True
    declared_options: ClassVar[Mapping[str, TaskOption]] = {
        "source": TaskOption(True, "show the source"),
        "reference": TaskOption(False, "show the first reference"),
        "context": TaskOption(True, "show the source of the segment before"),
        "number": TaskOption(True, "show the score as a number"),
        "question": TaskOption("", "the question; empty for the usual one"),
        "low": TaskOption("", "what 0 means; empty for the usual words"),
        "high": TaskOption("", "what 100 means; empty for the usual words"),
        **CHECKS,
    }

    def notes(
        self, config: CampaignConfig, drafts: Sequence[ItemDraft]
    ) -> Sequence[Note]:
        """Return the notes of the test set's reader."""
        return testset_notes(config)

    def items(self, config: CampaignConfig) -> Iterator[ItemDraft]:
        """Return an item for every output of a segment, then the checks."""
        return outputs_and_twins(config, self.options(config))

    def page(
        self, content: Mapping[str, object], options: Mapping[str, object], rng: Random
    ) -> dict[str, object]:
        """Return nothing: the content and the options say all."""
        return {}

    def check(
        self,
        content: Mapping[str, object],
        answer: object,
        options: Mapping[str, object],
    ) -> dict[str, object]:
        """Return the answer: ``{"score": 0 to 100}``, an integer."""
        score = answer.get("score") if isinstance(answer, dict) else None
        if type(score) is not int or not 0 <= score <= _MOST:
            raise AnswerError(_("Give a score from 0 to 100."))
        return {"score": score}

    def agrees(
        self,
        content: Mapping[str, object],
        expected: Mapping[str, object],
        answer: Mapping[str, object],
    ) -> bool:
        """Return whether the score is near the one expected."""
        one, other = expected["score"], answer["score"]
        if not isinstance(one, int) or not isinstance(other, int):
            raise TypeError
        return abs(one - other) <= _NEAR

    def value(
        self, answer: Mapping[str, object], options: Mapping[str, object]
    ) -> dict[str, float]:
        """Return the score."""
        return {"output": float(str(answer["score"]))}

    def records(self, judgement: ItemJudgement) -> Iterator[Judgement]:
        """Yield a rating of every system that wrote the output."""
        score = judgement.answer["score"]
        if not isinstance(score, int):
            raise TypeError
        for system in judgement.origins.get("output", ()):
            yield Rating(
                system, float(score), SCALE, judgement.segment, **judgement.common()
            )

    def part_of(
        self, content: Mapping[str, object], origins: Origins, record: Judgement
    ) -> Hashable | None:
        """Return the system, if it wrote the output."""
        if not isinstance(record, Rating):
            return None
        if record.scale != SCALE:
            message = f"the scale is {record.scale!r}; only {SCALE} can be taken"
            raise AnswerError(message)
        return record.system if record.system in origins.get("output", ()) else None

    def answer_of(
        self,
        content: Mapping[str, object],
        origins: Origins,
        parts: Sequence[tuple[Hashable, Judgement]],
        options: Mapping[str, object],
    ) -> object:
        """Return the score, which systems that wrote the same must share."""
        scores = {cast("Rating", record).score for _, record in parts}
        if len(scores) > 1:
            names = ", ".join(str(name) for name, _ in parts)
            message = (
                f"{names} wrote the same here and have different scores; check the "
                "systems of the file"
            )
            raise AnswerError(message)
        (score,) = scores
        if not score.is_integer():
            message = f"the score {score} is not an integer from 0 to {_MOST}; round it"
            raise AnswerError(message)
        return {"score": int(score)}

    def report(self, campaign: Campaign) -> list[Section]:
        """Return what the attention checks say."""
        # Statistics load NumPy, which no page of an annotator needs.
        from tertium.campaigns.tasks.direct.report import check_section

        return [check_section(campaign)]

    def starter(self) -> Starter:
        """Return a configuration on the demo test set."""
        return Starter(
            "direct-assessment",
            "How good is the translation?",
            _INSTRUCTIONS,
            checks=True,
        )


_INSTRUCTIONS = """\
Read the source, then the translation.

- Ask how much of the meaning of the source the translation gives, and how well.
- Choose a number. 0 is the worst, 100 is perfect.
- Use the whole scale. Example: about 90 for one small mistake, about 50 if half of the
  meaning is lost, about 10 if only a few words are right.
- Drag the slider, use the arrow keys, or type the number.
- Judge every translation on its own, even if you have seen it before. Some appear
  twice.
"""
