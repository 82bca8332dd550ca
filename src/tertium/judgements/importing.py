# SPDX-License-Identifier: Apache-2.0
"""Files of other tools read into tables of judgements.

Rows that cannot be read are never dropped silently: they are returned, or, on
import, written to a file of their own with line and reason.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tertium._files import replace_file
from tertium.data.lines import display
from tertium.errors import FormatError, InputError
from tertium.judgements.formats import ImportOptions
from tertium.judgements.formats.values import without_breaks
from tertium.judgements.items import (
    Items,
    add_items,
    kept_texts,
    read_items,
    split_items,
)
from tertium.judgements.judgement import Bad, Judgement
from tertium.judgements.rows import Rows
from tertium.judgements.sources import check_distinct, expanded, format_of
from tertium.judgements.store import (
    check_store_place,
    read_store,
    write_parquet,
    write_store,
)
from tertium.judgements.tables import Judgements, need_polars, schemas

if TYPE_CHECKING:
    import polars as pl

    from tertium.notes import Note

__all__ = ["Import", "import_judgements", "read_files"]

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
    notes : tuple of Note
        What a user should know about the judgements.
    items : tuple of Items
        What was, or is to be, judged: batches, campaigns, documents.
    """

    judgements: Judgements
    formats: dict[str, str]
    bad: list[tuple[str, Bad]]
    number: int
    notes: tuple[Note, ...] = ()
    items: tuple[Items, ...] = ()


