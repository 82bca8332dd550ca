# SPDX-License-Identifier: Apache-2.0
"""Rows of Appraise's export in JSON lines (``ExportSystemScoresToJSONL``).

One object per item: ``annotator``, ``item_id``, ``item_type``, ``document_id``,
``source_language`` ..., and ``target_id``, ``target_text``, ``score`` and
``mqm_annotations``, or ``targets`` with these where outputs stand side by side. Written
from the command of Appraise (commit 00c1d4a). Its ``ContrastiveESA`` names the system
of the first output only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from tertium.judgements.formats.appraise_rows import Row
from tertium.judgements.formats.cells import from_json

__all__ = ["is_export", "rows_of_line"]

_NAMES = {
    "judge": "annotator", "item": "item_id", "type": "item_type",
    "source": "source_language", "target": "target_language",
    "document": "document_id", "whole": "is_complete_document", "start": "start_time",
    "end": "end_time", "batch": "batch_number", "campaign": "campaign_name",
}  # fmt: skip
_OF_OUTPUT = {"system": "target_id", "score": "score", "spans": "mqm_annotations"}
_NAMELESS = "ContrastiveESA"


def is_export(line: str) -> bool:
    """Return whether a line looks like one of this export."""
    names = ("annotator", "item_type", "task_type")
    return line.startswith("{") and all(f'"{name}"' in line for name in names)


def rows_of_line(line: str) -> list[tuple[Row, str]]:
    """Return the outputs of a line as rows of the CSV, with their texts.

    Raises
    ------
    ValueError
        When the line is not one of this export.
    """
    value = from_json(line, "this is")
    if not isinstance(value, dict):
        message = "this is not a JSON object"
        raise ValueError(message)
    if value.get("task_type") == _NAMELESS:
        message = f"{_NAMELESS} does not name the systems; export CSV"
        raise ValueError(message)
    targets = value.get("targets", [value])
    if not isinstance(targets, list) or not all(isinstance(t, dict) for t in targets):
        message = "the targets are not a list of objects"
        raise ValueError(message)
    shared = {name: _cell(value.get(theirs)) for name, theirs in _NAMES.items()}
    return [
        (shared | _cells(one), str(one.get("target_text") or ""))
        for one in targets
        if one.get("target_id") is not None and one.get("score") is not None
    ]


def _cells(target: Mapping[str, object]) -> dict[str, str]:
    return {name: _cell(target.get(theirs)) for name, theirs in _OF_OUTPUT.items()}


def _cell(value: object) -> str:
    """Return a value as the CSV has it."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)
