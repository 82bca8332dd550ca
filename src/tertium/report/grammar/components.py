# SPDX-License-Identifier: Apache-2.0
"""Components of error analyses: marked edits, corrected outputs, buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tertium.report.components import Cell, Component

__all__ = [
    "EditMark",
    "FilterButton",
    "OutputRow",
    "Swatches",
    "Token",
    "filter_cell",
]


@dataclass(frozen=True)
class EditMark(Component):
    """An edit: what is struck out, what replaces it, and a short label.

    `category` is the key of a :class:`tertium.report.grammar.categories.Category`.
    """

    category: str
    label: str
    removed: str = ""
    added: str = ""
    macro: ClassVar[str] = "edit_mark"


@dataclass(frozen=True)
class Token:
    """A token of a correction, or an edit; `arrows` and `move` say how it moved."""

    text: str = ""
    edit: EditMark | None = None
    arrows: str = ""
    move: str = ""


@dataclass(frozen=True)
class Swatches(Component):
    """A legend of marks."""

    items: Sequence[tuple[EditMark, str]]
    macro: ClassVar[str] = "swatches"


@dataclass(frozen=True)
class FilterButton(Component):
    """A button that shows the outputs with some words."""

    words: str
    filters: Mapping[str, str]
    macro: ClassVar[str] = "filter_button"


def filter_cell(words: str, filters: Mapping[str, str]) -> Cell:
    """Return a cell with a button that shows the outputs with some words."""
    return Cell([FilterButton(words, filters)], None, "action")


@dataclass(frozen=True)
class OutputRow(Component):
    """An output of one or several systems with its correction.

    Parameters
    ----------
    systems : sequence of (str, bool)
        Names, and whether each is a human translator.
    tokens : sequence of Token
    hyp : str
    moved : bool
        Whether a token moved, so that the output itself is shown too.
    cost : str
    correct : bool
    constructions : str
    summary : str
        What readers click for the details.
    facts, alternatives : sequence of (str, str)
        Terms and texts; costs and other corrections.
    more : int
        Alternatives that are not listed.
    """

    systems: Sequence[tuple[str, bool]]
    tokens: Sequence[Token]
    hyp: str
    moved: bool
    cost: str
    correct: bool
    constructions: str = ""
    summary: str = ""
    facts: Sequence[tuple[str, str]] = ()
    alternatives: Sequence[tuple[str, str]] = ()
    more: int = 0
    macro: ClassVar[str] = "output_row"
