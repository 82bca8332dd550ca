# SPDX-License-Identifier: Apache-2.0
"""Output and reference as two rows of words with links between them.

Short texts stand in two lines, the output above. Where lines would be too long for
a page, the rows become two columns: a position *along* the text is then y, a
distance *across* it is x. Trees and arcs are drawn on the outer sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tertium.report.draw.lettering import shorten, text_width
from tertium.report.draw.palette import MUTED
from tertium.report.draw.svg import Box, Canvas, Paint

__all__ = ["Row", "Rows", "Word", "lay_out"]

SIZE = 13.0
HEIGHT = 24.0
LIMIT = 190.0
#: Lines longer than this become columns.
WIDEST = 1150.0
_GAP = 10.0
_LINE = 28.0


@dataclass(frozen=True)
class Word:
    """A word and how it looks."""

    text: str
    paint: Paint
    strike: bool = False
    title: str = ""

    @property
    def shown(self) -> str:
        """The text, cut if it is very long; an empty word stays visible."""
        return shorten(self.text, SIZE, LIMIT) or "∅"

    @property
    def width(self) -> float:
        """The width of the frame around the word."""
        return max(text_width(self.shown, SIZE) + 14, 24.0)


@dataclass
class Row:
    """The positions of the words of a row: centres along the text, and widths."""

    words: Sequence[Word]
    middles: list[float]
    across: float = 0.0

    @property
    def first(self) -> float:
        """Where the row begins."""
        return self.middles[0] - self.words[0].width / 2 if self.words else 0.0

    @property
    def last(self) -> float:
        """Where the row ends."""
        return self.middles[-1] + self.words[-1].width / 2 if self.words else 0.0


@dataclass
class Rows:
    """Two rows, upright (columns) or not."""

    hyp: Row
    ref: Row
    upright: bool
    gap: float
    wide: float = field(default=0.0)

    def at(self, along: float, across: float) -> tuple[float, float]:
        """Return the point of the diagram for a point of the rows."""
        return (across, along) if self.upright else (along, across)

    def box(self, side: str, index: int) -> Box:
        """Return the frame of a word."""
        row = self.hyp if side == "hyp" else self.ref
        word, middle = row.words[index], row.middles[index]
        if not self.upright:
            return Box(
                middle - word.width / 2,
                row.across - HEIGHT / 2,
                middle + word.width / 2,
                row.across + HEIGHT / 2,
            )
        if side == "hyp":
            left, right = row.across - word.width, row.across
        else:
            left, right = row.across, row.across + word.width
        return Box(left, middle - HEIGHT / 2, right, middle + HEIGHT / 2)

    def outer(self, side: str) -> float:
        """Return where the outer side of a row is, across the text."""
        row = self.hyp if side == "hyp" else self.ref
        sign = -1 if side == "hyp" else 1
        reach = HEIGHT / 2
        if self.upright:
            reach = max([word.width for word in row.words] or [0.0])
        return row.across + sign * reach

    def draw_words(
        self, canvas: Canvas, names: tuple[str, str] = ("output", "reference")
    ) -> None:
        """Draw both rows with their labels."""
        for side, row in (("hyp", self.hyp), ("ref", self.ref)):
            for index, word in enumerate(row.words):
                box = self.box(side, index)
                canvas.rect(box, word.paint, radius=5, title=word.title)
                canvas.text(
                    (box.left + box.right) / 2,
                    (box.top + box.bottom) / 2,
                    word.shown,
                    size=SIZE,
                    paint=word.paint,
                    strike=word.strike,
                    title=word.title or word.text,
                )
            self._name(canvas, side, row, names[side == "ref"])

    def _name(self, canvas: Canvas, side: str, row: Row, name: str) -> None:
        if self.upright:
            top = -HEIGHT / 2 - 14
            anchor = "end" if side == "hyp" else "start"
            canvas.text(row.across, top, name, size=11.5, anchor=anchor, paint=MUTED)
            if not row.words:
                canvas.text(
                    row.across, 0, "(no words)", size=11.5, anchor=anchor, italic=True,
                    paint=MUTED,
                )  # fmt: skip
            return
        left = min(self.hyp.first, self.ref.first) - 14
        canvas.text(left, row.across, name, size=11.5, anchor="end", paint=MUTED)
        if not row.words:
            canvas.text(
                left + 14, row.across, "(no words)", size=11.5, anchor="start",
                italic=True, paint=MUTED,
            )  # fmt: skip

    def draw_link(
        self, canvas: Canvas, hyp: int, ref: int, paint: Paint, *, title: str = ""
    ) -> None:
        """Draw a line from a word of the output to one of the reference."""
        start, end = self.hyp.across, self.ref.across
        if not self.upright:
            start, end = start + HEIGHT / 2, end - HEIGHT / 2
        a, b = self.hyp.middles[hyp], self.ref.middles[ref]
        bend = (end - start) * 0.45
        points = [
            self.at(a, start),
            self.at(a, start + bend),
            self.at(b, end - bend),
            self.at(b, end),
        ]
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points
        commands = (
            f"M{x0:.1f} {y0:.1f}C{x1:.1f} {y1:.1f} {x2:.1f} {y2:.1f} {x3:.1f} {y3:.1f}"
        )
        canvas.path(commands, points, paint, under=True, title=title)


def lay_out(
    hyp: Sequence[Word],
    ref: Sequence[Word],
    links: Sequence[tuple[int, int]],
    *,
    gaps: tuple[Sequence[float], Sequence[float]] = ((), ()),
    slot: float = 0.0,
    gap: float = 70.0,
) -> Rows:
    """Return the positions of two rows of words.

    Parameters
    ----------
    hyp, ref : sequence of Word
    links : sequence of pairs of int
        Which words are linked; rows are shifted so that links are short.
    gaps : pair of sequences of float
        The least distance of the middles of neighbours, for the sake of labels.
    slot : float
        The least distance of the middles of neighbours anywhere.
    gap : float
        The distance between the rows.
    """
    first = _middles(hyp, gaps[0], slot)
    second = _middles(ref, gaps[1], slot)
    rows = Rows(Row(hyp, first), Row(ref, second, gap + HEIGHT), False, gap)
    if max(rows.hyp.last - rows.hyp.first, rows.ref.last - rows.ref.first) > WIDEST:
        # Links are easier to follow if the columns are not too close.
        gap = 120.0 if max(len(hyp), len(ref)) > 30 else 90.0
        rows = Rows(
            Row(hyp, [_LINE * i for i in range(len(hyp))]),
            Row(ref, [_LINE * i for i in range(len(ref))], gap),
            True,
            gap,
        )
        _centre(rows)
        return rows
    if links and not rows.upright:
        shift = sum(first[h] - second[r] for h, r in links) / len(links)
        # Not so far that the rows drift apart.
        room = abs((rows.hyp.last - rows.hyp.first) - (rows.ref.last - rows.ref.first))
        middle = (rows.hyp.first + rows.hyp.last - rows.ref.first - rows.ref.last) / 2
        shift = min(max(shift, middle - room / 2), middle + room / 2)
        rows.ref.middles = [x + shift for x in second]
    return rows


def _centre(rows: Rows) -> None:
    """Move the shorter column to the middle of the longer."""
    difference = (len(rows.hyp.words) - len(rows.ref.words)) * _LINE / 2
    shorter = rows.ref if difference > 0 else rows.hyp
    shorter.middles = [y + abs(difference) for y in shorter.middles]


def _middles(words: Sequence[Word], gaps: Sequence[float], slot: float) -> list[float]:
    middles: list[float] = []
    for index, word in enumerate(words):
        if index == 0:
            middles.append(0.0)
            continue
        touching = (words[index - 1].width + word.width) / 2 + _GAP
        asked = gaps[index - 1] if index <= len(gaps) else 0.0
        middles.append(middles[-1] + max(touching, asked, slot))
    return middles
