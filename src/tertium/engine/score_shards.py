# SPDX-License-Identifier: Apache-2.0
"""Segment scores as a partitioned dataset: JSONL shards with a manifest.

Every shard can be read alone. Its first line has what ``tertium score -f json`` says
about the whole test set; every other line is a row, the scores of one output::

    {"tertium": "scores", "version": 1, "metrics": {SPEC: {"signature",
     "higher_is_better"}}, "systems": {NAME: {SPEC: {"score", "interval"}}}}
    {"segment": 1, "id": "doc/1", "system": NAME, "scores": {SPEC: X or null}}

``id`` is there if the test set has ids. :mod:`tertium.meta.files.score_shards` reads
them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import repeat
from typing import TYPE_CHECKING, Any

from tertium.data.partitions.writing import ROWS, write_line_shards
from tertium.engine.base import without_nan
from tertium.errors import InputError

if TYPE_CHECKING:
    from os import PathLike

    from tertium.data.partitions import Manifest
    from tertium.engine.results import ScoreTable

__all__ = ["SCORES", "SCORES_VERSION", "without_segments", "write_score_shards"]

#: What a manifest calls such a dataset, and the first line of a shard itself.
SCORES = "scores"
SCORES_VERSION = 1


def write_score_shards(
    table: ScoreTable,
    path: str | PathLike[str],
    *,
    rows: int = ROWS,
    compression: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Manifest:
    """Write segment scores to a folder of JSONL shards, with a manifest.

    The folder appears when it is complete, or not at all. Rows are made one by one:
    memory does not grow with scores that are on disk (`hold` of
    :func:`~tertium.engine.score_stream`).

    Parameters
    ----------
    table : ScoreTable
        With the scores of segments.
    path : str or path
        The folder, which is new or empty.
    rows : int
        Rows per shard; there is one per segment and system.
    compression : {"gz", "xz", "bz2", "zst"}, optional
    progress : callable, optional
        Called with the number of rows that are done, and of all, after every segment.

    Raises
    ------
    InputError
        When segments were not scored, or the folder cannot be made.
    OutputError
        When the disk is full.

    Examples
    --------
    >>> import os, tempfile, tertium
    >>> from tertium.data import read
    >>> table = tertium.score(read("demo"), metrics=["chrf"], segments=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = os.path.join(folder, "scores")
    ...     manifest = write_score_shards(table, place, rows=100)
    >>> [shard.rows for shard in manifest.shards]
    [100, 100, 40]
    """
    return write_line_shards(
        map(_line, _rows(table, progress)),
        path,
        content=SCORES,
        compression=compression,
        rows=rows,
        head=_line(_head(table)),
    )


def without_segments(table: ScoreTable) -> ScoreTable:
    """Return the scores of systems alone."""
    systems = {
        name: {
            spec: replace(score, segments=None, documents=None)
            for spec, score in scores.items()
        }
        for name, scores in table.systems.items()
    }
    return replace(table, systems=systems, ids=None)


def _head(table: ScoreTable) -> dict[str, Any]:
    whole = without_nan(without_segments(table).to_dict())
    for scores in whole["systems"].values():
        for score in scores.values():
            del score["segments"]
    return {
        "tertium": SCORES,
        "version": SCORES_VERSION,
        "metrics": whole["metrics"],
        "systems": whole["systems"],
    }


def _rows(
    table: ScoreTable, progress: Callable[[int, int], None] | None
) -> Iterator[dict[str, Any]]:
    systems, specs = list(table.systems), list(table.metrics)
    columns = []
    for system, scores in table.systems.items():
        for spec in specs:
            if spec not in scores:
                message = f"{system} has no scores of {spec}; score all systems alike"
                raise InputError(message)
            segments = scores[spec].segments
            if segments is None:
                message = "segments were not scored; ask for them with segments=True"
                raise InputError(message)
            columns.append(segments)
    width = len(specs)
    ids = repeat(None, table.segments) if table.ids is None else table.ids
    by_segment = zip(ids, zip(*columns, strict=True), strict=True)
    for number, (name, values) in enumerate(by_segment, start=1):
        place = {"segment": number} if name is None else {"segment": number, "id": name}
        for at, system in enumerate(systems):
            some = values[at * width : (at + 1) * width]
            by_spec = dict(zip(specs, some, strict=True))
            yield {**place, "system": system, "scores": without_nan(by_spec)}
        if progress is not None:
            progress(number * len(systems), table.segments * len(systems))


def _line(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
