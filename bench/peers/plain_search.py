# SPDX-License-Identifier: Apache-2.0
"""The closest reference in plain Python: best-first search as the spec describes it.

States are made on demand; the bound is, for every token left, the least of leaving it
out and of its edits into a symbol that can still come (section 6.4, "the simpler token
part alone"). No morphology, no labels, no tie-breaks: the cost alone.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

from tertium.grammars import Automaton, EditCosts

__all__ = ["PlainSearch"]

#: Next token in order, tokens that went early, tokens that are late, moves so far.
_Place = tuple[int, frozenset[int], frozenset[int], int]


class PlainSearch:
    """A reference set and what edits cost."""

    def __init__(self, references: Automaton, costs: EditCosts | None = None) -> None:
        self.references = references
        self.costs = costs or EditCosts()
        #: The symbols that may still come, of every state.
        self.ahead: list[frozenset[int]] = [frozenset()] * len(references)
        for state in reversed(range(len(references))):
            self.ahead[state] = frozenset(
                symbol
                for label, to in references.arcs[state]
                for symbol in (label, *self.ahead[to])
            )

    def cost(self, hypothesis: Sequence[str]) -> int:
        """Return the cost of the cheapest correction."""
        codes = {token: code for code, token in enumerate(self.references.symbols)}
        hyp = [codes.get(token, -1) for token in hypothesis]
        left: dict[tuple[int, int], int] = {}

        def token_bound(token: int, state: int) -> int:
            key = (token, state)
            if key not in left:
                hit = hyp[token] in self.ahead[state]
                left[key] = 0 if hit else min(self.costs.delete, self.costs.sub)
            return left[key]

        def bound(place: _Place, state: int) -> int:
            p, early, late, _ = place
            still = [t for t in range(p, len(hyp)) if t not in early]
            return sum(token_bound(token, state) for token in (*still, *late))

        start: _Place = (0, frozenset(), frozenset(), 0)
        best = {(start, 0): 0}
        queue = [(bound(start, 0), 0, 0, start, 0)]
        number = 0
        while True:
            _, _, paid, place, state = heapq.heappop(queue)
            if best[place, state] < paid:
                continue
            done = place[0] == len(hyp) and not place[2]
            if done and self.references.finals[state]:
                return paid
            for cost, there, to in self._steps(hyp, place, state):
                new = paid + cost
                if new < best.get((there, to), 1 << 60):
                    best[there, to] = new
                    number += 1
                    entry = (new + bound(there, to), number, new, there, to)
                    heapq.heappush(queue, entry)

    def _steps(
        self, hyp: list[int], place: _Place, state: int
    ) -> Iterator[tuple[int, _Place, int]]:
        arcs = self.references.arcs[state]
        for _, to in arcs:
            yield self.costs.insert, place, to
        for token, cost, there, moved in self._moves(len(hyp), place):
            if token is None:
                yield cost, there, state
                continue
            if not moved:
                yield cost + self.costs.delete, there, state
            for symbol, to in arcs:
                edit = 0 if symbol == hyp[token] else self.costs.sub
                yield cost + edit, there, to

    def _moves(
        self, count: int, place: _Place
    ) -> Iterator[tuple[int | None, int, _Place, bool]]:
        p, early, late, moves = place
        at = p - len(late) + len(early)
        window = self.costs.window
        if p < count and abs(at - p) <= window:
            yield p, 0, _passed(p + 1, early, late, moves), False
        for token in late:
            if abs(at - token) <= window:
                yield token, 0, (p, early, late - {token}, moves), True
        if moves == self.costs.moves or p >= count:
            return
        pay = self.costs.move
        yield None, pay, _passed(p + 1, early, late | {p}, moves + 1), False
        for token in range(p + 1, min(count, at + window + 1)):
            if token not in early and abs(at - token) <= window:
                yield token, pay, (p, early | {token}, late, moves + 1), True


def _passed(p: int, early: frozenset[int], late: frozenset[int], moves: int) -> _Place:
    while p in early:
        early, p = early - {p}, p + 1
    return p, early, late, moves
