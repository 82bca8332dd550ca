# SPDX-License-Identifier: Apache-2.0
"""What all analysers share: the analysis of a word, and the protocols.

Features have the short names that edit labels show: cases ``NOM GEN PAR ...``
(:data:`CASES`), numbers ``SG PL``, tenses ``PRES PAST FUT``, moods ``IND COND IMP
...``, persons ``1 2 3`` (``4`` for the Finnish passive). Parts of speech are those of
Universal Dependencies, with one more: a participle is ``PTCP``, because it is a verb
that is inflected like a noun.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

__all__ = [
    "CASES",
    "NOMINAL",
    "VERBAL",
    "Analyser",
    "Analysis",
    "BatchAnalyser",
    "Generator",
    "NoAnalyser",
    "analyse_all",
]

#: Cases in the order of reports, then rarer ones.
CASES = (
    *("NOM", "GEN", "PAR"),
    *("INE", "ELA", "ILL"),
    *("ADE", "ABL", "ALL"),
    *("ESS", "TRA", "ABE"),
    *("COM", "INS", "ACC", "DAT", "LOC", "VOC"),
)

#: Parts of speech whose case counts; determiners are pronouns before a noun.
NOMINAL = frozenset({"NOUN", "PROPN", "ADJ", "PRON", "DET", "NUM", "PTCP"})
#: Parts of speech that have tense, person and mood.
VERBAL = frozenset({"VERB", "AUX"})


@dataclass(frozen=True, slots=True)
class Analysis:
    """One reading of a word; an empty string stands for a feature it lacks.

    Parameters
    ----------
    lemma : str
        The base form, names with a capital.
    pos : str
        The part of speech, as in Universal Dependencies, or ``PTCP``.
    case, number, tense, person, mood : str
        Features with short names.
    parts : tuple of str
        The lemmas of a compound's constituents; empty if it is none.
    """

    lemma: str
    pos: str = ""
    case: str = ""
    number: str = ""
    tense: str = ""
    person: str = ""
    mood: str = ""
    parts: tuple[str, ...] = ()

    @property
    def nominal(self) -> bool:
        """Whether the word has a case that counts."""
        return self.case != "" and self.pos in NOMINAL

    @property
    def verbal(self) -> bool:
        """Whether the word is a verb, finite or infinitive."""
        return self.pos in VERBAL


class Analyser(Protocol):
    """What finds the readings of a word.

    One with a true attribute ``closed`` is a list: what it does not know may well be a
    word of the language, and is called "not in the lexicon".
    """

    @property
    def name(self) -> str:
        """Name and version; results of two names are not comparable."""

    @property
    def language(self) -> str:
        """The language as a code of two or three letters, or an empty string."""

    def analyse(self, token: str) -> tuple[Analysis, ...]:
        """Return all readings of a token; none if the analyser does not know it."""


@runtime_checkable
class BatchAnalyser(Protocol):
    """An analyser that works much faster on many tokens at a time."""

    def analyse_many(self, tokens: Sequence[str]) -> list[tuple[Analysis, ...]]:
        """Return the readings of every token."""


@runtime_checkable
class Generator(Protocol):
    """What makes forms of a word, for authors of grammars."""

    def generate(self, lemma: str, pos: str, features: str) -> tuple[str, ...]:
        """Return the forms with these features, such as ``Case=Nom|Number=Sing``."""


class NoAnalyser:
    """Stands for "no analyser": has no readings, yet every token is known.

    Otherwise all edits would be those of unknown words; see
    :class:`tertium.grammars.search.words.Lexis`.
    """

    name = "none"
    language = ""
    closed = True

    def analyse(self, token: str) -> tuple[Analysis, ...]:  # noqa: ARG002
        """Return no reading."""
        return ()


def analyse_all(
    analyser: Analyser, tokens: Sequence[str]
) -> Sequence[tuple[Analysis, ...]]:
    """Return the readings of every token, at once where that is faster."""
    if isinstance(analyser, BatchAnalyser):
        return analyser.analyse_many(tokens)
    return [analyser.analyse(token) for token in tokens]
