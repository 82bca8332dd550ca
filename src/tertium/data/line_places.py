# SPDX-License-Identifier: Apache-2.0
"""Lines of plain files with their places, from which others can read them again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tertium.data.lines import StrPath, decode_lines, line_blocks
from tertium.errors import FormatError

if TYPE_CHECKING:
    from typing import IO

__all__ = ["FilePiece", "PieceReader", "PlacedLines", "PlainFile", "file_state"]


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
