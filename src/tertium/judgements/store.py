# SPDX-License-Identifier: Apache-2.0
"""Judgements on disk: a folder of Parquet files, or one SQLite file.

A name that ends in ``.sqlite``, ``.sqlite3`` or ``.db`` is SQLite, any other a
folder with ``rankings.parquet``, ``ratings.parquet`` and ``spans.parquet``.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.data._atomic import replace_folder
from tertium.errors import FormatError, InputError
from tertium.judgements.tables import Judgements, need_polars, schemas

if TYPE_CHECKING:
    import polars as pl

__all__ = ["is_sqlite", "is_store", "read_store", "write_store"]

_SQLITE = b"SQLite format 3\x00"
_CHUNK = 50_000


def is_sqlite(path: str | os.PathLike[str]) -> bool:
    """Return whether a name is that of a SQLite file."""
    return Path(path).suffix.lower() in (".sqlite", ".sqlite3", ".db")


def is_store(path: str | os.PathLike[str]) -> bool:
    """Return whether judgements that Tertium wrote are there."""
    place = Path(path)
    if place.is_dir():
        return any((place / f"{name}.parquet").exists() for name in schemas())
    if not place.is_file():
        return False
    with place.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def read_store(path: str | os.PathLike[str]) -> Judgements:
    """Return the judgements of a folder or a SQLite file.

    Raises
    ------
    FormatError
        When there are none, or a table lacks a column.
    """
    need_polars()
    import polars as pl

    place = Path(path)
    tables = {}
    for name, columns in schemas().items():
        if place.is_dir():
            file = place / f"{name}.parquet"
            if not file.exists():
                tables[name] = pl.LazyFrame(schema=columns)
                continue
            try:
                frame = pl.scan_parquet(file)
                known = frame.collect_schema().names()
            except (OSError, pl.exceptions.PolarsError) as error:
                what = f"not Parquet ({error}); import the judgements again"
                raise FormatError(what, path=str(file)) from None
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
    return Judgements(**tables)


def write_store(judgements: Judgements, path: str | os.PathLike[str]) -> None:
    """Write judgements to a folder or a SQLite file; all of it or nothing."""
    if is_sqlite(path):
        _to_sqlite(judgements, Path(path))
        return
    with replace_folder(os.fspath(path)) as folder:
        for name, table in judgements.tables().items():
            table.sink_parquet(Path(folder) / f"{name}.parquet")


def _from_sqlite(path: Path, name: str) -> pl.LazyFrame:
    import polars as pl

    columns = schemas()[name]
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as base:
        try:
            # The names are ours, not the user's.
            cursor = base.execute(f"SELECT * FROM {name}")  # noqa: S608
        except sqlite3.Error as error:
            what = f"{error}; import the judgements again"
            raise FormatError(what, path=str(path)) from None
        found = [item[0] for item in cursor.description]
        parts = []
        while rows := cursor.fetchmany(_CHUNK):
            values = dict(zip(found, zip(*rows, strict=True), strict=True))
            parts.append(
                pl.DataFrame(
                    _series(column, values[column], dtype)
                    for column, dtype in columns.items()
                    if column in found
                )
            )
    kept = {column: dtype for column, dtype in columns.items() if column in found}
    return pl.concat([pl.DataFrame(schema=kept), *parts]).lazy()


def _series(column: str, values: Sequence[object], dtype: pl.DataType) -> pl.Series:
    import polars as pl

    if dtype == pl.Datetime("ms"):
        moments: pl.Series = pl.Series(column, values, pl.String).str.to_datetime(
            time_unit="ms"
        )
        return moments
    if dtype == pl.Boolean():
        return pl.Series(column, values, pl.Int8).cast(pl.Boolean)
    return pl.Series(column, values, dtype)


def _rows(table: pl.LazyFrame) -> Iterator[tuple[object, ...]]:
    import polars as pl

    frame = table.with_columns(
        pl.col(pl.Categorical).cast(pl.String),
        pl.col("time").dt.to_string("iso:strict"),
    )
    for part in frame.collect().iter_slices(_CHUNK):
        yield from part.iter_rows()


def _is_whole(dtype: pl.DataType) -> bool:
    import polars as pl

    return dtype.is_integer() or dtype == pl.Boolean()


def _to_sqlite(judgements: Judgements, path: Path) -> None:
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder; give a file name")

    def kind(dtype: pl.DataType) -> str:
        return "REAL" if dtype.is_float() else "INTEGER" if _is_whole(dtype) else "TEXT"

    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with closing(sqlite3.connect(temporary)) as base:
            for name, columns in schemas().items():
                layout = ", ".join(
                    f'"{column}" {kind(dtype)}' for column, dtype in columns.items()
                )
                base.execute(f"CREATE TABLE {name} ({layout})")
                holes = ", ".join("?" * len(columns))
                base.executemany(
                    f"INSERT INTO {name} VALUES ({holes})",  # noqa: S608
                    _rows(judgements.tables()[name]),
                )
            base.commit()
        temporary.replace(path)
    except sqlite3.Error as error:
        raise InputError(f"cannot write {path}: {error}") from None
    finally:
        temporary.unlink(missing_ok=True)
