# SPDX-License-Identifier: Apache-2.0
"""Scatter plots without a script: two metrics on the same outputs."""

from __future__ import annotations

import numpy as np

from tertium.report.draw.lines import scale_ticks
from tertium.report.draw.palette import GRID, MUTED, STATUS
from tertium.report.draw.svg import Canvas, Paint

__all__ = ["draw_scatter"]

_SIDE = 300.0
_MOST = 600  # points; more of them hide each other
_DOT = Paint("blue", fill=STATUS["matched"].stroke)


def draw_scatter(one: str, other: str, x: np.ndarray, y: np.ndarray) -> tuple[str, str]:
    """Return a plot of the outputs as SVG, and its caption.

    Parameters
    ----------
    one, other : str
        The names of the metrics.
    x, y : array
        Their scores of all outputs.
    """
    xs, ys = x.ravel(), y.ravel()
    finite = np.flatnonzero(np.isfinite(xs) & np.isfinite(ys))
    step = max(1, -(-len(finite) // _MOST))
    chosen = finite[::step]
    canvas = Canvas(f"{one} and {other} of single outputs")
    places = []
    for values, across in ((xs, True), (ys, False)):
        low, high = float(values[finite].min()), float(values[finite].max())
        span = high - low or 1.0
        places.append((low, span))
        for tick in scale_ticks(low, high):
            share = (tick - low) / span * _SIDE
            if across:
                canvas.line((share, 0), (share, _SIDE), GRID, under=True)
                canvas.text(share, _SIDE + 16, f"{tick:g}", size=11, paint=MUTED)
            else:
                at = _SIDE - share
                canvas.line((0, at), (_SIDE, at), GRID, under=True)
                canvas.text(-6, at + 4, f"{tick:g}", size=11, anchor="end", paint=MUTED)
    (left, wide), (bottom, high) = places
    for index in chosen:
        canvas.circle(
            float(xs[index] - left) / wide * _SIDE,
            _SIDE - float(ys[index] - bottom) / high * _SIDE,
            1.8,
            _DOT,
        )
    canvas.text(_SIDE / 2, _SIDE + 34, one, size=12)
    canvas.text(-44, _SIDE / 2, other, size=12, turned=-90)
    shown = f"{len(chosen):,} of {len(xs):,} outputs" if step > 1 else "all outputs"
    return canvas.svg(), f"{one} and {other}: {shown}, one point each."
