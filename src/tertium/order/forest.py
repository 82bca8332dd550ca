# SPDX-License-Identifier: Apache-2.0
"""The permutation forest: all trees of a permutation, packed.

Only chains of equal binary operators are ambiguous: a merged node of the flat
tree with k children stands for Cat(k - 1) binary trees. Trees are numbered, so
that they can be enumerated lazily and sampled uniformly without a list of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import comb, prod

from tertium import _core
from tertium.errors import InputError
from tertium.order.node import Node
from tertium.order.permutation import Permutation, check_settings, order_score
from tertium.order.tree import PermutationTree

__all__ = ["Entry", "PermutationForest", "catalan"]


@dataclass(frozen=True)
class Entry:
    """A span of the chart with its operator and the ways to split it.

    Parameters
    ----------
    start, end : int
        Positions, half open, counted from 0.
    op : tuple of int
        The operator that all inferences share.
    inferences : tuple of tuples of int
        The inner split points of each way to split the span.
    """

    start: int
    end: int
    op: tuple[int, ...]
    inferences: tuple[tuple[int, ...], ...]


class PermutationForest:
    """All trees of a permutation.

    Parameters
    ----------
    perm : Permutation
        At least one word.

    Raises
    ------
    InputError
        If it is empty, or not a :class:`Permutation`.

    Attributes
    ----------
    perm : Permutation
    flat : PermutationTree
        The flat tree, which encodes the forest.

    Examples
    --------
    >>> forest = PermutationForest(Permutation.parse("4 3 2 1"))
    >>> forest.count, forest.spans, forest.inferences
    (5, 6, 10)
    >>> for tree in forest.trees():
    ...     print(tree)
    (21 (21 (21 4 3) 2) 1)
    (21 (21 4 (21 3 2)) 1)
    (21 4 (21 (21 3 2) 1))
    (21 4 (21 3 (21 2 1)))
    (21 (21 4 3) (21 2 1))
    >>> forest[0] in forest, forest.flat in forest
    (True, False)
    """

    def __init__(self, perm: Permutation) -> None:
        self.flat = PermutationTree.flat(perm)
        self.perm = perm
        self._merged = [
            node for node in self.flat.nodes() if node.kind in ("straight", "inverted")
        ]

    # ------------------------------------------------------------------ counting

    @property
    def count(self) -> int:
        """The number of trees, exactly: the product of Cat(k - 1)."""
        return prod(catalan(len(node.children) - 1) for node in self._merged)

    @property
    def spans(self) -> int:
        """The number of chart entries of two or more words: C(k, 2) per merged node."""
        merged = sum(comb(len(node.children), 2) for node in self._merged)
        return merged + len(self._primes())

    @property
    def inferences(self) -> int:
        """The number of inferences in the chart: C(k + 1, 3) per merged node."""
        merged = sum(comb(len(node.children) + 1, 3) for node in self._merged)
        return merged + len(self._primes())

    def _primes(self) -> list[Node]:
        return [node for node in self.flat.nodes() if node.kind == "prime"]

    def entries(self) -> Iterator[Entry]:
        """Yield the chart span by span, inner ones first: O(n²) spans at most."""
        for node in self.flat.nodes(order="post"):
            if node.is_leaf:
                continue
            cuts = [node.start, *(child.end for child in node.children)]
            if node.kind == "prime":
                yield Entry(node.start, node.end, node.op, (tuple(cuts[1:-1]),))
                continue
            for length in range(2, len(cuts)):
                for first in range(len(cuts) - length):
                    inner = cuts[first + 1 : first + length]
                    splits = tuple((cut,) for cut in inner)
                    yield Entry(cuts[first], cuts[first + length], node.op, splits)

    def chart(self) -> dict[tuple[int, int], Entry]:
        """Return the entries by span."""
        return {(entry.start, entry.end): entry for entry in self.entries()}

    # --------------------------------------------------------------------- trees

    def __getitem__(self, number: int) -> PermutationTree:
        """Return a tree by its number from 0; the first is the left-branching one."""
        count = self.count
        rest = number + count if number < 0 else number
        if not 0 <= rest < count:
            message = f"there is no tree {number}; the forest has {count}, from 0"
            raise IndexError(message)
        chosen: dict[Node, int] = {}
        for node in self._merged:
            rest, chosen[node] = divmod(rest, catalan(len(node.children) - 1))
        return self.flat.expanded(lambda node: _numbered(node, chosen[node]))

    def trees(self, *, limit: int | None = 100_000) -> Iterator[PermutationTree]:
        """Yield all trees, one at a time.

        Parameters
        ----------
        limit : int or None
            Reject forests with more trees than this; None accepts any, for callers
            who stop early.

        Raises
        ------
        InputError
            If there are more trees than the limit.
        """
        count = self.count
        if limit is not None and count > limit:
            shown = str(count) if count < 10**18 else "over 10^18"
            message = (
                f"the forest of {len(self.perm)} words has {shown} trees, more than "
                f"{limit}; raise the limit, or sample some with sample()"
            )
            raise InputError(message)
        return (self[number] for number in range(count))

    def sample(self, size: int, *, seed: int) -> list[PermutationTree]:
        """Return trees sampled uniformly, with replacement.

        Examples
        --------
        >>> forest = PermutationForest(Permutation.identity(100))
        >>> forest.sample(2, seed=1) == forest.sample(2, seed=1)
        True
        """
        draw = random.Random(seed)  # noqa: S311 (no secrets here)
        count = self.count
        return [self[draw.randrange(count)] for _ in range(size)]

    def __contains__(self, tree: object) -> bool:
        """Tell whether a tree belongs to the permutation, with all splits minimal."""
        return (
            isinstance(tree, PermutationTree)
            and tree.perm == self.perm
            and all(_is_minimal(node) for node in tree.nodes())
        )

    # -------------------------------------------------------------------- scores

    def recpef(
        self,
        *,
        beta: float = 0.6,
        gamma: float = 0.0,
        op_score: str = "binary",
        forest: str = "split",
        child_weight: str = "plain",
        rescale: bool = False,
    ) -> float:
        """Return RECPEF (Stanojević and Sima'an 2014).

        Parameters
        ----------
        beta, gamma, op_score, child_weight, rescale
            As in :meth:`PermutationTree.recpet`.
        forest : {"split", "tree", "max", "min"}
            The mean over the splits of each span (as published), the mean over
            trees, the best or the worst tree.

        Raises
        ------
        InputError
            If `beta` or `gamma` is not between 0 and 1, or a choice is unknown.
        """
        return order_score(
            self.perm,
            "recpef",
            beta=beta,
            gamma=gamma,
            op_score=op_score,
            forest=forest,
            child_weight=child_weight,
            rescale=rescale,
        )

    def node_scores(
        self,
        *,
        beta: float = 0.6,
        gamma: float = 0.0,
        op_score: str = "binary",
        forest: str = "split",
        child_weight: str = "plain",
    ) -> dict[Node, float]:
        """Return the forest score φ of each node of :attr:`flat`."""
        check_settings(
            beta=beta,
            gamma=gamma,
            op_score=op_score,
            forest=forest,
            child_weight=child_weight,
        )
        kernel = _core.order(
            "recpef",
            beta=beta,
            gamma=gamma,
            op_score=op_score,
            forest=forest,
            child_weight=child_weight,
        )
        values = kernel.node_values(self.perm)
        return dict(zip(_core_order(self.flat), values, strict=True))

    def __repr__(self) -> str:
        return f"PermutationForest(Permutation.parse({str(self.perm)!r}))"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PermutationForest):
            return NotImplemented
        return self.perm == other.perm

    def __hash__(self) -> int:
        return hash(self.perm)


@lru_cache(maxsize=4096)
def catalan(m: int) -> int:
    """Return the number of binary trees with m inner nodes.

    Examples
    --------
    >>> [catalan(m) for m in range(6)]
    [1, 1, 2, 5, 14, 42]
    """
    return comb(2 * m, m) // (m + 1)


def _core_order(tree: PermutationTree) -> Iterator[Node]:
    """Yield nodes in the order of the core: children first, from left to right."""
    return tree.nodes(order="post")


def _is_minimal(node: Node) -> bool:
    if node.kind == "prime":
        return Permutation.one_based(node.op).prime
    return node.is_leaf or len(node.children) == 2


def _numbered(node: Node, number: int) -> Callable[[int, int], int]:
    """Return the splits of a merged node in the binary tree with this number.

    The numbers of a range are assigned split by split, from both ends inwards, so
    that finding a split costs the size of the smaller part: O(k log k) big numbers per
    tree.
    """
    numbers = {(0, len(node.children)): number}

    def split(first: int, end: int) -> int:
        rest = numbers.pop((first, end))
        size = end - first
        for step in range(1, size):
            part = size - (step + 1) // 2 if step % 2 else step // 2
            block = catalan(part - 1) * catalan(size - part - 1)
            if rest < block:
                break
            rest -= block
        middle = first + part
        left, right = divmod(rest, catalan(size - part - 1))
        if part > 1:
            numbers[first, middle] = left
        if size - part > 1:
            numbers[middle, end] = right
        return middle

    return split
