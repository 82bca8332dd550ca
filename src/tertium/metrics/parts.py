# SPDX-License-Identifier: Apache-2.0
"""What the score of a segment consists of, in words; `tertium explain` shows it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ScorePart", "ScoreParts"]


@dataclass(frozen=True)
class ScorePart:
    """One part of a score: its value and what it is."""

    value: float
    text: str


@dataclass(frozen=True)
class ScoreParts:
    """The parts of one score.

    Parameters
    ----------
    metric : str
        Its spec.
    score : float
    heading : str
        What the values of the parts are.
    parts : tuple of ScorePart
    """

    metric: str
    score: float
    heading: str
    parts: tuple[ScorePart, ...]
