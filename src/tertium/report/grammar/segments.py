# SPDX-License-Identifier: Apache-2.0
"""The outputs of a page with their corrections, to look through and to filter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium._messages import count
from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.records import SegmentRecord
from tertium.grammars.analysis.recurring import edit_groups
from tertium.grammars.search.edits import UNIT
from tertium.report.browser import (
    Choice,
    OutputBrowser,
    OutputSegment,
    output_browser,
)
from tertium.report.grammar.categories import CATEGORIES, of_kind
from tertium.report.grammar.components import OutputRow
from tertium.report.grammar.correction import correction_tokens, edit_words
from tertium.report.rendering import show

__all__ = ["browser", "output_row"]

_SHOWN = 6  # alternatives of an output that are listed
_COSTS = (("0.0001", "needs an edit"), ("0.5", "0.5 or more"), ("1", "1 or more"),
          ("2", "2 or more"))  # fmt: skip
_ORDERS = (
    ("expensive", "most expensive first"),
    ("disagreement", "where systems differ most"),
)


def browser(evaluation: Evaluation) -> OutputBrowser:
    """Return the form, the first segments, and the data of all."""
    names = [system.name for system in evaluation.ranking]
    segments = [
        _Segment([evaluation.records[name][place] for name in names], evaluation)
        for place in range(len(next(iter(evaluation.records.values()), ())))
    ]
    return output_browser(
        list(_choices(evaluation, names)),
        names,
        [(segment.component, segment.data()) for segment in segments],
        example="a word, or wrong>right",
    )


class _Segment:
    """A segment with the outputs of all systems, equal ones together."""

    def __init__(self, records: Sequence[SegmentRecord], whole: Evaluation) -> None:
        first = records[0]
        groups: dict[str, list[int]] = {}
        for place, record in enumerate(records):
            groups.setdefault(record.hyp, []).append(place)
        humans = {system.name for system in whole.systems if system.human}
        self.template = first.template
        self.places = list(groups.values())
        self.records = [records[places[0]] for places in self.places]
        constructions = ", ".join(first.source_constructions)
        self.component = OutputSegment(
            first.source or first.id,
            " · ".join(part for part in (first.id, constructions) if part),
            [
                output_row(record, [(name, name in humans) for name in names])
                for record, names in zip(
                    self.records,
                    ([records[p].system for p in places] for places in self.places),
                    strict=True,
                )
            ],
        )

    def data(self) -> dict[str, object]:
        """Return the segment for the script, with the HTML of its rows."""
        parts = zip(self.places, self.records, self.component.rows, strict=True)
        return {
            "t": self.template,
            "h": show(self.component),
            "r": [
                {
                    "s": places,
                    "c": record.cost / UNIT,
                    "k": sorted(_categories(record)),
                    "x": _searched(record),
                    "h": show(row),
                }
                for places, record, row in parts
            ],
        }


def output_row(record: SegmentRecord, systems: Sequence[tuple[str, bool]]) -> OutputRow:
    """Return an output with its correction.

    Parameters
    ----------
    record : SegmentRecord
    systems : sequence of (str, bool)
        The systems that produced it, and whether each is human.
    """
    others = len(record.alternatives)
    summary = "reference"
    if others:
        summary += f" and {count(others, 'other correction')}"
    return OutputRow(
        systems,
        correction_tokens(record),
        record.hyp,
        any(change.moved for change in record.best.changes),
        f"{record.cost / UNIT:.2f}" if record.cost else "correct",
        not record.cost,
        ", ".join(record.constructions),
        summary,
        list(_facts(record)),
        [
            (f"{other.cost / UNIT:.2f}", " ".join(other.ref))
            for other in record.alternatives[:_SHOWN]
        ],
        max(0, others - _SHOWN),
    )


def _facts(record: SegmentRecord) -> Iterator[tuple[str, str]]:
    yield "Output", record.hyp
    yield "Reference", " ".join(record.best.reference)
    words = count(record.ref_len, "word")
    yield "Cost", f"{record.cost / UNIT:g} for {words}, {record.score:.3f} per word"
    if record.constructions:
        yield "Construction", ", ".join(record.constructions)
    if record.close:
        least = " at least" if record.close_is_least else ""
        counts = ", ".join(map(str, record.close))
        yield "Close costs", f"{counts}{least} (within 0.5, 1, 1.5)"
    if not record.proven:
        yield "Caution", "the search ended early: there may be a cheaper correction"


def _searched(record: SegmentRecord) -> str:
    """Return what an output can be found by: its texts and its edits."""
    edits = (
        edit_words(" ".join(change.hyp for change in group), group[0].ref)
        for group in edit_groups(record)
    )
    texts = (record.source, record.hyp, *record.best.reference, record.id)
    return f"{' '.join(texts).casefold()} {' '.join(edits)} "


def _categories(record: SegmentRecord) -> set[int]:
    keys = {of_kind(change.kind).key for change in record.edits}
    return {place for place, each in enumerate(CATEGORIES) if each.key in keys}


def _choices(evaluation: Evaluation, names: Sequence[str]) -> Iterator[Choice]:
    used = {
        name
        for system in evaluation.systems
        for name, errors in system.taxonomy.items()
        if errors > 0
    }
    kinds = [
        (str(place), category.name)
        for place, category in enumerate(CATEGORIES)
        if category.name in used
    ]
    systems = [(str(place), name) for place, name in enumerate(names)]
    templates = [(name, name) for name in evaluation.templates]
    yield Choice("system", "System", "all systems", systems)
    if len(templates) > 1:
        yield Choice("template", "Template", "all", templates)
    yield Choice("kind", "Error", "any", kinds)
    yield Choice("least", "Cost", "any", _COSTS)
    yield Choice("order", "Order", "as in the test set", _ORDERS)
