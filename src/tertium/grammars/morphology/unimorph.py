# SPDX-License-Identifier: Apache-2.0
"""UniMorph tables: lemma, form and a bundle of features such as ``N;GEN;SG``.

McCarthy et al. 2020, UniMorph 3.0. The schema names places by two tags
(``IN+ESS``); these become the names the other analysers use (``INE``). A fourth
column, which some tables fill with a segmentation, is not read. Tables list
paradigms, not compounds, so words have no parts.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from tertium.data.lines import StrPath, display, open_lines
from tertium.errors import FormatError
from tertium.grammars.morphology.base import VERBAL, Analysis
from tertium.grammars.morphology.features import unique
from tertium.grammars.morphology.tsv import table_name

__all__ = ["UniMorphLexicon", "read_bundle"]

_POS = {
    "N": "NOUN", "PROPN": "PROPN", "ADJ": "ADJ", "PRO": "PRON", "DET": "DET",
    "ART": "DET", "NUM": "NUM", "V": "VERB", "AUX": "AUX", "V.PTCP": "PTCP",
    "V.MSDR": "NOUN", "V.CVB": "VERB", "ADV": "ADV", "ADP": "ADP", "CONJ": "CCONJ",
    "COMP": "SCONJ", "INTJ": "INTJ", "PART": "PART", "CLF": "NOUN",
}  # fmt: skip

_CASES = {
    "PRT": "PAR", "IN+ESS": "INE", "IN+ABL": "ELA", "IN+ALL": "ILL",
    "AT+ESS": "ADE", "AT+ABL": "ABL", "AT+ALL": "ALL", "FRML": "ESS",
    "TRANS": "TRA", "PRIV": "ABE", "COM": "COM", "INS": "INS", "NOM": "NOM",
    "ACC": "ACC", "GEN": "GEN", "DAT": "DAT", "ESS": "LOC", "VOC": "VOC",
    "ABL": "ABL", "ALL": "ALL", "LOC": "LOC", "ERG": "ERG", "ABS": "ABS",
    "TERM": "TERM", "ON+ESS": "SUP", "ON+ABL": "DEL", "ON+ALL": "SUB",
}  # fmt: skip
_NUMBERS = {"SG": "SG", "PL": "PL", "DU": "DUAL"}
_TENSES = {"PRS": "PRES", "PST": "PAST", "FUT": "FUT"}
_PERSONS = {"0": "0", "1": "1", "2": "2", "3": "3", "4": "4"}
_MOODS = {
    "IND": "IND", "COND": "COND", "IMP": "IMP", "POT": "POT", "SBJV": "SUB",
    "OPT": "OPT", "NFIN": "INF", "ADM": "ADM",
}  # fmt: skip

_FIELDS = {
    "pos": _POS,
    "case": _CASES,
    "number": _NUMBERS,
    "tense": _TENSES,
    "person": _PERSONS,
    "mood": _MOODS,
}


class UniMorphLexicon:
    r"""Readings from the lines of a UniMorph table.

    Parameters
    ----------
    lines : iterable of str
        ``lemma``, ``form`` and features, separated by tabs; blank lines divide
        paradigms.
    name, language : str
        What results call the table, and its language.

    Examples
    --------
    >>> table = UniMorphLexicon(["talo\ttalossa\tN;IN+ESS;SG"])
    >>> table.analyse("talossa")[0].case
    'INE'
    """

    #: A word that it lacks may still be one of the language.
    closed = True

    def __init__(
        self, lines: Iterable[str], *, name: str = "unimorph", language: str = ""
    ) -> None:
        self.name = name
        self.language = language
        self._rows: list[tuple[str, str, str]] = []
        by_form: dict[str, list[Analysis]] = {}
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            cells = line.split("\t")
            if len(cells) not in (3, 4) or not all(map(str.strip, cells[:3])):
                message = (
                    "this is not a UniMorph line; give lemma, form and features such "
                    "as N;GEN;SG, separated by tabs"
                )
                raise FormatError(message, path=name, line=number)
            lemma, form, bundle = (cell.strip() for cell in cells[:3])
            self._rows.append((lemma, form, bundle))
            by_form.setdefault(form, []).extend(read_bundle(lemma, bundle))
        self._analyses = {form: unique(rows) for form, rows in by_form.items()}

    @classmethod
    def read(cls, path: StrPath, *, language: str = "") -> UniMorphLexicon:
        """Return the table in a file, which may be compressed."""
        lines = list(open_lines(path))
        made = cls(lines, name=display(path), language=language)
        made.name = table_name("unimorph", path, lines)
        return made

    def analyse(self, token: str) -> tuple[Analysis, ...]:
        """Return the readings of exactly this form."""
        return self._analyses.get(token, ())

    def generate(self, lemma: str, pos: str, features: str) -> tuple[str, ...]:
        """Return the forms of a lemma; features in UniMorph's way, ``GEN;SG``."""
        wanted = {tag for tag in features.split(";") if tag}
        return tuple(
            dict.fromkeys(
                form
                for other, form, bundle in self._rows
                if other == lemma
                and wanted <= set(bundle.split(";"))
                and pos in ("", _POS.get(bundle.partition(";")[0]))
            )
        )


def read_bundle(lemma: str, bundle: str) -> tuple[Analysis, ...]:
    """Return the readings of a bundle such as ``N;NOM;SG``; others are left out.

    Tags may be alternatives (``{NOM/ACC}`` or ``NOM/ACC``): each is a reading.
    """
    choices = [tag.strip("{} ").split("/") for tag in bundle.upper().split(";")]
    return unique(_reading(lemma, tags) for tags in product(*choices))


def _reading(lemma: str, tags: tuple[str, ...]) -> Analysis:
    features: dict[str, str] = {}
    for tag in tags:
        for field, names in _FIELDS.items():
            if tag in names and field not in features:
                features[field] = names[tag]
                break
    if features.get("pos") in VERBAL and "PASS" in tags and "mood" in features:
        features.setdefault("person", "4")
    return Analysis(lemma, parts=(), **features)
