# SPDX-License-Identifier: Apache-2.0
"""Sentences that a grammar must accept, or must reject: a file with one per line.

A line may name the variable set first, ``1a,2b<TAB>sentence``; otherwise any set may
accept the sentence. Empty lines and lines that begin with ``#`` say nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tertium.automata.automaton import Automaton
from tertium.errors import FormatError, InputError
from tertium.grammars.gf.variables import VariableSet, parse_set
from tertium.grammars.search.tokens import bare_references, bare_tokens
from tertium.grammars.search.words import fold

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
        message = "samples cannot be read; write one sentence per line, in UTF-8"
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
    """Return whether a set has a sentence, ignoring case and punctuation.

    Words are compared exactly as outputs are with references: what is accepted
    costs nothing to correct.

    Examples
    --------
    >>> accepts(Automaton.from_sentences(["the ball is red"]), "The ball is red.")
    True
    """
    states, read = _followed(automaton, sentence)
    finals = _bare(automaton)[0].finals
    return read is None and any(finals[state] for state in states)


def where_it_stops(automaton: Automaton, sentence: str) -> tuple[str, list[str]]:
    """Return how much of a sentence a set begins with, and what may follow there."""
    states, read = _followed(automaton, sentence)
    references, _ = _bare(automaton)
    tokens = sentence.split()
    follows = {
        references.symbols[symbol]
        for state in states
        for symbol, _ in references.arcs[state]
    }
    return " ".join(tokens if read is None else tokens[:read]), sorted(follows)


def _followed(automaton: Automaton, sentence: str) -> tuple[set[int], int | None]:
    """Return the last states reached, and the token that leads nowhere from them."""
    references, keys = _bare(automaton)
    states = {0}  # several: tokens may differ in case alone
    for number, token in enumerate(sentence.split()):
        for word in bare_tokens([token]):
            wanted = fold(word)
            reached = {
                to
                for state in states
                for symbol, to in references.arcs[state]
                if keys[symbol] == wanted
            }
            if not reached:
                return states, number
            states = reached
    return states, None


# Every sample is looked for in all sets of a template.
@lru_cache(maxsize=256)
def _bare(automaton: Automaton) -> tuple[Automaton, tuple[str, ...]]:
    """Return a set without punctuation, and its symbols as they are compared."""
    references = bare_references(automaton)
    return references, tuple(map(fold, references.symbols))
