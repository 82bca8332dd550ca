# SPDX-License-Identifier: Apache-2.0
"""Components of reused judgements: an output, and the judged outputs nearest to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tertium.report.components import Component, Inline

__all__ = ["Difference", "JudgedOutput", "ReusedOutput"]

#: A word of the judged output, a word of the new one, and whether they are the same.
Difference = tuple[str | None, str | None, bool]


@dataclass(frozen=True)
class JudgedOutput:
    """A judged output beside a new one.

    Parameters
    ----------
    systems : str
        Who produced it.
    words : sequence of Difference
        The edits that turn it into the new output; none if it is the same.
    distance : str
    score : str
        What judges gave it.
    """

    systems: str
    words: Sequence[Difference]
    distance: str
    score: str


@dataclass(frozen=True)
class ReusedOutput(Component):
    """An output of a system with few or no judgements, and where its score comes from.

    Parameters
    ----------
    system : str
    outcome : {"judged", "near", "far"}
        The colour; the label says the same.
    sign, label : str
        What a reader sees beside the colour: a hit, or how far the nearest one is.
    text : Inline
        With error marks that it inherits from judged outputs.
    predicted : str
    true : str
        What judges gave it, if known.
    nearest : sequence of JudgedOutput
    errors : sequence of str
        The inherited marks in words.
    """

    system: str
    outcome: str
    sign: str
    label: str
    text: Inline
    predicted: str
    true: str
    nearest: Sequence[JudgedOutput]
    errors: Sequence[str] = ()
    macro: ClassVar[str] = "reused_output"
