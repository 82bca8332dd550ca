# SPDX-License-Identifier: Apache-2.0
"""Compressed files: gzip, xz, bzip2 and Zstandard, recognised by name or first bytes.

The codec modules are imported when a file needs them.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import RawIOBase

from tertium.errors import InputError

TYPE_CHECKING = False  # Not from typing, whose import takes as long as all of this.
if TYPE_CHECKING:
    from typing import IO

    from _typeshed import ReadableBuffer

__all__ = ["EXTENSIONS", "codec_of", "compressed", "decompressed", "sniff"]

EXTENSIONS = {".gz": "gzip", ".xz": "xz", ".bz2": "bzip2", ".zst": "zstd"}

_PIECE = 1 << 18  # xz takes a tenth of a second for as much

_MODULES = {
    "gzip": "gzip",
    "xz": "lzma",
    "bzip2": "bz2",
    "zstd": "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd",
}


def codec_of(path: str) -> str | None:
    """Return the codec that the name of a file asks for."""
    return EXTENSIONS.get(os.path.splitext(path)[1].lower())


def sniff(head: bytes) -> str | None:
    """Return the codec that the first ten bytes of a file show.

    Examples
    --------
    >>> sniff(bytes([0x1F, 0x8B, 0x08]))
    'gzip'
    >>> sniff(b"BZh is how this sentence starts")
    """
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    # "BZh9" alone could be text; the block mark after it could not, in practice.
    if head.startswith(b"BZh") and head[4:10] in (b"1AY&SY", b"\x17rE8P\x90"):
        return "bzip2"
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return "zstd"
    return None


def broken(codec: str) -> tuple[type[Exception], ...]:
    """Return the exceptions a codec raises on data of another kind."""
    if codec == "gzip":
        return (importlib.import_module("zlib").error, OSError)
    if codec == "xz":
        return (importlib.import_module("lzma").LZMAError,)
    if codec == "zstd":
        return (_module("zstd").ZstdError,)
    return (OSError, ValueError)


@contextmanager
def decompressed(raw: IO[bytes], codec: str) -> Iterator[IO[bytes]]:
    """Open a compressed stream for reading; ``raw`` stays open afterwards.

    Raises
    ------
    InputError
        When the data are cut short or not of this codec. The message has no place
        in it: the caller knows the name of the file.
    """
    try:
        with _module(codec).open(raw, "rb") as stream:
            yield stream
    except EOFError:
        raise InputError(
            f"the {codec} data end too early; the file is cut short, fetch it again"
        ) from None
    except broken(codec) as error:
        raise InputError(
            f"the {codec} data are broken ({error}); fetch the file again, "
            f"or rename it if it is not {codec}"
        ) from None


@contextmanager
def compressed(raw: IO[bytes], codec: str) -> Iterator[IO[bytes]]:
    """Open a stream that compresses into ``raw``; equal input gives equal bytes.

    Python looks for Ctrl-C between two calls of a codec, so these get little at a time.
    """
    module = _module(codec)
    if codec == "gzip":
        # No name and no time in the header.
        stream = module.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)
    else:
        stream = module.open(raw, "wb")
    with stream:
        yield _InPieces(stream)  # type: ignore[misc]


class _InPieces(RawIOBase):
    """A stream for writing that hands long data on in pieces."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        with memoryview(data) as view, view.cast("B") as whole:
            for start in range(0, len(whole), _PIECE):
                self._stream.write(whole[start : start + _PIECE])
            return len(whole)


def _module(codec: str):  # type: ignore[no-untyped-def]
    try:
        return importlib.import_module(_MODULES[codec])
    except ImportError:
        raise InputError(
            f"{codec} files need a module that is not installed; "
            f"pip install {_MODULES[codec]}"
        ) from None
