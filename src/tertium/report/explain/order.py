# SPDX-License-Identifier: Apache-2.0
"""The order of aligned words: from matches to a permutation and its trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium import _core
from tertium.order import Permutation, PermutationForest, PermutationTree
from tertium.order.node import Node
from tertium.order.permutation import order_score, reduce_matches
from tertium.report.explain.seen import Seen, with_settings
from tertium.report.explain.views import Block, Order, Pairing

if TYPE_CHECKING:
    from tertium.metrics.order import OrderMetric

__all__ = ["make_order", "order_of", "plain_order"]

#: Scores of every permutation.
MEASURES = ("recpef", "recpet", "kendall", "spearman", "hamming", "ulam", "fuzzy")
_RECURSIVE = ("recpef", "recpet")

# Tree settings: those of the nodes shown.
_NODES = ("beta", "gamma", "op_score", "child_weight", "forest", "branching")

_Items = tuple[tuple[tuple[int, ...], int | None], ...]


def plain_order(pairing: Pairing) -> Order:
    """Return the order of the aligned words, without settings of a metric."""
    raw = [
        (*_reach(match.hyp), *_reach(match.ref), 0, 1.0) for match in pairing.matches
    ]
    return order_of(Seen(pairing, raw))


def _reach(span: tuple[int, int]) -> tuple[int, int]:
    return span[0], span[1] - span[0]


def order_of(seen: Seen, metric: OrderMetric | None = None) -> Order:
    """Return the order of the aligned words, as a metric sees it.

    Matches go by the output and expand to their words of the reference (A12 of the
    specification); by default each word with several links keeps its leftmost one.
    """
    keep, unaligned = ("leftmost", "drop")
    if metric is not None:
        keep, unaligned = metric.keep, metric.unaligned
    words = len(seen.pairing.hyp)
    reduced = reduce_matches(words, seen.raw, keep=keep, unaligned=unaligned)
    # A phrase matched with one of another length counts as a whole.
    phrases = {
        (h, r): tuple(range(match[0], match[0] + match[1]))
        for match in seen.raw
        if match[1] != match[3]
        for h in range(match[0], match[0] + match[1])
        for r in range(match[2], match[2] + match[3])
    }
    if _share_words(seen):
        phrases = {}
    items = tuple(
        (phrases.get((h, -1 if r is None else r), (h,)), r)
        for h, r in zip(reduced.hyp, reduced.ref, strict=True)
    )
    return make_order(reduced.perm, items, metric=metric)


def _share_words(seen: Seen) -> bool:
    """Whether a word is in several matches, which are then read word by word."""
    hyp = [h for match in seen.pairing.matches for h in range(*match.hyp)]
    ref = [r for match in seen.pairing.matches for r in range(*match.ref)]
    return len(set(hyp)) < len(hyp) or len(set(ref)) < len(ref)


def make_order(
    values: Sequence[int], items: _Items, *, metric: OrderMetric | None = None
) -> Order:
    """Return a permutation with its trees and scores.

    Parameters
    ----------
    values : sequence of int
        The permutation, counted from 1.
    items : tuple
        The words of the output and the word of the reference of every item.
    metric : OrderMetric, optional
        Whose settings count for the trees and for its own measure.
    """
    perm = Permutation.one_based(values)
    if not perm:
        return Order((), (), None, None, 0)
    settings = {} if metric is None else metric.kernel_settings()
    chosen = {name: settings[name] for name in _NODES if name in settings}
    forest = PermutationForest(perm)
    kernel = _core.order("recpef", **chosen)  # type: ignore[arg-type]
    flat_scores = dict(
        zip(forest.flat.nodes(order="post"), kernel.node_values(perm), strict=True)
    )
    branching = str(chosen.get("branching", "left"))
    canonical = {"left": PermutationTree.left, "right": PermutationTree.right}
    tree = canonical[branching](perm)
    of_tree = {k: chosen[k] for k in _NODES[:4] if k in chosen}
    scores = {
        name: order_score(perm, name, **(chosen if name in _RECURSIVE else {}))
        for name in MEASURES
    }
    if metric is not None:
        # The word order part of the metric.
        mixed = {"alpha": 0.0, "brevity": False}
        off = {name: mixed[name] for name in mixed if name in metric.settings}
        alone = with_settings(metric, **off)
        scores[metric.measure] = float(alone.permutation_scores([perm], threads=1)[0])
    return Order(
        tuple(perm),
        items,
        _block(forest.flat, flat_scores),
        _block(tree, tree.node_scores(**of_tree)),  # type: ignore[arg-type]
        forest.count,
        scores,
        branching,
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
