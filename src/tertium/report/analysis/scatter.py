# SPDX-License-Identifier: Apache-2.0
"""Scatter plots without a script: two metrics on the same outputs."""

from __future__ import annotations

from typing import Literal

import numpy as np

from tertium.report.draw.lettering import minus
from tertium.report.draw.lines import paint_of, scale_ticks
from tertium.report.draw.palette import GRID, MUTED
from tertium.report.draw.svg import Canvas, Paint

__all__ = ["draw_scatter"]

_SIDES = {"wide": 280.0, "narrow": 196.0}
_MOST = 600  # points; more of them hide each other
_SIZE = 11.5


def draw_scatter(
    one: str,
    other: str,
    x: np.ndarray,
    y: np.ndarray,
    *,
    size: Literal["wide", "narrow"] = "wide",
) -> tuple[str, str]:
    """Return a plot of the outputs as SVG, and its caption.

    Parameters
    ----------
    one, other : str
        The names of the metrics.
    x, y : array
        Their scores of all outputs.
    size : str
        ``narrow`` for screens of phones.
    """
    side = _SIDES[size]
    xs, ys = x.ravel(), y.ravel()
    defined = np.flatnonzero(np.isfinite(xs) & np.isfinite(ys))
    step = max(1, -(-len(defined) // _MOST))
    chosen = defined[::step]
    shown = f"{len(chosen):,} of {len(xs):,} outputs" if step > 1 else "all outputs"
    caption = f"{one} and {other}: {shown}, one point each."
    canvas = Canvas(f"{one} and {other} of single outputs", caption)
    across, low_x, high_x = _scale(xs[chosen])
    upwards, low_y, high_y = _scale(ys[chosen])
    for tick in across:
        place = side * (tick - low_x) / (high_x - low_x)
        canvas.line((place, 0), (place, side), GRID, under=True)
        canvas.text(place, side + 13, minus(f"{tick:g}"), size=_SIZE, paint=MUTED)
    for tick in upwards:
        place = side * (high_y - tick) / (high_y - low_y)
        canvas.line((0, place), (side, place), GRID, under=True)
        canvas.text(
            -8, place, minus(f"{tick:g}"), size=_SIZE, anchor="end", paint=MUTED
        )
    hue = paint_of(0)
    dot = Paint(f"{hue.name} solid", fill=hue.stroke)
    for index in chosen:
        canvas.circle(
            side * float(xs[index] - low_x) / (high_x - low_x),
            side * float(high_y - ys[index]) / (high_y - low_y),
            1.8,
            dot,
        )
    canvas.text(side / 2, side + 32, one, size=_SIZE)
    canvas.text(-46, side / 2, other, size=_SIZE, turned=-90)
    return canvas.to_svg(), caption


def _scale(values: np.ndarray) -> tuple[list[float], float, float]:
    """Return the ticks of an axis, and its ends."""
    ticks = scale_ticks(values.tolist() or [0.0, 1.0])
    return ticks, ticks[0], ticks[-1]
