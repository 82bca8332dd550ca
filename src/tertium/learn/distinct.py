# SPDX-License-Identifier: Apache-2.0
"""Numbers for distinct texts, without holding the texts.

Texts are told apart by 128 bits of BLAKE2 (a false match among 10^9 texts has a
chance of 10^-21), 16 bytes each.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import groupby, islice
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from tertium.data.kept import Kept, Lazy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.int64]
    Digests: TypeAlias = NDArray[np.uint64]

__all__ = ["Distinct", "digests", "distinct", "first_places", "sorted_texts"]

T = TypeVar("T")

_AT_ONCE = 100_000  # texts that are sorted in memory


def digests(texts: Iterable[Sequence[str]]) -> Digests:
    """Return one row of two numbers for each tuple of texts."""
    parts = []
    pending = iter(texts)
    while block := b"".join(map(_digest, islice(pending, _AT_ONCE))):
        parts.append(np.frombuffer(block, "<u8").reshape(-1, 2))
    return np.concatenate(parts) if parts else np.empty((0, 2), np.uint64)


def _digest(texts: Sequence[str]) -> bytes:
    data = "\0".join(texts).encode("utf-8", "surrogatepass")
    # Lengths tell texts apart that have NUL characters of their own.
    sizes = ",".join([str(len(text)) for text in texts]).encode()
    return blake2b(data, digest_size=16, key=sizes[:64]).digest()


class Distinct:
    """Numbers for texts in the order of their first appearance.

    Examples
    --------
    >>> known = Distinct()
    >>> known.add(digests([("a",), ("b",), ("a",)])).tolist()
    [0, 1, 0]
    >>> known.add(digests([("c",), ("b",)])).tolist(), len(known)
    ([2, 1], 3)
    """

    def __init__(self) -> None:
        self._known: Digests = np.empty((0, 2), np.uint64)

    def __len__(self) -> int:
        return len(self._known)

    def add(self, rows: Digests) -> Numbers:
        """Return the number of every text; O(n log n) for all texts so far."""
        before = len(self._known)
        every = np.concatenate([self._known, rows])
        order = np.lexsort((every[:, 1], every[:, 0]))
        is_new = np.ones(len(every), dtype=bool)
        ordered = every[order]
        is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        del ordered
        # The sort is stable: the first of equal ones appeared first.
        firsts = order[is_new]
        group = np.empty(len(every), np.int64)
        group[order] = np.cumsum(is_new) - 1
        rank = np.empty(len(firsts), np.int64)
        rank[np.argsort(firsts, kind="stable")] = np.arange(len(firsts))
        numbers: Numbers = rank[group[before:]]
        self._known = every[np.sort(firsts)]
        return numbers


def first_places(numbers: Numbers, before: int) -> Numbers:
    """Return where numbers from `before` on appear first, in the order of numbers."""
    values, places = np.unique(numbers, return_index=True)
    new: Numbers = places[values >= before].astype(np.int64)
    return new


def distinct(texts: Sequence[T], rows: Digests) -> Sequence[T]:
    """Return every text once, in the order of their first appearance.

    Parameters
    ----------
    texts : sequence
    rows : array
        Their digests.
    """
    places = first_places(Distinct().add(rows), 0)
    return Lazy(len(places), lambda number: texts[int(places[number])])


def sorted_texts(texts: Iterable[str]) -> Sequence[str]:
    """Return every text once, sorted; more than some are sorted on disk.

    Examples
    --------
    >>> list(sorted_texts(["b", "a", "b"]))
    ['a', 'b']
    """
    pending = iter(texts)
    runs: list[Sequence[str]] = []
    while block := set(islice(pending, _AT_ONCE)):
        ordered = sorted(block)
        runs.append(ordered if len(block) < _AT_ONCE and not runs else Kept(ordered))
    if len(runs) < 2:
        return runs[0] if runs else []
    merged: Iterator[str] = (text for text, _ in groupby(heapq.merge(*runs)))
    return Kept(merged)
