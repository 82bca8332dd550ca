# SPDX-License-Identifier: Apache-2.0
"""Headers of images: kinds, sizes, damage; nothing is decoded."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.images import KINDS, bomb, exif, gif, jpeg, png, webp
from tertium.campaigns.images import TYPES, read_header
from tertium.campaigns.images.headers import PIXELS, WIDEST


@pytest.mark.parametrize("name", KINDS)
def test_the_kind_and_the_size_are_in_the_content(name):
    assert read_header(KINDS[name]) == (name.partition(",")[0], 3, 2)


@pytest.mark.parametrize("name", KINDS)
def test_every_cut_is_noticed(name):
    data = KINDS[name]
    for length in range(len(data)):
        with pytest.raises(ValueError, match=";"):
            read_header(data[:length])


@pytest.mark.parametrize("name", KINDS)
def test_what_follows_the_end_is_ignored(name):
    assert read_header(KINDS[name] + b"\0\xff\xd9 more") == read_header(KINDS[name])


def test_a_preview_is_not_the_image():
    data = jpeg(640, 480, preview=jpeg(16, 12))
    assert read_header(data) == ("jpeg", 640, 480)
    with pytest.raises(ValueError, match="ends too early"):
        read_header(data[:-2])


@pytest.mark.parametrize("order", ["<", ">"])
def test_photos_that_the_camera_turned_are_shown_upright(order):
    data = jpeg(640, 480)
    for orientation in range(10):
        turned = data[:2] + exif(orientation, order=order) + data[2:]
        size = (480, 640) if 5 <= orientation <= 8 else (640, 480)
        assert read_header(turned)[1:] == size, orientation
    # Damaged metadata turn nothing.
    for cut in range(4, len(exif(6)) - 12):
        block = exif(6, order=order)[:cut]
        short = block[:2] + (cut - 2).to_bytes(2, "big") + block[4:]
        read_header(data[:2] + short + data[2:])


@pytest.mark.parametrize(
    "data",
    [
        bomb(WIDEST + 1, 1),
        bomb(1, WIDEST + 1),
        bomb(2**32 - 1, 2**32 - 1),
        bomb(WIDEST, PIXELS // WIDEST + 1),
        jpeg(65_535, 65_535),
        gif(65_535, 65_535),
        gif(frame=(65_535, 65_535)),
        webp("VP8X", 2**24, 2**24),
        webp("VP8L", 2**14, 2**14),
        webp("VP8 ", 2**14 - 1, 2**14 - 1),
    ],
)
def test_small_files_of_huge_images_are_rejected(data):
    assert len(data) < 200
    with pytest.raises(ValueError, match=r"pixels; make it smaller, 10,000 along"):
        read_header(data)


def test_the_largest_image_is_taken():
    assert read_header(bomb(WIDEST, PIXELS // WIDEST))[1:] == (10_000, 2_500)


@pytest.mark.parametrize(
    "data",
    [
        bomb(0, 5),
        jpeg(5, 0),
        gif(0, 0),
        webp("VP8 ", 0, 3),
        png().replace(b"IHDR", b"IHDX"),
        png().replace(b"IDAT", b"IDAX"),
        b"\xff\xd8\xff\xd9",
        b"\xff\xd8\xff\xe0\0\x02\xff\xda\0\x02\xff\xd9",
        b"GIF89a\x03\0\x02\0\0\0\0;",
        b"GIF89a\x03\0\x02\0\0\0\0?" + b"\0" * 9,
        webp().replace(b"VP8X", b"ALPH"),
        webp("VP8L").replace(b"\x2f", b"\x2e"),
    ],
)
def test_damaged_images_are_rejected(data):
    with pytest.raises(ValueError, match="damaged; export it again"):
        read_header(data)


@pytest.mark.parametrize(
    "data",
    [
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"\xef\xbb\xbf\n <?xml version='1.0'?><svg/>",
        b"<!-- drawn by hand --><svg/>",
        b"<!DOCTYPE svg><svg/>",
    ],
)
def test_drawings_that_can_hold_programs_are_rejected(data):
    with pytest.raises(ValueError, match="SVG images can contain programs; export"):
        read_header(data)


@pytest.mark.parametrize(
    "data", [b"BM" + b"\0" * 60, b"II*\0", b"RIFF\x04\0\0\0WAVE", b"text", b"%PDF-1.7"]
)
def test_other_files_are_rejected(data):
    with pytest.raises(ValueError, match="neither PNG, JPEG, WebP nor GIF; convert"):
        read_header(data)


def test_an_empty_file_is_rejected():
    with pytest.raises(ValueError, match="empty"):
        read_header(b"")


@given(
    st.sampled_from(list(KINDS.values())),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=6),
    st.integers(0, 300),
    st.binary(max_size=40),
)
def test_no_bytes_break_the_reader(data, changes, cut, more):
    changed = bytearray(data[:cut] + more)
    for place, value in changes:
        if changed:
            changed[place % len(changed)] = value
    with suppress(ValueError):
        header = read_header(bytes(changed))
        assert header.kind in TYPES
        assert 0 < header.width * header.height <= PIXELS


@pytest.mark.parametrize(
    "data",
    [
        gif()[:-1] + b"!\xff" + b"\x01x" * 2_000_000,
        b"\xff\xd8" + b"\xff" * 4_000_000,
        b"\xff\xd8" + b"\xff\xe0\0\0" * 1_000_000,
        png()[:33] + (b"\0\0\0\0abcd0000") * 400_000,
    ],
)
def test_many_blocks_are_passed_in_linear_time(data):
    start = time.monotonic()
    with pytest.raises(ValueError, match=";"):
        read_header(data)
    assert time.monotonic() - start < 10
