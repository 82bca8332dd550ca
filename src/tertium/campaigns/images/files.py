# SPDX-License-Identifier: Apache-2.0
"""Image files: how large they may be, and what identifies them."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tertium.campaigns.images.headers import read_header

__all__ = ["LARGEST", "ImageFacts", "image_facts", "read_image"]

#: Bytes of an image.
LARGEST = 5_000_000


class ImageFacts(NamedTuple):
    """An image: its SHA-256, its kind, and its size in pixels."""

    name: str
    kind: str
    width: int
    height: int


def read_image(path: Path) -> tuple[ImageFacts, bytes]:
    """Return an image and its bytes.

    Raises
    ------
    ValueError
        With the cure, when the file cannot be read or is not an image to show.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        message = f"cannot be read: {error.strerror}; correct the path"
        raise ValueError(message) from None
    if len(data) > LARGEST:
        message = f"the image has more than {LARGEST:,} bytes; make it smaller"
        raise ValueError(message)
    header = read_header(data)
    return ImageFacts(hashlib.sha256(data).hexdigest(), *header), data


def image_facts(path: Path) -> ImageFacts:
    """Return the facts of an image, read once: many items may show it.

    Raises
    ------
    ValueError
        As `read_image` does.
    """
    try:
        state = path.stat()
    except (OSError, ValueError) as error:  # ValueError: a null character
        why = error.strerror if isinstance(error, OSError) else error
        message = f"cannot be read: {why}; correct the path"
        raise ValueError(message) from None
    return _facts(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=10_000)
def _facts(path: Path, _changed: int, _size: int) -> ImageFacts:
    return read_image(path)[0]
