# SPDX-License-Identifier: Apache-2.0
"""Chunks of plain files as byte ranges, to be read where they are needed.

Finding where chunks start takes a fraction of the time of decoding their lines, so one
process can cut files for many that read.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import IO

import numpy as np

from tertium import _core
from tertium.data.formats.columns import Column, stream_columns, testset_of
from tertium.data.lines import decode_lines
from tertium.data.testset import Testset
from tertium.errors import FormatError

__all__ = ["LineSlice", "cut_lines", "is_plain", "line_ends"]

_BLOCK, _PIECE = 1 << 17, 1 << 16
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class LineSlice:
    """Some segments of separate plain files, one column each.

    Parameters
    ----------
    columns : tuple of Column
        What the files hold.
    folder : str
        Where relative paths start.
    ranges : tuple of (int, int)
        The first byte of the slice in every file, and the first after it.
    first, length : int
        How many segments come before, and how many are in it.
    share : float
        Which share of the files ends with this slice.
    langpair : str, optional
    """

    columns: tuple[Column, ...]
    folder: str
    ranges: tuple[tuple[int, int], ...]
    first: int
    length: int
    share: float
    langpair: str | None = None

    def __len__(self) -> int:
        """Return the number of segments."""
        return self.length

    def files(self) -> Sequence[str]:
        """Return the absolute paths of the files."""
        return [os.path.join(self.folder, column.path) for column in self.columns]

    def read(self) -> Testset:
        """Return the segments.

        Raises
        ------
        FormatError
            When a file cannot be read, or is not UTF-8.
        """
        lines = [
            self._lines(column, *bounds)
            for column, bounds in zip(self.columns, self.ranges, strict=True)
        ]
        return testset_of(self.columns, lines, self.langpair)

    def _lines(self, column: Column, start: int, stop: int) -> list[str]:
        try:
            with open(os.path.join(self.folder, column.path), "rb") as stream:
                stream.seek(start)
                return self._decoded(stream, column.path, stop - start)
        except OSError as error:
            message = f"cannot be read ({error.strerror}); check the path"
            raise FormatError(message, path=column.path) from None

    def _decoded(self, stream: IO[bytes], path: str, size: int) -> list[str]:
        lines: list[str] = []
        while size > 0:
            # Large pieces are slower: they miss the cache.
            block = stream.read(min(_PIECE, size))
            block += stream.readline() if len(block) < size else b""
            if not block:
                message = "the file became shorter while it was read; leave it alone"
                raise FormatError(message, path=path)
            lines += decode_lines(block, path=path, done=self.first + len(lines))
            size -= len(block)
        return lines


def cut_lines(
    columns: Sequence[Column], *, size: int, langpair: str | None = None
) -> Iterator[LineSlice] | None:
    """Return an iterator over slices of `size` segments, or None.

    None means that texts must be read to be cut: a file is compressed, or is not a
    regular file.

    Parameters
    ----------
    columns : sequence of Column
    size : int
    langpair : str, optional

    Raises
    ------
    InputError
        When files differ in their number of lines, as soon as that is seen.
    """
    if not all(is_plain(column.path) for column in columns):
        return None
    return _cut(tuple(columns), size, langpair)


def _cut(
    columns: tuple[Column, ...], size: int, langpair: str | None
) -> Iterator[LineSlice]:
    folder = os.getcwd()
    total = sum(os.path.getsize(column.path) for column in columns)
    starts = [0] * len(columns)
    first = 0
    for ends in zip_longest(*(line_ends(column.path, size) for column in columns)):
        counts = {end and end[1] for end in ends}
        if len(counts) > 1:
            # Reading them says which of them differ, and where.
            deque(stream_columns(list(columns), size=size, kind="plain", langpair=None))
        stops = [stop for stop, _ in ends]
        share = sum(stops) / total if total else 1.0
        ranges = tuple(zip(starts, stops, strict=True))
        length = counts.pop() or 0
        yield LineSlice(columns, folder, ranges, first, length, share, langpair)
        starts = stops
        first += length


def is_plain(path: str) -> bool:
    """Return whether bytes of a file are its lines: it is regular, not compressed."""
    from tertium.data._codecs import codec_of, sniff

    if path == "-" or not os.path.isfile(path) or codec_of(path):
        return False
    if os.path.abspath(path).startswith(("/dev/", "/proc/")):
        return False  # A descriptor of this process, such as /dev/fd/3.
    try:
        with open(path, "rb") as stream:
            head = stream.read(10)
    except OSError:
        return False  # Whoever reads it says why.
    # Nothing but a byte order mark is a file without lines.
    return sniff(head) is None and head != _BOM


def line_ends(path: str, size: int) -> Iterator[tuple[int, int]]:
    """Yield where every `size` lines end, and how many they are.

    A file without lines gives one end, so that its column is known.
    """
    lines, place, any_end = 0, 0, False
    last = ord("\n")
    block = np.empty(_BLOCK, dtype=np.uint8)
    with open(path, "rb", buffering=0) as stream:
        while length := stream.readinto(block.data):
            last = block[length - 1]
            places, lines = _core.find_line_ends(block, length, size, lines)
            for each in places:
                any_end = True
                yield place + each, size
            place += length
    if last != ord("\n"):
        lines += 1
    if lines or not any_end:
        yield place, lines
