# SPDX-License-Identifier: Apache-2.0
"""On how many language pairs one metric beats another."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.cli.shared.render import Table
from tertium.meta.results import Correlations
from tertium.report.meta.tested_tables import tally_counts

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
    counts = tally_counts(result, name, without)
    if not counts:
        return None
    cells = {
        key: f"{each.a_wins}-{each.b_wins}-{each.draws}" for key, each in counts.items()
    }
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
