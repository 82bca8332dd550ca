# SPDX-License-Identifier: Apache-2.0
"""Where the segments of a test set in memory lie, so that others can read them again.

Nothing but the files is kept. Where their lines lie is looked up when chunks are made
for another machine, which takes a fraction of the time of reading them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tertium.data.formats import jsonl, plain
from tertium.data.formats.columns import Column, holds_lines, testset_of
from tertium.data.line_places import FilePiece, PieceReader, PlainFile, file_state
from tertium.data.slices import is_plain, line_ends
from tertium.data.testset import Testset

__all__ = ["Origin", "PlacedSegments", "origin_of", "placed_chunks", "with_origin"]


@dataclass(frozen=True)
class _Part:
    """Plain files whose lines are the same segments: JSONL, or one for each column."""

    columns: tuple[Column, ...]
    files: tuple[PlainFile, ...]

    def cut(self, size: int) -> Iterator[tuple[int, tuple[FilePiece, ...]]]:
        """Yield how many segments are next, at most `size`, and where they lie."""
        for row in zip(*(_cut(file, size) for file in self.files), strict=True):
            counts, pieces = zip(*row, strict=True)
            if len(set(counts)) > 1:
                raise ValueError("files differ in their number of lines")
            yield counts[0], pieces


def _cut(file: PlainFile, size: int) -> Iterator[tuple[int, FilePiece]]:
    start = 0
    for stop, count in line_ends(file.path, size):
        yield count, FilePiece(file, start, stop - start)
        start = stop


@dataclass(frozen=True)
class Origin:
    """The plain files that a test set was read from, as they were then.

    Made by :func:`origin_of`, before the files are read.
    """

    parts: tuple[_Part, ...]


def origin_of(kind: str, paths: Sequence[str]) -> Origin | None:
    """Return the origin of a test set in files, or None where lines are not segments.

    Parameters
    ----------
    kind : str
        The format of the files.
    paths : sequence of str
        Of JSONL files, or of folders of plain text.
    """
    if kind not in ("jsonl", "plain"):
        return None
    parts = []
    for path in paths:
        columns = plain.columns_of(path) if kind == "plain" else []
        files = [column.path for column in columns] or [path]
        if not holds_lines(columns, None) or not all(map(is_plain, files)):
            return None
        parts.append(_Part(tuple(columns), tuple(map(file_state, files))))
    return Origin(tuple(parts))


def with_origin(testset: Testset, origin: Origin | None) -> Testset:
    """Return a test set that knows where all of it was read."""
    placed = replace(testset)
    # Not an argument of the class: whatever is made of a test set must not inherit it.
    object.__setattr__(placed, "origin", origin)
    return placed


@dataclass(frozen=True)
class _FileSegments:
    """Some segments as they arrive elsewhere: where they lie, and their columns."""

    columns: tuple[Column, ...]
    pieces: tuple[FilePiece, ...]
    length: int
    systems: tuple[str, ...]
    layers: tuple[str, ...]
    langpair: str | None

    def __len__(self) -> int:
        return self.length

    def read(self) -> Testset:
        """Return the segments, read from their files."""
        with PieceReader() as reader:
            lines = [reader.lines(piece) for piece in self.pieces]
        if self.columns:
            read = testset_of(self.columns, lines, None)
        else:
            read = jsonl.from_lines(lines[0], self.pieces[0].file.path)
        named = {**read.layers, **read.systems}
        return replace(
            read,
            systems={name: named[name] for name in self.systems},
            layers={name: named[name] for name in self.layers},
            langpair=self.langpair,
        )


def _arrived(place: _FileSegments) -> _FileSegments:
    """Return what is left of segments that have travelled."""
    return place


class PlacedSegments:
    """Some segments of a test set in memory, which travel as their place in files.

    Made by :func:`placed_chunks`.
    """

    #: They are in memory; see :class:`tertium._executor.Described`.
    at_hand = True

    def __init__(self, testset: Testset, place: _FileSegments) -> None:
        self._testset = testset
        self._place = place

    def __len__(self) -> int:
        """Return the number of segments."""
        return len(self._place)

    def __reduce__(self) -> tuple[object, ...]:
        return _arrived, (self._place,)

    def files(self) -> Sequence[str]:
        """Return the absolute paths of the files."""
        return [piece.file.path for piece in self._place.pieces]

    def read(self) -> Testset:
        """Return the segments, from memory."""
        return self._testset


def placed_chunks(testset: Testset, size: int) -> Iterator[Testset | PlacedSegments]:
    """Yield a test set in chunks, which travel as places if these are known.

    Texts are sent where a file was changed or removed after it was read.

    Parameters
    ----------
    testset : Testset
    size : int
        The most segments in a chunk; those at the end of a file have fewer.
    """
    places = _places(testset, size)
    if places is None:
        yield from testset.chunks(size)
        return
    start = 0
    for place in places:
        chunk = testset.select(range(start, start + len(place)))
        start += len(place)
        same = all(piece.file.is_same() for piece in place.pieces)
        yield PlacedSegments(chunk, place) if same else chunk


def _places(testset: Testset, size: int) -> list[_FileSegments] | None:
    """Return where all segments lie, or None where that is not known any more."""
    if testset.origin is None:
        return None
    names = tuple(testset.systems), tuple(testset.layers), testset.langpair
    try:
        places = [
            _FileSegments(part.columns, pieces, count, *names)
            for part in testset.origin.parts
            for count, pieces in part.cut(size)
            if count
        ]
    except (OSError, ValueError):
        return None  # Files were removed or changed.
    total = sum(map(len, places))
    return places if total and total == len(testset) else None
