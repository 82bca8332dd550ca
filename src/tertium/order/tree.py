# SPDX-License-Identifier: Apache-2.0
"""Permutation trees (Zhang and Gildea 2007; Stanojević and Sima'an 2014).

A tree splits a permutation into the fewest blocks, and each block in turn. The
*operator* of a node lists the ranks of its children: 12 (straight), 21 (inverted)
or a prime permutation of four or more. The *flat* tree merges each chain of
equal binary operators into one node; it is unique and represents the forest. Trees
may be as deep as there are words, so nothing here recurses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from tertium import _core
from tertium.errors import InputError
from tertium.order.node import Node
from tertium.order.permutation import Permutation, check_settings, order_score

__all__ = ["PermutationTree"]


class PermutationTree:
    """A tree of a permutation; see :meth:`flat`, :meth:`left` and :meth:`right`.

    Attributes
    ----------
    root : Node
    perm : Permutation
        The values of the leaves.

    Examples
    --------
    >>> perm = Permutation.parse("5 7 4 6 3 1 2")
    >>> print(PermutationTree.left(perm))
    (21 (21 (2413 5 7 4 6) 3) (12 1 2))
    >>> print(PermutationTree.flat(perm).indented())
    21
      2413
        5
        7
        4
        6
      3
      12
        1
        2
    """

    def __init__(self, root: Node) -> None:
        """Check that each node is a block with the right operator."""
        if not isinstance(root, Node):
            message = (
                f"a tree is built from its root node, not from {root!r}; use "
                "PermutationTree.flat, .left, .right or .parse"
            )
            raise InputError(message)
        self.root = root
        leaves = (node.lo for node in self.nodes() if node.is_leaf)
        self.perm = Permutation.one_based(leaves)
        for node in self.nodes():
            if node.hi - node.lo + 1 != node.words:
                message = (
                    f"{node!r} has values {node.lo} to {node.hi} for {node.words} "
                    "words; every node must cover a contiguous range"
                )
                raise InputError(message)

    # ------------------------------------------------------------- constructors

    @classmethod
    def flat(cls, perm: Permutation) -> PermutationTree:
        """Return the flat tree, in linear time.

        Raises
        ------
        InputError
            If the permutation is empty: there is no tree without a node.
        """
        return cls._of(*_flat(perm))

    @classmethod
    def left(cls, perm: Permutation) -> PermutationTree:
        """Return the left-branching canonical tree: ((1 2) 3)."""
        return cls.flat(perm).expanded(_left_splits)

    @classmethod
    def right(cls, perm: Permutation) -> PermutationTree:
        """Return the right-branching canonical tree: (1 (2 3))."""
        return cls.flat(perm).expanded(_right_splits)

    @classmethod
    def parse(cls, text: str) -> PermutationTree:
        """Return the tree of a bracketed text, as ``str(tree)`` writes it.

        Examples
        --------
        >>> str(PermutationTree.parse("(21 (12 2 3) 1)"))
        '(21 (12 2 3) 1)'
        """
        tokens = re.findall(r"[()]|[^\s()]+", text)
        open_nodes: list[tuple[str, list[Node]]] = [("", [])]
        position, place = 0, 0
        while place < len(tokens):
            token = tokens[place]
            if token == "(":  # noqa: S105
                place += 1
                name = tokens[place] if place < len(tokens) else ""
                open_nodes.append((name, []))
            elif token == ")":  # noqa: S105
                if len(open_nodes) < 2:
                    raise _unreadable(text, "a bracket closes that never opened")
                name, children = open_nodes.pop()
                if len(children) < 2:
                    raise _unreadable(text, f"operator {name!r} has too few children")
                node = Node(children, start=children[0].start)
                if node.name != name:
                    raise _unreadable(text, f"operator {name!r} should be {node.name}")
                open_nodes[-1][1].append(node)
            elif token.isascii() and token.isdigit():
                leaf = Node((), start=position, value=int(token))
                open_nodes[-1][1].append(leaf)
                position += 1
            else:
                raise _unreadable(text, f"{token!r} is not a value")
            place += 1
        if len(open_nodes) != 1 or len(open_nodes[0][1]) != 1:
            raise _unreadable(text, "it is not one tree with every bracket closed")
        return cls(open_nodes[0][1][0])

    @classmethod
    def _of(cls, perm: Permutation, root: Node) -> PermutationTree:
        self = cls.__new__(cls)
        self.perm, self.root = perm, root
        return self

    def expanded(
        self, splits: Callable[[Node], Callable[[int, int], int]]
    ) -> PermutationTree:
        """Return a tree in which merged nodes are binary.

        Parameters
        ----------
        splits : callable
            For a merged node, returns a function that returns the first child of the
            right part for a range [first, end) of two or more children.
        """
        made: dict[int, Node] = {}
        for node in self.nodes(order="post"):
            children = [made.pop(id(child)) for child in node.children]
            if node.is_leaf:
                made[id(node)] = node
            elif node.kind == "prime" or len(children) == 2:
                made[id(node)] = Node(children, start=node.start)
            else:
                made[id(node)] = _bracket(children, splits(node))
        return self._of(self.perm, made[id(self.root)])

    # --------------------------------------------------------------------- shape

    def nodes(self, *, order: str = "pre") -> Iterator[Node]:
        """Yield all nodes: parents first (``pre``) or children first (``post``)."""
        if order == "pre":
            stack = [self.root]
            while stack:
                node = stack.pop()
                yield node
                stack.extend(reversed(node.children))
            return
        # The reverse of parents first from right to left.
        ordered, stack = [], [self.root]
        while stack:
            node = stack.pop()
            ordered.append(node)
            stack.extend(node.children)
        yield from reversed(ordered)

    def levels(self) -> Iterator[tuple[Node, int]]:
        """Yield all nodes, parents first, with their distance to the root."""
        stack = [(self.root, 0)]
        while stack:
            node, depth = stack.pop()
            yield node, depth
            stack.extend((child, depth + 1) for child in reversed(node.children))

    @property
    def depth(self) -> int:
        """The number of edges on the longest path from the root to a word."""
        return max(depth for _, depth in self.levels())

    @property
    def operators(self) -> list[tuple[int, ...]]:
        """The operators of any binarised tree; merged nodes count as chains."""
        names: list[tuple[int, ...]] = []
        for node in self.nodes():
            times = 1 if node.kind == "prime" else len(node.children) - 1
            names += [node.op] * (times if node.children else 0)
        return names

    def average_arity(self) -> float:
        """Return the mean length of operators; 2 for a single word."""
        lengths = [len(op) for op in self.operators]
        return sum(lengths) / len(lengths) if lengths else 2.0

    # -------------------------------------------------------------------- scores

    def node_scores(
        self,
        *,
        beta: float = 0.6,
        gamma: float = 0.0,
        op_score: str = "binary",
        child_weight: str = "plain",
    ) -> dict[Node, float]:
        """Return the recursive score φ of each node (Stanojević and Sima'an 2014).

        Merged nodes of a flat tree count as one operator over all children; for
        the scores of the forest see :class:`PermutationForest`.

        Parameters
        ----------
        beta : float
            The weight of a node relative to the nodes below it.
        gamma : float
            The score of the inverted operator.
        op_score : str
            ``binary`` gives 0 to operators longer than two; a flat metric, given by
            name, grades them.
        child_weight : {"plain", "span"}
            Whether children of several words have equal weights, or each child is
            weighted by its number of words (BEER 1.0).

        Raises
        ------
        InputError
            If `beta` or `gamma` is not between 0 and 1, or a choice is unknown.
        """
        check_settings(
            beta=beta, gamma=gamma, op_score=op_score, child_weight=child_weight
        )
        scores: dict[Node, float] = {}
        for node in self.nodes(order="post"):
            if node.is_leaf:
                scores[node] = 1.0
                continue
            score = _operator_score(node, gamma, op_score)
            if child_weight == "span":
                weights = [child.words for child in node.children]
            else:
                weights = [int(child.words > 1) for child in node.children]
            if not any(weights):
                scores[node] = score
                continue
            below = sum(
                weight * scores[child]
                for weight, child in zip(weights, node.children, strict=True)
            )
            scores[node] = beta * score + (1 - beta) * below / sum(weights)
        return scores

    def recpet(
        self,
        *,
        beta: float = 0.6,
        gamma: float = 0.0,
        op_score: str = "binary",
        child_weight: str = "plain",
        rescale: bool = False,
    ) -> float:
        """Return RECPET of this tree; for the settings see `node_scores`.

        Parameters
        ----------
        rescale : bool
            Whether to stretch the scale so that full inversion gets 0 (BEER 1.0).
        """
        value = self.node_scores(
            beta=beta, gamma=gamma, op_score=op_score, child_weight=child_weight
        )[self.root]
        if not rescale or len(self.perm) < 2:
            return value
        worst = order_score(
            range(len(self.perm), 0, -1),
            "recpet",
            beta=beta,
            gamma=gamma,
            child_weight=child_weight,
        )
        if worst >= 1:
            return value
        return min(max((value - worst) / (1 - worst), 0.0), 1.0)

    # ---------------------------------------------------------------------- text

    def brackets(self, words: Sequence[str] | None = None) -> str:
        """Return the tree in one line, with values or `words` as leaves."""
        out: list[str] = []
        stack: list[Node | None] = [self.root]
        while stack:
            node = stack.pop()
            if node is None:
                out[-1] += ")"
            elif node.is_leaf:
                out.append(self._leaf(node, words))
            else:
                out.append(f"({node.name}")
                stack.append(None)
                stack.extend(reversed(node.children))
        return " ".join(out)

    def indented(self, words: Sequence[str] | None = None) -> str:
        """Return the tree with one line per node, indented by two spaces per level."""
        return "\n".join(
            "  " * depth + (self._leaf(node, words) if node.is_leaf else node.name)
            for node, depth in self.levels()
        )

    def _leaf(self, node: Node, words: Sequence[str] | None) -> str:
        if words is None:
            return node.name
        if len(words) != len(self.perm):
            message = (
                f"{len(words)} words for a permutation of {len(self.perm)}; "
                "give one word per position"
            )
            raise InputError(message)
        return words[node.start]

    def __str__(self) -> str:
        return self.brackets()

    def __repr__(self) -> str:
        return f"PermutationTree.parse({self.brackets()!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PermutationTree):
            return NotImplemented
        return self.perm == other.perm and self._spans() == other._spans()

    def __hash__(self) -> int:
        return hash(self._spans())

    def _spans(self) -> tuple[tuple[int, int], ...]:
        return tuple((node.start, node.end) for node in self.nodes())

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return PermutationTree.parse, (self.brackets(),)


def _flat(perm: Permutation) -> tuple[Permutation, Node]:
    if not isinstance(perm, Permutation):
        message = (
            f"{perm!r} is not a Permutation; state how it counts, as in "
            "Permutation.one_based(...) or Permutation.zero_based(...)"
        )
        raise InputError(message)
    if not perm:
        message = "an empty permutation has no tree; give at least one word"
        raise InputError(message)
    starts, _, lows, _, _, counts = _core.permutation_tree(perm)
    stack: list[Node] = []
    for start, lo, count in zip(starts, lows, counts, strict=True):
        if count == 0:
            stack.append(Node((), start=start, value=lo))
        else:
            children = stack[-count:]
            del stack[-count:]
            stack.append(Node(children, start=start))
    return perm, stack[0]


def _bracket(children: Sequence[Node], split: Callable[[int, int], int]) -> Node:
    """Return a binary tree over the children, divided by `split`."""
    done: list[Node] = []
    # A range to divide, or None where its two parts are ready to be joined.
    stack: list[tuple[int, int] | None] = [(0, len(children))]
    while stack:
        item = stack.pop()
        if item is None:
            right = done.pop()
            left = done.pop()
            done.append(Node((left, right), start=left.start))
        elif item[1] - item[0] == 1:
            done.append(children[item[0]])
        else:
            middle = split(*item)
            stack += [None, (middle, item[1]), (item[0], middle)]
    return done[0]


def _left_splits(_: Node) -> Callable[[int, int], int]:
    return lambda _, end: end - 1


def _right_splits(_: Node) -> Callable[[int, int], int]:
    return lambda first, _: first + 1


def _operator_score(node: Node, gamma: float, op_score: str) -> float:
    if node.kind == "straight":
        return 1.0
    if node.kind == "inverted":
        return gamma
    return 0.0 if op_score == "binary" else order_score(node.op, op_score)


def _unreadable(text: str, why: str) -> InputError:
    shown = text if len(text) <= 60 else f"{text[:57]}..."
    return InputError(f"{shown!r} is not a tree: {why}; write (21 (12 2 3) 1)")
