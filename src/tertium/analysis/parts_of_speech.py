# SPDX-License-Identifier: Apache-2.0
"""Words by part of speech, where texts carry dependency trees.

Words are those of the trees. A word of an output that the reference has counts as what
it is there; any other word counts as what the tree of the output says, as in compare-mt
(Neubig et al. 2019).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np

from tertium.data.annotated import layer
from tertium.data.testset import Testset
from tertium.trees.tree import DependencyTree

__all__ = ["TagCounts", "tag_counts"]

_Words: TypeAlias = "Sequence[tuple[str, str]]"  # with their tags


@dataclass(frozen=True)
class TagCounts:
    """How many words of every part of speech systems get right.

    Attributes
    ----------
    tags : list of str
        Parts of speech, sorted.
    counts : list of array
        By system: segments x tags x (right, reference, output).
    """

    tags: list[str]
    counts: list[np.ndarray]


def tag_counts(testset: Testset) -> TagCounts | None:
    """Return words by part of speech (UPOS).

    None unless the first references and all outputs have trees with parts of speech.
    """
    columns = [_tagged(refs[0] for refs in testset.references)]
    columns += [_tagged(texts) for texts in testset.systems.values()]
    full = [column for column in columns if column is not None]
    if len(full) < len(columns):
        return None
    tags = sorted({tag for column in full for words in column for _, tag in words})
    numbers = {tag: number for number, tag in enumerate(tags)}
    counts = [
        np.array(
            [
                _count(ref, hyp, numbers)
                for ref, hyp in zip(full[0], outputs, strict=True)
            ],
            float,
        ).reshape(len(testset), len(tags), 3)
        for outputs in full[1:]
    ]
    return TagCounts(tags, counts)


def _tagged(texts: Iterable[str]) -> list[_Words] | None:
    """Return the words of every text; None unless all have trees with tags."""
    out: list[_Words] = []
    for text in texts:
        tree = cast("DependencyTree | None", layer(text, "tree"))
        if tree is None or len(tree.upos) < len(tree.forms):
            return None
        out.append(list(zip(tree.forms, tree.upos, strict=True)))
    return out


def _count(ref: _Words, hyp: _Words, numbers: Mapping[str, int]) -> np.ndarray:
    """Return (right, reference, output) by tag; equal words match from the left."""
    counts = np.zeros((len(numbers), 3))
    places: dict[str, deque[str]] = defaultdict(deque)
    for word, tag in ref:
        counts[numbers[tag], 1] += 1
        places[word].append(tag)
    for word, tag in hyp:
        match = places[word].popleft() if places.get(word) else None
        counts[numbers[tag if match is None else match], 2] += 1
        if match is not None:
            counts[numbers[match], 0] += 1
    return counts
