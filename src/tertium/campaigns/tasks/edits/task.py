# SPDX-License-Identifier: Apache-2.0
"""Edit positions: which tokens of an output must change (paraphrase grammars, C17).

Reads any test set; every different output of a segment is an item. Tokens are what
stands between white space; between them are gaps where something may be missing.
Attention checks are made with the items (``tasks/twins.py``) and measured in
``checks.py``.
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
from tertium.judgements.agreement.positions import token_spans
from tertium.judgements.judgement import Judgement, Span
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.campaigns.models import Campaign

__all__ = ["Edits"]

_CLEAN = "no-error"  # of a segment without an error, in all formats


class Edits(Task):
    """Asks to mark what must change in one translation."""

    name = "edits"
    title = gettext_lazy("Edit positions")
    summary = gettext_lazy("Mark the words of a translation that must change.")
    template = "edits/page.html"
    script = "edits/page.js"
    takes = Span
    many = True
    declared_options: ClassVar[Mapping[str, TaskOption]] = {
        "source": TaskOption(True, "show the source"),
        "reference": TaskOption(False, "show the first reference"),
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
        """Return the tokens; there is a gap before each, and one after the last."""
        text = _output(content)
        return {"tokens": [text[start:end] for start, end in token_spans(text)]}

    def check(
        self,
        content: Mapping[str, object],
        answer: object,
        options: Mapping[str, object],
    ) -> dict[str, object]:
        """Return the answer: ``{"tokens": [...], "gaps": [...], "none": bool}``.

        Gap ``i`` is the one before token ``i``.
        """
        if not isinstance(answer, dict):
            raise AnswerError(_("This is not a valid answer."))
        number = len(token_spans(_output(content)))
        tokens = _places(answer.get("tokens"), number)
        gaps = _places(answer.get("gaps"), number + 1)
        none = answer.get("none")
        if type(none) is not bool:
            raise AnswerError(_("This is not a valid answer."))
        if none == bool(tokens or gaps):
            raise AnswerError(
                _("Mark what must change, or say that there is nothing to change.")
            )
        return {"tokens": tokens, "gaps": gaps, "none": none}

    def records(self, judgement: ItemJudgement) -> Iterator[Judgement]:
        """Yield a span for every marked stretch, and an empty one for every gap."""
        text = _output(judgement.content)
        # Spans say nothing without their text; `places_of_spans` and MQM files want it.
        common = judgement.common(
            source=judgement.content.get("source", ""), target=text
        )
        marks = _spans(text, judgement.answer)
        for system in judgement.origins.get("output", ()):
            if not marks:
                yield Span(system, _CLEAN, _CLEAN, judgement.segment, **common)
            for category, start, end in marks:
                yield Span(
                    system,
                    category,
                    "edit",  # nobody was asked how bad it is
                    judgement.segment,
                    start,
                    end,
                    text=text[start:end],
                    **common,
                )

    def report(self, campaign: Campaign) -> list[Section]:
        """Return what the attention checks say."""
        from tertium.campaigns.tasks.edits.report import check_section

        return [check_section(campaign)]

    def part_of(
        self, content: Mapping[str, object], origins: Origins, record: Judgement
    ) -> Hashable | None:
        """Return the system, if it wrote the output."""
        if not isinstance(record, Span):
            return None
        if record.side != "target":
            message = f"a mark is in the {record.side}; only translations are marked"
            raise AnswerError(f"{message}: omit it")
        return record.system if record.system in origins.get("output", ()) else None

    def answer_of(
        self,
        content: Mapping[str, object],
        origins: Origins,
        parts: Sequence[tuple[Hashable, Judgement]],
        options: Mapping[str, object],
    ) -> object:
        """Return the tokens and gaps that spans cover, or that there are none."""
        text = _output(content)
        spans = token_spans(text)
        tokens: set[int] = set()
        gaps: set[int] = set()
        for _part, record in parts:
            mark = cast("Span", record)
            if mark.severity.lower() == _CLEAN:
                continue
            start, end = mark.start, mark.end
            if start is None or end is None or text[start:end] != (mark.text or ""):
                message = (
                    "a mark has no place in the output that is here; check the segment "
                    "and the system"
                )
                raise AnswerError(message)
            if start == end:
                # Behind the tokens that end there or before; 0 where text begins.
                gaps.add(sum(last <= start for _, last in spans))
            tokens |= {
                place
                for place, (first, last) in enumerate(spans)
                if first < end and start < last
            }
        return {
            "tokens": sorted(tokens),
            "gaps": sorted(gaps),
            "none": not tokens and not gaps,
        }

    def starter(self) -> Starter:
        """Return a configuration on the demo test set."""
        title = "What must change?"
        return Starter("edit-positions", title, _INSTRUCTIONS, checks=True)


def _output(content: Mapping[str, object]) -> str:
    text = content["output"]
    if not isinstance(text, str):
        raise TypeError
    return text


def _places(value: object, number: int) -> list[int]:
    """Return places below a number, in order and once each."""
    if not isinstance(value, list):
        raise AnswerError(_("This is not a valid answer."))
    for place in value:
        if type(place) is not int or not 0 <= place < number:
            raise AnswerError(_("A mark lies outside the translation."))
    return sorted(set(value))


def _spans(text: str, answer: Mapping[str, object]) -> list[tuple[str, int, int]]:
    """Return category, start and end of the marks, in the order of the text."""
    tokens, gaps = answer["tokens"], answer["gaps"]
    if not isinstance(tokens, list) or not isinstance(gaps, list):
        raise TypeError
    spans = token_spans(text)
    marks = [
        ("edit", spans[first][0], spans[last][1]) for first, last in _stretches(tokens)
    ]
    # A gap stands right behind the token before it; the first one where text begins.
    begin = spans[0][0] if spans else 0
    for gap in gaps:
        place = spans[gap - 1][1] if gap else begin
        marks.append(("missing", place, place))
    return sorted(marks, key=lambda mark: mark[1:])


def _stretches(tokens: Sequence[int]) -> list[tuple[int, int]]:
    """Return first and last of neighbours: the longest stretches.

    Examples
    --------
    >>> _stretches([0, 1, 4])
    [(0, 1), (4, 4)]
    """
    stretches: list[tuple[int, int]] = []
    for token in tokens:
        if stretches and stretches[-1][1] == token - 1:
            stretches[-1] = (stretches[-1][0], token)
        else:
            stretches.append((token, token))
    return stretches


_INSTRUCTIONS = """\
Read the source, then the translation. Mark everything that must change to make it
right, and nothing else.

- Mark wrong words. Example: "sold" if the source says "bought".
- Mark extra words. Example: one "the" in "the the house".
- Mark words in the wrong place. Example: "yesterday" in "She has yesterday bought it".
- Mark the **+** where a word is missing. Example: the + between "two" and "ago" in "two
  ago" if the source says "two days ago".
- Choose "Nothing to change" if the translation is right as it is.

Click or tap a word, or drag across several words. On the keyboard, move with the arrow
keys, mark with the space bar, and hold Shift with an arrow key to mark several words.
"""
