# SPDX-License-Identifier: Apache-2.0
"""Lines of text files, read and written without surprises.

Only LF and CRLF end a line: U+2028, U+0085, form feed and a lone CR are text. One
byte order mark at the start is dropped. Bytes that are not UTF-8 are an error with
file, line and byte. ``-`` is standard input. Compression is recognised by the extension
or, failing that, by the first bytes.

Files are read in blocks cut after a line end, so memory does not grow with the file
and decoding never meets half a character.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice

from tertium._messages import quote
from tertium.data._codecs import codec_of, decompressed, sniff
from tertium.errors import FormatError, InputError

TYPE_CHECKING = False  # Not from typing, whose import takes as long as all of this.
if TYPE_CHECKING:
    from typing import IO

__all__ = [
    "Paths",
    "Reading",
    "StrPath",
    "decode_lines",
    "display",
    "line_blocks",
    "line_writer",
    "open_bytes",
    "open_lines",
    "path_list",
    "write_lines",
]

StrPath = str | os.PathLike[str]
#: One file, or several.
Paths = StrPath | Sequence[StrPath]

_BLOCK = 1 << 16  # Larger ones are slower: they miss the cache.
_BATCH = 10_000
_BOM = "\ufeff"


class Reading:
    r"""How far files are read while a block runs, of which all are read at once.

    Parameters
    ----------
    paths : sequence of str
        As they are opened.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.txt")
    ...     size = file.write_bytes(b"text\n" * 100_000)
    ...     with Reading([str(file)]) as reading:
    ...         lines = open_lines(str(file))
    ...         line = next(lines)
    ...         round(reading.share(), 2)
    0.13
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._sizes = {path: os.path.getsize(path) for path in paths}
        self._streams: dict[str, IO[bytes]] = {}

    def __enter__(self) -> Reading:
        """Look at files that are opened from now on."""
        self._token = _reading.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        """Look no longer."""
        _reading.reset(self._token)

    def note(self, name: str, raw: IO[bytes]) -> None:
        """Take note of a file that is opened, perhaps once more."""
        if name in self._sizes:
            self._streams[name] = raw

    def share(self) -> float:
        """Return the share of all bytes that were read; 0 if it is not known."""
        whole = sum(self._sizes.values())
        if len(self._streams) < len(self._sizes) or not whole:
            return 0.0
        read = sum(
            self._sizes[name] if raw.closed else min(raw.tell(), self._sizes[name])
            for name, raw in self._streams.items()
        )
        return read / whole


_reading: ContextVar[Reading | None] = ContextVar("reading", default=None)


def display(path: StrPath) -> str:
    """Return the name of a file as messages show it."""
    name = os.fspath(path)
    return "<stdin>" if name == "-" else name


def path_list(paths: Paths | None) -> list[str]:
    """Return the names of one file, of several or of none.

    Examples
    --------
    >>> path_list("a.txt"), path_list(["a.txt", "b.txt"]), path_list(None)
    (['a.txt'], ['a.txt', 'b.txt'], [])
    """
    if paths is None:
        return []
    if isinstance(paths, str | os.PathLike):
        return [os.fspath(paths)]
    return [os.fspath(path) for path in paths]


def open_lines(path: StrPath) -> Iterator[str]:
    r"""Yield the lines of a file without their line ends.

    Parameters
    ----------
    path : str or path
        The file; ``-`` for standard input. May be compressed.

    Yields
    ------
    str
        One line. A line end at the end of the file does not start another line.

    Raises
    ------
    FormatError
        When the file is missing, a folder, not readable, cut short or not UTF-8.
        It is raised when the first line is asked for, or the faulty one.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.txt")
    ...     size = file.write_bytes(b"one\r\n\ntwo")
    ...     list(open_lines(file))
    ['one', '', 'two']
    """
    done = 0
    for block in line_blocks(path):
        lines = decode_lines(block, path=path, done=done)
        done += len(lines)
        yield from lines


def decode_lines(block: bytes, *, path: StrPath, done: int) -> list[str]:
    """Return the lines of a piece of a file that starts after a line end.

    Parameters
    ----------
    block : bytes
    path : str or path
        The file, for messages.
    done : int
        How many lines come before the piece.
    """
    try:
        text = block.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_utf8(path, block, error.start, done) from None
    if done == 0:
        text = text.removeprefix(_BOM)
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


