# SPDX-License-Identifier: Apache-2.0
"""How certain corrections are: how many others cost nearly as little.

The more errors an output has, the more ways there are to correct it, and the less
the labels of its edits mean.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tertium.grammars.analysis.records import SegmentRecord

__all__ = ["Ambiguity", "ambiguity", "ambiguity_by_edits"]

#: Outputs with this many edits or more are grouped.
MANY = 6


@dataclass(frozen=True)
class Ambiguity:
    """Means over outputs.

    Parameters
    ----------
    segments : int
    close : tuple of float
        How many costs are less than 0.5, 1 and 1.5 above the best, on average, or at
        least that many if `least` is not 0; empty if nobody counted.
    tied : float
        The share of outputs with another correction that is as cheap as the best.
    least : int
        Outputs whose counts are lower bounds, for the search ended early.
    """

    segments: int
    close: tuple[float, ...]
    tied: float
    least: int

    @property
    def close_is_least(self) -> bool:
        """Whether the means of close costs are lower bounds."""
        return self.least > 0


def ambiguity(records: Iterable[SegmentRecord]) -> Ambiguity | None:
    """Return the means; None without outputs."""
    records = list(records)
    if not records:
        return None
    size = len(records)
    counted = [record.close for record in records if record.close]
    return Ambiguity(
        size,
        tuple(sum(column) / len(counted) for column in zip(*counted, strict=True)),
        sum(record.ambiguity > 0 for record in records) / size,
        sum(record.close_is_least for record in records if record.close),
    )


def ambiguity_by_edits(records: Iterable[SegmentRecord]) -> dict[int, Ambiguity]:
    """Return the means by the number of edits, the last one for more as well."""
    groups: dict[int, list[SegmentRecord]] = {}
    for record in records:
        groups.setdefault(min(MANY, len(record.edits)), []).append(record)
    return {
        edits: result
        for edits in sorted(groups)
        if (result := ambiguity(groups[edits])) is not None
    }
