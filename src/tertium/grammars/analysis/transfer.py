# SPDX-License-Identifier: Apache-2.0
"""Whether translations keep the construction of their source.

Rows are the functions that make the source, columns those that make the chosen
reference. If several make a sentence, the segment is split evenly among them.
The chosen reference of an output with many errors is a guess, and so is its
construction.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tertium.grammars.analysis.records import SegmentRecord

__all__ = ["Transfer", "transfers"]


@dataclass(frozen=True)
class Transfer:
    """Which constructions a system translates into which, in one template.

    Parameters
    ----------
    template : str
    sources, targets : tuple of str
        Functions, in the order of rows and columns: first those in both languages.
    counts : tuple of tuple of float
        Segments.
    segments : int
        Segments with known constructions on both sides.
    kept : int
        Those where a function of the source also makes the reference.
    """

    template: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]
    counts: tuple[tuple[float, ...], ...]
    segments: int
    kept: int

    @property
    def share(self) -> float | None:
        """The share of segments that keep their construction; None without any."""
        return self.kept / self.segments if self.segments else None


def transfers(records: Iterable[SegmentRecord]) -> tuple[Transfer, ...]:
    """Return the matrices of one system, one a template.

    Segments without a grammar are left out.
    """
    templates: dict[str, list[SegmentRecord]] = {}
    for record in records:
        if record.source_constructions and record.constructions:
            templates.setdefault(record.template, []).append(record)
    return tuple(_transfer(name, rows) for name, rows in templates.items())


def _transfer(template: str, records: list[SegmentRecord]) -> Transfer:
    cells: dict[tuple[str, str], float] = {}
    rows: dict[str, None] = {}
    columns: dict[str, None] = {}
    kept = 0
    for record in records:
        made, became = record.source_constructions, record.constructions
        share = 1 / (len(made) * len(became))
        for one in made:
            for other in became:
                cells[one, other] = cells.get((one, other), 0.0) + share
        rows |= dict.fromkeys(made)
        columns |= dict.fromkeys(became)
        kept += bool(set(made) & set(became))
    both = sorted(rows.keys() & columns.keys())
    sources = (*both, *sorted(rows.keys() - columns.keys()))
    targets = (*both, *sorted(columns.keys() - rows.keys()))
    counts = tuple(
        tuple(cells.get((one, other), 0.0) for other in targets) for one in sources
    )
    return Transfer(template, sources, targets, counts, len(records), kept)
