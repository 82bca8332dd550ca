# SPDX-License-Identifier: Apache-2.0
"""Arcs over a row of words, as for dependency trees.

Arcs are brackets with round corners, which leaves room for labels. An arc lies above
all shorter arcs that it overlaps, and ends of arcs are spread over a word so that
arcs that do not cross in the tree do not cross in the diagram.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.report.draw.lettering import text_width
from tertium.report.draw.palette import VEIL
from tertium.report.draw.svg import Box, Canvas, Paint
from tertium.report.explain.diagrams.rows import Rows, Word

__all__ = ["Arc", "draw_arcs", "label_gaps"]

_LABEL = 11.0
_PITCH = 24.0


@dataclass(frozen=True)
class Arc:
    """An arc from one word to another; from None it comes from outside (a root)."""

    start: int | None
    end: int
    label: str
    paint: Paint
    arrow: bool = True
    title: str = ""

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last word below the arc."""
        if self.start is None:
            return self.end, self.end
        return min(self.start, self.end), max(self.start, self.end)


def label_gaps(words: Sequence[Word], arcs: Sequence[Arc]) -> list[float]:
    """Return how far apart neighbours must stand so that labels fit their arcs."""
    gaps = [
        (words[i].width + words[i + 1].width) / 2 + 10 for i in range(len(words) - 1)
    ]
    for arc in sorted(arcs, key=lambda arc: arc.span[1] - arc.span[0]):
        first, last = arc.span
        if first == last:
            continue
        # Ends may be spread towards each other by half the width of a word.
        need = text_width(arc.label, _LABEL) + 34
        lacking = need - sum(gaps[first:last])
        for i in range(first, last):
            gaps[i] += max(0.0, lacking) / (last - first)
    return gaps


def draw_arcs(
    canvas: Canvas, rows: Rows, side: str, arcs: Sequence[Arc], *, labels: str = "arc"
) -> None:
    """Draw arcs on the outer side of a row.

    Parameters
    ----------
    labels : str
        Where labels stand if the rows are upright: on the ``arc``, or in a ``column``
        next to the word at the arc's end (if every word has one arc at most).
    """
    if not arcs:
        return
    sign = -1 if side == "hyp" else 1
    base = rows.outer(side) + sign * 3
    pitch = _PITCH
    if rows.upright:
        widest = max(text_width(arc.label, _LABEL) for arc in arcs)
        base += sign * 4
        if labels == "column":
            _column(canvas, rows, side, arcs, base + sign * widest / 2)
            base += sign * (widest + 8)
            pitch = 13.0
        else:
            pitch = widest + 10
    levels = _levels(arcs)
    ends = _ends(rows, side, arcs)
    for arc in sorted(arcs, key=lambda arc: -levels[arc]):
        top = base + sign * (pitch * levels[arc] + (4 if not rows.upright else 6))
        shown = "" if rows.upright and labels == "column" else arc.label
        _draw(canvas, rows, arc, ends[arc], (base, top, sign), shown)


def _levels(arcs: Sequence[Arc]) -> dict[Arc, int]:
    """Return the level of every arc; quadratic in their number."""
    levels: dict[Arc, int] = {}
    for arc in sorted(arcs, key=lambda arc: (arc.span[1] - arc.span[0], arc.span)):
        first, last = arc.span
        if first == last:
            continue
        below = [
            level
            for other, level in levels.items()
            if other.span[0] < last and first < other.span[1]
        ]
        levels[arc] = 1 + max(below, default=0)
    for arc in arcs:
        if arc.start is None:
            over = [
                level
                for other, level in levels.items()
                if other.span[0] <= arc.end <= other.span[1] and other.start is not None
            ]
            levels[arc] = 1 + max(over, default=0)
    return levels


def _ends(
    rows: Rows, side: str, arcs: Sequence[Arc]
) -> dict[Arc, tuple[float | None, float]]:
    """Return where arcs start and end along the text."""
    row = rows.hyp if side == "hyp" else rows.ref
    at: dict[int, list[tuple[float, Arc]]] = {}
    for arc in arcs:
        if arc.start is None:
            at.setdefault(arc.end, []).append((0.0, arc))
            continue
        for here, there in ((arc.start, arc.end), (arc.end, arc.start)):
            # Left ends: near, far; then right ends: far, near.
            distance = there - here
            at.setdefault(here, []).append((1.0 / distance, arc))
    ends: dict[tuple[int, Arc], float] = {}
    for word, word_arcs in at.items():
        word_arcs.sort(key=lambda item: item[0])
        room = 20.0 if rows.upright else row.words[word].width - 8
        space = min(10.0, room / max(len(word_arcs), 1))
        for number, (_, arc) in enumerate(word_arcs):
            shift = (number - (len(word_arcs) - 1) / 2) * space
            ends[word, arc] = row.middles[word] + shift
    return {
        arc: (
            None if arc.start is None else ends[arc.start, arc],
            ends[arc.end, arc],
        )
        for arc in arcs
    }


def _draw(
    canvas: Canvas,
    rows: Rows,
    arc: Arc,
    ends: tuple[float | None, float],
    place: tuple[float, float, int],
    label: str,
) -> None:
    base, top, sign = place
    start, end = ends
    tip = base - sign * 1
    if start is None:
        points = [rows.at(end, top), rows.at(end, tip + sign * 4)]
        canvas.line(points[0], points[1], arc.paint)
        middle = end
    else:
        r = min(8.0, abs(end - start) / 2, abs(top - base) / 2)
        turn = r if end > start else -r
        points = [
            rows.at(start, base),
            rows.at(start, top - sign * r),
            rows.at(start, top),
            rows.at(start + turn, top),
            rows.at(end - turn, top),
            rows.at(end, top),
            rows.at(end, top - sign * r),
            rows.at(end, base + sign * (5 if arc.arrow else 0)),
        ]
        p = [f"{x:.1f} {y:.1f}" for x, y in points]
        commands = f"M{p[0]}L{p[1]}Q{p[2]} {p[3]}L{p[4]}Q{p[5]} {p[6]}L{p[7]}"
        canvas.path(commands, points, arc.paint, title=arc.title)
        middle = (start + end) / 2
    if arc.arrow:
        directions = {(False, -1): "down", (False, 1): "up"}
        directions |= {(True, -1): "right", (True, 1): "left"}
        canvas.arrow(rows.at(end, tip), directions[rows.upright, sign], arc.paint)
    if label:
        _label(canvas, rows.at(middle, top), label, arc.paint)


def _label(canvas: Canvas, at: tuple[float, float], label: str, paint: Paint) -> None:
    x, y = at
    half = text_width(label, _LABEL) / 2 + 3
    canvas.rect(Box(x - half, y - 7, x + half, y + 7), VEIL)
    canvas.text(x, y, label, size=_LABEL, paint=paint)


def _column(
    canvas: Canvas, rows: Rows, side: str, arcs: Sequence[Arc], across: float
) -> None:
    row = rows.hyp if side == "hyp" else rows.ref
    for arc in arcs:
        x, y = rows.at(row.middles[arc.end], across)
        canvas.text(x, y, arc.label, size=_LABEL, paint=arc.paint)
