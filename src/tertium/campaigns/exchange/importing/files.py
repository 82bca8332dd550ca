# SPDX-License-Identifier: Apache-2.0
"""Judgement files: recognised, opened, and put into a campaign."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tertium.campaigns.exchange.formats import RAW, STORES, imports
from tertium.campaigns.exchange.importing.keeping import Imported
from tertium.campaigns.exchange.importing.raw import import_raw
from tertium.campaigns.exchange.importing.records import Records
from tertium.campaigns.models import Campaign
from tertium.campaigns.tasks import Task, get_task
from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.judgements import FORMATS
from tertium.judgements.formats import Format
from tertium.judgements.formats.campaign_table import CAMPAIGN_TABLE, is_workbook
from tertium.judgements.formats.format import Numbered
from tertium.judgements.judgement import Judgement, Ranking, Rating, Span
from tertium.judgements.sources import format_of, numbered_judgements
from tertium.judgements.store import is_store
from tertium.judgements.tables import need_polars, schemas

__all__ = ["import_file"]

_TABLES: dict[type[Judgement], str] = {
    Ranking: "rankings",
    Rating: "ratings",
    Span: "spans",
}
#: Losses after which the original judgements cannot be recovered.
_TOO_MUCH = {
    "averaged": "holds means, not single judgements",
    "ranks": "holds pairs, from which no ranking can be recovered",
}
_LARGEST = 500_000_000  # bytes of what a ZIP file holds
_CHUNK = 1 << 20


def import_file(
    campaign: Campaign,
    path: str,
    *,
    format_name: str | None = None,
    skip_bad: bool = False,
    actor: str = "cli",
) -> Imported:
    """Put the judgements of a file into a campaign, and return the result.

    Parameters
    ----------
    path : str
        A file in a format of exports, a folder of Parquet tables, or a ZIP of one.
    format_name : str, optional
        Told from the file by default.
    skip_bad : bool
        Store the good lines though there are bad ones. By default one bad line
        keeps all of them out.
    actor : str
        Who does it, for the log.

    Raises
    ------
    InputError
        When the file cannot be read, or the task has no place for what it holds.
    """
    if format_name is not None and format_name not in imports():
        raise UnknownNameError("import format", format_name, imports())
    if not Path(path).exists():
        raise InputError(f"there is no {path}; check the path")
    try:
        return _import(campaign, path, format_name, skip_bad=skip_bad, actor=actor)
    except OSError as error:
        message = f"cannot read {path}: {error.strerror}; check the path"
        raise InputError(message) from None


def _import(
    campaign: Campaign,
    path: str,
    format_name: str | None,
    *,
    skip_bad: bool,
    actor: str,
) -> Imported:
    if format_name == RAW or (format_name is None and _is_raw(path)):
        with open(path, "rb") as lines:
            return import_raw(campaign, lines, skip_bad=skip_bad, actor=actor)
    need_polars()
    with TemporaryDirectory(prefix="tertium-import-") as folder:
        if zipfile.is_zipfile(path) and not is_workbook(path):
            path = _unpacked(path, folder)
        kind = None
        if format_name in STORES or (format_name is None and is_store(path)):
            records = _stored(path)
        else:
            kind = format_of(path, format_name)
            records = numbered_judgements(path, kind)
        _fitting(campaign, get_task(campaign.task), kind)
        name = kind.name if kind else format_name or STORES[0]
        return Records(campaign, name, records).run(skip_bad=skip_bad, actor=actor)


def _is_raw(path: str) -> bool:
    """Return whether the first line is a raw judgement."""
    if Path(path).is_dir():
        return False
    with open(path, "rb") as file:
        return b'"tertium-answers"' in next(
            (line for line in file if line.strip()), b""
        )


def _stored(path: str) -> Iterator[Numbered]:
    import polars as pl

    try:
        yield from numbered_judgements(path, None)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        what = "these tables are damaged; export them again"
        raise FormatError(what, path=path) from None


def _unpacked(path: str, folder: str) -> str:
    """Unpack the tables of a ZIP file under names of ours; return their folder."""
    left = _LARGEST
    with zipfile.ZipFile(path) as packed:
        for name in schemas():
            for one in packed.infolist():
                if Path(one.filename).name != f"{name}.parquet":
                    continue
                try:
                    with (
                        packed.open(one) as source,
                        Path(folder, f"{name}.parquet").open("wb") as copy,
                    ):
                        while left > 0 and (chunk := source.read(_CHUNK)):
                            copy.write(chunk)
                            left -= len(chunk)
                except (
                    zipfile.BadZipFile,
                    NotImplementedError,
                    RuntimeError,
                    EOFError,
                ):
                    what = "the ZIP file is damaged or has a password; pack it again"
                    raise FormatError(what, path=path) from None
                break
    if left <= 0:
        what = f"the tables have more than {_LARGEST} bytes; import them in parts"
        raise FormatError(what, path=path)
    if not is_store(folder):
        what = "no Parquet tables in it; pack what `export --format parquet` writes"
        raise FormatError(what, path=path)
    return folder


def _fitting(campaign: Campaign, task: Task, kind: Format | None) -> None:
    """Reject what cannot become a judgement, before anything is read.

    Raises
    ------
    InputError
        When the format holds other things than the task asks for.
    """
    if task.takes is None:
        message = (
            f"campaigns of the task {task.name!r} take only {RAW}; export them as such"
        )
        raise InputError(message)
    if kind is None:
        return
    if kind is CAMPAIGN_TABLE:
        message = (
            "a table for people, which lacks the metadata that tell a new judgement "
            f"from a known one; import one of {', '.join([RAW, *STORES])}"
        )
        raise InputError(message)
    table = _TABLES[task.takes]
    what = " and ".join(_TOO_MUCH[one] for one in kind.loses if one in _TOO_MUCH)
    if table not in kind.kinds:
        what = f"holds {' and '.join(kind.kinds)}"
    if not what:
        return
    fits = [
        name
        for name, one in FORMATS.items()
        if one.write and table in one.kinds and not _TOO_MUCH.keys() & set(one.loses)
    ]
    message = (
        f"{kind.name} {what}; campaign {campaign.name!r} ({task.name}) takes {table}: "
        f"import one of {', '.join([RAW, *STORES, *fits])}"
    )
    raise InputError(message)
