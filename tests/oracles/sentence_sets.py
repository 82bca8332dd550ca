# SPDX-License-Identifier: Apache-2.0
"""Sets of sentences, written out one by one."""

from __future__ import annotations

import itertools

from tertium.automata.expressions import BIND, Choice, Expression, Token


def sentences(expression: Expression) -> set[tuple[str, ...]]:
    """Return every sentence of an expression, neighbours of BIND glued."""
    return {_glued(raw) for raw in _raw(expression)}


def _raw(expression: Expression) -> set[tuple[str, ...]]:
    if isinstance(expression, Token):
        return {(expression.text,)}
    parts = [_raw(part) for part in expression.parts]
    if isinstance(expression, Choice):
        return set().union(*parts)
    return {sum(chosen, ()) for chosen in itertools.product(*parts)}


def _glued(tokens: tuple[str, ...]) -> tuple[str, ...]:
    words: list[str] = []
    glue = False
    for token in tokens:
        if token == BIND.text:
            glue = True
        elif glue and words:
            words[-1] += token
            glue = False
        else:
            words.append(token)
            glue = False
    return tuple(words)
