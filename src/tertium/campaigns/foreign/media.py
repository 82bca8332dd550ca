# SPDX-License-Identifier: Apache-2.0
"""Images in the HTML of other tools' sources.

An ``<img>`` is kept if its file is in the folder of the campaign, or if it is a
``data:`` address, which holds the whole image. What lies on other servers is not
fetched: it may change, and its owner would see who judges.
"""

from __future__ import annotations

import binascii
import hashlib
import html
import os
import re
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

from tertium.campaigns.foreign.campaign import Losses
from tertium.campaigns.images import image_facts, read_header
from tertium.campaigns.images.files import LARGEST
from tertium.campaigns.tasks.screens import ScreenImage
from tertium.data.containment import is_inside

__all__ = ["FOLDER", "Media"]

#: Where images go beside the new configuration.
FOLDER = "images"

_IMAGE = re.compile(r"<\s*img\b[^<>]*>", re.IGNORECASE)
_MEDIA = re.compile(r"<\s*(?:video|audio|img|iframe)\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"""\b(src|alt)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
_DATA = re.compile(r"data:image/[a-z0-9.+-]+;base64,", re.IGNORECASE)
_LONGEST = 1000  # characters of a description


class Media:
    """The images of a campaign, collected while its sources are read.

    Parameters
    ----------
    path : str or Path
        The campaign's file; images are in its folder or below it.
    losses : Losses
        Counts sources with media that cannot be kept.
    served : dict of str to str
        Folders on disk by the address that the tool serves them at.
    """

    def __init__(
        self,
        path: str | Path,
        losses: Losses,
        served: Mapping[str, str] | None = None,
    ) -> None:
        self.files: dict[str, Path | bytes] = {}
        self._folder = Path(path).parent
        self._losses = losses
        self._served = served or {}

    def split(self, source: str) -> tuple[str, ScreenImage | None]:
        """Return a source without its first image that can be kept, and that image.

        Other media stay in the text, and are counted.
        """
        image = None
        for match in _IMAGE.finditer(source):
            image = self._image(match[0])
            if image is not None:
                source = f"{source[: match.start()]}{source[match.end() :]}".strip()
                break
        self._losses.count("foreign-media", bool(_MEDIA.search(source)))
        return source, image

    def _image(self, tag: str) -> ScreenImage | None:
        values = {
            match[1].lower(): html.unescape(match[2] or match[3] or match[4] or "")
            for match in _ATTRIBUTE.finditer(tag)
        }
        address = values.get("src", "").strip()
        try:
            file = self._inline(address) or self._local(address)
        except ValueError:  # not an image that can be shown
            return None
        alt = " ".join(values.get("alt", "").split())
        return ScreenImage(file, alt[:_LONGEST]) if file else None

    def _inline(self, address: str) -> str:
        """Keep the image that an address holds, and return its new name."""
        match = _DATA.match(address)
        if match is None or len(address) > 2 * LARGEST:
            return ""
        try:
            data = b64decode(address[match.end() :], validate=True)
        except binascii.Error:
            return ""
        kind = read_header(data).kind
        return self._keep(hashlib.sha256(data).hexdigest(), kind, data)

    def _local(self, address: str) -> str:
        """Keep the image that a path leads to, and return its new name."""
        name = unquote(address)
        for start, folder in self._served.items():
            inner = name.lstrip("/").removeprefix(start.strip("/") + "/")
            if start.strip("/") and inner != name.lstrip("/"):
                name = f"{folder}/{inner}"
                break
        place = self._folder / name
        # Joined, an absolute path would lead anywhere; an address is never a file.
        # os.path.isfile is False for a name that is too long, too.
        if not is_inside(place, self._folder) or not os.path.isfile(place):
            return ""
        facts = image_facts(place)
        return self._keep(facts.name, facts.kind, place)

    def _keep(self, digest: str, kind: str, data: Path | bytes) -> str:
        name = f"{FOLDER}/{digest[:16]}.{kind}"
        self.files.setdefault(name, data)
        return name
