# SPDX-License-Identifier: Apache-2.0
"""Huge finite sets of sentences as minimal automata."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from tertium._seed import SEED
from tertium.automata.diagram import Diagram
from tertium.automata.expressions import Expression

__all__ = ["Arc", "Automaton"]

#: The number of a token among :attr:`Automaton.symbols`, and the state it leads to.
Arc = tuple[int, int]


class Automaton:
    """A finite set of sentences: the minimal acyclic deterministic automaton.

    There is exactly one automaton per set, so equal sets are equal objects. States are
    numbered from 0, the start, such that each arc leads to a higher number; the arcs of
    a state are sorted by token.

    Attributes
    ----------
    symbols : tuple of str
        The tokens on the arcs, sorted.
    arcs : tuple of tuples of (symbol, target)
        The arcs that leave each state.
    finals : tuple of bool
        Where a sentence may end.

    Examples
    --------
    >>> colours = Automaton.from_sentences(["the ball is red", "the ball is green"])
    >>> len(colours), colours.count, "the ball is red" in colours
    (5, 2, True)
    >>> colours[0]
    ('the', 'ball', 'is', 'green')
    """

    __slots__ = ("__dict__", "arcs", "finals", "symbols")

    def __init__(
        self,
        symbols: tuple[str, ...],
        arcs: tuple[tuple[Arc, ...], ...],
        finals: tuple[bool, ...],
    ) -> None:
        self.symbols = symbols
        self.arcs = arcs
        self.finals = finals

    # ------------------------------------------------------------------- making

    @classmethod
    def from_expression(cls, expression: Expression) -> Automaton:
        """Return the set of an expression, with neighbours of BIND joined."""
        diagram = Diagram()
        return cls.from_diagram(diagram, diagram.glued(diagram.add(expression)))

    @classmethod
    def from_sentences(cls, sentences: Iterable[str | Sequence[str]]) -> Automaton:
        """Return a set of sentences, from texts or their tokens."""
        diagram = Diagram()
        wanted = sorted(
            {tuple(s.split() if isinstance(s, str) else s) for s in sentences}
        )
        # Sentences are sorted: states that the next one does not share with this one
        # are complete, and can be built from their end.
        open_arcs: list[dict[str, int]] = [{}]
        ends = [False]
        here: tuple[str, ...] = ()

        def close(depth: int) -> None:
            while len(open_arcs) > depth + 1:
                arcs, final = open_arcs.pop(), ends.pop()
                made = diagram.state(final=final, arcs=arcs)
                open_arcs[-1][here[len(open_arcs) - 1]] = made

        for tokens in wanted:
            shared = _common(here, tokens)
            close(shared)
            here = tokens
            for _ in tokens[shared:]:
                open_arcs.append({})
                ends.append(False)
            ends[-1] = True
        close(0)
        return cls.from_diagram(
            diagram, diagram.state(final=ends[0], arcs=open_arcs[0])
        )

    @classmethod
    def from_diagram(cls, diagram: Diagram, state: int) -> Automaton:
        """Return the automaton of a state in a diagram."""
        order = _topological(diagram, state)
        number = {old: new for new, old in enumerate(order)}
        symbols = sorted(
            {token for old in order for token, _ in diagram.states[old][1]}
        )
        code = {token: index for index, token in enumerate(symbols)}
        return cls(
            tuple(symbols),
            tuple(
                tuple((code[token], number[to]) for token, to in diagram.states[old][1])
                for old in order
            ),
            tuple(diagram.states[old][0] for old in order),
        )

    def to_diagram(self, diagram: Diagram) -> int:
        """Add the automaton to a diagram and return its state there."""
        made: list[int] = [0] * len(self.arcs)
        for state in reversed(range(len(self.arcs))):
            arcs = {self.symbols[symbol]: made[to] for symbol, to in self.arcs[state]}
            made[state] = diagram.state(final=self.finals[state], arcs=arcs)
        return made[0]

    def __or__(self, other: Automaton) -> Automaton:
        diagram = Diagram()
        both = diagram.union([self.to_diagram(diagram), other.to_diagram(diagram)])
        return Automaton.from_diagram(diagram, both)

    def relabelled(self, rename: Callable[[str], str]) -> Automaton:
        """Return the set with renamed tokens.

        An empty name removes a token; a name with spaces becomes several tokens.
        """
        names = {token: rename(token) for token in self.symbols}
        if all(token == name for token, name in names.items()):
            return self
        diagram = Diagram()
        renamed = diagram.relabelled(self.to_diagram(diagram), names)
        return Automaton.from_diagram(diagram, renamed)

    # ------------------------------------------------------------------ reading

    def __len__(self) -> int:
        """Return the number of states."""
        return len(self.arcs)

    def __bool__(self) -> bool:
        """Return whether there is a sentence in the set."""
        return self.count > 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Automaton):
            return NotImplemented
        return (self.symbols, self.arcs, self.finals) == (
            other.symbols,
            other.arcs,
            other.finals,
        )

    def __hash__(self) -> int:
        return hash((self.symbols, self.arcs, self.finals))

    def __repr__(self) -> str:
        return (
            f"<Automaton: {self.count:,} sentences, {len(self):,} states, "
            f"{self.arc_count:,} arcs>"
        )

    @property
    def arc_count(self) -> int:
        """The number of arcs."""
        return sum(map(len, self.arcs))

    @cached_property
    def _counts(self) -> list[int]:
        """The exact number of sentences from each state to an end."""
        counts = [0] * len(self.arcs)
        for state in reversed(range(len(self.arcs))):
            below = sum(counts[to] for _, to in self.arcs[state])
            counts[state] = self.finals[state] + below
        return counts

    @property
    def count(self) -> int:
        """The exact number of sentences."""
        return self._counts[0]

    def __contains__(self, sentence: object) -> bool:
        if not isinstance(sentence, str | Sequence):
            return False
        state = self.follow(sentence.split() if isinstance(sentence, str) else sentence)
        return state is not None and self.finals[state]

    def follow(self, tokens: Iterable[str], state: int = 0) -> int | None:
        """Return the state that the tokens lead to, or None."""
        here: int | None = state
        for token in tokens:
            here = None if here is None else self._next(here, token)
        return here

    def _next(self, state: int, token: str) -> int | None:
        symbol = bisect_left(self.symbols, token)
        if self.symbols[symbol : symbol + 1] != (token,):
            return None
        arcs = self.arcs[state]
        place = bisect_left(arcs, (symbol, 0))
        known = place < len(arcs) and arcs[place][0] == symbol
        return arcs[place][1] if known else None

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        """Yield all sentences, sorted. There may be billions."""
        waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        while waiting:
            state, tokens = waiting.pop()
            if self.finals[state]:
                yield tokens
            for symbol, to in reversed(self.arcs[state]):
                waiting.append((to, (*tokens, self.symbols[symbol])))

    def __getitem__(self, index: int) -> tuple[str, ...]:
        """Return the sentence at this place of the sorted set."""
        left = index + self.count if index < 0 else index
        if not 0 <= left < self.count:
            message = f"there is no sentence {index} among {self.count}"
            raise IndexError(message)
        state, tokens = 0, []
        while left or not self.finals[state]:
            left -= self.finals[state]
            for symbol, to in self.arcs[state]:
                if left < self._counts[to]:
                    tokens.append(self.symbols[symbol])
                    state = to
                    break
                left -= self._counts[to]
        return tuple(tokens)

    def sample(self, size: int, seed: int = SEED) -> list[tuple[str, ...]]:
        """Return sentences sampled uniformly, without replacement.

        A larger sample with the same seed begins with the smaller one. If the set
        has at most `size` sentences, all of them are returned.
        """
        draw = random.Random(seed)  # noqa: S311
        # A shuffle of all places that stores only those it has touched.
        moved: dict[int, int] = {}
        sample = []
        for here in range(min(size, self.count)):
            there = draw.randrange(here, self.count)
            sample.append(self[moved.get(there, there)])
            moved[there] = moved.get(here, here)
        return sample


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the common prefix of two sentences."""
    alike = 0
    while alike < min(len(one), len(other)) and one[alike] == other[alike]:
        alike += 1
    return alike


def _topological(diagram: Diagram, start: int) -> list[int]:
    """Return the states below a state, each before those it leads to.

    The order depends on the sentences only: it is the reverse of the order in which a
    walk that follows arcs by token leaves the states.
    """
    left: list[int] = []
    seen = {start}
    path = [(start, iter(diagram.states[start][1]))]
    while path:
        state, arcs = path[-1]
        for _, to in arcs:
            if to not in seen:
                seen.add(to)
                path.append((to, iter(diagram.states[to][1])))
                break
        else:
            path.pop()
            left.append(state)
    return left[::-1]
