# SPDX-License-Identifier: Apache-2.0
"""Ids that distinguish all segments of a test set."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tertium.data.annotated import Annotated
from tertium.data.testset import Testset

if TYPE_CHECKING:
    from array import array

__all__ = [
    "RepeatedIds",
    "full_ids",
    "judged_numbers",
    "named_references",
    "plain_id",
    "repeats",
]

_AT_ONCE = 200_000  # As many are compared without NumPy.


def full_ids(ids: Sequence[str], docs: Sequence[str] | None) -> Sequence[str]:
    """Return the ids, or ``DOCUMENT/ID`` where they start again in every document.

    Ids on disk stay there; 16 bytes per id are needed to compare them.

    Examples
    --------
    >>> full_ids(["1", "2"], ["a", "b"])
    ['1', '2']
    >>> full_ids(["1", "1"], ["a", "b"])
    ['a/1', 'b/1']
    """
    if docs is None:
        return ids
    from tertium.data.kept import Lazy

    if isinstance(ids, Lazy):
        if not _start_again(ids):
            return ids
        return Lazy(len(ids), lambda place: f"{docs[place]}/{ids[place]}")
    if len(set(ids)) == len(ids):
        return ids
    return [f"{doc}/{segment}" for doc, segment in zip(docs, ids, strict=True)]


def _start_again(ids: Sequence[str]) -> bool:
    """Return whether an id comes twice, by hashes, and by themselves if these match."""
    import numpy as np

    hashes = np.fromiter(map(hash, ids), np.int64, len(ids))
    ordered = np.sort(hashes)
    for value in ordered[1:][ordered[1:] == ordered[:-1]]:
        alike = [ids[int(place)] for place in np.flatnonzero(hashes == value)]
        if len(set(alike)) < len(alike):
            return True
    return False


_WMT26 = re.compile(
    r"^[a-z]+_###_[a-z]{2,3}(?:_[A-Za-z]+)?_###_[a-z]{2,3}(?:_[A-Za-z]+)?_###_(?=.+_###_)"
)


def plain_id(segment: str) -> str:
    """Return an id of WMT 2026 without kind and languages, as human judgements have it.

    Metrics name an item ``KIND_###_SOURCE_###_TARGET_###_DOMAIN_###_DOCUMENT_###_N``,
    logs of Pearmut ``DOMAIN_###_DOCUMENT_###_N``.

    Examples
    --------
    >>> plain_id("official_###_eng_Latn_###_deu_Latn_###_news_###_a_###_0")
    'news_###_a_###_0'
    >>> plain_id("news_###_a_###_0")
    'news_###_a_###_0'
    """
    return _WMT26.sub("", segment)


def judged_numbers(
    testset: Testset, judged: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], int]:
    """Return the indices of judged outputs, by system and by the segment's name.

    A segment is named by its id, by its number from 1, by either after the document
    (``DOCUMENT/ID``), or, as in Appraise's exports, by its place within the document
    (``DOCUMENT:N``). Ids of WMT 2026 also match without kind and languages
    (:func:`plain_id`). Appraise may show a part of a document and count from 1 again.
    Such a name therefore counts only where a system's document has as many segments in
    the judgements as in the test set. Outputs that cannot be told are left out.

    Examples
    --------
    >>> testset = Testset.build(["a", "b"], docs=["news", "news"])
    >>> judged_numbers(testset, [("A", "2"), ("B", "news:1"), ("B", "news:2")])
    {('A', '2'): 1, ('B', 'news:1'): 0, ('B', 'news:2'): 1}
    >>> judged_numbers(testset, [("C", "news:1")])
    {}
    """
    names = list(dict.fromkeys(judged))
    numbers = _numbers(testset)
    places: dict[str, list[int]] = {}
    for i, doc in enumerate(testset.docs or ()):
        places.setdefault(doc, []).append(i)
    most: dict[tuple[str, str], int] = {}
    for system, segment in names:
        doc, place = _place(segment)
        most[system, doc] = max(most.get((system, doc), 0), place)
    indices = {}
    for system, segment in names:
        doc, place = _place(segment)
        number = numbers.get(segment, numbers.get(plain_id(segment)))
        if number is not None:
            indices[system, segment] = number
        elif place and most[system, doc] == len(places.get(doc, ())):
            indices[system, segment] = places[doc][place - 1]
    return indices


def _numbers(testset: Testset) -> dict[str, int]:
    """Return the index of every segment by names that say it alone."""
    numbers = [str(number) for number in range(1, len(testset) + 1)]
    ids = numbers if testset.ids is None else list(testset.ids)
    kinds = [ids, numbers]
    if testset.docs is not None:
        pairs = zip(testset.docs, ids, strict=True)
        kinds.insert(1, [f"{doc}/{name}" for doc, name in pairs])
    kinds.append([plain_id(name) for name in ids])
    indices: dict[str, int] = {}
    repeated: set[str] = set()  # An id of several segments is not a number either.
    for names in kinds:
        repeated |= {name for name, times in Counter(names).items() if times > 1}
        for i, name in enumerate(names):
            if name not in repeated:
                indices.setdefault(name, i)
    return indices


def _place(segment: str) -> tuple[str, int]:
    """Return document and place of a name such as ``news:7``; a place of 0 if none."""
    doc, _, place = segment.rpartition(":")
    return (doc, int(place)) if doc and place.isascii() and place.isdigit() else ("", 0)


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
    segment, and as many again while they are compared (32 if some are equal); nothing
    of ids that just count 1, 2, 3.

    Examples
    --------
    >>> repeated = RepeatedIds()
    >>> repeated.add(Testset.build(["a", "b", "c"], ids=["1", "2", "1"]))
    >>> repeated.pairs()
    [(1, 3)]
    """

    def __init__(self) -> None:
        self._hashes: array[int] | None = None
        self._counted = range(0)  # The ids so far, as long as they just count.

    def add(self, chunk: Testset) -> None:
        """Take the next segments."""
        if chunk.ids is None or self._just_count(chunk):
            return
        keys: Iterable[object] = chunk.ids
        if chunk.docs is not None:
            keys = zip(chunk.docs, chunk.ids, strict=True)
        if self._hashes is None:
            from array import array

            self._hashes = array("q", (hash(str(number)) for number in self._counted))
        self._hashes.extend(map(hash, keys))

    def _just_count(self, chunk: Testset) -> bool:
        """Return whether ids still are 1, 2, 3 and so on, which are not kept then."""
        ids = chunk.ids or []
        if self._hashes is not None or chunk.docs is not None or not ids:
            return not ids
        first = ids[0]
        if self._counted:
            start, following = self._counted.start, self._counted.stop
        elif len(first) < 19 and first.isascii() and first.isdecimal():
            start = following = int(first)
        else:
            return False
        counted = range(following, following + len(ids))
        if ids != list(map(str, counted)):
            return False
        self._counted = range(start, counted.stop)
        return True

    def found(self) -> tuple[Sequence[int], Sequence[int]]:
        """Return the segments of :meth:`pairs` apart: first ones, later ones."""
        return repeats(() if self._hashes is None else self._hashes)

    def pairs(self) -> list[tuple[int, int]]:
        """Return the first segment with an id and each later one, counted from 1."""
        return [(int(a), int(b)) for a, b in zip(*self.found(), strict=True)]


def repeats(values: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    """Return where values occur that are there before, and where they were first.

    Both are counted from 1, in the order of the later ones. In O(n log n), with 8 bytes
    per value on the way, or 32 if there are any.

    Examples
    --------
    >>> repeats([7, 8, 7, 9, 8, 7])
    ([1, 2, 1], [3, 5, 6])
    """
    if len(values) <= _AT_ONCE:
        first: dict[int, int] = {}
        pairs = [
            (before, number)
            for number, value in enumerate(values, start=1)
            if (before := first.setdefault(value, number)) != number
        ]
        return [before for before, _ in pairs], [number for _, number in pairs]
    import numpy as np

    hashes = np.asarray(values, dtype=np.int64)
    ordered = np.sort(hashes)
    if not np.any(ordered[1:] == ordered[:-1]):
        return [], []
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    is_new = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    del ordered
    later = np.flatnonzero(~is_new)
    starts = np.flatnonzero(is_new)
    begins = starts[np.searchsorted(starts, later, side="right") - 1]
    firsts, numbers = order[begins] + 1, order[later] + 1
    sort = np.argsort(numbers, kind="stable")
    return firsts[sort], numbers[sort]  # type: ignore[return-value]
