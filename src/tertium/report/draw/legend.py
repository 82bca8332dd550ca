# SPDX-License-Identifier: Apache-2.0
"""Titles and legends, the same in every diagram."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tertium.report.draw.lettering import text_width
from tertium.report.draw.palette import MUTED
from tertium.report.draw.svg import Canvas

__all__ = ["Entry", "draw_label", "draw_legend", "draw_note"]

#: A sign, drawn with its middle at a point, its width, and what it means.
Entry = tuple[Callable[[Canvas, float, float], None], float, str]

_SIZE = 11.5
_LABEL = 13.0


def draw_legend(canvas: Canvas, entries: Sequence[Entry], *, gap: float = 20) -> None:
    """Write a legend below the diagram, in as many lines as its width asks for."""
    if not entries:
        return
    box = canvas.box
    left, right = box.left + 14, max(box.right - 14, box.left + 360)
    x, y = left, box.bottom + 8
    for draw, wide, label in entries:
        length = wide + 6 + text_width(label, _SIZE)
        if x > left and x + length > right:
            x, y = left, y + 22
        draw(canvas, x + wide / 2, y)
        canvas.text(x + wide + 6, y, label, size=_SIZE, anchor="start", paint=MUTED)
        x += length + gap


def draw_note(canvas: Canvas, text: str) -> None:
    """Write a line in small letters below the diagram."""
    box = canvas.box
    canvas.text(
        box.left + 14, box.bottom + 4, text, size=_SIZE, anchor="start", paint=MUTED
    )


def draw_label(canvas: Canvas, text: str) -> None:
    """Write above the diagram which metric it is about."""
    box = canvas.box
    canvas.title = f"{canvas.title}: {text}"
    canvas.text(
        box.left + 14, box.top - 6, text, size=_LABEL, anchor="start", bold=True
    )
