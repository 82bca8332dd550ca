# SPDX-License-Identifier: Apache-2.0
"""Parquet test sets, through Polars: the columns of JSONL, typed.

``id``, ``src`` and ``doc`` are strings, ``ref`` a list of strings (or a string),
``tgt`` a struct of strings, ``langpair`` the same string in every row; other string
columns are layers. Without rows, the language pair is lost.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from tertium._files import replace_file
from tertium._messages import quote
from tertium.data.formats.jsonl import KNOWN, check_layers
from tertium.data.lines import display, open_bytes
from tertium.data.testset import Testset
from tertium.errors import FormatError, InputError, MissingExtraError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["stream", "write"]


def stream(path: str, *, size: int) -> Iterator[Testset]:
    """Yield the test set of a Parquet file in chunks."""
    _need_polars()
    import polars as pl

    with open_bytes(path) as raw:
        data = raw.read()
    # Polars lists no exceptions; on bytes from outside, any means a bad file.
    try:
        frame: pl.DataFrame = pl.read_parquet(io.BytesIO(data))
    except (Exception, pl.exceptions.PanicException) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        what = f"not Parquet ({reason}); check that the file is complete"
        raise FormatError(what, path=display(path)) from None
    yield from _testset(frame, path).chunks(size)


def write(testset: Testset, path: str) -> None:
    """Write a Parquet file."""
    _need_polars()
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
    # Into memory first: Polars hides why writing to a file fails, such as a full disk.
    packed = io.BytesIO()
    frame.write_parquet(packed)
    with replace_file(path) as stream:
        stream.write(packed.getbuffer())


def _testset(frame: pl.DataFrame, path: str) -> Testset:
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
                systems[inner.name] = _texts(inner, f"system {inner.name!r}", path)
        elif name == "ref" and kind == pl.List(pl.String):
            references = [
                _refs(refs, number, path)
                for number, refs in enumerate(column.to_list(), start=1)
            ]
        elif name == "ref":
            references = [(ref,) for ref in _texts(column, "column 'ref'", path)]
        else:
            columns[name] = _texts(column, f"column {name!r}", path)
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


def _texts(column: pl.Series, label: str, path: str) -> list[str]:
    import polars as pl

    if column.name in ("id", "doc") and column.dtype.is_integer():
        column = column.cast(pl.String)
    if column.dtype != pl.String:
        what = f"{label} is {column.dtype}, not text; cast it to strings or drop it"
        raise FormatError(what, path=display(path))
    if column.null_count():
        number = column.is_null().arg_max() or 0
        what = f"row {number + 1} of {label} is null; use '' or drop the row"
        raise FormatError(what, path=display(path))
    texts: list[str] = column.to_list()
    return texts


def _need_polars() -> None:
    try:
        import polars  # noqa: F401, ICN001
    except ImportError:
        raise MissingExtraError("Parquet", extra="meta") from None
