# SPDX-License-Identifier: Apache-2.0
"""McCaffery 2017: the trees and alignments of its worked examples.

Figures are drawings, so trees are rebuilt from prose and tables. Links are counted
from 1, as printed.
"""

from __future__ import annotations

from dataclasses import dataclass

from tertium.trees import DependencyTree

__all__ = [
    "BUNNY",
    "CELLIST",
    "CELLIST_USUAL",
    "EGGS",
    "HOLMES",
    "JANE",
    "JANE_CHAINS",
    "RABBIT",
    "SHERLOCK",
    "TreePair",
    "links_of",
    "tree_of",
]


@dataclass(frozen=True)
class TreePair:
    """An output, its reference, and their alignment."""

    hyp: DependencyTree
    ref: DependencyTree
    links: str

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The links, counted from 0."""
        return links_of(self.links)


def tree_of(words: str, heads: str, labels: str = "") -> DependencyTree:
    """Return a tree from words, heads (from 1, 0 for the root) and labels."""
    forms = tuple(words.split())
    relations = tuple(labels.split()) or ("dep",) * len(forms)
    return DependencyTree(forms, tuple(map(int, heads.split())), relations)


def links_of(text: str) -> list[tuple[int, int]]:
    """Return links such as ``1-2 2-1``, counted from 0.

    Examples
    --------
    >>> links_of("1-2 2-1")
    [(0, 1), (1, 0)]
    """
    pairs = (link.split("-") for link in text.split())
    return [(int(h) - 1, int(r) - 1) for h, r in pairs]


#: Figure 4.5, with the usual trees and as chains.
JANE = TreePair(
    tree_of("They told Jane", "2 0 2"), tree_of("Jane was informed", "2 0 2"), "3-1"
)
JANE_CHAINS = TreePair(
    tree_of("They told Jane", "0 1 2"), tree_of("Jane was informed", "0 1 2"), "3-1"
)
_CELLIST = tree_of(
    "The cellist of Mälkki began career .",
    "2 5 2 3 0 5 5",
    "det nsubj prep pobj root dobj punct",
)
#: Figure 4.7; the heads of Ms and Mälkki as the printed mappings need them.
CELLIST = TreePair(
    _CELLIST,
    tree_of(
        "Ms Mälkki started her career as a cellist .",
        "3 3 0 5 3 3 8 6 3",
        "dep nsubj root poss dobj prep det pobj punct",
    ),
    "4-2 5-3 6-5 7-9 2-8",
)
#: The same with Ms under Mälkki, as parsers have it.
CELLIST_USUAL = TreePair(
    _CELLIST,
    tree_of("Ms Mälkki started her career as a cellist .", "2 3 0 5 3 3 8 6 3"),
    CELLIST.links,
)
#: Figure 4.6, flattened.
RABBIT = TreePair(
    tree_of("One rabbit was very happy", "0 1 2 3 4"),
    tree_of("He was one happy bunny", "0 1 2 3 4"),
    "1-3 3-2 5-4",
)
#: Figures 5.1, 5.2 and 5.6, table 5.1.
SHERLOCK = TreePair(
    tree_of("a Sherlock becomes the detective", "2 3 0 5 3", "DET NSUBJ ROOT DET DOBJ"),
    tree_of(
        "the detective is becoming a Sherlock Holmes",
        "2 4 4 0 6 7 4",
        "DET NSUBJ AUX ROOT DET CMP DOBJ",
    ),
    "4-1 5-2 3-3 3-4 1-5 2-6",
)
#: Figure 5.4.
HOLMES = TreePair(
    tree_of("Sherlock a Holmes", "3 1 0", "CMP DET ROOT"),
    tree_of("a Sherlock Holmes", "2 3 0", "DET CMP ROOT"),
    "2-1 1-2 3-3",
)
#: Figure 5.8: trees and their aligned words.
EGGS = (
    tree_of(
        "The kids had been searching for eggs",
        "2 5 5 5 0 5 6",
        "DET NSUBJ A B ROOT C D",
    ),
    "2 3 4 6",
)
BUNNY = (
    tree_of(
        "One child was a very happy bunny", "2 7 7 7 6 7 0", "DET NSUBJ A B C D ROOT"
    ),
    "2 3 4 7",
)
