# SPDX-License-Identifier: Apache-2.0
"""Texts and ids that occur more than once.

Of sources and ids only hashes are kept: 17 and 8 bytes per segment.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence

from tertium._messages import quote
from tertium.data.checks.base import Check
from tertium.data.checks.report import Finding, finding
from tertium.data.checks.survey import Facts, Survey
from tertium.data.checks.tally import FrequentTexts, Tally
from tertium.data.checks.view import View
from tertium.data.segment_ids import RepeatedIds, repeats

__all__ = ["Duplicates", "SegmentIds"]

_LONG = 4  # Shorter texts are often the same by right: names, figures, "Yes."
_MANY = 5


class SegmentIds(Check):
    """Segments with the id of an earlier one, of the same document if any."""

    def __init__(self) -> None:
        self.repeated = RepeatedIds()
        self.found: tuple[Sequence[int], Sequence[int]] = ([], [])
        self.id = ""

    def look(self, view: View) -> None:
        """Take a chunk."""
        self.repeated.add(view.testset)

    def needs_another_look(self, survey: Survey) -> bool:  # noqa: ARG002
        """Return whether there are any: the message shows the first id."""
        self.found = self.repeated.found()
        return bool(len(self.found[0]))

    def look_again(self, view: View, survey: Survey) -> None:  # noqa: ARG002
        """Take the id that the message shows."""
        place = self.found[1][0] - view.start - 1
        if view.testset.ids is not None and 0 <= place < len(view):
            self.id = view.testset.ids[place]

    def findings(self, survey: Survey) -> Iterator[Finding]:  # noqa: ARG002
        """Yield the segments."""
        firsts, numbers = self.found
        if len(firsts):
            tally = Tally(map(int, numbers[:10]))
            tally.count = len(numbers)
            yield finding(
                "ids",
                "warning",
                where="ids",
                what=f"ids that are taken, such as {quote(self.id)} of segment "
                f"{firsts[0]}",
                cure="judgements and layers are matched by id: give every segment its "
                "own",
                numbers=tally,
            )


class Duplicates(Check):
    """Repeated sources, and outputs given for many different segments."""

    def __init__(self) -> None:
        # Of every segment: hashes of source and references, and whether it is long.
        self.sources, self.references = array("q"), array("q")
        self.long = bytearray()
        self.frequent: dict[str, FrequentTexts] = defaultdict(FrequentTexts)
        self.answers: dict[str, dict[str, _Answer]] = {}

    def look(self, view: View) -> None:
        """Take a chunk."""
        if view.source is not None:
            self.sources.extend(map(hash, view.source.texts))
            self.references.extend(map(hash, view.testset.references))
            self.long.extend(len(each) >= _LONG for each in view.source.words)
        for column in view.targets:
            self.frequent[column.where].count(filter(str.strip, column.texts))

    def needs_another_look(self, survey: Survey) -> bool:
        """Return whether a text may stand for many segments."""
        for column in survey.targets:
            texts = self.frequent[column.where].candidates(_least(column))
            if texts:
                self.answers[column.where] = {text: _Answer() for text in texts}
        return bool(self.answers)

    def look_again(self, view: View, survey: Survey) -> None:  # noqa: ARG002
        """Count frequent texts exactly, and what they stand for."""
        for column in view.targets:
            answers = self.answers.get(column.where)
            if not answers:
                continue
            is_system = column in view.systems
            for number, text in column.items():
                if text in answers:
                    answer = answers[text]
                    answer.numbers.add(number)
                    refs = view.refs_of(number) if is_system else ()
                    answer.asked.append(hash((view.source_of(number), refs)))

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield both."""
        yield from self._repeated_sources()
        for column in (*survey.systems, *survey.references):
            answers = self.answers.get(column.where, {}).items()
            often = [
                (text, answer)
                for text, answer in answers
                if len(answer.numbers) >= _least(column)
            ]
            for text, answer in sorted(often, key=lambda pair: pair[1].numbers.first):
                numbers = answer.numbers
                if len(set(answer.asked)) >= max(_MANY, len(numbers) // 2):
                    yield finding(
                        "duplicates",
                        "warning",
                        where=column.where,
                        what=f"{quote(text)} stands for many different segments",
                        cure="did the system fail there?",
                        numbers=numbers,
                    )

    def _repeated_sources(self) -> Iterator[Finding]:
        same, other = Tally(), Tally()
        for before, number in zip(*repeats(self.sources), strict=True):
            if self.long[number - 1]:
                equal = self.references[before - 1] == self.references[number - 1]
                (same if equal else other).add(int(number))
        for numbers, which in ((same, "the same"), (other, "other")):
            if numbers:
                yield finding(
                    "duplicates",
                    "note",
                    where="source",
                    what=f"source repeated with {which} references",
                    cure="they count twice; drop them unless that is meant",
                    numbers=numbers,
                )


class _Answer:
    """Where a text stands, and hashes of what it stands for."""

    def __init__(self) -> None:
        self.numbers = Tally()
        self.asked = array("q")


def _least(column: Facts) -> int:
    return max(_MANY, len(column) // 100)
