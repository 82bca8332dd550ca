# SPDX-License-Identifier: Apache-2.0
"""Images in the content of items.

Files name an image by a path (``image``) and may describe it (``image_alt``). In the
content of an item, or of a paragraph of it, an image is an object::

    {"name": SHA-256, "width": 640, "height": 400, "alt": "A timetable"}

``alt`` may be missing. Until it is loaded, an image also has the path of its ``file``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.images.files import image_facts
from tertium.errors import FormatError, UntrustedError

__all__ = ["image_named", "images_of", "stored_image", "with_images", "without_files"]

# Of two letters or more: one letter and a colon is a drive.
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]+:|[/\\]{2})", re.IGNORECASE)
_NAME = re.compile(r"[0-9a-f]{64}")
_LONGEST = 1000  # characters of a description


def image_named(
    value: str, alt: str, config: CampaignConfig, *, path: str, line: int | None = None
) -> dict[str, object]:
    """Return an image as the content of an item has it.

    Parameters
    ----------
    value : str
        The path, relative to the file that names it.
    alt : str
        A description; may be empty.
    config : CampaignConfig
    path, line
        Where the image is named.

    Raises
    ------
    FormatError
        When it is an address, or not an image that can be shown.
    UntrustedError
        When it lies outside the campaign's folder.
    """
    if _ADDRESS.match(value):
        # The address may be long: data: holds the whole image.
        what = (
            f"image {value[:60]!r} is an address; save the image in the campaign's "
            "folder and give its path"
        )
        raise FormatError(what, path=path, line=line)
    if len(alt) > _LONGEST:
        what = f"image_alt has {len(alt)} characters; give {_LONGEST} or less"
        raise FormatError(what, path=path, line=line)
    try:
        place = config.checked(Path(path).parent / value)
        facts = image_facts(place)
    except UntrustedError:
        what = (
            f"image {value!r} lies outside the campaign's folder; copy it there, or "
            "allow it with --allow-outside (allow_outside=True)"
        )
        raise UntrustedError(what, path=path, line=line) from None
    except ValueError as error:
        raise FormatError(f"image {value!r}: {error}", path=path, line=line) from None
    image: dict[str, object] = {
        "name": facts.name,
        "width": facts.width,
        "height": facts.height,
    }
    return image | ({"alt": alt} if alt else {}) | {"file": str(place)}


def images_of(content: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Yield the images of an item: its own, then those of its paragraphs."""
    for part in _parts(content):
        image = part.get("image")
        if isinstance(image, dict):
            yield image


def without_files(content: Mapping[str, object]) -> dict[str, Path]:
    """Remove the paths from the images of an item, and return them by name.

    The content is changed: give a copy.
    """
    return {
        str(image["name"]): Path(str(image.pop("file")))
        for image in images_of(content)
        if "file" in image
    }


def with_images(
    content: dict[str, object], config: CampaignConfig, *, path: str, line: int
) -> dict[str, object]:
    """Return the content of a training item with its images.

    It comes from a file, where an image is a path, or an object that was exported.

    Raises
    ------
    FormatError
        When an image is neither, or cannot be shown.
    """
    paragraphs = content.get("paragraphs")
    if isinstance(paragraphs, list):
        changed = [
            _with_image(one, config, path, line) if isinstance(one, dict) else one
            for one in paragraphs
        ]
        content = {**content, "paragraphs": changed}
    return _with_image(content, config, path, line)


def _with_image(
    part: dict[str, object], config: CampaignConfig, path: str, line: int
) -> dict[str, object]:
    value, alt = part.get("image", ""), part.get("image_alt", "")
    rest = {k: v for k, v in part.items() if k not in ("image", "image_alt")}
    image = stored_image(value)
    if image is None and isinstance(value, str) and isinstance(alt, str):
        if not value:
            return rest
        image = image_named(value, alt, config, path=path, line=line)
    if image is None:
        what = "image and image_alt must be texts; give a path and a description"
        raise FormatError(what, path=path, line=line)
    return {**rest, "image": image}


def stored_image(value: object) -> dict[str, object] | None:
    """Return an image as it is stored; None for what is not one.

    Imported answers bring items with contents from elsewhere.
    """
    if not isinstance(value, dict):
        return None
    name, alt = value.get("name"), value.get("alt", "")
    size = {key: value.get(key) for key in ("width", "height")}
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return None
    if not all(type(one) is int and one > 0 for one in size.values()):
        return None
    return {"name": name, **size, **({"alt": alt} if isinstance(alt, str) else {})}


def _parts(content: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    yield content
    paragraphs = content.get("paragraphs")
    for one in paragraphs if isinstance(paragraphs, list) else ():
        if isinstance(one, dict):
            yield one
