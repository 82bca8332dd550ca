# SPDX-License-Identifier: Apache-2.0
"""A repeated run as tables."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.report.tables.table import Table, as_text

if TYPE_CHECKING:
    from tertium.records.repeating import Repetition

__all__ = ["repetition_tables", "repetition_text"]

_MOST = 20  # differences that are shown to people


def repetition_tables(result: Repetition, most: int | None = None) -> list[Table]:
    """Return what differs or is missing; nothing of what is equal.

    Parameters
    ----------
    result : Repetition
    most : int, optional
        How many differences to show.
    """
    if result.missing:
        rows = [[each.what, each.why, each.cure] for each in result.missing]
        return [Table(["missing", "why", "cure"], rows, left=3)]
    shown = list(result.differences)[:most]
    rows = [[each.where, each.then, each.now] for each in shown]
    left = len(result.differences) - len(shown)
    note = f"and {count(left, 'more difference')}; JSON has all" if left else ""
    return [Table(["where", "then", "now"], rows, note=note)]


def repetition_text(result: Repetition) -> str:
    """Return a repetition for people: the verdict first."""
    command = shlex.join(["tertium", *result.run.command])
    lines = [f"{result.verdict.value}: {command}"]
    if result.missing:
        for each in result.missing:
            lines += [f"  {each.what}", f"    {each.why}; {each.cure}"]
    elif result.differences:
        lines += ["", as_text(repetition_tables(result, _MOST)).rstrip("\n")]
    else:
        lines.append(_compared(result))
    changed = [
        f"{name} {then} then, {now} now"
        for name, (then, now) in result.versions.items()
    ]
    if changed:
        lines.append(f"other versions: {', '.join(changed)}")
    return "\n".join(lines) + "\n"


def _compared(result: Repetition) -> str:
    """Return what was compared, in a line."""
    parts = []
    if figures := _figures(result.run.results.data):
        parts.append(count(figures, "figure"))
    if size := result.run.results.output.size:
        parts.append(f"{count(size, 'byte')} of output")
    if files := len(result.run.results.files):
        parts.append(count(files, "file"))
    return f"compared: {', '.join(parts) or 'the exit code'}"


def _figures(data: object) -> int:
    """Return how many numbers a result has."""
    if isinstance(data, dict):
        return sum(map(_figures, data.values()))
    if isinstance(data, list):
        return sum(map(_figures, data))
    return isinstance(data, (int, float)) and not isinstance(data, bool)
