# SPDX-License-Identifier: Apache-2.0
"""Components of error spans: an output with human and predicted marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from tertium.report.browser import Choice, OutputSegment
from tertium.report.components import Component

__all__ = ["Item", "MarkedPiece", "SpanBrowser", "SpanOutput", "Swatches"]


@dataclass(frozen=True)
class MarkedPiece(Component):
    """A piece of a text under the same marks.

    Parameters
    ----------
    text : str
    human, predicted : int
        The worst severity level of its marks; 0 without any.
    lack : bool
        Whether it stands for missing content.
    """

    text: str
    human: int = 0
    predicted: int = 0
    lack: bool = False
    macro: ClassVar[str] = "marked_piece"

    @property
    def classes(self) -> str:
        """The classes of the style sheet; ``templates/spans.js`` makes the same."""
        names = [f"h{self.human}"] if self.human else []
        names += [f"p{self.predicted}"] if self.predicted else []
        return " ".join([*names, *(["lack"] if self.lack else [])])


@dataclass(frozen=True)
class Swatches(Component):
    """A legend: samples of marks, and what they mean."""

    items: Sequence[tuple[Component, str]]
    macro: ClassVar[str] = "swatches"


class Item(NamedTuple):
    """A match, a miss or a false alarm in words."""

    kind: str
    sign: str
    label: str
    words: str
    about: str


@dataclass(frozen=True)
class SpanOutput(Component):
    """An output with human and predicted marks, and a list of them."""

    system: str
    pieces: Sequence[MarkedPiece]
    items: Sequence[Item]
    counts: str
    scores: str
    macro: ClassVar[str] = "span_output"


@dataclass(frozen=True)
class SpanBrowser(Component):
    """Outputs to look through: the first as HTML, all of them as data for a script."""

    choices: Sequence[Choice]
    segments: Sequence[OutputSegment]
    total: int
    data: dict[str, object]
    packed: str = ""
    macro: ClassVar[str] = "span_browser"
