# SPDX-License-Identifier: Apache-2.0
"""Sampled orders and derivations of a reordering grammar, as results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Derivation", "SampledOrder", "TreeNode"]


@dataclass(frozen=True)
class SampledOrder:
    """An order and how often it was sampled."""

    order: tuple[int, ...]
    count: int

    def to_dict(self) -> dict[str, object]:
        """Return plain values."""
        return {"order": list(self.order), "count": self.count}


@dataclass(frozen=True)
class TreeNode:
    """A node of a derivation.

    Parameters
    ----------
    start, end : int
        Its words, counted from 0, half open.
    label : str
        Its state, such as ``P21_4``; empty for a terminal.
    children : tuple of TreeNode
        From left to right in the source.
    """

    start: int
    end: int
    label: str = ""
    children: tuple[TreeNode, ...] = ()

    def bracketed(self, words: Sequence[str]) -> str:
        """Return the tree as text.

        Examples
        --------
        >>> tree = TreeNode(0, 2, "P21_0", (TreeNode(0, 1), TreeNode(1, 2)))
        >>> tree.bracketed(["reads", "books"])
        '(P21_0 reads books)'
        """
        if not self.children:
            return "_".join(words[self.start : self.end])
        parts = " ".join(child.bracketed(words) for child in self.children)
        return f"({self.label} {parts})"


@dataclass(frozen=True)
class Derivation:
    """One derivation of a sentence.

    Parameters
    ----------
    log_probability : float
        Of the derivation with its words and states.
    order : tuple of int
        The order that it gives.
    trees : tuple of TreeNode
        One tree; several in a row if the grammar does not derive the whole sentence.
    """

    log_probability: float
    order: tuple[int, ...]
    trees: tuple[TreeNode, ...]

    def bracketed(self, words: Sequence[str]) -> str:
        """Return its trees as text."""
        return " ".join(tree.bracketed(words) for tree in self.trees)

    def to_dict(self, words: Sequence[str]) -> dict[str, object]:
        """Return plain values, the tree as text."""
        return {
            "log_probability": self.log_probability,
            "order": list(self.order),
            "tree": self.bracketed(words),
        }


def trees_of(
    rows: Sequence[tuple[int, int, int, int, int]], names: Sequence[str]
) -> tuple[TreeNode, ...]:
    """Return the trees of rows of the core: start, end, operator, split, children.

    Parents come first; `names` are those of the operators.
    """
    done: list[TreeNode] = []
    # From the last row, the children of a node are the last trees.
    for start, end, operator, split, count in reversed(rows):
        children = tuple(done[len(done) - count :][::-1])
        del done[len(done) - count :]
        label = f"{names[operator]}_{split}" if operator >= 0 else ""
        done.append(TreeNode(start, end, label, children))
    return tuple(reversed(done))
