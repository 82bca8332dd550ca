# SPDX-License-Identifier: Apache-2.0
"""Kinds of errors on a page: short names and plain words.

The style sheet has their colours, under their keys. Colour is never the only cue:
every mark has a short name beside it.
"""

from __future__ import annotations

from typing import NamedTuple

from tertium.grammars.search.edits import TAXONOMY, Kind, category_of

__all__ = ["CATEGORIES", "Category", "of_kind"]


class Category(NamedTuple):
    """A kind of error.

    `key` names style classes, `short` labels words, `about` describes it.
    """

    key: str
    name: str
    short: str
    about: str


#: In the order of reliability.
CATEGORIES = (
    Category("order", "word order", "moved", "a word is in the wrong place"),
    Category("case", "incorrect noun case", "case", "the right word in the wrong case"),
    Category(
        "form", "other incorrect form", "form", "the right word, wrongly inflected"
    ),
    Category("unknown", "unknown words", "unknown", "not a word of the language"),
    Category(
        "lexical", "wrong lexical choice", "word", "another word in the right form"
    ),
    Category(
        "compound",
        "compound spelling",
        "compound",
        "a compound wrongly written as one word, as several, or with a hyphen",
    ),
    Category("missing", "missing words", "missing", "a word is missing"),
    Category("extra", "extra words", "extra", "a word is superfluous"),
    Category("other", "other mistranslation", "wrong", "fits no other kind"),
    Category(
        "outside", "not in the lexicon", "not listed", "a word that the lexicon lacks"
    ),
)

_BY_NAME = {each.name: each for each in CATEGORIES}
_BY_KIND = {kind: _BY_NAME[name] for name, kinds in TAXONOMY.items() for kind in kinds}


def of_kind(kind: Kind) -> Category:
    """Return the category of an edit."""
    return _BY_KIND.get(kind) or _BY_NAME[category_of(kind)]
