# SPDX-License-Identifier: Apache-2.0
"""Views as plain values for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from tertium.notes import Note
from tertium.report.explain.diagrams.blocks import count_text
from tertium.report.explain.views import (
    Block,
    Dependencies,
    Matching,
    Order,
    PathEdge,
    Paths,
)

__all__ = ["LONGEST_PATH", "plain", "plain_others"]

#: Longer paths are null: those of a text with 3,000 words took 75 MB.
LONGEST_PATH = 100

#: Larger tree counts are strings: JSON readers reject numbers with 4,000 digits.
_BITS = 13_000

_NAMES = {
    Matching: "alignment", Order: "order", Dependencies: "dependencies", Paths: "paths",
}  # fmt: skip


def plain_others(views: Any) -> list[dict[str, Any]]:
    """Return further views, each with its kind."""
    return [{"view": _NAMES[type(view)], **plain(view)} for view in views]


def plain(value: Any) -> Any:  # any view, or a JSON value
    """Return a view as JSON objects, lists and values."""
    if isinstance(value, Block):
        return _nodes(value)
    if isinstance(value, Note):
        values = plain(value.values)
        return {"code": value.code, "values": values, "text": str(value)}
    if is_dataclass(value):
        out = {f.name: plain(getattr(value, f.name)) for f in fields(value)}
        return _short(out) if isinstance(value, PathEdge) else out
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, int) and value.bit_length() > _BITS:
        return count_text(value)
    return value


def _short(edge: dict[str, Any]) -> dict[str, Any]:
    """Return an edge without illegibly long paths."""
    for side in ("hyp_path", "ref_path"):
        climbed, _, descended = edge[side]
        if len(climbed) + len(descended) > LONGEST_PATH:
            edge[side] = None
    return edge


def _nodes(root: Block) -> list[dict[str, Any]]:
    """Return the nodes of a tree in one list, parents first.

    Children are indices into the list: a deep tree must not become deep JSON.
    """
    nodes = list(root.walk())
    index = {id(node): number for number, node in enumerate(nodes)}
    return [
        {
            "start": node.start,
            "end": node.end,
            "low": node.low,
            "high": node.high,
            "kind": node.kind,
            "operator": list(node.operator),
            "score": node.score,
            "children": [index[id(child)] for child in node.children],
        }
        for node in nodes
    ]
