# SPDX-License-Identifier: Apache-2.0
"""The section on metrics: how far they agree, and on which outputs they do not."""

from __future__ import annotations

import math

import numpy as np

from tertium.analysis.report import SystemReport
from tertium.report.analysis.origins import sentence_bleu
from tertium.report.analysis.scatter import draw_scatter
from tertium.report.analysis.words import some
from tertium.report.components import (
    Cell,
    Component,
    Diagram,
    Group,
    Legend,
    Span,
    Table,
    Text,
    number_cell,
)

__all__ = ["metrics"]


def metrics(report: SystemReport) -> list[Component]:
    """Return how far metrics agree, and where they do not."""
    if not report.metrics:
        return [Text("There is one metric only; give several to compare them.")]
    table = report.comparison.scores
    rows, plots, outliers = [], [], []
    for pair in report.metrics:
        one, other = (table.labels[spec] for spec in pair.metrics)
        swapped = [f"{a} over {b}" for a, b in pair.swapped]
        rows.append(
            [
                Cell(f"{one}, {other}"),
                number_cell(None if math.isnan(pair.pearson) else pair.pearson, 3),
                number_cell(None if math.isnan(pair.spearman) else pair.spearman, 3),
                Cell(some(swapped, "pair", most=5) or "none", len(swapped), "prose"),
            ]
        )
        x, y = (report.segments[spec] for spec in pair.metrics)
        plots.append(_scatter(one, other, x, y))
        for each in pair.outliers[:5]:
            number = each.segment + 1
            outliers.append(
                [
                    Cell([Span(str(number), "link", f"#segment-{number}")], number),
                    Cell(each.system, each.system),
                    Cell(f"{one}, {other}"),
                    *(
                        Cell(f"{100 * rank:.0f} %", rank, "number")
                        for rank in each.ranks
                    ),
                ]
            )
    return [
        Table(
            "Agreement on single outputs",
            ["metrics", "Pearson", "Spearman", "systems in opposite order"],
            rows,
        ),
        Legend(
            "Correlations over all outputs; metrics for which lower is better are "
            "turned round. A over B: A is ahead by the first metric, B by the second."
            f"{sentence_bleu(report)}"
        ),
        Group("grid", plots),
        Table(
            "Outputs on which metrics disagree most",
            ["segment", "system", "metrics", "by the first", "by the second"],
            outliers,
        ),
        Legend("The share of all outputs that a metric ranks below this one."),
    ]


def _scatter(one: str, other: str, x: np.ndarray, y: np.ndarray) -> Diagram:
    picture, caption = draw_scatter(one, other, x, y)
    narrow, _ = draw_scatter(one, other, x, y, size="narrow")
    return Diagram("scatter", picture, caption, narrow)
