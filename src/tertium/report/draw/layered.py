# SPDX-License-Identifier: Apache-2.0
"""Positions for items in columns, linked from each column to the next.

The method of Sugiyama, Tagawa and Toda (1981): the order in a column follows the
mean place of the neighbours, sweep after sweep, and the order with the fewest
crossings stays. Heights are then the nearest to the neighbours' that the order
allows (isotonic regression), so that nothing overlaps and long ways are straight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["Item", "place"]

_SWEEPS = 24
_SPACE = 9.0
#: Gaps between columns: the steeper the links in them, the wider.
_GAPS = (20.0, 64.0)
_STEEP = 0.34


@dataclass(eq=False)
class Item:
    """An item in a column; layout sets its centre."""

    column: int
    width: float
    height: float
    #: How strongly it is pulled level with its neighbours.
    weight: float = 1.0
    x: float = 0.0
    y: float = 0.0
    #: The edges of its column.
    left: float = 0.0
    right: float = 0.0
    before: list[Item] = field(default_factory=list)
    after: list[Item] = field(default_factory=list)


def place(items: Sequence[Item]) -> None:
    """Set the positions of all items, starting from their order within columns."""
    columns: list[list[Item]] = [[] for _ in range(max(i.column for i in items) + 1)]
    for item in items:
        columns[item.column].append(item)
    _order(columns)
    _raise(columns)
    x = 0.0
    for column, following in zip(columns, [*columns[1:], []], strict=True):
        width = max(item.width for item in column)
        steep = max(
            (abs(item.y - to.y) for item in column for to in item.after), default=0.0
        )
        for item in column:
            item.left, item.x, item.right = x, x + width / 2, x + width
        if following:
            x += width + min(max(_GAPS[0], steep * _STEEP), _GAPS[1])


# --------------------------------------------------------------------------- order


def _order(columns: list[list[Item]]) -> None:
    best = [list(column) for column in columns]
    least = _crossings(columns)
    for sweep in range(_SWEEPS):
        if not least:
            break
        forward = sweep % 2 == 0
        for column in columns if forward else columns[::-1]:
            rank = _ranks(columns)
            mean = {
                id(item): _mean(
                    [rank[id(n)] for n in (item.before if forward else item.after)],
                    rank[id(item)],
                )
                for item in column
            }
            column.sort(key=lambda item, mean=mean: mean[id(item)])  # type: ignore[misc]
        crossings = _crossings(columns)
        if crossings < least:
            best, least = [list(column) for column in columns], crossings
    columns[:] = best


def _ranks(columns: list[list[Item]]) -> dict[int, float]:
    # Relative, as columns are of different length.
    return {
        id(item): (index + 0.5) / len(column)
        for column in columns
        for index, item in enumerate(column)
    }


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _crossings(columns: list[list[Item]]) -> int:
    """Return the number of crossings; quadratic in the links of a gap."""
    place = {id(item): i for column in columns for i, item in enumerate(column)}
    total = 0
    for column in columns:
        links = [(place[id(a)], place[id(b)]) for a in column for b in a.after]
        total += sum(
            (a - c) * (b - d) < 0
            for index, (a, b) in enumerate(links)
            for c, d in links[:index]
        )
    return total


# ------------------------------------------------------------------------- heights


def _raise(columns: list[list[Item]]) -> None:
    for column in columns:
        _settle(column, [0.0] * len(column))
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        for column in columns if forward else columns[::-1]:
            near = [item.before if forward else item.after for item in column]
            _settle(
                column,
                [
                    _mean([n.y for n in some], item.y)
                    for item, some in zip(column, near, strict=True)
                ],
            )
    strands = _strands(columns)
    for sweep in range(6 * _SWEEPS):
        level: dict[int, float] = {}
        for strand in strands:
            ends = [n.y for n in (*strand[0].before, *strand[-1].after)]
            mean = _mean([item.y for item in strand], 0.0)
            # First each strand moves between its ends, then it is straightened.
            wanted = mean if sweep >= _SWEEPS else (mean + _mean(ends, mean)) / 2
            level.update({id(item): wanted for item in strand})
        for column in columns:
            _settle(column, [level[id(item)] for item in column])


def _strands(columns: list[list[Item]]) -> list[list[Item]]:
    """Return chains of items without branches."""
    strands: list[list[Item]] = []
    of: dict[int, list[Item]] = {}
    for column in columns:
        for item in column:
            alone = len(item.before) == 1 and len(item.before[0].after) == 1
            if alone:
                strand = of[id(item.before[0])]
            else:
                strand = []
                strands.append(strand)
            strand.append(item)
            of[id(item)] = strand
    return strands


def _settle(column: list[Item], wanted: Sequence[float]) -> None:
    """Set heights as close to the desired ones as order and sizes allow.

    Least squares by pooling adjacent violators (Ayer and others, 1955), after the
    space that the items above need is subtracted.
    """
    room, rooms = 0.0, []
    for index, item in enumerate(column):
        if index:
            room += (column[index - 1].height + item.height) / 2 + _SPACE
        rooms.append(room)
    blocks: list[list[float]] = []  # sum, weight, items
    for item, want, above in zip(column, wanted, rooms, strict=True):
        blocks.append([(want - above) * item.weight, item.weight, 1])
        while len(blocks) > 1 and (
            blocks[-2][0] * blocks[-1][1] > blocks[-1][0] * blocks[-2][1]
        ):
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    index = 0
    for total, weight, size in blocks:
        for _ in range(int(size)):
            column[index].y = total / weight + rooms[index]
            index += 1
