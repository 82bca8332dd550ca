# SPDX-License-Identifier: Apache-2.0
"""On how many language pairs one metric beats another."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.cli.render import Table
from tertium.meta.results import Correlations

__all__ = ["tally_table"]


def tally_table(
    result: Correlations, name: str, order: Sequence[str], without: Sequence[str]
) -> Table | None:
    """Return wins, losses and draws of every two metrics over language pairs.

    None if there are fewer than two language pairs with tests.

    Parameters
    ----------
    result : Correlations
    name : str
        Of the coefficient.
    order : sequence of str
        All metrics, as rows.
    without : sequence of str
        Language pairs that do not count.
    """
    own = [each for each in result.tallies(exclude=without) if each.coefficient == name]
    if max((each.pairs for each in own), default=0) < 2:
        return None
    cells = {}
    for each in own:
        cells[each.a, each.b] = f"{each.a_wins}-{each.b_wins}-{each.draws}"
        cells[each.b, each.a] = f"{each.b_wins}-{each.a_wins}-{each.draws}"
    tested = {metric for pair in cells for metric in pair}
    names = [metric for metric in order if metric in tested]
    numbers = [str(i) for i in range(1, len(names) + 1)]
    left_out = f" Without {', '.join(without)}." if without else ""
    return Table(
        ["metric", *numbers],
        [
            [f"{i} {row}", *(cells.get((row, column), "") for column in names)]
            for i, row in zip(numbers, names, strict=True)
        ],
        title=f"{name}: wins, losses and draws over language pairs",
        note="On how many language pairs the row is significantly better than the "
        "column, significantly worse, or neither. "
        f"Test: {result.run['test']}, correction: {result.run['correction']}."
        f"{left_out}",
    )
