# SPDX-License-Identifier: Apache-2.0
"""Error marks that an unjudged output inherits from judged ones.

A mark is carried over if the marked text and its context occur in the other output: the
words that the mark touches and one whole word on either side of them, if there is
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tertium.judgements.judgement import NO_ERROR
from tertium.judgements.reuse.results import CarriedSpan
from tertium.judgements.segment_names import segment_names, with_names

if TYPE_CHECKING:
    from tertium.judgements.reuse.nearest import Target
    from tertium.judgements.reuse.results import SystemEstimate
    from tertium.judgements.tables import Judgements

__all__ = ["Mark", "carried", "marks_of", "with_spans"]

_WORD = re.compile(r"\S+")


class Mark(NamedTuple):
    """An error that a judge marked in the output of a system."""

    system: str
    start: int
    end: int
    category: str
    severity: str


def marks_of(judgements: Judgements) -> dict[str, list[Mark]]:
    """Return the marks in outputs by segment; those without a place are left out."""
    import polars as pl

    table = judgements.spans.filter(
        (pl.col("side").cast(pl.String) == "target")
        & pl.col("start").is_not_null()
        & (pl.col("end") > pl.col("start"))
    )
    columns = ("name", "system", "start", "end", "category", "severity")
    frame = (
        with_names(table, segment_names(table))
        .select(
            pl.col("name", "system", "category", "severity").cast(pl.String),
            "start",
            "end",
        )
        .select(columns)
        .collect()
    )
    marks: dict[str, list[Mark]] = {}
    for name, *rest in frame.iter_rows():
        mark = Mark(*rest)
        if (mark.severity or "").lower() not in NO_ERROR:
            marks.setdefault(name, []).append(mark)
    return marks


def carried(
    text: str, marks: Iterable[Mark], outputs: Mapping[str, str]
) -> tuple[CarriedSpan, ...]:
    """Return the marks that an output inherits, in order, each once.

    Parameters
    ----------
    text : str
        The unjudged output.
    marks : iterable of Mark
    outputs : mapping of str to str
        The judged outputs by system.

    Examples
    --------
    >>> mark = Mark("A", 6, 9, "Accuracy", "Major")
    >>> carried("see one big cat sat", [mark], {"A": "see a big cat run"})
    ()
    >>> carried("see a big cat sat", [mark], {"A": "see a big cat run"})
    (CarriedSpan(start=6, end=9, category='Accuracy', severity='Major', system='A'),)
    """
    spans: dict[tuple[int, int, str, str], CarriedSpan] = {}
    for mark in marks:
        judged = outputs.get(mark.system)
        if judged is None or mark.end > len(judged):
            continue
        left, right = _context(judged, mark.start, mark.end)
        place = _occurrence(text, judged, left, right)
        if place is None:
            continue
        start = place + mark.start - left
        end = start + mark.end - mark.start
        key = start, end, mark.category, mark.severity
        spans.setdefault(key, CarriedSpan(*key, mark.system))
    return tuple(spans[key] for key in sorted(spans))


def with_spans(
    estimate: SystemEstimate, target: Target, marks: Mapping[str, Sequence[Mark]]
) -> SystemEstimate:
    """Return an estimate whose outputs have the error marks that they inherit.

    Marks of the system itself are not used.
    """
    if not marks:
        return estimate
    outputs: dict[str, dict[str, str]] = {}
    for annotation in target.annotations:
        texts = outputs.setdefault(annotation.segment, {})
        for output in annotation.without(target.system):
            texts.update(dict.fromkeys(output.systems, output.text))
    for texts in outputs.values():
        texts.pop(target.system, None)
    segments = tuple(
        replace(
            each,
            spans=carried(
                each.text, marks.get(each.segment, ()), outputs[each.segment]
            ),
        )
        for each in estimate.segments
    )
    return replace(estimate, segments=segments)


def _context(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the words around a mark start and end."""
    words = [match.span() for match in _WORD.finditer(text)]
    touched = [i for i, (a, b) in enumerate(words) if a < end and b > start]
    if not touched:
        return start, end
    first, last = max(touched[0] - 1, 0), min(touched[-1] + 1, len(words) - 1)
    return words[first][0], words[last][1]


def _occurrence(text: str, judged: str, left: int, right: int) -> int | None:
    """Return where a stretch of a judged output first occurs as whole words."""
    match = re.search(rf"(?<!\S){re.escape(judged[left:right])}(?!\S)", text)
    return None if match is None else match.start()
