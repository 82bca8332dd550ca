# SPDX-License-Identifier: Apache-2.0
"""Parquet test sets, through Polars: the columns of JSONL, typed.

``id``, ``src`` and ``doc`` are strings, ``ref`` a list of strings (or a string),
``tgt`` a struct of strings, ``langpair`` the same string in every row; other string
columns are layers. Without rows, the language pair is lost.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, cast

from tertium._files import replace_file
from tertium._messages import quote
from tertium._watching import announce_read
from tertium.data.formats.jsonl import KNOWN, check_layers
from tertium.data.lines import display, open_bytes
from tertium.data.testset import CHUNK, Testset, rechunk
from tertium.errors import FormatError, InputError, MissingExtraError

if TYPE_CHECKING:
    import polars as pl
    from _typeshed import ReadableBuffer

__all__ = ["count_rows", "known_rows", "read_rows", "stream", "write", "write_stream"]


def stream(path: str, *, size: int) -> Iterator[Testset]:
    """Yield the test set of a Parquet file in chunks.

    A file is read row group by row group. Compressed ones (``.parquet.gz``) and
    standard input are read as a whole, since Parquet has its contents at the end.
    """
    _need_polars()
    yield from rechunk(_parts(path, size), size)


def _parts(path: str, size: int) -> Iterator[Testset]:
    done, pair = 0, None
    for frame in _frames(path, size):
        part = _testset(frame, path, done)
        pair = _same_langpair(pair, part.langpair, path)
        yield part
        done += frame.height


def read_rows(path: str, start: int, stop: int) -> Testset:
    """Return the segments from ``start`` to before ``stop``, counted from 0."""
    _need_polars()
    with _reading(path):
        frame = _scan(path).slice(start, stop - start).collect()
    return _testset(frame, path, start)


def count_rows(path: str) -> int:
    """Return how many segments a file has, which is written at its end."""
    _need_polars()
    import polars as pl

    with _reading(path):
        return int(_scan(path).select(pl.len()).collect().item())


def known_rows(path: str) -> int | None:
    """Return what :func:`count_rows` does, None where a file must be read for it."""
    return count_rows(path) if _is_bare(path) else None


def write(testset: Testset, path: str) -> None:
    """Write a Parquet file."""
    write_stream([testset], path)


def write_stream(chunks: Iterable[Testset], path: str) -> None:
    """Write a Parquet file from chunks of one test set, one row group after another."""
    _need_polars()
    from polars.io.plugins import register_io_source

    # Row groups, and so the bytes of the file, must not depend on the chunks.
    pending = rechunk(chunks, CHUNK)
    first = _frame(next(pending), path)
    failures: list[BaseException] = []

    def frames(*_: object) -> Iterator[pl.DataFrame]:
        # Polars replaces exceptions; the first one is what happened.
        try:
            yield first
            for chunk in pending:
                yield _frame(chunk, path)
        except BaseException as error:
            failures.append(error)
            raise

    # Inside: Polars hides why writing to a file fails, such as a full disk.
    with replace_file(path) as stream:
        lazy = register_io_source(frames, schema=first.schema)
        try:
            sink = cast("IO[bytes]", _Sink(stream, failures))
            lazy.sink_parquet(sink, row_group_size=CHUNK)
        except BaseException:
            if failures:
                raise failures[0] from None
            raise


class _Sink(io.RawIOBase):
    """A file without a descriptor, so that all bytes and errors pass through here."""

    def __init__(self, stream: IO[bytes], failures: list[BaseException]) -> None:
        self._stream = stream
        self._failures = failures

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return self._stream.write(data)
        except BaseException as error:
            self._failures.append(error)
            raise


def _frame(testset: Testset, path: str) -> pl.DataFrame:
    """Return a test set as the columns of a file."""
    import polars as pl

    check_layers(testset, path)
    text = {"id": testset.ids, "src": testset.sources, "doc": testset.docs}
    if testset.langpair is not None:
        text["langpair"] = [testset.langpair] * len(testset)
    text.update(testset.layers)

    def series(columns: Mapping[str, list[str] | None]) -> list[pl.Series]:
        return [
            pl.Series(name, column, dtype=pl.String)
            for name, column in columns.items()
            if column is not None
        ]

    try:
        columns = series(text)
        if not testset.references or testset.references[0]:
            references = [list(refs) for refs in testset.references]
            columns.append(pl.Series("ref", references, dtype=pl.List(pl.String)))
        if testset.systems:
            columns.append(pl.DataFrame(series(testset.systems)).to_struct("tgt"))
    except UnicodeEncodeError as error:
        raise InputError(
            f"cannot write {path}: {quote(str(error.object))} has half a surrogate "
            "pair in it; remove it"
        ) from None
    frame = pl.DataFrame(columns)
    if testset and not frame.width:
        raise InputError(
            f"cannot write {path}: the test set has no columns; give it some text"
        )
    return frame


def _frames(path: str, size: int) -> Iterator[pl.DataFrame]:
    import polars as pl

    if not _is_bare(path):
        with open_bytes(path) as raw:
            data = raw.read()
        with _reading(path):
            frame = pl.read_parquet(io.BytesIO(data))
        yield frame
        return
    with _reading(path):
        lazy = _scan(path)
        empty = lazy.collect_schema().to_frame()
    yield empty
    if not hasattr(lazy, "collect_batches"):  # Before Polars 1.34
        rows = count_rows(path)
        for start in range(0, rows, 10 * size):
            with _reading(path):
                frame = lazy.slice(start, 10 * size).collect()
            yield frame
        return
    batches = iter(lazy.collect_batches(chunk_size=size, maintain_order=True))
    while True:
        with _reading(path):
            batch = next(batches, None)
        if batch is None:
            return
        yield batch


def _is_bare(path: str) -> bool:
    """Return whether Polars can read a file from the disk: Parquet, not compressed."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"PAR1"
    except OSError:
        return False


