# SPDX-License-Identifier: Apache-2.0
"""Nodes of permutation trees."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Node", "operator_name"]


class Node:
    """A node of a tree: a block of words, or one word.

    Attributes
    ----------
    start, end : int
        Positions, half open, counted from 0.
    lo, hi : int
        The lowest and the highest value, counted from 1.
    kind : {"leaf", "straight", "inverted", "prime"}
    op : tuple of int
        The operator: (1, 2) or (2, 1), also for merged nodes of a flat tree; the
        ranks of the children for a prime node; empty for a leaf.
    children : tuple of Node
        From left to right.
    """

    __slots__ = ("children", "end", "hi", "kind", "lo", "op", "start")

    def __init__(self, children: Sequence[Node], *, start: int, value: int = 0) -> None:
        """Create the parent of `children`, or the leaf of one value."""
        self.children = tuple(children)
        self.start = start
        self.op: tuple[int, ...] = ()
        if not children:
            self.end, self.lo, self.hi = start + 1, value, value
            self.kind = "leaf"
            return
        self.end = children[-1].end
        self.lo = min(child.lo for child in children)
        self.hi = max(child.hi for child in children)
        lows = [child.lo for child in children]
        ordered = sorted(lows)
        if lows == ordered:
            self.kind, self.op = "straight", (1, 2)
        elif lows == ordered[::-1]:
            self.kind, self.op = "inverted", (2, 1)
        else:
            ranks = {lo: rank for rank, lo in enumerate(ordered, start=1)}
            self.kind, self.op = "prime", tuple(ranks[lo] for lo in lows)

    @property
    def is_leaf(self) -> bool:
        """Whether the node is a word."""
        return not self.children

    @property
    def words(self) -> int:
        """The number of words of the node."""
        return self.end - self.start

    @property
    def name(self) -> str:
        """The operator as text, such as 2413; the value of a leaf."""
        return operator_name(self.op) if self.children else str(self.lo)

    def __repr__(self) -> str:
        return f"<Node {self.name} at {self.start}:{self.end}>"


def operator_name(op: Sequence[int]) -> str:
    """Return an operator as text; hyphens where ranks have several digits.

    Examples
    --------
    >>> operator_name((2, 4, 1, 3))
    '2413'
    """
    return ("-" if max(op, default=0) > 9 else "").join(map(str, op))
