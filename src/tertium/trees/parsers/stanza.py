# SPDX-License-Identifier: Apache-2.0
"""Stanza pipelines, by language or by the folder of a language.

Qi et al. 2020, Stanza: A Python Natural Language Processing Toolkit for Many Human
Languages. A model is ``en`` (in Stanza's own folder), ``en/ewt`` (with a package) or
a path such as ``models/en``. Nothing is downloaded.
"""

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

__all__ = ["StanzaParser"]

#: The processors that trees need, in Stanza's order.
_PARTS = ("tokenize", "mwt", "pos", "lemma", "depparse")


class StanzaParser(ModelParser):
    """A Stanza pipeline; see :class:`ModelParser`."""

    name = "stanza"

    def __init__(self, model: str, *, tokenize: str = "own") -> None:
        super().__init__(model, tokenize=tokenize)
        self._stanza = _module()
        self._home, self._language, self._package = self._place(model)
        self._folder = os.path.join(self._home, self._language)
        if not os.path.isdir(os.path.join(self._folder, "depparse")):
            why = f"there is no folder {os.path.join(self._folder, 'depparse')}"
            raise cannot_load("stanza", model, why)
        # Tokenised words are kept, and one text stays one sentence.
        self._pipeline = self._load(pretokenized=self.words != self.name)

    @property
    def version(self) -> str:
        """The version of Stanza."""
        return str(self._stanza.__version__)

    @cached_property
    def model_signature(self) -> str:
        """The model's language, package and a short hash of its content."""
        name = f"{self._language}-{self._package}"
        return f"{name}@{content_hash(self._folder)}"

    def parse_words(self, texts: Sequence[Sequence[str]]) -> list[DependencyTree]:
        """Return the tree of each tokenised text."""
        pipeline = self._words_pipeline if self.words == self.name else self._pipeline
        # All in one document, as Stanza batches sentences, not documents.
        document = pipeline([list(words) for words in texts])
        return [_tree([sentence]) for sentence in document.sentences]

    def parse_text(self, texts: Sequence[str]) -> list[DependencyTree]:
        """Return the tree of each text, tokenised by the pipeline."""
        documents = [self._stanza.Document([], text=text) for text in texts]
        return [_tree(document.sentences) for document in self._pipeline(documents)]

    @cached_property
    def _words_pipeline(self) -> Any:
        return self._load(pretokenized=True)

    def _place(self, model: str) -> tuple[str, str, str]:
        """Return folder, language and package of a model's name."""
        if os.path.isdir(model):
            home, language = os.path.split(os.path.abspath(model))
            return home, language, "default"
        language, _, package = model.partition("/")
        common = import_module("stanza.resources.common")
        return str(common.DEFAULT_MODEL_DIR), language, package or "default"

    def _load(self, *, pretokenized: bool) -> Any:
        parts = list(_PARTS)
        # Some languages have no multiword tokens, nor have tokenised words.
        if pretokenized or not os.path.isdir(os.path.join(self._folder, "mwt")):
            parts.remove("mwt")
        try:
            return self._stanza.Pipeline(
                self._language,
                dir=self._home,
                package=self._package,
                processors=",".join(parts),
                tokenize_pretokenized=pretokenized,
                download_method=None,
                verbose=False,
            )
        except Exception as error:  # Stanza raises many kinds of exceptions.
            first = str(error).strip().partition("\n")[0]
            why = f"Stanza cannot load it ({first})"
            raise cannot_load("stanza", self.model, why) from None


def _tree(sentences: Sequence[Any]) -> DependencyTree:
    return DependencyTree.join(
        [
            DependencyTree(
                tuple(word.text for word in sentence.words),
                tuple(word.head for word in sentence.words),
                tuple(word.deprel or "dep" for word in sentence.words),
                upos=tuple(word.upos or "_" for word in sentence.words),
                xpos=tuple(word.xpos or "_" for word in sentence.words),
                lemmas=tuple(word.lemma or "_" for word in sentence.words),
                feats=tuple(word.feats or "_" for word in sentence.words),
            )
            for sentence in sentences
        ]
    )


def _module() -> Any:
    try:
        return import_module("stanza")
    except ImportError as error:
        raise MissingExtraError("the parser stanza", extra="parse-stanza") from error