def _scan(path: str) -> pl.LazyFrame:
    import polars as pl

    # Of a relative name, Polars would take ~ and * for something else.
    place = os.path.abspath(path)
    announce_read(place)
    return pl.scan_parquet(place, glob=False, hive_partitioning=False)


@contextmanager
def _reading(path: str) -> Iterator[None]:
    """Turn any exception of Polars into a message about the file."""
    import polars as pl

    # Polars lists no exceptions; on bytes from outside, any means a bad file.
    try:
        yield
    except (Exception, pl.exceptions.PanicException) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        what = f"not Parquet ({reason}); check that the file is complete"
        raise FormatError(what, path=display(path)) from None


def _same_langpair(first: str | None, pair: str | None, path: str) -> str | None:
    if first is not None and pair is not None and first != pair:
        what = f"language pairs {first!r} and {pair!r}; keep one in a file"
        raise FormatError(what, path=display(path))
    return first or pair


def _testset(frame: pl.DataFrame, path: str, start: int = 0) -> Testset:
    import polars as pl

    systems: dict[str, list[str]] = {}
    columns: dict[str, list[str]] = {}
    references: list[tuple[str, ...]] = [()] * frame.height
    for column in frame.get_columns():
        name, kind = column.name, column.dtype
        if name == "tgt":
            if kind != pl.Struct:
                what = f"column 'tgt' is {kind}; make it a struct of system outputs"
                raise FormatError(what, path=display(path))
            for inner in column.struct.unnest().get_columns():
                systems[inner.name] = _texts(
                    inner, f"system {inner.name!r}", path, start
                )
        elif name == "ref" and kind == pl.List(pl.String):
            references = [
                _refs(refs, number, path)
                for number, refs in enumerate(column.to_list(), start=start + 1)
            ]
        elif name == "ref":
            texts = _texts(column, "column 'ref'", path, start)
            references = [(ref,) for ref in texts]
        else:
            columns[name] = _texts(column, f"column {name!r}", path, start)
    pairs = list(dict.fromkeys(columns.get("langpair", ())))
    if len(pairs) > 1:
        what = f"language pairs {pairs[0]!r} and {pairs[1]!r}; keep one in a file"
        raise FormatError(what, path=display(path))
    try:
        return Testset(
            references,
            systems,
            sources=columns.get("src"),
            docs=columns.get("doc"),
            ids=columns.get("id"),
            langpair=pairs[0] if pairs else None,
            layers={n: c for n, c in columns.items() if n not in KNOWN},
        )
    except InputError as error:
        raise FormatError(str(error), path=display(path)) from None


def _refs(refs: list[str | None] | None, number: int, path: str) -> tuple[str, ...]:
    texts = tuple(ref for ref in refs or () if ref is not None)
    if refs is None or len(texts) < len(refs):
        what = f"row {number} of 'ref' has a null; use '' or drop it"
        raise FormatError(what, path=display(path))
    return texts


def _texts(column: pl.Series, label: str, path: str, start: int) -> list[str]:
    import polars as pl

    if column.name in ("id", "doc") and column.dtype.is_integer():
        column = column.cast(pl.String)
    if column.dtype != pl.String:
        what = f"{label} is {column.dtype}, not text; cast it to strings or drop it"
        raise FormatError(what, path=display(path))
    if column.null_count():
        number = start + (column.is_null().arg_max() or 0)
        what = f"row {number + 1} of {label} is null; use '' or drop the row"
        raise FormatError(what, path=display(path))
    texts: list[str] = column.to_list()
    return texts


def _need_polars() -> None:
    try:
        import polars  # noqa: F401, ICN001
    except ImportError:
        raise MissingExtraError("Parquet", extra="meta") from None
