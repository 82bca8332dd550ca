# SPDX-License-Identifier: Apache-2.0
"""The look of lines: tokenised text, and lengths far from the norm."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tertium.data.checks.base import Check, Tallies
from tertium.data.checks.report import Finding, degree, finding
from tertium.data.checks.survey import Facts, Survey
from tertium.data.checks.view import Column, View

__all__ = ["Length", "Tokenised"]

# No other mark than comma and full stop: French and Hindi set spaces before some.
_TOKENISED = re.compile(
    r"\w [.,](?=\s|$)"
    r"|&(?:apos|quot|amp|lt|gt|#124|#91|#93);"
    r"|@-@|@@(?=\s|$)|▁"
    r"|\w (?:n't|'(?:s|re|ve|ll|d|m))(?=\s|$)"
    r"|[\u4e00-\u9fff\u3040-\u30ff] [\u4e00-\u9fff\u3040-\u30ff].*"
    r"[\u4e00-\u9fff\u3040-\u30ff] [\u3002\uff0c\u4e00-\u9fff\u3040-\u30ff]"
)
_MARK = re.compile(r"[.,&@\u3002\uff0c▁]")
_OFTEN = 0.4
_RARELY = 0.1

_FAR = 3.0  # Times longer or shorter than usual.
_LETTERS = 40  # Characters more or fewer than usual.
_NORM = 10  # Segments that make a norm.
_LOOP = 4  # Times a word is repeated in a row, or on average in a long segment.


class Tokenised(Check):
    """Tokenised texts on one side, or a note that both are."""

    def __init__(self) -> None:
        self.numbers = Tallies()
        self.marked: Counter[str] = Counter()

    def look(self, view: View) -> None:
        """Take a chunk."""
        for column in view.targets:
            self.numbers[column.where].extend(
                n for n, text in column.items() if _TOKENISED.search(text)
            )
            self.marked[column.where] += sum(
                1 for text in column.texts if _MARK.search(text)
            )

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield these texts."""
        shares = {column: self._share(column) for column in survey.targets}
        for mine, others in (
            (survey.systems, survey.references),
            (survey.references, survey.systems),
        ):
            plain = min((shares[column] for column in others), default=0.0)
            for column in mine:
                if shares[column] < _OFTEN or plain > _RARELY:
                    continue
                percent = f"{100 * shares[column]:.0f} %"
                yield finding(
                    "tokenised",
                    "warning" if others else "note",
                    where=column.where,
                    what=f"tokenised or escaped in {percent} of the segments"
                    + (", unlike the other side" if others else ""),
                    cure="detokenise it: metrics tokenise on their own",
                    numbers=self.numbers[column.where],
                )
        if survey.references and survey.systems and min(shares.values()) >= _OFTEN:
            yield Finding(
                "tokenised",
                "note",
                ", ".join(column.where for column in survey.targets),
                "all texts are tokenised; detokenise them, or give the metrics "
                "tokenize=none where they know it",
                count=survey.segments,
            )

    def _share(self, column: Facts) -> float:
        """Return the share of tokenised among the segments that could show it."""
        number = len(self.numbers[column.where])
        share = number / max(self.marked[column.where], number, 1)
        return share if number >= 3 else 0.0


class Length(Check):
    """Texts with segments of an odd length, or that loop."""

    def __init__(self) -> None:
        # Distinct ratios of lengths are few: texts are at most some hundred long.
        self.ratios: dict[str, Counter[float]] = defaultdict(Counter)
        self.norms: dict[str, float] = {}
        self.loops, self.outliers = Tallies(), Tallies()

    def look(self, view: View) -> None:
        """Take a chunk."""
        for column in view.targets:
            self.ratios[column.where].update(
                mine / other for _, mine, other in _lengths(view, column) if other
            )

    def needs_another_look(self, survey: Survey) -> bool:
        """Return whether there is a norm, or a system that may loop."""
        for where, ratios in self.ratios.items():
            if ratios.total() >= _NORM:
                self.norms[where] = _median(ratios)
        return bool(self.norms or survey.systems)

    def look_again(self, view: View, survey: Survey) -> None:
        """Look for segments that are far from the norm, and for loops."""
        whole = [
            reference
            for reference, facts in zip(
                view.references, survey.references, strict=False
            )
            if len(facts) == survey.segments
        ]
        for column in view.targets:
            loops = _loops(column, whole, view.start) if column in view.systems else []
            self.loops[column.where].extend(loops)
            norm = self.norms.get(column.where)
            if norm is None:
                continue
            skip = frozenset(loops)
            self.outliers[column.where].extend(
                number
                for number, mine, other in _lengths(view, column)
                if other and number not in skip and _is_far(mine, norm * other)
            )

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield both, system by system, and then of references."""
        for column in (*survey.systems, *survey.references):
            if loops := self.loops[column.where]:
                yield finding(
                    "length",
                    degree(len(loops), len(column)),
                    where=column.where,
                    what="the same words again and again",
                    cure="did the system loop there?",
                    numbers=loops,
                )
            if numbers := self.outliers[column.where]:
                yield finding(
                    "length",
                    degree(len(numbers), len(column)),
                    where=column.where,
                    what=f"more than {_FAR:g} times longer or shorter than usual",
                    cure="check whether text is missing or was added",
                    numbers=numbers,
                )


def _lengths(view: View, column: Column) -> Iterator[tuple[int, int, int]]:
    """Yield number, length and the length to compare it with of every segment."""
    against_references = column in view.systems and view.references
    for number, text in column.items():
        if text.strip():
            others = (
                view.refs_of(number)
                if against_references
                else (view.source_of(number),)
            )
            yield number, len(text), _nearest(len(text), others)


def _median(ratios: Counter[float]) -> float:
    """Return the median of values with their counts."""
    total, done = ratios.total(), 0
    middle: list[float] = []
    for ratio in sorted(ratios):
        done += ratios[ratio]
        if not middle and done > (total - 1) // 2:
            middle.append(ratio)
        if done > total // 2:
            return (middle[0] + ratio) / 2 if total % 2 == 0 else ratio
    return middle[0]


def _nearest(length: int, others: tuple[str, ...]) -> int:
    """Return the length of the text that is nearest in length, 0 if all are empty."""
    lengths = [len(other) for other in others if other.strip()]
    return min(lengths, key=lambda other: abs(other - length), default=0)


def _is_far(length: float, usual: float) -> bool:
    short, long = sorted((length, usual))
    return long > _FAR * short and long - short >= _LETTERS


def _loops(column: Column, references: Sequence[Column], start: int) -> list[int]:
    """Return the segments where a system loops, and no reference does."""
    return [
        number
        for number, words in zip(column.numbers, column.words, strict=True)
        if _is_loop(words)
        and not any(
            _is_loop(reference.words[number - start - 1]) for reference in references
        )
    ]


def _is_loop(words: Sequence[str]) -> bool:
    if len(words) < _LOOP or len(set(words)) > len(words) - _LOOP + 1:
        return False
    if len(words) >= 3 * _LOOP and _LOOP * len(set(words)) <= len(words):
        return True
    run = 1
    for before, word in pairwise(words):
        run = run + 1 if word == before else 1
        if run == _LOOP:
            return True
    return False
