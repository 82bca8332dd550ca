# SPDX-License-Identifier: Apache-2.0
"""Sentences that a grammar must accept, or must not: a file, one a line.

A line may name the variable set first, ``1a,2b<TAB>sentence``; otherwise any set may
accept the sentence. Empty lines and lines that begin with ``#`` say nothing.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from pathlib import Path

from tertium.errors import FormatError, InputError
from tertium.grammars.automaton import Automaton
from tertium.grammars.gf.variables import VariableSet, parse_set

__all__ = ["Sample", "accepts", "read_samples", "where_it_stops"]


@dataclass(frozen=True)
class Sample:
    """A sentence, the set it is meant for, and where it is written."""

    sentence: str
    codes: VariableSet | None
    path: str
    line: int


def read_samples(path: Path) -> tuple[Sample, ...]:
    """Read a file of samples.

    Raises
    ------
    FormatError
        If the file cannot be read, or a variable set is written wrongly.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        message = "samples cannot be read; write one sentence a line, in UTF-8"
        raise FormatError(message, path=str(path)) from None
    samples = []
    for number, line in enumerate(text.splitlines(), 1):
        before, tab, after = line.partition("\t")
        sentence = " ".join((after if tab else before).split())
        if not sentence or line.startswith("#"):
            continue
        try:
            codes = parse_set(before) if tab else None
        except InputError as error:
            raise FormatError(str(error), path=str(path), line=number) from None
        samples.append(Sample(sentence, codes, str(path), number))
    return tuple(samples)


def accepts(automaton: Automaton, sentence: str) -> bool:
    """Return whether a set has a sentence, whatever its case and punctuation.

    Tokens are compared case-folded and tokens of punctuation alone are dropped, as
    in matching (6.1); marks at the ends of a word of the sentence are dropped too,
    because samples are written as people write.

    Examples
    --------
    >>> accepts(Automaton.from_sentences(["the ball is red"]), "The ball is red.")
    True
    """
    states, read = _followed(automaton, sentence)
    return read is None and any(automaton.finals[state] for state in states)


def where_it_stops(automaton: Automaton, sentence: str) -> tuple[str, list[str]]:
    """Return how much of a sentence a set begins with, and what may follow there."""
    states, read = _followed(automaton, sentence)
    tokens = sentence.split()
    follows = {
        automaton.symbols[symbol]
        for state in states
        for symbol, _ in automaton.arcs[state]
    }
    return " ".join(tokens if read is None else tokens[:read]), sorted(follows)


def _followed(automaton: Automaton, sentence: str) -> tuple[set[int], int | None]:
    """Return the last states reached, and the token that leads nowhere from them."""
    folded = [_folded(symbol) for symbol in automaton.symbols]
    states = _skipped(automaton, {0}, folded)
    for number, token in enumerate(sentence.split()):
        bare = _folded(token)
        if not bare:
            continue
        wanted = {token.casefold(), bare}
        reached = {
            to
            for state in states
            for symbol, to in automaton.arcs[state]
            if automaton.symbols[symbol].casefold() in wanted
        }
        if not reached:
            return states, number
        states = _skipped(automaton, reached, folded)
    return states, None


def _skipped(automaton: Automaton, states: set[int], folded: list[str]) -> set[int]:
    """Return the states, and those reached from them by punctuation alone."""
    found = set(states)
    waiting = list(states)
    while waiting:
        for symbol, to in automaton.arcs[waiting.pop()]:
            if not folded[symbol] and to not in found:
                found.add(to)
                waiting.append(to)
    return found


def _folded(token: str) -> str:
    """Return a token in one case, without punctuation at its ends."""
    low, high = 0, len(token)
    while low < high and unicodedata.category(token[low])[0] == "P":
        low += 1
    while low < high and unicodedata.category(token[high - 1])[0] == "P":
        high -= 1
    return token[low:high].casefold()
