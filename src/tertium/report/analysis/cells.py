# SPDX-License-Identifier: Apache-2.0
"""Cells of report tables: figures with their intervals, and tested differences."""

from __future__ import annotations

import math

from tertium.analysis.intervals import Difference, Figure
from tertium.analysis.report import SystemReport
from tertium.report.components import Cell, Span, number_cell, p_cell
from tertium.report.draw.lettering import minus

__all__ = ["bounds", "difference_cells", "figure_cell", "score_cell"]


def figure_cell(figure: Figure, digits: int) -> Cell:
    """Return a cell with its interval below, small, if there is one."""
    if math.isnan(figure.value):
        return number_cell(None, digits)
    text = f"{figure.value:.{digits}f}"
    return score_cell(text, figure.value, figure.interval, digits)


def score_cell(
    text: str,
    value: float | None,
    interval: tuple[float, float] | None,
    digits: int,
) -> Cell:
    """Return a cell with a number and, below it, its interval if there is one."""
    text = minus(text)
    if interval is None:
        return Cell(text, value, "number")
    # The space separates the two in copies and for screen readers.
    small = Span(bounds(interval, digits), "bounds")
    return Cell([f"{text} ", small], value, "number")


def bounds(interval: tuple[float, float], digits: int) -> str:
    """Return an interval in words."""
    low, high = interval
    return minus(f"{low:.{digits}f} to {high:.{digits}f}")


def difference_cells(
    test: Difference | None, digits: int, report: SystemReport, *, higher: bool = True
) -> list[Cell]:
    """Return difference, interval and p-value; green where it is significant."""
    if test is None:
        return [Cell("n/a", None, "number none")] * 3
    alpha = float(report.comparison.run["alpha"])
    better = "" if test.delta == 0 else report.focus[(test.delta > 0) != higher]
    sure = test.p_adjusted < alpha and better
    return [
        Cell(
            minus(f"{test.delta:+.{digits}f}"),
            test.delta,
            "number win" if sure else "number",
            f"{better} is significantly better" if sure else "",
        ),
        Cell(bounds(test.interval, digits), test.interval[0], "number"),
        p_cell(test.p_adjusted),
    ]
