# SPDX-License-Identifier: Apache-2.0
"""Ids that distinguish all segments of a test set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tertium.data.annotated import Annotated
from tertium.data.testset import Testset

if TYPE_CHECKING:
    from array import array

__all__ = ["RepeatedIds", "full_ids", "named_references"]

_AT_ONCE = 200_000  # As many are compared in one go, to keep the set of them small.


def full_ids(ids: Sequence[str], docs: Sequence[str] | None) -> Sequence[str]:
    """Return the ids, or ``DOCUMENT/ID`` where they start again in every document.

    Examples
    --------
    >>> full_ids(["1", "2"], ["a", "b"])
    ['1', '2']
    >>> full_ids(["1", "1"], ["a", "b"])
    ['a/1', 'b/1']
    """
    if docs is None or len(set(ids)) == len(ids):
        return ids
    return [f"{doc}/{segment}" for doc, segment in zip(docs, ids, strict=True)]


def named_references(
    references: Iterable[tuple[str, ...]], names: Iterable[str]
) -> list[tuple[str, ...]]:
    """Return references of which the first carries the name of its segment.

    Examples
    --------
    >>> from tertium.data.annotated import layer
    >>> layer(named_references([("a cat",)], ["7"])[0][0], "segment")
    '7'
    """
    return [
        (_named(refs[0], name), *refs[1:]) if refs else refs
        for refs, name in zip(references, names, strict=True)
    ]


def _named(text: str, segment: str) -> Annotated:
    layers = text.layers if isinstance(text, Annotated) else {}
    return Annotated(text, {**layers, "segment": segment})


class RepeatedIds:
    """Find segments with the id of an earlier one, chunk by chunk.

    Ids may start again in every document. Only hashes are kept, eight bytes per
    segment, so that memory hardly grows with the stream.

    Examples
    --------
    >>> repeated = RepeatedIds()
    >>> repeated.add(Testset.build(["a", "b", "c"], ids=["1", "2", "1"]))
    >>> repeated.pairs()
    [(1, 3)]
    """

    def __init__(self) -> None:
        self._hashes: array[int] | None = None

    def add(self, chunk: Testset) -> None:
        """Take the next segments."""
        if chunk.ids is not None:
            keys: Iterable[object] = chunk.ids
            if chunk.docs is not None:
                keys = zip(chunk.docs, chunk.ids, strict=True)
            if self._hashes is None:
                from array import array

                self._hashes = array("q")
            self._hashes.extend(map(hash, keys))

    def pairs(self) -> list[tuple[int, int]]:
        """Return the first segment with an id and each later one, counted from 1."""
        pairs: list[tuple[int, int]] = []
        if self._hashes is None:
            return pairs
        shares = len(self._hashes) // _AT_ONCE + 1
        for share in range(shares):
            part: Sequence[int] = self._hashes
            if shares > 1:
                part = [value for value in part if value % shares == share]
            if len(set(part)) == len(part):
                continue
            first: dict[int, int] = {}
            for number, value in enumerate(self._hashes, start=1):
                if value % shares == share and first.setdefault(value, number) < number:
                    pairs.append((first[value], number))
        return sorted(pairs, key=lambda pair: pair[1])
