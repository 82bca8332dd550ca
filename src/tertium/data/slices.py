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

from tertium.data.formats.columns import Column, stream_columns, testset_of
from tertium.data.lines import decode_lines
from tertium.data.testset import Testset
from tertium.errors import FormatError

__all__ = ["LineSlice", "cut_lines"]

_BLOCK = 1 << 20
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
                data = stream.read(stop - start)
        except OSError as error:
            message = f"cannot be read ({error.strerror}); check the path"
            raise FormatError(message, path=column.path) from None
        if len(data) < stop - start:
            message = "the file became shorter while it was read; leave it alone"
            raise FormatError(message, path=column.path)
        return decode_lines(data, path=column.path, done=self.first)


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
    if not all(_is_plain(column.path) for column in columns):
        return None
    return _cut(tuple(columns), size, langpair)


def _cut(
    columns: tuple[Column, ...], size: int, langpair: str | None
) -> Iterator[LineSlice]:
    folder = os.getcwd()
    total = sum(os.path.getsize(column.path) for column in columns)
    starts = [0] * len(columns)
    first = 0
    for ends in zip_longest(*(_ends(column.path, size) for column in columns)):
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


def _is_plain(path: str) -> bool:
    from tertium.data._codecs import codec_of, sniff

    if not os.path.isfile(path) or codec_of(path):
        return False
    with open(path, "rb") as stream:
        head = stream.read(10)
    # Nothing but a byte order mark is a file without lines.
    return sniff(head) is None and head != _BOM


def _ends(path: str, size: int) -> Iterator[tuple[int, int]]:
    """Yield where every `size` lines end, and how many they are.

    A file without lines gives one end, so that its column is known.
    """
    with open(path, "rb") as stream:
        yield from _line_ends(stream, size)


def _line_ends(stream: IO[bytes], size: int) -> Iterator[tuple[int, int]]:
    lines, place, any_end = 0, 0, False
    last = b"\n"
    while block := stream.read(_BLOCK):
        last = block[-1:]
        begin = 0
        while lines + (rest := block.count(b"\n", begin)) >= size:
            # A split counts to the line end we look for at the speed of a search.
            after = block[begin:].split(b"\n", size - lines)[-1]
            begin = len(block) - len(after)
            yield place + begin, size
            any_end, lines = True, 0
            rest = 0
        lines += rest
        place += len(block)
    if last != b"\n":
        lines += 1
    if lines or not any_end:
        yield place, lines
