# SPDX-License-Identifier: Apache-2.0
"""On how many language pairs one metric beats another, as a matrix."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from tertium.meta.results import Correlations, Tally

__all__ = ["TallyMatrix", "tally_matrix"]


@dataclass(frozen=True)
class TallyMatrix:
    """Wins and draws of every two metrics over language pairs.

    Parameters
    ----------
    metrics : tuple of str
        Rows and columns.
    rows : tuple of tuple of Tally or None
        The row's metric is `a`; None where two metrics were not tested.
    """

    metrics: tuple[str, ...]
    rows: tuple[tuple[Tally | None, ...], ...]


def tally_matrix(
    result: Correlations,
    coefficient: str,
    order: Sequence[str],
    *,
    exclude: Collection[str] = (),
    view: str = "",
) -> TallyMatrix | None:
    """Return wins, losses and draws of tested metrics over language pairs.

    None if there are fewer than two language pairs with tests.

    Parameters
    ----------
    result : Correlations
    coefficient : str
    order : sequence of str
        All metrics, in the order of rows and columns.
    exclude : collection of str
        Language pairs that do not count.
    view : str
        The kind of judgements and the unit, where several are compared.
    """
    tallies = [
        tally
        for tally in result.tallies(exclude=exclude)
        if (tally.coefficient, tally.view) == (coefficient, view)
    ]
    if max((tally.pairs for tally in tallies), default=0) < 2:
        return None
    cells = {}
    for tally in tallies:
        cells[tally.a, tally.b] = tally
        cells[tally.b, tally.a] = replace(
            tally, a=tally.b, b=tally.a, a_wins=tally.b_wins, b_wins=tally.a_wins
        )
    tested = {metric for pair in cells for metric in pair}
    metrics = tuple(metric for metric in order if metric in tested)
    rows = tuple(tuple(cells.get((row, col)) for col in metrics) for row in metrics)
    return TallyMatrix(metrics, rows)
