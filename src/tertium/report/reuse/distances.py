# SPDX-License-Identifier: Apache-2.0
"""Outputs grouped by how far the nearest judged output is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tertium.judgements.reuse.results import DistanceBin

__all__ = ["DistanceGroup", "distance_groups", "edits"]


@dataclass(frozen=True)
class DistanceGroup:
    """Outputs whose distance to a judged one is between two bounds, both included."""

    low: int
    high: int
    bin: DistanceBin

    @property
    def label(self) -> str:
        """The distances."""
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


def distance_groups(by_distance: Mapping[int, DistanceBin]) -> list[DistanceGroup]:
    """Return the outputs in groups that double in width, empty ones within included.

    Examples
    --------
    >>> bins = {0: DistanceBin(2), 1: DistanceBin(1), 6: DistanceBin(3)}
    >>> [(group.label, group.bin.count) for group in distance_groups(bins)]
    [('0', 2), ('1', 1), ('2-3', 0), ('4-7', 3)]
    """
    if not by_distance:
        return []
    last = max(by_distance).bit_length()
    totals = [DistanceBin() for _ in range(last + 1)]
    for distance, each in by_distance.items():
        place = distance.bit_length()
        totals[place] = totals[place].plus(each)
    return [
        DistanceGroup(0 if place == 0 else 1 << (place - 1), (1 << place) - 1, total)
        for place, total in enumerate(totals)
    ]


def edits(distance: int) -> str:
    """Return a distance in words.

    Examples
    --------
    >>> edits(0), edits(1), edits(12)
    ('identical', '1 edit', '12 edits')
    """
    return "identical" if not distance else f"{distance:,} edit{'s'[: distance > 1]}"
