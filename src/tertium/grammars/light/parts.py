# SPDX-License-Identifier: Apache-2.0
"""Parts of a pattern: sets of sentences that can be joined with or without a space.

An expression can glue tokens only where there is one on either side, and a part of a
pattern may be empty. So the empty sentence is kept apart from the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tertium.automata.expressions import (
    BIND,
    EMPTY,
    NOTHING,
    Expression,
    choice,
    sequence,
)

__all__ = ["EMPTY_PART", "Part", "either", "glued", "spaced"]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A set of sentences, and what must be known of it to glue it to its neighbour.

    ``solid`` holds no empty sentence; ``hollow`` says whether there is one besides.
    The numbers bound how many tokens are sentences of their own, begin longer ones
    and end longer ones.
    """

    solid: Expression
    hollow: bool
    single: int = 0
    first: int = 0
    last: int = 0

    @property
    def expression(self) -> Expression:
        """All sentences, the empty one too."""
        return choice([EMPTY, self.solid]) if self.hollow else self.solid


#: The empty sentence alone.
EMPTY_PART = Part(NOTHING, hollow=True)


def either(parts: Iterable[Part]) -> Part:
    """Return the sentences of all parts."""
    some = list(parts)
    if len(some) == 1:
        return some[0]
    return Part(
        choice([part.solid for part in some]),
        any(part.hollow for part in some),
        sum(part.single for part in some),
        sum(part.first for part in some),
        sum(part.last for part in some),
    )


def spaced(one: Part, two: Part) -> Part:
    """Return one part, a space, and the other."""
    solid = sequence([one.solid, two.expression])
    if one.hollow:
        solid = choice([solid, two.solid])
    return Part(
        solid,
        one.hollow and two.hollow,
        one.single * two.hollow + two.single * one.hollow,
        one.first + one.single + two.first * one.hollow,
        two.last + two.single + one.last * two.hollow,
    )


def glued(one: Part, two: Part) -> Part:
    """Return one part and the other, their tokens touching; either may be empty.

    A BIND must never meet an empty neighbour: it would glue what stands beyond.
    """
    rest = sequence([BIND, two.solid])
    solid = sequence([one.solid, choice([EMPTY, rest]) if two.hollow else rest])
    if one.hollow:
        solid = choice([solid, two.solid])
    return Part(
        solid,
        one.hollow and two.hollow,
        one.single * (two.single + two.hollow) + two.single * one.hollow,
        one.first + one.single * two.first + two.first * one.hollow,
        two.last + one.last * two.single + one.last * two.hollow,
    )
