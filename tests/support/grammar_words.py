# SPDX-License-Identifier: Apache-2.0
"""Analysers for the Finnish of the grammar tests: Voikko and tables of our own.

``analyser(name)`` returns one of :data:`ANALYSERS`; Voikko may be missing.
"""

from __future__ import annotations

from functools import cache

from conftest import missing
from tertium.errors import InputError, MissingExtraError
from tertium.grammars.morphology import Analyser
from tertium.grammars.morphology.tsv import Entry, TsvLexicon
from tertium.grammars.morphology.unimorph import UniMorphLexicon

#: Analysers that know compounds, and so all vectors.
ANALYSERS = ("voikko", "tsv")

_CASES = ("Nom", "Gen", "Par", "Ade")

#: Lemma, part of speech, and forms in the singular: NOM GEN PAR ADE.
_SINGULAR = {
    ("Anna", "PROPN"): "Anna Annan Annaa Annalla",
    ("Pekka", "PROPN"): "Pekka Pekan Pekkaa Pekalla",
    ("auto", "NOUN"): "auto auton autoa autolla",
    ("omena", "NOUN"): "omena omenan omenaa omenalla",
    ("puu", "NOUN"): "puu puun puuta puulla",
    ("omenapuu", "NOUN"): "omenapuu omenapuun omenapuuta omenapuulla",
    ("omistaja", "NOUN"): "omistaja omistajan omistajaa omistajalla",
    ("tammi", "NOUN"): "tammi tammen tammea tammella",
    ("lumi", "NOUN"): "lumi lumen lunta lumella",
    ("sade", "NOUN"): "sade sateen sadetta sateella",
    ("lumisade", "NOUN"): "lumisade lumisateen lumisadetta lumisateella",
    ("viikko", "NOUN"): "viikko viikon viikkoa viikolla",
    ("iso", "ADJ"): "iso ison isoa isolla",
    ("suuri", "ADJ"): "suuri suuren suurta suurella",
    ("vanha", "ADJ"): "vanha vanhan vanhaa vanhalla",
    ("raskas", "ADJ"): "raskas raskaan raskasta raskaalla",
    ("yksi", "NUM"): "yksi yhden yhtä yhdellä",
    ("hän", "PRON"): "hän hänen häntä hänellä",
    ("se", "PRON"): "se sen sitä sillä",
}

#: The same in the plural.
_PLURAL = {
    ("Andi", "PROPN"): "Andit Andien Andeja Andeilla",
    ("raskas", "ADJ"): "raskaat raskaiden raskaita raskailla",
    ("lumisade", "NOUN"): "lumisateet lumisateiden lumisateita lumisateilla",
    ("viikko", "NOUN"): "viikot viikkojen viikkoja viikoilla",
    ("he", "PRON"): "he heidän heitä heillä",
    ("ne", "PRON"): "ne niiden niitä niillä",
}

_PARTS = {"omenapuu": ("omena", "puu"), "lumisade": ("lumi", "sade")}

_FINITE = "Mood=Ind|Number={}|Person=3|Tense=Pres|VerbForm=Fin"
_OTHERS = (
    Entry("on", "olla", "VERB", _FINITE.format("Sing")),
    Entry("ovat", "olla", "VERB", _FINITE.format("Plur")),
    Entry("ollut", "olla", "VERB", "Case=Nom|Number=Sing|VerbForm=Part"),
    Entry("omistaa", "omistaa", "VERB", _FINITE.format("Sing")),
    Entry("omistaa", "omistaa", "VERB", "InfForm=1|Number=Sing|VerbForm=Inf"),
    Entry("omistavat", "omistaa", "VERB", _FINITE.format("Plur")),
    Entry("omistavat", "omistaa", "VERB", "Case=Nom|Number=Plur|VerbForm=Part"),
    Entry("anna", "antaa", "VERB", "Mood=Imp|Number=Sing|Person=2|VerbForm=Fin"),
    Entry("annan", "antaa", "VERB", "Mood=Ind|Number=Sing|Person=1|Tense=Pres"),
    Entry("nyt", "nyt", "ADV"),
    Entry("nykyään", "nykyään", "ADV"),
)

#: Lines in the way of UniMorph, without compounds.
UNIMORPH = """\
Anna\tAnna\tPROPN;NOM;SG
Anna\tAnnan\tPROPN;GEN;SG
Anna\tAnnalla\tPROPN;AT+ESS;SG

antaa\tanna\tV;ACT;IMP;POS;2;SG
iso\tiso\tADJ;NOM;SG
iso\tison\tADJ;GEN;SG
suuri\tsuuri\tADJ;NOM;SG
suuri\tsuuren\tADJ;GEN;SG
tammi\ttammi\tN;NOM;SG
omenapuu\tomenapuu\tN;NOM;SG
omenapuu\tomenapuun\tN;GEN;SG
olla\ton\tV;ACT;PRS;POS;IND;3;SG
omistaa\tomistaa\tV;ACT;PRS;POS;IND;3;SG
omistaa\tomistavat\tV;ACT;PRS;POS;IND;3;PL
omistava\tomistavat\tV.PTCP;ACT;PRS;NOM;PL
omistaja\tomistaja\tN;NOM;SG
yksi\tyksi\tNUM;NOM;SG
nyt\tnyt\tADV
nykyään\tnykyään\tADV
"""


@cache
def analyser(name: str) -> Analyser:
    """Return an analyser of the tests, or skip the test where it is missing."""
    if name == "voikko":
        return voikko()
    if name == "unimorph":
        return UniMorphLexicon(UNIMORPH.splitlines(), language="fi")
    return TsvLexicon(_entries(), name="tsv:tests", language="fi")


def voikko() -> Analyser:
    """Return Voikko, or skip the test."""
    from tertium.grammars.morphology.voikko import VoikkoAnalyser

    try:
        return VoikkoAnalyser()
    except (InputError, MissingExtraError) as error:
        missing(str(error))


def lexicon_lines() -> list[str]:
    """Return the lexicon as lines of a table."""
    return [
        "\t".join(
            (one.form, one.lemma, one.pos, one.features or "_", "+".join(one.parts))
        )
        for one in _entries()
    ]


def _entries() -> list[Entry]:
    entries = list(_OTHERS)
    for table, number in ((_SINGULAR, "Sing"), (_PLURAL, "Plur")):
        for (lemma, pos), forms in table.items():
            for case, form in zip(_CASES, forms.split(), strict=True):
                features = f"Case={case}|Number={number}"
                entries.append(Entry(form, lemma, pos, features, _PARTS.get(lemma, ())))
    return entries
