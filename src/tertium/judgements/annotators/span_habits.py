# SPDX-License-Identifier: Apache-2.0
"""How each judge marks errors: how many, how long, how severe, how fast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import TYPE_CHECKING

from tertium.judgements.annotators.profiles import LONGEST

if TYPE_CHECKING:
    from tertium.judgements.agreement.spans.outputs import JudgedOutput

__all__ = ["SpanHabits", "span_habits"]


@dataclass(frozen=True)
class SpanHabits:
    """How one judge marks errors.

    Parameters
    ----------
    judge : str
    outputs, spans, missing : int
        Annotated outputs, spans with a place, and marks of missing content.
    error_free : float
        Share of outputs without an error.
    per_100_words : float, optional
        Errors per 100 words of output, where words are known.
    per_1000_characters : float, optional
        Errors per 1000 characters of output, where lengths are known.
    length : float, optional
        Median length of a span in characters.
    severities : dict of str to float
        Share of each severity among all errors.
    seconds : float, optional
        Median time per output, without outputs that took 600 s or more.
    words_per_second : float, optional
        Words of outputs over the time spent on them, of the same outputs.
    """

    judge: str
    outputs: int
    spans: int
    missing: int
    error_free: float
    per_100_words: float | None
    per_1000_characters: float | None
    length: float | None
    severities: dict[str, float]
    seconds: float | None
    words_per_second: float | None

    def to_dict(self) -> dict[str, object]:
        """Return what JSON shows."""
        return asdict(self)


def span_habits(judged: Sequence[JudgedOutput]) -> list[SpanHabits]:
    """Return the habits of every judge, sorted by name."""
    by_judge: dict[str, list[JudgedOutput]] = {}
    for one in judged:
        by_judge.setdefault(one.judge, []).append(one)
    return [_habits(name, by_judge[name]) for name in sorted(by_judge)]


def _habits(judge: str, judged: Sequence[JudgedOutput]) -> SpanHabits:
    notes = [one.annotation for one in judged]
    marks = [mark for one in notes for mark in one.marks]
    missing = [mark for one in notes for mark in one.missing]
    severities = [m.severity for m in marks] + [m.severity for m in missing]
    errors = [name.strip().lower() or "unknown" for name in severities]
    counts = Counter(errors)
    worded = [one for one in judged if one.words is not None]
    words = sum(one.words or 0 for one in worded)
    in_worded = sum(_errors(one) for one in worded)
    measured = [one for one in judged if one.annotation.length is not None]
    characters = sum(one.length for one in measured)
    in_measured = sum(_errors(one) for one in measured)
    timed = [
        one for one in judged if one.seconds is not None and 0 < one.seconds < LONGEST
    ]
    read = [one for one in timed if one.words is not None]
    spent = sum(one.seconds or 0.0 for one in read)
    return SpanHabits(
        judge,
        len(judged),
        len(marks),
        len(missing),
        sum(one.error_free for one in notes) / len(judged),
        100 * in_worded / words if words else None,
        1000 * in_measured / characters if characters else None,
        median(mark.end - mark.start for mark in marks) if marks else None,
        {name: counts[name] / len(errors) for name in sorted(counts)},
        median(one.seconds or 0.0 for one in timed) if timed else None,
        sum(one.words or 0 for one in read) / spent if spent else None,
    )


def _errors(one: JudgedOutput) -> int:
    return len(one.annotation.marks) + len(one.annotation.missing)
