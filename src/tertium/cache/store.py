# SPDX-License-Identifier: Apache-2.0
"""A folder of values by key, for many processes at once.

Each value is a file of its own, ``KIND/ab/cdef...``, written under a temporary name and
then renamed: readers see a whole file or none, on network file systems too, and no
process waits for another. Two processes with the same key write the same bytes.

A cache never makes work fail. What cannot be read is computed again, what cannot be
written is not kept, and :attr:`Cache.notes` say so.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from tertium.cache.entries import pack, unpack
from tertium.cache.eviction import Usage, clear, is_due, shrink, usage
from tertium.cache.places import default_folder, named_folder
from tertium.cache.places import size as default_size
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.notes import Note

__all__ = ["Cache", "Usage", "default_cache", "forget_caches", "named_cache"]

_KIND = re.compile(r"[a-z][a-z0-9-]{0,30}")
_HOUR = 3600.0


class Cache:
    """Values by kind and key, in a folder.

    Parameters
    ----------
    folder : path
        It is created when something is stored.
    size : int, optional
        How many bytes the folder may have; by default ``TERTIUM_CACHE_SIZE``, or 10 GB.
        Beyond that, entries that were not used for longest are deleted.

    Raises
    ------
    InputError
        If `folder` is a file.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> cache = Cache(folder.name)
    >>> cache.put("rows", b"a key", b"a value")
    >>> Cache(folder.name).get("rows", b"a key"), cache.get("rows", b"another")
    (b'a value', None)
    >>> folder.cleanup()
    """

    def __init__(
        self, folder: str | os.PathLike[str], *, size: int | None = None
    ) -> None:
        self.folder = os.path.abspath(os.path.expanduser(os.fspath(folder)))
        self.size = default_size() if size is None else size
        if self.size < 1:
            raise InputError(f"size is a number of bytes above 0, not {size}")
        if os.path.lexists(self.folder) and not os.path.isdir(self.folder):
            message = f"cannot use the cache {folder}: it is a file; name a folder"
            raise InputError(message, options=("cache",))
        self._damaged = 0
        self._unwritable = ""  # why nothing more is stored

    def get(self, kind: str, key: bytes) -> bytes | None:
        """Return a value; None if it is not there, or was damaged."""
        path = self._path(kind, key)
        try:
            with open(path, "rb") as file:
                content = file.read()
                age = time.time() - os.fstat(file.fileno()).st_mtime
        except OSError:
            return None  # Missing, or unreadable, which comes to the same.
        value = unpack(kind, key, content)
        if value is None:
            self.drop(kind, key)
        elif age > _HOUR:
            with suppress(OSError):  # A cache may be read-only.
                os.utime(path)
        return value

    def put(self, kind: str, key: bytes, value: bytes) -> None:
        """Store a value, or make a note why it cannot be stored."""
        if self._unwritable:
            return
        path = self._path(kind, key)
        content = pack(kind, key, value)
        if len(content) > self.size:
            return
        try:
            self._write(path, content)
        except OSError as error:
            self._unwritable = error.strerror or str(error)
            return
        if is_due(key, len(content), self.size):
            shrink(self.folder, self.size)

    def drop(self, kind: str, key: bytes) -> None:
        """Remove a value that turned out to be damaged, and make a note of it."""
        self._damaged += 1
        with suppress(OSError):
            os.unlink(self._path(kind, key))

    def usage(self) -> dict[str, Usage]:
        """Return how many entries and bytes there are, by kind."""
        return usage(self.folder)

    def shrink(self) -> None:
        """Delete entries that were not used for longest, until the size fits."""
        shrink(self.folder, self.size)

    def clear(self, *, older_than: float = 0.0, kinds: Sequence[str] = ()) -> Usage:
        """Delete entries, and return how many of them.

        Parameters
        ----------
        older_than : float
            Seconds since an entry was last used (counted in hours).
        kinds : sequence of str
            All by default.
        """
        return clear(self.folder, older_than=older_than, kinds=kinds)

    @property
    def notes(self) -> list[Note]:
        """What a user should know: damaged entries, a full disk."""
        from tertium.notes import Note

        notes = []
        if self._damaged:
            values = {"count": self._damaged, "folder": self.folder}
            notes.append(Note("cache-damaged", values))
        if self._unwritable:
            values = {"folder": self.folder, "why": self._unwritable}
            notes.append(Note("cache-unwritable", values))
        return notes

    def _path(self, kind: str, key: bytes) -> str:
        if not _KIND.fullmatch(kind):
            raise ValueError(f"{kind!r} is not a kind of entry: a lower-case word")
        name = key.hex()
        return os.path.join(self.folder, kind, name[:2], name[2:])

    def _write(self, path: str, content: bytes) -> None:
        place = os.path.dirname(path)
        unique = f".tertium-{os.getpid()}-{os.urandom(4).hex()}.tmp"
        temporary = os.path.join(place, unique)
        try:
            try:
                file = open(temporary, "xb")  # noqa: SIM115 (closed below)
            except FileNotFoundError:
                os.makedirs(place, exist_ok=True)
                file = open(temporary, "xb")  # noqa: SIM115
            with file:
                file.write(content)
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as folder and size: other processes make notes of their own."""
        return _restored, (self.folder, self.size)

    def __repr__(self) -> str:
        return f"<cache {self.folder}>"


def named_cache() -> Cache | None:
    """Return the cache that ``TERTIUM_CACHE`` names, None if it names none."""
    folder = named_folder()
    return None if folder is None else _shared(os.path.abspath(folder), default_size())


def default_cache() -> Cache | None:
    """Return the cache of slow layers, None if caching is off."""
    folder = default_folder()
    return None if folder is None else _shared(os.path.abspath(folder), default_size())


def forget_caches() -> list[Cache]:
    """Return the shared caches, with their notes for a user, and forget them."""
    caches = list(_shared_caches.values())
    _shared_caches.clear()
    return caches


_shared_caches: dict[tuple[str, int], Cache] = {}


def _shared(folder: str, size: int) -> Cache:
    if (folder, size) not in _shared_caches:
        _shared_caches[folder, size] = Cache(folder, size=size)
    return _shared_caches[folder, size]


def _restored(folder: str, size: int) -> Cache:
    return Cache(folder, size=size)
