# SPDX-License-Identifier: Apache-2.0
"""WMT years as sources of training, for the studies of BEER.

Models learn from 2012, 2015 and 2016; 2014 (rankings) and 2017 (direct assessment) are
for reports alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bench import wmt
from tertium.data.batch import Batch
from tertium.errors import TertiumError
from tertium.learn.data import Source
from tertium.learn.features.blocks import Resources
from tertium.learn.profile import profile
from tertium.reproductions import tasks
from tertium.reproductions.recipes.beer.sources import source as wmt_source
from tertium.text.wordnet import find_wordnet

__all__ = [
    "REPORTED",
    "TRAINED",
    "parser_model",
    "resources",
    "source",
    "sources",
    "vector_profiles",
]

#: Language pairs with texts and rankings, by year.
TRAINED = {
    "2012": ("cs-en", "de-en", "es-en", "fr-en", "en-cs", "en-de", "en-es", "en-fr"),
    "2015": (
        "cs-en", "de-en", "fi-en", "fr-en", "ru-en",
        "en-cs", "en-de", "en-fi", "en-fr", "en-ru",
    ),
    "2016": (
        "cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en",
        "en-cs", "en-de", "en-fi", "en-ro", "en-tr",
    ),
}  # fmt: skip
REPORTED = {"2014": ("cs-en", "de-en", "fr-en", "hi-en", "ru-en")}


def source(year: str, pair: str) -> Source:
    """Return the texts and rankings of a language pair in one year."""
    return wmt_source(wmt.folder(), year[2:], pair)


def sources(
    years: Iterable[str] = tuple(TRAINED), *, target: str | None = None
) -> list[Source]:
    """Return all language pairs of some years, or those into one language."""
    known = {**TRAINED, **REPORTED}
    return [
        source(year, pair)
        for year in years
        for pair in known[year]
        if target in (None, pair.rpartition("-")[2])
    ]


def parser_model() -> Path | None:
    """Return the spaCy model of English beside the data, if it is there."""
    path = wmt.folder().parent / "models" / "en_ewt_spacy"
    return path if path.exists() else None


def vector_profiles() -> list[str]:
    """Return the profiles of BEER 4 with vectors whose models are at hand."""
    known = []
    for name in ("beer-4-static", "beer-4-context"):
        block = profile(name).blocks[-1]
        try:
            block.rows(Batch([["a"]], ["a"]))
        except TertiumError:
            continue
        known.append(name)
    return known


def resources(language: str) -> Resources | None:
    """Return synonyms and paraphrases of English, None where they are not at hand."""
    table = tasks.paraphrases()
    try:
        wordnet = find_wordnet()
    except TertiumError:
        return None
    if language != "en" or table is None:
        return None
    return Resources(language, synonyms=wordnet, paraphrases=str(table))
