# SPDX-License-Identifier: Apache-2.0
"""Scores as the sheets of an Excel workbook, one row per system or segment."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.engine.base import Sheet
    from tertium.engine.results import ScoreTable

__all__ = ["score_sheets"]


def score_sheets(table: ScoreTable) -> dict[str, Sheet]:
    """Return sheets of systems, documents and segments where scored, and metrics."""
    sheets: dict[str, Sheet] = {"systems": _systems(table)}
    scores = [score for by_spec in table.systems.values() for score in by_spec.values()]
    if any(score.documents is not None for score in scores):
        sheets["documents"] = _documents(table)
    if any(score.segments is not None for score in scores):
        sheets["segments"] = _segments(table)
    sheets["metrics"] = [
        ["metric", "higher is better", "signature"],
        *(
            [spec, "yes" if info.higher_is_better else "no", info.signature]
            for spec, info in table.metrics.items()
        ),
    ]
    return sheets


def _systems(table: ScoreTable) -> Sheet:
    runs = table.has_runs
    intervals = any(
        score.interval is not None
        for by_spec in table.systems.values()
        for score in by_spec.values()
    )
    head = ["system", *(["runs"] if runs else [])]
    for spec in table.metrics:
        head.append(spec)
        head += [f"{spec} low", f"{spec} high"] if intervals else []
        head += [f"{spec} s_opt", f"{spec} s_sel"] if runs else []
    rows: list[list[str | int | float | None]] = [[*head]]
    for name in table.systems:
        row: list[str | int | float | None] = [name]
        scores = table[name]
        if runs:
            row.append(len(next(iter(scores.values())).runs or ()))
        for score in scores.values():
            row.append(_known(score.score))
            row += (score.interval or (None, None)) if intervals else ()
            row += [score.sd_runs, score.sd_segments] if runs else []
        rows.append(row)
    return rows


def _documents(table: ScoreTable) -> Sheet:
    rows: list[list[str | int | float | None]] = [
        ["document", "system", *table.metrics]
    ]
    for name, scores in table.systems.items():
        for doc in next(iter(scores.values())).documents or {}:
            figures = [(score.documents or {})[doc] for score in scores.values()]
            rows.append([doc, name, *map(_known, figures)])
    return rows


def _segments(table: ScoreTable) -> Sheet:
    ids = table.ids
    head = ["segment", *(["id"] if ids else []), "system", *table.metrics]
    rows: list[list[str | int | float | None]] = [[*head]]
    for index in range(table.segments):
        for name, scores in table.systems.items():
            figures = [(score.segments or [])[index] for score in scores.values()]
            key = [ids[index]] if ids else []
            rows.append([index + 1, *key, name, *map(_known, figures)])
    return rows


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value
