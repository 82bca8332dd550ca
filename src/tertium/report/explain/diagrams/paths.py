# SPDX-License-Identifier: Apache-2.0
"""DERP's spanning tree over the aligned words.

Arcs below the reference are the edges of the spanning tree with their cost, as
cost/limit; arcs above the output are the edges they stand for there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tertium.report.draw.legend import Entry, draw_legend, draw_note
from tertium.report.draw.palette import FAINT, LINK, PLAIN
from tertium.report.draw.svg import Canvas, Paint
from tertium.report.explain.diagrams.arcs import Arc, draw_arcs, label_gaps
from tertium.report.explain.diagrams.rows import Word, lay_out
from tertium.report.explain.explained import Explanation
from tertium.report.explain.views import PathEdge, Paths

__all__ = ["draw_paths"]

_FREE = Paint("blue", stroke="#0072B2", ink="#004b76", width=1.2)
_SOME = Paint("orange", stroke="#c77700", ink="#7a4900", width=1.8, dash="6 3")
_MUCH = Paint("red", stroke="#c0392b", ink="#8a1f13", width=2.4)


def draw_paths(explanation: Explanation) -> Canvas:
    """Return the spanning tree as a diagram."""
    paths = explanation.paths or Paths((), flat=True, score=1.0, degenerate=True)
    canvas = Canvas(
        f"DERP spanning tree of {explanation.name}",
        "arcs join aligned words; labels give the cost of each edge and its limit",
    )
    pairing = explanation.pairing(paths)
    links = pairing.links
    hyp = _words(pairing.hyp, {h for h, _ in links})
    ref = _words(pairing.ref, {r for _, r in links})
    above = _unique(
        Arc(edge.hyp[0], edge.hyp[1], "", _paint(edge), arrow=False)
        for edge in paths.edges
        if edge.hyp[0] != edge.hyp[1]
    )
    below = _unique(
        Arc(
            edge.ref[0],
            edge.ref[1],
            # Two words of the reference with one counterpart: nothing to compare.
            f"{edge.cost:g}/{edge.limit:g}" if edge.limit else "shared",
            _paint(edge),
            arrow=False,
        )
        for edge in paths.edges
        if edge.ref[0] != edge.ref[1]
    )
    rows = lay_out(
        hyp,
        ref,
        links,
        gaps=(label_gaps(hyp, above), label_gaps(ref, below)),
    )
    for h, r in links:
        rows.draw_link(canvas, h, r, LINK)
    rows.draw_words(canvas)
    draw_arcs(canvas, rows, "hyp", above)
    draw_arcs(canvas, rows, "ref", below)
    draw_legend(canvas, _legend(paths))
    draw_note(canvas, _note(paths))
    return canvas


def _note(paths: Paths) -> str:
    what = "DERP of flattened trees" if paths.flat else "DERP"
    return f"{what}: {paths.equation}"


def _words(words: tuple[str, ...], aligned: set[int]) -> list[Word]:
    return [
        Word(word, PLAIN if index in aligned else FAINT)
        for index, word in enumerate(words)
    ]


def _unique(arcs: Iterable[Arc]) -> list[Arc]:
    # Two edges of the reference may correspond to one of the output.
    return list({arc.span: arc for arc in arcs}.values())


def _paint(edge: PathEdge) -> Paint:
    if edge.cost == 0:
        return _FREE
    return _SOME if edge.cost < edge.limit / 2 else _MUCH


def _legend(paths: Paths) -> list[Entry]:
    used = {_paint(edge).name for edge in paths.edges}
    labels = (
        (_FREE, "same path in both"),
        (_SOME, "costs less than half of its limit"),
        (_MUCH, "costs half or more"),
    )
    return [(_line(paint), 26, label) for paint, label in labels if paint.name in used]


def _line(paint: Paint) -> Callable[[Canvas, float, float], None]:
    return lambda canvas, x, y: canvas.line((x - 13, y), (x + 13, y), paint)
