# SPDX-License-Identifier: Apache-2.0
"""Where caches are, and how large they may become.

``TERTIUM_CACHE`` names a folder for everything, or is ``off``. Without it, slow layers
(trees, graphs of neural models) are kept in ``$XDG_CACHE_HOME/tertium``, by default
``~/.cache/tertium``, and nothing else is. ``TERTIUM_CACHE_SIZE`` bounds the size.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from tertium.errors import InputError

__all__ = [
    "SIZE",
    "default_folder",
    "is_off",
    "named_folder",
    "parse_size",
    "size",
    "using",
]

#: How many bytes a cache may have, unless told otherwise.
SIZE = 10 * 10**9

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def is_off() -> bool:
    """Tell whether nothing at all is cached (``TERTIUM_CACHE=off``)."""
    return os.environ.get("TERTIUM_CACHE") == "off"


def named_folder() -> str | None:
    """Return the folder that ``TERTIUM_CACHE`` names, None if it names none."""
    named = os.environ.get("TERTIUM_CACHE", "")
    return None if named in ("", "off") else named


def default_folder() -> str | None:
    """Return the folder for slow layers; None if caching is off."""
    if is_off():
        return None
    if named := named_folder():
        return named
    root = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(root):  # As the XDG specification requires.
        root = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(root, "tertium")


@contextmanager
def using(folder: str | os.PathLike[str] | None) -> Iterator[None]:
    """Cache everything in a folder while a block runs, or nothing if it is None.

    Processes that the block starts do the same.

    Examples
    --------
    >>> with using("results"):
    ...     named_folder()
    'results'
    """
    before = os.environ.get("TERTIUM_CACHE")
    os.environ["TERTIUM_CACHE"] = "off" if folder is None else os.fspath(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["TERTIUM_CACHE"]
        else:
            os.environ["TERTIUM_CACHE"] = before


def size() -> int:
    """Return how many bytes a cache may have: ``TERTIUM_CACHE_SIZE``, or 10 GB.

    Raises
    ------
    InputError
        If the variable is not a size.
    """
    text = os.environ.get("TERTIUM_CACHE_SIZE", "")
    if not text:
        return SIZE
    try:
        return parse_size(text)
    except InputError as error:
        raise InputError(f"TERTIUM_CACHE_SIZE: {error}") from None


def parse_size(text: str) -> int:
    """Return a number of bytes, with or without a unit of 1000.

    Examples
    --------
    >>> parse_size("500M"), parse_size("1.5 GB"), parse_size("4096")
    (500000000, 1500000000, 4096)
    """
    match = re.fullmatch(r"\s*(\d{1,15}(?:\.\d{1,6})?)\s*([kmgt]?)b?\s*", text.lower())
    if match is None:
        raise InputError(f"{text!r} is not a size; write 500M or 10G, for example")
    return int(float(match[1]) * _UNITS[match[2]])
