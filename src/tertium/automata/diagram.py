# SPDX-License-Identifier: Apache-2.0
"""Construction of automata, with states that are shared if they are equivalent.

Each state represents a set of sentences (those that lead from it to an end) and is
created once: a second state with the same end mark and the same arcs is the first.
Sets are built from their ends to their beginnings, so all states are minimal and no
non-deterministic automaton is ever built. Uniting states is a memoised subset
construction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tertium.automata.expressions import BIND, Choice, Expression, Token

__all__ = ["Diagram"]

_GLUE = BIND.text


class Diagram:
    """A store of numbered states.

    ``nothing`` is the empty set, ``end`` the set with the empty sentence only.
    """

    def __init__(self) -> None:
        self._made: dict[tuple[bool, tuple[tuple[str, int], ...]], int] = {}
        #: For each state: whether a sentence may end here, and its arcs by token.
        self.states: list[tuple[bool, tuple[tuple[str, int], ...]]] = []
        self._unions: dict[frozenset[int], int] = {}
        self._binds = False  # whether there is a BIND in any state
        self.nothing = self.state(final=False, arcs={})
        self.end = self.state(final=True, arcs={})

    def state(self, *, final: bool, arcs: dict[str, int]) -> int:
        """Return the state with this end mark and these arcs."""
        # Arcs into the empty set, the state 0, lead nowhere.
        key = (final, tuple(sorted((token, to) for token, to in arcs.items() if to)))
        number = self._made.get(key)
        if number is None:
            number = self._made[key] = len(self.states)
            self.states.append(key)
            self._binds = self._binds or _GLUE in arcs
        return number

    def token(self, text: str, after: int) -> int:
        """Return the sentences of a state, each preceded by a token."""
        return self.state(final=False, arcs={text: after})

    def union(self, states: Iterable[int]) -> int:
        """Return the sentences of all these states."""
        members = frozenset(states) - {self.nothing}
        if len(members) < 2:
            return next(iter(members), self.nothing)
        # An explicit stack, as sentences may exceed Python's recursion limit.
        waiting = [members]
        while waiting:
            here = waiting[-1]
            if here not in self._unions:
                targets: dict[str, set[int]] = {}
                for member in here:
                    for token, to in self.states[member][1]:
                        targets.setdefault(token, set()).add(to)
                below = {token: frozenset(to) for token, to in targets.items()}
                missing = [to for to in below.values() if self._united(to) is None]
                if missing:
                    waiting += missing
                    continue
                arcs = {token: self._united(to) or 0 for token, to in below.items()}
                final = any(self.states[member][0] for member in here)
                self._unions[here] = self.state(final=final, arcs=arcs)
            waiting.pop()
        return self._unions[members]

    def _united(self, members: frozenset[int]) -> int | None:
        """Return the union of states if it is known."""
        return next(iter(members)) if len(members) == 1 else self._unions.get(members)

    def below(self, state: int) -> list[int]:
        """Return the states that a state leads to and itself, ends first."""
        seen = {state}
        waiting = [state]
        while waiting:
            for _, to in self.states[waiting.pop()][1]:
                if to not in seen:
                    seen.add(to)
                    waiting.append(to)
        return sorted(seen)  # a state is created after those it leads to

    def add(self, expression: Expression, after: int | None = None) -> int:
        """Return the sentences of an expression, each followed by those of `after`."""
        return self._add(expression, self.end if after is None else after, {})

    def _add(
        self, expression: Expression, after: int, known: dict[tuple[int, int], int]
    ) -> int:
        if isinstance(expression, Token):
            return self.token(expression.text, after)
        key = (id(expression), after)
        state = known.get(key)
        if state is None:
            if isinstance(expression, Choice):
                parts = (self._add(part, after, known) for part in expression.parts)
                state = self.union(list(parts))
            else:
                state = after
                for part in reversed(expression.parts):
                    state = self._add(part, state, known)
            known[key] = state
        return state

    def glued(self, state: int) -> int:
        """Return the sentences with the neighbours of each BIND joined to one token."""
        if not self._binds:
            return state
        whole: dict[int, int] = {}
        begun: dict[tuple[str, int], int] = {}

        def resolved(state: int) -> int:
            # A BIND with nothing before it has no effect.
            if state not in whole:
                final, arcs = self.states[state]
                parts = [
                    resolved(to) if token == _GLUE else after(token, to)
                    for token, to in arcs
                ]
                whole[state] = self.union([self.end, *parts] if final else parts)
            return whole[state]

        def after(token: str, state: int) -> int:
            # The sentences that begin with this token and continue from this state.
            if (token, state) not in begun:
                final, arcs = self.states[state]
                loose = {word: to for word, to in arcs if word != _GLUE}
                rest = resolved(self.state(final=final, arcs=loose))
                parts = [self.token(token, rest)]
                parts += [onto(token, to) for word, to in arcs if word == _GLUE]
                begun[token, state] = self.union(parts)
            return begun[token, state]

        def onto(token: str, state: int) -> int:
            final, arcs = self.states[state]
            parts = [
                onto(token, to) if word == _GLUE else after(token + word, to)
                for word, to in arcs
            ]
            return self.union([self.token(token, self.end), *parts] if final else parts)

        for one in self.below(state):  # so that none of these calls goes deep
            resolved(one)
        return whole[state]

    def relabelled(self, state: int, names: Mapping[str, str]) -> int:
        """Return the sentences with tokens renamed.

        An empty name removes a token; a name with spaces becomes several tokens.
        """
        made: dict[int, int] = {}
        for one in self.below(state):
            final, arcs = self.states[one]
            parts = [self.end] if final else []
            for token, to in arcs:
                after = made[to]
                for word in reversed(names[token].split()):
                    after = self.token(word, after)
                parts.append(after)
            made[one] = self.union(parts)
        return made[state]
