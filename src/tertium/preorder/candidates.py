# SPDX-License-Identifier: Apache-2.0
"""Files of orders to score: one order per sentence, several, or a lattice.

The oracle of several orders is the one with the highest Kendall tau to the gold order:
how well a decoder could choose among them (Stanojević 2017, section 3.6).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tertium import _core
from tertium.data.lines import StrPath, display, open_lines
from tertium.errors import FormatError, InputError
from tertium.preorder.corpus import parse_lines, parse_order
from tertium.preorder.lattices import OrderLattice
from tertium.preorder.model import check_order

if TYPE_CHECKING:
    from tertium.preorder.gold import Gold

__all__ = [
    "Candidates",
    "candidate_count",
    "first_orders",
    "oracle_orders",
    "read_candidates",
]

Order: TypeAlias = tuple[int, ...]
#: The orders of one sentence, the best first, or a lattice of them.
Candidates: TypeAlias = Sequence[Order] | OrderLattice


def read_candidates(
    path: StrPath, sentences: Sequence[Sequence[str]]
) -> list[Candidates]:
    """Return the orders of every sentence from a file of any format.

    Parameters
    ----------
    path : str or path
        A line of source positions per sentence, or JSON: what ``-f json`` of ``tertium
        preorder apply``, ``nbest`` or ``lattice`` wrote.
    sentences : sequence of sequences of str
        Which the orders are checked against.

    Returns
    -------
    list
        A list of one order for a file of orders.

    Raises
    ------
    FormatError
        With file and line, for an order that does not have every position of its
        sentence once, and when there is not one line per sentence.
    """
    lines = open_lines(path)
    first = next(lines, "")
    if "|||" in first:
        raise FormatError(
            "this is a list in Moses's format, which does not say which of two equal "
            "words is which; write it with -f json",
            path=display(path),
            line=1,
        )

    def parse(line: str, index: int) -> Candidates:
        length = len(sentences[index])
        if not first.startswith("{"):
            return [parse_order(line, length)]
        return _of_json(line, length)

    return list(parse_lines(path, chain([first], lines), len(sentences), parse))


def first_orders(candidates: Sequence[Candidates]) -> list[Order]:
    """Return the best order of every sentence by the system's opinion."""
    return [
        each.best()[0] if isinstance(each, OrderLattice) else each[0]
        for each in candidates
    ]


def candidate_count(candidates: Candidates) -> int:
    """Return the number of orders."""
    if isinstance(candidates, OrderLattice):
        return candidates.path_count()
    return len(candidates)


def oracle_orders(
    candidates: Sequence[Candidates], gold: Sequence[Gold]
) -> list[Order]:
    """Return the order of every sentence with the highest tau, the first of equal ones.

    O(n²) per order, O(n) per arc of a lattice.

    Examples
    --------
    >>> from tertium.preorder import Gold
    >>> oracle_orders([[(0, 1, 2), (0, 2, 1)]], [Gold((2, 0, 1), (1.0, 2.0, 0.0))])
    [(0, 2, 1)]
    """
    return [
        each.closest(right.order)[0]
        if isinstance(each, OrderLattice)
        else _closest(each, right.order)
        for each, right in zip(candidates, gold, strict=True)
    ]


def _closest(orders: Sequence[Order], gold: Order) -> Order:
    if len(gold) < 2 or len(orders) == 1:
        return orders[0]
    ranks = np.argsort(gold)
    before = (ranks[:, None] < ranks[None, :]).astype(np.float64)
    return orders[int(_core.expected_taus(before, np.array(orders, np.int32)).argmax())]


def _of_json(line: str, length: int) -> Candidates:
    cure = "give what -f json of `tertium preorder apply`, nbest or lattice wrote"
    try:
        content = json.loads(line)
        if "arcs" in content:
            return _lattice(OrderLattice.from_dict(content), length)
        lists = [each["order"] for each in content.get("orders", [content])]
        if not lists:
            raise InputError(f"the line has no order; {cure}")
        return [check_order(map(int, order), length) for order in lists]
    except InputError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        message = f"these are not orders ({type(error).__name__}: {error})"
        raise InputError(f"{message}; {cure}") from None


def _lattice(lattice: OrderLattice, length: int) -> OrderLattice:
    check_order(lattice.best()[0], length)
    return lattice
