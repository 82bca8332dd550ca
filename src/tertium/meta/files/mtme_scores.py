# SPDX-License-Identifier: Apache-2.0
"""Scores in files of mt-metrics-eval: system and score."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from tertium.errors import FormatError
from tertium.meta.files.choice import ScoreRow
from tertium.meta.files.score_fields import cut_fields, score_number
from tertium.meta.files.score_places import Places

__all__ = ["read_mtme"]


def read_mtme(
    path: str,
    lines: Iterable[tuple[int, str]],
    name: str,
    place: Places,
    by_segment: bool,
) -> Iterator[ScoreRow]:
    """Yield the scores of a metric; segments are in the order of the test set."""
    seen: dict[str, int] = defaultdict(int)
    for number, line in lines:
        fields = cut_fields(line)
        if len(fields) != 2:
            what = f"{len(fields)} fields where two are due, system and score"
            raise FormatError(what, path=path, line=number)
        system, text = fields
        segment = None
        if by_segment:
            segment = place(system, seen[system], number)
            seen[system] += 1
        value = score_number(text, path, number)
        if value is not None:
            yield ScoreRow(name, None, system, segment, value, number)
