# SPDX-License-Identifier: Apache-2.0
"""Judgements as one table for people: CSV, TSV, or a workbook of spreadsheets.

There is a row for every candidate of a ranking, every rating and every mark, with the
columns that these have. The cells of a workbook hold text that no program runs.
:mod:`tertium.judgements.formats.campaign_table` reads them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from tertium._files import replace_file
from tertium.data.formats.xlsx import write_xlsx
from tertium.judgements.formats.campaign_table import COLUMNS, COMMON, SYSTEMS
from tertium.judgements.judgement import Judgement, Ranking, Rating

__all__ = ["rows", "write_sheet"]

Cell: TypeAlias = "str | int | float | None"


def rows(records: Iterable[Judgement]) -> tuple[list[str], list[list[Cell]]]:
    """Return the head of a table and its rows.

    The columns are those of the kinds of judgements that are there; with several
    kinds, the first column names them.
    """
    entries = [entry for record in records for entry in _entries(record)]
    kinds = list(dict.fromkeys(kind for kind, _ in entries))
    columns = dict.fromkeys(name for kind in kinds for name in COLUMNS[kind])
    head = [*(["kind"] if len(kinds) > 1 else []), *COMMON, *columns]
    return head, [
        [kind if name == "kind" else values.get(name) for name in head]
        for kind, values in entries
    ]


def _entries(record: Judgement) -> Iterator[tuple[str, dict[str, Cell]]]:
    """Yield the rows of a record: its kind, and values by column."""
    common: dict[str, Cell] = {
        "judge": record.judge,
        "segment": record.segment,
        "document": record.document,
        "langpair": record.langpair,
        "campaign": record.campaign,
        "time": record.time.isoformat(" ", "seconds") if record.time else None,
        "seconds": None if record.duration is None else round(record.duration, 3),
    }
    if isinstance(record, Ranking):
        for number, place in enumerate(record.places, 1):
            yield (
                "ranking",
                {
                    **common,
                    "part": record.part,
                    "system": SYSTEMS.join(place.systems),
                    "candidate": number,
                    "rank": place.rank,
                    "garbage": "yes" if place.garbage else "no",
                    "text": place.text,
                },
            )
        return
    kind = "rating" if isinstance(record, Rating) else "mark"
    yield kind, {**common, **{name: getattr(record, name) for name in COLUMNS[kind]}}


def write_sheet(records: Iterable[Judgement], path: str, kind: str) -> None:
    """Write judgements as a table.

    Parameters
    ----------
    kind : {"csv", "tsv", "xlsx"}

    Raises
    ------
    InputError
        When the file cannot be written, or a workbook cannot hold it.
    """
    head, table = rows(records)
    if kind == "xlsx":
        write_xlsx(path, [head, *table], sheet="judgements")
        return
    with replace_file(path) as file:
        text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
        separator = "," if kind == "csv" else "\t"
        writer = csv.writer(text, delimiter=separator, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(table)
        text.detach()
