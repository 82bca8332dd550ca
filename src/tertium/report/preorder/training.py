# SPDX-License-Identifier: Apache-2.0
"""The course of training a preordering model, as a diagram."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from tertium.report.draw.lines import Line, Panel, draw_panels

__all__ = ["training_diagram"]

#: What says which iteration a row is, of which model.
_LABELS = {"member", "kind", "number"}


def training_diagram(rows: Sequence[Mapping[str, object]]) -> str:
    """Return the figures of every iteration as an SVG file, one panel each.

    Parameters
    ----------
    rows : sequence of mappings
        One per iteration; values that are not finite numbers are left out. Members of a
        model, with a "member" and a "kind", are lines of the panels of their kind.
    """
    panels = []
    for kind in dict.fromkeys(row.get("kind") for row in rows):
        same = [row for row in rows if row.get("kind") == kind]
        members = dict.fromkeys(row.get("member") for row in same)
        for name in (name for name in same[0] if name not in _LABELS):
            title = name.replace("_", " ")
            values = {
                member: [
                    _number(row.get(name))
                    for row in same
                    if row.get("member") == member
                ]
                for member in members
            }
            lines = [
                Line(title if member is None else str(member), line)
                for member, line in values.items()
                if any(value is not None for value in line)
            ]
            if lines:
                panels.append(
                    Panel(title if kind is None else f"{kind}: {title}", lines)
                )
    return draw_panels("Training by iteration", panels, step="iteration")


def _number(value: object) -> float | None:
    if isinstance(value, int | float) and math.isfinite(value):
        return float(value)
    return None
