# SPDX-License-Identifier: Apache-2.0
"""Sets of references with their words cut into tokens."""

from __future__ import annotations

from tertium.errors import InputError
from tertium.grammars.automaton import Automaton
from tertium.grammars.diagram import Diagram
from tertium.text import tokenize

__all__ = ["tokenised"]


def tokenised(automaton: Automaton, name: str) -> Automaton:
    """Return the set with every word cut by a tokeniser, as ``red.`` into two.

    Words are cut one by one, without a look at their neighbours, so that no sentence
    has to be written out.

    Parameters
    ----------
    automaton : Automaton
        The set.
    name : str
        The tokeniser, such as ``13a``.

    Examples
    --------
    >>> ball = Automaton.from_sentences(["a ball.", "a red ball!"])
    >>> list(tokenised(ball, "13a"))
    [('a', 'ball', '.'), ('a', 'red', 'ball', '!')]
    """
    words = tokenize(automaton.symbols, name)
    diagram = Diagram()
    made = [diagram.nothing] * len(automaton)
    try:
        for state in reversed(range(len(automaton))):
            ways = [diagram.end] if automaton.finals[state] else []
            for symbol, to in automaton.arcs[state]:
                after = made[to]
                for token in reversed(words[symbol]):
                    after = diagram.token(token, after)
                ways.append(after)
            made[state] = diagram.union(ways)
    except RecursionError:
        message = "a sentence of the set is too long to tokenise (several hundred "
        message += "tokens); cut the segment into sentences"
        raise InputError(message) from None
    return Automaton.from_diagram(diagram, made[0])
