# SPDX-License-Identifier: Apache-2.0
"""Line charts without a script: values over the steps of a process."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tertium.report.draw.lettering import text_width
from tertium.report.draw.palette import GRID, MUTED
from tertium.report.draw.svg import Canvas, Paint

__all__ = ["Line", "Panel", "draw_panels", "paint_of", "scale_ticks"]

#: Hues of Okabe and Ito; dashes and names at the lines repeat what they show.
_HUES = (
    ("blue", "#0072B2", "#004b76"),
    ("orange", "#c77700", "#7a4900"),
    ("green", "#00795a", "#00533e"),
    ("purple", "#96407a", "#6c2a57"),
    ("red", "#c0392b", "#8a1f13"),
)
_DASHES = ("", "6 3", "2 2", "8 3 2 3")
_WIDTH, _HEIGHT = 560.0, 150.0
_GAP = 62.0  # between panels
_TITLE = 22.0
_SIZE = 11.5
_LABEL_HEIGHT = 15.0
_TICKS = 6  # intervals of a scale at most


@dataclass(frozen=True)
class Line:
    """A name and one value per step; None where there is none."""

    name: str
    values: Sequence[float | None]


@dataclass(frozen=True)
class Panel:
    """Lines with the same scale.

    Parameters
    ----------
    title : str
    lines : sequence of Line
    target : float, optional
        A value to compare with, drawn as a dashed line.
    marked : int, optional
        A step of the first line to mark, such as the best.
    labels : sequence of str
        What to write below the steps, if not their numbers.
    """

    title: str
    lines: Sequence[Line]
    target: float | None = None
    marked: int | None = None
    labels: Sequence[str] = ()


def draw_panels(
    title: str, panels: Sequence[Panel], *, step: str, about: str = ""
) -> str:
    """Return panels below each other as an SVG file.

    Parameters
    ----------
    title : str
        What they show, for screen readers.
    panels : sequence of Panel
        With one value per step in every line.
    step : str
        What a step is; written below the last panel.
    about : str
        A longer description in words.
    """
    canvas = Canvas(title, about)
    top = 0.0
    for panel in panels:
        _draw(canvas, panel, top)
        top += _HEIGHT + _GAP
    canvas.text(
        _WIDTH / 2, top - _GAP + 36, step, size=_SIZE, anchor="middle", paint=MUTED
    )
    return canvas.to_svg()


def paint_of(number: int) -> Paint:
    """Return the paint of a line: hues and dashes come round at different times."""
    name, stroke, ink = _HUES[number % len(_HUES)]
    dash = _DASHES[number // len(_HUES) % len(_DASHES)]
    return Paint(name, stroke=stroke, ink=ink, width=1.8, dash=dash)


def _draw(canvas: Canvas, panel: Panel, top: float) -> None:
    steps = max(len(line.values) for line in panel.lines)
    values = [x for line in panel.lines for x in line.values if x is not None]
    ticks = scale_ticks([*values, *([] if panel.target is None else [panel.target])])
    low, high = ticks[0], ticks[-1]

    def place(step: int, value: float) -> tuple[float, float]:
        x = _WIDTH * step / max(1, steps - 1)
        return x, top + _HEIGHT * (high - value) / (high - low)

    canvas.text(0, top - _TITLE, panel.title, size=13, anchor="start", bold=True)
    digits = max(0, -math.floor(math.log10(ticks[1] - ticks[0]) + 1e-9))
    for tick in ticks:
        y = place(0, tick)[1]
        canvas.line((0, y), (_WIDTH, y), GRID, under=True)
        shown = f"{tick:.{digits}f}"
        canvas.text(-8, y, shown, size=_SIZE, anchor="end", paint=MUTED)
    every = max(1, math.ceil(steps / 16))
    for step in range(0, steps, every):
        x = place(step, low)[0]
        shown = panel.labels[step] if panel.labels else str(step)
        canvas.text(x, top + _HEIGHT + 14, shown, size=_SIZE, paint=MUTED)
    if panel.target is not None:
        y = place(0, panel.target)[1]
        target = Paint("muted", stroke="#8a929c", ink="#5b6470", width=1.0, dash="4 3")
        canvas.line((0, y), (_WIDTH, y), target)
    ends = []
    for number, line in enumerate(panel.lines):
        points = [place(i, x) for i, x in enumerate(line.values) if x is not None]
        if not points:
            continue
        paint = paint_of(number)
        commands = "L".join(f"{x:.2f} {y:.2f}" for x, y in points)
        canvas.path(f"M{commands}", points, paint, title=line.name)
        solid = Paint(f"{paint.name} solid", fill=paint.stroke)
        for x, y in points:
            canvas.circle(x, y, 2.6, solid)
        ends.append((points[-1][1], number, line.name))
    if panel.marked is not None:
        value = panel.lines[0].values[panel.marked]
        if value is not None:
            ring = Paint("ink", stroke="#1b1f24", width=1.4)
            canvas.circle(*place(panel.marked, value), 6, ring)
    _name_lines(canvas, ends, top)


def _name_lines(
    canvas: Canvas, ends: Sequence[tuple[float, int, str]], top: float
) -> None:
    """Write names where lines end, one below the other, each with a sign."""
    heights = _spread([y for y, _, _ in sorted(ends)], top)
    for (_, number, name), y in zip(sorted(ends), heights, strict=True):
        paint = paint_of(number)
        canvas.line((_WIDTH + 10, y), (_WIDTH + 30, y), paint)
        canvas.text(_WIDTH + 36, y, name, size=_SIZE, anchor="start", paint=paint)
        canvas.reach(0, y, _WIDTH + 36 + text_width(name, _SIZE), y)


def _spread(wanted: Sequence[float], top: float) -> list[float]:
    """Return heights in the same order, far enough from each other to be read."""
    heights: list[float] = []
    for y in wanted:
        floor = heights[-1] + _LABEL_HEIGHT if heights else top
        heights.append(max(y, floor))
    limit = top + _HEIGHT
    for i in range(len(heights) - 1, -1, -1):
        heights[i] = min(heights[i], limit)
        limit = heights[i] - _LABEL_HEIGHT
    return heights


def scale_ticks(values: Sequence[float]) -> list[float]:
    """Return round values around others, up to seven of them.

    Examples
    --------
    >>> scale_ticks([0.98, 1.07])
    [0.98, 1.0, 1.02, 1.04, 1.06, 1.08]
    >>> scale_ticks([3.0])
    [2.0, 3.0, 4.0]
    """
    low, high = min(values), max(values)
    if high - low <= 1e-9 * max(1.0, abs(high)):
        middle = float(round(high))
        return [middle - 1, middle, middle + 1]
    power = 10.0 ** (math.floor(math.log10(high - low)) - 1)
    for size in (x * power for x in (1, 2, 5, 10, 20, 50)):
        first = math.floor(low / size + 1e-9)
        last = math.ceil(high / size - 1e-9)
        if last - first <= _TICKS:
            break
    return [round(number * size, 12) for number in range(first, last + 1)]
