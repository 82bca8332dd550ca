# SPDX-License-Identifier: Apache-2.0
"""Judgements on disk: a folder of Parquet files, or one SQLite file.

A name that ends in ``.sqlite``, ``.sqlite3`` or ``.db`` is SQLite, any other a
folder with ``rankings.parquet``, ``ratings.parquet`` and ``spans.parquet``, or with
several numbered files of each (``ratings-00000.parquet``). Tables are read when
something is asked for, long after the store was opened, so a folder also has
``checksums.json``: what was damaged is found out at once. Folders without it are read
through when they are opened.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from tertium._files import check_place, replace_file, replace_folder
from tertium._watching import announce_read
from tertium.errors import FormatError, InputError, OutputError
from tertium.judgements.tables import Judgements, need_polars, schemas, slices

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "check_store_place",
    "is_sqlite",
    "is_store",
    "read_store",
    "temporary_store",
    "write_parquet",
    "write_store",
]

_SQLITE = b"SQLite format 3\x00"
_CHUNK = 50_000
_VIEW = "SELECT 1 FROM sqlite_master WHERE name = ? AND type = 'view'"
_ROW_GROUP = 500_000
_TIME = "%Y-%m-%dT%H:%M:%S%.6f"
_SUMS = "checksums.json"
_BLOCK = 1 << 20


def is_sqlite(path: str | os.PathLike[str]) -> bool:
    """Return whether a name is that of a SQLite file."""
    return Path(path).suffix.lower() in (".sqlite", ".sqlite3", ".db")


def is_store(path: str | os.PathLike[str]) -> bool:
    """Return whether judgements that Tertium wrote are there."""
    place = Path(path)
    if place.is_dir():
        return any(_table_files(place, name) for name in schemas())
    if not place.is_file():
        return False
    with place.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def read_store(path: str | os.PathLike[str]) -> Judgements:
    """Return the judgements of a folder or a SQLite file.

    Raises
    ------
    FormatError
        When there are none, a table lacks a column, or the store is damaged.
    """
    need_polars()
    import polars as pl

    place = Path(path)
    if not is_store(place):
        what = (
            "no judgements that Tertium wrote; make them with "
            "`tertium judgements import`"
            if place.exists()
            else "no such file or folder; check the path"
        )
        raise FormatError(what, path=str(place))
    tables = {}
    is_checked = place.is_dir() and _check_sums(place)
    for name, columns in schemas().items():
        if place.is_dir():
            files = _table_files(place, name)
            if not files:
                tables[name] = pl.LazyFrame(schema=columns)
                continue
            file = files[0]
            frame = _from_parquet(files)
            known = frame.collect_schema().names()
        else:
            file = place
            frame = _from_sqlite(place, name)
            known = frame.collect_schema().names()
        missing = [column for column in columns if column not in known]
        if missing:
            what = f"{name} lacks {', '.join(missing)}; import the judgements again"
            raise FormatError(what, path=str(file))
        tables[name] = frame.select(
            pl.col(column).cast(dtype) for column, dtype in columns.items()
        )
        if place.is_dir() and not is_checked:
            _read_through(tables[name], file)
    return Judgements.from_tables(tables)


def temporary_store() -> str:
    """Return the place for a store that is removed when the program ends."""
    import atexit
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix="tertium-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return os.path.join(folder, "store")


def write_store(
    judgements: Judgements, path: str | os.PathLike[str], *, rows: int | None = None
) -> None:
    """Write judgements to a folder or a SQLite file; all of it or nothing.

    Parameters
    ----------
    judgements : Judgements
    path : path
    rows : int, optional
        Rows per file of a folder; one file per table by default.

    Raises
    ------
    InputError
        When the folder is not empty, or a SQLite file should be several.
    OutputError
        When writing fails.
    """
    if is_sqlite(path):
        check_store_place(path, rows=rows)
        _to_sqlite(judgements, Path(path))
        return
    with replace_folder(os.fspath(path)) as folder:
        sums = {}
        for name, table in judgements.tables().items():
            for file, part in _parts(table, Path(folder), name, rows):
                write_parquet(part, file)
                sums[file.name] = _sum(file)
        with replace_file(Path(folder) / _SUMS) as stream:
            stream.write(json.dumps({"crc32": sums}, indent=1).encode() + b"\n")


def _parts(
    table: pl.LazyFrame, folder: Path, name: str, rows: int | None
) -> Iterator[tuple[Path, pl.LazyFrame]]:
    """Yield the files of a table, and what goes into each."""
    if rows is None:
        yield folder / f"{name}.parquet", table
        return
    import polars as pl

    total = table.select(pl.len()).collect().item()
    for number, start in enumerate(range(0, max(total, 1), rows)):
        yield folder / f"{name}-{number:05}.parquet", table.slice(start, rows)


def _table_files(folder: Path, name: str) -> list[Path]:
    """Return the files of a table: one, or several that are numbered."""
    single = folder / f"{name}.parquet"
    return [single] if single.exists() else sorted(folder.glob(f"{name}-*.parquet"))


def write_parquet(table: pl.LazyFrame, file: Path) -> None:
    """Write one table.

    Raises
    ------
    OutputError
        When that fails, as on a full disk.
    """
    import polars as pl

    try:
        table.sink_parquet(file, row_group_size=_ROW_GROUP)
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        message = (
            f"cannot write {file} ({_first_line(error)}); check free space and the "
            "largest size that a file may have"
        )
        raise OutputError(message) from None


def check_store_place(path: str | os.PathLike[str], *, rows: int | None = None) -> None:
    """Raise an error if a store could not be written there, before long work.

    Parameters
    ----------
    path : path
    rows : int, optional
        Rows per file, which only a folder has several of.
    """
    place = Path(path)
    if rows is not None and is_sqlite(place):
        message = f"{path} is one SQLite file; give a folder for several files"
        raise InputError(message)
    if not is_sqlite(place) and place.is_dir():
        if any(place.iterdir()):
            message = f"{path} is not empty; empty it or give another name"
            raise InputError(message)
    elif not is_sqlite(place) and place.exists():
        raise InputError(f"cannot write folder {path}: it is a file; give a folder")
    else:
        check_place(path)
        if place.is_file():
            message = f"{path} is there already; remove it or give another name"
            raise InputError(message)


def _sum(file: Path) -> int:
    checksum = 0
    with file.open("rb") as stream:
        while block := stream.read(_BLOCK):
            checksum = zlib.crc32(block, checksum)
    return checksum


def _check_sums(folder: Path) -> bool:
    """Compare tables with their checksums; return whether there are any.

    Raises
    ------
    FormatError
        When a table is missing or not what was written.
    """
    file = folder / _SUMS
    if not file.exists():
        return False
    try:
        sums = dict(json.loads(file.read_bytes())["crc32"])
    except (OSError, ValueError, KeyError, TypeError):
        what = "these are not the checksums of a store; import the judgements again"
        raise FormatError(what, path=str(file)) from None
    for name in sums:
        if not isinstance(name, str) or os.path.basename(name) != name:
            what = "these are not the checksums of a store; import the judgements again"
            raise FormatError(what, path=str(file))
        if not (folder / name).exists():
            what = "the table is missing; import the judgements again"
            raise FormatError(what, path=str(folder / name))
    for table in [file for name in schemas() for file in _table_files(folder, name)]:
        try:
            is_same = _sum(table) == sums.get(table.name)
        except OSError as error:
            what = f"cannot be read ({error.strerror}); check the disk"
            raise FormatError(what, path=str(table)) from None
        if not is_same:
            what = (
                "the table is damaged, or was changed by another program (its checksum "
                f"differs); import the judgements again, or delete {_SUMS}"
            )
            raise FormatError(what, path=str(table))
    return True


def _from_parquet(files: Sequence[Path]) -> pl.LazyFrame:
    import polars as pl

    frames = []
    for file in files:
        try:
            announce_read(file)
            frames.append(pl.scan_parquet(file))
            frames[-1].collect_schema()
        except (
            OSError,
            pl.exceptions.PolarsError,
            pl.exceptions.PanicException,
        ) as error:
            raise _damaged(file, error) from None
    return frames[0] if len(frames) == 1 else pl.concat(frames)


def _read_through(table: pl.LazyFrame, file: Path) -> None:
    """Raise an error now if a table could not be read later.

    Raises
    ------
    FormatError
    """
    import polars as pl

    try:
        for _ in slices(table):
            pass
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise _damaged(file, error) from None


def _damaged(file: Path, error: BaseException) -> FormatError:
    what = (
        f"damaged, or not Parquet ({_first_line(error)}); import the judgements again"
    )
    return FormatError(what, path=str(file))


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]


def _from_sqlite(path: Path, name: str) -> pl.LazyFrame:
    import polars as pl

    columns = schemas()[name]
    parts = []
    try:
        # As a URI, so that nothing is created; a name may hold ? and #.
        address = f"file:{quote(os.fspath(path.resolve()))}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as base:
            # A view may compute for ever.
            if base.execute(_VIEW, [name]).fetchone():
                what = f"{name} is a view; import the judgements again"
                raise FormatError(what, path=str(path))
            # The names are ours, not the user's.
            cursor = base.execute(f"SELECT * FROM {name}")  # noqa: S608
            present = [item[0] for item in cursor.description]
            while rows := cursor.fetchmany(_CHUNK):
                values = dict(zip(present, zip(*rows, strict=True), strict=True))
                parts.append(
                    pl.DataFrame(
                        _series(column, values[column], dtype)
                        for column, dtype in columns.items()
                        if column in present
                    )
                )
    except (
        sqlite3.Error,
        TypeError,
        OverflowError,
        pl.exceptions.PolarsError,
    ) as error:
        what = f"{name}: {_first_line(error)}; import the judgements again"
        raise FormatError(what, path=str(path)) from None
    kept = {column: dtype for column, dtype in columns.items() if column in present}
    return pl.concat([pl.DataFrame(schema=kept), *parts]).lazy()


def _series(column: str, values: Sequence[object], dtype: pl.DataType) -> pl.Series:
    import polars as pl

    if dtype == pl.Datetime("us"):
        text = pl.Series(column, values, pl.String)
        moments: pl.Series = text.str.to_datetime(_TIME, time_unit="us")
        return moments
    if dtype == pl.Boolean():
        flags: pl.Series = pl.Series(column, values, pl.Int8).cast(pl.Boolean)
        return flags
    return pl.Series(column, values, dtype)


def _rows(table: pl.LazyFrame) -> Iterator[tuple[object, ...]]:
    import polars as pl

    frame = table.with_columns(
        pl.col(pl.Categorical).cast(pl.String),
        pl.col("time").dt.to_string(_TIME),
    )
    for part in slices(frame):
        yield from part.iter_rows()


def _sql_type(dtype: pl.DataType) -> str:
    import polars as pl

    if dtype.is_float():
        return "REAL"
    whole = dtype.is_integer() or dtype == pl.Boolean()
    return "INTEGER" if whole else "TEXT"


def _to_sqlite(judgements: Judgements, path: Path) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with closing(sqlite3.connect(temporary)) as base:
            for name, columns in schemas().items():
                layout = ", ".join(
                    f'"{column}" {_sql_type(dtype)}'
                    for column, dtype in columns.items()
                )
                base.execute(f"CREATE TABLE {name} ({layout})")
                holes = ", ".join("?" * len(columns))
                base.executemany(
                    f"INSERT INTO {name} VALUES ({holes})",  # noqa: S608
                    _rows(judgements.tables()[name]),
                )
            base.commit()
        temporary.replace(path)
    except (sqlite3.Error, OSError) as error:
        message = f"cannot write {path}: {error}; check the path and free space"
        raise OutputError(message) from None
    finally:
        temporary.unlink(missing_ok=True)
