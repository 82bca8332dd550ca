# SPDX-License-Identifier: Apache-2.0
"""Graphs of states and tokens from files, converted to minimal automata."""

from __future__ import annotations

from collections.abc import Iterable

from tertium.automata.automaton import Automaton
from tertium.automata.diagram import Diagram
from tertium.errors import InputError

__all__ = ["CycleError", "Graph"]


class CycleError(InputError):
    """A graph has a cycle, so that it has infinitely many sentences.

    Attributes
    ----------
    way : tuple of str
        The states of the cycle, with the first one again at the end.
    """

    def __init__(self, way: tuple[str, ...]) -> None:
        self.way = way
        shown = [*way[:6], "...", way[-1]] if len(way) > 8 else way
        super().__init__(
            f"the states {' -> '.join(shown)} form a cycle, so there are infinitely "
            "many sentences; a reference set must be finite: remove an arc"
        )


class Graph:
    """Named states, and arcs with a token or None.

    Several arcs of a state may have the same token. States that are not part of a
    sentence are ignored.
    """

    def __init__(self, start: str) -> None:
        self.start = start
        self.arcs: dict[str, list[tuple[str | None, str]]] = {}
        self.finals: set[str] = set()

    def add(self, source: str, token: str | None, target: str) -> None:
        """Add an arc."""
        self.arcs.setdefault(source, []).append((token, target))

    def automaton(self) -> Automaton:
        """Return the sentences from the start to a final state.

        Raises
        ------
        CycleError
            When there are infinitely many.
        InputError
            When a sentence is too long.
        """
        diagram = Diagram()
        made: dict[str, int] = {}
        useful = self._reaching() & self._reached()
        for state in self._from_ends(useful):
            ends = [diagram.end] if state in self.finals else []
            made[state] = diagram.union(
                ends
                + [
                    made[to] if token is None else diagram.token(token, made[to])
                    for token, to in self.arcs.get(state, ())
                    if to in useful
                ]
            )
        return Automaton.from_diagram(diagram, made.get(self.start, diagram.nothing))

    def _reached(self) -> set[str]:
        after = {state: [to for _, to in arcs] for state, arcs in self.arcs.items()}
        return _closure([self.start], after)

    def _reaching(self) -> set[str]:
        before: dict[str, list[str]] = {}
        for state, arcs in self.arcs.items():
            for _, to in arcs:
                before.setdefault(to, []).append(state)
        return _closure(self.finals, before)

    def _from_ends(self, useful: set[str]) -> list[str]:
        """Return the useful states, each after those it leads to."""
        order: list[str] = []
        done: set[str] = set()
        path: list[str] = []
        # A state is visited twice: on the way down, and on the way back.
        waiting = [(self.start, False)] if self.start in useful else []
        on_path: set[str] = set()
        while waiting:
            state, leaving = waiting.pop()
            if leaving:
                on_path.discard(path.pop())
                done.add(state)
                order.append(state)
            elif state in on_path:
                raise CycleError((*path[path.index(state) :], state))
            elif state not in done:
                path.append(state)
                on_path.add(state)
                waiting.append((state, True))
                targets = {to for _, to in self.arcs.get(state, ()) if to in useful}
                waiting += [(to, False) for to in sorted(targets, reverse=True)]
        return order


def _closure(seeds: Iterable[str], neighbours: dict[str, list[str]]) -> set[str]:
    closure = set(seeds)
    waiting = list(closure)
    while waiting:
        for state in neighbours.get(waiting.pop(), ()):
            if state not in closure:
                closure.add(state)
                waiting.append(state)
    return closure
