# SPDX-License-Identifier: Apache-2.0
"""Shards of a partitioned dataset: where they are, and how rows are read from one.

Datasets of other programs have no manifest: ``part-00000.jsonl.zst`` or
``train-00003-of-00008.parquet``, numbered from 0 or 1 without a gap, or folders
``part-00000`` of plain text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tertium._messages import count
from tertium.data.formats import extension_of, format_of, load, strip_extensions
from tertium.data.partitions.manifest import MANIFEST
from tertium.data.testset import CHUNK, Testset
from tertium.errors import FormatError, InputError

__all__ = [
    "ShardSlice",
    "count_rows",
    "files_below",
    "is_partitioned",
    "numbered_shards",
]

_DIGITS = re.compile("[0-9]+")
_TOTAL = re.compile("-of-([0-9]+)")
_EXTENSIONS = (".jsonl", ".ndjson", ".parquet")
_PLAIN = re.compile(r"source|docs|ids|langpair|reference(\.[1-9][0-9]*)?")
_FOLDER = re.compile("part-[0-9]+")


@dataclass(frozen=True)
class ShardSlice:
    """Rows of one shard, named by place instead of content: cheap to send around.

    Parameters
    ----------
    path : str
        The file, or the folder of a shard of plain text.
    format : str
        ``jsonl``, ``parquet`` or ``plain``.
    start, stop : int
        The first row, counted from 0, and the one after the last.
    systems : tuple of str, optional
        The order of systems in the dataset; that of the shard by default.

    Examples
    --------
    >>> from tertium.data.io import demo_path
    >>> ShardSlice(demo_path(), "jsonl", 3, 5).read()
    <Testset: 2 segments, 2 references, 4 systems, sources, 1 document>
    """

    path: str
    format: str
    start: int
    stop: int
    systems: tuple[str, ...] | None = None

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.stop - self.start

    def files(self) -> list[str]:
        """Return the absolute paths of the files that are read."""
        place = os.path.abspath(self.path)
        if not os.path.isdir(place):
            return [place]
        folder, name = os.path.split(place)
        return [
            os.path.join(folder, *file.split("/")) for file in files_below(folder, name)
        ]

    def read(self) -> Testset:
        """Return these rows.

        Text is read from the beginning of the shard, Parquet from its row group.

        Raises
        ------
        FormatError
            When the shard cannot be read, or has fewer rows.
        """
        if self.format == "parquet":
            from tertium.data.formats import parquet

            rows = parquet.read_rows(self.path, self.start, self.stop)
        elif self.format == "jsonl":
            from tertium.data.formats import jsonl

            rows = jsonl.read_rows(self.path, self.start, self.stop)
        else:
            from tertium.data.formats import plain

            rows = plain.read_rows(self.path, self.start, self.stop)
        if len(rows) != len(self):
            what = (
                f"{count(self.start + len(rows), 'row')}, and row {self.stop:,} was "
                "asked for; was the shard changed? Open the dataset again"
            )
            raise FormatError(what, path=self.path)
        if self.systems is not None and set(self.systems) == set(rows.systems):
            named = {name: rows.systems[name] for name in self.systems}
            return replace(rows, systems=named)
        return rows


def count_rows(path: str, kind: str) -> int:
    """Return how many rows a shard has; text is read, Parquet says it."""
    if kind == "parquet":
        from tertium.data.formats import parquet

        return parquet.count_rows(path)
    return sum(map(len, load(kind).stream(path, size=CHUNK)))


def is_partitioned(path: str | os.PathLike[str]) -> bool:
    """Return whether a folder is a partitioned dataset, by the names in it.

    A folder of plain text columns is not, whatever else is in it.
    """
    name = os.fspath(path)
    if not os.path.isdir(name):
        return False
    entries = _entries(name)
    if any(_PLAIN.fullmatch(strip_extensions(entry)) for entry in entries):
        return False
    if any(os.path.isdir(os.path.join(name, each)) for each in ("systems", "sources")):
        return False
    return MANIFEST in entries or bool(_candidates(name))


def numbered_shards(path: str) -> tuple[str, list[str]]:
    """Return format and names of shards without a manifest, in the order of numbers.

    Raises
    ------
    FormatError
        When a number is missing, or files are of different kinds.
    """
    names = _candidates(path)
    kinds = {_kind(os.path.join(path, name)) for name in names}
    if len(kinds) != 1:
        what = "no numbered shards such as part-00000.jsonl in this folder"
        if kinds:
            what = f"shards of more than one format: {', '.join(sorted(kinds))}"
        raise FormatError(f"{what}; keep one dataset in a folder", path=path)
    numbers = {_numbers(name)[_place(names)]: name for name in names}
    first = min(numbers)
    for number in range(first, first + len(names)):
        if number not in numbers:
            what = f"shard {number} is missing, and {max(numbers)} is there"
            raise FormatError(f"{what}; fetch it", path=path)
    totals = {int(match[1]) for name in names if (match := _TOTAL.search(name))}
    for total in totals:
        if total != len(names):
            what = f"{count(len(names), 'shard')} of {total}; fetch the others"
            raise FormatError(what, path=path)
    return kinds.pop(), [numbers[number] for number in sorted(numbers)]


def _candidates(path: str) -> list[str]:
    """Return the names that look like numbered shards of one dataset."""
    names = [entry for entry in _entries(path) if _is_shard(path, entry)]
    if not names or len({_DIGITS.sub("#", name) for name in names}) > 1:
        return []
    place = _place(names)
    starts = [_numbers(name)[place] for name in names]
    return names if min(starts) in (0, 1) and len(set(starts)) == len(names) else []


def _place(names: list[str]) -> int:
    """Return which number in the names counts the shards: the first that varies."""
    columns = list(zip(*map(_numbers, names), strict=True))
    varying = (k for k, column in enumerate(columns) if len(set(column)) > 1)
    first = next((k for k, column in enumerate(columns) if column[0] in (0, 1)), 0)
    return next(varying, first)


def _numbers(name: str) -> list[int]:
    return [int(digits) for digits in _DIGITS.findall(name)]


def _is_shard(path: str, entry: str) -> bool:
    place = os.path.join(path, entry)
    if os.path.isdir(place):
        return bool(_FOLDER.fullmatch(entry))
    known = extension_of(entry) in _EXTENSIONS
    return known and bool(_DIGITS.search(strip_extensions(entry)))


def _kind(place: str) -> str:
    return "plain" if os.path.isdir(place) else format_of(place) or ""


def _entries(path: str) -> list[str]:
    """Return the visible names in a folder; Spark hides its own behind _."""
    try:
        return sorted(e for e in os.listdir(path) if not e.startswith((".", "_")))
    except OSError as error:
        message = (
            f"{path}: the folder cannot be read ({error.strerror}); check its mode"
        )
        raise InputError(message) from None


def files_below(path: str, name: str) -> Iterator[str]:
    """Yield the files of a shard by their paths in the dataset, in order."""
    place = os.path.join(path, name)
    if not os.path.isdir(place):
        yield name
        return
    for entry in sorted(os.listdir(place)):
        yield from files_below(path, f"{name}/{entry}")
