# SPDX-License-Identifier: Apache-2.0
"""The diagram of BERTScore: cosines of the pieces of two texts, the best marked."""

from __future__ import annotations

from tertium.report.draw.palette import KINDS, MUTED, PLAIN
from tertium.report.draw.svg import Box, Canvas

__all__ = ["COSINES", "HYP", "REF", "draw"]

HYP, REF = "they convened at twelve", "the board met at noon"
#: By all-MiniLM-L6-v2, layer 4; a test compares them with the model.
COSINES = (
    (0.55, 0.25, 0.23, 0.33, 0.14),
    (0.32, 0.30, 0.58, 0.32, 0.37),
    (0.52, 0.22, 0.40, 0.83, 0.38),
    (0.32, 0.16, 0.20, 0.34, 0.50),
)
_WIDE, _HIGH, _LEFT = 64, 30, 84


def draw() -> Canvas:
    """Return a table with a row per piece of the output."""
    canvas = Canvas(
        "BERTScore",
        "Cosines of every piece of the output, one per row, with every piece of the "
        "reference, one per column. The best of a row or a column is marked.",
    )
    blue, orange = KINDS["straight"], KINDS["inverted"]
    for column, piece in enumerate(REF.split()):
        x = _LEFT + (column + 0.5) * _WIDE
        canvas.text(x, -10, piece)
    for row, piece in enumerate(HYP.split()):
        top = row * _HIGH
        canvas.text(_LEFT - 10, top + _HIGH / 2, piece, anchor="end")
        for column, value in enumerate(COSINES[row]):
            left = _LEFT + column * _WIDE
            of_row = value == max(COSINES[row])
            of_column = value == max(each[column] for each in COSINES)
            paint = blue if of_row else orange if of_column else PLAIN
            box = Box(left + 2, top + 2, left + _WIDE - 2, top + _HIGH - 2)
            canvas.rect(box, paint, radius=3)
            ink = paint if of_row or of_column else MUTED
            canvas.text(left + _WIDE / 2, top + _HIGH / 2, f"{value:.2f}", paint=ink)
    return canvas
