# SPDX-License-Identifier: Apache-2.0
"""Both dependency trees and the edit script between them.

Words and links say what DTED did: matched (blue, solid), renamed (orange, dashed) or
deleted (red, dotted, struck out). Arcs say what became of relations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tertium.report.draw.legend import Entry, draw_legend, draw_note
from tertium.report.draw.palette import STATUS
from tertium.report.draw.svg import Box, Canvas, Paint
from tertium.report.explain.diagrams.arcs import Arc, draw_arcs, label_gaps
from tertium.report.explain.diagrams.rows import Word, lay_out
from tertium.report.explain.explained import Explanation
from tertium.report.explain.relations import kept_relations
from tertium.report.explain.views import Dependencies, Tree

__all__ = ["draw_dependencies"]

_KEPT = Paint("muted", stroke="#7b848e", ink="#4c555f", width=1.1)
_CHANGED = Paint("orange", stroke="#c77700", ink="#7a4900", width=1.6, dash="5 2")
_GONE = Paint("red", stroke="#c0392b", ink="#8a1f13", width=1.2, dash="2 2")
_UNUSED = Paint("muted", stroke="#7b848e", width=1.3, dash="2 3")


def draw_dependencies(explanation: Explanation) -> Canvas:
    """Return both trees as a diagram."""
    dependencies = explanation.dependencies
    empty = Tree((), (), ())
    trees = dependencies or Dependencies(empty, empty, flat=True)
    what = "Flattened trees" if trees.flat else "Dependency trees"
    canvas = Canvas(
        f"{what} of {explanation.name}",
        "output above or left, reference below or right",
    )
    links = [] if dependencies is None else explanation.pairing(dependencies).links
    arcs = {side: _arcs(trees, side, links) for side in ("hyp", "ref")}
    words = {side: _words(trees, side) for side in ("hyp", "ref")}
    mapped = [
        (edit.hyp, edit.ref, edit.operation)
        for edit in trees.edits
        if edit.hyp is not None and edit.ref is not None
    ]
    rows = lay_out(
        words["hyp"],
        words["ref"],
        [(h, r) for h, r, _ in mapped],
        gaps=(
            label_gaps(words["hyp"], arcs["hyp"]),
            label_gaps(words["ref"], arcs["ref"]),
        ),
    )
    for hyp, ref, operation in mapped:
        status = STATUS["matched" if operation == "match" else "renamed"]
        line = Paint(status.name, status.stroke, width=status.width, dash=status.dash)
        rows.draw_link(canvas, hyp, ref, line)
    used = {(h, r) for h, r, _ in mapped}
    unused = [pair for pair in links if pair not in used]
    for h, r in unused:
        rows.draw_link(canvas, h, r, _UNUSED)
    rows.draw_words(canvas)
    for side in ("hyp", "ref"):
        draw_arcs(canvas, rows, side, arcs[side], labels="column")
    draw_legend(canvas, _legend(trees, arcs, bool(unused)))
    if trees.score is not None:
        draw_note(canvas, _note(trees))
    return canvas


def _note(trees: Dependencies) -> str:
    if len(trees.distance) == 2:
        aligned, others = trees.distance
        cost = f"{aligned} operations on aligned words, {others} on others"
    else:
        cost = f"{sum(trees.distance)} operations"
    return f"DTED {trees.variant}: {cost}; score {trees.score:.4f}"


def _words(trees: Dependencies, side: str) -> list[Word]:
    tree = trees.hyp if side == "hyp" else trees.ref
    status = trees.status(side)
    return [
        Word(word, STATUS[kind], strike=kind == "deleted", title=f"{word}: {kind}")
        for word, kind in zip(tree.words, status, strict=True)
    ]


def _arcs(
    trees: Dependencies, side: str, links: Sequence[tuple[int, int]]
) -> list[Arc]:
    tree = trees.hyp if side == "hyp" else trees.ref
    status = trees.status(side)
    kept = kept_relations(trees, side, links)
    arcs = []
    for word, (head, relation) in enumerate(
        zip(tree.heads, tree.relations, strict=True)
    ):
        paint = _KEPT if kept[word] else _CHANGED
        if status[word] == "deleted":
            paint = _GONE
        label = "" if trees.flat else relation
        arcs.append(Arc(head - 1 if head else None, word, label, paint))
    return arcs


def _legend(
    trees: Dependencies, arcs: Mapping[str, Sequence[Arc]], unused: bool
) -> list[Entry]:
    kinds = {*trees.status("hyp"), *trees.status("ref")}
    labels = {
        "matched": "matched",
        "renamed": "renamed",
        "deleted": "deleted (without a counterpart)",
    }
    entries: list[Entry] = [
        (_frame(STATUS[status]), 22, label)
        for status, label in labels.items()
        if status in kinds
    ]
    changed = any(
        arc.paint is _CHANGED for side_arcs in arcs.values() for arc in side_arcs
    )
    if changed:
        entries.append((_line(_CHANGED), 26, "other head or relation"))
    if unused:
        entries.append((_line(_UNUSED), 26, "aligned, but not mapped"))
    return entries


def _frame(paint: Paint) -> Callable[[Canvas, float, float], None]:
    return lambda canvas, x, y: canvas.rect(
        Box(x - 11, y - 7, x + 11, y + 7), paint, radius=4
    )


def _line(paint: Paint) -> Callable[[Canvas, float, float], None]:
    return lambda canvas, x, y: canvas.line((x - 13, y), (x + 13, y), paint)
