# SPDX-License-Identifier: Apache-2.0
"""The files of a test set in any format, with the layers beside them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from tertium.data.formats import (
    FOLDERS,
    STREAMED,
    TABLES,
    UNREADABLE,
    WHOLE,
    extension_of,
    format_of,
    load,
    load_table,
)
from tertium.data.formats.columns import (
    Systems,
    columns,
    named_systems,
    stream_columns,
)
from tertium.data.io import demo_path, wants_demo
from tertium.data.layers import LayerFiles, with_layers
from tertium.data.lines import Paths, Reading, StrPath, display, path_list
from tertium.data.segment_ids import RepeatedIds
from tertium.data.testset import CHUNK, Testset, check_size, join
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.data.origins import Origin
    from tertium.data.partitions import ShardSlice
    from tertium.data.slices import LineSlice
    from tertium.notes import Note

__all__ = ["CHUNK", "OnNote", "TestsetFiles"]

#: Called with what a reader has to report.
OnNote: TypeAlias = "Callable[[Note], None]"


@dataclass(frozen=True, kw_only=True, eq=False)  # for a fast start of verbs
class TestsetFiles(LayerFiles):
    """The files of a test set and its layers, which can be read more than once.

    The fields are the arguments of :func:`tertium.read`.

    Raises
    ------
    InputError
        When arguments do not go together.

    Examples
    --------
    >>> len(TestsetFiles(path="demo").read())
    60
    """

    __test__ = False  # The name starts with Test: pytest must not collect it.

    path: StrPath | None = None
    references: Paths | None = None
    systems: Systems | StrPath | None = None
    sources: StrPath | None = None
    docs: StrPath | None = None
    systems_columns: Sequence[str] | None = None
    format: str | None = None
    langpair: str | None = None
    reference: str | None = None

    def __post_init__(self) -> None:
        """Check that the arguments go together."""
        super().__post_init__()
        if self.only_trees() and (self.sources is not None or self.docs is not None):
            message = "sources and docs belong to texts; give references as well"
            raise InputError(message, options=("references",))
        if self.reference is not None and not self._is_mtme():
            where = "nothing" if self.path is None else display(self.path)
            message = (
                f"{where} is not a folder of mt-metrics-eval, with sources/LP.txt, so "
                "there is no reference to choose by name"
            )
            raise InputError(message, options=("reference",))
        if "-" in self.layer_paths() and self.paths().count("-") > 1:
            message = (
                "standard input (-) is given more than once; use files for the others"
            )
            raise InputError(message)

    def only_trees(self) -> bool:
        """Return whether tree files bring all texts."""
        texts = (self.path, self.references, self.systems)
        has_trees = bool(self.trees or self.ref_trees)
        return has_trees and all(item is None for item in texts)

    def paths(self) -> list[str]:
        """Return everything that is read."""
        single = (self.path, self.sources, self.docs)
        return [
            *(os.fspath(path) for path in single if path is not None),
            *path_list(self.references),
            *self.layer_paths(),
            *(path for _, path in named_systems(self.systems)),
        ]

    def read(self, *, on_note: OnNote | None = None) -> Testset:
        """Return the whole test set.

        Parameters
        ----------
        on_note : callable, optional
            As in :meth:`stream`.
        """
        return join(self.stream(on_note=on_note))

    def stream(
        self, *, size: int = CHUNK, on_note: OnNote | None = None
    ) -> Iterator[Testset]:
        """Return an iterator over chunks of at most ``size`` segments.

        Parameters
        ----------
        size : int
        on_note : callable, optional
            Called with every :class:`~tertium.notes.Note` as soon as it is known, also
            with those that need the whole test set, such as ``repeated-ids``.
        """
        check_size(size)
        texts = None if self.only_trees() else self._texts(size)
        chunks = with_layers(texts, self, size=size)
        return chunks if on_note is None else _report(chunks, on_note)

    def slices(
        self, *, size: int = CHUNK
    ) -> Iterator[LineSlice] | Iterator[ShardSlice] | None:
        """Return chunks that say where they lie, or None where texts must be read.

        Parameters
        ----------
        size : int
        """
        check_size(size)
        if self._is_partitioned() and not self.layer_paths():
            return self._shard_slices(size)
        if self.layer_paths() or self.path is not None or self.only_trees():
            return None
        if self.systems_columns is not None:
            return None
        from tertium.data.formats.columns import cut_columns

        named = columns(
            self.references, self.systems, sources=self.sources, docs=self.docs
        )
        return cut_columns(named, size=size, kind=self.format, langpair=self.langpair)

    def origin(self) -> Origin | None:
        """Return where the segments of one file or folder lie (see `origins`).

        None where these are not the lines of files that are not compressed.
        """
        if self.path is None or self.layer_paths() or self._is_mtme():
            return None
        from tertium.data.origins import origin_of

        if self._is_partitioned():
            from tertium.data.partitions import open_partitions

            shards = open_partitions(self.path)
            return origin_of(shards.format, shards.paths)
        whole = demo_path() if wants_demo(self.path) else os.fspath(self.path)
        kind = _whole_format(whole, self.format)
        if kind == "jsonl" and _holds_documents(whole):
            return None
        return origin_of(kind, [whole])

    @contextmanager
    def outlook(self) -> Iterator[Callable[[int], int | None]]:
        """Yield a function that tells how many segments there are, if so many are done.

        It returns an :class:`~tertium._executor.Estimate` or None where that is not
        known exactly. Segments must be read in the block.
        """
        paths = self.paths()
        rows = self._rows()
        if rows is not None:
            yield lambda _: rows
        elif paths and all(map(os.path.isfile, paths)) and self._is_streamed():
            from tertium._executor import expected_total

            with Reading(paths) as reading:
                yield lambda done: expected_total(done, reading.share())
        else:
            yield lambda _: None

    def opener(
        self, *, twice: bool = False, on_note: OnNote | None = None
    ) -> Callable[[], Iterator[Testset]]:
        """Return a function that streams the test set from its start.

        Parameters
        ----------
        twice : bool
            Whether it will be called more than once. Standard input and pipes can be
            read only once: their texts are kept then.
        on_note : callable, optional
            As in :meth:`stream`, for the first time only.
        """
        if twice and not all(map(_can_be_read_again, self.paths())):
            kept = list(self.stream(on_note=on_note))
            return lambda: iter(kept)
        listeners = [] if on_note is None else [on_note]

        def open_chunks() -> Iterator[Testset]:
            return self.stream(on_note=listeners.pop() if listeners else None)

        return open_chunks

    def _rows(self) -> int | None:
        """Return how many segments there are if files say it before they are read."""
        if self._is_partitioned():
            from tertium.data.partitions import open_partitions

            shards = open_partitions(self.path or "")
            counted = shards.manifest is not None or shards.format == "parquet"
            return sum(shards.rows) if counted else None
        if self._kind() != "parquet":
            return None
        from tertium.data.formats import parquet

        return parquet.known_rows(os.fspath(self.path or ""))

    def _is_streamed(self) -> bool:
        """Return whether files are read in parts; Parquet says its rows, or is not."""
        kind = self._kind()
        return kind is None or (kind in STREAMED and kind != "parquet")

    def _kind(self) -> str | None:
        """Return the format of one file with everything, None if there is none."""
        if self.path is None or not os.path.isfile(self.path):
            return None
        return format_of(self.path, chosen=self.format)

    def _is_mtme(self) -> bool:
        if self.path is None or self.format is not None:
            return False
        from tertium.data.formats.mtme import is_mtme

        return is_mtme(self.path)

    def _shard_slices(self, size: int) -> Iterator[ShardSlice] | None:
        """Return slices of shards with a manifest, where these are the whole story."""
        from tertium.data.partitions import open_partitions

        if self.systems_columns is not None or self.langpair is not None:
            return None
        shards = open_partitions(self.path or "")
        return None if shards.manifest is None else shards.slices(size)

    def _is_partitioned(self) -> bool:
        if self.path is None or self.format is not None or not os.path.isdir(self.path):
            return False
        from tertium.data.partitions import is_partitioned

        return is_partitioned(self.path)

    def _texts(self, size: int) -> Iterator[Testset]:
        """Yield the test set without layers."""
        separate = (self.references, self.systems, self.sources, self.docs)
        if self.path is None:
            if self.systems_columns is not None:
                raise InputError(
                    "systems_columns are columns of one file, and there are separate "
                    "files; choose systems among these"
                )
            named = columns(
                self.references, self.systems, sources=self.sources, docs=self.docs
            )
            yield from stream_columns(
                named, size=size, kind=self.format, langpair=self.langpair
            )
            return
        if any(column is not None for column in separate):
            raise InputError(
                f"{display(self.path)} is given and separate files too; "
                "give one file, or references, systems, sources and docs"
            )
        if self._is_mtme():
            from tertium.data.formats import mtme

            texts = mtme.read_mtme_texts(self.path, self.langpair)
            chunks = texts.against(self.reference).chunks(size)
            yield from _choose(chunks, self.systems_columns)
            return
        if self._is_partitioned():
            from tertium.data.partitions import open_partitions

            chunks = open_partitions(self.path).stream(size=size)
            yield from self._with_langpair(_choose(chunks, self.systems_columns))
            return
        whole = demo_path() if wants_demo(self.path) else os.fspath(self.path)
        kind = _whole_format(whole, self.format)
        if kind in TABLES:
            chunks = load_table(kind).stream(
                whole, size=size, systems=self.systems_columns
            )
        elif kind == "jsonl" and _holds_documents(whole):
            from tertium.data.formats import wmtjson

            chunks = wmtjson.stream(whole, size=size, langpair=self.langpair)
            chunks = _choose(chunks, self.systems_columns)
        else:
            chunks = _choose(load(kind).stream(whole, size=size), self.systems_columns)
        yield from self._with_langpair(chunks)

    def _with_langpair(self, chunks: Iterator[Testset]) -> Iterator[Testset]:
        for chunk in chunks:
            pair = self.langpair
            yield chunk if pair is None else replace(chunk, langpair=pair)


def _report(chunks: Iterator[Testset], on_note: OnNote) -> Iterator[Testset]:
    """Yield chunks, and pass on their notes."""
    repeated = RepeatedIds()
    known: list[Note] = []
    for chunk in chunks:
        for note in chunk.notes:
            if note not in known:
                known.append(note)
                on_note(note)
        repeated.add(chunk)
        yield chunk
    firsts, seconds = repeated.found()
    if len(firsts):
        first, second = int(firsts[0]), int(seconds[0])
        values = {"count": f"{len(firsts):,}", "first": first, "second": second}
        from tertium.notes import Note

        on_note(Note("repeated-ids", values))


def _holds_documents(path: str) -> bool:
    from tertium.data.formats.wmtjson import is_documents

    return is_documents(path)


def _can_be_read_again(path: str) -> bool:
    return wants_demo(path) or os.path.isfile(path) or os.path.isdir(path)


def _choose(
    chunks: Iterator[Testset], systems: Sequence[str] | None
) -> Iterator[Testset]:
    """Yield chunks with these systems, taken from systems and layers."""
    for chunk in chunks:
        if systems is None:
            yield chunk
            continue
        named = {**chunk.layers, **chunk.systems}
        for name in systems:
            if name not in named:
                raise UnknownNameError("column", name, named)
        layers = {name: c for name, c in named.items() if name not in systems}
        chosen = {name: named[name] for name in systems}
        yield replace(chunk, systems=chosen, layers=layers)


def _whole_format(path: StrPath, chosen: str | None) -> str:
    """Return the format of a file that must hold a whole test set."""
    kind = format_of(path, chosen=chosen)
    known = f"{', '.join(WHOLE[:-1])} or {WHOLE[-1]}"
    if os.path.isdir(path):
        return kind if kind in FOLDERS else "plain"
    if kind is not None and kind not in FOLDERS:
        return kind
    if os.fspath(path) == "-" and chosen is None:
        raise InputError(
            f"standard input does not say its format; give format as {known}, or use "
            "- for one of references and systems"
        )
    if not os.path.exists(path) and os.fspath(path) != "-":
        raise InputError(f"{display(path)}: no such file or folder; check the path")
    if extension_of(path) in UNREADABLE:
        raise InputError(
            f"{display(path)}: {extension_of(path)} files are not read; save it as "
            ".xlsx or .csv"
        )
    raise InputError(
        f"{display(path)}: this file holds one column, as far as its name says; give "
        f"references and systems, or format as {known}"
    )
