# SPDX-License-Identifier: Apache-2.0
"""Tokens as corrections see them: words without the punctuation around them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from tertium.grammars.automaton import Automaton

__all__ = ["bare", "bare_references", "bare_tokens"]


def bare(token: str) -> str:
    """Return a token without punctuation at its ends; nothing may be left.

    Examples
    --------
    >>> bare("«Anna,»"), bare("EU:n"), bare("..."), bare("5%")
    ('Anna', 'EU:n', '', '5')
    """
    first, last = 0, len(token)
    while first < last and _is_punctuation(token[first]):
        first += 1
    while first < last and _is_punctuation(token[last - 1]):
        last -= 1
    return token[first:last]


def bare_tokens(text: str | Sequence[str]) -> list[str]:
    """Return the words of a text."""
    tokens = text.split() if isinstance(text, str) else text
    return [word for word in map(bare, tokens) if word]


def bare_references(references: Automaton) -> Automaton:
    """Return references without punctuation."""
    return references.relabelled(bare)


def _is_punctuation(char: str) -> bool:
    return unicodedata.category(char).startswith("P")
