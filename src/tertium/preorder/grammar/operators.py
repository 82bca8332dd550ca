# SPDX-License-Identifier: Apache-2.0
"""The operators of a reordering grammar (Stanojević 2017, section 3.3).

An operator reorders the children of a node: child c goes to place ``ranks[c]``. P12 and
P21 keep and swap two children. P01 and P10 attach an unaligned unit to its right or
left neighbour, and keep the order. The others are the simple permutations of four and
five children.
"""

from __future__ import annotations

from dataclasses import dataclass

from tertium.errors import UnknownNameError

__all__ = ["OPERATORS", "VARIANTS", "Operator", "operators_of"]


@dataclass(frozen=True)
class Operator:
    """An operator.

    Parameters
    ----------
    name : str
        Such as ``P2413``.
    ranks : tuple of int
        The place of each child, counted from 1.
    emitter : int
        The child that only emits, as it is an unaligned unit; -1 if there is none.

    Examples
    --------
    >>> Operator("P2413", (2, 4, 1, 3)).order
    (2, 0, 3, 1)
    """

    name: str
    ranks: tuple[int, ...]
    emitter: int = -1

    @property
    def arity(self) -> int:
        """The number of children."""
        return len(self.ranks)

    @property
    def order(self) -> tuple[int, ...]:
        """The children, counted from 0, in their new order."""
        return tuple(sorted(range(self.arity), key=self.ranks.__getitem__))


def _simple(digits: str) -> Operator:
    return Operator(f"P{digits}", tuple(map(int, digits)))


#: All operators of up to five children.
OPERATORS = (
    _simple("12"),
    _simple("21"),
    Operator("P01", (1, 2), 0),
    Operator("P10", (1, 2), 1),
    *map(_simple, ("2413", "3142")),
    *map(_simple, ("24153", "25314", "31524", "35142", "41352", "42513")),
)

#: What a grammar learns from: one tree per sentence, or all of them.
VARIANTS = ("left", "right", "itg", "pet")


def operators_of(max_arity: int) -> tuple[Operator, ...]:
    """Return the operators of at most so many children.

    Raises
    ------
    UnknownNameError
        Unless it is from 2 to 5.

    Examples
    --------
    >>> [operator.name for operator in operators_of(2)]
    ['P12', 'P21', 'P01', 'P10']
    """
    if max_arity not in (2, 3, 4, 5):
        raise UnknownNameError("max_arity", str(max_arity), ("2", "3", "4", "5"))
    return tuple(item for item in OPERATORS if item.arity <= max_arity)
