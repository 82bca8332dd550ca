# SPDX-License-Identifier: Apache-2.0
"""Which dependency relations the output kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tertium.report.explain.views import Dependencies, MatchView

__all__ = ["Mates", "kept_relations", "mates_of", "sure_links"]

#: The counterparts of words on the other side.
Mates = dict[int, set[int]]


def sure_links(matches: Iterable[MatchView]) -> list[tuple[int, int]]:
    """Return the links of matches that pair single words.

    Phrases of different lengths do not.
    """
    return [
        pair
        for match in matches
        if match.hyp[1] - match.hyp[0] == match.ref[1] - match.ref[0]
        for pair in match.pairs
    ]


def mates_of(trees: Dependencies, side: str, links: Sequence[tuple[int, int]]) -> Mates:
    """Return the counterparts of words: by links, or else by the edit script."""
    pairs = [(edit.hyp, edit.ref) for edit in trees.edits]
    mates: Mates = {}
    for linked in (links, pairs):
        known = set(mates)
        for hyp, ref in linked:
            if hyp is None or ref is None:
                continue
            word, other = (hyp, ref) if side == "hyp" else (ref, hyp)
            if word not in known:
                mates.setdefault(word, set()).add(other)
    return mates


def kept_relations(
    trees: Dependencies, side: str, links: Sequence[tuple[int, int]]
) -> list[bool]:
    """Return for every word whether a counterpart has the same head and relation.

    Heads are the same if they are counterparts, or both roots.
    """
    tree, other = (trees.hyp, trees.ref) if side == "hyp" else (trees.ref, trees.hyp)
    mates = mates_of(trees, side, links)
    kept = []
    for word, (head, relation) in enumerate(
        zip(tree.heads, tree.relations, strict=True)
    ):
        same = False
        for mate in mates.get(word, ()):
            there = other.heads[mate]
            heads = there == 0 if head == 0 else there - 1 in mates.get(head - 1, ())
            same = same or (heads and relation == other.relations[mate])
        kept.append(same)
    return kept
