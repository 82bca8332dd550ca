# SPDX-License-Identifier: Apache-2.0
"""Lines in the wrong place: a text that is shifted against the others.

A segment is compared with what all other texts of the target language have at its
place and up to three places away. The words that count are weighted by rarity, so
the majority decides who is shifted and function words decide nothing.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tertium.data.checks.base import Check
from tertium.data.checks.report import Finding
from tertium.data.checks.survey import Facts, Survey
from tertium.data.checks.tally import BoundedCounter
from tertium.data.checks.view import View

__all__ = ["Shifted"]

_REACH = 3  # Lines a text may be shifted by.
_RUN = 5  # Segments in a row that must fit better elsewhere.
_PURE = 0.8  # Share of a run that must agree.
_PATIENCE = 3  # Segments in a row that end a run.
_WORDS = 3  # Shorter segments have no vote.

# What a vote takes: at least this share of the words elsewhere, and so much more
# than in place. Aligned text has 0.3 to 0.9 in place and about 0.1 next to it.
_FITS = 0.4
_BETTER = 0.25


class _Run(NamedTuple):
    shift: int
    first: int
    last: int


class _Segment(NamedTuple):
    """The words of one segment: how many texts have each, and which every text has."""

    pool: Counter[str]
    words: Mapping[str, set[str]]


class Shifted(Check):
    """Runs of segments that belong some lines earlier or later."""

    needs = frozenset({"digest"})

    def __init__(self) -> None:
        # In how many segments any text has a word.
        self.segments_with = BoundedCounter()
        self.texts: list[str] = []
        self.runs: dict[str, _Runs] = {}
        self.number = 0  # The segment in the middle of the window, counted from 1.
        self.window: deque[_Segment | None] = deque(maxlen=2 * _REACH + 1)

    def look(self, view: View) -> None:
        """Take a chunk."""
        pools: list[set[str]] = [set() for _ in range(len(view))]
        for column in view.targets:
            for number, words in zip(column.numbers, column.words, strict=True):
                pools[number - view.start - 1].update(words)
        self.segments_with.count(word for pool in pools for word in pool)

    def needs_another_look(self, survey: Survey) -> bool:
        """Return whether there are texts to compare."""
        texts = _distinct(survey.targets)
        if len(texts) < 2:
            return False
        # Two texts that disagree accuse each other; the reference is then believed.
        believed = survey.references[:1] if len(texts) == 2 else []
        self.texts = [column.where for column in texts]
        self.runs = {
            column.where: _Runs() for column in texts if column not in believed
        }
        self.window.extend([None] * (2 * _REACH + 1))
        self.number = -_REACH
        return bool(self.runs)

    def look_again(self, view: View, survey: Survey) -> None:
        """Vote on the segments of a chunk."""
        pools: list[Counter[str]] = [Counter() for _ in range(len(view))]
        words_of: list[dict[str, set[str]]] = [{} for _ in range(len(view))]
        for column in view.targets:
            if column.where not in self.texts:
                continue
            for number, words in zip(column.numbers, column.words, strict=True):
                distinct = set(words)
                pools[number - view.start - 1].update(distinct)
                words_of[number - view.start - 1][column.where] = distinct
        for pool, by_text in zip(pools, words_of, strict=True):
            self._advance(_Segment(pool, by_text), survey.segments)

    def findings(self, survey: Survey) -> Iterator[Finding]:
        """Yield the runs of every text."""
        if not self.runs:
            return
        for _ in range(_REACH):
            self._advance(None, survey.segments)
        for where, runs in self.runs.items():
            runs.finish()
            for run in runs.found:
                yield _shifted(where, run)

    def _advance(self, segment: _Segment | None, segments: int) -> None:
        self.window.append(segment)
        self.number += 1
        middle = self.window[_REACH]
        if middle is None:
            return
        for where, runs in self.runs.items():
            if len(middle.words.get(where, ())) >= _WORDS:
                shift = self._vote(where, middle, segments)
                if shift is not None:
                    runs.add(self.number, shift)

    def _vote(self, where: str, middle: _Segment, segments: int) -> int | None:
        """Return the shift at which a segment fits, None if it fits nowhere."""
        counts = self.segments_with
        weights = {
            word: math.log(segments / max(counts[word], 1))
            for word in middle.words[where]
        }
        total = 0.0
        for weight in weights.values():
            total += weight

        def fit(shift: int) -> float:
            place = self.window[_REACH + shift]
            if place is None or not total:
                return 0.0
            mine = place.words.get(where, set())
            hit = 0.0
            for word, weight in weights.items():
                if place.pool[word] > (word in mine):
                    hit += weight
            return hit / total

        here = fit(0)
        # Most segments fit where they are and need no second look.
        if here >= 1 - _BETTER:
            return 0
        shifts = [k for k in range(-_REACH, _REACH + 1) if k]
        best, shift = max((fit(k), -abs(k), k) for k in shifts)[::2]
        if best >= max(_FITS, here + _BETTER):
            return shift
        return 0 if here >= best + _BETTER else None


def _distinct(columns: Sequence[Facts]) -> list[Facts]:
    """Return columns without copies, which would back each other up."""
    first: dict[bytes, Facts] = {}
    for column in columns:
        first.setdefault(column.digest, column)
    return list(first.values())


class _Runs:
    """Runs of votes for the same shift; a few others may be in between.

    Votes are kept, eight bytes each, only while they may be part of a run.

    Examples
    --------
    >>> runs = _Runs()
    >>> for number, shift in enumerate([0, 1, 1, 1, 0, 1, 1, 0, 0, 0], start=1):
    ...     runs.add(number, shift)
    >>> runs.found
    [_Run(shift=1, first=2, last=7)]
    """

    def __init__(self) -> None:
        self.found: list[_Run] = []
        self._votes = array("q")
        self._hits = 1
        self._last = 0  # The last vote for the shift of the first.
        self._next = 1  # The first vote that was not looked at.

    def add(self, number: int, shift: int) -> None:
        """Take the next vote."""
        if self._votes or shift:
            self._votes.append(8 * number + shift + _REACH)
            self._scan()

    def finish(self) -> None:
        """End the last run."""
        while self._votes:
            self._close()
            self._scan()

    def _vote(self, place: int) -> tuple[int, int]:
        number, shift = divmod(self._votes[place], 8)
        return number, shift - _REACH

    def _scan(self) -> None:
        while self._votes:
            shift = self._vote(0)[1]
            if not shift:
                self._drop(1)
                continue
            while self._next < len(self._votes):
                place = self._next
                self._next += 1
                if self._vote(place)[1] == shift:
                    self._hits, self._last = self._hits + 1, place
                elif place - self._last >= _PATIENCE:
                    break
            else:
                return
            self._close()

    def _close(self) -> None:
        """Decide whether the votes so far begin with a run."""
        if self._hits >= _RUN and self._hits >= _PURE * (self._last + 1):
            first, shift = self._vote(0)
            self.found.append(_Run(shift, first, self._vote(self._last)[0]))
            self._drop(self._last + 1)
        else:
            self._drop(1)

    def _drop(self, votes: int) -> None:
        del self._votes[:votes]
        self._hits, self._last, self._next = 1, 0, 1


def _shifted(where: str, run: _Run) -> Finding:
    lines = "1 line" if abs(run.shift) == 1 else f"{abs(run.shift)} lines"
    place, here, there = ("later", "missing", "too many")
    if run.shift < 0:
        place, here, there = ("earlier", "too many", "missing")
    return Finding(
        "shifted",
        "error",
        where,
        f"segments {run.first} to {run.last} fit {lines} {place} in the other texts; "
        f"look for {lines} {here} before segment {run.first}, or {there} in the others",
        count=run.last - run.first + 1,
        examples=tuple(range(run.first, run.last + 1)[:10]),
    )
