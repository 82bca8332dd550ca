# SPDX-License-Identifier: Apache-2.0
"""Ranking of short segments (SegRanks; Macháček 2014).

An item is a sentence with all its segments, so that source and reference are read
once. Segments with one candidate need no judge.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import ClassVar, TypedDict, cast

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
    count_words,
    meta_of,
)
from tertium.campaigns.tasks.ranked import (
    check_ranks,
    keyed,
    keys_of,
    panel_page,
    places,
    ranks_of,
    same_order,
)
from tertium.campaigns.tasks.segranks.items import read_origins, read_sentences
from tertium.judgements.judgement import Judgement, Ranking
from tertium.text.detokenize import Detokenized, detokenize

__all__ = ["SegRanks"]

_STARTER = Path(__file__).parent / "starter"


class _Panel(TypedDict):
    """A segment in the content of an item."""

    part: str
    indices: list[int]
    candidates: dict[str, str]


class SegRanks(Task):
    """Asks to put translations of segments in order."""

    name = "segranks"
    title = gettext_lazy("Segment ranking")
    summary = gettext_lazy(
        "Put translations of short segments in order, from best to worst."
    )
    systems_file = True
    template = "segranks/page.html"
    script = "campaigns/ranking.js"
    takes = Ranking
    declared_options: ClassVar[Mapping[str, TaskOption]] = {
        "source": TaskOption(True, "show the whole source above the segments"),
        "reference": TaskOption(True, "show the reference"),
        "garbage": TaskOption(True, "have a row for unusable candidates"),
        "detokenise": TaskOption(
            True, "show punctuation as it is written, not as tokens"
        ),
    }

    def items(self, config: CampaignConfig) -> Iterator[ItemDraft]:
        """Yield an item for every sentence that has something to rank."""
        sentences = read_sentences(config.file(config.items))
        origins = read_origins(config.file(config.systems)) if config.systems else None
        for sentence in sentences:
            panels: list[_Panel] = []
            systems: dict[str, tuple[str, ...]] = {}
            for number, part in enumerate(sentence.to_rank):
                candidates = keyed(part.candidates, number)
                panels.append(
                    {
                        "part": part.text,
                        "indices": list(part.indices),
                        "candidates": candidates,
                    }
                )
                if origins is not None:
                    for key, text in candidates.items():
                        systems[key] = origins.of(sentence, part, text)
            if panels:
                yield ItemDraft(
                    key=sentence.name,
                    segment=sentence.name,
                    content={
                        "source": sentence.source,
                        "reference": sentence.reference,
                        "languages": [config.source, config.target],
                        "panels": panels,
                    },
                    origins=systems,
                )

    def describe(self, config: CampaignConfig) -> str:
        """Return what was left out."""
        sentences = read_sentences(config.file(config.items))
        segments = sum(len(sentence.parts) for sentence in sentences)
        ranked = sum(len(sentence.to_rank) for sentence in sentences)
        none = sum(not sentence.to_rank for sentence in sentences)
        report = f"{ranked} of {segments} segments to rank"
        if ranked < segments:
            report += f"; {segments - ranked} have one candidate at most"
        if none:
            report += (
                f"\n{none} of {len(sentences)} sentences left out: nothing to rank"
            )
        return f"{report}\n"

    def parts(self, content: Mapping[str, object]) -> int:
        """Return the number of segments."""
        return len(_panels(content))

    def words(
        self, content: Mapping[str, object], options: Mapping[str, object]
    ) -> int:
        """Return how many words the page shows, those of all segments."""
        return super().words(content, options) + sum(map(count_words, _keys(content)))

    def page(
        self, content: Mapping[str, object], options: Mapping[str, object], rng: Random
    ) -> dict[str, object]:
        """Return the texts as people read them, and a panel a segment."""
        source_language, target_language = cast("list[str]", content["languages"])
        shape = _detokenized if options["detokenise"] else _spaced
        source = shape(str(content["source"]), source_language)
        reference = shape(str(content["reference"]), target_language)
        panels = []
        for panel in _panels(content):
            shown = {
                key: shape(text, target_language).text
                for key, text in panel["candidates"].items()
            }
            panels.append(
                {
                    **panel_page(shown, rng, garbage=bool(options["garbage"])),
                    "pieces": source.pieces(panel["indices"]),
                }
            )
        return {"source": source.text, "reference": reference.text, "panels": panels}

    def check(
        self,
        content: Mapping[str, object],
        answer: object,
        options: Mapping[str, object],
    ) -> dict[str, object]:
        """Return the answer: a rank, or garbage, for every candidate."""
        return check_ranks(_keys(content), answer, garbage=bool(options["garbage"]))

    def agrees(
        self,
        content: Mapping[str, object],
        expected: Mapping[str, object],
        answer: Mapping[str, object],
    ) -> bool:
        """Return whether all orders are those expected."""
        return same_order(_keys(content), expected, answer)

    def records(self, judgement: ItemJudgement) -> Iterator[Judgement]:
        """Yield a ranking for every segment."""
        panels = _panels(judgement.content)
        times: dict[str, float] = {}
        if judgement.seconds is not None:
            # From the page to the submission, shared out among the segments.
            times["seconds"] = round(judgement.seconds / len(panels), 3)
            times["sentence_seconds"] = round(judgement.seconds, 3)
        ranked_words = sum(map(count_words, _keys(judgement.content)))
        for part, panel in _named_panels(judgement.content):
            if judgement.words is not None:  # what is there for all is shared out too
                shared = (judgement.words - ranked_words) / len(panels)
                times["words"] = round(count_words(panel["candidates"]) + shared, 1)
            common = judgement.common(
                indices=panel["indices"], segments=len(panels), **times
            )
            common["duration"] = times.get("seconds")
            ranked = places(panel["candidates"], judgement.origins, judgement.answer)
            yield Ranking(tuple(ranked), judgement.segment, part, **common)

    def part_of(
        self, content: Mapping[str, object], origins: Origins, record: Judgement
    ) -> Hashable | None:
        """Return the name of the segment whose candidates the record ranks."""
        if isinstance(record, Ranking):
            for part, panel in _named_panels(content):
                if part == record.part:
                    keys = keys_of(panel["candidates"], origins, record.places)
                    return None if keys is None else part
        return None

    def answer_of(
        self,
        content: Mapping[str, object],
        origins: Origins,
        parts: Sequence[tuple[Hashable, Judgement]],
        options: Mapping[str, object],
    ) -> object:
        """Return the ranks of all segments."""
        places_of = {part: cast("Ranking", record).places for part, record in parts}
        garbage = bool(options["garbage"])
        ranks: dict[str, int | str] = {}
        for part, panel in _named_panels(content):
            if part not in places_of:
                message = (
                    f"a ranking of the segment {part!r} is missing; a sentence is "
                    "judged with all its segments"
                )
                raise AnswerError(message)
            candidates = panel["candidates"]
            ranks |= ranks_of(candidates, origins, places_of[part], garbage=garbage)
        return {"ranks": ranks}

    def seconds_of(self, records: Sequence[Judgement]) -> float | None:
        """Return the time of the sentence, not that of a segment."""
        whole, part = meta_of(records[0]).get("sentence_seconds"), records[0].duration
        if isinstance(whole, int | float):
            return float(whole)
        return None if part is None else part * len(records)

    def starter(self) -> Starter:
        """Return an example: short sentences, and four systems that never were."""
        files = {
            file.name: file.read_text(encoding="utf-8")
            for file in sorted(_STARTER.iterdir())
            if file.is_file()
        }
        return Starter(
            "segments",
            "Short segments, English to Czech",
            files.pop("instructions.md"),
            target="cs",
            items="candidates.jsonl",
            systems="systems.tsv",
            reads="from `tertium parts project`; or six-column TSV",
            chooses="its --origins; no annotator sees them",
            examples=files,
        )


def _panels(content: Mapping[str, object]) -> list[_Panel]:
    return cast("list[_Panel]", content["panels"])


def _named_panels(content: Mapping[str, object]) -> Iterator[tuple[str, _Panel]]:
    """Yield the segments under the names that exports have for them."""
    seen = set()
    for panel in _panels(content):
        part = panel["part"]
        if part in seen:
            # The same words once more in the sentence: another segment, which
            # must not pass for a second judgement of the first.
            part = f"{part} [{' '.join(map(str, panel['indices']))}]"
        seen.add(part)
        yield part, panel


def _keys(content: Mapping[str, object]) -> list[dict[str, str]]:
    return [panel["candidates"] for panel in _panels(content)]


def _detokenized(text: str, language: str) -> Detokenized:
    return detokenize(text.split(), language)


def _spaced(text: str, language: str) -> Detokenized:  # noqa: ARG001
    spans, at = [], 0
    for word in text.split():
        spans.append((at, at + len(word)))
        at += len(word) + 1
    return Detokenized(" ".join(text.split()), tuple(spans))
