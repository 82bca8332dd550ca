# SPDX-License-Identifier: Apache-2.0
"""Permutation trees with words, in brackets: ``(12 she (21 reads books))``.

Words are in source order; the operator of a node lists the ranks of its children in the
new order, so ``(21 reads books)`` becomes ``books reads``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.order.node import Node
    from tertium.preorder.model import Reordering

__all__ = ["bracketed", "tree_of"]

_ESCAPES = {"(": "-LRB-", ")": "-RRB-"}


def tree_of(reordering: Reordering) -> Node | None:
    """Return the permutation tree of a reordering; None without words.

    It is the tree that the model chose, or else the flat tree of the order.
    """
    if not reordering.order:
        return None
    if reordering.tree is not None:
        return reordering.tree
    from tertium.order.tree import PermutationTree

    return PermutationTree.flat(reordering.permutation).root


def bracketed(words: Sequence[str], reordering: Reordering) -> str:
    """Return the tree of a reordered sentence in brackets.

    Examples
    --------
    >>> from tertium.preorder import Reordering
    >>> bracketed("she reads old books".split(), Reordering((0, 2, 3, 1)))
    '(12 she (21 reads (12 old books)))'
    """
    root = tree_of(reordering)
    if root is None:
        return ""
    out: list[str] = []
    stack: list[Node | str] = [root]
    while stack:  # Trees may be as deep as there are words.
        node = stack.pop()
        if isinstance(node, str):
            out[-1] += node
        elif node.is_leaf:
            out.append("".join(_ESCAPES.get(c, c) for c in words[node.start]))
        else:
            out.append(f"({node.name}")
            stack += [")", *reversed(node.children)]
    return " ".join(out)
