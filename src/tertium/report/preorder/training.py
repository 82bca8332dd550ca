# SPDX-License-Identifier: Apache-2.0
"""The course of training a preordering model, as a diagram."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from tertium.report.draw.lines import Line, Panel, draw_panels

__all__ = ["training_diagram"]


def training_diagram(rows: Sequence[Mapping[str, object]]) -> str:
    """Return the figures of every iteration as an SVG file, one panel each.

    Parameters
    ----------
    rows : sequence of mappings
        One per iteration; values that are not finite numbers are left out.
    """
    names = [name for name in (rows[0] if rows else {}) if name != "number"]
    panels = []
    for name in names:
        values = [_number(row.get(name)) for row in rows]
        if any(value is not None for value in values):
            title = name.replace("_", " ")
            panels.append(Panel(title, [Line(title, values)]))
    return draw_panels("Training by iteration", panels, step="iteration")


def _number(value: object) -> float | None:
    if isinstance(value, int | float) and math.isfinite(value):
        return float(value)
    return None
