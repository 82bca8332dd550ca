# SPDX-License-Identifier: Apache-2.0
"""Tokens with their readings, and which readings a token of a translation may have.

Translations come with sentence-initial capitals or without any, so their case says
little; the case of references is the author's. Lower-casing turns names into other
words (*anna*, give!). So a reference token is read in its own case; a lower-case
hypothesis token, or one in capitals, is also read as a name if it has no other
reading, or if the name's lemma occurs in the references.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tertium.grammars.morphology.base import (
    Analyser,
    Analysis,
    BatchAnalyser,
    NoAnalyser,
)
from tertium.grammars.morphology.features import unique

__all__ = ["Lexis", "Word", "fold", "letters"]

#: Parts of speech that can stand for each other; a determiner is a pronoun before a
#: noun, and a participle is inflected like an adjective.
_KINDRED = {"PROPN": "NOUN", "DET": "PRON", "PTCP": "ADJ"}
_HYPHENS = dict.fromkeys(map(ord, "-\u00ad\u2010\u2011"))


def fold(token: str) -> str:
    """Return a token as it is compared: without the case of its letters."""
    return token.casefold()


def letters(token: str) -> str:
    """Return what is left of a token without case and hyphens.

    Examples
    --------
    >>> letters("Apple-Tree") == letters("appletree")
    True
    """
    return fold(token).translate(_HYPHENS)


@dataclass(frozen=True)
class Word:
    """A token, its readings, and what edits ask of them.

    Parameters
    ----------
    token : str
        As it stands in the text or the grammar.
    analyses : tuple of Analysis
        Its readings.
    known : bool
        Whether it counts as a word of the language.
    outside : bool
        Whether it is not in a lexicon that has some words of the language only, so
        that nobody can tell.
    """

    token: str
    analyses: tuple[Analysis, ...] = ()
    known: bool = True
    outside: bool = False
    #: The token as it is compared.
    key: str = field(init=False, repr=False, compare=False)
    lemmas: frozenset[str] = field(init=False, repr=False, compare=False)
    #: Lemmas of its readings as a verb, participles not among them.
    verbs: frozenset[str] = field(init=False, repr=False, compare=False)
    #: Case and kind of word of its nominal readings, then with the number too.
    cases: frozenset[tuple[str, str]] = field(init=False, repr=False, compare=False)
    casenums: frozenset[tuple[str, str, str]] = field(
        init=False, repr=False, compare=False
    )
    #: Tense, person, number and mood of its readings as a verb (an infinitive's
    #: case is part of what it is).
    tenses: frozenset[tuple[str, ...]] = field(init=False, repr=False, compare=False)
    #: Lemma, case and number of its readings as a pronoun.
    pronouns: frozenset[tuple[str, str, str]] = field(
        init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        nominal = [one for one in self.analyses if one.nominal]
        verbal = [one for one in self.analyses if one.verbal]
        tenses = ((a.tense, a.person, a.number, a.mood, a.case) for a in verbal)
        derived = {
            "key": fold(self.token),
            "lemmas": frozenset(one.lemma for one in self.analyses),
            "verbs": frozenset(one.lemma for one in verbal),
            "cases": frozenset((one.case, _kindred(one)) for one in nominal),
            "casenums": frozenset(
                (one.case, one.number, _kindred(one)) for one in nominal
            ),
            "tenses": frozenset(key for key in tenses if any(key)),
            "pronouns": frozenset(
                (one.lemma, one.case, one.number)
                for one in nominal
                if one.pos in ("PRON", "DET")
            ),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    @property
    def compounds(self) -> tuple[tuple[str, ...], ...]:
        """The constituents of its readings as a compound, each list once."""
        return tuple(dict.fromkeys(one.parts for one in self.analyses if one.parts))


def _kindred(analysis: Analysis) -> str:
    return _KINDRED.get(analysis.pos, analysis.pos)


class Lexis:
    """An analyser that remembers, and knows whose token it reads.

    One serves all reference sets of a run: what it remembers does not depend on
    them.

    Parameters
    ----------
    analyser : Analyser, optional
        Without one no token has a reading and all are known. With a closed one,
        tokens without a reading are outside the lexicon, not unknown.
    """

    def __init__(self, analyser: Analyser | None = None) -> None:
        self.analyser: Analyser = NoAnalyser() if analyser is None else analyser
        self._readings: dict[str, tuple[Analysis, ...]] = {}

    @property
    def name(self) -> str:
        """Name and version of the analyser."""
        return self.analyser.name

    @property
    def empty(self) -> bool:
        """Whether there is no analyser."""
        return isinstance(self.analyser, NoAnalyser)

    @property
    def closed(self) -> bool:
        """Whether words without a reading may be words of the language.

        So it is without an analyser, and with a lexicon: no list has all words, and
        few of those that translations use.
        """
        return bool(getattr(self.analyser, "closed", False))

    def prepare(self, tokens: Iterable[str]) -> None:
        """Analyse tokens at once, where that is faster than one by one.

        Only programs and taggers gain by it; what is not prepared is analysed when
        it is asked for.
        """
        if not isinstance(self.analyser, BatchAnalyser):
            return
        wanted = dict.fromkeys(
            spelling for token in tokens for spelling in _spellings(token)
        )
        missing = [token for token in wanted if token not in self._readings]
        if missing:
            analyses = self.analyser.analyse_many(missing)
            self._readings.update(zip(missing, analyses, strict=True))

    def readings(self, token: str) -> tuple[Analysis, ...]:
        """Return the readings of exactly this token."""
        readings = self._readings.get(token)
        if readings is None:
            readings = self._readings[token] = self.analyser.analyse(token)
        return readings

    def reference(self, token: str) -> Word:
        """Return a token of the references, read in its own case.

        One that is unknown so, such as the first of a sentence, is read in lower case.
        """
        readings = self.readings(token) or self.readings(token.lower())
        return Word(token, readings, known=bool(readings) or self.closed)

    def hypothesis(self, token: str, names: frozenset[str] = frozenset()) -> Word:
        """Return a token of a translation.

        Parameters
        ----------
        token : str
            As the system wrote it, or lower-cased.
        names : frozenset of str
            The lemmas of the references.
        """
        if self.empty:
            return Word(token)
        lower = token.lower()
        readings = self.readings(token)
        if lower != token:
            readings = (*readings, *self.readings(lower))
        known = bool(readings)
        if lower == token or token.isupper() or not known:
            for spelling in _capitalised(lower):
                readings += tuple(
                    one
                    for one in self.readings(spelling)
                    if not known or one.lemma in names
                )
        # Numbers and signs are not words that an analyser could lack.
        lacking = not readings and any(map(str.isalpha, token))
        return Word(
            token,
            unique(readings),
            known=not lacking or self.closed,
            outside=lacking and self.closed,
        )


def _spellings(token: str) -> Sequence[str]:
    lower = token.lower()
    return (token, lower, *_capitalised(lower))


def _capitalised(lower: str) -> tuple[str, ...]:
    """Return a token with a capital, and with one after every hyphen."""
    spellings = (
        lower[:1].upper() + lower[1:],
        "-".join(part[:1].upper() + part[1:] for part in lower.split("-")),
    )
    return tuple(dict.fromkeys(one for one in spellings if one != lower))
