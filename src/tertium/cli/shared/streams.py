# SPDX-License-Identifier: Apache-2.0
"""The standard streams of the program: full disks, closed ones, broken pipes.

Python reports a failing standard output wherever the buffer happens to be flushed:
in a verb, inside argparse (which ignores it) or after the program's last line. Here
every failure becomes an OutputError at the write, which :func:`tertium.cli.main`
reports, while messages that standard error cannot take are dropped.
"""

from __future__ import annotations

import errno
import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper

from tertium.errors import OutputError

TYPE_CHECKING = False  # Not from typing, whose import takes as long as all of this.
if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["abandon_output", "prepare_streams", "write_utf8"]


class _Output(FileIO):
    """Standard output whose errors cannot be mistaken for those of another file."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            if error.errno == errno.EINVAL and os.name == "nt":
                raise BrokenPipeError from None  # as Windows says that the reader left
            why = error.strerror or str(error)
            if error.errno == errno.EBADF:
                why = "standard output is closed"
            message = f"cannot write the output: {why}"
            raise OutputError(message) from None


class _Messages(FileIO):
    """Standard error that loses what it cannot write: exit codes must survive."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def prepare_streams() -> None:
    """Make the streams of this process fail as described above, and write UTF-8."""
    _occupy()
    sys.stdout = _text(_Output, 1, sys.stdout)
    sys.stderr = _text(_Messages, 2, sys.stderr)


def write_utf8() -> None:
    """Make the streams write UTF-8 in every locale, as files are read."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(encoding="utf-8")


def abandon_output() -> None:
    """Discard what the buffer still holds, so that Python's exit is silent."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def _occupy() -> None:
    """Occupy the descriptors of closed streams, which later files would get.

    Reading from or writing to these fails, as it did before.
    """
    for number, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_RDONLY)):
        try:
            os.fstat(number)
        except OSError:
            place = os.open(os.devnull, mode)
            if place != number:
                os.dup2(place, number)
                os.close(place)
            os.set_inheritable(number, True)


def _text(kind: type[FileIO], number: int, stream: object) -> TextIOWrapper:
    """Return a text stream over a descriptor, buffered as Python's own stream is."""
    if isinstance(stream, TextIOWrapper):
        raw = getattr(stream.buffer, "raw", stream.buffer)
        if type(raw) is not FileIO or raw.fileno() != number:
            # Windows' console, or a test's own.
            stream.reconfigure(encoding="utf-8", newline="\n")
            return stream
        errors, lines = stream.errors or "strict", stream.line_buffering
        unbuffered = raw is stream.buffer  # python -u
    else:
        errors, lines, unbuffered = "backslashreplace", True, False
    file = kind(number, "w", closefd=False)
    return TextIOWrapper(
        file if unbuffered else BufferedWriter(file),
        encoding="utf-8",
        errors=errors,
        newline="\n",  # The same bytes on every system.
        line_buffering=lines,
        write_through=unbuffered,
    )
