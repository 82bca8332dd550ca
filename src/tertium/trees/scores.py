# SPDX-License-Identifier: Apache-2.0
"""Attachment scores: the agreement of trees with a treebank."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tertium.errors import InputError
from tertium.trees.tree import DependencyTree, base_relation

__all__ = ["Attachment", "attachment"]


@dataclass(frozen=True)
class Attachment:
    """Attachment scores, in percent of words.

    Parameters
    ----------
    words, sentences : int
    uas : float
        Words with the correct head.
    las : float
        Words with the correct head and relation.
    las_base : float
        The same without subtypes such as ``:pass``, as in the CoNLL shared tasks.
    """

    words: int
    sentences: int
    uas: float
    las: float
    las_base: float


def attachment(
    pairs: Iterable[tuple[DependencyTree, DependencyTree]],
) -> Attachment:
    """Return the scores of (predicted, gold) trees over the same words.

    Examples
    --------
    >>> gold = DependencyTree(("a", "b"), (2, 0), ("nsubj:pass", "root"))
    >>> parsed = DependencyTree(("a", "b"), (2, 0), ("nsubj", "root"))
    >>> scores = attachment([(parsed, gold)])
    >>> scores.uas, scores.las, scores.las_base
    (100.0, 50.0, 100.0)
    """
    words = sentences = heads = labels = bases = 0
    for index, (tree, gold) in enumerate(pairs):
        if len(tree) != len(gold):
            message = (
                f"sentence {index + 1} has {len(gold)} words in the treebank but "
                f"{len(tree)} in its tree; parse the words of the treebank"
            )
            raise InputError(message)
        sentences += 1
        words += len(gold)
        for head, right_head, name, right_name in zip(
            tree.heads, gold.heads, tree.deprels, gold.deprels, strict=True
        ):
            if head == right_head:
                heads += 1
                labels += name == right_name
                bases += base_relation(name) == base_relation(right_name)
    if words == 0:
        raise InputError(
            "there are no words to compare; check that files are not empty"
        )
    return Attachment(
        words,
        sentences,
        100 * heads / words,
        100 * labels / words,
        100 * bases / words,
    )
