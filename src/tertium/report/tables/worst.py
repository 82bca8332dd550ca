# SPDX-License-Identifier: Apache-2.0
"""Tables of the worst segments of systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.data.annotated import layer
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.engine.worst import WorstSegment, WorstSegments

__all__ = ["worst_tables"]

_SHOWN = 60  # characters of a text that people see


def worst_tables(
    result: WorstSegments, style: Style, *, below: Callable[[str, str], str]
) -> list[Table]:
    """Return one table per metric and system; for programs all in one.

    Parameters
    ----------
    result : WorstSegments
    style : Style
    below : callable
        Called with a system and the spec of a metric; returns what stands below their
        table, such as how to see the segments explained.
    """
    if style.for_programs:
        return [_one_table(result, style)]
    return list(_tables(result, style, below))


def _one_table(result: WorstSegments, style: Style) -> Table:
    """Return all segments in one table, for programs."""
    digits = style.places
    rows = [
        [
            item.metric,
            item.system,
            str(item.segment),
            result.scores.metrics[item.metric].show(item.score, digits),
            *_texts(item),
        ]
        for item in result.segments
    ]
    head = ["metric", "system", "segment", "score", "output", "reference"]
    return Table(head, rows, left=len(head))


def _tables(
    result: WorstSegments, style: Style, below: Callable[[str, str], str]
) -> Iterator[Table]:
    table, digits = result.scores, style.places
    labels = style.labels(table)
    notes = {
        (note.values["metric"], note.values["system"]): str(note)
        for note in result.notes
        if "system" in note.values
    }
    for spec, info in table.metrics.items():
        for name in table.systems:
            segments = result.of(name, spec)
            rows = [
                [
                    str(item.segment),
                    info.show(item.score, digits),
                    *(_cut(text) for text in _texts(item)),
                ]
                for item in segments
            ]
            head = ["segment", labels[spec], "output", "reference"]
            yield Table(
                head,
                rows,
                title=f"{name}: worst of {count(table.segments, 'segment')} under "
                f"{labels[spec]}",
                note="\n".join(
                    filter(None, (notes.get((spec, name)), below(name, spec)))
                ),
                left=len(head),
            )


def _texts(item: WorstSegment) -> tuple[str, str]:
    """Return the output, or its permutation, and the first reference."""
    perm = layer(item.output, "permutation")
    output = str(item.output) if perm is None else str(perm)
    return output, item.references[0] if item.references else ""


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1].rstrip()}…"
