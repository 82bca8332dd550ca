# SPDX-License-Identifier: Apache-2.0
"""Dot plots without a script: values with intervals, one row per name.

Names stand beside their dots or, in a narrow plot for phones, above them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from tertium.report.draw.legend import draw_legend
from tertium.report.draw.lettering import minus, text_width
from tertium.report.draw.lines import paint_of, scale_ticks
from tertium.report.draw.palette import GRID, MUTED
from tertium.report.draw.svg import Canvas, Paint

__all__ = ["Dot", "Row", "draw_dots"]

_WIDTH = {"beside": 460.0, "above": 264.0}
_LINE = 15.0  # height of a dot
_GAP = 9.0  # between rows
_SIZE = 11.5
_RADIUS = 3.4
_HOLLOW = 4.6


@dataclass(frozen=True)
class Dot:
    """A value, its interval, and which entry of the legend it belongs to."""

    value: float
    low: float | None = None
    high: float | None = None
    series: int = 0


@dataclass(frozen=True)
class Row:
    """A name, dots below each other, and a known value that all are compared with."""

    name: str
    dots: Sequence[Dot]
    known: float | None = None


def draw_dots(
    title: str,
    rows: Sequence[Row],
    *,
    series: Sequence[str],
    known: str = "",
    scale: str = "",
    about: str = "",
    names: Literal["beside", "above"] = "beside",
) -> str:
    """Return a dot plot as an SVG file.

    Parameters
    ----------
    title : str
        What it shows, for screen readers.
    rows : sequence of Row
    series : sequence of str
        What the dots are, for the legend.
    known : str
        What the hollow diamonds are; empty if there are none.
    scale : str
        What the scale measures.
    about : str
        A longer description in words.
    names : {"beside", "above"}
        Where the name of a row stands.
    """
    canvas = Canvas(title, about)
    width, header = _WIDTH[names], _LINE if names == "above" else 0.0
    marks = scale_ticks(list(_values(rows)))
    low, high = marks[0], marks[-1]

    def place(value: float) -> float:
        return width * (value - low) / (high - low)

    bottom = sum(header + _height(row) for row in rows)
    digits = max(0, -math.floor(math.log10(marks[1] - marks[0]) + 1e-9))
    for mark in marks:
        x = place(mark)
        canvas.line((x, 0), (x, bottom), GRID, under=True)
        canvas.text(
            x, bottom + 12, minus(f"{mark:.{digits}f}"), size=_SIZE, paint=MUTED
        )
    canvas.text(width / 2, bottom + 30, scale, size=_SIZE, paint=MUTED)
    top = 0.0
    for row in rows:
        if names == "above":
            canvas.text(0, top + _LINE / 2 + 3, row.name, size=_SIZE, anchor="start")
        top += header
        if low < 0 < high:  # not through names
            canvas.line((place(0), top), (place(0), top + _height(row)), MUTED)
        middle = top + _height(row) / 2
        if names == "beside":
            canvas.text(-12, middle, row.name, size=_SIZE, anchor="end")
            canvas.reach(-12 - text_width(row.name, _SIZE), middle, 0, middle)
        for number, dot in enumerate(row.dots):
            _draw(canvas, dot, place, top + _GAP / 2 + (number + 0.5) * _LINE)
        if row.known is not None:
            _diamond(canvas, place(row.known), middle)
        top += _height(row)
    _legend(canvas, series, known)
    return canvas.to_svg()


def _values(rows: Sequence[Row]) -> list[float]:
    values = []
    for row in rows:
        for dot in row.dots:
            values += [dot.value, dot.low, dot.high]
        values.append(row.known)
    return [value for value in values if value is not None] or [0.0, 1.0]


def _height(row: Row) -> float:
    return _GAP + _LINE * max(1, len(row.dots))


def _draw(canvas: Canvas, dot: Dot, place: Callable[[float], float], y: float) -> None:
    paint = paint_of(dot.series)
    if dot.low is not None and dot.high is not None:
        canvas.line((place(dot.low), y), (place(dot.high), y), paint)
    solid = Paint(f"{paint.name} solid", fill=paint.stroke)
    text = f"{dot.value:.3f}"
    if dot.low is not None and dot.high is not None:
        text += f" [{dot.low:.3f}, {dot.high:.3f}]"
    canvas.circle(place(dot.value), y, _RADIUS, solid, title=minus(text))


def _diamond(canvas: Canvas, x: float, y: float) -> None:
    ink = Paint("ink", stroke="#1b1f24", width=1.4)
    corners = ((x, y - _HOLLOW), (x + _HOLLOW, y), (x, y + _HOLLOW), (x - _HOLLOW, y))
    commands = "M" + "L".join(f"{a:.2f} {b:.2f}" for a, b in corners) + "Z"
    canvas.path(commands, corners, ink)


def _legend(canvas: Canvas, series: Sequence[str], known: str) -> None:
    def sign(number: int) -> Callable[[Canvas, float, float], None]:
        def draw(canvas: Canvas, x: float, y: float) -> None:
            paint = paint_of(number)
            canvas.line((x - 10, y), (x + 10, y), paint)
            solid = Paint(f"{paint.name} solid", fill=paint.stroke)
            canvas.circle(x, y, _RADIUS, solid)

        return draw

    entries = [(sign(number), 20.0, name) for number, name in enumerate(series)]
    if known:
        entries.append((_diamond, 2 * _HOLLOW, known))
    draw_legend(canvas, entries)
