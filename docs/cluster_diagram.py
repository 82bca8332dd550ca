# SPDX-License-Identifier: Apache-2.0
"""The diagram of a cluster: who sends what to whom."""

from __future__ import annotations

from tertium.report.draw.palette import FAINT, KINDS, MUTED
from tertium.report.draw.svg import Box, Canvas, Paint

__all__ = ["draw", "labelled_box", "two_arrows"]

_HIGH = 40.0
_WORKERS = 3
_ROW = 58.0


def draw() -> Canvas:
    """Return the client, the scheduler, the workers and the disk they share."""
    canvas = Canvas(
        "A cluster",
        "The client sends paths and offsets to the scheduler, which hands them to "
        "workers. Workers read the texts from the shared disk and return statistics.",
    )
    blue, orange = KINDS["straight"], KINDS["inverted"]
    middle = (_WORKERS - 1) * _ROW / 2
    client = labelled_box(canvas, 0, middle, 120, "tertium", "cuts and adds up", blue)
    scheduler = labelled_box(canvas, 270, middle, 110, "scheduler", "", orange)
    two_arrows(canvas, client, scheduler, "paths, offsets", "statistics")
    low = (_WORKERS - 1) * _ROW + _HIGH
    for number in range(_WORKERS):
        worker = labelled_box(
            canvas, 470, number * _ROW, 110, f"worker {number + 1}", "", blue
        )
        start = (scheduler.right, _centre(scheduler))
        canvas.line(start, (worker.left, _centre(worker)), MUTED, under=True)
        end = worker.right + 44
        canvas.line((worker.right, _centre(worker)), (end, _centre(worker)), MUTED)
        canvas.arrow((worker.right, _centre(worker)), "left", MUTED)
    disk = Box(624, 0, 744, low)
    canvas.rect(disk, FAINT, radius=14)
    canvas.text(684, low / 2 - 9, "shared disk", paint=FAINT)
    canvas.text(684, low / 2 + 9, "(texts)", size=11, paint=FAINT)
    return canvas


def labelled_box(
    canvas: Canvas,
    left: float,
    top: float,
    width: float,
    name: str,
    about: str,
    paint: Paint,
) -> Box:
    """Draw a box with a name, and a line about it below."""
    box = Box(left, top, left + width, top + _HIGH)
    canvas.rect(box, paint, radius=6)
    shift = 8 if about else 0
    canvas.text(left + width / 2, _centre(box) - shift, name, paint=paint)
    if about:
        canvas.text(left + width / 2, _centre(box) + 9, about, size=11, paint=paint)
    return box


def two_arrows(canvas: Canvas, a: Box, b: Box, there: str, back: str) -> None:
    """Draw an arrow each way, with what goes along it."""
    for shift, text, tip, toward, above in (
        (-8, there, b.left, "right", -10),
        (8, back, a.right, "left", 12),
    ):
        y = _centre(a) + shift
        canvas.line((a.right, y), (b.left, y), MUTED)
        canvas.arrow((tip, y), toward, MUTED)
        canvas.text((a.right + b.left) / 2, y + above, text, size=11, paint=MUTED)


def _centre(box: Box) -> float:
    return (box.top + box.bottom) / 2
