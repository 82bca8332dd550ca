# SPDX-License-Identifier: Apache-2.0
"""Forests: all trees that yield an order of a sentence (Stanojević 2017, 2.5.3).

Only chains of equal binary operators are ambiguous: every run of their parts is a span,
with one inference per boundary within it. A span of units has exactly one operator,
unless unaligned units may join low or high: then it is in the forest once for every
operator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tertium import _core
from tertium.errors import InputError, UnknownNameError
from tertium.preorder.grammar.operators import VARIANTS, Operator, operators_of
from tertium.preorder.units import HEIGHTS, Units, check_attachment

__all__ = ["FOREST_HEIGHTS", "Forest", "ForestSpan", "branching_of", "max_arity_of"]

#: What an unaligned unit joins: as in orders, or both as alternatives.
FOREST_HEIGHTS = (*HEIGHTS, "both")


@dataclass(frozen=True)
class ForestSpan:
    """A span of units with an operator, or one unit.

    Parameters
    ----------
    start, end : int
        Units, counted from 0, half open.
    operator : Operator or None
        None for one unit.
    inferences : tuple of tuples of int
        For each way to split the span, the numbers of its parts in the forest.
    """

    start: int
    end: int
    operator: Operator | None
    inferences: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Forest:
    """The forest of one sentence.

    Parameters
    ----------
    spans : tuple of ForestSpan
        Parts before wholes; the last one is the sentence. So are the other
        :attr:`roots`.

    Examples
    --------
    >>> forest = Forest.of_ranks([2, 1, 3, 4])
    >>> forest.count, forest.inferences
    (2, 5)
    >>> for span in forest.inner():
    ...     print(span.start, span.end, span.operator.name, len(span.inferences))
    0 2 P21 1
    0 3 P12 1
    2 4 P12 1
    0 4 P12 2
    """

    spans: tuple[ForestSpan, ...]

    @classmethod
    def of_ranks(cls, ranks: Sequence[int], *, variant: str = "pet") -> Forest:
        """Return the forest of ranks, counted from 1; 0 is an unaligned unit.

        Parameters
        ----------
        ranks : sequence of int
        variant : {"pet", "itg", "left", "right"}
            All trees, all trees of binary operators, or the left or right tree alone.

        Raises
        ------
        InputError
            If fewer than two units are aligned, or an operator with too many children
            is necessary.
        """
        spans = tuple((i, i + 1) for i in range(len(ranks)))
        return cls.of_units(Units(spans, tuple(ranks)), variant=variant)

    @classmethod
    def of_units(
        cls,
        units: Units,
        *,
        variant: str = "pet",
        attach: str = "right",
        height: str = "low",
    ) -> Forest:
        """Return the forest of units, as :meth:`of_ranks` does.

        Parameters
        ----------
        units : Units
        variant : {"pet", "itg", "left", "right"}
        attach : {"right", "left"}
            As in :meth:`tertium.preorder.units.Units.order`.
        height : {"low", "high", "both"}
            The same; ``both`` has the trees of all combinations. Where several
            unaligned units stand side by side, the nearest ones may join low and the
            others high.

        Examples
        --------
        >>> units = Units(((0, 1), (1, 2), (2, 3), (3, 4)), (1, 0, 3, 2))
        >>> [Forest.of_units(units, height=h).count for h in ("low", "high", "both")]
        [1, 1, 2]
        """
        branching = branching_of(variant)
        operators = operators_of(max_arity_of(variant))
        check_attachment(attach, height, heights=FOREST_HEIGHTS)
        try:
            rows = _core.forest_rows(
                [operator.ranks for operator in operators],
                [operator.emitter for operator in operators],
                np.array(units.ranks, np.uint32),
                branching,
                attach,
                height,
            )
        except ValueError as error:
            raise InputError(f"there is no forest: {error}") from None
        if not rows:
            raise InputError(
                "there is no forest: fewer than two units are aligned, or the order "
                "needs an operator with more children; leave the sentence out"
            )
        return cls(
            tuple(
                ForestSpan(
                    start,
                    end,
                    operators[op] if op >= 0 else None,
                    tuple(map(tuple, edges)),
                )
                for start, end, op, edges in rows
            )
        )

    def inner(self) -> Iterator[ForestSpan]:
        """Yield the spans with an operator, parts before wholes."""
        return (span for span in self.spans if span.operator is not None)

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """The numbers of the spans that are the sentence, one for every operator."""
        end = self.spans[-1].end
        return tuple(
            number
            for number, span in enumerate(self.spans)
            if span.start == 0 and span.end == end
        )

    @cached_property
    def inferences(self) -> int:
        """The number of ways to split all spans."""
        return sum(len(span.inferences) for span in self.spans)

    @cached_property
    def count(self) -> int:
        """The number of trees."""
        counts: list[int] = []
        for span in self.spans:
            ways = 0 if span.inferences else 1
            for parts in span.inferences:
                product = 1
                for part in parts:
                    product *= counts[part]
                ways += product
            counts.append(ways)
        return sum(counts[root] for root in self.roots)


def branching_of(variant: str) -> str:
    """Return which trees of a chain a variant has.

    Raises
    ------
    UnknownNameError
        If there is no such variant.
    """
    if variant not in VARIANTS:
        raise UnknownNameError("variant", variant, VARIANTS)
    return variant if variant in ("left", "right") else "all"


def max_arity_of(variant: str) -> int:
    """Return the largest number of children of a variant's operators."""
    return 2 if variant == "itg" else 5
