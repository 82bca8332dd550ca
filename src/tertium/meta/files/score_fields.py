# SPDX-License-Identifier: Apache-2.0
"""Fields of score files: how lines are cut, and which numbers are scores."""

from __future__ import annotations

import math

from tertium.errors import FormatError

__all__ = ["UNDEFINED", "cut_fields", "is_text", "score_number"]

#: What `tertium score` writes where a metric has no value.
UNDEFINED = "n/a"


def cut_fields(line: str) -> list[str]:
    """Return the fields of a line, between tabs or else between spaces."""
    return line.split("\t") if "\t" in line else line.split()


def is_text(field: str) -> bool:
    """Return whether a field is neither a number nor None."""
    try:
        float(field)
    except ValueError:
        return field != "None"
    return False


def score_number(text: str, path: str, line: int) -> float | None:
    """Return a score; nothing for None and for deliberate non-numbers."""
    if text in ("None", "", "NA", UNDEFINED):
        return None
    try:
        value = float(text)
    except ValueError:
        what = f"{text!r} is not a score; write a number, or None"
        raise FormatError(what, path=path, line=line) from None
    if not math.isfinite(value):
        what = f"{text} is not a score that can be ranked; write a number, or None"
        raise FormatError(what, path=path, line=line)
    return value
