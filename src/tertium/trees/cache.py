# SPDX-License-Identifier: Apache-2.0
"""A cache of trees on disk, so that each model parses a text only once.

One SQLite file, ``parses.sqlite`` in the folder of the cache, with one row per parser
signature and text: trees are many and small. Rows are written in short transactions, so
several processes may share a file, and an interrupted one loses at most its last batch.
A damaged row is parsed again, and a damaged file is begun anew. Trees may take half of
the size of a cache; beyond that, those that were not used for longest are deleted. The
folder is :func:`tertium.cache.default_folder`; it may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from tertium.cache.eviction import TREES
from tertium.cache.places import default_folder, named_folder
from tertium.cache.places import size as cache_size
from tertium.errors import InputError
from tertium.trees.parsers.base import ModelParser
from tertium.trees.parses import Parse, Parses
from tertium.trees.tree import DependencyTree

if TYPE_CHECKING:
    from tertium.notes import Note
    from tertium.trees.parsers import Parser

__all__ = [
    "CachedParser",
    "TreeCache",
    "default_cache",
    "default_path",
    "forget_caches",
]

#: Called with the number of texts done so far.
Progress: TypeAlias = "Callable[[int], None]"
#: Parses batches, lazily and in order.
Batches: TypeAlias = "Callable[[Sequence[Sequence[str]]], TreesOfBatches]"
TreesOfBatches: TypeAlias = "Generator[list[DependencyTree], None, None]"

_LAYOUT = 2  # Increase it when rows change: files of another layout are emptied.
_PATIENCE = 60.0  # seconds to wait for another process
_QUERY = 500  # keys per query; older versions of SQLite allow 999 values
# SQLite describes damage in words that may be damaged themselves.
_FAILURES = (sqlite3.Error, UnicodeDecodeError)
_DAMAGE = (
    "malformed",
    "not a database",
    "another program",
    "no such table",
    "no such column",
    "unsupported file format",
)
_BATCH = 128  # texts parsed between two writes, which Ctrl-C may lose
_CHECKSUM = 8  # bytes before every tree
_SHARE = 0.5  # of the size of a cache is for trees
_HOUR, _DAY = 3600, 24  # uses are noted in hours, once per day


def default_path() -> str | None:
    """Return the path of the shared cache, or None if it is switched off."""
    folder = default_folder()
    return None if folder is None else os.path.join(folder, TREES)


def default_cache() -> TreeCache | None:
    """Return the shared cache; None if it is switched off or cannot be written."""
    path = default_path()
    if path is None:
        return None
    try:
        return _shared(path, cache_size())
    except InputError:
        if named_folder() and not os.path.isdir(os.path.dirname(path)):
            raise
        return None  # A read-only home must not be an error.


def forget_caches() -> list[TreeCache]:
    """Return the shared caches, with their notes for a user, and forget them."""
    caches = list(_shared_caches.values())
    _shared_caches.clear()
    return caches


_shared_caches: dict[tuple[str, int], TreeCache] = {}


def _shared(path: str, size: int) -> TreeCache:
    if (path, size) not in _shared_caches:
        _shared_caches[path, size] = TreeCache(path, size=int(size * _SHARE))
    return _shared_caches[path, size]


class TreeCache:
    """Trees by parser and text, in a file.

    Parameters
    ----------
    path : str
        The file; it and its folder are created if needed.
    size : int, optional
        How many bytes the file may have; by default half of the size of a cache.

    Raises
    ------
    InputError
        If it cannot be opened or is another program's database.
    """

    def __init__(self, path: str, *, size: int | None = None) -> None:
        self.path = path
        self.size = int(cache_size() * _SHARE) if size is None else size
        self._damaged = 0
        self._unwritable = ""
        folder = os.path.dirname(os.path.abspath(path))
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise self._unusable(error.strerror or str(error)) from None
        try:
            with self._open() as database:
                _prepare(database)
        except _FAILURES as error:
            # Under another name, it may be anything.
            if not _is_damaged(error) or os.path.basename(path) != TREES:
                raise self._unusable(str(error)) from None
            self._begin_anew()

    @classmethod
    def within(cls, folder: str) -> TreeCache:
        """Return the trees in the folder of a cache.

        Raises
        ------
        InputError
            If it is a file, or cannot be opened.
        """
        return cls(os.path.join(folder, TREES))

    def get(self, signature: str, texts: Sequence[str]) -> list[DependencyTree | None]:
        """Return the trees of texts, None for missing and damaged ones."""
        keys = [_key(signature, text) for text in texts]
        blobs: dict[bytes, tuple[bytes, object]] = {}
        pending = iter(dict.fromkeys(keys))
        try:
            with self._open() as database:
                while batch := list(islice(pending, _QUERY)):
                    marks = ",".join("?" * len(batch))
                    query = f"SELECT key, tree, used FROM parses WHERE key IN ({marks})"  # noqa: S608
                    for key, blob, used in database.execute(query, batch):
                        blobs[key] = blob, used
        except _FAILURES as error:
            self._failed(error)
        trees = {key: _unpack(key, blob) for key, (blob, _) in blobs.items()}
        self._damaged += sum(tree is None for tree in trees.values())
        now = _now()
        today = range(now - _DAY, now + 1)
        self._use([key for key, (_, used) in blobs.items() if used not in today], now)
        return [trees.get(key) for key in keys]

    def put(
        self, signature: str, texts: Sequence[str], trees: Sequence[DependencyTree]
    ) -> None:
        """Store the trees of texts, or make a note why they cannot be stored."""
        keys = [_key(signature, text) for text in texts]
        now = _now()
        rows = [
            (key, _pack(key, tree), now) for key, tree in zip(keys, trees, strict=True)
        ]
        if self._unwritable:
            return
        try:
            with self._open() as database:
                with database:
                    insert = "INSERT OR REPLACE INTO parses VALUES (?, ?, ?)"
                    database.executemany(insert, rows)
                _shrink(database, self.size)
        except _FAILURES as error:
            self._failed(error)

    def __len__(self) -> int:
        try:
            with self._open() as database:
                (count,) = database.execute("SELECT count(*) FROM parses").fetchone()
                return int(count)
        except _FAILURES as error:
            raise self._unusable(str(error)) from None

    def clear(self, *, older_than: float = 0.0) -> int:
        """Delete trees that were not used for some seconds, and return how many."""
        limit = _now() - older_than // _HOUR
        try:
            with self._open() as database:
                with database:
                    query = "DELETE FROM parses WHERE used <= ?"
                    count = database.execute(query, [limit]).rowcount
                database.execute("VACUUM")
                return int(count)
        except _FAILURES as error:
            if not _is_damaged(error):
                raise self._unusable(str(error)) from None
            self._begin_anew()
            return 0

    @property
    def notes(self) -> list[Note]:
        """What a user should know: damaged trees, a full disk."""
        from tertium.notes import Note

        notes = []
        if self._damaged:
            values = {"count": self._damaged, "folder": self.path}
            notes.append(Note("cache-damaged", values))
        if self._unwritable:
            why = {"folder": self.path, "why": self._unwritable}
            notes.append(Note("cache-unwritable", why))
        return notes

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        # Opened for each use: a connection may not cross a fork, and so no lock is
        # held while idle.
        with closing(sqlite3.connect(self.path, timeout=_PATIENCE)) as database:
            database.text_factory = bytes  # There is no text, unless by damage.
            yield database

    def _use(self, keys: Sequence[bytes], now: int) -> None:
        """Note that trees were used, if the file can be written."""
        if not keys:
            return
        with suppress(sqlite3.Error), self._open() as database, database:
            query = "UPDATE parses SET used = ? WHERE key = ?"
            database.executemany(query, [(now, key) for key in keys])

    def _failed(self, error: Exception) -> None:
        """Go on without trees of the file, which is begun anew if it is damaged."""
        if _is_damaged(error):
            self._begin_anew()
        else:
            self._unwritable = str(error)

    def _begin_anew(self) -> None:
        self._damaged += 1
        for path in (self.path, f"{self.path}-journal"):
            with suppress(OSError):
                os.unlink(path)
        try:
            with self._open() as database:
                _prepare(database)
        except _FAILURES as error:
            self._unwritable = str(error)

    def _unusable(self, why: str) -> InputError:
        return InputError(
            f"cannot use the cache {self.path} ({why}); delete it, name another "
            "folder, or switch it off with TERTIUM_CACHE=off",
            options=("no_cache",),
        )


class CachedParser:
    """A parser with a cache.

    Parameters
    ----------
    parser : Parser
    cache : TreeCache or callable, optional
        Or a function that returns it, or None, whenever texts are parsed. Without one,
        texts are still parsed in batches, and equal ones once per call.
    batches : callable, optional
        Parses batches of texts, for example in several processes.
    """

    def __init__(
        self,
        parser: Parser,
        cache: TreeCache | Callable[[], TreeCache | None] | None = None,
        *,
        batches: Batches | None = None,
    ) -> None:
        self.parser = parser
        self._cache = cache
        self._batches = batches or self._one_by_one

    @property
    def cache(self) -> TreeCache | None:
        """Where trees are kept now."""
        return self._cache() if callable(self._cache) else self._cache

    @property
    def signature(self) -> str:
        """The signature of the parser."""
        return self.parser.signature

    def parse(
        self, texts: Sequence[str], *, progress: Progress | None = None
    ) -> list[DependencyTree]:
        """Return the tree of each text, from the cache if it is there."""
        known: dict[str, DependencyTree] = {}
        # str(): texts may be annotated.
        distinct = list(dict.fromkeys(map(str, texts)))
        cache = self.cache
        if cache is not None:
            cached = cache.get(self.signature, distinct)
            known = {
                text: tree
                for text, tree in zip(distinct, cached, strict=True)
                if tree is not None
            }
        missing = [text for text in distinct if text not in known]
        many = [missing[i : i + _BATCH] for i in range(0, len(missing), _BATCH)]
        done = len(texts) - len(missing)
        # Closing the generator ends its processes now, not some time later.
        with closing(self._batches(many)) as batches:
            for batch, trees in zip(many, batches, strict=True):
                if cache is not None:
                    cache.put(self.signature, batch, trees)
                known.update(zip(batch, trees, strict=True))
                done += len(batch)
                if progress is not None:
                    progress(done)
        return [known[text] for text in texts]

    def split(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the words that the parser makes of each text."""
        if isinstance(self.parser, ModelParser):
            return self.parser.split(texts)
        return [list(tree.forms) for tree in self.parse(texts)]

    def nbest(self, texts: Sequence[str], size: int) -> list[Parses]:
        """Return up to `size` parses of each text; these are not kept."""
        if size == 1 or not isinstance(self.parser, ModelParser):
            return [(Parse(tree),) for tree in self.parse(texts)]
        distinct = list(dict.fromkeys(map(str, texts)))
        parses = dict(zip(distinct, self.parser.nbest(distinct, size), strict=True))
        return [parses[text] for text in texts]

    def _one_by_one(self, many: Sequence[Sequence[str]]) -> TreesOfBatches:
        yield from map(self.parser.parse, many)


