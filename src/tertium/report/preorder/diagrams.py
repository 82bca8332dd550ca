# SPDX-License-Identifier: Apache-2.0
"""Diagrams of one reordered sentence: its tree, its blocks, its expectations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.report.draw.legend import draw_note
from tertium.report.draw.lettering import text_width
from tertium.report.draw.palette import GRID, MUTED, PLAIN
from tertium.report.draw.svg import Box, Canvas, Paint

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.preorder.model import Reordering

__all__ = ["draw_blocks", "draw_expectations", "draw_tree"]

_SIZE = 13.0
_GAP = 10.0
_ROW = 26.0
_APART = 64.0
_CELL = 26.0

#: Blocks that move together, in turn.
_HUES = (
    Paint("blue", stroke="#0072B2", fill="#e0eff8", ink="#004b76"),
    Paint("orange", stroke="#c77700", fill="#fdebc8", ink="#7a4900"),
    Paint("green", stroke="#00805f", fill="#d8f1e8", ink="#005a43"),
    Paint("purple", stroke="#96407a", fill="#f4e0ee", ink="#6c2a57"),
    Paint("red", stroke="#c0392b", fill="#fbe1dc", ink="#8a1f13"),
)


def draw_tree(words: Sequence[str], reordering: Reordering) -> Canvas:
    """Return the permutation tree over the source words, linked with the new order."""
    from tertium.report.explain.diagrams import draw_forest
    from tertium.report.explain.explained import Explanation
    from tertium.report.explain.order import make_order

    perm = reordering.permutation
    items = tuple(((i,), rank - 1) for i, rank in enumerate(perm))
    moved = tuple(reordering.reorder(words))
    explanation = Explanation(
        tuple(words),
        moved,
        " ".join(words),
        " ".join(moved),
        order=make_order(perm, items),
    )
    canvas = draw_forest(explanation, names=("source", "new order"))
    canvas.title = "Permutation tree: source words above, new order below"
    return canvas


def draw_blocks(words: Sequence[str], reordering: Reordering) -> Canvas:
    """Return source and new order with blocks of words that move together.

    A block is a longest run of words that stand side by side in both orders.
    """
    canvas = Canvas("Source above, new order below", " ".join(words))
    blocks = _blocks(reordering.order)
    owner = {word: number for number, block in enumerate(blocks) for word in block}
    above = _lay_out(words, range(len(words)))
    below = _lay_out(words, reordering.order)
    for number, block in enumerate(blocks):
        paint = _HUES[number % len(_HUES)] if len(blocks) > 1 else PLAIN
        (a, b), (c, d) = (
            (places[block[0]][0], places[block[-1]][1]) for places in (above, below)
        )
        ribbon = [(a, _ROW), (b, _ROW), (d, _ROW + _APART), (c, _ROW + _APART)]
        faint = Paint(paint.name, fill=paint.fill)
        canvas.polygon(ribbon, faint, title=" ".join(words[word] for word in block))
        canvas.rect(Box(a, 0, b, _ROW), paint, radius=5)
        low = _ROW + _APART
        canvas.rect(Box(c, low, d, low + _ROW), paint, radius=5)
    for places, y in ((above, _ROW / 2), (below, 1.5 * _ROW + _APART)):
        for word, (left, right) in places.items():
            paint = _HUES[owner[word] % len(_HUES)] if len(blocks) > 1 else PLAIN
            canvas.text((left + right) / 2, y, words[word], size=_SIZE, paint=paint)
    return canvas


def draw_expectations(
    words: Sequence[str],
    expectations: NDArray[np.float64],
    order: Sequence[int],
) -> Canvas:
    """Return the probabilities that words come before others as a heat map.

    Parameters
    ----------
    words : sequence of str
    expectations : ndarray
        P(word i before word j).
    order : sequence of int
        The order that was chosen; the pairs it swaps are framed.
    """
    canvas = Canvas("Probability that the word of a row precedes that of a column")
    place = {word: t for t, word in enumerate(order)}
    for i, word in enumerate(words):
        y = (i + 0.5) * _CELL
        canvas.text(-8, y, word, size=12, anchor="end")
        canvas.text(y, -8, word, size=12, anchor="start", turned=-60.0)
        for j, other in enumerate(words):
            box = Box(j * _CELL, i * _CELL, (j + 1) * _CELL, (i + 1) * _CELL)
            if i == j:
                canvas.rect(box, GRID)
                continue
            p = float(expectations[i, j])
            swapped = (i < j) != (place[i] < place[j])
            title = f"P({word} before {other}) = {p:.3f}"
            canvas.rect(box, _shade(p), title=title)
            ink = Paint("ink", ink="#ffffff" if abs(p - 0.5) > 0.35 else "#1b1f24")
            shown = f"{p:.2f}".removeprefix("0")
            canvas.text(*_middle(box), shown, size=9.5, paint=ink, bold=swapped)
            if swapped:
                inner = Box(box.left + 2, box.top + 2, box.right - 2, box.bottom - 2)
                canvas.rect(inner, Paint("frame", stroke="#1b1f24", width=1.4))
    draw_note(canvas, "blue: the row's word comes first; orange: the column's")
    draw_note(canvas, "framed: pairs that the new order swaps")
    canvas.line((0, 0), (len(words) * _CELL, len(words) * _CELL), MUTED, under=True)
    return canvas


def _blocks(order: Sequence[int]) -> list[list[int]]:
    """Return the longest runs of source words that stay side by side.

    Examples
    --------
    >>> _blocks((0, 3, 4, 1, 2))
    [[0], [3, 4], [1, 2]]
    """
    blocks: list[list[int]] = []
    for word in order:
        if blocks and blocks[-1][-1] + 1 == word:
            blocks[-1].append(word)
        else:
            blocks.append([word])
    return blocks


def _lay_out(
    words: Sequence[str], order: Sequence[int]
) -> dict[int, tuple[float, float]]:
    """Return the left and right edge of every word in a row."""
    places: dict[int, tuple[float, float]] = {}
    x = 0.0
    for word in order:
        width = text_width(words[word], _SIZE) + 2 * _GAP
        places[word] = (x, x + width)
        x += width + 4
    return places


def _middle(box: Box) -> tuple[float, float]:
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2


def _shade(p: float) -> Paint:
    """Return orange for 0, white for one half, blue for 1."""
    end = (0, 114, 178) if p > 0.5 else (199, 119, 0)
    depth = min(1.0, abs(2 * p - 1))
    mixed = (round(255 + (part - 255) * depth) for part in end)
    return Paint("heat", fill="#{:02x}{:02x}{:02x}".format(*mixed))
