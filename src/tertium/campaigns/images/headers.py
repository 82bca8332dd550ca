# SPDX-License-Identifier: Apache-2.0
"""What kind of image some bytes are, how large it is, and whether it is whole.

PNG (W3C, third edition), JPEG (ITU-T T.81, annex B), GIF89a and WebP (RFC 9649). The
kind is found by content. Blocks are passed over by their lengths up to the end, so that
a file that was cut is noticed; pixels are not decoded. Linear in the number of blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from struct import Struct, error, unpack_from
from typing import NamedTuple

__all__ = ["PIXELS", "TYPES", "WIDEST", "Header", "read_header"]

#: Media types of the kinds that are taken.
TYPES = {
    "png": "image/png",
    "jpeg": "image/jpeg",
    "webp": "image/webp",
    "gif": "image/gif",
}
#: Pixels along a side, and in all: a small file can ask a browser for gigabytes.
WIDEST, PIXELS = 10_000, 25_000_000

_PNG = b"\x89PNG\r\n\x1a\n"
_MARKUP = re.compile(rb"\s*<(?:\?xml|!--|!doctype|svg)", re.IGNORECASE)
_BOM = b"\xef\xbb\xbf"
_CUT = "the image ends too early; copy it again"
_BROKEN = "the image is damaged; export it again"

_LONG = Struct(">I")
_SHORT = Struct(">H")
_PNG_SIZE = Struct(">II")
_JPEG_SIZE = Struct(">HH")
_GIF_SIZE = Struct("<HH")
_WEBP_LENGTH = Struct("<I")

# Frames of JPEG: all SOF markers but DHT, JPG and DAC, which share their range.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_SCAN, _END, _METADATA = 0xDA, 0xD9, 0xE1
_ORIENTATION = 0x0112  # a tag of Exif
_BARE = frozenset({0x01, *range(0xD0, 0xD8)})  # markers without a length


class Header(NamedTuple):
    """An image: its kind (a key of `TYPES`), and its size in pixels."""

    kind: str
    width: int
    height: int


def read_header(data: bytes) -> Header:
    """Return the kind and the size of an image.

    Raises
    ------
    ValueError
        With the cure, when it is none of the kinds, damaged, cut or too large.
    """
    for start, kind, sizes in (
        (_PNG, "png", _png),
        (b"\xff\xd8\xff", "jpeg", _jpeg),
        (b"GIF87a", "gif", _gif),
        (b"GIF89a", "gif", _gif),
        (b"RIFF", "webp", _webp),
    ):
        if data.startswith(start) and (kind != "webp" or data[8:12] == b"WEBP"):
            try:
                (width, height), *others = sizes(data)
            except (error, IndexError):  # a field or a block beyond the end
                raise ValueError(_CUT) from None
            for size in ((width, height), *others):
                _check_size(*size)
            return Header(kind, width, height)
    if not data:
        message = "the file is empty; copy it again"
    elif _MARKUP.match(data.removeprefix(_BOM)):
        message = "SVG images can contain programs; export the image as PNG"
    else:
        message = "this is neither PNG, JPEG, WebP nor GIF; convert it to one of them"
    raise ValueError(message)


def _check_size(width: int, height: int) -> None:
    if not width or not height:
        raise ValueError(_BROKEN)
    if max(width, height) > WIDEST or width * height > PIXELS:
        message = (
            f"the image has {width:,} x {height:,} pixels; make it smaller, "
            f"{WIDEST:,} along a side and {PIXELS:,} in all at most"
        )
        raise ValueError(message)


def _png(data: bytes) -> Iterator[tuple[int, int]]:
    place = len(_PNG)
    if data[place + 4 : place + 8] != b"IHDR":
        raise ValueError(_CUT if len(data) < place + 8 else _BROKEN)
    yield _PNG_SIZE.unpack_from(data, place + 8)
    pixels = False
    while True:
        (length,) = _LONG.unpack_from(data, place)
        name = data[place + 4 : place + 8]
        pixels = pixels or name == b"IDAT"
        place += 12 + length  # length, name and checksum are beside the content
        if place > len(data):
            raise IndexError
        if name == b"IEND":
            break
    if not pixels:
        raise ValueError(_BROKEN)


def _jpeg(data: bytes) -> Iterator[tuple[int, int]]:
    place, frames, turned = 2, 0, False
    while True:
        if data[place] != 0xFF:
            raise ValueError(_BROKEN)
        marker = data[place + 1]
        if marker == 0xFF:  # filling
            place += 1
            continue
        if marker in _BARE:
            place += 2
            continue
        if marker == _END:
            raise ValueError(_BROKEN)  # before any pixel
        (length,) = _SHORT.unpack_from(data, place + 2)
        if marker in _FRAMES:
            height, width = _JPEG_SIZE.unpack_from(data, place + 5)
            yield (height, width) if turned else (width, height)
            frames += 1
        if marker == _METADATA:
            turned = turned or _is_turned(data[place + 4 : place + 2 + length])
        place += 2 + length
        if marker == _SCAN:
            break
    if not frames:
        raise ValueError(_BROKEN)
    # Cameras append more after the end; previews with ends of their own were passed.
    if data.find(bytes([0xFF, _END]), place) < 0:
        raise IndexError


def _is_turned(metadata: bytes) -> bool:
    """Return whether Exif turns the image by 90 degrees, as browsers then show it."""
    order = {b"Exif\0\0II*\0": "<", b"Exif\0\0MM\0*": ">"}.get(metadata[:10])
    if order is None:
        return False
    tiff = metadata[6:]
    try:
        (start,) = unpack_from(f"{order}I", tiff, 4)
        (number,) = unpack_from(f"{order}H", tiff, start)
        for place in range(start + 2, start + 2 + 12 * number, 12):
            tag, _, _, value = unpack_from(f"{order}HHIH", tiff, place)
            if tag == _ORIENTATION:
                return 5 <= int(value) <= 8
    except error:  # damaged metadata turn nothing
        pass
    return False


def _gif(data: bytes) -> Iterator[tuple[int, int]]:
    yield _GIF_SIZE.unpack_from(data, 6)
    place = 13 + _gif_colours(data[10])
    frames = 0
    while data[place] != 0x3B:
        kind = data[place]
        if kind == 0x2C:
            yield _GIF_SIZE.unpack_from(data, place + 5)
            place += 10 + _gif_colours(data[place + 9]) + 1
            frames += 1
        elif kind == 0x21:
            place += 2
        else:
            raise ValueError(_BROKEN)
        while data[place]:
            place += 1 + data[place]
        place += 1
    if not frames:
        raise ValueError(_BROKEN)


def _gif_colours(flags: int) -> int:
    """Return how many bytes a table of colours has."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _webp(data: bytes) -> Iterator[tuple[int, int]]:
    (length,) = _WEBP_LENGTH.unpack_from(data, 4)
    name = data[12:16]
    if name == b"VP8X":
        yield _triple(data, 24) + 1, _triple(data, 27) + 1
    elif name == b"VP8L":
        if data[20] != 0x2F:
            raise ValueError(_BROKEN)
        (bits,) = _WEBP_LENGTH.unpack_from(data, 21)
        yield (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif name == b"VP8 ":
        width, height = _GIF_SIZE.unpack_from(data, 26)
        if data[23:26] != b"\x9d\x01\x2a":
            raise ValueError(_BROKEN)
        yield width & 0x3FFF, height & 0x3FFF
    else:
        raise ValueError(_BROKEN if len(data) >= 16 else _CUT)
    if length + 8 > len(data):
        raise IndexError


def _triple(data: bytes, place: int) -> int:
    """Return a number of three bytes."""
    return data[place] | data[place + 1] << 8 | data[place + 2] << 16
