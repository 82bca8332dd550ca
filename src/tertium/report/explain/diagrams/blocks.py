# SPDX-License-Identifier: Apache-2.0
"""Permutation trees and forests over the words of the output.

The forest is drawn as its flat tree (Stanojević and Sima'an 2014; the strong
intervals of the permutation): straight nodes are rounded and blue, inverted ones
pointed and orange, prime ones double-framed and red. A number in a node is the share
of order kept below it, as RECPEF counts it; nodes without one kept all of it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log10

from tertium.report.draw.legend import Entry, draw_legend, draw_note
from tertium.report.draw.lettering import text_width
from tertium.report.draw.palette import KINDS, LINK, MUTED, PLAIN, STATUS
from tertium.report.draw.svg import Box, Canvas, Paint
from tertium.report.explain.diagrams.rows import Rows, Word, lay_out
from tertium.report.explain.explained import Explanation
from tertium.report.explain.views import Block, Order

__all__ = ["count_text", "draw_forest", "draw_tree", "operator_text", "score_text"]

_SIZE = 12.0
_NODE = 22.0
_LEVEL = 46.0


def draw_forest(
    explanation: Explanation, *, names: tuple[str, str] = ("output", "reference")
) -> Canvas:
    """Return the flat tree, which represents the whole forest, as a diagram.

    `names` are the labels of both texts.
    """
    order = explanation.order
    root = order.forest if order else None
    trees = order.trees if order else 0
    what = f"Permutation forest of {explanation.name}"
    canvas = _draw(explanation, root, what, names)
    if trees > 1:
        draw_note(canvas, f"{count_text(trees)} permutation trees share this forest")
    return canvas


def draw_tree(explanation: Explanation) -> Canvas:
    """Return the canonical tree as a diagram."""
    order = explanation.order
    root = order.tree if order else None
    return _draw(explanation, root, f"Permutation tree of {explanation.name}")


def operator_text(block: Block) -> str:
    """Return the operator of a node in a short form."""
    operator = block.operator
    if len(operator) > 2 and block.kind in ("straight", "inverted"):
        return f"⟨{operator[0]} … {operator[-1]}⟩"
    if len(operator) > 8:
        shown = " ".join(map(str, operator[:4]))
        return f"⟨{shown} … {operator[-1]}⟩"
    return f"⟨{' '.join(map(str, operator))}⟩"


def count_text(number: int) -> str:
    """Return a number of trees; huge ones as a power of ten."""
    if number < 10**12:
        return f"{number:,}"
    # Not through str(), which limits digits: a permutation has very many trees.
    power = int(log10(number))
    power -= number < 10**power
    return f"{number * 10 // 10**power / 10:.1f} × 10^{power}"


def _draw(
    explanation: Explanation,
    root: Block | None,
    what: str,
    names: tuple[str, str] = ("output", "reference"),
) -> Canvas:
    order = explanation.order or Order((), (), None, None, 0)
    about = f"Permutation {' '.join(map(str, order.permutation)) or '(empty)'}"
    canvas = Canvas(what, about)
    pairing, links = explanation.pairing(order), order.links
    aligned_hyp, aligned_ref = {h for h, _ in links}, {r for _, r in links}
    rows = lay_out(
        _words(pairing.hyp, aligned_hyp),
        _words(pairing.ref, aligned_ref),
        links,
        slot=46.0,
        gap=64.0,
    )
    for h, r in links:
        rows.draw_link(canvas, h, r, LINK)
    rows.draw_words(canvas, names)
    if root is not None:
        _Drawer(canvas, rows, order).draw(root)
    kinds = {block.kind for block in root.walk()} if root else set()
    sizes = len(pairing.hyp), len(pairing.ref)
    loose = len(aligned_hyp) < sizes[0] or len(aligned_ref) < sizes[1]
    draw_legend(canvas, _legend(kinds, loose))
    return canvas


def _words(words: tuple[str, ...], aligned: set[int]) -> list[Word]:
    loose = STATUS["deleted"]
    return [
        Word(word, PLAIN if index in aligned else loose)
        for index, word in enumerate(words)
    ]


class _Drawer:
    """Places the nodes of a tree above (or left of) the words."""

    def __init__(self, canvas: Canvas, rows: Rows, order: Order) -> None:
        self.canvas = canvas
        self.rows = rows
        self.leaves = _leaf_places(rows, order)
        self.order = order

    def draw(self, root: Block) -> None:
        nodes = list(root.walk())
        level: dict[int, int] = {}
        middle: dict[int, float] = {}
        for node in reversed(nodes):  # children before parents
            if not node.children:
                level[id(node)] = 0
                middle[id(node)] = self.leaves[node.start]
                continue
            middles = [middle[id(child)] for child in node.children]
            level[id(node)] = 1 + max(level[id(child)] for child in node.children)
            middle[id(node)] = (middles[0] + middles[-1]) / 2
        pitch = _LEVEL
        if self.rows.upright:
            widest = max([_label_width(node) for node in nodes if node.children] or [0])
            pitch = widest + 34
        base = self.rows.outer("hyp") - (18 if self.rows.upright else 14)
        step = {
            number: base - (20 + (number - 0.5) * pitch if number else 0)
            for number in range(max(level.values()) + 1)
        }
        if self.rows.upright and len(step) > 1:
            step = {
                number: base - (number * pitch - pitch / 2 + 14 if number else 0)
                for number in step
            }
        places = {id(node): (middle[id(node)], step[level[id(node)]]) for node in nodes}
        for node in nodes:
            if node.children:
                self._branches(node, places)
        for node in nodes:
            if node.children:
                self._node(node, *places[id(node)])
            else:
                along, across = places[id(node)]
                x, y = self.rows.at(along, across)
                value = str(node.low)
                self.canvas.text(x, y, value, size=11.0, paint=MUTED, bold=True)
                if self.rows.upright:
                    self._leader(node, along, across)

    def _leader(self, node: Block, along: float, across: float) -> None:
        """Connect a rank to its word if they are not aligned."""
        words = self.order.items[node.start][0]
        edge = min(self.rows.box("hyp", h).left for h in words)
        if edge - across > 24:
            dots = Paint("faint", stroke="#c9cfd6", width=1.0, dash="1 3")
            self.canvas.line((across + 12, along), (edge - 4, along), dots, under=True)

    def _branches(self, node: Block, places: dict[int, tuple[float, float]]) -> None:
        paint = Paint(
            KINDS[node.kind].name, KINDS[node.kind].stroke, width=KINDS[node.kind].width
        )
        along, across = places[id(node)]
        half = _label_width(node) / 2 if self.rows.upright else _NODE / 2
        bus = across + half + (9 if self.rows.upright else 8)
        ends = []
        for child in node.children:
            to, below = places[id(child)]
            if child.children:
                edge = _label_width(child) / 2 if self.rows.upright else _NODE / 2
            else:
                edge = 11.0 if self.rows.upright else 8.0
            ends.append((to, below - edge))
        self._segment((along, across + half), (along, bus), paint)
        self._segment((ends[0][0], bus), (ends[-1][0], bus), paint)
        for to, edge in ends:
            self._segment((to, bus), (to, edge), paint)

    def _segment(
        self, start: tuple[float, float], end: tuple[float, float], paint: Paint
    ) -> None:
        self.canvas.line(self.rows.at(*start), self.rows.at(*end), paint, under=True)

    def _node(self, node: Block, along: float, across: float) -> None:
        x, y = self.rows.at(along, across)
        draw_node(self.canvas, x, y, node)


def draw_node(canvas: Canvas, x: float, y: float, node: Block) -> None:
    """Draw a node with its middle at a point."""
    paint = KINDS[node.kind]
    half, high = _label_width(node) / 2, _NODE / 2
    box = Box(x - half, y - high, x + half, y + high)
    title = f"{node.kind} node over {len(node)} words, score {node.score:.4f}"
    if node.kind == "straight":
        canvas.rect(box, paint, radius=high, title=title)
    elif node.kind == "inverted":
        tip = 8.0
        canvas.polygon(
            [
                (box.left, y),
                (box.left + tip, box.top),
                (box.right - tip, box.top),
                (box.right, y),
                (box.right - tip, box.bottom),
                (box.left + tip, box.bottom),
            ],
            paint,
            title=title,
        )
    else:
        canvas.rect(box, paint, title=title)
        inner = Paint(f"{paint.name} line", paint.stroke, width=0.8)
        canvas.rect(
            Box(box.left + 3, box.top + 3, box.right - 3, box.bottom - 3), inner
        )
    operator, score = operator_text(node), score_text(node)
    if not score:
        canvas.text(x, y, operator, size=_SIZE, paint=paint, bold=True)
        return
    wide = text_width(operator, _SIZE, bold=True)
    left = x - (wide + 6 + text_width(score, 10.5)) / 2
    middle = left + wide / 2
    canvas.text(middle, y, operator, size=_SIZE, paint=paint, bold=True)
    canvas.text(left + wide + 6, y, score, size=10.5, anchor="start", paint=paint)


def score_text(node: Block) -> str:
    """Return the score of a node; an empty string if its order was kept."""
    if node.score >= 0.9995:
        return ""
    # Never round to 1 if the order was not kept.
    return f"{node.score:.2f}" if node.score < 0.995 else f"{node.score:.3f}"


def _label_width(node: Block) -> float:
    width = text_width(operator_text(node), _SIZE, bold=True) + 20
    score = score_text(node)
    return width + (6 + text_width(score, 10.5) if score else 0)


def _leaf_places(rows: Rows, order: Order) -> list[float]:
    """Return the position of every permutation item along the text.

    Items that share words (a phrase matched with a longer one) are spread over them.
    """
    places: list[float] = []
    start = 0
    while start < len(order.items):
        words = order.items[start][0]
        end = start + 1
        while end < len(order.items) and order.items[end][0] == words:
            end += 1
        low = min(rows.hyp.middles[h] for h in words)
        high = max(rows.hyp.middles[h] for h in words)
        size = end - start
        if size > 1 and low == high:
            reach = 16.0 if not rows.upright else 9.0
            low, high = low - reach * (size - 1) / 2, high + reach * (size - 1) / 2
        for number in range(size):
            share = number / (size - 1) if size > 1 else 0.5
            places.append(low + (high - low) * share)
        start = end
    return places


def _legend(kinds: set[str], loose: bool) -> list[Entry]:
    entries: list[Entry] = []
    labels = {
        "straight": "straight: order kept",
        "inverted": "inverted: blocks exchanged",
        "prime": "prime: blocks shuffled",
    }
    for kind, label in labels.items():
        if kind in kinds:
            entries.append((_sample(kind), 26, label))
    if loose:
        entries.append((_loose, 22, "not aligned"))
    return entries


def _sample(kind: str) -> Callable[[Canvas, float, float], None]:
    paint = KINDS[kind]

    def draw(canvas: Canvas, x: float, y: float) -> None:
        box = Box(x - 13, y - 7, x + 13, y + 7)
        if kind == "straight":
            canvas.rect(box, paint, radius=7)
        elif kind == "inverted":
            points = [(x - 13, y), (x - 7, y - 7), (x + 7, y - 7)]
            points += [(x + 13, y), (x + 7, y + 7), (x - 7, y + 7)]
            canvas.polygon(points, paint)
        else:
            canvas.rect(box, paint)
            inner = Paint(f"{paint.name} line", paint.stroke, width=0.8)
            canvas.rect(Box(x - 10, y - 4, x + 10, y + 4), inner)

    return draw


def _loose(canvas: Canvas, x: float, y: float) -> None:
    canvas.rect(Box(x - 11, y - 7, x + 11, y + 7), STATUS["deleted"], radius=4)