def import_judgements(
    paths: Sequence[str | os.PathLike[str]],
    *,
    out: str | os.PathLike[str] | None = None,
    rows: int | None = None,
    format: str | None = None,  # noqa: A002
    langpair: str | None = None,
    campaign: str | None = None,
    scale: str | None = None,
    batches: str | None = None,
    systems: str | os.PathLike[str] | None = None,
    keep_unmatched: bool = False,
    normalise: str | None = None,
    strict: bool = False,
    quarantine: str | os.PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Import:
    """Read files of judgements; return them, or write them to a store.

    Parameters
    ----------
    paths : sequence of paths
        Files, or folders of JSONL shards (see :mod:`tertium.data.partitions`). Files
        without judgements, such as batches, are kept beside them (see
        :mod:`tertium.judgements.items`).
    out : path, optional
        The folder or SQLite file to write. Memory then does not grow with the
        files, unless `systems` or `normalise` is options.
    rows : int, optional
        Rows per Parquet file of the folder; one file per table by default.
    format : str, optional
        The name of the format; detected by default.
    langpair, campaign : str, optional
        Of all judgements; by default what the file, or its name, says.
    scale : str, optional
        The scale of ratings whose file does not name one.
    batches : str, optional
        The batches of an Appraise campaign (JSON); by default those in `paths`.
    systems : path, optional
        A table of the systems that produced each candidate, where only texts were
        judged (see :func:`~tertium.judgements.read_system_table`).
    keep_unmatched : bool
        Keep candidates that no system in the table has, without a system.
    normalise : str, optional
        Put scores on one scale from 0 to 1, such as ``likert=5`` (see
        :func:`~tertium.judgements.adjustment.normalised.normaliser`).
    strict : bool
        Raise an error at a bad row; a row without ranks is not an error.
    quarantine : path, optional
        Where bad rows go: file, line, reason and the row, separated by tabs.
    progress : callable, optional
        Called with the number of judgements so far.

    Raises
    ------
    FormatError
        When a format is not known or, if `strict`, at a bad row.
    InputError
        When candidates have no system, or no judgement is left to put on the scale.

    Examples
    --------
    >>> from tertium.judgements import demo_files, import_judgements
    >>> import_judgements(demo_files()).judgements
    <Judgements: 202 rankings, 400 ratings, 0 spans>
    """
    from tertium.judgements.adjustment.normalised import normaliser
    from tertium.judgements.import_steps import (
        attach,
        content_notes,
        put_on_scale,
        quarantine_notes,
    )

    if out is not None:
        check_store_place(out, rows=rows)
    paths, shown = split_items(paths, format)
    items = tuple(read_items(path, kind) for path, kind in shown.items())
    listed = [path for path, kind in shown.items() if kind.name == "appraise-batches"]
    if batches is None and len(listed) == 1:
        batches = listed[0]
    options = ImportOptions(langpair, campaign, scale, batches)
    on_scale = None if normalise is None or not paths else normaliser(normalise)
    later = systems is not None or on_scale is not None
    if items and not paths:
        result = _nothing_judged(out, rows)
    else:
        result = read_files(
            paths,
            out=None if later else out,
            rows=rows,
            format=format,
            options=options,
            strict=strict,
            quarantine=quarantine,
            progress=progress,
        )
    judgements = result.judgements
    notes: list[Note] = []
    if systems is not None:
        judgements, notes = attach(
            judgements, systems, result.formats, options, keep=keep_unmatched
        )
    if on_scale is not None:
        judgements, left_out = put_on_scale(judgements, *on_scale)
        notes += left_out
    if later and out is not None and paths:
        write_store(judgements, out, rows=rows)
        judgements = read_store(out)
    if out is not None:
        add_items(out, [*items, *kept_texts(result.formats)])
    notes += content_notes(judgements, result.formats)
    if quarantine is not None:
        notes += quarantine_notes(result.bad, quarantine)
    formats = result.formats | {path: kind.name for path, kind in shown.items()}
    return replace(
        result,
        judgements=judgements,
        formats=formats,
        notes=tuple(notes),
        items=items,
    )


def _nothing_judged(out: str | os.PathLike[str] | None, rows: int | None) -> Import:
    """Return an import without judgements, and make the store for items."""
    judgements = Judgements.from_iterable([])
    if out is not None:
        write_store(judgements, out, rows=rows)
        judgements = read_store(out)
    return Import(judgements, {}, [], 0)


def read_files(
    paths: Sequence[str | os.PathLike[str]],
    *,
    out: str | os.PathLike[str] | None = None,
    rows: int | None = None,
    format: str | None = None,  # noqa: A002
    options: ImportOptions | None = None,
    strict: bool = False,
    quarantine: str | os.PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Import:
    """Read files, or write them to a store; as :func:`import_judgements` does first."""
    need_polars()
    import polars as pl

    check_distinct(paths)
    named = expanded(paths)
    formats = {path: format_of(path, format) for path in named}
    if not formats:
        raise InputError("no file of judgements; name at least one")
    if out is not None:
        check_store_place(out, rows=rows)
    bad: list[tuple[str, Bad]] = []

    def judgements_read() -> Iterator[Judgement]:
        for path, kind in formats.items():
            for row in kind.read(path, options or ImportOptions()):
                if not isinstance(row, Bad):
                    yield row
                elif strict and not row.skipped:
                    what = f"{row.reason}; correct it, or omit strict"
                    raise FormatError(
                        what, path=display(path), line=row.line, options=("strict",)
                    )
                else:
                    bad.append((display(path), row))

    pending, done = Rows(), 0
    # Beside the store: the usual folder for temporary files may be in memory.
    beside = None if out is None else Path(out).resolve().parent
    with TemporaryDirectory(prefix=".tertium-", dir=beside) as parts:
        held: list[dict[str, pl.LazyFrame]] = []
        written = 0
        for judgement in judgements_read():
            pending.add(judgement)
            done += 1
            if done % 1000:
                continue
            if progress:
                progress(done)
            if len(pending) >= _CHUNK:
                frames = pending.take()
                if out is None:
                    held.append(_light(frames))
                else:
                    _write_part(frames, Path(parts) / str(written))
                    written += 1
        held.append(_light(pending.take()))
        tables = {}
        for name in schemas():
            files = [Path(parts) / str(i) / f"{name}.parquet" for i in range(written)]
            lazy = [pl.scan_parquet(file) for file in files]
            tables[name] = pl.concat([*lazy, *(frames[name] for frames in held)])
        judgements = Judgements.from_tables(tables)
        # First what could not be read: a store is never there without it.
        if quarantine is not None and bad:
            _write_bad(bad, quarantine)
        if out is not None:
            write_store(judgements, out, rows=rows)
    return Import(
        judgements if out is None else read_store(out),
        {path: kind.name for path, kind in formats.items()},
        bad,
        done,
    )


def _light(frames: Mapping[str, pl.DataFrame]) -> dict[str, pl.LazyFrame]:
    """Return tables that hold no memory for columns without a value."""
    import polars as pl

    light = {}
    for name, frame in frames.items():
        empty = {
            column: pl.lit(None, dtype)
            for column, dtype in frame.schema.items()
            if len(frame) and frame[column].null_count() == len(frame)
        }
        kept = frame.drop(list(empty)).lazy()
        light[name] = kept.with_columns(**empty).select(frame.columns)
    return light


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
