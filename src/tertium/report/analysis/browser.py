# SPDX-License-Identifier: Apache-2.0
"""The segments of a report with all outputs, to sort, to filter and to look through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium._messages import count
from tertium.analysis.report import SystemReport
from tertium.analysis.word_errors import KINDS
from tertium.analysis.words import spans
from tertium.report.analysis.data import document_of, segment_data
from tertium.report.analysis.origins import first_runs, sentence_bleu
from tertium.report.analysis.trained_losses import loss_scope
from tertium.report.browser import FIRST, Choice, OutputBrowser, OutputSegment, packed
from tertium.report.components import Component, Inline, Text
from tertium.report.draw.lettering import minus
from tertium.report.explain.components import Marked

__all__ = ["SegmentBrowser", "SystemRow", "segment_browser"]

_ORDERS = (
    ("gap", "largest gap"),
    ("gain", "largest gain"),
    ("loss", "largest loss"),
    ("low", "lowest score"),
    ("high", "highest score"),
    ("disagreement", "metrics disagree"),
    ("short", "shortest"),
    ("long", "longest"),
)
_FIELDS = (
    ("source", "source"),
    ("reference", "references"),
    ("output", "outputs"),
)
#: How a word with an error looks, by flag; the first that applies.
_LOOKS = ((8, "extra"), (4, "replaced"), (1, "form"), (2, "moved"))


@dataclass(frozen=True)
class SystemRow(Component):
    """An output with its errors and scores.

    Parameters
    ----------
    name : str
    text : Inline
    missing : sequence of str
        Words of the reference that it does not have.
    scores : sequence of (str, str)
        Names of metrics and scores; the first one is shown large.
    plain : bool
        Whether it is the source or a reference, not an output.
    """

    name: str
    text: Inline
    missing: Sequence[str] = ()
    scores: Sequence[tuple[str, str]] = ()
    plain: bool = False
    macro: ClassVar[str] = "system_row"


@dataclass(frozen=True)
class SegmentBrowser(OutputBrowser):
    """Segments with all outputs: the first as HTML, all of them as data.

    Parameters
    ----------
    orders : sequence of Choice
        What sorts the segments, besides what filters them.
    """

    orders: Sequence[Choice] = ()
    macro: ClassVar[str] = "segment_browser"


def segment_browser(report: SystemReport) -> Iterator[Component]:
    """Yield what the marks mean, and the browser."""
    marks = [
        Marked("another form", "form"),
        Marked("another place", "moved"),
        Marked("another word", "replaced"),
        Marked("an extra word", "extra"),
    ]
    first = ", those in focus first" if len(report.testset.systems) > 2 else ""
    pieces: list[str | Component] = [f"All outputs side by side{first}. Marked: "]
    for mark in marks:
        pieces += [mark, ", "]
    pieces[-1] = (
        "; words of the reference that an output lacks are listed below it. Keys: j, k "
        f"go to the next and the previous segment, / searches.{first_runs(report)}"
        f"{sentence_bleu(report)}{loss_scope(report)}"
    )
    yield Text(pieces)
    data = {**segment_data(report), "first": FIRST}
    yield SegmentBrowser(
        choices=list(_filters(report)),
        segments=[_Segment(report, n).shown() for n in range(_first(report))],
        total=len(report.testset),
        data=data,
        packed=packed(data),
        example="word “a phrase”",
        orders=list(_orders(report)),
    )


def _first(report: SystemReport) -> int:
    return min(FIRST, len(report.testset))


class _Segment:
    """A segment as the page shows it before its script runs."""

    def __init__(self, report: SystemReport, number: int) -> None:
        self._report, self._number = report, number

    def shown(self) -> OutputSegment:
        """Return the segment with one row per text."""
        report, number = self._report, self._number
        testset = report.testset
        references = testset.references[number]
        rows = []
        if testset.sources is not None:
            rows.append(SystemRow("source", testset.sources[number], plain=True))
        for place, text in enumerate(references, start=1):
            name = "reference" if len(references) == 1 else f"reference {place}"
            rows.append(SystemRow(name, text, plain=True))
        names = dict.fromkeys([*report.focus, *report.comparison.scores.ranked()])
        rows += [self._output(name) for name in names]
        about = [count(len(spans(references[0])), "reference word")]
        if testset.docs is not None:
            about.insert(0, testset.docs[number])
        key = f"segment-{number + 1}"
        return OutputSegment(f"Segment {number + 1}", " · ".join(about), rows, key)

    def _output(self, name: str) -> SystemRow:
        report, number = self._report, self._number
        labels, testset = report.labels[name], report.testset
        place = list(testset.systems).index(name)
        reference = testset.references[number][labels.chosen[number]]
        missing = [
            reference[start:end]
            for (start, end), flags in zip(
                spans(reference), labels.reference[number], strict=True
            )
            if flags & 8
        ]
        table = report.comparison.scores
        scores = [
            (
                table.labels[spec],
                minus(info.show(_score(report.segments[spec], place, number))),
            )
            for spec, info in table.metrics.items()
        ]
        text = testset.systems[name][number]
        return SystemRow(name, _marked(text, labels.output[number]), missing, scores)


def _score(scores: np.ndarray, place: int, number: int) -> float:
    return float(scores[place, number])


def _marked(text: str, flags: bytes) -> Inline:
    """Return a text whose words with errors are marked."""
    pieces: list[str | Component] = []
    done = 0
    for (start, end), flag in zip(spans(text), flags, strict=True):
        look = next((look for bit, look in _LOOKS if flag & bit), "")
        if look:
            pieces += [text[done:start], Marked(text[start:end], look)]
            done = end
    return [*pieces, text[done:]]


def _filters(report: SystemReport) -> Iterator[Choice]:
    habits = [habit.name for habit in report.habits]
    errors = [(str(n), name) for n, name in enumerate([*KINDS, *habits])]
    groups = [
        (str(number), f"{bucket.group.kind}: {bucket.group.label}")
        for number, bucket in enumerate(report.buckets)
        if document_of(report, bucket) is None
    ]
    fields = [
        (value, words)
        for value, words in _FIELDS
        if value != "source" or report.testset.sources is not None
    ]
    yield Choice("field", "In", "anywhere", fields)
    yield Choice("error", "Error", "any or none", errors)
    if groups:
        yield Choice("group", "Group", "all segments", groups)
    if report.testset.docs is not None:
        documents = dict.fromkeys(report.testset.docs)
        options = [(str(number), name) for number, name in enumerate(documents)]
        yield Choice("document", "Document", "all", options)


def _orders(report: SystemReport) -> Iterator[Choice]:
    names = list(report.testset.systems)
    table = report.comparison.scores
    labels = table.labels.values()
    systems = [(str(names.index(name)), name) for name in table.ranked()]
    metrics = [(str(number), label) for number, label in enumerate(labels)]
    yield Choice("order", "Order", "test set order", _ORDERS)
    yield Choice("metric", "Metric", "", metrics)
    yield Choice("system", "System", f"any ({report.focus[0]})", systems)
    yield Choice("other", "Against", report.focus[1], systems)
    yield Choice("marks", "Marks", "errors", [("other", "differences from it")])
    rows = [("pair", "the two systems"), ("hits", "those that match")]
    yield Choice("rows", "Show", "all outputs", rows)
