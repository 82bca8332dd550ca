# SPDX-License-Identifier: Apache-2.0
"""Tables of tuned weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.tuning.results import Point, Tuned

__all__ = ["tuning_tables"]


def tuning_tables(tuned: Tuned, style: Style) -> list[Table]:
    """Return weights and scores before and after; scores by seed, if there are several.

    Programs get the weights alone.
    """
    weights = [
        [name, style.number(tuned.start.weights[name], 4), style.number(weight, 4)]
        for name, weight in tuned.final.weights.items()
    ]
    head = ["feature", "start", "final"]
    if style.for_programs:
        return [Table(head, weights)]

    def row(name: str, point: Point) -> list[str]:
        score = style.number(point.score, 2)
        return [name, score, style.number(point.length_ratio, 3)]

    title = f"{tuned.metric}, {tuned.method}: {tuned.lists:,} lists"
    points = [row("start", tuned.start), row("final", tuned.final)]
    several = len(tuned.runs) > 1
    runs = [row(f"seed {run.seed}", run.point) for run in tuned.runs] * several
    note = (
        "Scores of the hypotheses that the weights choose from these lists: what a "
        "decoder finds with them\nmay score differently, and on other texts lower."
    )
    if tuned.deviation is not None:
        note += (
            f"\nOver {len(tuned.runs)} seeds: mean {style.number(tuned.mean, 2)}, "
            f"standard deviation {style.number(tuned.deviation, 2)}."
        )
    scores = Table(
        ["", "score", "length ratio"],
        [*points, *runs],
        title=title,
        note=note,
        rules=(2,) if several else (),
    )
    return [scores, Table(head, weights, title="Weights")]
