# SPDX-License-Identifier: Apache-2.0
"""Exports as one file to download, whatever the format makes of it."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from django.db import transaction

from tertium.campaigns.exchange.exporting import formats, write_file
from tertium.campaigns.exchange.formats import SIDES
from tertium.campaigns.exchange.spreadsheets import check_cells, defuse_cells
from tertium.campaigns.models import Campaign
from tertium.errors import InputError, UnknownNameError

__all__ = ["CELLS", "Download", "make_download"]

#: What is done with cells that a spreadsheet would run.
CELLS = {
    "check": "reject the download when there are some",
    "apostrophe": "put an apostrophe before them",
}
_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "json": "application/json",
    "sqlite": "application/vnd.sqlite3",
    "zip": "application/zip",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "txt": "text/plain; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
}
_ENDINGS = {
    "answers": "jsonl",
    "parquet": "",
    "sqlite": "sqlite",
    "pairs": "tsv",
    "participants": "tsv",
    "items": "jsonl",
    "codebook": "md",
}
# Tables whose cells stand as they are, quotation marks and all.
_UNQUOTED = ("judged-tsv", "mqm-tsv", "pairs")


@dataclass(frozen=True)
class Download:
    """A file to send: open, gone when closed."""

    file: BinaryIO
    name: str
    type: str
    ending: str


@transaction.atomic  # a rejected one is not in the log
def make_download(
    campaign: Campaign,
    format_name: str,
    *,
    cells: str = "check",
    archive: bool | None = None,
    actor: str = "cli",
) -> Download:
    """Return an export of a campaign as one open file, recorded in the log.

    A format that makes a folder is packed into one ZIP file. Nothing of what
    people or files say is part of a path. `archive` is that of `write_file`.

    Raises
    ------
    UnknownNameError
        When there is no such format, or no such way with cells.
    InputError
        When the format has no place for these judgements, or a cell is dangerous.
    """
    known = formats() | SIDES
    if format_name not in known:
        raise UnknownNameError("export format", format_name, known)
    if cells not in CELLS:
        raise UnknownNameError("way with cells", cells, CELLS)
    ending = _ending(format_name)
    # Removed at the end of this block; the open file keeps its bytes.
    with tempfile.TemporaryDirectory(prefix="tertium-export-") as folder:
        place = Path(folder, f"{format_name}.{ending}" if ending else format_name)
        try:
            write_file(campaign, str(place), format_name, archive=archive, actor=actor)
        except InputError as error:
            if error.note is not None:
                raise
            # People know the format, not our folder.
            raise InputError(str(error).replace(str(place), format_name)) from None
        if place.is_dir():
            ending = "zip"
            named = place.rename(Path(folder, campaign.name))
            packed = shutil.make_archive(f"{folder}/packed", "zip", folder, named.name)
            place = Path(packed)
        if ending in ("csv", "tsv"):
            separator = "," if ending == "csv" else "\t"
            quoted = format_name not in _UNQUOTED
            if cells == "apostrophe":
                defuse_cells(place, separator, quoted=quoted)
            else:
                check_cells(place, separator, quoted=quoted)
        file = place.open("rb")
    name = f"{campaign.name}.{format_name}.{ending}"
    return Download(file, name, _TYPES[ending], f".{ending}")


def _ending(format_name: str) -> str:
    if format_name in _ENDINGS:
        return _ENDINGS[format_name]
    last = format_name.rsplit("-", 1)[-1]
    return last if last in _TYPES else "" if format_name == "mtme" else "txt"
