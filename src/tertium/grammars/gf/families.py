# SPDX-License-Identifier: Apache-2.0
"""How many variable sets a grammar has, counted without writing them out.

A family of sets is a decision diagram: a node asks for the value of one variable and
leads on for each, in the order of variables. Families share their nodes, so that seven
variables of eight values are seven nodes, not two million sets.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from tertium.grammars.gf.variables import split_code

if TYPE_CHECKING:
    from tertium.grammars.gf.abstracts import AbstractGrammar

__all__ = ["count_sets"]

#: A variable, and what follows for each of its values; "" stands for no value. None is
#: the family without a set, and the empty tuple that of the empty set.
_Family: TypeAlias = "tuple[int, tuple[tuple[str, _Family], ...]] | tuple[()] | None"

_LAST = 1 << 60  # a variable after all others


def count_sets(abstract: AbstractGrammar) -> int:
    """Return the number of variable sets that trees of the start category have."""
    families: dict[str, _Family] = {}
    for category in abstract.categories:
        family: _Family = None
        for function in abstract.of(category):
            made: _Family = ()
            if function.code is not None:
                variable, value = split_code(function.code)
                made = (variable, ((value, ()),))
            for argument in function.arguments:
                made = _joined(made, families[argument])
            family = _united(family, made)
        families[category] = family
    return _size(families[abstract.start])


def _variable(family: _Family) -> int:
    return family[0] if family else _LAST


def _branches(family: _Family, variable: int) -> dict[str, _Family]:
    """Return what follows each value of a variable that a family may not ask for."""
    if family and family[0] == variable:
        return dict(family[1])
    return {"": family}


def _node(variable: int, branches: dict[str, _Family]) -> _Family:
    kept = sorted(
        (value, branch) for value, branch in branches.items() if branch is not None
    )
    if not kept:
        return None
    if len(kept) == 1 and not kept[0][0]:
        return kept[0][1]
    return variable, tuple(kept)


@cache
def _united(one: _Family, other: _Family) -> _Family:
    """Return the sets that are in one of two families."""
    if one is None or one == other:
        return other
    if other is None:
        return one
    variable = min(_variable(one), _variable(other))
    branches = _branches(one, variable)
    for value, branch in _branches(other, variable).items():
        branches[value] = _united(branches.get(value), branch)
    return _node(variable, branches)


@cache
def _joined(one: _Family, other: _Family) -> _Family:
    """Return the unions of a set each that give no variable two values."""
    if one is None or other is None:
        return None
    if not one or not other:
        return other or one
    variable = min(_variable(one), _variable(other))
    branches: dict[str, _Family] = {}
    for first, mine in _branches(one, variable).items():
        for second, theirs in _branches(other, variable).items():
            if not first or not second or first == second:
                value = first or second
                branches[value] = _united(branches.get(value), _joined(mine, theirs))
    return _node(variable, branches)


@cache
def _size(family: _Family) -> int:
    if family is None:
        return 0
    return sum(_size(branch) for _, branch in family[1]) if family else 1
