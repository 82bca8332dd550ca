# SPDX-License-Identifier: Apache-2.0
"""Locks between processes, which are gone with the process that holds them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["LockedError", "lock_file"]


class LockedError(Exception):
    """Another process, or another part of this one, holds the lock."""


@contextmanager
def lock_file(path: str | os.PathLike[str]) -> Iterator[None]:
    """Hold a lock on a file, which is created, until the end of the block.

    The file stays: removing it would let two processes lock two files of one name.

    Raises
    ------
    LockedError
        At once, if somebody else holds it.
    OSError
        If the file cannot be created.
    """
    with open(path, "ab") as file:
        number = file.fileno()
        try:
            if sys.platform == "win32":
                import msvcrt

                file.seek(0)
                msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise LockedError(os.fspath(path)) from None
        yield  # Closing the file releases the lock.
