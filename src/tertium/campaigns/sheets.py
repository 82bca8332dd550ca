# SPDX-License-Identifier: Apache-2.0
"""Judgements as one table for people: CSV, TSV, or a workbook of spreadsheets.

There is a row for every candidate of a ranking, every rating and every mark, with the
columns that these have. A workbook (Office Open XML, ECMA-376) is written here: it is
a few small files in a ZIP archive, and its cells hold text that no program runs.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, TypeAlias
from xml.sax.saxutils import escape

from tertium.data._atomic import replace_file
from tertium.errors import InputError
from tertium.judgements.records import Ranking, Rating, Record

__all__ = ["rows", "write_sheet"]

Cell: TypeAlias = "str | int | float | None"

_COMMON = ("judge", "segment", "document", "langpair", "campaign", "time", "seconds")
_COLUMNS = {
    "ranking": ("part", "system", "candidate", "rank", "garbage", "text"),
    "rating": ("system", "scale", "score"),
    "mark": ("system", "category", "severity", "start", "end", "side", "text"),
}
_MOST_ROWS = 1_048_576  # of a sheet
_LONGEST = 32_767  # characters of a cell
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
        '<Override PartName="/xl/worksheets/sheet1.xml" '
        f'ContentType="{_KIND}.worksheet+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{_LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>'
        '<sheet name="judgements" sheetId="1" r:id="r1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{_LINKS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
    ),
}


def rows(records: Iterable[Record]) -> tuple[list[str], list[list[Cell]]]:
    """Return the head of a table and its rows.

    The columns are those of the kinds of judgements that are there; with several
    kinds, the first column names them.
    """
    found = [entry for record in records for entry in _entries(record)]
    kinds = list(dict.fromkeys(kind for kind, _ in found))
    own = dict.fromkeys(name for kind in kinds for name in _COLUMNS[kind])
    head = [*(["kind"] if len(kinds) > 1 else []), *_COMMON, *own]
    return head, [
        [kind if name == "kind" else values.get(name) for name in head]
        for kind, values in found
    ]


def _entries(record: Record) -> Iterator[tuple[str, dict[str, Cell]]]:
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
                    "system": ", ".join(place.systems),
                    "candidate": number,
                    "rank": place.rank,
                    "garbage": "yes" if place.garbage else "no",
                    "text": place.text,
                },
            )
        return
    kind = "rating" if isinstance(record, Rating) else "mark"
    yield kind, {**common, **{name: getattr(record, name) for name in _COLUMNS[kind]}}


def write_sheet(records: Iterable[Record], path: str, kind: str) -> None:
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
    with replace_file(path) as file:
        if kind == "xlsx":
            _write_book(file, [head, *table])
            return
        text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
        separator = "," if kind == "csv" else "\t"
        writer = csv.writer(text, delimiter=separator, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(table)
        text.detach()


def _write_book(file: IO[bytes], table: Sequence[Sequence[Cell]]) -> None:
    if len(table) > _MOST_ROWS:
        message = f"a workbook has {_MOST_ROWS:,} rows at most, this has {len(table):,}"
        raise InputError(f"{message}; write .csv instead")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in _PARTS.items():
            packed.writestr(_entry(name), _HEAD + text)
        with packed.open(_entry("xl/worksheets/sheet1.xml"), "w") as sheet:
            sheet.write(f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
            for row in table:
                cells = "".join(map(_cell, row))
                sheet.write(f"<row>{cells}</row>".encode())
            sheet.write(b"</sheetData></worksheet>")


def _entry(name: str) -> zipfile.ZipInfo:
    """Return a part without a date: the same judgements make the same file."""
    found = zipfile.ZipInfo(name)
    found.compress_type = zipfile.ZIP_DEFLATED
    return found


def _cell(value: Cell) -> str:
    if value is None:
        return "<c/>"
    if not isinstance(value, str):
        return f"<c><v>{value!r}</v></c>"
    if len(value) > _LONGEST:
        message = f"a cell holds {_LONGEST:,} characters at most, a text is longer"
        raise InputError(f"{message}; write .csv instead")
    text = escape(_UNFIT.sub("\ufffd", value))
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
