# SPDX-License-Identifier: Apache-2.0
"""One sentence that represents a set."""

from __future__ import annotations

from tertium.automata.automaton import Automaton
from tertium.errors import InputError

__all__ = ["shortest_sentence"]


def shortest_sentence(automaton: Automaton) -> tuple[str, ...]:
    """Return the shortest sentence, the alphabetically first of several.

    Raises
    ------
    InputError
        When the set is empty.

    Examples
    --------
    >>> shortest_sentence(Automaton.from_sentences(["it is so", "so it", "be it"]))
    ('be', 'it')
    """
    if not automaton:
        raise InputError("an empty set has no sentence; add one")
    count = len(automaton)
    far = [count] * count  # tokens to the nearest end; more than any path has
    for state in reversed(range(count)):
        ways = (far[to] + 1 for _, to in automaton.arcs[state])
        far[state] = 0 if automaton.finals[state] else min(ways, default=count)
    state, tokens = 0, []
    while far[state]:
        # Arcs are sorted by token.
        symbol, state = next(
            arc for arc in automaton.arcs[state] if far[arc[1]] == far[state] - 1
        )
        tokens.append(automaton.symbols[symbol])
    return tuple(tokens)
