# SPDX-License-Identifier: Apache-2.0
"""The components that pages consist of: plain data, one macro each.

``templates/components.html`` turns them into HTML; nothing here contains markup.
"""

from __future__ import annotations

import base64
import gzip
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tertium.report.draw.lettering import minus

__all__ = [
    "Bar",
    "Board",
    "Cautions",
    "Cell",
    "Chart",
    "Component",
    "Details",
    "Diagram",
    "Download",
    "Facts",
    "Group",
    "Heading",
    "Inline",
    "Legend",
    "Page",
    "Section",
    "Span",
    "Table",
    "Text",
    "download",
    "number_cell",
    "p_cell",
    "p_text",
]


class Component:
    """A part of a page; `macro` names the macro that writes it."""

    macro: ClassVar[str]


@dataclass(frozen=True)
class Span(Component):
    """A piece of a line with a look of its own.

    Parameters
    ----------
    text : str
    look : str
        ``small``, ``strong``, ``code`` and ``i`` are the HTML elements of these names;
        ``quote`` sets off quoted words; ``sign`` explains itself by its title;
        ``link`` leads to its title; others are classes of the style sheet.
    title : str
    """

    text: str
    look: str
    title: str = ""
    macro: ClassVar[str] = "span"


#: A line of text: one string, or pieces of which some are components.
Inline = str | Sequence[str | Component]


# --------------------------------------------------------------------------- blocks


@dataclass(frozen=True)
class Text(Component):
    """A paragraph."""

    text: Inline
    macro: ClassVar[str] = "text"


@dataclass(frozen=True)
class Heading(Component):
    """A heading within a section."""

    text: str
    macro: ClassVar[str] = "heading"


@dataclass(frozen=True)
class Legend(Component):
    """Small print below a table or a chart; lines stay lines."""

    text: str
    macro: ClassVar[str] = "legend"

    @property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.splitlines()


@dataclass(frozen=True)
class Cautions(Component):
    """What readers should know before they trust the rest; a box if anything.

    `level` is that of the heading.
    """

    texts: Sequence[str]
    level: int = 2
    macro: ClassVar[str] = "cautions"


@dataclass(frozen=True)
class Facts(Component):
    """Terms, and what is said about each."""

    items: Sequence[tuple[str, str]]
    macro: ClassVar[str] = "facts"


@dataclass(frozen=True)
class Group(Component):
    """Components side by side: ``tables`` or a ``grid`` of charts."""

    look: str
    blocks: Sequence[Component]
    macro: ClassVar[str] = "group"


@dataclass(frozen=True)
class Details(Component):
    """Components that readers may open."""

    summary: str
    blocks: Sequence[Component]
    macro: ClassVar[str] = "details"


# --------------------------------------------------------------------------- tables

