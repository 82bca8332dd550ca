# SPDX-License-Identifier: Apache-2.0
"""Finite sets of sentences as expressions: tokens, sequences, choices.

The intermediate form of the light notation and of grammar strings before they become
an automaton. Nothing is enumerated: three choices of ten are thirty tokens, regardless
of the number of sentences.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

__all__ = [
    "BIND",
    "EMPTY",
    "NOTHING",
    "Choice",
    "Expression",
    "Sequence",
    "Token",
    "choice",
    "literal",
    "sequence",
]


@dataclass(frozen=True, slots=True, eq=False)
class Token:
    """One token."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """One part after the other."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One of the parts."""

    parts: tuple[Expression, ...]


Expression: TypeAlias = Token | Sequence | Choice

#: Joins its neighbours into one token; without a neighbour it has no effect.
BIND = Token("&+")
#: The sentence without tokens.
EMPTY = Sequence(())
#: No sentence at all.
NOTHING = Choice(())


def literal(text: str) -> Expression:
    """Return the tokens of a text, split at white space."""
    return sequence(Token(token) for token in text.split())


def sequence(parts: Iterable[Expression]) -> Expression:
    """Return the sequence of the parts; empty if one of them has no sentence."""
    flat: list[Expression] = []
    for part in parts:
        if part is NOTHING:
            return NOTHING
        if isinstance(part, Sequence):
            flat += part.parts
        else:
            flat.append(part)
    if not flat:
        return EMPTY
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def choice(parts: Iterable[Expression]) -> Expression:
    """Return the choice between the parts, without duplicates."""
    flat: dict[object, Expression] = {}
    for part in parts:
        for one in part.parts if isinstance(part, Choice) else (part,):
            same = one.text if isinstance(one, Token) and one is not BIND else id(one)
            flat.setdefault(same, one)
    if not flat:
        return NOTHING
    return next(iter(flat.values())) if len(flat) == 1 else Choice(tuple(flat.values()))
