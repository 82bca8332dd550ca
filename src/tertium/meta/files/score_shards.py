# SPDX-License-Identifier: Apache-2.0
"""Segment scores in shards, as ``tertium score --rows-per-shard`` writes them.

A folder, or one of its shards; see :mod:`tertium.engine.score_shards` for the lines.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, TypeAlias

from tertium.data.lines import open_lines
from tertium.data.partitions import is_partitioned, open_partitions
from tertium.engine.score_shards import SCORES, SCORES_VERSION
from tertium.errors import FormatError
from tertium.meta.files.choice import ScoreRow
from tertium.meta.files.program_output import finite, json_row

__all__ = ["is_score_folder", "is_score_shard", "read_shard", "read_shards"]

#: The name of a segment that only has a place, from 0; with its line, for messages.
Place: TypeAlias = Callable[[str, int, int], str]

_HEAD = re.compile(rf'\s*\{{\s*"tertium"\s*:\s*"{SCORES}"')


def is_score_folder(path: str) -> bool:
    """Return whether a path is a folder of shards, whatever these hold."""
    return os.path.isdir(path) and is_partitioned(path)


def is_score_shard(line: str) -> bool:
    """Return whether a file begins as a shard of scores does.

    Examples
    --------
    >>> is_score_shard('{"tertium": "scores", "version": 1}')
    True
    """
    return _HEAD.match(line) is not None


def read_shards(path: str, place: Place) -> Iterator[ScoreRow]:
    """Yield the scores of a folder.

    Raises
    ------
    FormatError
        When a shard is missing, or not what the manifest says; or with the line.
    InputError
        When it holds something else.
    """
    shards = open_partitions(path, SCORES)
    if shards.format != "jsonl":
        what = f"shards of scores are jsonl, and these are {shards.format}"
        raise FormatError(f"{what}; give what `tertium score` writes", path=path)
    for number, shard in enumerate(shards.paths):
        numbers = count(1)
        lines = zip(open_lines(shard), numbers, strict=False)
        yield from read_shard(shard, ((n, line) for line, n in lines), place)
        if shards.manifest is not None:
            # Less the head, and the number that is next.
            shards.manifest.check_rows(number, next(numbers) - 2, shard)


def read_shard(
    path: str, lines: Iterable[tuple[int, str]], place: Place
) -> Iterator[ScoreRow]:
    """Yield the scores of a shard: those of systems first, then of their outputs.

    Parameters
    ----------
    path : str
    lines : iterable of (int, str)
        With their numbers.
    place : callable

    Raises
    ------
    FormatError
        With the line.
    """
    numbered = iter(lines)
    number, line = next(numbered, (1, ""))
    if not is_score_shard(line):
        what = "not the first line of segment scores in shards; write them with"
        raise FormatError(f"{what} Tertium", path=path, line=number)
    falls: dict[str, bool] = {}
    try:
        head = json_row(line, path, number)
        if head["version"] != SCORES_VERSION:
            what = f"version {head['version']!r} is not {SCORES_VERSION}; read it with"
            raise FormatError(f"{what} a newer Tertium", path=path, line=number)
        for metric, facts in head["metrics"].items():
            falls[metric] = facts["higher_is_better"] is False
        for system, scores in head["systems"].items():
            for metric, score in scores.items():
                value = score["score"]
                row = ScoreRow(metric, None, system, None, 0.0, number, path=path)
                if value is not None:
                    score = finite(value, path, number)
                    yield row._replace(score=score, falls=falls[metric])
    except (KeyError, TypeError, AttributeError) as error:
        what = f"not what `tertium score` writes ({error!r}); write the shard again"
        raise FormatError(what, path=path, line=number) from None
    for number, line in numbered:
        yield from _outputs(json_row(line, path, number), falls, path, number, place)


def _outputs(
    row: Mapping[str, Any],
    falls: Mapping[str, bool],
    path: str,
    number: int,
    place: Place,
) -> Iterator[ScoreRow]:
    """Yield the scores of one output."""
    segment, system, scores = row.get("segment"), row.get("system"), row.get("scores")
    name = row.get("id")
    if (
        type(segment) is not int
        or segment < 1
        or not isinstance(system, str)
        or not isinstance(scores, dict)
        or not (name is None or isinstance(name, str))
        or not scores.keys() <= falls.keys()
    ):
        what = (
            "not a segment from 1, a system and scores of the metrics in the first "
            "line; write the shard again"
        )
        raise FormatError(what, path=path, line=number)
    known = place(system, segment - 1, number) if name is None else name
    for metric, value in scores.items():
        # The metric has no value there, by its definition.
        score = float("nan") if value is None else finite(value, path, number)
        yield ScoreRow(
            metric,
            None,
            system,
            known,
            score,
            number,
            falls=falls[metric],
            undefined=value is None,
            path=path,
        )
