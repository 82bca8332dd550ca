# SPDX-License-Identifier: Apache-2.0
"""Outputs with the judged outputs nearest to them, to look through and to filter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean
from typing import TypeAlias

from tertium._messages import count, quote
from tertium.judgements.reuse.results import (
    CarriedSpan,
    Neighbour,
    Reuse,
    SegmentEstimate,
)
from tertium.report.browser import (
    Choice,
    OutputBrowser,
    OutputSegment,
    output_browser,
)
from tertium.report.components import Component, Inline
from tertium.report.explain.components import Marked
from tertium.report.explain.surface import word_edits
from tertium.report.rendering import show
from tertium.report.reuse.components import Difference, JudgedOutput, ReusedOutput
from tertium.report.reuse.distances import edits

__all__ = ["Report", "browser", "differences", "outcome", "with_marks"]

#: Called with what is counted, how many are done, and their total.
Report: TypeAlias = Callable[[str, int, "int | None"], None]

_NEAREST = 3  # judged outputs that are listed per output
_NEAR = 10  # edits, or a tenth of the characters: about one or two words
_OUTCOMES = (
    ("judged", "✓", "judged before"),
    ("near", "≈", "near a judged output"),
    ("far", "✗", "far from judged outputs"),
)
_DISTANCES = (("1", "not judged before"), ("10", "10 edits or more"),
              ("50", "50 edits or more"))  # fmt: skip
_ORDERS = (
    ("expensive", "farthest first"),
    ("disagreement", "where systems differ most"),
)


def browser(
    result: Reuse,
    sources: Mapping[str, str],
    digits: int,
    *,
    progress: Report | None = None,
) -> OutputBrowser:
    """Return all outputs by segment, in the order of the result.

    Parameters
    ----------
    result : Reuse
    sources : mapping of str to str
        Source texts by segment, as far as they are known.
    digits : int
        Decimal places of scores.
    progress : callable, optional
        Called with what is counted, how many are done, and their total.
    """
    names = [each.system for each in result.systems]
    by_segment: dict[str, list[_Output]] = {}
    for place, system in enumerate(result.systems):
        for output in _outputs(system.system, place, system.segments):
            by_segment.setdefault(output.segment, []).append(output)
    segments = []
    for name, outputs in by_segment.items():
        segments.append(_segment(name, sources.get(name), outputs, digits))
        if progress is not None:
            progress("segments", len(segments), len(by_segment))
    return output_browser(_choices(names), names, segments)


def outcome(output: SegmentEstimate) -> int:
    """Return whether an output was judged (0), is near a judged one (1), or not (2).

    It is near if at most a tenth of its characters, or ten, are edited.
    """
    if output.hit or output.distance == 0:
        return 0
    if output.distance is None:
        return 2
    return 1 if output.distance <= max(_NEAR, len(output.text) // 10) else 2


def differences(judged: str, text: str) -> list[Difference]:
    """Return the word edits that turn a judged output into another one.

    Text without spaces is compared character by character.

    Examples
    --------
    >>> differences("the cat sat", "a cat sat")
    [('the', 'a', False), ('cat', 'cat', True), ('sat', 'sat', True)]
    """
    spaced = " " in judged.strip() or " " in text.strip()
    old, new = (each.split() if spaced else list(each) for each in (judged, text))
    return [
        (
            None if edit.hyp is None else old[edit.hyp],
            None if edit.ref is None else new[edit.ref],
            edit.operation == "keep",
        )
        for edit in word_edits(old, new)
    ]


@dataclass(frozen=True)
class _Output:
    """An output with all its estimates: a segment may have been ranked repeatedly."""

    system: str
    place: int
    segment: str
    estimates: Sequence[SegmentEstimate]

    @property
    def first(self) -> SegmentEstimate:
        # Rankings have different candidates: the nearest of all is what counts.
        return min(
            self.estimates,
            key=lambda each: float("inf") if each.distance is None else each.distance,
        )

    def mean(self, values: str) -> float | None:
        known = [
            value
            for each in self.estimates
            if (value := getattr(each, values)) is not None
        ]
        return fmean(known) if known else None

    def nearest(self) -> list[Neighbour]:
        """Return the nearest judged outputs, each once with its mean value."""
        groups: dict[tuple[tuple[str, ...], str], list[Neighbour]] = {}
        for each in self.estimates:
            for neighbour in each.nearest:
                groups.setdefault((neighbour.systems, neighbour.text), []).append(
                    neighbour
                )
        merged = [
            Neighbour(systems, text, each[0].distance, fmean(n.value for n in each))
            for (systems, text), each in groups.items()
        ]
        return sorted(merged, key=lambda each: each.distance)


def _outputs(
    system: str, place: int, estimates: Sequence[SegmentEstimate]
) -> Iterator[_Output]:
    groups: dict[tuple[str, str], list[SegmentEstimate]] = {}
    for each in estimates:
        groups.setdefault((each.segment, each.text), []).append(each)
    for (segment, _), group in groups.items():
        yield _Output(system, place, segment, group)


def _segment(
    name: str, source: str | None, outputs: Sequence[_Output], digits: int
) -> tuple[OutputSegment, dict[str, object]]:
    """Return a segment, and its data for the script."""
    rows = [_row(output, digits) for output in outputs]
    hits = sum(outcome(output.first) == 0 for output in outputs)
    about = f"{hits} of {count(len(rows), 'output')} judged before"
    segment = OutputSegment(
        source or name, f"{name} · {about}" if source else about, rows
    )
    data: dict[str, object] = {
        "t": "",
        "h": show(segment),
        "r": [
            {
                "s": [output.place],
                "c": output.first.distance or 0,
                "k": [outcome(output.first)],
                "x": _searched(name, source, output),
                "h": show(row),
            }
            for output, row in zip(outputs, rows, strict=True)
        ],
    }
    return segment, data


def _row(output: _Output, digits: int) -> ReusedOutput:
    first = output.first
    key, sign, _ = _OUTCOMES[outcome(first)]
    label = "hit" if key == "judged" else "miss"
    if key != "judged" and first.distance is not None:
        label += f", {edits(first.distance)}"
    nearest = output.nearest()
    return ReusedOutput(
        output.system,
        key,
        sign,
        label,
        with_marks(first.text, first.spans),
        _score(output.mean("predicted"), digits),
        _true(output.mean("true"), digits),
        [_judged(each, first.text, digits) for each in nearest[:_NEAREST]],
        [_error(span, first.text) for span in first.spans],
    )


def with_marks(text: str, spans: Sequence[CarriedSpan]) -> Inline:
    """Return a text in which every character of a span is marked.

    Examples
    --------
    >>> spans = [CarriedSpan(2, 5, "style", "minor", "A")]
    >>> with_marks("a big cat", spans)
    ['a ', Marked(text='big', look='carried'), ' cat']
    """
    if not spans:
        return text
    marked = [
        any(span.start <= i < span.end for span in spans) for i in range(len(text))
    ]
    pieces: list[str | Component] = []
    for inside, group in groupby(range(len(text)), marked.__getitem__):
        piece = "".join(text[i] for i in group)
        pieces.append(Marked(piece, "carried") if inside else piece)
    return pieces


def _error(span: CarriedSpan, text: str) -> str:
    kind = ", ".join(part for part in (span.category, span.severity) if part)
    words = quote(text[span.start : span.end])
    return f"{words}: {kind or 'error'}, as marked for {span.system}"


def _judged(each: Neighbour, text: str, digits: int) -> JudgedOutput:
    return JudgedOutput(
        ", ".join(each.systems),
        differences(each.text, text) if each.text != text else (),
        edits(each.distance),
        _score(each.value, digits),
    )


def _score(value: float | None, digits: int) -> str:
    return "n/a" if value is None else f"{value:.{digits}f}"


def _true(value: float | None, digits: int) -> str:
    return "" if value is None else f"judged {value:.{digits}f}"


def _searched(name: str, source: str | None, output: _Output) -> str:
    """Return what an output can be found by."""
    return f"{name} {source or ''} {output.first.text} ".casefold()


def _choices(names: Sequence[str]) -> list[Choice]:
    systems = [(str(place), name) for place, name in enumerate(names)]
    kinds = [(str(place), words) for place, (_, _, words) in enumerate(_OUTCOMES)]
    return [
        Choice("system", "System", "all systems", systems),
        Choice("kind", "Outputs", "all", kinds),
        Choice("least", "Distance", "any", _DISTANCES),
        Choice("order", "Order", "as in the test set", _ORDERS),
    ]
