# SPDX-License-Identifier: Apache-2.0
"""A segment with its reference set."""

from __future__ import annotations

from dataclasses import dataclass, field

from tertium.automata.automaton import Automaton

__all__ = ["Segment"]


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment and all its references.

    Attributes
    ----------
    id : str
        The segment's name in the file, or its number, counted from 1.
    automaton : Automaton
        The references.
    notes : tuple of str
        Information of the file that the set lacks, such as weights.
    """

    id: str
    automaton: Automaton
    notes: tuple[str, ...] = field(default=(), repr=False, compare=False)
