# SPDX-License-Identifier: Apache-2.0
"""Charts of published figures against ours, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean

from tertium.report.draw.legend import draw_legend
from tertium.report.draw.lines import (
    Line,
    Panel,
    draw_panels,
    paint_of,
    scale_ticks,
)
from tertium.report.draw.palette import GRID, MUTED
from tertium.report.draw.svg import Canvas, Paint
from tertium.reproductions import Cell, Exhibit, Outcome

__all__ = ["draw_comparison"]

_ROWS = 30  # more comparisons are drawn as a cloud
_WIDTH, _SQUARE, _STEP, _GAP = 420.0, 360.0, 22.0, 34.0
_FAR = 4.0  # columns whose largest figures differ more have scales of their own
_SIZE = 11.5
_PUBLISHED = Paint("orange", stroke="#c77700", fill="#ffffff", ink="#7a4900", width=1.8)


def draw_comparison(exhibit: Exhibit, outcome: Outcome) -> str | None:
    """Return an SVG file of an exhibit, or None if there is nothing to draw.

    Curves where there are curves; a row per figure with its published value beside it;
    a cloud where there are many.
    """
    title = f"{exhibit.label}: published and ours"
    if outcome.curves:
        return _curves(exhibit, outcome)
    compared = [cell for cell in outcome.cells if exhibit.value(cell) is not None]
    if not compared:
        return None
    if len(compared) <= _ROWS:
        return _rows(exhibit, compared, title)
    points = [_Point(cell, exhibit.value(cell) or 0.0) for cell in compared]
    if exhibit.same_data:
        return _cloud(exhibit, points, title, "")
    return _cloud(exhibit, _centred(points), title, ", from the mean of its column")


@dataclass(frozen=True)
class _Point:
    """A figure of ours and the published one."""

    cell: Cell
    published: float

    @property
    def values(self) -> list[float]:
        """What the chart must have room for."""
        cell = self.cell
        values = (self.published, cell.ours, cell.low, cell.high)
        return [value for value in values if value is not None]

    def moved(self, ours: float, published: float) -> _Point:
        """Return the point with both figures counted from others.

        Without the interval, which says how high the figure may be, not how far from
        its neighbours, which share its segments.
        """
        cell = replace(self.cell, ours=self.cell.ours - ours, low=None, high=None)
        return _Point(cell, self.published - published)


def _centred(points: Sequence[_Point]) -> list[_Point]:
    """Return figures minus the mean of their column.

    Other data are easier or harder as a whole; the order within a column is what can
    be compared.
    """
    columns: dict[tuple[str, str], list[_Point]] = {}
    for point in points:
        columns.setdefault((point.cell.part, point.cell.column), []).append(point)
    return [
        point.moved(
            fmean(other.cell.ours for other in column),
            fmean(other.published for other in column),
        )
        for column in columns.values()
        for point in column
    ]


def _curves(exhibit: Exhibit, outcome: Outcome) -> str:
    xs = sorted({x for curve in outcome.curves for x, _ in curve.points})
    lines = [
        Line(curve.name, [dict(curve.points).get(x) for x in xs])
        for curve in outcome.curves
    ]
    labels = [f"{x:g}" for x in xs]
    panel = Panel(f"{exhibit.label}, here", lines, labels=labels)
    return draw_panels(f"{exhibit.label}, here", [panel], step=outcome.axis)


def _rows(exhibit: Exhibit, cells: Sequence[Cell], title: str) -> str:
    canvas = Canvas(title, exhibit.about)
    top = 0.0
    for group in _scales(exhibit, cells):
        _draw_rows(canvas, exhibit, group, top)
        top += _STEP * len(group) + _GAP
    draw_legend(
        canvas,
        [(_dot, 8, "ours, with its 95 % interval"), (_diamond, 12, "published")],
    )
    return canvas.to_svg()


def _scales(exhibit: Exhibit, cells: Sequence[Cell]) -> list[list[Cell]]:
    """Return the cells by column where columns have very different scales."""
    columns: dict[str, list[Cell]] = {}
    for cell in cells:
        columns.setdefault(cell.column, []).append(cell)
    sizes = [
        max(abs(x) for cell in column for x in _extent(exhibit, cell)) or 1.0
        for column in columns.values()
    ]
    if max(sizes) > _FAR * min(sizes):
        return list(columns.values())
    return [list(cells)]


def _draw_rows(
    canvas: Canvas, exhibit: Exhibit, cells: Sequence[Cell], top: float
) -> None:
    ticks = scale_ticks([x for cell in cells for x in _extent(exhibit, cell)])

    def place(value: float) -> float:
        return _WIDTH * (value - ticks[0]) / (ticks[-1] - ticks[0])

    bottom = top + _STEP * len(cells)
    for tick in ticks:
        x = place(tick)
        canvas.line((x, top - 8), (x, bottom - 8), GRID, under=True)
        canvas.text(x, bottom + 4, f"{tick:g}", size=_SIZE, paint=MUTED)
    for number, cell in enumerate(cells):
        y = top + _STEP * number
        names = dict.fromkeys([cell.row, cell.column, cell.part])
        label = ", ".join(name for name in names if name)
        canvas.text(-10, y, label, size=_SIZE, anchor="end")
        value = exhibit.value(cell) or 0.0
        if cell.low is not None and cell.high is not None:
            canvas.line((place(cell.low), y), (place(cell.high), y), paint_of(0))
        _diamond(canvas, place(value), y, title=f"published {value:g}")
        _dot(canvas, place(cell.ours), y, title=f"ours {cell.ours:.4g}")


def _diamond(canvas: Canvas, x: float, y: float, title: str = "") -> None:
    points = ((x - 5.5, y), (x, y - 5.5), (x + 5.5, y), (x, y + 5.5))
    canvas.polygon(points, _PUBLISHED, title=title)


def _dot(canvas: Canvas, x: float, y: float, title: str = "", number: int = 0) -> None:
    paint = paint_of(number)
    solid = Paint(f"{paint.name} solid", fill=paint.stroke)
    canvas.circle(x, y, 3.2, solid, title=title)


def _cloud(exhibit: Exhibit, points: Sequence[_Point], title: str, scale: str) -> str:
    canvas = Canvas(title, exhibit.about)
    ticks = scale_ticks([x for point in points for x in point.values])
    low, high = ticks[0], ticks[-1]

    def place(value: float) -> float:
        return _SQUARE * (value - low) / (high - low)

    for tick in ticks:
        x = place(tick)
        canvas.line((x, 0), (x, -_SQUARE), GRID, under=True)
        canvas.line((0, -x), (_SQUARE, -x), GRID, under=True)
        canvas.text(x, 14, f"{tick:g}", size=_SIZE, paint=MUTED)
        canvas.text(-8, -x, f"{tick:g}", size=_SIZE, anchor="end", paint=MUTED)
    diagonal = Paint("muted", stroke="#8a929c", width=1.0, dash="4 3")
    canvas.line((0, 0), (_SQUARE, -_SQUARE), diagonal)
    parts = list(dict.fromkeys(point.cell.part for point in points))
    for point in points:
        cell = point.cell
        number = parts.index(cell.part)
        x = place(point.published)
        if cell.low is not None and cell.high is not None:
            thin = replace(paint_of(number), width=0.6, dash="")
            canvas.line((x, -place(cell.low)), (x, -place(cell.high)), thin)
        tip = f"{cell.row}, {cell.column}: {point.published:.3g}, {cell.ours:.3g}"
        _dot(canvas, x, -place(cell.ours), tip, number)
    canvas.text(_SQUARE / 2, 34, f"published{scale}", size=_SIZE, paint=MUTED)
    label = f"ours{scale}"
    canvas.text(-50, -_SQUARE / 2, label, size=_SIZE, paint=MUTED, turned=-90)
    draw_legend(
        canvas,
        [
            (partial(_dot, number=number), 8, part)
            for number, part in enumerate(parts)
            if part
        ],
    )
    return canvas.to_svg()


def _extent(exhibit: Exhibit, cell: Cell) -> list[float]:
    values = (cell.ours, cell.low, cell.high, exhibit.value(cell))
    return [value for value in values if value is not None]
