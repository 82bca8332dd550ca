# SPDX-License-Identifier: Apache-2.0
"""Scores in JSON: of Tertium, of COMET, of WMT 2025, or one object per line."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tertium.errors import FormatError
from tertium.meta.files.choice import ScoreRow
from tertium.meta.files.metric_names import metric_name
from tertium.meta.files.program_output import read_comet_json, read_json_lines
from tertium.meta.files.score_places import Places
from tertium.meta.files.score_shards import is_score_shard, read_shard
from tertium.meta.files.tertium_scores import read_tertium_json
from tertium.meta.files.wmt25_scores import is_automatic_scores, read_automatic_scores

__all__ = ["read_objects"]


def read_objects(
    path: str, system: str | None, lines: list[str], place: Places, whole_paths: bool
) -> Iterator[ScoreRow]:
    """Yield the scores in JSON of Tertium or COMET, or in JSON lines."""
    if is_automatic_scores(lines[0]):
        yield from read_automatic_scores(path, enumerate(lines, 1), system)
        return
    if is_score_shard(lines[0]):
        yield from read_shard(path, enumerate(lines, 1), place)
        return
    try:
        table = json.loads("\n".join(lines))
    except (ValueError, RecursionError) as error:
        if len(lines) > 1 and _is_object(lines[0]):
            table = None
        else:
            what = f"not JSON ({error}); give what a metric wrote, or a table"
            raise FormatError(what, path=path) from None
    if (
        isinstance(table, dict)
        and table
        and all(isinstance(value, list) for value in table.values())
    ):
        yield from read_comet_json(path, table, place, whole_paths=whole_paths)
    elif isinstance(table, list) and table:
        rows = enumerate(map(json.dumps, table), 1)
        yield from read_json_lines(path, rows, place, system, metric_name(path))
    elif table is None or (isinstance(table, dict) and "systems" not in table):
        numbered = enumerate(lines, 1) if table is None else [(1, json.dumps(table))]
        yield from read_json_lines(path, numbered, place, system, metric_name(path))
    else:
        yield from read_tertium_json(path, table, place)


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
