# SPDX-License-Identifier: Apache-2.0
"""What the new order of a sentence must respect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.errors import InputError

__all__ = ["Constraints", "constraint_rows"]

#: Frozen spans, walls, pairs in order, the maximum displacement or -1: for the core.
Row = tuple[list[tuple[int, int]], list[int], list[tuple[int, int]], int]


@dataclass(frozen=True)
class Constraints:
    """Limits on the new order of a sentence. Words are counted from 0.

    Parameters
    ----------
    walls : tuple of int
        Words before a wall stay before all others: a wall at 3 is between the
        words 2 and 3.
    frozen : tuple of (int, int)
        Spans, half open, whose words stay together and in their order.
    max_displacement : int, optional
        How many places a word may move at most.
    before : tuple of (int, int)
        Pairs of words: the first must come before the second.

    Examples
    --------
    >>> Constraints(walls=(2,), frozen=((3, 5),)).check(6)
    >>> Constraints(before=((0, 9),)).check(6)
    Traceback (most recent call last):
        ...
    tertium.errors.InputError: there is no word 9 in a sentence of 6 words; count ...
    """

    walls: tuple[int, ...] = ()
    frozen: tuple[tuple[int, int], ...] = ()
    max_displacement: int | None = None
    before: tuple[tuple[int, int], ...] = ()

    def check(self, words: int) -> None:
        """Raise an `InputError` unless all positions lie in a sentence of this length.

        Frozen spans must not overlap.
        """
        if self.max_displacement is not None and self.max_displacement < 0:
            raise InputError(
                f"the maximum displacement {self.max_displacement} is negative; give "
                "a number of places"
            )
        for word in (word for pair in self.before for word in pair):
            if not 0 <= word < words:
                raise InputError(
                    f"there is no word {word} in a sentence of {words} words; count "
                    "words from 0"
                )
        if same := [pair for pair in self.before if pair[0] == pair[1]]:
            raise InputError(
                f"word {same[0][0]} cannot come before itself; give two words"
            )
        for wall in self.walls:
            if not 0 <= wall <= words:
                raise InputError(
                    f"there is no wall {wall} in a sentence of {words} words; a wall "
                    "at i is before word i, counted from 0"
                )
        last = 0
        for start, end in sorted(self.frozen):
            if not (last <= start < end <= words):
                raise InputError(
                    f"the frozen span {start}-{end} is empty, overlaps another or lies "
                    f"outside a sentence of {words} words; give half-open spans"
                )
            last = end

    def row(self) -> Row:
        """Return the constraints as the core takes them."""
        limit = -1 if self.max_displacement is None else self.max_displacement
        return sorted(self.frozen), sorted(self.walls), list(self.before), limit


def constraint_rows(
    constraints: Constraints | Sequence[Constraints | None] | None,
    lengths: Sequence[int],
) -> list[Row]:
    """Return checked constraints, one row per sentence; none if there are none.

    Parameters
    ----------
    constraints : Constraints or sequence, optional
        The same for all sentences, or those of each.
    lengths : sequence of int
        The words of each sentence.
    """
    if constraints is None:
        return []
    if isinstance(constraints, Constraints):
        constraints = [constraints] * len(lengths)
    if len(constraints) != len(lengths):
        raise InputError(
            f"there are {len(lengths)} sentences and constraints of "
            f"{len(constraints)}; give one item per sentence, None for no constraint"
        )
    rows = []
    for index, (one, words) in enumerate(zip(constraints, lengths, strict=True)):
        checked = one or Constraints()
        try:
            checked.check(words)
        except InputError as error:
            raise InputError(f"sentence {index + 1}: {error}") from None
        rows.append(checked.row())
    return rows
