# SPDX-License-Identifier: Apache-2.0
"""The alignment matrix: output words by reference words.

Every matcher has a colour and a shape. Frames show blocks of words that stand in
another order than in the reference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tertium.report.draw.legend import Entry, draw_legend
from tertium.report.draw.lettering import shorten, text_width
from tertium.report.draw.palette import BAND, GRID, KINDS, MATCHERS, MUTED
from tertium.report.draw.svg import Box, Canvas, Paint
from tertium.report.explain.explained import Explanation
from tertium.report.explain.order import plain_order
from tertium.report.explain.views import Block, Order

__all__ = ["draw_alignment"]

_LARGE = 35
_LIMIT = 170.0


@dataclass(frozen=True)
class _Scale:
    """Sizes: of a cell, of letters, and of signs."""

    cell: float
    letters: float
    signs: float


def draw_alignment(explanation: Explanation) -> Canvas:
    """Return the matrix as a diagram."""
    hyp, ref = explanation.hyp, explanation.ref
    large = max(len(hyp), len(ref)) > _LARGE
    scale = _Scale(18.0, 11.5, 0.8) if large else _Scale(24.0, 13.0, 1.0)
    canvas = Canvas(
        f"Alignment matrix of {explanation.name}",
        f"{len(hyp)} words of the output in rows, {len(ref)} words of the reference "
        f"in columns, {len(explanation.matches)} matches",
    )
    _labels(canvas, hyp, ref, scale)
    _grid(canvas, len(hyp), len(ref), scale.cell)
    order = plain_order(explanation.pairing())
    _frames(canvas, order, scale.cell)
    for match in explanation.matches:
        for h, r in match.pairs:
            label = f"{hyp[h]} = {ref[r]} ({match.matcher})"
            x, y = (r + 0.5) * scale.cell, (h + 0.5) * scale.cell
            _sign(canvas, x, y, match.matcher, scale.signs, title=label)
    draw_legend(canvas, _legend(explanation, order))
    return canvas


def _labels(
    canvas: Canvas, hyp: tuple[str, ...], ref: tuple[str, ...], scale: _Scale
) -> None:
    cell, size = scale.cell, scale.letters
    # Turned labels keep long words apart; single letters need no turn.
    widest = max([text_width(word, size) for word in ref] or [0])
    for r, word in enumerate(ref):
        shown = shorten(word, size, _LIMIT)
        x = (r + 0.5) * cell
        if widest <= cell - 6:
            canvas.text(x, -12, shown, size=size, title=word)
        else:
            canvas.text(x, -9, shown, size=size, anchor="start", turned=-90, title=word)
    for h, word in enumerate(hyp):
        shown = shorten(word, size, _LIMIT)
        y = (h + 0.5) * cell
        canvas.text(-9, y, shown, size=size, anchor="end", title=word)
    top = -18 - (_LIMIT if widest > _LIMIT else widest)
    if widest <= cell - 6:
        top = -26
    name = "reference →" if ref else "reference → (no words)"
    if not hyp:
        canvas.text(
            -9, 12, "(no words)", size=11.5, anchor="end", italic=True, paint=MUTED
        )
    canvas.text(0, top - 8, name, size=11.5, anchor="start", paint=MUTED)
    canvas.text(-9, -12, "output ↓", size=11.5, anchor="end", paint=MUTED)


def _grid(canvas: Canvas, rows: int, columns: int, cell: float) -> None:
    wide, high = max(columns, 1) * cell, max(rows, 1) * cell
    # Every second row and column is shaded, to guide the eye.
    for row in range(1, rows, 2):
        canvas.rect(Box(0, row * cell, wide, (row + 1) * cell), BAND, under=True)
    # A text without words has one empty row or column, closed on all sides.
    for row in range(max(rows, 1) + 1):
        canvas.line((0, row * cell), (wide, row * cell), GRID, under=True)
    for column in range(max(columns, 1) + 1):
        canvas.line((column * cell, 0), (column * cell, high), GRID, under=True)


def _frames(canvas: Canvas, order: Order, cell: float) -> None:
    if order.forest is None:
        return
    for block in order.forest.walk():
        if block.kind in ("inverted", "prime"):
            paint = KINDS[block.kind]
            outline = Paint(
                paint.name, paint.stroke, width=paint.width, dash=_DASHES[block.kind]
            )
            # Frames of nested blocks must not coincide.
            inset = min(3.0, 0.8 * _depth(order.forest, block))
            _frame(canvas, _extent(order, block, cell), outline, inset)
            for child in block.children:
                if child.kind == "straight":
                    _frame(canvas, _extent(order, child, cell), MUTED, 3.5)


_DASHES = {"inverted": "6 3", "prime": ""}


def _frame(canvas: Canvas, box: Box, paint: Paint, inset: float) -> None:
    outline = Paint(
        f"{paint.name} line", paint.stroke, width=paint.width, dash=paint.dash
    )
    inner = Box(
        box.left + inset, box.top + inset, box.right - inset, box.bottom - inset
    )
    canvas.rect(inner, outline, radius=4)


def _depth(root: Block, block: Block) -> int:
    return sum(
        node.kind in ("inverted", "prime")
        for node in root.walk()
        if node.start <= block.start and block.end <= node.end and node is not block
    )


def _extent(order: Order, block: Block, cell: float) -> Box:
    items = order.items[block.start : block.end]
    hyp = [h for words, _ in items for h in words]
    ref = [r for _, r in items if r is not None]
    return Box(
        min(ref) * cell,
        min(hyp) * cell,
        (max(ref) + 1) * cell,
        (max(hyp) + 1) * cell,
    )


def _sign(
    canvas: Canvas, x: float, y: float, matcher: str, scale: float, title: str = ""
) -> None:
    name = matcher if matcher in MATCHERS else "other"
    paint, half = MATCHERS[name], 6.0 * scale
    if name == "exact":
        box = Box(x - half, y - half, x + half, y + half)
        canvas.rect(box, paint, radius=2, title=title)
    elif name == "stem":
        reach = 7.5 * scale
        points = [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]
        canvas.polygon(points, paint, title=title)
    elif name == "synonym":
        canvas.circle(x, y, 6.4 * scale, paint, title=title)
    elif name == "paraphrase":
        wide, low = 7.4 * scale, y + 5.6 * scale
        points = [(x, y - 7 * scale), (x + wide, low), (x - wide, low)]
        canvas.polygon(points, paint, title=title)
    else:
        canvas.circle(x, y, 4.5 * scale, paint, title=title)


def _legend(explanation: Explanation, order: Order) -> list[Entry]:
    used = [match.matcher for match in explanation.matches]
    entries: list[Entry] = []
    for name in dict.fromkeys([*MATCHERS, *used]):
        if name in used:
            entries.append((_signer(name), 14, _NAMES.get(name, name)))
    kinds = {block.kind for block in order.forest.walk()} if order.forest else ()
    for kind, label in (("inverted", "blocks exchanged"), ("prime", "blocks shuffled")):
        if kind in kinds:
            entries.append((_framer(kind), 18, label))
    return entries


_NAMES = {"exact": "same word", "stem": "same stem"}


def _signer(name: str) -> Callable[[Canvas, float, float], None]:
    return lambda canvas, x, y: _sign(canvas, x, y, name, 1.0)


def _framer(kind: str) -> Callable[[Canvas, float, float], None]:
    paint = KINDS[kind]
    line = Paint(
        f"{paint.name} line", paint.stroke, width=paint.width, dash=_DASHES[kind]
    )
    return lambda canvas, x, y: canvas.rect(
        Box(x - 9, y - 6, x + 9, y + 6), line, radius=3
    )
