# SPDX-License-Identifier: Apache-2.0
"""The order of aligned words: from matches to a permutation and its trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tertium import _core
from tertium.order import Permutation, PermutationForest, PermutationTree
from tertium.order.node import Node
from tertium.order.permutation import order_score
from tertium.report.views import Block, MatchView, Order

__all__ = ["make_order", "order_of"]

#: What is said of every permutation, beside its trees.
MEASURES = ("recpef", "recpet", "kendall", "spearman", "hamming", "ulam", "fuzzy")

_Items = tuple[tuple[tuple[int, ...], int], ...]


def order_of(
    matches: Sequence[MatchView], *, settings: Mapping[str, float | str] | None = None
) -> Order:
    """Return the order of the aligned words.

    Matches go by the output and expand to their words of the reference (A12 of the
    specification); where links give a word several counterparts, each word of the
    output keeps its leftmost link and ties keep their order.
    """
    items: list[tuple[tuple[int, ...], int]] = []
    for match in sorted(matches, key=lambda match: match.hyp):
        hyp, ref = range(*match.hyp), range(*match.ref)
        if len(hyp) == len(ref):
            items += [((h,), r) for h, r in zip(hyp, ref, strict=True)]
        else:
            items += [(tuple(hyp), r) for r in ref]
    refs = [r for _, r in items]
    firsts = [match.hyp[0] for match in matches]
    if len(set(refs)) < len(refs) or len(set(firsts)) < len(firsts):
        first: dict[int, int] = {}
        for words, r in items:
            for h in words:
                first[h] = min(r, first.get(h, r))
        items = [((h,), first[h]) for h in sorted(first)]
    # Equal references keep the order of the output: the sort is stable.
    by_ref = sorted(range(len(items)), key=lambda i: items[i][1])
    values = [0] * len(items)
    for rank, place in enumerate(by_ref, start=1):
        values[place] = rank
    return make_order(values, tuple(items), settings=settings)


def make_order(
    values: Sequence[int],
    items: _Items,
    *,
    settings: Mapping[str, float | str] | None = None,
) -> Order:
    """Return a permutation with its trees and scores.

    Parameters
    ----------
    values : sequence of int
        The permutation, counted from 1.
    items : tuple
        The words of the output and the word of the reference of every item.
    settings : mapping, optional
        `beta`, `gamma` and `op_score` of the recursive scores.
    """
    perm = Permutation.one_based(values)
    if not perm:
        return Order((), (), None, None, 0)
    chosen = dict(settings or {})
    forest = PermutationForest(perm)
    kernel = _core.order("recpef", **chosen)  # type: ignore[arg-type]
    flat_scores = dict(
        zip(forest.flat.nodes(order="post"), kernel.node_values(perm), strict=True)
    )
    left = PermutationTree.left(perm)
    left_scores = left.node_scores(**chosen)  # type: ignore[arg-type]
    recursive = ("recpef", "recpet")
    return Order(
        tuple(perm),
        items,
        _block(forest.flat, flat_scores),
        _block(left, left_scores),
        forest.count,
        {
            name: order_score(perm, name, **(chosen if name in recursive else {}))
            for name in MEASURES
        },
    )


def _block(tree: PermutationTree, scores: Mapping[Node, float]) -> Block:
    made: dict[int, Block] = {}
    for node in tree.nodes(order="post"):
        size = len(node.children)
        operator: tuple[int, ...] = node.op
        # A merged node shows all its children.
        if node.kind == "straight":
            operator = tuple(range(1, size + 1))
        elif node.kind == "inverted":
            operator = tuple(range(size, 0, -1))
        made[id(node)] = Block(
            node.start,
            node.end,
            node.lo,
            node.hi,
            node.kind,
            operator,
            tuple(made.pop(id(child)) for child in node.children),
            scores[node],
        )
    return made[id(tree.root)]
