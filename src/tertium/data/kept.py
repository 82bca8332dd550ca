# SPDX-License-Identifier: Apache-2.0
"""Test sets whose texts stay on disk, for work that needs them in any order.

``keep_on_disk`` copies chunks into a temporary file, block by block, and returns a test
set whose columns read blocks back as they are asked for. Memory does not grow with the
number of segments, save for one offset per block.
"""

from __future__ import annotations

import errno
import math
import mmap
import operator
import os
import pickle
import tempfile
import weakref
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

from tertium.data.testset import Testset

if TYPE_CHECKING:
    from typing import IO

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BLOCK", "Kept", "Lazy", "Spool", "keep_on_disk", "large_matrix", "pairs"]

T = TypeVar("T")
Row = TypeVar("Row")
Column = TypeVar("Column")

#: Items per block.
BLOCK = 512
_HELD = 4  # blocks per column that were read last
_LARGE = 64 << 20  # bytes of a matrix that goes to disk


class Lazy(Sequence[T], Generic[T]):
    """A sequence that computes its items when they are asked for.

    Parameters
    ----------
    size : int
    get : callable
        From a place to its item.

    Examples
    --------
    >>> squares = Lazy(4, lambda place: place**2)
    >>> squares[3], squares[1:3], list(squares)
    (9, [1, 4], [0, 1, 4, 9])
    """

    #: Items were checked when they were first read.
    is_checked = True

    def __init__(self, size: int, get: Callable[[int], T]) -> None:
        self._size = size
        self._compute = get

    def __len__(self) -> int:
        """Return the number of items."""
        return self._size

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: int | slice) -> T | list[T]:
        """Return an item, or a list of some."""
        if isinstance(place, slice):
            return [self._get(each) for each in range(*place.indices(len(self)))]
        number = operator.index(place)
        number += len(self) if number < 0 else 0
        if not 0 <= number < len(self):
            raise IndexError(f"no item {place} among {len(self)}")
        return self._get(number)

    def __iter__(self) -> Iterator[T]:
        """Yield all items."""
        return map(self._get, range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Return whether another sequence has the same items."""
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(map(operator.eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process as a list."""
        return list, (list(self),)

    def _get(self, place: int) -> T:
        return self._compute(place)

    def take(self, places: Sequence[int] | NDArray[np.int64]) -> Lazy[T]:
        """Return the items at some places, which are still read when asked for."""
        return Lazy(len(places), lambda number: self._get(int(places[number])))


def pairs(rows: Sequence[Row], columns: Sequence[Column]) -> Lazy[tuple[Row, Column]]:
    """Return every row with every column, row by row, made when they are asked for.

    Examples
    --------
    >>> list(pairs(range(1, 3), ["A", "B"]))
    [(1, 'A'), (1, 'B'), (2, 'A'), (2, 'B')]
    """
    width = len(columns)

    def pair(place: int) -> tuple[Row, Column]:
        row, column = divmod(place, width)
        return rows[row], columns[column]

    return Lazy(len(rows) * width, pair)


class Spool:
    """A temporary file for several columns: there may be more of them than files.

    It grows only, and ends with the last column that uses it.
    """

    def __init__(self) -> None:
        self._end = 0
        self._lock = Lock()

    @cached_property
    def _file(self) -> IO[bytes]:
        """The file, made when there is something to write."""
        file = tempfile.TemporaryFile()  # noqa: SIM115
        weakref.finalize(self, file.close)
        return file

    def write(self, data: bytes) -> int:
        """Write at the end, and return where that was."""
        with self._lock:
            start = self._end
            self._file.seek(start)
            self._file.write(data)
            self._end += len(data)
            return start

    def read(self, start: int, size: int) -> bytes:
        """Return what was written."""
        with self._lock:
            self._file.seek(start)
            return self._file.read(size)


class Kept(Lazy[T]):
    """A column in a temporary file, written once and read in blocks.

    Parameters
    ----------
    items : iterable
    spool : Spool, optional
        The file, if others use it as well.

    Examples
    --------
    >>> column = Kept(["a", "b", "c"])
    >>> column[1], column[-1], column[:2], len(column)
    ('b', 'c', ['a', 'b'], 3)
    """

    def __init__(self, items: Iterable[T] = (), spool: Spool | None = None) -> None:
        self._size = 0
        self._spool = spool or Spool()
        self._starts, self._sizes = array("q"), array("q")  # of blocks
        self._last: list[T] = []
        self._blocks: OrderedDict[int, list[T]] = OrderedDict()
        self._lock = Lock()
        self.extend(items)

    def extend(self, items: Iterable[T]) -> None:
        """Add items at the end; no more than a block of them is in memory."""
        pending = iter(items)
        with self._lock:
            while some := list(islice(pending, BLOCK - len(self._last))):
                self._last += some
                self._size += len(some)
                if len(self._last) == BLOCK:
                    self._write_block()

    def _write_block(self) -> None:
        data = pickle.dumps(self._last, protocol=5)
        self._starts.append(self._spool.write(data))
        self._sizes.append(len(data))
        self._last = []

    def _get(self, place: int) -> T:
        number, rest = divmod(place, BLOCK)
        with self._lock:
            if number == len(self._starts):
                return self._last[rest]
            block = self._blocks.get(number)
            if block is None:
                data = self._spool.read(self._starts[number], self._sizes[number])
                # Nobody else can reach the file: it has no name.
                block = pickle.loads(data)  # noqa: S301
                self._blocks[number] = block
                if len(self._blocks) > _HELD:
                    self._blocks.popitem(last=False)
            return block[rest]

    def __iter__(self) -> Iterator[T]:
        """Yield all items, block by block."""
        starts = range(0, self._size, BLOCK)
        return chain.from_iterable(self[start : start + BLOCK] for start in starts)


def keep_on_disk(chunks: Iterable[Testset]) -> Testset:
    """Return chunks of one test set as a whole whose columns stay on disk.

    A test set of one chunk stays in memory as it is.

    Parameters
    ----------
    chunks : iterable of Testset
        As ``stream`` yields them: at least one, all with the same columns.

    Examples
    --------
    >>> from tertium.data import read, stream
    >>> testset = keep_on_disk(stream("demo", size=7))
    >>> testset == read("demo")
    True
    """
    pending = iter(chunks)
    first = next(pending)
    second = next(pending, None)
    if second is None:
        return first
    spool = Spool()
    columns = [Kept(column, spool) for column in _columns(first)]
    notes = dict.fromkeys(first.notes)
    for chunk in chain([second], pending):
        notes.update(dict.fromkeys(chunk.notes))
        for column, items in zip(columns, _columns(chunk), strict=True):
            column.extend(items)
    # Like lists, but read-only; nothing changes the columns of a test set.
    kept = iter(cast("list[list[Any]]", columns))
    return Testset(
        next(kept),
        {name: next(kept) for name in first.systems},
        sources=None if first.sources is None else next(kept),
        docs=None if first.docs is None else next(kept),
        ids=None if first.ids is None else next(kept),
        langpair=first.langpair,
        layers={name: next(kept) for name in first.layers},
        notes=tuple(notes),
    )


def large_matrix(rows: int, columns: int) -> NDArray[np.float64]:
    """Return a matrix to be filled; if it is large, in a temporary file.

    The system keeps the pages of the file in memory as long as nobody else needs it.

    Raises
    ------
    OSError
        If the disk for temporary files is full.

    Examples
    --------
    >>> large_matrix(3, 2).shape
    (3, 2)
    """
    import numpy as np

    shape = rows, columns
    size = 8 * math.prod(shape)
    if size < _LARGE:
        return np.empty(shape)
    with tempfile.TemporaryFile() as file:  # the map holds it open
        file.truncate(size)
        _reserve(file.fileno(), size)
        place = mmap.mmap(file.fileno(), size)
    return np.frombuffer(place, np.float64).reshape(shape)


def _reserve(descriptor: int, size: int) -> None:
    """Take room on the disk, so that a full one is an error here.

    A page of a mapped file that finds no room later would end the process.
    """
    if not hasattr(os, "posix_fallocate"):
        return
    try:
        os.posix_fallocate(descriptor, 0, size)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
            raise
        # Some file systems cannot reserve room.


def _columns(testset: Testset) -> Iterator[Sequence[Any]]:
    """Yield all columns, in the order of :func:`keep_on_disk`."""
    yield testset.references
    yield from testset.systems.values()
    yield from (
        column
        for column in (testset.sources, testset.docs, testset.ids)
        if column is not None
    )
    yield from testset.layers.values()
