# SPDX-License-Identifier: Apache-2.0
"""Dependency trees side by side: DTED's edit script and DERP's spanning tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tertium.errors import InputError
from tertium.metrics.base import Metric
from tertium.report.views import (
    Dependencies,
    MatchView,
    NodeEdit,
    PathEdge,
    Paths,
    Tree,
)
from tertium.trees import DependencyTree, PathEncoding, derp, dted

__all__ = ["compare_trees"]

_DTED = (
    "weighting",
    "log_base",
    "cap",
    "mismatch",
    "roots",
    "binarise",
    "ignore_punct",
)
_DERP = ("ordinality", "normalise", "ignore_punct", "labels", "degenerate")


def compare_trees(
    given: tuple[object, object],
    words: tuple[tuple[str, ...], tuple[str, ...]],
    *,
    matches: Sequence[MatchView],
    metrics: Mapping[str, Metric],
    variant: str | None,
) -> tuple[Dependencies, Paths]:
    """Return both trees with DTED's edit script, and DERP's spanning tree.

    Parameters
    ----------
    given : pair of DependencyTree or None
        Flattened trees stand in where there are none.
    words : pair of tuples of str
    matches : sequence of MatchView
    metrics : mapping of spec to Metric
        The settings of the first ``dted`` and ``derp`` among them are used.
    variant : str or None
        Of DTED, instead.
    """
    hyp, ref = given
    if (hyp is None) != (ref is None):
        missing = "output" if hyp is None else "reference"
        message = (
            f"only one of the texts has a dependency tree, the {missing} has none; "
            "give CoNLL-U files for both (--trees and --ref-trees), or name a parser"
        )
        raise InputError(message)
    flat = hyp is None
    one = hyp if isinstance(hyp, DependencyTree) else DependencyTree.flat(words[0])
    other = ref if isinstance(ref, DependencyTree) else DependencyTree.flat(words[1])
    links = [pair for match in matches for pair in match.pairs]
    chosen = _first(metrics, "dted")
    options = _settings(chosen, _DTED)
    edits = dted(
        one,
        other,
        links,
        variant=variant or str(getattr(chosen, "variant", "cl")),
        flat=flat,
        **options,
    )
    distance = (edits.dist,)
    if edits.dist_a is not None and edits.dist_na is not None:
        distance = (edits.dist_a, edits.dist_na)  # type: ignore[assignment]
    dependencies = Dependencies(
        _tree(one),
        _tree(other),
        flat,
        tuple(NodeEdit(op.kind, op.hyp, op.ref) for op in edits.operations),
        edits.variant,
        distance,
        edits.score,
    )
    chosen = _first(metrics, "derp")
    result = derp(one, other, links, flat=flat, **_settings(chosen, _DERP))
    paths = Paths(
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
        flat,
        result.score,
        result.degenerate,
        str(getattr(chosen, "normalise", "max")),
    )
    return dependencies, paths


def _settings(metric: Metric | None, names: Sequence[str]) -> dict[str, Any]:
    """Return settings of the metric that is explained, so that figures agree."""
    return {name: getattr(metric, name) for name in names if hasattr(metric, name)}


def _first(metrics: Mapping[str, Metric], name: str) -> Metric | None:
    return next((metric for metric in metrics.values() if metric.name == name), None)


def _tree(tree: DependencyTree) -> Tree:
    return Tree(tree.forms, tree.heads, tree.deprels)


def _path(
    path: PathEncoding | None,
) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    if path is None:
        return (), "same word", ()
    direction = "forward" if path.direction == "α" else "backward"
    return path.chi, direction, path.omega
