# SPDX-License-Identifier: Apache-2.0
"""Files of other tools read into tables of judgements.

Rows that cannot be read are never dropped silently: they are returned, or, on
import, written to a file of their own with line and reason.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tertium._files import replace_file
from tertium.data.lines import display, open_lines
from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.judgements.formats import FORMATS, Format, Given
from tertium.judgements.formats.appraise_batches import refuse_batches
from tertium.judgements.formats.campaign_table import is_workbook
from tertium.judgements.formats.format import Numbered
from tertium.judgements.formats.values import without_breaks
from tertium.judgements.records import Bad, Record
from tertium.judgements.store import (
    check_store_place,
    is_store,
    read_store,
    write_parquet,
    write_store,
)
from tertium.judgements.tables import Judgements, Rows, need_polars, schemas

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "Import",
    "check_distinct",
    "demo_files",
    "format_of",
    "import_judgements",
    "numbered_records",
    "recognise",
    "with_demo",
]

_CHUNK = 200_000  # rows in memory


@dataclass(frozen=True)
class Import:
    """What an import did.

    Parameters
    ----------
    judgements : Judgements
        What was read; on disk if it was written.
    formats : dict of str to str
        The format of every file.
    bad : list of (str, Bad)
        The rows that gave no judgement, with their file.
    number : int
        How many judgements were read.
    """

    judgements: Judgements
    formats: dict[str, str]
    bad: list[tuple[str, Bad]]
    number: int


def import_judgements(
    paths: Sequence[str | os.PathLike[str]],
    *,
    out: str | os.PathLike[str] | None = None,
    format: str | None = None,  # noqa: A002
    given: Given | None = None,
    strict: bool = False,
    quarantine: str | os.PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Import:
    """Read files of judgements; return them, or write them to a store.

    Parameters
    ----------
    paths : sequence of paths
    out : path, optional
        The folder or SQLite file to write. Memory then does not grow with the
        files.
    format : str, optional
        The name of the format; told from each file otherwise.
    given : Given, optional
        What the files do not say.
    strict : bool
        Whether a bad row is an error; one without ranks is none.
    quarantine : path, optional
        Where bad rows go: file, line, reason and the row, separated by tabs.
    progress : callable, optional
        Called with the number of records so far.

    Raises
    ------
    FormatError
        When a format is not known, or, if `strict`, at a bad row.
    """
    need_polars()
    import polars as pl

    check_distinct(paths)
    named = [os.fspath(path) for path in paths]
    formats = {path: format_of(path, format) for path in named}
    if not formats:
        raise InputError("no file of judgements; name at least one")
    if out is not None:
        check_store_place(out)
    bad: list[tuple[str, Bad]] = []

    def records() -> Iterator[Record]:
        for path, kind in formats.items():
            for record in kind.read(path, given or Given()):
                if not isinstance(record, Bad):
                    yield record
                elif strict and not record.skipped:
                    what = f"{record.reason}; correct it, or omit strict"
                    raise FormatError(
                        what, path=display(path), line=record.line, options=("strict",)
                    )
                else:
                    bad.append((display(path), record))

    rows, done = Rows(), 0
    # Beside the store: the usual folder for temporary files may be in memory.
    beside = None if out is None else Path(out).resolve().parent
    with TemporaryDirectory(prefix=".tertium-", dir=beside) as parts:
        held: list[dict[str, pl.LazyFrame]] = []
        written = 0
        for record in records():
            rows.add(record)
            done += 1
            if done % 1000:
                continue
            if progress:
                progress(done)
            if len(rows) >= _CHUNK:
                frames = rows.take()
                if out is None:
                    held.append(_light(frames))
                else:
                    _write_part(frames, Path(parts) / str(written))
                    written += 1
        held.append(_light(rows.take()))
        tables = {}
        for name in schemas():
            files = [Path(parts) / str(i) / f"{name}.parquet" for i in range(written)]
            lazy = [pl.scan_parquet(file) for file in files]
            tables[name] = pl.concat([*lazy, *(frames[name] for frames in held)])
        judgements = Judgements(**tables)
        # First what could not be read: a store is never there without it.
        if quarantine is not None and bad:
            _write_bad(bad, quarantine)
        if out is not None:
            write_store(judgements, out)
    return Import(
        judgements if out is None else read_store(out),
        {path: kind.name for path, kind in formats.items()},
        bad,
        done,
    )


def check_distinct(paths: Sequence[str | os.PathLike[str]]) -> None:
    """Raise an error if a file is named twice: its judgements would count double.

    Raises
    ------
    InputError
    """
    seen = set()
    for path in map(os.fspath, paths):
        place = os.path.realpath(path)
        if place in seen:
            message = f"{path} is named twice, so its judgements would count double"
            raise InputError(f"{message}; name it once")
        seen.add(place)


def with_demo(paths: Sequence[str | os.PathLike[str]]) -> list[str]:
    """Return paths with the bundled files for ``demo``, unless there is such a file."""
    named: list[str] = []
    for path in map(os.fspath, paths):
        bundled = path == "demo" and not os.path.exists(path)
        named += demo_files() if bundled else [path]
    return named


def demo_files() -> list[str]:
    """Return the bundled judgements: rankings and ratings by simulated judges."""
    import tertium

    folder = os.path.join(os.path.dirname(tertium.__file__), "demo")
    return [os.path.join(folder, name) for name in ("rankings.tsv", "ratings.jsonl")]


def _light(frames: Mapping[str, pl.DataFrame]) -> dict[str, pl.LazyFrame]:
    """Return tables that hold no memory for columns without a value."""
    import polars as pl

    found = {}
    for name, frame in frames.items():
        empty = {
            column: pl.lit(None, dtype)
            for column, dtype in frame.schema.items()
            if len(frame) and frame[column].null_count() == len(frame)
        }
        kept = frame.drop(list(empty)).lazy()
        found[name] = kept.with_columns(**empty).select(frame.columns)
    return found


def _write_part(frames: Mapping[str, pl.DataFrame], folder: Path) -> None:
    folder.mkdir()
    for name, frame in frames.items():
        write_parquet(frame.lazy(), folder / f"{name}.parquet")


def _write_bad(bad: Sequence[tuple[str, Bad]], path: str | os.PathLike[str]) -> None:
    with replace_file(path) as file:
        file.write(b"file\tline\treason\trow\n")
        for source, (line, reason, text, _) in bad:
            cells = [source, str(line), reason, text]
            shown = "\t".join(map(without_breaks, cells))
            file.write(f"{shown}\n".encode(errors="surrogatepass"))


def numbered_records(
    path: str, kind: Format | None, given: Given | None = None
) -> Iterator[Numbered]:
    """Yield the records of a file with their lines, bad rows included.

    Where lines say nothing, as in a store, records are counted from 1.

    Parameters
    ----------
    kind : Format, optional
        None for a store.
    """
    if kind is None:
        yield from enumerate(read_store(path).records(), start=1)
    elif kind.numbered is None:
        yield from enumerate(kind.read(path, given or Given()), start=1)
    else:
        yield from kind.numbered(path, given or Given())


def recognise(path: str) -> tuple[Format | None, list[str]]:
    """Return the format of a file or folder, if it is known, and the first lines.

    Raises
    ------
    FormatError
        When the file cannot be read or is empty.
    """
    without_lines = os.path.isdir(path) or is_workbook(path)
    head = [] if without_lines else list(islice(open_lines(path), 5))
    if not head and not without_lines:
        raise FormatError("the file is empty; leave it out", path=path)
    return next((one for one in FORMATS.values() if one.fits(path, head)), None), head


def format_of(path: str, name: str | None = None) -> Format:
    """Return the format of a file, by its name or told from its first lines.

    Raises
    ------
    FormatError
        When it is none that is known.
    """
    if name is not None:
        if name not in FORMATS:
            raise UnknownNameError("format of judgements", name, FORMATS)
        return FORMATS[name]
    if path == "-":
        what = f"cannot tell the format; name it: {'|'.join(FORMATS)}"
        raise FormatError(what, path=display(path))
    kind, head = recognise(path)
    if kind is not None:
        return kind
    if is_store(path):
        what = "judgements that were imported already; use `tertium judgements merge`"
        raise FormatError(what, path=path)
    refuse_batches(path, head)
    if head and re.fullmatch(r"(?:[^\t]+\t){5}\d+(?: \d+)*", head[0]):
        what = (
            "candidates of SegRanks, which nobody has ranked yet; "
            "tertium.judgements.read_candidates reads them"
        )
        raise FormatError(what, path=path)
    what = (
        f"no known format of judgements; name one of {', '.join(FORMATS)} "
        "(see `tertium judgements import --help`)"
    )
    raise FormatError(what, path=path)
