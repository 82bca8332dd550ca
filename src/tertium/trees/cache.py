# SPDX-License-Identifier: Apache-2.0
"""A cache of trees on disk, so that each model parses a text only once.

One SQLite file, with one row per parser signature and text. Rows are
written in short transactions, so several processes may share a file, and an
interrupted one loses at most its last batch. The file is ``parses.sqlite`` in
``$XDG_CACHE_HOME/tertium`` (``~/.cache/tertium``); the variable ``TERTIUM_CACHE``
names another file, or ``off``. It may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from tertium.errors import InputError
from tertium.trees.parsers.base import ModelParser
from tertium.trees.parses import Parse, Parses
from tertium.trees.tree import DependencyTree

if TYPE_CHECKING:
    from tertium.trees.parsers import Parser

__all__ = ["CachedParser", "TreeCache", "default_cache", "default_path"]

#: Called with the number of texts done so far.
Progress: TypeAlias = "Callable[[int], None]"
#: Parses batches, lazily and in order.
Batches: TypeAlias = "Callable[[Sequence[Sequence[str]]], TreesOfBatches]"
TreesOfBatches: TypeAlias = "Generator[list[DependencyTree], None, None]"

_LAYOUT = 1  # Increase it when rows change: files of another layout are emptied.
_PATIENCE = 60.0  # seconds to wait for another process
_QUERY = 500  # keys per query; older versions of SQLite allow 999 values
_BATCH = 128  # texts parsed between two writes, which Ctrl-C may lose


def default_path() -> str | None:
    """Return the path of the shared cache, or None if it is switched off."""
    named = os.environ.get("TERTIUM_CACHE", "")
    if named:
        return None if named == "off" else named
    root = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(root):  # As the XDG specification requires.
        root = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(root, "tertium", "parses.sqlite")


def default_cache() -> TreeCache | None:
    """Return the shared cache; None if it is switched off or cannot be written."""
    path = default_path()
    if path is None:
        return None
    try:
        return TreeCache(path)
    except InputError:
        if os.environ.get("TERTIUM_CACHE"):
            raise
        return None  # A read-only home must not be an error.


class TreeCache:
    """Trees by parser and text, in a file.

    Parameters
    ----------
    path : str
        The file; it and its folder are created if needed.

    Raises
    ------
    InputError
        If it cannot be opened or is another kind of file.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        folder = os.path.dirname(os.path.abspath(path))
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise self._unusable(error.strerror or str(error)) from None
        with self._open() as database:
            _prepare(database)

    def get(self, signature: str, texts: Sequence[str]) -> list[DependencyTree | None]:
        """Return the trees of texts, None for missing ones."""
        keys = [_key(signature, text) for text in texts]
        blobs: dict[bytes, bytes] = {}
        pending = iter(dict.fromkeys(keys))
        with self._open() as database:
            while batch := list(islice(pending, _QUERY)):
                marks = ",".join("?" * len(batch))
                query = f"SELECT key, tree FROM parses WHERE key IN ({marks})"  # noqa: S608
                blobs.update(database.execute(query, batch))
        trees = {key: _unpack(blob) for key, blob in blobs.items()}
        return [trees.get(key) for key in keys]

    def put(
        self, signature: str, texts: Sequence[str], trees: Sequence[DependencyTree]
    ) -> None:
        """Store the trees of texts."""
        rows = [
            (_key(signature, text), _pack(tree))
            for text, tree in zip(texts, trees, strict=True)
        ]
        with self._open() as database, database:
            database.executemany("INSERT OR REPLACE INTO parses VALUES (?, ?)", rows)

    def __len__(self) -> int:
        with self._open() as database:
            (count,) = database.execute("SELECT count(*) FROM parses").fetchone()
            return int(count)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        # Opened for each use: a connection may not cross a fork, and so no lock is
        # held while idle.
        try:
            with closing(sqlite3.connect(self.path, timeout=_PATIENCE)) as database:
                yield database
        except sqlite3.Error as error:
            raise self._unusable(str(error)) from None

    def _unusable(self, why: str) -> InputError:
        return InputError(
            f"cannot use the cache {self.path} ({why}); delete it, name another file, "
            "or switch it off with TERTIUM_CACHE=off",
            options=("no_cache",),
        )


class CachedParser:
    """A parser with a cache.

    Parameters
    ----------
    parser : Parser
    cache : TreeCache, optional
        Without one, texts are still parsed in batches, and equal ones once per call.
    batches : callable, optional
        Parses batches of texts, for example in several processes.
    """

    def __init__(
        self,
        parser: Parser,
        cache: TreeCache | None = None,
        *,
        batches: Batches | None = None,
    ) -> None:
        self.parser = parser
        self.cache = cache
        self._batches = batches or self._one_by_one

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
        if self.cache is not None:
            cached = self.cache.get(self.signature, distinct)
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
                if self.cache is not None:
                    self.cache.put(self.signature, batch, trees)
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
    if tables - {"parses"}:
        raise sqlite3.DatabaseError("it is the database of another program")
    with database:
        # Immediate: one of several new processes creates the table, the others wait.
        database.execute("BEGIN IMMEDIATE")
        (layout,) = database.execute("PRAGMA user_version").fetchone()
        if layout != _LAYOUT:
            database.execute("DROP TABLE IF EXISTS parses")
            database.execute(
                "CREATE TABLE parses (key BLOB PRIMARY KEY, tree BLOB NOT NULL) "
                "WITHOUT ROWID"
            )
            database.execute(f"PRAGMA user_version = {_LAYOUT}")


def _key(signature: str, text: str) -> bytes:
    # The signature has no NUL, so different pairs have different keys.
    return hashlib.sha256(f"{signature}\0{text}".encode()).digest()


def _pack(tree: DependencyTree) -> bytes:
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
    return zlib.compress(text.encode(), 1)


def _unpack(blob: bytes) -> DependencyTree | None:
    try:
        columns = json.loads(zlib.decompress(blob))
        return DependencyTree(*(tuple(column) for column in columns))
    except (zlib.error, ValueError, TypeError):
        return None  # A damaged row is parsed again and overwritten.
