# SPDX-License-Identifier: Apache-2.0
"""Keeping a cache within its size: what was not used for longest goes first.

Several processes may do so at once: whoever finds a file gone goes on. Only files that
a cache wrote are touched, whatever else is in the folder.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

__all__ = ["TREES", "Usage", "clear", "is_due", "shrink", "trees_size", "usage"]

_SCANS = 16  # how often the folder is looked through while it is filled once
_ROOM = 0.9  # of the size is left, so that the next look is not due at once
_ABANDONED = 3600.0  # seconds after which a temporary file has no writer any more

#: The file of trees, small and many: see :mod:`tertium.trees.cache`.
TREES = "parses.sqlite"

_SHARD = re.compile(r"[0-9a-f]{2}")
_ENTRY = re.compile(r"[0-9a-f]{2,126}")
_TEMPORARY = re.compile(r"\.tertium-\d+-[0-9a-f]{8}\.tmp")


class Usage(NamedTuple):
    """How many entries there are, and their size."""

    entries: int = 0
    bytes: int = 0


class _File(NamedTuple):
    used: float
    size: int
    path: str
    kind: str
    temporary: bool


def is_due(key: bytes, written: int, size: int) -> bool:
    """Tell whether it is time to look at the size, after a number of bytes.

    A process may end after few bytes, so none of them counts: each entry decides by its
    key, which is as good as random. Looks are due every 1/16 of the size on average.
    """
    share = int.from_bytes(key[:8].ljust(8, b"\0"), "big") / 2**64
    return share * size < written * _SCANS


def shrink(folder: str, size: int) -> None:
    """Delete what was not used for longest if the folder is larger than `size`."""
    files = sorted(_files(folder))
    total = sum(file.size for file in files) + trees_size(folder)
    now = time.time()
    for file in files:
        if file.temporary and now - file.used > _ABANDONED:
            total -= _delete(file)
    if total <= size:
        return
    for file in files:
        if total <= size * _ROOM:
            break
        if not file.temporary:
            total -= _delete(file)


def trees_size(folder: str) -> int:
    """Return the bytes of the trees in a cache, which keep their own size."""
    try:
        return os.path.getsize(os.path.join(folder, TREES))
    except OSError:
        return 0


def usage(folder: str) -> dict[str, Usage]:
    """Return entries and bytes by kind."""
    kinds: dict[str, Usage] = {}
    for file in _files(folder):
        before = kinds.get(file.kind, Usage())
        kinds[file.kind] = Usage(
            before.entries + (not file.temporary), before.bytes + file.size
        )
    return dict(sorted(kinds.items()))


def clear(folder: str, *, older_than: float, kinds: Sequence[str]) -> Usage:
    """Delete entries that were not used for some seconds, and return how many."""
    now = time.time()
    entries = size = 0
    for file in _files(folder):
        age = now - file.used
        if kinds and file.kind not in kinds:
            continue
        # A temporary file may have a writer.
        if age < (max(older_than, _ABANDONED) if file.temporary else older_than):
            continue
        size += _delete(file)
        entries += not file.temporary
    return Usage(entries, size)


def _delete(file: _File) -> int:
    """Delete a file and return its size, also if another process was faster."""
    with suppress(OSError):
        os.unlink(file.path)
    return file.size


def _files(folder: str) -> Iterator[_File]:
    for kind in _folders(folder):
        for shard in _folders(kind.path):
            if not _SHARD.fullmatch(shard.name):
                continue
            for file in _scan(shard.path):
                temporary = bool(_TEMPORARY.fullmatch(file.name))
                if not temporary and not _ENTRY.fullmatch(file.name):
                    continue
                with suppress(OSError):  # Another process deleted it.
                    status = file.stat(follow_symlinks=False)
                    yield _File(
                        status.st_mtime, status.st_size, file.path, kind.name, temporary
                    )


def _folders(path: str) -> list[os.DirEntry[str]]:
    return [entry for entry in _scan(path) if entry.is_dir(follow_symlinks=False)]


def _scan(path: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as entries:
            return list(entries)
    except OSError:
        return []
