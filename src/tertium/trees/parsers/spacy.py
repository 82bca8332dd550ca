# SPDX-License-Identifier: Apache-2.0
"""SpaCy pipelines, by path or by the name of an installed package."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

from tertium.errors import MissingExtraError
from tertium.trees.parsers.base import ModelParser
from tertium.trees.parsers.models import cannot_load, content_hash
from tertium.trees.tree import DependencyTree

__all__ = ["SpacyParser"]

#: Components of pipelines that trees do not need.
_NEEDLESS = ("ner", "textcat", "textcat_multilabel", "entity_linker", "spancat")


class SpacyParser(ModelParser):
    """A spaCy pipeline with a dependency parser; see :class:`ModelParser`."""

    name = "spacy"

    def __init__(self, model: str, *, tokenize: str = "own") -> None:
        super().__init__(model, tokenize=tokenize)
        self._spacy = spacy_module()
        try:
            self._nlp = self._spacy.load(model, exclude=_NEEDLESS)
        except Exception as error:  # A damaged file may raise any exception.
            why = "there is no such folder or package"
            if os.path.exists(model):
                why = f"spaCy cannot load it ({_first_line(error)})"
            raise cannot_load("spacy", model, why) from None
        (doc,) = self._docs([self._doc(["a"])])
        if not doc.has_annotation("DEP"):
            raise cannot_load("spacy", model, "the pipeline has no dependency parser")

    @property
    def version(self) -> str:
        """The version of spaCy."""
        return str(self._spacy.__version__)

    @cached_property
    def model_signature(self) -> str:
        """The model's name and a short hash of its content."""
        folder = str(self._nlp.path)
        return f"{os.path.basename(os.path.abspath(folder))}@{content_hash(folder)}"

    def parse_words(self, texts: Sequence[Sequence[str]]) -> list[DependencyTree]:
        """Return the tree of each tokenised text."""
        return [_tree(doc) for doc in self._docs([self._doc(words) for words in texts])]

    def parse_text(self, texts: Sequence[str]) -> list[DependencyTree]:
        """Return the tree of each text, tokenised by the pipeline."""
        return [_tree(doc) for doc in self._docs(texts)]

    def _docs(self, texts: Sequence[Any]) -> list[Any]:
        """Return the parsed documents of texts, or of documents."""
        try:
            return list(self._nlp.pipe(texts))
        except Exception as error:  # A damaged file may be noticed only now.
            why = f"spaCy cannot parse with it ({_first_line(error)})"
            raise cannot_load("spacy", self.model, why) from None

    def _doc(self, words: Sequence[str]) -> Any:
        return self._spacy.tokens.Doc(self._nlp.vocab, words=list(words))


def _tree(doc: Any) -> DependencyTree:
    tree = DependencyTree(
        tuple(token.text for token in doc),
        # A root is its own head; UD's name for the relation is lower case.
        tuple(0 if token.head.i == token.i else token.head.i + 1 for token in doc),
        tuple("root" if t.dep_ == "ROOT" else t.dep_ or "dep" for t in doc),
        upos=tuple(token.pos_ or "_" for token in doc),
        xpos=tuple(token.tag_ or "_" for token in doc),
        lemmas=tuple(token.lemma_ or "_" for token in doc),
        feats=tuple(str(token.morph) or "_" for token in doc),
    )
    # In spaCy, runs of spaces are tokens; they are not words.
    words = [i for i, token in enumerate(doc, 1) if not token.is_space]
    return tree if len(words) == len(tree) else tree.keep(words)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__


def spacy_module() -> Any:
    """Return spaCy."""
    try:
        return import_module("spacy")
    except ImportError as error:
        raise MissingExtraError("the parser spacy", extra="parse-spacy") from error
