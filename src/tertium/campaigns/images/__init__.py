# SPDX-License-Identifier: Apache-2.0
"""Images next to a source: files of a campaign, checked by their content.

Kind and size are read from headers and blocks; no pixel is ever decoded here.
"""

from __future__ import annotations

from tertium.campaigns.images.content import (
    image_named,
    images_of,
    stored_image,
    with_images,
    without_files,
)
from tertium.campaigns.images.files import ImageFacts, image_facts, read_image
from tertium.campaigns.images.headers import TYPES, Header, read_header

__all__ = [
    "TYPES",
    "Header",
    "ImageFacts",
    "image_facts",
    "image_named",
    "images_of",
    "read_header",
    "read_image",
    "stored_image",
    "with_images",
    "without_files",
]
