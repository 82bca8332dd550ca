# SPDX-License-Identifier: Apache-2.0
"""Small images of every kind, made here: no encoder is installed with the tests."""

from __future__ import annotations

import struct
import zlib


def png(width: int = 3, height: int = 2, *, text: bytes = b"") -> bytes:
    """Return a striped PNG; images with another text differ."""
    stripes = (b"\x1f\x4e\x79", b"\xe3\xed\xf6")
    rows = b"".join(b"\0" + stripes[y // 8 % 2] * width for y in range(height))
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))]
    parts += [(b"tEXt", b"Comment\0" + text)] * bool(text)
    parts += [(b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data))
        + name
        + data
        + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


def bomb(width: int, height: int) -> bytes:
    """Return a small PNG that says it is huge."""
    whole = png()
    size = struct.pack(">II", width, height)
    return whole[:16] + size + whole[24:]


def jpeg(width: int = 3, height: int = 2, *, preview: bytes = b"") -> bytes:
    """Return the frame of a JPEG, with a preview in its metadata."""

    def block(marker: int, data: bytes) -> bytes:
        return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data

    frame = struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\x00"
    return (
        b"\xff\xd8"
        + block(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0")
        + block(0xE1, b"Exif\0\0" + preview)
        + b"\xff"  # filling is allowed before a marker
        + block(0xC2, frame)
        + block(0xDA, b"\x01\x01\x00\x00\x3f\x00")
        + b"\x12\xff\x00\x34\xff\xd9"
    )


def exif(orientation: int, *, order: str = ">") -> bytes:
    """Return Exif with an orientation, as it stands in a JPEG."""
    mark = b"II*\0" if order == "<" else b"MM\0*"
    entries = struct.pack(f"{order}HHIHH", 0x010E, 2, 1, 0, 0)
    entries += struct.pack(f"{order}HHIHH", 0x0112, 3, 1, orientation, 0)
    tiff = mark + struct.pack(f"{order}IH", 8, 2) + entries + b"\0\0\0\0"
    return struct.pack(">BBH", 0xFF, 0xE1, len(tiff) + 8) + b"Exif\0\0" + tiff


def gif(width: int = 3, height: int = 2, *, frame: tuple[int, int] = (1, 1)) -> bytes:
    """Return a GIF with one frame."""
    return (
        b"GIF89a"
        + struct.pack("<HHBBB", width, height, 0x80, 0, 0)
        + b"\0\0\0\xff\xff\xff"
        + b"!\xf9\x04\0\0\0\0\0"
        + b","
        + struct.pack("<HHHHB", 0, 0, *frame, 0)
        + b"\x02\x02D\x01\0;"
    )


def webp(kind: str = "VP8X", width: int = 3, height: int = 2) -> bytes:
    """Return the frame of a WebP: ``VP8X``, ``VP8L`` or ``VP8 ``."""
    if kind == "VP8X":
        data = b"\x10\0\0\0" + (width - 1).to_bytes(3, "little")
        data += (height - 1).to_bytes(3, "little")
    elif kind == "VP8L":
        data = b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14)
    else:
        data = b"\x30\x01\0\x9d\x01\x2a" + struct.pack("<HH", width, height)
    data += b"\0" * (len(data) % 2)
    body = b"WEBP" + kind.encode() + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


#: One of each kind, 3 x 2 pixels.
KINDS = {
    "png": png(),
    "jpeg": jpeg(),
    "gif": gif(),
    "webp": webp(),
    "webp, lossless": webp("VP8L"),
    "webp, lossy": webp("VP8 "),
}
