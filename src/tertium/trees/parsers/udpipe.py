# SPDX-License-Identifier: Apache-2.0
"""UDPipe 1, through its Python binding ``ufal.udpipe``.

Straka and Straková 2017, Tokenizing, POS Tagging, Lemmatizing and Parsing UD 2.0
with UDPipe.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib import import_module, metadata
from typing import Any

from tertium._watching import announce_read
from tertium.errors import InputError, MissingExtraError
from tertium.trees.parsers.base import ModelParser
from tertium.trees.parsers.models import cannot_load, content_hash
from tertium.trees.tree import DependencyTree

__all__ = ["UDPipeParser"]

#: The start of every model: the name of its kind, after its length.
_HEADER = b"\x12morphodita_parsito"


class UDPipeParser(ModelParser):
    """A UDPipe model; see :class:`ModelParser`."""

    name = "udpipe"

    def __init__(self, model: str, *, tokenize: str = "own") -> None:
        super().__init__(model, tokenize=tokenize)
        if not os.path.isfile(model):
            why = (
                "this is a folder" if os.path.isdir(model) else "there is no such file"
            )
            raise cannot_load("udpipe", model, why)
        self._udpipe = _binding()
        _check_header(model)
        announce_read(model)
        self._model = self._udpipe.Model.load(model)
        if self._model is None:
            why = "this UDPipe 1 model is damaged or truncated"
            raise cannot_load("udpipe", model, why)
        try:
            self.parse_words([["a"]])
        except InputError as error:
            raise cannot_load("udpipe", model, str(error)) from None

    @property
    def version(self) -> str:
        """The version of ``ufal.udpipe``."""
        return metadata.version("ufal.udpipe")

    @cached_property
    def model_signature(self) -> str:
        """The model's file name and a short hash of its content."""
        return f"{os.path.basename(self.model)}@{content_hash(self.model)}"

    @cached_property
    def splits(self) -> bool:
        """Whether the model has a tokeniser."""
        return self._tokenizer() is not None

    def parse_words(self, texts: Sequence[Sequence[str]]) -> list[DependencyTree]:
        """Return the tree of each tokenised text."""
        trees = []
        for words in texts:
            sentence = self._udpipe.Sentence()
            for word in words:
                sentence.addWord(word)
            trees.append(self._analyse(sentence))
        return trees

    def parse_text(self, texts: Sequence[str]) -> list[DependencyTree]:
        """Return the tree of each text, tokenised by the model."""
        return [
            DependencyTree.join([self._analyse(s) for s in self._sentences(text)])
            for text in texts
        ]

    def split_text(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the words of each text, tokenised by the model."""
        return [
            [word.form for s in self._sentences(text) for word in list(s.words)[1:]]
            for text in texts
        ]

    def _sentences(self, text: str) -> Iterator[Any]:
        # One tokeniser per text, so that texts do not affect each other.
        tokenizer = self._tokenizer()
        tokenizer.setText(text)
        while True:
            sentence = self._udpipe.Sentence()
            if not tokenizer.nextSentence(sentence):
                return
            yield sentence

    def _tokenizer(self) -> Any:
        return self._model.newTokenizer(self._udpipe.Model.DEFAULT)

    def _analyse(self, sentence: Any) -> DependencyTree:
        error = self._udpipe.ProcessingError()
        self._model.tag(sentence, self._udpipe.Model.DEFAULT, error)
        # A model without tagger may still parse, without tags.
        error = self._udpipe.ProcessingError()
        self._model.parse(sentence, self._udpipe.Model.DEFAULT, error)
        if error.occurred():
            message = f"UDPipe cannot parse with it ({error.message})"
            raise InputError(message)
        words = list(sentence.words)[1:]  # The first one is the technical root.
        return DependencyTree(
            tuple(word.form for word in words),
            tuple(word.head for word in words),
            tuple(word.deprel for word in words),
            upos=tuple(word.upostag or "_" for word in words),
            xpos=tuple(word.xpostag or "_" for word in words),
            lemmas=tuple(word.lemma or "_" for word in words),
            feats=tuple(word.feats or "_" for word in words),
        )


def _check_header(model: str) -> None:
    """Raise an error for a file of another kind.

    UDPipe reads the first byte of a file as the length of a name and ends the whole
    process if that is wrong. The rest of a model is protected by checksums.
    """
    try:
        with open(model, "rb") as file:
            head = file.read(len(_HEADER))
    except OSError as error:
        why = f"it cannot be read ({error.strerror})"
        raise cannot_load("udpipe", model, why) from None
    if head != _HEADER:
        raise cannot_load("udpipe", model, "this is not a UDPipe 1 model")


def _binding() -> Any:
    try:
        return import_module("ufal.udpipe")
    except ImportError as error:
        raise MissingExtraError("the parser udpipe", extra="parse-udpipe") from error
