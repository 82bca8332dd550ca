# SPDX-License-Identifier: Apache-2.0
"""A small SVG builder: shapes and text that know their extent.

Every element extends the bounding box of its diagram, and the view box adds a margin,
so nothing is cut off. Colours are plain attributes, which every program shows; class
names let a page override them on dark screens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from tertium.report.draw.lettering import text_width

__all__ = ["Box", "Canvas", "Paint"]

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
_MARGIN = 14.0


@dataclass(frozen=True)
class Box:
    """A rectangle by its edges."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box, *, slack: float = 0.0) -> bool:
        """Return whether two rectangles overlap by more than `slack` both ways."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide > slack and high > slack


@dataclass(frozen=True)
class Paint:
    """The look of a shape: a name for style sheets, colours, dashes."""

    name: str
    stroke: str = "none"
    fill: str = "none"
    ink: str = "#1b1f24"
    width: float = 1.2
    dash: str = ""

    def attributes(self, *, filled: bool = True) -> str:
        """Return the attributes of a shape."""
        fill = self.fill if filled else "none"
        kind = f"{self.name}" if filled else f"{self.name} line"
        dash = f' stroke-dasharray="{self.dash}"' if self.dash else ""
        width = f' stroke-width="{_n(self.width)}"' if self.stroke != "none" else ""
        return f'class="{kind}" fill="{fill}" stroke="{self.stroke}"{width}{dash}'


class Canvas:
    """A diagram under construction.

    Parameters
    ----------
    title : str
        What the diagram shows, for tooltips and screen readers.
    about : str
        A longer description in words.
    """

    def __init__(self, title: str, about: str = "") -> None:
        self.title = title
        self.about = about
        #: Where text stands, for tests: nothing may overlap.
        self.texts: list[tuple[str, Box]] = []
        self._under: list[str] = []
        self._parts: list[str] = []
        self._box: Box | None = None

    def reach(self, left: float, top: float, right: float, bottom: float) -> None:
        """Make sure the diagram covers this rectangle."""
        box = self._box or Box(left, top, right, bottom)
        self._box = Box(
            min(box.left, left),
            min(box.top, top),
            max(box.right, right),
            max(box.bottom, bottom),
        )

    def rect(
        self,
        box: Box,
        paint: Paint,
        *,
        radius: float = 0.0,
        under: bool = False,
        title: str = "",
    ) -> None:
        """Draw a rectangle."""
        self.reach(box.left, box.top, box.right, box.bottom)
        shape = (
            f'x="{_n(box.left)}" y="{_n(box.top)}" width="{_n(box.right - box.left)}" '
            f'height="{_n(box.bottom - box.top)}"'
        )
        corners = f' rx="{_n(radius)}"' if radius else ""
        self._add(f"<rect {shape}{corners} {paint.attributes()}", "rect", title, under)

    def polygon(
        self, points: Sequence[tuple[float, float]], paint: Paint, *, title: str = ""
    ) -> None:
        """Draw a closed shape."""
        for x, y in points:
            self.reach(x, y, x, y)
        text = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        self._add(
            f'<polygon points="{text}" {paint.attributes()}', "polygon", title, False
        )

    def circle(
        self, x: float, y: float, radius: float, paint: Paint, *, title: str = ""
    ) -> None:
        """Draw a circle."""
        self.reach(x - radius, y - radius, x + radius, y + radius)
        self._add(
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" {paint.attributes()}',
            "circle",
            title,
            False,
        )

    def path(
        self,
        commands: str,
        reach: Sequence[tuple[float, float]],
        paint: Paint,
        *,
        under: bool = False,
        title: str = "",
    ) -> None:
        """Draw a line given by path commands that stays within some points."""
        for x, y in reach:
            self.reach(x, y, x, y)
        self._add(
            f'<path d="{commands}" {paint.attributes(filled=False)}',
            "path",
            title,
            under,
        )

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        paint: Paint,
        *,
        under: bool = False,
    ) -> None:
        """Draw a straight line."""
        commands = f"M{_n(start[0])} {_n(start[1])}L{_n(end[0])} {_n(end[1])}"
        self.path(commands, (start, end), paint, under=under)

    def arrow(self, tip: tuple[float, float], toward: str, paint: Paint) -> None:
        """Draw the head of an arrow that points up, down, left or right."""
        x, y = tip
        sideways, back = 3.4, 6.5
        dx, dy = {"down": (0, -1), "up": (0, 1), "right": (-1, 0), "left": (1, 0)}[
            toward
        ]
        base = (x + dx * back, y + dy * back)
        first = (base[0] + dy * sideways, base[1] + dx * sideways)
        second = (base[0] - dy * sideways, base[1] - dx * sideways)
        solid = Paint(f"{paint.name} solid", fill=paint.stroke)
        self.polygon((tip, first, second), solid)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 13.0,
        anchor: str = "middle",
        paint: Paint | None = None,
        bold: bool = False,
        italic: bool = False,
        strike: bool = False,
        turned: float = 0.0,
        title: str = "",
    ) -> None:
        """Write a line of text whose middle line is at y."""
        if not text:
            return
        paint = paint or Paint("ink")
        width = text_width(text, size, bold=bold)
        left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        box = Box(left, y - 0.62 * size, left + width, y + 0.62 * size)
        if turned:
            box = _turn(box, (x, y), turned)
        self.reach(box.left, box.top, box.right, box.bottom)
        self.texts.append((text, box))
        # Text hangs on its base line; not every program knows dominant-baseline.
        base = y + 0.35 * size
        extra = ' font-weight="bold"' if bold else ""
        extra += ' font-style="italic"' if italic else ""
        extra += ' text-decoration="line-through"' if strike else ""
        if turned:
            extra += f' transform="rotate({_n(turned)} {_n(x)} {_n(y)})"'
        tip = f"<title>{_clean(title)}</title>" if title and title != text else ""
        self._parts.append(
            f'<text class="{paint.name} text" x="{_n(x)}" y="{_n(base)}" '
            f'font-size="{_n(size)}" text-anchor="{anchor}" fill="{paint.ink}"{extra}>'
            f"{tip}{_clean(text)}</text>"
        )

    def _add(self, start: str, tag: str, title: str, under: bool) -> None:
        tip = f"<title>{_clean(title)}</title></{tag}>" if title else ""
        end = f">{tip}" if title else "/>"
        (self._under if under else self._parts).append(start + end)

    @property
    def box(self) -> Box:
        """The view box: everything that was drawn, and a margin."""
        box = self._box or Box(0, 0, 120, 20)
        return Box(
            math.floor(box.left - _MARGIN),
            math.floor(box.top - _MARGIN),
            math.ceil(box.right + _MARGIN),
            math.ceil(box.bottom + _MARGIN),
        )

    def to_svg(self) -> str:
        """Return the diagram as a complete SVG file."""
        box = self.box
        width, height = box.right - box.left, box.bottom - box.top
        about = f"<desc>{_clean(self.about)}</desc>\n" if self.about else ""
        paper = Paint("paper", fill="#ffffff").attributes()
        body = "\n".join([*self._under, *self._parts])
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" '
            f'viewBox="{_n(box.left)} {_n(box.top)} {_n(width)} {_n(height)}" '
            f'width="{_n(width)}" height="{_n(height)}" role="img" '
            f"aria-label={quoteattr(_visible(self.title))} "
            f'font-family="{FONT}">\n'
            f"<title>{_clean(self.title)}</title>\n{about}"
            f'<rect x="{_n(box.left)}" y="{_n(box.top)}" width="{_n(width)}" '
            f'height="{_n(height)}" {paper}/>\n{body}\n</svg>\n'
        )


def _turn(box: Box, centre: tuple[float, float], degrees: float) -> Box:
    angle = math.radians(degrees)
    cos, sin = math.cos(angle), math.sin(angle)
    corners = [
        (
            centre[0] + (x - centre[0]) * cos - (y - centre[1]) * sin,
            centre[1] + (x - centre[0]) * sin + (y - centre[1]) * cos,
        )
        for x in (box.left, box.right)
        for y in (box.top, box.bottom)
    ]
    xs, ys = zip(*corners, strict=True)
    return Box(min(xs), min(ys), max(xs), max(ys))


def _n(value: float) -> str:
    """Return a number without needless digits."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def _visible(text: str) -> str:
    """Return text that XML may hold: control characters become visible."""
    return "".join(
        " " if char in "\t\n\r" else "\ufffd" if _forbidden(char) else char
        for char in text
    )


def _forbidden(char: str) -> bool:
    # XML 1.0, production 2.
    return char < " " or "\ud800" <= char <= "\udfff" or char in "\ufffe\uffff"


def _clean(text: str) -> str:
    return escape(_visible(text))
