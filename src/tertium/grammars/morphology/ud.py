# SPDX-License-Identifier: Apache-2.0
"""Analyses by a parser's tagger: UDPipe, spaCy or Stanza with a user's model.

A tagger guesses one reading of every token, seen or not, and here sees it alone:
no token is unknown but one tagged ``X``, and there are no parts of compounds. A
lexicon or a real analyser is better where there is one.
"""

from __future__ import annotations

from collections.abc import Sequence

from tertium.errors import InputError
from tertium.grammars.morphology.base import Analysis
from tertium.grammars.morphology.features import from_ud, read_features
from tertium.trees.parsers import ModelParser, load_parser
from tertium.trees.tree import DependencyTree

__all__ = ["UdAnalyser"]


class UdAnalyser:
    """Readings from lemma, tag and features of a parser.

    Parameters
    ----------
    parser : ModelParser
        A parser whose model tags and lemmatises.
    language : str
        A language code, if known.

    Raises
    ------
    InputError
        When the model gives no lemmas.
    """

    def __init__(self, parser: ModelParser, *, language: str = "") -> None:
        self._parser = parser
        self.language = language
        self.name = parser.signature
        (tree,) = parser.parse_words([["a"]])
        if set(tree.lemmas) <= {"", "_"}:
            message = (
                f"the model {parser.model} gives no lemmas; take one that was trained "
                "with a tagger and a lemmatiser"
            )
            raise InputError(message)

    @classmethod
    def load(cls, parser: str, model: str, *, language: str = "") -> UdAnalyser:
        """Return the analyser of a parser's name and the path of a model."""
        return cls(load_parser(parser, model, tokenize="none"), language=language)

    def analyse(self, token: str) -> tuple[Analysis, ...]:
        """Return the reading of a token on its own."""
        return self.analyse_many([token])[0]

    def analyse_many(self, tokens: Sequence[str]) -> list[tuple[Analysis, ...]]:
        """Return the reading of every token on its own."""
        if not tokens:
            return []
        trees = self._parser.parse_words([[token] for token in tokens])
        return [_reading(tree) for tree in trees]


def _reading(tree: DependencyTree) -> tuple[Analysis, ...]:
    pos = tree.upos[0] if tree.upos else ""
    lemma = tree.lemmas[0] if tree.lemmas else ""
    if len(tree) != 1 or pos == "X" or lemma in ("", "_"):
        return ()
    return from_ud(lemma, pos, read_features(tree.feats[0]))
