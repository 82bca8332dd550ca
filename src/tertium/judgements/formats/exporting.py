# SPDX-License-Identifier: Apache-2.0
"""What writers of rankings share: checks, and CSV files that appear complete."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence

from tertium._files import replace_file
from tertium.errors import InputError
from tertium.judgements.judgement import Ranking
from tertium.judgements.tables import Judgements

__all__ = ["ranked", "whole_rankings", "write_rows"]


def whole_rankings(judgements: Judgements, path: str) -> Iterator[Ranking]:
    """Yield rankings of whole segments by known systems; any other is an error."""
    for ranking in judgements.iterate("rankings"):
        if not isinstance(ranking, Ranking):
            continue
        if ranking.part is not None:
            message = (
                f"cannot write {path}: segment {ranking.segment} was judged in parts, "
                "for which the format has no place; write tertium-jsonl"
            )
            raise InputError(message)
        if not all(place.systems for place in ranking.places):
            message = (
                f"cannot write {path}: a candidate of segment {ranking.segment} has no "
                "system; attach systems first, or write tertium-jsonl"
            )
            raise InputError(message)
        yield ranking


def ranked(ranking: Ranking) -> list[tuple[str, int]]:
    """Return every system of a ranking with its rank, garbage after all others."""
    last = max((p.rank for p in ranking.places if not p.garbage), default=0)
    worst = max([last + 1, *(p.rank for p in ranking.places if p.garbage)])
    return [
        (name, worst if place.garbage else place.rank)
        for place in ranking.places
        for name in place.systems
    ]


def write_rows(
    path: str,
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    separator: str = ",",
) -> None:
    """Write a header and rows, quoted where needed; all of them or nothing."""
    with replace_file(path) as file:

        class Lines:
            def write(self, text: str) -> None:
                file.write(text.encode())

        writer = csv.writer(Lines(), delimiter=separator, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)
