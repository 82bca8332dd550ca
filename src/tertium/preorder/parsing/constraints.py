# SPDX-License-Identifier: Apache-2.0
"""What the new order of a sentence must respect.

Walls, frozen phrases and pairs of words are conditions on single nodes of a tree: a
pair is separated by one node, and frozen words stay neighbours if no node that starts,
ends or divides between them moves them apart. They therefore act while sentences are
parsed: derivations that violate them have no weight, and every probability is
conditional on them. How far a word moves depends on the whole tree, so the maximum
displacement acts on the choice of the order alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tertium.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Constraints",
    "LimitRow",
    "check_respected",
    "checked_constraints",
    "constraint_rows",
    "limit_rows",
]

#: Frozen spans, walls, pairs in order, the maximum displacement or -1: for the core.
Row = tuple[list[tuple[int, int]], list[int], list[tuple[int, int]], int]

#: Boundaries whose words stay neighbours, walls, pairs in order: for parsers.
LimitRow = tuple[list[int], list[int], list[tuple[int, int]]]


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

    Notes
    -----
    `walls`, `frozen` and `before` condition the probabilities of a model: derivations
    that violate them have no weight. `max_displacement` limits the choice of the order.
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

    def allows(self, order: Sequence[int]) -> bool:
        """Return whether an order of source positions respects all constraints.

        Examples
        --------
        >>> Constraints(walls=(2,)).allows((1, 0, 2))
        True
        >>> Constraints(frozen=((0, 2),)).allows((1, 0, 2))
        False
        """
        places = {word: place for place, word in enumerate(order)}
        sides = [
            ([places[word] for word in order if word < wall], wall)
            for wall in self.walls
        ]
        limit = self.max_displacement
        return (
            all(max(before, default=-1) < wall for before, wall in sides)
            and all(
                places[word + 1] == places[word] + 1
                for start, end in self.frozen
                for word in range(start, end - 1)
            )
            and all(places[first] < places[second] for first, second in self.before)
            and (
                limit is None
                or all(abs(word - place) <= limit for word, place in places.items())
            )
        )

    def row(self) -> Row:
        """Return the constraints as the search for an order takes them."""
        limit = -1 if self.max_displacement is None else self.max_displacement
        return sorted(self.frozen), sorted(self.walls), list(self.before), limit

    def limits(self, start: int, end: int) -> LimitRow:
        """Return the constraints on the words of a span as parsers take them."""
        joints = [
            boundary - start
            for first, last in self.frozen
            for boundary in range(first + 1, last)
            if start <= boundary <= end
        ]
        walls = [wall - start for wall in self.walls if start < wall < end]
        before = [
            (first - start, second - start)
            for first, second in self.before
            if start <= first < end and start <= second < end
        ]
        return joints, walls, before

    def settle(self, expectations: NDArray[np.float64]) -> None:
        """Set the probabilities of pairs whose order the constraints fix, in place.

        Examples
        --------
        >>> import numpy as np
        >>> e = np.array([[0, 0.25], [0.75, 0]])
        >>> Constraints(before=((0, 1),)).settle(e)
        >>> e.tolist()
        [[0.0, 1.0], [0.0, 0.0]]
        """
        for wall in self.walls:
            expectations[:wall, wall:] = 1
            expectations[wall:, :wall] = 0
        neighbours = [
            pair for start, end in self.frozen for pair in _pairs(range(start, end))
        ]
        for first, second in (*neighbours, *self.before):
            expectations[first, second] = 1
            expectations[second, first] = 0


def _pairs(words: range) -> list[tuple[int, int]]:
    return [(first, second) for first in words for second in words if first < second]


def limit_rows(
    constraints: Constraints | Sequence[Constraints | None] | None,
    lengths: Sequence[int],
) -> list[LimitRow]:
    """Return what parsers must respect, one row per sentence; none if it is nothing.

    Parameters are those of :func:`constraint_rows`.
    """
    pairs = zip(checked_constraints(constraints, lengths), lengths, strict=False)
    rows = [one.limits(0, words) for one, words in pairs]
    return rows if any(any(row) for row in rows) else []


def constraint_rows(
    constraints: Constraints | Sequence[Constraints | None] | None,
    lengths: Sequence[int],
) -> list[Row]:
    """Return checked constraints, one row per sentence; none if there are none.

    Parameters are those of :func:`checked_constraints`.
    """
    return [one.row() for one in checked_constraints(constraints, lengths)]


def checked_constraints(
    constraints: Constraints | Sequence[Constraints | None] | None,
    lengths: Sequence[int],
) -> list[Constraints]:
    """Return the constraints of each sentence; none if there are none.

    Parameters
    ----------
    constraints : Constraints or sequence, optional
        The same for all sentences, or those of each.
    lengths : sequence of int
        The words of each sentence.

    Raises
    ------
    InputError
        If constraints do not fit their sentence.
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
    out = []
    for index, (one, words) in enumerate(zip(constraints, lengths, strict=True)):
        checked = one or Constraints()
        try:
            checked.check(words)
        except InputError as error:
            raise InputError(f"sentence {index + 1}: {error}") from None
        out.append(checked)
    return out


def check_respected(
    orders: Sequence[tuple[int, ...]],
    constraints: Constraints | Sequence[Constraints | None] | None,
) -> None:
    """Raise an `InputError` if words in their source order violate a constraint.

    No derivation does: they are the last resort where there is none.
    """
    limits = checked_constraints(constraints, [len(order) for order in orders])
    for index, (one, order) in enumerate(zip(limits, orders, strict=False)):
        if not replace(one, max_displacement=None).allows(order):
            raise InputError(
                f"sentence {index + 1}: no derivation respects all constraints; "
                "remove one"
            )
