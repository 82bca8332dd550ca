# SPDX-License-Identifier: Apache-2.0
"""Tables of short parts of sentences, and of their translations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.judgements.parts import ProjectionCounts
    from tertium.judgements.parts.counts import ExtractionCounts

__all__ = ["extraction_table", "projection_tables"]


def extraction_table(counts: ExtractionCounts) -> Table:
    """Return how many parts sentences were cut into."""
    rows = [
        ["sentences", f"{counts.sentences:,}"],
        ["  without parts", f"{counts.without_parts:,}"],
        ["words", f"{counts.words:,}"],
        ["  in parts", _percent(counts.coverage)],
        ["parts", f"{counts.parts:,}"],
        ["  per sentence", _mean(counts.parts_per_sentence)],
    ]
    for length, number in counts.lengths.items():
        rows.append([f"  of {count(length, 'word')}", f"{number:,}"])
    return Table(["", "number"], rows)


def projection_tables(counts: ProjectionCounts) -> list[Table]:
    """Return how many translations parts have, in all and by system."""
    rows = [
        ["parts", f"{counts.parts:,}"],
        ["  with one candidate", f"{counts.single:,}"],
        ["  with none", f"{counts.without_candidates:,}"],
        ["translations", f"{counts.translations:,}"],
        ["  with gaps", f"{counts.with_gaps:,}"],
        ["  missing", f"{counts.missing:,}"],
        ["candidates", f"{counts.candidates:,}"],
        ["  of translations", _percent(counts.left)],
        ["  per part", _mean(counts.candidates_per_part)],
    ]
    systems = [
        [each.system, *(f"{number:,}" for number in each.to_dict().values())]
        for each in counts.systems
    ]
    head = ["system", "found", "missing", "with gaps", "shared"]
    return [Table(["", "number"], rows), Table(head, systems)]


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{100 * share:.1f}%"


def _mean(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.2f}"