def _prepare(database: sqlite3.Connection) -> None:
    (layout,) = database.execute("PRAGMA user_version").fetchone()
    if layout == _LAYOUT:
        return
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if tables - {b"parses"}:
        raise sqlite3.DatabaseError("it is the database of another program")
    with database:
        # Immediate: one of several new processes creates the table, the others wait.
        database.execute("BEGIN IMMEDIATE")
        (layout,) = database.execute("PRAGMA user_version").fetchone()
        if layout != _LAYOUT:
            database.execute("DROP TABLE IF EXISTS parses")
            database.execute(
                "CREATE TABLE parses (key BLOB PRIMARY KEY, tree BLOB NOT NULL, "
                "used INTEGER NOT NULL) WITHOUT ROWID"
            )
            database.execute(f"PRAGMA user_version = {_LAYOUT}")


def _shrink(database: sqlite3.Connection, size: int) -> None:
    """Delete the fifth of trees that was not used for longest, if there are too many.

    The file keeps its size, and new trees take the room.
    """
    pages, free, page_size = (
        int(database.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    if (pages - free) * page_size <= size:
        return
    with database:
        database.execute(
            "DELETE FROM parses WHERE key IN (SELECT key FROM parses ORDER BY used "
            "LIMIT (SELECT 1 + count(*) / 5 FROM parses))"
        )


def _is_damaged(error: Exception) -> bool:
    """Tell whether the file itself is at fault; Python 3.10 has no codes for it."""
    return isinstance(error, UnicodeDecodeError) or any(
        sign in str(error) for sign in _DAMAGE
    )


def _now() -> int:
    return int(time.time() // _HOUR)


def _key(signature: str, text: str) -> bytes:
    # The signature has no NUL, so different pairs have different keys.
    return hashlib.sha256(f"{signature}\0{text}".encode()).digest()


def _pack(key: bytes, tree: DependencyTree) -> bytes:
    columns = [
        tree.forms,
        tree.heads,
        tree.deprels,
        tree.upos,
        tree.xpos,
        tree.lemmas,
        tree.feats,
    ]
    text = json.dumps(columns, ensure_ascii=False, separators=(",", ":"))
    packed = zlib.compress(text.encode(), 1)
    return _checksum(key, packed) + packed


def _unpack(key: bytes, blob: bytes) -> DependencyTree | None:
    """Return a tree, None if it is damaged: it is parsed again and overwritten."""
    if not isinstance(blob, bytes) or blob[:_CHECKSUM] != _checksum(
        key, blob[_CHECKSUM:]
    ):
        return None
    columns = json.loads(zlib.decompress(blob[_CHECKSUM:]))
    return DependencyTree(*(tuple(column) for column in columns))


def _checksum(key: bytes, packed: bytes) -> bytes:
    # With the key: damage may also put a tree into the row of another text.
    return hashlib.blake2b(key + packed, digest_size=_CHECKSUM).digest()
