# SPDX-License-Identifier: Apache-2.0
"""Partitioned datasets, read shard by shard."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from tertium._messages import count, quote
from tertium.data.formats import load
from tertium.data.partitions.manifest import (
    CONTENTS,
    MANIFEST,
    Manifest,
    describe_file,
    read_manifest,
)
from tertium.data.partitions.shards import ShardSlice, count_rows, numbered_shards
from tertium.data.testset import CHUNK, Testset, check_size, rechunk
from tertium.errors import FormatError, InputError

if TYPE_CHECKING:
    from tertium.notes import Note

__all__ = ["Partitions", "columns_of", "open_partitions"]


@dataclass(frozen=True)
class Partitions:
    """A folder of shards, opened but not read.

    Parameters
    ----------
    path : str
        The folder.
    format : str
        ``jsonl``, ``parquet`` or ``plain``.
    names : tuple of str
        Files or folders of the shards, in the order of their rows.
    manifest : Manifest or None

    Examples
    --------
    >>> import os, tempfile
    >>> from tertium.data import stream
    >>> from tertium.data.partitions import write_partitions
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "demo")
    ...     manifest = write_partitions(stream("demo"), path, rows=25)
    ...     dataset = open_partitions(path)
    ...     rows = dataset.rows
    ...     slices = [len(part) for part in dataset.slices(20)]
    >>> rows
    (25, 25, 10)
    >>> slices
    [20, 5, 20, 5, 10]
    """

    path: str
    format: str
    names: tuple[str, ...]
    manifest: Manifest | None = None

    @property
    def paths(self) -> list[str]:
        """The shards, with the folder."""
        return [os.path.join(self.path, *name.split("/")) for name in self.names]

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The rows of every shard; without a manifest, text is read to count them."""
        if self.manifest is not None:
            return tuple(shard.rows for shard in self.manifest.shards)
        return tuple(count_rows(path, self.format) for path in self.paths)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What to know about the files."""
        if self.manifest is not None:
            return ()
        from tertium.notes import Note

        shards = count(len(self.names), "shard")
        return (Note("no-manifest", {"path": self.path, "shards": shards}),)

    def stream(self, *, size: int = CHUNK) -> Iterator[Testset]:
        """Yield the test set in chunks of ``size``, which may span shards.

        Raises
        ------
        FormatError
            When a shard cannot be read, or differs from the manifest or the others.
        """
        check_size(size)
        return rechunk(self._parts(size), size)

    def slices(self, size: int = CHUNK) -> Iterator[ShardSlice]:
        """Yield descriptions of at most ``size`` rows each, none of which spans shards.

        They can be pickled and read in another process, in any order.
        """
        check_size(size)
        systems = self._systems()
        for path, rows in zip(self.paths, self.rows, strict=True):
            for start in range(0, rows, size):
                stop = min(start + size, rows)
                yield ShardSlice(path, self.format, start, stop, systems)

    def verify(self, *, progress: Callable[[int], None] | None = None) -> None:
        """Compare all files with the hashes of the manifest, if there is one.

        Parameters
        ----------
        progress : callable, optional
            Called with the number of shards done so far.

        Raises
        ------
        FormatError
            When a file is not what was written.
        """
        if self.manifest is None:
            return
        for number, shard in enumerate(self.manifest.shards, start=1):
            for file in shard.files:
                if describe_file(self.path, file.name).sha256 != file.sha256:
                    what = (
                        f"changed since {MANIFEST} was written (its SHA-256 differs); "
                        "fetch the shard again, or write the dataset again"
                    )
                    raise FormatError(what, path=_join(self.path, file.name))
            if progress is not None:
                progress(number)

    def _systems(self) -> tuple[str, ...] | None:
        if self.manifest is not None:
            marked = (name for name in self.manifest.columns if name.startswith("tgt:"))
            return tuple(name.removeprefix("tgt:") for name in marked)
        first = next(load(self.format).stream(self.paths[0], size=1))
        return tuple(first.systems)

    def _parts(self, size: int) -> Iterator[Testset]:
        layout = _Layout(self.manifest)
        for number, path in enumerate(self.paths):
            rows = 0
            for part in load(self.format).stream(path, size=size):
                rows += len(part)
                yield replace(layout.fit(part, path), notes=self.notes)
            if self.manifest is not None:
                self.manifest.check_rows(number, rows, path)


def open_partitions(
    path: str | os.PathLike[str], content: str = "testset"
) -> Partitions:
    """Return a partitioned dataset, without reading its rows.

    Parameters
    ----------
    path : str or path
        The folder.
    content : str
        What it should hold, one of ``CONTENTS``: ``testset``, say.

    Raises
    ------
    FormatError
        When a shard is missing or has another size than the manifest says.
    InputError
        When it holds something else.
    """
    folder = os.fspath(path)
    if not os.path.exists(os.path.join(folder, MANIFEST)):
        kind, names = numbered_shards(folder)
        return Partitions(folder, kind, tuple(names))
    manifest = read_manifest(folder)
    if manifest.content != content:
        message = (
            f"{folder} holds {CONTENTS[manifest.content]}, not {CONTENTS[content]}; "
            "give another folder"
        )
        raise InputError(message)
    for shard in manifest.shards:
        for file in shard.files:
            place = _join(folder, file.name)
            if not os.path.isfile(place):
                what = f"no such file, and {MANIFEST} lists it; fetch the shard again"
                raise FormatError(what, path=place)
            size = os.path.getsize(place)
            if size != file.bytes:
                what = (
                    f"{count(size, 'byte')}, and {MANIFEST} says {file.bytes:,}; fetch "
                    "the shard again, or write the dataset again"
                )
                raise FormatError(what, path=place)
    names = [shard.name for shard in manifest.shards]
    return Partitions(folder, manifest.format, tuple(names), manifest)


def columns_of(testset: Testset) -> tuple[str, ...]:
    """Return the names of the columns, as the manifest lists them.

    Examples
    --------
    >>> columns_of(Testset.build(["a"], {"A": ["b"]}, ids=["1"]))
    ('id', 'ref', 'tgt:A')
    """
    single = {
        "id": testset.ids,
        "src": testset.sources,
        "doc": testset.docs,
        "langpair": testset.langpair,
        "ref": any(testset.references) or None,
    }
    return (
        *(name for name, column in single.items() if column is not None),
        *(f"tgt:{name}" for name in testset.systems),
        *(f"layer:{name}" for name in testset.layers),
    )


class _Layout:
    """The columns that all shards must have, those of the first one."""

    def __init__(self, manifest: Manifest | None) -> None:
        self.columns = None if manifest is None else manifest.columns
        self.origin = MANIFEST
        self.langpair: str | None = None

    def fit(self, part: Testset, path: str) -> Testset:
        """Return rows with systems and layers in the order of the first ones."""
        # Nothing is known about the references or language pair of no segment.
        if not part:
            return part
        columns = columns_of(part)
        if self.columns is None:
            self.columns, self.origin = columns, os.path.basename(path)
        if set(columns) != set(self.columns):
            odd = set(columns) ^ set(self.columns)
            name = next(n for n in (*self.columns, *columns) if n in odd)
            here, there = path, self.origin
            what = f"column {quote(name)} is here, and not in {there}"
            if name not in columns:
                what = f"column {quote(name)} is missing, and {there} has it"
            cure = "give all shards the same columns"
            raise FormatError(f"{what}; {cure}", path=here)
        self.langpair = part.langpair if self.langpair is None else self.langpair
        if part.langpair != self.langpair:
            what = f"language pair {part.langpair!r} after {self.langpair!r}"
            raise FormatError(f"{what}; keep one in a dataset", path=path)
        if columns == self.columns:
            return part
        return replace(
            part,
            systems={name: part.systems[name] for name in self._named("tgt:")},
            layers={name: part.layers[name] for name in self._named("layer:")},
        )

    def _named(self, mark: str) -> list[str]:
        columns = self.columns or ()
        return [name.removeprefix(mark) for name in columns if name.startswith(mark)]


def _join(folder: str, name: str) -> str:
    return os.path.join(folder, *name.split("/"))
