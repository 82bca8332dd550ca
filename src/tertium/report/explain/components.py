# SPDX-License-Identifier: Apache-2.0
"""Components of explanations: the texts, findings and scores of a segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tertium.report.components import Component, Inline

__all__ = ["Marked", "SegmentCard", "WordEdits"]


@dataclass(frozen=True)
class Marked(Component):
    """A word of a text that a finding is about; `look` is the kind of finding."""

    text: str
    look: str
    macro: ClassVar[str] = "marked"


@dataclass(frozen=True)
class SegmentCard(Component):
    """A segment at a glance.

    Parameters
    ----------
    texts : sequence of (str, Inline)
        Labels and texts: source, reference, output.
    findings : sequence of (str, str, Inline)
        Kind, sign and sentence.
    scores : sequence of (str, str)
        Labels and scores.
    """

    texts: Sequence[tuple[str, Inline]]
    findings: Sequence[tuple[str, str, Inline]]
    scores: Sequence[tuple[str, str]]
    macro: ClassVar[str] = "segment_card"


@dataclass(frozen=True)
class WordEdits(Component):
    """The word edits of an output: removed word, added word, whether it is kept."""

    edits: Sequence[tuple[str | None, str | None, bool]]
    macro: ClassVar[str] = "word_edits"
