# SPDX-License-Identifier: Apache-2.0
"""The cheapest correction, by trying every reference, permutation and alignment."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

MATCH = 0
#: Cost, number of edits, total displacement, sum of the kinds' ranks.
Price = tuple[int, int, int, int]
NEVER: Price = (10**9, 0, 0, 0)


@dataclass(frozen=True)
class Model:
    """Costs by kind, and what a token becomes in each symbol."""

    costs: Sequence[int]
    move: int
    join: int
    insert: int
    moves: int
    window: int
    #: Compounds: the symbol and the number of parts.
    compounds: Sequence[tuple[int, int]] = ()
    kinds: Mapping[int, Sequence[int]] = field(default_factory=dict)
    drop: Mapping[int, int] = field(default_factory=dict)
    #: Of a token: the compounds and the places in them it may take.
    parts: Mapping[int, Sequence[tuple[int, int]]] = field(default_factory=dict)

    def price(self, kind: int) -> Price:
        return (0, 0, 0, 0) if kind == MATCH else (self.costs[kind], 1, 0, kind)


def add(one: Price, other: Price) -> Price:
    return tuple(a + b for a, b in zip(one, other, strict=True))  # type: ignore[return-value]


def orders(
    count: int, moves: int, window: int
) -> Iterator[tuple[tuple[int, ...], set[int]]]:
    """Yield allowed permutations with each smallest set of tokens that moved."""
    for order in itertools.permutations(range(count)):
        if any(abs(place - token) > window for place, token in enumerate(order)):
            continue
        for moved in range(count + 1):
            stayed = [
                kept
                for kept in itertools.combinations(order, count - moved)
                if list(kept) == sorted(kept)
            ]
            if stayed:
                break
        if moved <= moves:
            for kept in stayed:
                yield order, set(order) - set(kept)


def cheapest(
    hypothesis: Sequence[int], reference: Sequence[int], model: Model
) -> Price:
    """Return the price of the cheapest correction into one reference."""
    prices = []
    for order, moved in orders(len(hypothesis), model.moves, model.window):
        way: Price = (0, 0, 0, 0)
        for place, token in enumerate(order):
            if token in moved:
                far = (0, 0, abs(place - token), 0)
                way = add(way, add(model.price(model.move), far))
        prices.append(add(way, _aligned(hypothesis, order, moved, reference, model)))
    return min(prices)


def _aligned(
    hypothesis: Sequence[int],
    order: Sequence[int],
    moved: set[int],
    reference: Sequence[int],
    model: Model,
) -> Price:
    @functools.cache
    def rest(i: int, j: int) -> Price:
        if i == len(order) and j == len(reference):
            return (0, 0, 0, 0)
        ways = []
        if j < len(reference):
            ways.append(add(model.price(model.insert), rest(i, j + 1)))
        if i < len(order):
            token = hypothesis[order[i]]
            if order[i] not in moved:
                ways.append(add(model.price(model.drop[token]), rest(i + 1, j)))
            if j < len(reference):
                kind = model.kinds[token][reference[j]]
                ways.append(add(model.price(kind), rest(i + 1, j + 1)))
                for number, (symbol, length) in enumerate(model.compounds):
                    here = [hypothesis[at] for at in order[i : i + length]]
                    if (
                        symbol == reference[j]
                        and len(here) == length
                        and all(
                            (number, part) in model.parts[word]
                            for part, word in enumerate(here)
                        )
                    ):
                        joined: Price = (0, 0, 0, 0)
                        for _ in here:
                            joined = add(joined, model.price(model.join))
                        ways.append(add(joined, rest(i + length, j + 1)))
        return min(ways, default=NEVER)  # a moved token with nothing left to become

    return rest(0, 0)