_LONG = 10  # letters; longer words in heads are divided on paper


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Parameters
    ----------
    text : Inline
    key : float or str, optional
        What readers sort by; without it, the number in the text.
    classes : str
        ``number``; ``action`` for what only a script can do, which is not printed;
        others of the style sheet.
    title : str
        Shown when the pointer rests on it.
    share : float, optional
        From 0 to 1: the larger, the darker the background.
    """

    text: Inline
    key: float | str | None = None
    classes: str = ""
    title: str = ""
    share: float | None = None


@dataclass(frozen=True)
class Table(Component):
    """A table with a caption.

    Parameters
    ----------
    caption : str
    head : sequence of str
    rows : sequence of sequences of Cell
    probes : collection of int
        Numbers of the rows that are probes.
    look : str
        Its classes; readers can sort a ``sortable`` table.
    """

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    probes: Collection[int] = ()
    look: str = "sortable"
    macro: ClassVar[str] = "table"

    @property
    def head_classes(self) -> list[str]:
        """The classes of the heads: what all cells of a column are, or a long word."""
        return [
            " ".join(
                [kind for kind in ("number", "action") if self._all(column, kind)]
                + ["long" for word in name.split() if len(word) > _LONG][:1]
            )
            for column, name in enumerate(self.head)
        ]

    def _all(self, column: int, kind: str) -> bool:
        return bool(self.rows) and all(
            kind in row[column].classes.split() for row in self.rows
        )


def number_cell(value: float | None, digits: int) -> Cell:
    """Return a cell with a number, or n/a without one."""
    if value is None:
        return Cell("n/a", None, "number none")
    return Cell(minus(f"{value:.{digits}f}"), value, "number")


def p_text(value: float) -> str:
    """Return a p-value for a table; none is shown as 0.

    Examples
    --------
    >>> p_text(0.00001), p_text(0.0123)
    ('<0.001', '0.012')
    """
    return "<0.001" if value < 0.0005 else f"{value:.3f}"


def p_cell(value: float) -> Cell:
    """Return a cell with a p-value, or n/a where nothing was tested (NaN)."""
    if math.isnan(value):
        return Cell("n/a", None, "number none")
    return Cell(p_text(value), value, "number")


# -------------------------------------------------------------------------- figures


@dataclass(frozen=True)
class Bar:
    """A system in a ranking.

    Parameters
    ----------
    name : str
    score : float
        The length of the bar.
    shown : str
        The score as readers see it.
    interval : tuple of float, optional
    note : str
        What stands below the bar.
    human : bool
        Whether these are human translations.
    """

    name: str
    score: float
    shown: str
    interval: tuple[float, float] | None = None
    note: str = ""
    human: bool = False


@dataclass(frozen=True)
class Board(Component):
    """A ranking as bars with intervals; it needs no script."""

    bars: Sequence[Bar]
    legend: str
    macro: ClassVar[str] = "board"

    def share(self, value: float) -> str:
        """Return a value as a share of the longest bar or interval."""
        ends = [bar.interval[1] for bar in self.bars if bar.interval]
        longest = max([bar.score for bar in self.bars] + ends, default=0.0)
        return f"{max(0.0, value / (longest if longest > 0 else 1.0)):.4f}"


@dataclass(frozen=True)
class Chart(Component):
    """A Vega-Lite chart, which a script draws.

    Parameters
    ----------
    name : str
    spec : mapping
        Vega-Lite, see :func:`tertium.report.draw.vega.spec`.
    caption : str
    title : str
    panel : int
        Pixels of one panel with its labels; as many stand in a row as have room.
    labels : int
        Pixels of labels that the panels of a row share.
    """

    name: str
    spec: Mapping[str, Any]
    caption: str = ""
    title: str = ""
    panel: int = 0
    labels: int = 0
    macro: ClassVar[str] = "chart"


@dataclass(frozen=True)
class Diagram(Component):
    """An SVG diagram by :class:`tertium.report.draw.svg.Canvas`.

    Parameters
    ----------
    name : str
    svg : str
    caption : str
    narrow : str
        The same for screens of phones, if `svg` is too wide for them.
    """

    name: str
    svg: str
    caption: str
    narrow: str = ""
    macro: ClassVar[str] = "diagram"


# ---------------------------------------------------------------------------- pages


@dataclass(frozen=True)
class Section:
    """A section of a page; `key` is its anchor."""

    key: str
    title: str
    blocks: Sequence[Component]
    look: str = ""


@dataclass(frozen=True)
class Download:
    """A file that the page contains."""

    label: str
    name: str
    href: str


@dataclass(frozen=True)
class Page:
    """A whole page.

    Parameters
    ----------
    heading : str
        The most important finding, or what the page is about.
    kicker : str
        A few words above the heading.
    lead : str
        Some sentences below it.
    header, body : sequence of Component
        What comes before the list of sections, and before the first section.
    sections : sequence of Section
    contents : bool
        Whether the page lists its sections.
    downloads : sequence of Download
    footer : str
        What follows the name and version of the program.
    scripts : sequence of str
        Files in ``report/templates``.
    charts : bool
        Whether the page needs the chart library.
    """

    heading: str
    kicker: str = ""
    lead: str = ""
    header: Sequence[Component] = ()
    body: Sequence[Component] = ()
    sections: Sequence[Section] = ()
    contents: bool = True
    downloads: Sequence[Download] = ()
    footer: str = ""
    scripts: Sequence[str] = ("tables.js", "printing.js")
    charts: bool = False


def download(
    label: str, name: str, text: str, *, media_type: str, plain: int = 200_000
) -> Download:
    """Return a file within the page, compressed if it has more than `plain` bytes."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > plain:
        data, name = gzip.compress(data, 6, mtime=0), f"{name}.gz"
        media_type = "application/gzip"
    href = f"data:{media_type};base64,{base64.b64encode(data).decode()}"
    return Download(label, name, href)
