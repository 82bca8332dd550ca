# SPDX-License-Identifier: Apache-2.0
"""What a model does to a language: operators, arities, words that trigger inversion.

A word triggers an inversion if it moves alone behind what follows it: the verb of
"reads books" or the preposition of "in Rome", if they become "books reads", "Rome in".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from tertium.preorder.brackets import tree_of

if TYPE_CHECKING:
    from tertium.preorder.model import Reordering

__all__ = ["Trigger", "Typology", "describe_orders"]


@dataclass(frozen=True)
class Trigger:
    """A word, how often it occurs, and how often it triggers an inversion."""

    word: str
    count: int
    inverted: int

    @property
    def share(self) -> float:
        """The share of occurrences that trigger an inversion."""
        return self.inverted / self.count


@dataclass(frozen=True)
class Typology:
    """Statistics of reordered sentences.

    Parameters
    ----------
    sentences, moved : int
        All sentences, and those with a new order.
    operators : mapping of str to int
        How often operators occur in permutation trees.
    arities : mapping of int to int
        How many sentences have an operator with so many children at most.
    triggers : tuple of Trigger
        The words that trigger most inversions first.
    """

    sentences: int
    moved: int
    operators: Mapping[str, int]
    arities: Mapping[int, int]
    triggers: tuple[Trigger, ...]

    def to_dict(self) -> dict[str, object]:
        """Return plain values."""
        return asdict(self)


def describe_orders(
    sentences: Sequence[Sequence[str]],
    reorderings: Sequence[Reordering],
    *,
    at_least: int = 1,
    most: int = 50,
) -> Typology:
    """Return statistics of reordered sentences.

    Parameters
    ----------
    sentences : sequence of sequences of str
    reorderings : sequence of Reordering
        Of the same sentences.
    at_least : int
        List only triggers that occur so often.
    most : int
        List at most so many triggers.

    Examples
    --------
    >>> from tertium.preorder import Reordering
    >>> result = describe_orders([["in", "Rome"]], [Reordering((1, 0))])
    >>> result.triggers
    (Trigger(word='in', count=1, inverted=1),)
    """
    operators: Counter[str] = Counter()
    arities: Counter[int] = Counter()
    inverted: Counter[str] = Counter()
    words = Counter(word for sentence in sentences for word in sentence)
    moved = 0
    for sentence, reordering in zip(sentences, reorderings, strict=True):
        root = tree_of(reordering)
        if root is None:
            continue
        moved += root.kind != "leaf" and reordering.order != tuple(range(len(sentence)))
        widest = 0
        stack = [root]
        while stack:
            node = stack.pop()
            stack.extend(node.children)
            if node.is_leaf:
                continue
            operators[node.name] += 1
            widest = max(widest, len(node.op))
            if node.kind == "inverted":
                inverted.update(
                    sentence[child.start]
                    for child in node.children[:-1]
                    if child.is_leaf
                )
        arities[widest] += widest > 0
    triggers = [
        Trigger(word, words[word], number)
        for word, number in inverted.most_common()
        if words[word] >= at_least
    ]
    return Typology(
        len(sentences),
        moved,
        dict(operators.most_common()),
        {arity: number for arity, number in sorted(arities.items()) if number},
        tuple(triggers[:most]),
    )
