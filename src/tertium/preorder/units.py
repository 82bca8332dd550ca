# SPDX-License-Identifier: Apache-2.0
"""Minimal units: the smallest parts of a sentence that move as a whole.

A unit is a minimal phrase of the alignment that lies in no other one (Stanojević 2017,
section 3.3): the finest segmentation of the source whose units have disjoint hulls on
the target side. Words of a unit keep their order. Unaligned words within a unit belong
to it; every other one is a unit by itself and joins a neighbour.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from tertium import _core
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.align.links import Link
    from tertium.order.node import Node

__all__ = [
    "ATTACH",
    "HEIGHTS",
    "CorpusUnits",
    "Units",
    "check_attachment",
    "corpus_units",
    "minimal_units",
]

#: The side on which an unaligned unit joins a neighbour.
ATTACH = ("right", "left")
#: What it joins there: the unit, or the largest block that starts or ends there.
HEIGHTS = ("low", "high")


@dataclass(frozen=True)
class Units:
    """The units of one sentence, from left to right.

    Parameters
    ----------
    spans : tuple of pairs of int
        First word and end of each unit, counted from 0, half open.
    ranks : tuple of int
        The place of each unit among the aligned ones in target order, counted from 1;
        0 for an unaligned unit.
    """

    spans: tuple[tuple[int, int], ...]
    ranks: tuple[int, ...]

    @property
    def aligned(self) -> int:
        """The number of aligned units."""
        return sum(rank > 0 for rank in self.ranks)

    def order(self, *, attach: str = "right", height: str = "low") -> tuple[int, ...]:
        """Return the words in target order.

        Parameters
        ----------
        attach : {"right", "left"}
            The side on which an unaligned unit joins a neighbour; the other one at the
            end of the sentence.
        height : {"low", "high"}
            Whether it moves with the neighbouring unit, or with the largest block of
            the permutation tree that ends there.

        Examples
        --------
        >>> units = minimal_units(5, [(0, 0), (1, 3), (3, 2), (4, 4)])
        >>> units.order(), units.order(attach="left")
        ((0, 2, 3, 1, 4), (0, 3, 1, 2, 4))
        """
        check_attachment(attach, height)
        places = [unit for unit, rank in enumerate(self.ranks) if rank > 0]
        if not places:
            return tuple(range(len(self.ranks)))
        units = _ordered_units(self, places, attach=attach, high=height == "high")
        return tuple(word for unit in units for word in range(*self.spans[unit]))


@dataclass(frozen=True, eq=False)
class CorpusUnits:
    """The units of many sentences, as arrays.

    Parameters
    ----------
    first : ndarray
        Sentence i has the units ``first[i]`` to ``first[i + 1]``.
    start, end, rank : ndarray
        As in :class:`Units`.
    """

    first: NDArray[np.uint32]
    start: NDArray[np.uint32]
    end: NDArray[np.uint32]
    rank: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.first) - 1

    def __getitem__(self, i: int) -> Units:
        at = range(len(self))[i]
        part = slice(int(self.first[at]), int(self.first[at + 1]))
        spans = zip(self.start[part].tolist(), self.end[part].tolist(), strict=True)
        return Units(tuple(spans), tuple(self.rank[part].tolist()))


def minimal_units(length: int, links: Iterable[Link | Sequence[float]]) -> Units:
    """Return the minimal units of a sentence.

    Parameters
    ----------
    length : int
        The number of source words.
    links : iterable of Link or of pairs
        Source and target words, counted from 0.

    Raises
    ------
    InputError
        If a link lies outside the sentence.

    Examples
    --------
    >>> minimal_units(4, [(0, 1), (1, 1), (2, 0), (3, 2)])
    Units(spans=((0, 2), (2, 3), (3, 4)), ranks=(2, 1, 3))
    """
    return corpus_units([length], [links])[0]


def corpus_units(
    lengths: Sequence[int], links: Sequence[Iterable[Link | Sequence[float]]]
) -> CorpusUnits:
    """Return the minimal units of many sentences, as :func:`minimal_units` does.

    O(l + n log n) for a sentence of n words and l links.

    Raises
    ------
    InputError
        If there are not as many alignments as sentences, or a link lies outside its
        sentence.
    """
    if len(lengths) != len(links):
        raise InputError(
            f"there are {len(lengths):,} sentences, but links of {len(links):,}; give "
            "the links of every sentence"
        )
    pairs = [[(link[0], link[1]) for link in item] for item in links]
    counts = np.fromiter(map(len, pairs), np.int64, len(pairs))
    flat = np.array(list(chain.from_iterable(pairs)), np.int64).reshape(-1, 2)
    words = np.asarray(lengths, np.int64).reshape(-1)
    outside = (flat < 0).any(axis=1) | (flat[:, 0] >= np.repeat(words, counts))
    outside |= flat[:, 1] >= 2**32 - 1
    if outside.any():
        _report_outside(flat, words, counts, int(np.argmax(outside)))
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)
    columns = np.ascontiguousarray(flat.T.astype(np.uint32))
    return CorpusUnits(
        *_core.minimal_units(words.astype(np.uint32), first, columns[0], columns[1])
    )


def _report_outside(
    flat: NDArray[np.int64],
    words: NDArray[np.int64],
    counts: NDArray[np.int64],
    at: int,
) -> None:
    sentence = int(np.searchsorted(np.cumsum(counts), at, side="right"))
    source, target = flat[at].tolist()
    where = f" (sentence {sentence + 1:,})" if len(words) > 1 else ""
    raise InputError(
        f"link {source}-{target}{where} lies outside its sentence of "
        f"{int(words[sentence])} words; count words from 0, source words first"
    )


def _ordered_units(
    units: Units, places: Sequence[int], *, attach: str, high: bool
) -> list[int]:
    """Return the units in target order; `places` are the aligned ones."""
    from tertium.order import Permutation

    root = Permutation.one_based([units.ranks[unit] for unit in places]).tree.root
    before: dict[int, range] = {0: range(places[0])}
    behind: dict[int, range] = {len(places): range(places[-1] + 1, len(units.ranks))}
    for i, (left, right) in enumerate(pairwise(places), start=1):
        gap = range(left + 1, right)
        (before if attach == "right" else behind)[i] = gap

    def visit(node: Node, *, first: bool, last: bool) -> list[int]:
        # Whether it is the largest (high) block that starts or ends there, or a unit.
        joins_before = first if high else node.is_leaf
        joins_behind = last if high else node.is_leaf
        inner = [places[node.start]] if node.is_leaf else []
        for child in sorted(node.children, key=lambda child: child.lo):
            inner += visit(
                child, first=child.start > node.start, last=child.end < node.end
            )
        return [
            *(before.get(node.start, ()) if joins_before else ()),
            *inner,
            *(behind.get(node.end, ()) if joins_behind else ()),
        ]

    return visit(root, first=True, last=True)


def check_attachment(
    attach: str, height: str, *, heights: Sequence[str] = HEIGHTS
) -> None:
    """Raise an error unless both are known choices."""
    for name, value, choices in (
        ("attach", attach, ATTACH),
        ("height", height, heights),
    ):
        if value not in choices:
            raise UnknownNameError(f"value of {name}", value, choices)
