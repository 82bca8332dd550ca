# SPDX-License-Identifier: Apache-2.0
"""The files of templates, and when they changed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tertium.data.lines import StrPath
from tertium.grammars.authoring.catalogue import find_templates

__all__ = ["file_stamps"]


def file_stamps(names: Sequence[StrPath]) -> dict[str, tuple[int, int]]:
    """Return modification time and size of every file that templates may read.

    Parameters
    ----------
    names : sequence of str or path
        Templates as :func:`tertium.grammars.find_templates` finds them, and reference
        files.

    Examples
    --------
    >>> stamps = file_stamps(["size"])
    >>> any(path.endswith("template.toml") for path in stamps)
    True
    """
    stamps: dict[str, tuple[int, int]] = {}
    for path in _files(names):
        try:
            status = path.stat()
        except OSError:
            continue
        stamps[str(path)] = (status.st_mtime_ns, status.st_size)
    return stamps


def _files(names: Sequence[StrPath]) -> set[Path]:
    """Return the files of templates, and those in folders that their grammars name."""
    files: set[Path] = set()
    for name in names:
        if os.path.isfile(name):
            files.add(Path(name))
            continue
        for folder in find_templates(name):
            inside = {path for path in folder.iterdir() if path.is_file()}
            files |= inside
            for path in inside:
                if path.suffix == ".gf":
                    files |= _imported(path)
    return files


def _imported(path: Path) -> set[Path]:
    """Return the grammars in the folders of a line ``--# -path=.:../common``."""
    try:
        first = path.read_text(encoding="utf-8", errors="replace").split("\n")[0]
    except OSError:
        return set()
    mark, equals, folders = first.partition("-path=")
    if not equals or not mark.startswith("--#"):
        return set()
    return {
        file
        for folder in folders.strip().split(":")
        for file in (path.parent / folder).glob("*.gf")
    }
