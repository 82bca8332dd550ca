# SPDX-License-Identifier: Apache-2.0
"""Lines of plain files with their places, from which others can read them again.

A process that sees a file reads the bytes of a chunk there instead of being sent texts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from tertium.data.lines import StrPath, decode_lines, line_blocks
from tertium.data.slices import line_ends
from tertium.errors import FormatError

if TYPE_CHECKING:
    from typing import IO

__all__ = [
    "FilePiece",
    "PieceReader",
    "PlacedLines",
    "PlainFile",
    "Rest",
    "TextChunk",
    "cut_pieces",
    "file_state",
    "text_chunk",
]

Item = TypeVar("Item")
Item_co = TypeVar("Item_co", covariant=True)
Rest = TypeVar("Rest")


class PlainFile(NamedTuple):
    """A file when it was read: its absolute path, size and time of change."""

    path: str
    size: int
    changed: int

    def is_same(self) -> bool:
        """Return whether the file is still there, and was not changed."""
        try:
            return self == file_state(self.path)
        except OSError:
            return False


def file_state(path: StrPath) -> PlainFile:
    """Return what is known of a file now."""
    stat = os.stat(path)
    return PlainFile(os.path.abspath(path), stat.st_size, stat.st_mtime_ns)


class FilePiece(NamedTuple):
    """Some lines of a plain file: the first byte, and how many."""

    file: PlainFile
    start: int
    size: int


class PlacedLines(Iterator[str]):
    r"""The lines of a file that is not compressed, and where the last of them lies.

    Parameters
    ----------
    path : str or path
        A regular file (see :func:`tertium.data.slices.is_plain`).

    Attributes
    ----------
    start, end : int
        The first byte of the last line, and the first one after it; after the last
        line both are the size of the file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.txt")
    ...     size = file.write_bytes(b"one\r\ntwo\n")
    ...     lines = PlacedLines(file)
    ...     [(line, lines.start, lines.end) for line in lines]
    [('one', 0, 5), ('two', 5, 9)]
    """

    def __init__(self, path: StrPath) -> None:
        self._file = file_state(path)
        self.start = self.end = 0
        self._lines = _sized_lines(path)

    def __next__(self) -> str:
        """Return the next line."""
        self.start = self.end
        line, size = next(self._lines)
        self.end += size
        return line

    def piece(self, start: int | None = None, end: int | None = None) -> FilePiece:
        """Return the piece between two bytes, by default the last line."""
        first = self.start if start is None else start
        return FilePiece(self._file, first, (self.end if end is None else end) - first)


def _sized_lines(path: StrPath) -> Iterator[tuple[str, int]]:
    """Yield lines with the number of their bytes, line ends included."""
    done = 0
    for block in line_blocks(path):
        lines = decode_lines(block, path=path, done=done)
        done += len(lines)
        sizes = [len(raw) + 1 for raw in block.split(b"\n")]
        if block.endswith(b"\n"):
            sizes.pop()
        else:
            sizes[-1] -= 1
        yield from zip(lines, sizes, strict=True)


class PieceReader:
    """Reads pieces; files that it opened stay open until it is closed."""

    def __init__(self) -> None:
        self._streams: dict[str, IO[bytes]] = {}

    def __enter__(self) -> PieceReader:
        """Begin to read."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close all files."""
        for stream in self._streams.values():
            stream.close()

    def lines(self, piece: FilePiece) -> list[str]:
        """Return the lines of a piece.

        Raises
        ------
        FormatError
            When the file cannot be read, or is not what it was.
        """
        path = piece.file.path
        try:
            if path not in self._streams:
                self._streams[path] = open(path, "rb")  # noqa: SIM115
                if not piece.file.is_same():
                    message = "was changed while it was read; leave it alone"
                    raise FormatError(message, path=path)
            stream = self._streams[path]
            stream.seek(piece.start)
            data = stream.read(piece.size)
        except OSError as error:
            message = f"cannot be read ({error.strerror}); check the path"
            raise FormatError(message, path=path) from None
        # A byte order mark is at the start of a file only.
        return decode_lines(data, path=path, done=int(piece.start > 0))


def cut_pieces(file: PlainFile, size: int) -> Iterator[FilePiece]:
    """Yield pieces of so many lines each; their bytes are only looked through."""
    start = 0
    for end, _ in line_ends(file.path, size):
        yield FilePiece(file, start, end - start)
        start = end


class TextPlace(Protocol[Item_co]):
    """Where some texts are."""

    def files(self) -> Iterable[PlainFile]:
        """Return the files that they are in."""

    def read(self, reader: PieceReader) -> Item_co:
        """Return the texts."""


class TextChunk(Generic[Item, Rest]):
    """A chunk for an executor: texts, and what else is needed with them.

    Made by :func:`text_chunk`.
    """

    def __init__(self, texts: Sequence[Item], rest: Rest) -> None:
        self._texts = texts
        self.rest = rest

    def read(self) -> Sequence[Item]:
        """Return the texts."""
        return self._texts


class _PlacedChunk(TextChunk[Item, Rest]):
    """A chunk that travels without its texts, which lie in files."""

    #: Its data are in memory.
    at_hand = True

    def __init__(
        self, texts: Sequence[Item], rest: Rest, places: Sequence[TextPlace[Item]]
    ) -> None:
        super().__init__(texts, rest)
        self._places = places

    def __reduce__(self) -> tuple[object, ...]:
        return _ChunkPlace, (self._places, self.rest)

    def files(self) -> list[str]:
        """Return the files; see :class:`tertium._executor.Described`."""
        return sorted({file.path for each in self._places for file in each.files()})

    def loaded(self) -> TextChunk[Item, Rest]:
        """Return the chunk with its texts."""
        return TextChunk(self._texts, self.rest)


class _ChunkPlace(TextChunk[Item, Rest]):
    """What arrives of such a chunk."""

    def __init__(self, places: Sequence[TextPlace[Item]], rest: Rest) -> None:
        super().__init__((), rest)
        self._places = places

    def read(self) -> list[Item]:
        """Return the texts, read from their files."""
        with PieceReader() as reader:
            return [place.read(reader) for place in self._places]


def text_chunk(
    texts: Sequence[Item], rest: Rest, places: Sequence[TextPlace[Item] | None]
) -> TextChunk[Item, Rest]:
    """Return a chunk, which travels as places if those of all texts are known.

    Where a file was changed or removed after it was read, the texts are sent.

    Parameters
    ----------
    texts : sequence
        Lists of texts, sentences, or whatever places read.
    rest : object
        What else whoever does the chunk needs.
    places : sequence of TextPlace or None
        Of every item of the texts.
    """
    known = [place for place in places if place is not None]
    files = {file for place in known for file in place.files()}
    if len(known) == len(texts) and all(file.is_same() for file in files):
        return _PlacedChunk(texts, rest, known)
    return TextChunk(texts, rest)
