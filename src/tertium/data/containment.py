# SPDX-License-Identifier: Apache-2.0
"""Whether paths that files name stay in the folder they belong to.

A template or a campaign may come from someone else. What it names must not reach
files of whoever reads it, neither by an absolute path, nor by ``..``, nor by a link.
"""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["is_inside"]


def is_inside(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> bool:
    """Return whether a path leads into a folder, links followed.

    Examples
    --------
    >>> is_inside("templates/shop/words.tsv", "templates/shop")
    True
    >>> is_inside("templates/shop/../../secret.txt", "templates/shop")
    False
    """
    try:
        return Path(path).resolve().is_relative_to(Path(folder).resolve())
    except (OSError, RuntimeError, ValueError):  # a circle of links, a null character
        return False
