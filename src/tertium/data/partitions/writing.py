# SPDX-License-Identifier: Apache-2.0
"""Partitioned datasets, written shard by shard, the manifest last."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from tertium._files import replace_folder
from tertium.data.lines import StrPath, line_writer
from tertium.data.partitions.manifest import (
    COMPRESSIONS,
    SHARD_FORMATS,
    Manifest,
    Shard,
    describe_file,
    write_manifest,
)
from tertium.data.partitions.reading import columns_of
from tertium.data.partitions.shards import files_below
from tertium.data.testset import CHUNK, Testset, rechunk
from tertium.errors import InputError

__all__ = ["ROWS", "check_partitions", "write_line_shards", "write_partitions"]

#: Rows per shard, unless a caller asks for another number.
ROWS = 100_000

_BATCH = 1 << 20  # characters that are written together


def write_partitions(
    chunks: Iterable[Testset],
    path: StrPath,
    *,
    format: str = "jsonl",  # noqa: A002 (the name people know)
    compression: str | None = None,
    rows: int = ROWS,
) -> Manifest:
    """Write chunks of one test set to a folder of shards, with a manifest.

    Every shard can be read alone. The folder appears when it is complete, or not at
    all; its bytes do not depend on the sizes of the chunks.

    Parameters
    ----------
    chunks : iterable of Testset
        As ``tertium.data.stream`` yields them: at least one, all with the same columns.
    path : str or path
        The folder, which is new or empty.
    format : {"jsonl", "parquet", "plain"}
        ``plain`` makes a folder of text files per shard.
    compression : {"gz", "xz", "bz2", "zst"}, optional
        Of text; Parquet is compressed anyway.
    rows : int
        Rows per shard.

    Returns
    -------
    Manifest

    Raises
    ------
    InputError
        When the format cannot hold the test set exactly, or the folder cannot be made.
    OutputError
        When the disk is full.
    """
    check_partitions(format, compression, rows)
    shards: list[Shard] = []
    columns: tuple[str, ...] = ()
    with replace_folder(path) as folder:
        for number, parts in enumerate(_cut(chunks, rows)):
            name = _name(number, format, compression)
            size = 0

            def counted(parts: Iterator[Testset] = parts) -> Iterator[Testset]:
                nonlocal size, columns
                for part in rechunk(parts, min(CHUNK, rows)):
                    size += len(part)
                    columns = columns or columns_of(part)
                    yield part

            _write_shard(counted(), folder, name, format, compression)
            shards.append(_described(folder, name, size))
        manifest = Manifest("testset", format, compression, columns, tuple(shards))
        write_manifest(manifest, folder)
    return manifest


def write_line_shards(
    lines: Iterable[str],
    path: StrPath,
    *,
    content: str,
    compression: str | None = None,
    rows: int = ROWS,
    head: str | None = None,
) -> Manifest:
    """Write lines of JSON to a folder of shards, with a manifest.

    Parameters
    ----------
    lines : iterable of str
        One row each.
    path, compression, rows
        As in :func:`write_partitions`.
    content : str
        What the lines are: ``judgements``, ``nbest`` or ``scores``.
    head : str, optional
        A line that every shard begins with, which is not a row.
    """
    check_partitions("jsonl", compression, rows)
    shards: list[Shard] = []
    pending = iter(lines)
    following = next(pending, None)
    with replace_folder(path) as folder:
        while following is not None or not shards:
            name = _name(len(shards), "jsonl", compression)
            size = 0
            with line_writer(os.path.join(folder, name)) as add:
                add([] if head is None else [head])
                batch: list[str] = []
                length = 0
                while following is not None and size < rows:
                    batch.append(following)
                    length += len(following)
                    size += 1
                    following = next(pending, None)
                    if length >= _BATCH:  # Lines may be long: those of n-best lists.
                        add(batch)
                        batch, length = [], 0
                add(batch)
            shards.append(_described(folder, name, size))
        manifest = Manifest(content, "jsonl", compression, (), tuple(shards))
        write_manifest(manifest, folder)
    return manifest


def check_partitions(kind: str, compression: str | None, rows: int) -> None:
    """Reject what cannot be written, before long work.

    Raises
    ------
    InputError
    """
    if kind not in SHARD_FORMATS:
        known = f"{', '.join(SHARD_FORMATS[:-1])} or {SHARD_FORMATS[-1]}"
        raise InputError(f"shards cannot be {kind}; use {known}", options=("format",))
    if compression is not None and compression not in COMPRESSIONS:
        message = f"{compression!r} is not a compression; use {', '.join(COMPRESSIONS)}"
        raise InputError(message, options=("compression",))
    if compression is not None and kind == "parquet":
        message = "Parquet is compressed already; omit the compression, or write jsonl"
        raise InputError(message, options=("compression",))
    if rows < 1:
        raise InputError(f"a shard of {rows} rows holds nothing; use 1 or more")


def _name(number: int, kind: str, compression: str | None) -> str:
    if kind == "plain":
        return f"part-{number:05}"
    return f"part-{number:05}.{kind}{f'.{compression}' if compression else ''}"


def _write_shard(
    parts: Iterator[Testset], folder: str, name: str, kind: str, compression: str | None
) -> None:
    place = os.path.join(folder, name)
    if kind == "plain":
        from tertium.data.formats import plain

        os.mkdir(place)
        ending = f".{compression}" if compression else ""
        plain.write_files(parts, place, place, ending=ending)
    else:
        from tertium.data.formats import load_streamed

        load_streamed(kind).write_stream(parts, place)


def _described(folder: str, name: str, rows: int) -> Shard:
    files = tuple(describe_file(folder, file) for file in files_below(folder, name))
    return Shard(name, rows, files)


def _cut(chunks: Iterable[Testset], rows: int) -> Iterator[Iterator[Testset]]:
    """Yield the chunks of every shard, each to be read before the next is asked for."""
    pending: list[Testset] = []
    source = iter(chunks)

    def refill() -> bool:
        """Have a chunk that is not empty, unless there is none."""
        while not pending or not pending[0]:
            following = next(source, None)
            if following is None:
                return False
            pending[:] = [following]
        return True

    def shard() -> Iterator[Testset]:
        wanted = rows
        while wanted and refill():
            chunk = pending.pop()
            if len(chunk) > wanted:
                pending.append(chunk.select(range(wanted, len(chunk))))
                chunk = chunk.select(range(wanted))
            wanted -= len(chunk)
            yield chunk

    if not refill():
        yield iter(pending)  # Without segments, there is one shard without rows.
        return
    while refill():
        yield shard()