@contextmanager
def open_bytes(path: StrPath) -> Iterator[IO[bytes]]:
    """Open a file for reading bytes, decompressed where needed.

    Raises
    ------
    FormatError
        When the file cannot be opened, or reading it fails inside the block.
    """
    name = os.fspath(path)
    try:
        with _open_raw(name) as raw:
            head = raw.peek(10) if hasattr(raw, "peek") else b""
            codec = codec_of(name) or sniff(head[:10])
            if codec is None:
                yield raw
            else:
                # gzip takes no bytes at all for an empty text; the others do not.
                if not head:
                    raise EOFError
                with decompressed(raw, codec) as stream:
                    yield stream
    except EOFError:
        what = "the file is empty, not compressed; fetch it again or rename it"
        raise FormatError(what, path=display(name)) from None
    except FormatError:
        raise
    except InputError as error:
        raise FormatError(str(error), path=display(name)) from None
    except (OSError, ValueError) as error:
        raise FormatError(_why(name, error), path=display(name)) from None


def write_lines(path: StrPath, lines: Iterable[str]) -> None:
    """Write lines to a file that ``open_lines`` reads back exactly.

    The file appears when it is complete, or not at all.

    Parameters
    ----------
    path : str or path
        The file; its extension chooses the compression.
    lines : iterable of str
        The lines, without line ends.

    Raises
    ------
    InputError
        When a line would not read back the same, or the file cannot be made.
    OutputError
        When the disk is full.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.txt.gz")
    ...     write_lines(file, ["one", "", "two"])
    ...     list(open_lines(file))
    ['one', '', 'two']
    """
    with line_writer(path) as add:
        add(lines)


@contextmanager
def line_writer(path: StrPath) -> Iterator[Callable[[Iterable[str]], None]]:
    """Open a file for lines that come in parts; see ``write_lines``.

    The block gets a function that writes the next lines.
    """
    from tertium._files import replace_file

    done = 0

    def add(lines: Iterable[str]) -> None:
        nonlocal done
        pending = iter(lines)
        while batch := list(islice(pending, _BATCH)):
            for number, line in enumerate(batch, start=done + 1):
                if "\n" in line or line.endswith("\r"):
                    raise _cannot_write(path, number, line, "has a line end in it")
            if done == 0 and batch[0].startswith(_BOM):
                raise _cannot_write(path, 1, batch[0], "starts with a byte order mark")
            data = _encode(path, batch, done)
            if done == 0 and sniff(data[:10]):
                raise _cannot_write(path, 1, batch[0], "looks like compressed data")
            stream.write(data)
            done += len(batch)

    with replace_file(path) as stream:
        yield add


def _encode(path: StrPath, batch: list[str], done: int) -> bytes:
    text = "\n".join(batch) + "\n"
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        row = text.count("\n", 0, error.start)
        what = "has half a surrogate pair in it"
        raise _cannot_write(path, done + row + 1, batch[row], what) from None


def _cannot_write(path: StrPath, number: int, line: str, what: str) -> InputError:
    return InputError(
        f"cannot write {display(path)}: line {number} {what}: {quote(line)}; "
        "remove it, or write another format such as jsonl"
    )


@contextmanager
def _open_raw(name: str) -> Iterator[IO[bytes]]:
    if name != "-":
        with open(name, "rb") as raw:
            if (reading := _reading.get()) is not None:
                reading.note(name, raw)
            yield raw
        return
    stdin = getattr(sys.stdin, "buffer", None)
    if stdin is None:
        raise InputError("standard input gives no bytes; give a file instead")
    yield stdin


def line_blocks(path: StrPath) -> Iterator[bytes]:
    """Yield a file in pieces that end with LF, the last one perhaps not."""
    with open_bytes(path) as stream:
        while block := stream.read(_BLOCK):
            yield block + stream.readline()


def _not_utf8(path: StrPath, block: bytes, at: int, done: int) -> FormatError:
    line = done + block.count(b"\n", 0, at) + 1
    byte = at - block.rfind(b"\n", 0, at)
    cure = "save the file as UTF-8"
    if done == 0 and block[:2] in (b"\xff\xfe", b"\xfe\xff"):
        cure = "it looks like UTF-16: iconv -f UTF-16 -t UTF-8"
    what = f"byte {byte} of the line (0x{block[at]:02x}) is not UTF-8; {cure}"
    return FormatError(what, path=display(path), line=line)


def _why(name: str, error: OSError | ValueError) -> str:
    if os.path.isdir(name):
        return "this is a folder; give a file"
    if isinstance(error, FileNotFoundError):
        return "no such file; check the path"
    if isinstance(error, PermissionError):
        return "no permission to read it; check its owner and mode"
    reason = getattr(error, "strerror", None) or str(error)
    return f"cannot be read ({reason}); check the path"
