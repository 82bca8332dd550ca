# SPDX-License-Identifier: Apache-2.0
"""The diagram of predicted and human error spans over the same output."""

from __future__ import annotations

from tertium.judgements.spans.matching import Annotation, Mark
from tertium.meta.spans.statistics import MATCHINGS
from tertium.report.draw.palette import KINDS
from tertium.report.draw.svg import Box, Canvas

__all__ = ["span_figure"]

_TEXT = "The ferry stands at the harbour since noon"
_HUMAN = Annotation((Mark(10, 19, "major"), Mark(32, 37, "minor")))
_PREDICTED = Annotation((Mark(10, 16, "major"), Mark(24, 31, "minor")))
_WIDE = 15
_LEFT = 90


def span_figure() -> str:
    """Return an output with both annotations, as HTML."""
    shown = ", ".join(
        f"{name} {count(_PREDICTED, _HUMAN).f:.2f}"
        for name, count in MATCHINGS.items()
        if name in ("exact", "overlap", "character", "mpp")
    )
    caption = (
        "Human and predicted spans of one output. One prediction finds most of an "
        f"error, one is wrong, and one error is missed. F: {shown}."
    )
    return (
        f'<figure class="diagram"><div class="scroll">{_draw().to_svg()}</div>'
        f"<figcaption>{caption}</figcaption></figure>\n"
    )


def _draw() -> Canvas:
    canvas = Canvas(
        "Human and predicted error spans",
        f"The output “{_TEXT}” with two spans marked by a person and two marked by a "
        "metric; the first of each overlap.",
    )
    for i, letter in enumerate(_TEXT):
        if letter != " ":
            canvas.text(_LEFT + (i + 0.5) * _WIDE, 0, letter, size=15)
    rows = (("human", _HUMAN, "straight"), ("predicted", _PREDICTED, "inverted"))
    for row, (name, annotation, kind) in enumerate(rows):
        top = 18 + 30 * row
        canvas.text(_LEFT - 12, top + 11, name, anchor="end", paint=KINDS[kind])
        for mark in annotation.marks:
            left, right = (_LEFT + x * _WIDE for x in (mark.start, mark.end))
            canvas.rect(Box(left, top, right, top + 22), KINDS[kind], radius=4)
            middle = (left + right) / 2
            canvas.text(middle, top + 11, mark.severity, size=11, paint=KINDS[kind])
    return canvas
