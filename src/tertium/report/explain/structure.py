# SPDX-License-Identifier: Apache-2.0
"""Dependency trees side by side: DTED's edit script and DERP's spanning tree."""

from __future__ import annotations

from tertium.metrics.derp import Derp
from tertium.metrics.dted import Dted
from tertium.report.explain.seen import Seen
from tertium.report.explain.views import Dependencies, NodeEdit, PathEdge, Paths, Tree
from tertium.trees import DependencyTree, PathEncoding, derp, dted

__all__ = ["edit_trees", "span_trees"]

_DTED = (
    "weighting",
    "log_base",
    "cap",
    "mismatch",
    "roots",
    "binarise",
    "ignore_punct",
    "degenerate",
)
_DERP = ("ordinality", "normalise", "ignore_punct", "labels", "degenerate")


def edit_trees(seen: Seen, metric: Dted) -> Dependencies:
    """Return both trees with DTED's edit script, counted as a metric does."""
    one, other = _trees_of(seen)
    edits = dted(
        one,
        other,
        seen.pairing.links,
        variant=metric.variant,
        flat=metric.flat,
        **{name: getattr(metric, name) for name in _DTED},
    )
    distance: tuple[int, ...] = (edits.dist,)
    if edits.dist_a is not None and edits.dist_na is not None:
        distance = (edits.dist_a, edits.dist_na)
    # An excluded segment has no weight, and its score is also 0.
    zero = edits.degenerate and metric.degenerate != "keep"
    return Dependencies(
        _tree(one),
        _tree(other),
        edits.flat,
        tuple(NodeEdit(op.kind, op.hyp, op.ref) for op in edits.operations),
        edits.variant,
        distance,
        0.0 if zero else edits.score,
    )


def span_trees(seen: Seen, metric: Derp) -> Paths:
    """Return DERP's spanning tree, counted as a metric does."""
    one, other = _trees_of(seen)
    options = {name: getattr(metric, name) for name in _DERP}
    result = derp(one, other, seen.pairing.links, flat=metric.flat, **options)
    counted = {
        "spanning": result.ref_aligned - 1,
        "dependency": result.ref_words - 1,
    }
    return Paths(
        tuple(
            PathEdge(
                edge.hyp,
                edge.ref,
                _path(edge.hyp_path),
                _path(edge.ref_path),
                edge.disparity,
                edge.max_disparity,
            )
            for edge in result.edges
        ),
        metric.flat,
        result.score,
        result.degenerate,
        max(0, counted.get(metric.normalise, 0)),
    )


def _trees_of(seen: Seen) -> tuple[DependencyTree, DependencyTree]:
    if seen.trees is not None:
        return seen.trees
    words = seen.pairing
    return DependencyTree.flat(words.hyp), DependencyTree.flat(words.ref)


def _tree(tree: DependencyTree) -> Tree:
    return Tree(tree.forms, tree.heads, tree.deprels)


def _path(
    path: PathEncoding | None,
) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    if path is None:
        return (), "same word", ()
    direction = "forward" if path.direction == "α" else "backward"
    return path.chi, direction, path.omega
