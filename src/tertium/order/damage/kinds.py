# SPDX-License-Identifier: Apache-2.0
"""The four kinds of permutations (McCaffery 2017, algorithms 3 to 5).

Each function edits an arrangement and returns whether it succeeded; for a degree that
:func:`admits` rejects it never does. The degree is the exact number of words moved or
replaced. Sampling only uses `randrange`, whose results are the same in all versions of
Python.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple, TypeVar

from tertium.order.damage.edits import Arrangement
from tertium.order.damage.words import Source

__all__ = ["admits", "choice", "order", "phrase", "swap"]

_LONGEST = 9  # words of a phrase
_Item = TypeVar("_Item")


def admits(
    source: Source, kind: str, degree: int, *, hyp: Source | None = None
) -> bool:
    """Tell whether a degree is worth trying.

    Exact for order and swap. For choice, words may have several tags, and a phrase may
    have no place to move to, which only becomes apparent later.
    """
    if kind == "swap":
        groups = _by_tag(source.tags, source.cores).values()
        return degree % 2 == 0 and degree <= 2 * sum(map(_pairs_of, groups))
    if kind == "phrase":
        # A sentence that moves as a whole has nowhere to go.
        n = len(source.words)
        return degree < n and _phrases(source.heads, degree).ways[0][degree] > 0
    if kind in ("choice", "both"):
        words = _by_tag(source.tags, source.cores)
        new = _by_tag(hyp.tags, hyp.cores) if hyp is not None else {}
        known = {core.casefold() for core in source.cores}
        room = (
            min(len(places), len(set(new.get(tag, ())) - known))
            for tag, places in words.items()
        )
        if degree > sum(room):
            return False
    return kind == "choice" or degree < len(source.words)


def order(made: Arrangement, degree: int, rng: Random) -> bool:
    """Move a word by `degree` places, another by one place less, down to one.

    The thesis does not define moves beyond the sentence; only moves within it are
    sampled, uniformly. For degrees below the number of words there is always one:
    distance n - j can start at 2j places or anywhere, and j - 1 words have been moved.
    """
    moved: set[int] = set()
    for distance in range(degree, 0, -1):
        at, to = _pick(
            [
                (at, to)
                for at in range(len(made))
                if made.order[at] not in moved
                for to in (at - distance, at + distance)
                if 0 <= to < len(made)
            ],
            rng,
        )
        moved.add(made.order[at])
        made.move(at, to)
    return True


def swap(made: Arrangement, degree: int, rng: Random, *, tags: Sequence[str]) -> bool:
    """Exchange `degree` / 2 pairs of different words with the same tag."""
    classes: dict[str, list[int]] = {}
    for place, tag in enumerate(tags):
        classes.setdefault(tag, []).append(place)
    forms = [core.casefold() for core in made.cores]
    room = {
        tag: _pairs_of([forms[p] for p in places]) for tag, places in classes.items()
    }
    for wanted in range(degree // 2, 0, -1):
        total = sum(room.values())
        if total < wanted:
            return False
        pairs = [
            (tag, first, second)
            for tag, places in classes.items()
            for index, first in enumerate(places)
            for second in places[index + 1 :]
            if forms[first] != forms[second]
        ]
        while True:
            # A pair can take the place of two: without b and c, "a a b c" has no pair
            # left. Such pairs are sampled only while the others leave enough room.
            tag, first, second = _pick(pairs, rng)
            rest = [p for p in classes[tag] if p not in (first, second)]
            left = _pairs_of([forms[p] for p in rest])
            if total - room[tag] + left >= wanted - 1:
                break
            pairs.remove((tag, first, second))
        classes[tag], room[tag] = rest, left
        made.swap(first, second)
    return True


def _by_tag(tags: Sequence[str], words: Sequence[str]) -> dict[str, list[str]]:
    """Return the words of each tag, without case."""
    words_of: dict[str, list[str]] = {}
    for tag, word in zip(tags, words, strict=True):
        words_of.setdefault(tag, []).append(word.casefold())
    return words_of


def _pairs_of(forms: Sequence[str]) -> int:
    """Return the number of disjoint pairs of different words."""
    most = max(Counter(forms).values(), default=0)
    return min(len(forms) // 2, len(forms) - most)


def choice(
    made: Arrangement,
    degree: int,
    rng: Random,
    *,
    tags: Sequence[str],
    source: Source,
    hyp: Source,
) -> bool:
    """Replace `degree` words by words of the hypothesis with the same tag."""
    known = {core.casefold() for core in source.cores}
    candidates: dict[str, list[str]] = {}
    for word, tag in zip(hyp.cores, hyp.tags, strict=True):
        if word.casefold() not in known:
            candidates.setdefault(tag, []).append(word)
    done: set[int] = set()
    for _ in range(degree):
        places = [
            place
            for place, tag in enumerate(tags)
            if place not in done and candidates.get(tag)
        ]
        if not places:
            return False
        place = _pick(places, rng)
        new = _pick(candidates[tags[place]], rng)
        done.add(place)
        made.replace(place, new)
        # It is in the output now, so it may not be used again.
        for words in candidates.values():
            words[:] = [word for word in words if word.casefold() != new.casefold()]
    return True


def phrase(
    made: Arrangement, degree: int, rng: Random, *, heads: Sequence[int]
) -> bool:
    """Move phrases of `degree` words in all, the longest first.

    Phrases are contiguous subtrees of at most nine words. A boundary is the first word
    of any subtree, or the end, but not one inside a phrase to be moved, nor the current
    place of the phrase. So each phrase changes its place among the words that stay.
    """
    phrases = _phrases(tuple(heads), degree)
    chosen = _choose(phrases, degree, rng)
    moving = {place for start, size in chosen for place in range(start, start + size)}
    end = len(heads)
    anchors = [*sorted(phrases.bounds - moving), end]
    for start, size in sorted(chosen, key=lambda span: (-span[1], span[0])):
        home = start + size
        while home in moving:
            home += 1
        free = [anchor for anchor in anchors if anchor != home]
        if not free:
            return False
        anchor = _pick(free, rng)
        at = made.order.index(start)
        to = end if anchor == end else made.order.index(anchor)
        made.move_phrase(at, to if to < at else to - size, size)
    return True


class _Phrases(NamedTuple):
    """The phrases of a sentence, and the places they can move to."""

    sizes: list[list[int]]  # of the phrases that start at a place
    bounds: frozenset[int]  # the first words of all subtrees
    ways: list[list[int]]  # ways to choose phrases from a place on, by number of words


@lru_cache(maxsize=8)  # for the samples of one sentence
def _phrases(heads: tuple[int, ...], degree: int) -> _Phrases:
    """Return the phrases of a tree.

    Words times depth, and words times degree times phrases that start at a word.
    """
    n = len(heads)
    first, last, size = list(range(n)), list(range(n)), [1] * n
    for place in range(n):
        above = heads[place]
        while above:
            first[above - 1] = min(first[above - 1], place)
            last[above - 1] = max(last[above - 1], place)
            size[above - 1] += 1
            above = heads[above - 1]
    sizes: list[list[int]] = [[] for _ in range(n)]
    for i in range(n):
        if last[i] - first[i] + 1 == size[i] <= _LONGEST:
            sizes[first[i]].append(size[i])
    ways = [[1] + [0] * degree for _ in range(n + 1)]
    for place in range(n - 1, -1, -1):
        row = ways[place]
        row[1:] = ways[place + 1][1:]
        for length in sizes[place]:
            rest = ways[place + length]
            for words in range(length, degree + 1):
                row[words] += rest[words - length]
    return _Phrases(sizes, frozenset(first), ways)


def _choose(phrases: _Phrases, degree: int, rng: Random) -> list[tuple[int, int]]:
    """Return disjoint phrases of `degree` words in all, as places and sizes.

    All choices are equally likely.
    """
    ways = phrases.ways
    chosen = []
    place, left = 0, degree
    while left:
        draw = rng.randrange(ways[place][left])
        step = 1
        for size in phrases.sizes[place]:
            here = ways[place + size][left - size] if size <= left else 0
            if draw < here:
                chosen.append((place, size))
                left -= size
                step = size
                break
            draw -= here
        place += step
    return chosen


def _pick(items: Sequence[_Item], rng: Random) -> _Item:
    return items[rng.randrange(len(items))]
