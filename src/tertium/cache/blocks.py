# SPDX-License-Identifier: Apache-2.0
"""Rows of segments, kept in blocks whose borders follow from the texts.

A block ends where the digest of a segment says so, not after a number of segments: one
inserted segment changes one block, and all others are found again.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from tertium.cache.keys import digest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.cache.store import Cache

    Rows: TypeAlias = NDArray[np.float64]

__all__ = ["BlockRows", "blocks", "cached_rows"]

_LEAST = 32  # segments of a block
_MOST = 512
_MEAN = 96  # segments until the next end, on average, after the least

_SHAPE = struct.Struct("<QQ")


def blocks(digests: Sequence[bytes]) -> list[range]:
    """Return the blocks of segments: where a digest divides by 96, or after 512.

    Examples
    --------
    >>> blocks([bytes(8)] * 80), blocks([])
    ([range(0, 32), range(32, 64), range(64, 80)], [])
    """
    ranges, start = [], 0
    for end, value in enumerate(digests, start=1):
        length = end - start
        ends = length >= _LEAST and int.from_bytes(value[:8], "little") % _MEAN == 0
        if ends or length == _MOST:
            ranges.append(range(start, end))
            start = end
    if start < len(digests):
        ranges.append(range(start, len(digests)))
    return ranges


class BlockRows:
    """The rows of one list of segments: those found, and which are missing.

    Parameters
    ----------
    cache : Cache
    kind : str
    base : bytes
        The key of what computes rows from segments.
    digests : sequence of bytes
        Of segments, as :func:`tertium.cache.keys.segment_digests` returns them.
    ranges : sequence of range
        The blocks.
    width : int
        The number of columns.
    """

    def __init__(
        self,
        cache: Cache,
        kind: str,
        base: bytes,
        digests: Sequence[bytes],
        ranges: Sequence[range],
        width: int,
    ) -> None:
        self._cache, self._kind, self._width = cache, kind, width
        self._ranges = ranges
        self._keys = [
            digest(base, b"".join(digests[block.start : block.stop]))
            for block in ranges
        ]
        self._parts = [
            self._read(key, len(block))
            for key, block in zip(self._keys, ranges, strict=True)
        ]

    @property
    def missing(self) -> tuple[int, ...]:
        """The segments whose rows were not found."""
        gaps = zip(self._parts, self._ranges, strict=True)
        return tuple(chain(*(block for part, block in gaps if part is None)))

    def complete(self, rows: Rows | None) -> Rows:
        """Store the missing rows, in the order of :attr:`missing`; return all rows."""
        import numpy as np

        start = 0
        for number, (part, block) in enumerate(
            zip(self._parts, self._ranges, strict=True)
        ):
            if part is None and rows is not None:
                made = np.ascontiguousarray(rows[start : start + len(block)], "<f8")
                start += len(block)
                value = _SHAPE.pack(*made.shape) + made.tobytes()
                self._cache.put(self._kind, self._keys[number], value)
                self._parts[number] = made
        parts = [part for part in self._parts if part is not None]
        if not parts:
            return np.empty((0, self._width))
        return np.concatenate(parts).astype(np.float64, copy=False)

    def _read(self, key: bytes, length: int) -> Rows | None:
        import numpy as np

        value = self._cache.get(self._kind, key)
        if value is None:
            return None
        wanted = _SHAPE.pack(length, self._width)
        if value[: _SHAPE.size] != wanted or (
            len(value) != _SHAPE.size + 8 * length * self._width
        ):
            self._cache.drop(self._kind, key)
            return None
        rows = np.frombuffer(value, dtype="<f8", offset=_SHAPE.size)
        return rows.reshape(length, self._width)


def cached_rows(
    cache: Cache,
    kind: str,
    base: bytes,
    digests: Sequence[bytes],
    width: int,
    compute: Callable[[Sequence[int]], Rows],
) -> Rows:
    """Return one row of numbers per segment, computed only where it is not cached.

    Parameters
    ----------
    cache : Cache
    kind : str
        What the rows are: ``rows`` of metrics, ``features``, external ``scores``.
    base : bytes
        The key of what computes rows: see :func:`tertium.cache.keys.digest`.
    digests : sequence of bytes
        One for every segment, from all of its texts.
    width : int
    compute : callable
        Takes the numbers of segments and returns their rows, which must not depend on
        other segments.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from tertium.cache import Cache, digest
    >>> folder = tempfile.TemporaryDirectory()
    >>> cache = Cache(folder.name)
    >>> texts = ["one", "three", "five"]
    >>> def lengths(places):
    ...     print("computing", len(places))
    ...     return np.array([[float(len(texts[i]))] for i in places])
    >>> for _ in range(2):
    ...     digests = [digest(text) for text in texts]
    ...     rows = cached_rows(cache, "scores", digest("length"), digests, 1, lengths)
    computing 3
    >>> rows[:, 0].tolist()
    [3.0, 5.0, 4.0]
    >>> folder.cleanup()
    """
    stored = BlockRows(cache, kind, base, digests, blocks(digests), width)
    missing = stored.missing
    return stored.complete(compute(missing) if missing else None)
