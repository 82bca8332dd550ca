# SPDX-License-Identifier: Apache-2.0
"""Ordered trees with labels, in several notations."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import count, pairwise
from typing import TypeAlias

from tertium import _core
from tertium.errors import InputError

__all__ = ["LabelledTree", "Nested"]

Nested: TypeAlias = "tuple[Hashable, Sequence[Nested]] | list[object]"

# Equal labels get equal numbers as long as they are in the same table. A large table
# is left to the trees that use it, so that its memory is freed with them.
_MOST_LABELS = 1_000_000


class LabelledTree:
    """An ordered tree, or forest, whose nodes have labels.

    Nodes are counted from 0; children are ordered by number, and so are roots.

    Parameters
    ----------
    labels : sequence of hashable objects
        The label of each node; equal labels match.
    parents : sequence of int
        The parent of each node, -1 for a root.

    Raises
    ------
    InputError
        If the parents do not form a tree; the message names the node.

    Examples
    --------
    >>> LabelledTree(["a", "b", "c"], [-1, 0, 0])
    LabelledTree.from_brackets('{a{b}{c}}')
    >>> LabelledTree.from_nested(("a", [("b", []), ("c", [])])).parents
    (-1, 0, 0)
    """

    __slots__ = ("_native", "_table", "labels", "parents")

    labels: tuple[Hashable, ...]
    parents: tuple[int, ...]

    def __init__(self, labels: Sequence[Hashable], parents: Sequence[int]) -> None:
        self.labels = tuple(labels)
        self.parents = tuple(parents)
        if len(self.labels) != len(self.parents):
            message = (
                f"{len(self.labels)} labels, {len(self.parents)} parents; give each "
                "node a label and a parent, -1 for a root"
            )
            raise InputError(message)
        self._table, numbers = _numbers(self.labels)
        self._native = _make_native(self.labels, self.parents, numbers)

    @classmethod
    def from_parents(
        cls, labels: Sequence[Hashable], parents: Sequence[int]
    ) -> LabelledTree:
        """Return the tree of labels and parents, -1 for a root."""
        return cls(labels, parents)

    @classmethod
    def from_adjacency(
        cls, labels: Sequence[Hashable], children: Sequence[Sequence[int]]
    ) -> LabelledTree:
        """Return the tree of labels and lists of children, as in edist.

        Examples
        --------
        >>> LabelledTree.from_adjacency("abc", [[1, 2], [], []])
        LabelledTree.from_brackets('{a{b}{c}}')
        """
        parents = [-1] * len(labels)
        for node, below in enumerate(children):
            for before, child in pairwise([-1, *below]):
                if not 0 <= child < len(labels) or parents[child] != -1:
                    message = (
                        f"child {child} of node {node} does not exist or has another "
                        "parent; give each node except roots one parent"
                    )
                    raise InputError(message)
                if child < before:
                    message = (
                        f"children {before} and {child} of node {node} are not in "
                        "ascending order; number nodes depth first, from left to right"
                    )
                    raise InputError(message)
                parents[child] = node
        return cls(labels, parents)

    @classmethod
    def from_nested(cls, nested: Nested) -> LabelledTree:
        """Return the tree of nested pairs of a label and a list of children.

        Nodes are numbered from left to right, parents before children.
        """
        labels: list[Hashable] = []
        parents: list[int] = []
        todo: list[tuple[object, int]] = [(nested, -1)]
        while todo:
            item, parent = todo.pop()
            if (
                not isinstance(item, (tuple, list))
                or len(item) != 2
                or not isinstance(item[1], (tuple, list))
            ):
                message = (
                    f"node {len(labels)} is {item!r:.60}, not a pair of a label and a "
                    'list of children; write a leaf as ("a", [])'
                )
                raise InputError(message)
            parents.append(parent)
            labels.append(item[0])
            node = len(labels) - 1
            todo.extend((child, node) for child in reversed(item[1]))
        return cls(labels, parents)

    @classmethod
    def from_brackets(cls, text: str) -> LabelledTree:
        r"""Return the tree of a text like ``{a{b}{c}}``, as apted reads it.

        White space around braces is ignored (apted keeps it in labels). ``\{``,
        ``\}`` and ``\\`` are the characters themselves. Several trees in a row are a
        forest.
        """
        labels: list[str] = []
        parents: list[int] = []
        path: list[int] = []
        label: list[str] = []
        closed = True  # whether the label of the innermost node is complete

        def finish(at: int) -> None:
            written = "".join(label).strip()
            label.clear()
            if not closed:
                labels[path[-1]] = written
            elif written:
                message = (
                    f"{written!r} before character {at} of {text!r:.60} is not in a "
                    "node; write {label{child}{child}}"
                )
                raise InputError(message)

        at = 0
        while at < len(text):
            char = text[at]
            if char == "\\" and text[at + 1 : at + 2] in ("{", "}", "\\"):
                at += 1
                label.append(text[at])
            elif char == "{":
                finish(at)
                parents.append(path[-1] if path else -1)
                path.append(len(labels))
                labels.append("")
                closed = False
            elif char == "}":
                if not path:
                    message = (
                        f"character {at} of {text!r:.60} closes no node; write as many "
                        "{ as }"
                    )
                    raise InputError(message)
                finish(at)
                path.pop()
                closed = True
            else:
                label.append(char)
            at += 1
        finish(at)
        if path:
            message = (
                f"{text!r:.60} ends with {len(path)} open nodes; close each with }}"
            )
            raise InputError(message)
        return cls(labels, parents)

    def native(self, other: LabelledTree | None = None) -> _core.LabelledForest:
        """Return the tree for the core, with labels numbered as in another tree."""
        if other is None or other._table is self._table:
            return self._native
        numbers = [other._table[label] for label in self.labels]
        return _make_native(self.labels, self.parents, numbers)

    def __len__(self) -> int:
        return len(self.labels)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LabelledTree)
            and self.labels == other.labels
            and self.parents == other.parents
        )

    def __hash__(self) -> int:
        return hash((self.labels, self.parents))

    def __reduce__(self) -> tuple[object, ...]:
        return LabelledTree, (self.labels, self.parents)

    def __repr__(self) -> str:
        return f"LabelledTree.from_brackets({self.brackets!r})"

    @property
    def brackets(self) -> str:
        """The tree as a text like ``{a{b}{c}}``."""
        children: list[list[int]] = [[] for _ in self.labels]
        roots: list[int] = []
        for node, parent in enumerate(self.parents):
            (roots if parent < 0 else children[parent]).append(node)
        out: list[str] = []
        todo: list[int | None] = [*reversed(roots)]
        while todo:
            node_or_end = todo.pop()
            if node_or_end is None:
                out.append("}")
                continue
            label = str(self.labels[node_or_end])
            for char in "\\{}":
                label = label.replace(char, "\\" + char)
            out.append("{" + label)
            todo += [None, *reversed(children[node_or_end])]
        return "".join(out)


class _Table(dict[Hashable, int]):
    """Numbers of labels; safe for several threads."""

    def __init__(self) -> None:
        self._count = count()

    def __missing__(self, label: Hashable) -> int:
        # Numbers may be skipped, but two labels never share one.
        return self.setdefault(label, next(self._count))


_tables = [_Table()]


def _numbers(labels: tuple[Hashable, ...]) -> tuple[_Table, list[int]]:
    table = _tables[0]
    if len(table) > _MOST_LABELS:
        table = _tables[0] = _Table()
    try:
        return table, [table[label] for label in labels]
    except TypeError as error:
        message = f"a label cannot be compared: {error}; use texts, numbers or tuples"
        raise InputError(message) from None


def _make_native(
    labels: tuple[Hashable, ...], parents: tuple[int, ...], numbers: list[int]
) -> _core.LabelledForest:
    try:
        return _core.LabelledForest([parent + 1 for parent in parents], numbers)
    except (ValueError, TypeError):
        raise InputError(_fault(labels, parents)) from None


def _fault(labels: tuple[Hashable, ...], parents: tuple[int, ...]) -> str:
    cure = "parents must form a tree: nodes counted from 0, -1 for a root"
    for node, parent in enumerate(parents):
        if not isinstance(parent, int) or not -1 <= parent < len(parents):
            return f"node {node} ({labels[node]!r}) has parent {parent!r}; {cure}"
    fault = _core.tree_fault([parent + 1 for parent in parents])
    node, reason = fault or (0, "cannot be read")
    return f"node {node} ({labels[node]!r}) {reason}; {cure}"
