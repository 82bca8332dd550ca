# SPDX-License-Identifier: Apache-2.0
"""The texts of arguments put where a linearisation takes them (3.5, step 3).

As long as a sentence takes no more than one text of an argument, the packed text
goes in. Two texts of one argument belong together: then, and only there, it is taken
apart into what it was made of.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from tertium.automata.expressions import (
    NOTHING,
    Choice,
    Expression,
    Token,
    choice,
    sequence,
)
from tertium.grammars.gf.evaluating import Slot, expanded
from tertium.grammars.gf.shapes import ParamValue
from tertium.grammars.gf.variables import VariableSet

__all__ = ["Filling", "Packed", "Parameters", "Texts"]

#: The parameters of a value, in the order of their places in its type.
Parameters: TypeAlias = tuple[ParamValue, ...]
Texts: TypeAlias = tuple[Expression, ...]


@dataclass(frozen=True)
class Packed:
    """The trees of a category with one variable set and equal parameters."""

    category: str
    codes: VariableSet
    parameters: Parameters


Arguments: TypeAlias = Mapping[int, Packed]


class Store(Protocol):
    """Where packed values are."""

    def texts(self, packed: Packed, /) -> Texts:
        """Return the packed texts of a value."""

    def taken_apart(self, packed: Packed, /) -> list[tuple[tuple[Packed, ...], Texts]]:
        """Return what a value was made of."""

    def fresh(self) -> int:
        """Return a number that no argument has."""

    def spend(self) -> None:
        """Count an alternative that is looked at alone; reject too many."""


class Filling:
    """Fills the slots of expressions with the texts of arguments."""

    def __init__(self, store: Store, arguments: Arguments) -> None:
        self.store = store
        self.arguments = arguments
        # With the expressions, so that their identities stay theirs.
        self._filled: dict[int, tuple[Expression, Expression]] = {}
        self._members: dict[int, tuple[Expression, frozenset[int]]] = {}

    def filled(self, expression: Expression) -> Expression:
        """Return the expression with packed texts for its slots."""
        if isinstance(expression, Slot):
            packed = self.arguments[expression.argument]
            return self.store.texts(packed)[expression.leaf]
        if isinstance(expression, Token):
            return expression
        known = self._filled.get(id(expression))
        if known is None:
            made = (
                choice(map(self.filled, expression.parts))
                if isinstance(expression, Choice)
                else self._sequence(expression.parts)
            )
            known = self._filled[id(expression)] = (expression, made)
        return known[1]

    def members(self, expression: Expression) -> frozenset[int]:
        """Return the arguments with a slot in an expression."""
        if isinstance(expression, Slot):
            return frozenset({expression.argument})
        if isinstance(expression, Token):
            return frozenset()
        known = self._members.get(id(expression))
        if known is None:
            every = frozenset[int]().union(*map(self.members, expression.parts))
            known = self._members[id(expression)] = (expression, every)
        return known[1]

    def _sequence(self, parts: tuple[Expression, ...]) -> Expression:
        """Fill a sequence; arguments in several of its parts are taken apart."""
        spans: dict[int, tuple[int, int]] = {}
        for place, part in enumerate(parts):
            for member in self.members(part):
                spans[member] = (spans.get(member, (place, place))[0], place)
        shared = sorted(
            (low, high, member) for member, (low, high) in spans.items() if low < high
        )
        done: list[Expression] = []
        place = 0
        while shared:
            low, high, member = shared.pop(0)
            # What overlaps must be filled together.
            while shared and shared[0][0] <= high:
                high = max(high, shared.pop(0)[1])
            done += map(self.filled, parts[place:low])
            done.append(self._apart(sequence(parts[low : high + 1]), member))
            place = high + 1
        return sequence([*done, *map(self.filled, parts[place:])])

    def _apart(self, expression: Expression, member: int) -> Expression:
        """Fill an expression after taking one of its arguments apart."""
        slots = _slots(expression, member)
        alternatives = []
        for inner, texts in self.store.taken_apart(self.arguments[member]):
            numbers = [self.store.fresh() for _ in inner]
            renamed = {
                leaf: _substituted(
                    texts[leaf],
                    lambda slot, numbers=numbers: Slot.of(  # type: ignore[misc]
                        numbers[slot.argument], slot.leaf
                    ),
                )
                for leaf in slots
            }
            arguments = {**self.arguments, **dict(zip(numbers, inner, strict=True))}
            # A text that a sentence takes twice is one and the same there.
            options = [
                [sequence(tokens) for tokens in expanded(renamed[leaf])] or [NOTHING]
                if times > 1
                else [renamed[leaf]]
                for leaf, times in slots.items()
            ]
            for chosen in itertools.product(*options):
                self.store.spend()
                fixed = dict(zip(slots, chosen, strict=True))
                whole = _substituted(
                    expression,
                    lambda slot, fixed=fixed: (  # type: ignore[misc]
                        fixed[slot.leaf] if slot.argument == member else slot
                    ),
                )
                alternatives.append(Filling(self.store, arguments).filled(whole))
        return choice(alternatives)


def _slots(expression: Expression, member: int) -> dict[int, int]:
    """Return how often one sentence may take each text of an argument."""
    known: dict[int, dict[int, int]] = {}

    def counted(one: Expression) -> dict[int, int]:
        if isinstance(one, Slot):
            return {one.leaf: 1} if one.argument == member else {}
        if isinstance(one, Token):
            return {}
        if id(one) not in known:
            total = known[id(one)] = {}
            for part in one.parts:
                for leaf, times in counted(part).items():
                    before = total.get(leaf, 0)
                    total[leaf] = (
                        max(before, times)
                        if isinstance(one, Choice)
                        else before + times
                    )
        return known[id(one)]

    return counted(expression)


def _substituted(
    expression: Expression, change: Callable[[Slot], Expression]
) -> Expression:
    """Return the expression with other expressions for its slots."""
    known: dict[int, Expression] = {}

    def made(one: Expression) -> Expression:
        if isinstance(one, Slot):
            return change(one)
        if isinstance(one, Token):
            return one
        if id(one) not in known:
            parts = [made(part) for part in one.parts]
            known[id(one)] = (
                choice(parts) if isinstance(one, Choice) else sequence(parts)
            )
        return known[id(one)]

    return made(expression)
