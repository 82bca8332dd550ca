# SPDX-License-Identifier: Apache-2.0
"""Finnish by Voikko: the package ``libvoikko`` and a dictionary (``voikko-fi``).

Differences from what Voikko prints: a participle has a second reading with the lemma
of its verb and no case (*ollut* is a form of *olla*); an action noun (*rakentaminen*),
which Voikko takes for an infinitive, is a noun, as its case is one of a noun.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from tertium.errors import InputError, MissingExtraError
from tertium.grammars.morphology.base import Analysis
from tertium.grammars.morphology.features import unique

__all__ = ["VoikkoAnalyser", "from_voikko"]

_POS = {
    "nimisana": "NOUN",
    "laatusana": "ADJ",
    "nimisana_laatusana": "ADJ",
    "teonsana": "VERB",
    "kieltosana": "AUX",
    "seikkasana": "ADV",
    "asemosana": "PRON",
    "lukusana": "NUM",
    "suhdesana": "ADP",
    "sidesana": "CCONJ",
    "huudahdussana": "INTJ",
    "lyhenne": "NOUN",
    "etunimi": "PROPN",
    "sukunimi": "PROPN",
    "paikannimi": "PROPN",
    "nimi": "PROPN",
}
_CASES = {
    "nimento": "NOM",
    "omanto": "GEN",
    "osanto": "PAR",
    "kohdanto": "ACC",
    "sisaolento": "INE",
    "sisaeronto": "ELA",
    "sisatulento": "ILL",
    "ulkoolento": "ADE",
    "ulkoeronto": "ABL",
    "ulkotulento": "ALL",
    "olento": "ESS",
    "tulento": "TRA",
    "vajanto": "ABE",
    "seuranto": "COM",
    "keinonto": "INS",
}
_NUMBERS = {"singular": "SG", "plural": "PL"}
_TENSES = {"present_simple": "PRES", "past_imperfective": "PAST"}
_MOODS = {
    "indicative": "IND",
    "conditional": "COND",
    "imperative": "IMP",
    "potential": "POT",
    "A-infinitive": "INF1",
    "E-infinitive": "INF2",
    "MA-infinitive": "INF3",
}
#: ``+sateen(sade)``: a piece of the word and its base form, which may be missing.
_PIECE = re.compile(r"\+(-|[^+(]+)(?:\(([^)]*)\))?")


class VoikkoAnalyser:
    """Readings by libvoikko.

    Parameters
    ----------
    language : str
        A language that Voikko has a dictionary of.

    Raises
    ------
    MissingExtraError
        When the package ``libvoikko`` is not installed.
    InputError
        When the library or the dictionary is missing.
    """

    def __init__(self, language: str = "fi") -> None:
        try:
            module: Any = import_module("libvoikko")
        except ImportError:
            raise MissingExtraError("the analyser voikko", extra="voikko") from None
        try:
            # Asked first: it loads the library, and where that is missing, there is
            # no half-made Voikko whose __del__ would fail in turn.
            version = module.Voikko.getVersion()
            self._voikko = module.Voikko(language)
        except (OSError, module.VoikkoException) as error:
            message = (
                f"Voikko cannot start for {language!r} ({error}); install the library "
                "and a dictionary (Debian: apt install libvoikko1 voikko-fi)"
            )
            raise InputError(message) from None
        self.language = language
        self.name = f"voikko-{version}"

    def __reduce__(self) -> tuple[type[VoikkoAnalyser], tuple[str]]:
        return VoikkoAnalyser, (self.language,)  # A handle lives in one process.

    def analyse(self, token: str) -> tuple[Analysis, ...]:
        """Return the readings of a token; those of names in any case."""
        items = self._voikko.analyze(token)
        return unique(reading for item in items for reading in from_voikko(item, token))


def from_voikko(item: Mapping[str, str], token: str) -> Iterator[Analysis]:
    """Yield the readings in what Voikko returns for a token."""
    lemma = item.get("BASEFORM", token)
    pos = _POS.get(item.get("CLASS", ""), "")
    case = item.get("SIJAMUOTO", "")
    mood = item.get("MOOD", "")
    pieces = _PIECE.findall(item.get("WORDBASES", ""))
    parts = _parts(item.get("STRUCTURE", ""), pieces, lemma)
    if case == "kerrontosti":  # nopeasti: an adverb, made of any adjective.
        yield Analysis(lemma, "ADV", parts=parts)
        return
    if mood == "MINEN-infinitive":
        pos = "NOUN"
    participle = "PARTICIPLE" in item
    yield Analysis(
        lemma,
        "PTCP" if participle else pos,
        case=_CASES.get(case, ""),
        number=_NUMBERS.get(item.get("NUMBER", ""), ""),
        tense=_TENSES.get(item.get("TENSE", ""), ""),
        person=item.get("PERSON", ""),
        mood=_MOODS.get(mood, ""),
        parts=parts,
    )
    if participle:
        bases = [base for _, base in pieces if base and not base.startswith("+")]
        if bases:
            yield Analysis(bases[-1].replace("=", ""), "PTCP")


def _parts(
    structure: str, pieces: list[tuple[str, str]], lemma: str
) -> tuple[str, ...]:
    """Return the lemmas of a compound's constituents.

    The structure has a ``=`` before every constituent and a character for each of the
    token's. The base form keeps all constituents but the last as they are in the
    token, so its rest is the last one's lemma.
    """
    lengths = [len(part) for part in structure.split("=")[1:]]
    if len(lengths) < 2:
        return ()
    parts = []
    begin = 0
    places = _places(pieces)
    for length in lengths[:-1]:
        end = begin + length
        surface = lemma[begin:end].rstrip("-")
        # A derivation (omista + ja) has several pieces; it stands in its base form.
        base = places.get((begin, begin + len(surface)), "").replace("=", "")
        parts.append(base or surface)
        begin = end
    parts.append(lemma[begin:])
    return tuple(part for part in parts if part)


def _places(pieces: list[tuple[str, str]]) -> dict[tuple[int, int], str]:
    """Return the base form of every piece by its place in the token."""
    places = {}
    begin = 0
    for surface, base in pieces:
        if base and not base.startswith("+"):
            places[begin, begin + len(surface)] = base
        begin += len(surface)
    return places
