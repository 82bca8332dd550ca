# SPDX-License-Identifier: Apache-2.0
"""Resource files as bytes and lines, optionally compressed by gzip."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.errors import FormatError

__all__ = ["read_bytes", "read_text_lines"]


def read_bytes(path: str) -> bytes:
    """Return the content of a file, decompressed if it is a gzip file.

    Raises
    ------
    FormatError
        If the file is missing, unreadable or truncated.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        message = f"cannot be read ({error.strerror}); correct the path"
        raise FormatError(message, path=path) from error
    if not data.startswith(b"\x1f\x8b"):
        return data
    import gzip
    import io
    import zlib

    try:
        # Not gzip.decompress, a single call that Ctrl-C cannot interrupt.
        with gzip.open(io.BytesIO(data)) as stream:
            return stream.read()
    except (OSError, EOFError, zlib.error) as error:
        message = f"is not a complete gzip file ({error}); copy it again"
        raise FormatError(message, path=path) from error


def read_text_lines(path: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a UTF-8 file with their numbers from 1."""
    for number, line in enumerate(read_bytes(path).split(b"\n"), 1):
        try:
            yield number, line.decode("utf-8").rstrip("\r")
        except UnicodeDecodeError:
            message = "is not UTF-8; convert it with iconv"
            raise FormatError(message, path=path, line=number) from None
