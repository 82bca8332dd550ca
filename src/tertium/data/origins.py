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

__all__ = ["Origin", "PlacedSegments", "origin_of", "placed_chunks"]


@dataclass(frozen=True)
class _Part:
    """Plain files whose lines are the same segments: JSONL, or one for each column."""

    columns: tuple[Column, ...]
    files: tuple[PlainFile, ...]

    def cut(self, size: int) -> list[tuple[int, tuple[FilePiece, ...]]] | None:
        """Return pieces of so many lines each, and how many they have.

        None where files do not have the same number of lines.
        """
        cuts = [list(_cut(file, size)) for file in self.files]
        if len({tuple(count for count, _ in cut) for cut in cuts}) > 1:
            return None
        return [
            (row[0][0], tuple(piece for _, piece in row))
            for row in zip(*cuts, strict=True)
        ]


def _cut(file: PlainFile, size: int) -> Iterator[tuple[int, FilePiece]]:
    start = 0
    for stop, count in line_ends(file.path, size):
        yield count, FilePiece(file, start, stop - start)
        start = stop


@dataclass(frozen=True)
class Origin:
    """The plain files that a test set was read from, as they were then.

    Parameters
    ----------
    parts : tuple
        The files in the order of their segments.
    """

    parts: tuple[_Part, ...]

    def places(
        self, size: int, total: int
    ) -> list[tuple[int, _Part, tuple[FilePiece, ...]]] | None:
        """Return where at most `size` segments each lie, which are `total` in all.

        None where files were changed.
        """
        places = []
        try:
            for part in self.parts:
                cut = part.cut(size)
                if cut is None:
                    return None
                places += [(count, part, pieces) for count, pieces in cut if count]
        except OSError:
            return None
        if sum(count for count, _, _ in places) != total:
            return None
        return places


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
        The most segments in a chunk.
    """
    places = None
    if testset.origin is not None:
        places = testset.origin.places(size, len(testset))
    if not places:
        yield from testset.chunks(size)
        return
    start = 0
    names = tuple(testset.systems), tuple(testset.layers), testset.langpair
    for count, part, pieces in places:
        chunk = testset.select(range(start, start + count))
        start += count
        if all(file.is_same() for file in part.files):
            place = _FileSegments(part.columns, pieces, count, *names)
            yield PlacedSegments(chunk, place)
        else:
            yield chunk
