# SPDX-License-Identifier: Apache-2.0
"""Standard streams whose bytes are counted and hashed as they pass."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from tertium._version import __version__
from tertium.records.run import Text

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

__all__ = ["KEPT", "Digest", "InputCopy", "OutputCopy", "without_version"]

#: Bytes of output that a record keeps; of longer output it has the hash alone.
KEPT = 1_000_000

_VERSION = __version__.encode()
#: Where output names the version: signatures, JSON, pages.
_PLACES = (b"tertium-%s", b'"tertium": "%s"', b'"tertium":"%s"', b"tertium %s")


def without_version(line: bytes, version: bytes = _VERSION) -> bytes:
    """Return a line without the version of Tertium, which is not a result.

    Examples
    --------
    >>> without_version(b"tok:13a|version:tertium-0.1.0", b"0.1.0")
    b'tok:13a|version:tertium-VERSION'
    """
    if version not in line:
        return line
    for place in _PLACES:
        line = line.replace(place % version, place % b"VERSION")
    return line


class Digest:
    """The hash of bytes that come in pieces, and the bytes unless there are many."""

    def __init__(self, change: Callable[[bytes], bytes] | None = None) -> None:
        self._change = change
        self._hash = hashlib.sha256()
        self._size = 0
        self._kept: bytearray | None = bytearray()
        self._rest = b""

    def add(self, data: bytes) -> None:
        """Add a piece; changes are made to whole lines."""
        if self._change is None:
            self._take(data)
            return
        whole, newline, rest = data.rpartition(b"\n")
        if newline:
            self._take(self._change(self._rest + whole + newline))
            self._rest = rest
        else:
            self._rest += data

    def finish(self) -> Text:
        """Return the hash, the size and, if it is short and text, the text."""
        if self._rest and self._change is not None:
            self._take(self._change(self._rest))
            self._rest = b""
        text = None
        if self._kept is not None:
            try:
                text = self._kept.decode()
            except UnicodeDecodeError:
                text = None
        return Text(self._hash.hexdigest(), self._size, text)

    def _take(self, data: bytes) -> None:
        self._hash.update(data)
        self._size += len(data)
        if self._kept is not None:
            self._kept += data
            if len(self._kept) > KEPT:
                self._kept = None


class OutputCopy(io.RawIOBase):
    """A stream that hands everything on and takes note of it.

    It is not a terminal, so that a result looks the same wherever it is shown.
    """

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._hand_on = write
        self._digest = Digest(without_version)

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        """Write bytes."""
        piece = bytes(data)
        self._hand_on(piece)
        self._digest.add(piece)
        return len(piece)

    def finish(self) -> Text:
        """Return what was written."""
        return self._digest.finish()


class InputCopy(io.RawIOBase):
    """A stream that takes note of what is read from another one."""

    def __init__(self, stream: io.BufferedIOBase) -> None:
        self._stream = stream
        self._digest = Digest()
        self.used = False

    def readable(self) -> bool:
        """Return True."""
        return True

    def isatty(self) -> bool:
        """Return whether a person types."""
        return self._stream.isatty()

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read some bytes, as soon as there are any."""
        view = memoryview(buffer).cast("B")
        data = self._stream.read1(len(view))
        self.used = True
        self._digest.add(data)
        view[: len(data)] = data
        return len(data)

    def finish(self) -> Text | None:
        """Return what was read, without its text; None if nothing was asked for."""
        text = self._digest.finish()
        return Text(text.sha256, text.size) if self.used else None
