# SPDX-License-Identifier: Apache-2.0
"""A matrix of tests: everything that was ranked against everything else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.stats.clusters import Ranking

__all__ = ["COLUMN_WINS", "ROW_WINS", "win_matrix"]

#: Arrows point at the winner, from a cell of the matrix.
ROW_WINS, COLUMN_WINS = "←", "↑"


def win_matrix(
    places: Sequence[Ranking],
    cell: Callable[[str, str], str],
    *,
    noun: str,
    title: str,
    note: str = "",
) -> Table:
    """Return the matrix, best first; names are long, so columns have numbers.

    Parameters
    ----------
    places : sequence of Ranking
    cell : callable
        Returns what is shown for the names of a row and a column.
    noun : str
        What was ranked, such as ``system``.
    title, note : str
    """
    order = [place.system for place in places]
    numbers = [str(i) for i in range(1, len(order) + 1)]
    rows = [
        [
            str(place.cluster),
            f"{number} {place.system}",
            *(cell(place.system, column) for column in order),
        ]
        for number, place in zip(numbers, places, strict=True)
    ]
    return Table(["cluster", noun, *numbers], rows, title=title, note=note, left=2)
