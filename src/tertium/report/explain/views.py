# SPDX-License-Identifier: Apache-2.0
"""Views of an explanation: plain frozen objects that diagrams and pages read.

Words are counted from 0 and spans are half open, here and in the JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

__all__ = [
    "Block",
    "Dependencies",
    "Finding",
    "MatchView",
    "Matching",
    "NgramHits",
    "NodeEdit",
    "Order",
    "Pairing",
    "PathEdge",
    "Paths",
    "Tree",
    "WordEdit",
]


@dataclass(frozen=True)
class MatchView:
    """Words of the output matched with words of the reference."""

    hyp: tuple[int, int]
    ref: tuple[int, int]
    matcher: str = "exact"

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The links of the match; all with all if the lengths differ."""
        hyp, ref = range(*self.hyp), range(*self.ref)
        if len(hyp) == len(ref):
            return list(zip(hyp, ref, strict=True))
        return [(h, r) for h in hyp for r in ref]


@dataclass(frozen=True)
class Pairing:
    """The words of both texts and their alignment, as a metric sees them."""

    hyp: tuple[str, ...]
    ref: tuple[str, ...]
    matches: tuple[MatchView, ...] = ()

    @property
    def links(self) -> list[tuple[int, int]]:
        """The links of all matches."""
        return [pair for match in self.matches for pair in match.pairs]


@dataclass(frozen=True)
class Matching:
    """The words and their alignment as another metric of the same kind sees them."""

    metric: str
    pairing: Pairing


@dataclass(frozen=True)
class Block:
    """A node of the flat tree of a permutation (its strong intervals).

    Parameters
    ----------
    start, end : int
        Positions in the permutation.
    low, high : int
        Values from `low` to `high`, both included, counted from 1.
    kind : str
        ``leaf``, ``straight``, ``inverted`` or ``prime``.
    operator : tuple of int
        The rank of each child by value.
    children : tuple of Block
    score : float
        The share of order kept below the node, as RECPEF counts it.
    """

    start: int
    end: int
    low: int
    high: int
    kind: str
    operator: tuple[int, ...] = ()
    children: tuple[Block, ...] = ()
    score: float = 1.0

    def walk(self) -> Iterator[Block]:
        """Yield every node, parents first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True)
class Order:
    """The order of the aligned words.

    Parameters
    ----------
    permutation : tuple of int
        For every item in the order of the output, its rank in the reference.
    items : tuple of (tuple of int, int or None)
        For every item the words of the output it covers, and its reference word;
        None for an unaligned word that moves with its neighbour.
    forest : Block or None
        The flat tree, which represents all trees; None without aligned words.
    tree : Block or None
        The canonical tree.
    trees : int
        How many trees the permutation has.
    scores : mapping of str to float
        Measures of the permutation alone; that of `metric` with its settings.
    branching : str
        Of the canonical tree: ``left`` or ``right``.
    metric : str
        The metric whose order it is, or "" if there is none.
    pairing : Pairing or None
        Its words and links if they differ from those of the explanation.
    """

    permutation: tuple[int, ...]
    items: tuple[tuple[tuple[int, ...], int | None], ...]
    forest: Block | None
    tree: Block | None
    trees: int
    scores: Mapping[str, float] = field(default_factory=dict)
    branching: str = "left"
    metric: str = ""
    pairing: Pairing | None = None

    @property
    def links(self) -> list[tuple[int, int]]:
        """The words of the output and of the reference that items join."""
        return [(h, r) for words, r in self.items if r is not None for h in words]


@dataclass(frozen=True)
class Tree:
    """A dependency tree; heads are counted from 1, 0 is the root."""

    words: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]


@dataclass(frozen=True)
class NodeEdit:
    """One operation of the edit script of two trees.

    `operation` is ``match``, ``rename``, ``delete`` (a word of the output) or
    ``insert`` (a word of the reference); `hyp` or `ref` is None where no word is.
    """

    operation: str
    hyp: int | None
    ref: int | None


@dataclass(frozen=True)
class Dependencies:
    """Both dependency trees and what turns one into the other, as DTED counts.

    `metric` and `pairing` are as in :class:`Order`.
    """

    hyp: Tree
    ref: Tree
    flat: bool
    edits: tuple[NodeEdit, ...] = ()
    variant: str = ""
    distance: tuple[int, ...] = ()
    score: float | None = None
    metric: str = ""
    pairing: Pairing | None = None

    def status(self, side: str) -> list[str]:
        """Return ``matched``, ``renamed`` or ``deleted`` for every word."""
        size = len(self.hyp.words if side == "hyp" else self.ref.words)
        status = ["deleted"] * size
        for edit in self.edits:
            word = edit.hyp if side == "hyp" else edit.ref
            if word is not None and edit.operation in ("match", "rename"):
                status[word] = "matched" if edit.operation == "match" else "renamed"
        return status


@dataclass(frozen=True)
class PathEdge:
    """An edge of DERP's spanning tree: a pair of aligned words and their paths.

    A path has the labels climbed, whether it goes forward in the sentence, and the
    labels descended.
    """

    hyp: tuple[int, int]
    ref: tuple[int, int]
    hyp_path: tuple[tuple[str, ...], str, tuple[str, ...]]
    ref_path: tuple[tuple[str, ...], str, tuple[str, ...]]
    cost: float
    limit: float


@dataclass(frozen=True)
class Paths:
    """DERP's spanning tree.

    `counted` are the edges by which the sum of costs is divided; 0 if it is divided
    by the sum of limits instead. `metric` and `pairing` are as in :class:`Order`.
    """

    edges: tuple[PathEdge, ...]
    flat: bool
    score: float
    degenerate: bool
    counted: int = 0
    metric: str = ""
    pairing: Pairing | None = None

    @property
    def equation(self) -> str:
        """How the score follows from the costs of edges."""
        if self.degenerate:
            few = "fewer than two aligned words to compare"
            return f"{few}; score {self.score:g} by definition"
        cost = sum(edge.cost for edge in self.edges)
        if self.counted:
            return f"1 / (1 + {cost:g}/{self.counted}) = {self.score:.4f}"
        limit = sum(edge.limit for edge in self.edges)
        return f"1 - {cost:g}/{limit:g} = {self.score:.4f}"


@dataclass(frozen=True)
class NgramHits:
    """Which n-grams of the output the reference has, clipped as BLEU clips.

    `found` has one item for every n-gram of the output, by its first word.
    """

    order: int
    found: tuple[bool, ...]

    @property
    def hits(self) -> int:
        """The number of n-grams found."""
        return sum(self.found)


@dataclass(frozen=True)
class WordEdit:
    """One operation that turns the output into the reference, word by word.

    `operation` is ``keep``, ``replace``, ``delete`` (from the output) or ``insert``.
    """

    operation: str
    hyp: int | None
    ref: int | None


@dataclass(frozen=True)
class Finding:
    """One plain sentence on what is wrong, or right.

    Parameters
    ----------
    kind : str
        ``words`` (how many lack a counterpart), ``moved``, ``reversed``,
        ``shuffled``, ``missing``, ``extra``, ``replaced``, ``form``, ``case``,
        ``punctuation``, ``relation``, ``order`` or ``same``; ``more`` where some are
        not shown.
    pieces : tuple of str
        The sentence in pieces; every second one quotes words.
    hyp, ref : tuple of int
        The words it is about.
    """

    kind: str
    pieces: tuple[str, ...]
    hyp: tuple[int, ...] = ()
    ref: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The sentence, with words between asterisks."""
        return "".join(
            f"*{piece}*" if number % 2 else piece
            for number, piece in enumerate(self.pieces)
        )
